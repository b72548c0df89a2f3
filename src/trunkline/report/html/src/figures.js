/** What a map of designs can show of its routers, on one scale for all designs. */

import { showBytes, showCount, showShare, showTime } from "./units.js";

/**
 * @typedef {import("./designs.js").Design} Design
 * @typedef {import("./data.js").Cell} Cell
 * @typedef {{title: string, show: (n: number) => string, whole?: number, both?: boolean}} Figure
 *   `whole`: what the scale goes to, else the largest; `both`: families together, in the row of v4
 */

/** By column of the routers' rows. @type {Record<string, Figure>} */
export const FIGURES = {
  held: { title: "routes held", show: showCount },
  memory: { title: "memory", show: showBytes, both: true },
  usable: { title: "exits usable", show: showShare, whole: 1_000_000 },
  excess: { title: "latency over best", show: showTime },
};

/** How many colours there are, and sizes with them. */
export const LEVELS = 5;

/** A figure of every router, in the colours and sizes of its scale. */
export class Scale {
  /** @param {Design[]} designs @param {string} column @param {string} family */
  constructor(designs, column, family) {
    this.column = column;
    this.figure = FIGURES[column];
    this.family = this.figure.both ? "v4" : family;
    const rows = designs.flatMap((design) => design.rows("tallies")).filter((row) => row.family === this.family);
    this.most = this.figure.whole ?? rows.reduce((most, row) => Math.max(most, Number(row[column] ?? 0)), 0);
  }

  /** @param {Design} design @param {string} router @returns {number | null} */
  value(design, router) {
    const cell = design.tally(router, this.family)?.[this.column] ?? null;
    return cell === null ? null : Number(cell);
  }

  /** From 0 to LEVELS - 1. @param {number} value */
  level(value) {
    return this.most ? Math.min(LEVELS - 1, Math.floor((value * LEVELS) / this.most)) : 0;
  }

  /** How large a router is drawn: from 0.8 to 2 times. @param {number} value */
  size(value) {
    return 0.8 + (this.most ? (1.2 * value) / this.most : 0);
  }

  /** What each level means. @returns {string[]} */
  get bounds() {
    const at = (/** @type {number} */ level) => this.figure.show(Math.ceil((this.most * level) / LEVELS));
    return Array.from({ length: this.most ? LEVELS : 1 }, (_, level) => `from ${at(level)}`);
  }

  /** @param {number | null} value */
  words(value) {
    return `${this.figure.title} ${value === null ? "not known" : this.figure.show(value)}`;
  }
}
