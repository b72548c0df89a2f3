/** A sweep's tables, and the network as the chosen failure leaves it. */

import { Side, Table } from "./data.js";

/**
 * @typedef {import("./data.js").Packed} Packed
 * @typedef {import("./data.js").Row} Row
 * @typedef {{schema: string, title: string, states: [string, string][], first: string | null, hit: number, texts: string[],
 *   tables: Record<string, Packed>, geometry: Record<string, Packed>,
 *   loads: Record<string, Record<string, number[]>>}} Document
 */

/** What a region has lost. @typedef {{cutOff: string[], fallback: boolean}} Lost  `cutOff`: families */

export class Failed extends Side {
  /** @param {Document} document */
  constructor(document) {
    super({ label: document.title, classes: [], tables: { ...document.geometry, ...document.tables } }, document.texts);
    this.states = document.states;
    this.first = document.first;
    this.loads = document.loads;
    this.most = document.hit;
    for (const row of this.rows("circuits")) row.before = row.utilisation;
    /** Failures, the worst first. */
    this.names = [...new Set(this.rows("scenarios").map((row) => String(row.scenario)))];
    this.rank = new Map(this.names.map((name, i) => [name, i + 1]));
    this.columns = this.tables.scenarios.columns.map(({ name }) => name);
  }

  /** Rows of a table; none of one that this page has not. @param {string} table @returns {Row[]} */
  rows(table) {
    return this.tables[table]?.rows ?? [];
  }

  /** @param {string} state when that is, in words */
  when(state) {
    return this.states.find(([name]) => name === state)?.[1] ?? state;
  }

  /** Whether the page has what the map shows of a failure. @param {string} failure */
  drawn(failure) {
    return failure in this.loads;
  }

  /** A failure's row in a state. @param {string} failure @param {string} state @returns {Row | undefined} */
  row(failure, state) {
    return this.of("scenarios", failure, state)[0];
  }

  /** A table's rows of a failure in a state. @param {string} table @param {string} failure @param {string} state */
  of(table, failure, state) {
    return this.by(table, "scenario", failure).filter((row) => row.state === state);
  }

  /** What hurts a thing most once settled. @param {string} table @param {string} key @param {string} name */
  worst(table, key, name) {
    return this.by(table, key, name).filter((row) => row.state === "after");
  }

  /** What fails, and what hangs off it. @param {string} failure */
  failing(failure) {
    return this.by("failing", "scenario", failure);
  }

  /** Has loads, and what is up, as a failure leaves them. @param {string} failure @param {string} state */
  see(failure, state) {
    const down = new Set(this.failing(failure).map((row) => `${row.what} ${row.name}`));
    for (const row of this.rows("routers")) row.up = !down.has(`router ${row.router}`);
    for (const row of this.rows("circuit_ends")) row.up = !down.has(`circuit ${row.circuit}`);
    const loads = this.drawn(failure) ? this.loads[failure][state] : undefined;
    const none = this.drawn(failure) ? 0 : null; // a state without a load at all has no list
    this.rows("circuits").forEach((row, i) => (row.utilisation = loads?.[i] ?? none ?? row.before));
    this.label = `${failure}, ${this.when(state)}`;
  }

  /** What regions have lost. @param {string} failure @param {string} state @returns {Map<string, Lost>} */
  lost(failure, state) {
    const row = this.row(failure, state);
    const words = (/** @type {string} */ column) =>
      String(row?.[column] ?? "")
        .split(" ")
        .filter(Boolean);
    /** @type {Map<string, Lost>} */
    const found = new Map(words("on_fallback").map((region) => [region, { cutOff: [], fallback: true }]));
    for (const [region, family] of words("cut_off").map((word) => word.split("/"))) {
      const mine = found.get(region) ?? { cutOff: [], fallback: false };
      found.set(region, { ...mine, cutOff: [...mine.cutOff, family] });
    }
    return found;
  }
}

/** Every table as it was written, apart from those that `see` changes. @param {Document} document */
export const everyTable = (document) =>
  Object.fromEntries(
    Object.entries({ ...document.tables, ...document.geometry }).map(([name, packed]) => [
      name,
      new Table(name, packed, document.texts),
    ]),
  );
