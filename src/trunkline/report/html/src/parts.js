/** The parts a detail is made of: links, facts side by side, and lists of both states in one. */

import { h } from "./dom.js";
import { encoded } from "./store.js";
import { show } from "./units.js";

/**
 * @typedef {import("./data.js").Side} Side
 * @typedef {import("./data.js").Row} Row
 * @typedef {import("./data.js").Data} Data
 * @typedef {import("./units.js").Cell} Cell
 * @typedef {{cell: Cell, unit: string}} Figure
 * @typedef {Figure | Node | string} Value
 * @typedef {{title: string, number?: boolean, value: (row: Row, side: Side) => Value}} Shown
 */

const LONGEST = 100; // rows of a list in a detail; the tables have them all

/**
 * A link to the details of a thing; a long name may break where it has joints.
 * @param {string} kind @param {Cell} name @param {string} [text] @returns {HTMLElement}
 */
export function link(kind, name, text) {
  const pieces = (text ?? String(name)).split(/(?<=\/|--)|(?=@)/);
  return h(
    "a",
    { href: `#at=${kind}:${encoded(String(name))}` },
    ...pieces.flatMap((piece, i) => (i ? [h("wbr"), piece] : [piece])),
  );
}

/** Several links, with what stands between them. @param {string} kind @param {Cell[]} names @param {string} between */
export function links(kind, names, between = ", ") {
  return h("span", {}, ...names.flatMap((name, i) => (i ? [between, link(kind, name)] : [link(kind, name)])));
}

/** @param {Row | undefined} row @param {string} column @param {string} unit @returns {Figure} */
export const figure = (row, column, unit = "") => ({ cell: row?.[column] ?? null, unit });

/** @param {Value} value @returns {value is Figure} */
const isFigure = (value) => typeof value === "object" && "cell" in value;

/** @param {Value} value @returns {Node | string} */
const shown = (value) => (isFigure(value) ? show(value.cell, value.unit) || "–" : value);

/** What changed, where both are numbers. @param {Value} was @param {Value} now @returns {string} */
function change(was, now) {
  if (!isFigure(was) || !isFigure(now) || typeof was.cell !== "number" || typeof now.cell !== "number") return "";
  const by = now.cell - was.cell;
  if (!by) return "=";
  return (by > 0 ? "+" : "−") + show(Math.abs(by), now.unit);
}

/**
 * Facts of one thing, a column per state and the change between two.
 * @param {Data} data @param {string} caption @param {[string, (side: Side) => Value][]} facts @returns {HTMLElement}
 */
export function facts(data, caption, facts) {
  const two = data.sides.length > 1;
  const head =
    two &&
    h(
      "thead",
      {},
      h("tr", {}, h("td"), ...["before", "after", "change"].map((t) => h("th", { scope: "col", class: "number" }, t))),
    );
  const rows = facts.map(([name, of]) => {
    const values = data.sides.map(of);
    const texts = values.map((value) => {
      const v = shown(value);
      return v instanceof Node ? v.textContent : v;
    });
    if (two && !isFigure(values[0]) && texts[0] === texts[1])
      return h("tr", {}, h("th", { scope: "row" }, name), h("td", { colspan: 3 }, shown(values[1])));
    const cells = values.map((value) => h("td", { class: isFigure(value) || two ? "number" : null }, shown(value)));
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      ...cells,
      two && h("td", { class: "number change" }, change(values[0], values[1])),
    );
  });
  return h(
    "div",
    { class: "scroll" },
    h("table", { class: "facts" }, h("caption", {}, caption), head, h("tbody", {}, ...rows)),
  );
}

/**
 * A list over both states: what is only in one is marked `new` or `left`.
 * @param {Data} data @param {string} caption @param {(side: Side) => Row[]} of @param {(row: Row) => string} key
 * @param {Shown[]} columns @param {{text: string, onclick: () => void}} [all] the way to the whole table
 * @returns {HTMLElement}
 */
export function list(data, caption, of, key, columns, all) {
  const two = data.sides.length > 1;
  const was = two ? of(data.sides[0]) : [];
  const now = of(data.last);
  const [before, after] = [new Set(was.map(key)), new Set(now.map(key))];
  const rows = [
    ...now.map((row) => ({ row, side: data.last, mark: two && !before.has(key(row)) ? "new" : "" })),
    ...was.filter((row) => !after.has(key(row))).map((row) => ({ row, side: data.sides[0], mark: "left" })),
  ];
  if (!rows.length) return h("p", { class: "dim none" }, `${caption}: none`);
  const marks = rows.some(({ mark }) => mark);
  const count = two && was.length !== now.length ? `${was.length} before, ${now.length} after` : `${now.length}`;
  const head = h(
    "tr",
    {},
    ...columns.map((c) => h("th", { scope: "col", class: c.number && "number" }, c.title)),
    marks && h("th", { scope: "col" }, h("span", { class: "unseen" }, "new or left")),
  );
  const body = rows
    .slice(0, LONGEST)
    .map(({ row, side, mark }) =>
      h(
        "tr",
        { class: mark || null },
        ...columns.map((c) => h("td", { class: c.number && "number" }, shown(c.value(row, side)))),
        marks && h("td", { class: "mark" }, mark),
      ),
    );
  const more = rows.length - body.length;
  return h(
    "div",
    {},
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "list" },
        h("caption", {}, `${caption} (${count})`),
        h("thead", {}, head),
        h("tbody", {}, ...body),
      ),
    ),
    more > 0 && h("p", { class: "dim" }, `and ${more.toLocaleString("en-US")} more`),
    all && h("button", { type: "button", class: "plain", onclick: all.onclick }, all.text),
  );
}
