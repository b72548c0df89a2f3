/** How a circuit looks: its load under the switches, the colour and the width that say so. */

import { show, showRate, showShare } from "./units.js";

/**
 * @typedef {import("./data.js").Side} Side
 * @typedef {import("./data.js").Row} Row
 * @typedef {import("./store.js").Store} Store
 */

/** Upper bounds in ppm, exclusive but for 100 %, and what the legend says. */
export const STEPS = [
  { below: 1, label: "idle" },
  { below: 400_000, label: "under 40 %" },
  { below: 700_000, label: "40 to 70 %" },
  { below: 900_000, label: "70 to 90 %" },
  { below: 1_000_001, label: "90 to 100 %" },
  { below: Infinity, label: "over 100 %" },
];

/** The step of a utilisation, or null for what is down. @param {number | null} ppm */
export const step = (ppm) => (ppm === null ? null : STEPS.findIndex(({ below }) => ppm < below));

/**
 * What an arc is filled to, ppm of its capacity (of what may be reserved, where reservations are shown); null if down.
 * All classes on, the load's figure is the table's own.
 * @param {Side} side @param {Store} store @param {string} arc @returns {number | null}
 */
export function fill(side, store, arc) {
  const row = side.by("circuits", "arc", arc)[0];
  if (!row) return null;
  if (store.measure === "reserved") {
    const books = side.by("reservations", "circuit", arc)[0];
    if (!books || !books.reservable) return 0;
    const held = [...store.priorities].reduce((sum, p) => sum + Number(books[`r${p}`]), 0);
    return (held / Number(books.reservable)) * 1e6;
  }
  if (side.classes.every((cls) => store.classes.has(cls))) return Number(row.utilisation);
  const load = side.classes.reduce((sum, cls) => sum + (store.classes.has(cls) ? Number(row[`load.${cls}`]) : 0), 0);
  return (load / Number(row.capacity)) * 1e6;
}

/**
 * Pixels for a capacity: the square root, so that a tenfold circuit is about three times as wide.
 * @param {Row} row @param {number} most bit/s
 */
export const width = (row, most) => 1.6 + 4.4 * Math.sqrt(Number(row.capacity) / most);

/**
 * A circuit in words, for the pointer and for a screen reader.
 * @param {Side} side @param {Store} store @param {Row} row @returns {string}
 */
export function words(side, store, row) {
  if (!row.up) return `circuit ${row.circuit}, ${showRate(Number(row.capacity))}, down`;
  const ways = [row.a, row.b].map((from) => {
    const ppm = fill(side, store, `${row.circuit}@${from}`);
    return `from ${from} ${ppm === null ? "down" : showShare(ppm)}`;
  });
  return `circuit ${row.circuit}, ${showRate(Number(row.capacity))}, ${show(row.latency, "us")}, ${ways.join(", ")}`;
}
