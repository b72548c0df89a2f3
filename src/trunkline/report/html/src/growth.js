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

/** Where the points of one figure stand, and what it is said in. */
class Frame {
  /** @param {string} figure @param {Row[]} growth @param {number | null} bound */
  constructor(figure, growth, bound) {
    this.figure = figure;
    this.unit = figure === "memory" ? 2 ** 30 : 1;
    this.show = figure === "memory" ? showBytes : showCount;
    this.most = growth.reduce((top, row) => Math.max(top, Number(row[figure])), bound ?? 1) * 1.06;
    this.sizes = [...new Set(growth.map((row) => Number(row.routers)))].sort((a, b) => a - b);
    this.least = this.sizes[0];
    this.last = this.sizes[this.sizes.length - 1];
  }

  /** @param {number} routers */
  x(routers) {
    return LEFT + ((routers - this.least) / (this.last - this.least || 1)) * (WIDE - LEFT - RIGHT);
  }

  /** @param {number} value */
  y(value) {
    return HIGH - BOTTOM - (value / this.most) * (HIGH - TOP - BOTTOM);
  }
}

/** @param {Frame} frame @returns {SVGElement[]} */
function axes(frame) {
  const levels = ticks(frame.most, frame.unit).map((n) =>
    s(
      "g",
      { class: "grid" },
      s("path", { d: `M${LEFT} ${frame.y(n)}H${WIDE - RIGHT}` }),
      s("text", { x: LEFT - 6, y: frame.y(n) + 4, "text-anchor": "end" }, frame.show(n)),
    ),
  );
  const [first, end] = [frame.x(frame.least), frame.x(frame.last)];
  const open = (/** @type {number} */ at) => at - first > 34 && end - at > 34;
  const named = frame.sizes.filter(
    (n, i) => n === frame.least || n === frame.last || (i % 2 === 0 && open(frame.x(n))),
  );
  const sizes = named.map((n) =>
    s("text", { x: frame.x(n), y: HIGH - BOTTOM + 16, "text-anchor": "middle" }, showCount(n)),
  );
  const title = s("text", { x: (LEFT + WIDE - RIGHT) / 2, y: HIGH - 3, "text-anchor": "middle" }, "routers");
  return [...levels, ...sizes, title];
}

/** A design's line and points. @param {Frame} frame @param {string} name @param {number} i @param {Row[]} rows */
function line(frame, name, i, rows) {
  const at = rows.map((row) => [frame.x(Number(row.routers)), frame.y(Number(row[frame.figure]))].join(" "));
  const points = rows.map((row, n) => {
    const text = `${name}, ${showCount(Number(row.routers))} routers: ${frame.show(Number(row[frame.figure]))}`;
    const look = { d: MARKS[i % MARKS.length], transform: `translate(${at[n]})`, class: `point d${i % MARKS.length}` };
    return s("path", look, s("title", {}, text));
  });
  return [s("path", { d: `M${at.join("L")}`, ...style(i) }), ...points];
}

/** A bound's line, and its name above all lines. @param {Frame} frame @param {number} bound */
function limit(frame, bound) {
  const y = frame.y(bound);
  return {
    under: s("path", { class: "bound", d: `M${LEFT} ${y}H${WIDE - RIGHT}` }),
    over: s(
      "text",
      { class: "bound-name", x: WIDE - RIGHT, y: y - 4, "text-anchor": "end" },
      `bound ${frame.show(bound)}`,
    ),
  };
}

/**
 * A ring where a design is first over the bound; at which size that is, once above the rings there.
 * @param {Frame} frame @param {Row[]} growth @param {Row[]} passes
 */
function passed(frame, growth, passes) {
  /** @type {Map<number, number>} */
  const highest = new Map();
  const rings = passes.flatMap(({ design, passed_at: size }) => {
    const row = size !== null && growth.find((one) => one.design === design && one.routers === size);
    if (!row) return [];
    const [routers, value] = [Number(size), Number(row[frame.figure])];
    highest.set(routers, Math.max(value, highest.get(routers) ?? 0));
    const text = `${design} passes the bound at ${showCount(routers)} routers`;
    return [s("circle", { class: "passed", cx: frame.x(routers), cy: frame.y(value), r: 8 }, s("title", {}, text))];
  });
  const names = [...highest].map(([routers, value]) => {
    const x = frame.x(routers);
    const anchor = x < LEFT + 40 ? "start" : x > WIDE - RIGHT - 40 ? "end" : "middle";
    const at = { x, y: frame.y(value) - 12, "text-anchor": anchor };
    return s("text", { class: "passed-at", ...at }, `passed at ${showCount(routers)}`);
  });
  return [...rings, ...names];
}

/**
 * One figure's plot.
 * @param {keyof typeof TITLES} figure @param {string[]} designs @param {Row[]} growth @param {Row[]} passes
 */
function plot(figure, designs, growth, passes) {
  const bound = passes.length ? Number(passes[0].bound) : null;
  const frame = new Frame(figure, growth, bound);
  const drawn = bound === null ? null : limit(frame, bound);
  const lines = designs.flatMap((name, i) =>
    line(
      frame,
      name,
      i,
      growth.filter((row) => row.design === name),
    ),
  );
  const said = bound === null ? "" : `, bound ${frame.show(bound)}`;
  const label = `${TITLES[figure]} of one router by number of routers${said}`;
  const svg = s(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label, "data-figure": figure },
    ...axes(frame),
    drawn?.under,
    ...lines,
    drawn?.over,
    ...passed(frame, growth, passes),
  );
  return h("figure", { class: "plot" }, h("figcaption", {}, `${TITLES[figure]} of one router`), svg);
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
