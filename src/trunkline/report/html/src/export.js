/** Tables as files: the raw values, in the form of the CSV files and of plan.json's tables beside this page. */

import { h } from "./dom.js";

/**
 * @typedef {import("./data.js").Row} Row
 * @typedef {import("./data.js").Column} Column
 */

/** @param {import("./units.js").Cell} cell @returns {string} */
function csvCell(cell) {
  if (cell === null) return "";
  if (typeof cell === "boolean") return cell ? "True" : "False";
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {Column[]} columns @param {Row[]} rows @returns {string} */
export function csv(columns, rows) {
  const head = columns.map(({ name, unit }) => csvCell(unit ? `${name} [${unit}]` : name));
  return [head, ...rows.map((row) => columns.map(({ name }) => csvCell(row[name])))]
    .map((cells) => cells.join(",") + "\n")
    .join("");
}

/** @param {Column[]} columns @param {Row[]} rows @returns {string} */
export function json(columns, rows) {
  const cell = (/** @type {import("./units.js").Cell} */ value) =>
    typeof value === "bigint" ? value.toString() : JSON.stringify(value);
  const lines = rows.map((row) => `[${columns.map(({ name }) => cell(row[name])).join(",")}]`);
  return `{"columns":${JSON.stringify(columns)},\n"rows":[\n${lines.join(",\n")}\n]}\n`;
}

/** @param {string} name @param {string} type @param {string} text */
export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
