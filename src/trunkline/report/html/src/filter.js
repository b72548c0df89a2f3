/** The filter above a table: words that a row must hold, and comparisons such as `utilisation>80%`. */

import { parse, show } from "./units.js";

/**
 * @typedef {import("./data.js").Row} Row
 * @typedef {import("./data.js").Column} Column
 */

/** @param {string} text @param {Column[]} columns @returns {(row: Row) => boolean} */
export function filter(text, columns) {
  const tests = text
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => test(word, columns));
  return (row) => tests.every((holds) => holds(row));
}

/** @param {string} word @param {Column[]} columns @returns {(row: Row) => boolean} */
function test(word, columns) {
  const found = /^([\w.]+)([:=<>])(.*)$/.exec(word);
  const column = found && columns.find(({ name }) => name === found[1]);
  if (!found || !column) return anywhere(word.toLowerCase(), columns);
  const [, name, sign, wanted] = found;
  if (column.type === "int") {
    const value = parse(wanted, column.unit);
    if (sign === "<") return (row) => row[name] !== null && Number(row[name]) < value;
    if (sign === ">") return (row) => row[name] !== null && Number(row[name]) > value;
    return (row) => (wanted === "" ? row[name] === null : row[name] !== null && Number(row[name]) === value);
  }
  const shown = (/** @type {Row} */ row) => show(row[name], column.unit).toLowerCase();
  if (sign === ":") return (row) => shown(row).includes(wanted.toLowerCase());
  return (row) => shown(row) === wanted.toLowerCase();
}

/** @param {string} word @param {Column[]} columns @returns {(row: Row) => boolean} */
function anywhere(word, columns) {
  const texts = columns.filter(({ type }) => type === "str");
  return (row) =>
    texts.some(({ name }) =>
      String(row[name] ?? "")
        .toLowerCase()
        .includes(word),
    );
}
