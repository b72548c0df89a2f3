/** Figures of the most burdened router against the number of routers: a line a design, and the bounds. */

import { h, s } from "./dom.js";
import { showBytes, showCount } from "./units.js";

/** @typedef {import("./data.js").Row} Row */

const [WIDE, HIGH, LEFT, RIGHT, TOP, BOTTOM] = [430, 250, 58, 14, 16, 34];
const TITLES = { sessions: "iBGP sessions", held: "routes held", told: "routes told", memory: "memory" };
const MARKS = [
  "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
  "M-3-3h6v6h-6z",
  "M0-4L4 3H-4z",
  "M0-4L4 0L0 4L-4 0z",
  "M0 4L4-3H-4z",
];
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "12 4"];

/** The steps of an axis up to a value: 1, 2 or 5 times a power of ten of a unit. @param {number} most @param {number} unit */
function ticks(most, unit) {
  const rough = most / unit / 4 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((n) => n * power >= rough) ?? 10) * power * unit;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

/** How the line of a design is drawn. @param {number} i */
const style = (i) => ({
  class: `design d${i % MARKS.length}`,
  "stroke-dasharray": DASHES[(i + Math.floor(i / 5)) % 5],
});

/** @param {string[]} designs */
const legend = (designs) =>
  h(
    "ul",
    { class: "keys", "aria-label": "lines" },
    ...designs.map((name, i) =>
      h(
        "li",
        {},
        s(
          "svg",
          { viewBox: "0 0 34 12", "aria-hidden": "true" },
          s("path", { d: "M1 6H33", ...style(i) }),
          s("path", { d: MARKS[i % MARKS.length], transform: "translate(17 6)", class: `point d${i % MARKS.length}` }),
        ),
        ` ${name}`,
      ),
    ),
  );

/**
 * One figure's plot.
 * @param {keyof typeof TITLES} figure @param {string[]} designs @param {Row[]} growth @param {Row[]} passes
 */
function plot(figure, designs, growth, passes) {
  const show = figure === "memory" ? showBytes : showCount;
  const bound = passes.length ? Number(passes[0].bound) : null;
  const most = growth.reduce((top, row) => Math.max(top, Number(row[figure])), bound ?? 1) * 1.06;
  const sizes = [...new Set(growth.map((row) => Number(row.routers)))].sort((a, b) => a - b);
  const [least, last] = [sizes[0], sizes[sizes.length - 1]];
  const x = (/** @type {number} */ n) => LEFT + ((n - least) / (last - least || 1)) * (WIDE - LEFT - RIGHT);
  const y = (/** @type {number} */ n) => HIGH - BOTTOM - (n / most) * (HIGH - TOP - BOTTOM);
  const axis = [
    ...ticks(most, figure === "memory" ? 2 ** 30 : 1).map((n) =>
      s(
        "g",
        { class: "grid" },
        s("path", { d: `M${LEFT} ${y(n)}H${WIDE - RIGHT}` }),
        s("text", { x: LEFT - 6, y: y(n) + 4, "text-anchor": "end" }, show(n)),
      ),
    ),
    ...sizes
      .filter((n, i) => !i || n === last || (x(n) - x(least) > 34 && x(last) - x(n) > 34 && i % 2 === 0))
      .map((n) => s("text", { x: x(n), y: HIGH - BOTTOM + 16, "text-anchor": "middle" }, showCount(n))),
    s("text", { x: (LEFT + WIDE - RIGHT) / 2, y: HIGH - 3, "text-anchor": "middle" }, "routers"),
  ];
  const lines = designs.flatMap((name, i) => {
    const rows = growth.filter((row) => row.design === name);
    const at = rows.map((row) => [x(Number(row.routers)), y(Number(row[figure]))]);
    const points = rows.map((row, n) =>
      s(
        "path",
        { d: MARKS[i % MARKS.length], transform: `translate(${at[n].join(" ")})`, class: `point d${i % MARKS.length}` },
        s("title", {}, `${name}, ${showCount(Number(row.routers))} routers: ${show(Number(row[figure]))}`),
      ),
    );
    return [s("path", { d: `M${at.map((p) => p.join(" ")).join("L")}`, ...style(i) }), ...points];
  });
  const over = passed(figure, growth, passes, x, y);
  const limit = bound !== null && [
    s("path", { class: "bound", d: `M${LEFT} ${y(bound)}H${WIDE - RIGHT}` }),
    s("text", { class: "bound-name", x: WIDE - RIGHT, y: y(bound) - 4, "text-anchor": "end" }, `bound ${show(bound)}`),
  ];
  const label = `${TITLES[figure]} of one router by number of routers${bound === null ? "" : `, bound ${show(bound)}`}`;
  const drawn = s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label, "data-figure": figure });
  drawn.append(...axis, ...(limit || []), ...lines, ...over);
  return h("figure", { class: "plot" }, h("figcaption", {}, `${TITLES[figure]} of one router`), drawn);
}

/**
 * A ring where a design is first over the bound; at which size that is, once above the rings there.
 * @param {string} figure @param {Row[]} growth @param {Row[]} passes
 * @param {(n: number) => number} x @param {(n: number) => number} y
 */
function passed(figure, growth, passes, x, y) {
  /** @type {Map<number, number>} */
  const highest = new Map();
  const rings = passes.flatMap(({ design, passed_at: size }) => {
    const row = size !== null && growth.find((one) => one.design === design && one.routers === size);
    if (!row) return [];
    const [routers, value] = [Number(size), Number(row[figure])];
    highest.set(routers, Math.max(value, highest.get(routers) ?? 0));
    const text = `${design} passes the bound at ${showCount(routers)} routers`;
    return [s("circle", { class: "passed", cx: x(routers), cy: y(value), r: 8 }, s("title", {}, text))];
  });
  const names = [...highest].map(([routers, value]) => {
    const at = { x: x(routers), y: y(value) - 12, "text-anchor": "middle" };
    return s("text", { class: "passed-at", ...at }, `passed at ${showCount(routers)}`);
  });
  return [...rings, ...names];
}

/** Every figure, those with a bound first. @param {string[]} designs @param {Row[]} growth @param {Row[]} passes */
export function plots(designs, growth, passes) {
  const of = (/** @type {string} */ figure) => passes.filter((row) => row.figure === figure);
  const figures = /** @type {(keyof typeof TITLES)[]} */ (Object.keys(TITLES));
  figures.sort((a, b) => Number(of(b).length > 0) - Number(of(a).length > 0));
  return [
    legend(designs),
    h("div", { class: "plots" }, ...figures.map((name) => plot(name, designs, growth, of(name)))),
  ];
}
