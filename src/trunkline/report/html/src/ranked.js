/** Failures, the worst first, in the state that is looked at: sorted, filtered, walked through. */

import { Tabulator } from "tabulator-tables";
import { byId } from "./dom.js";
import { filter } from "./filter.js";
import { shownColumn } from "./tables.js";

/** Columns, those that count most first; the tables below have all. */
const COLUMNS = ["lost", "broken", "kind", "moved", "unplaced", "displaced", "circuit_utilisation", "port_utilisation"];

export class Ranked {
  /** @param {import("./failed.js").Failed} side @param {import("./failurestore.js").FailureStore} store */
  constructor(side, store) {
    this.side = side;
    this.store = store;
    this.shown = "";
    this.state = "";
    this.built = false;
    this.box = byId("ranked");
    this.filter = /** @type {HTMLInputElement} */ (byId("ranked-filter"));
    byId("ranked-box").hidden = false;
    byId("worst").classList.add("printed");
    this.made = new Tabulator(this.box, {
      data: [],
      index: "scenario",
      columns: this.columns(),
      height: "100%",
      rowHeight: 30,
      layout: "fitDataFill",
      nestedFieldSeparator: false,
      placeholder: "no failures",
      rowFormatter: (/** @type {any} */ row) => this.mark(row),
    });
    this.made.on("tableBuilt", () => {
      this.built = true;
      this.narrow();
      this.follow();
    });
    this.made.on("dataFiltered", (/** @type {any} */ _, /** @type {any[]} */ rows) => {
      byId("ranked-count").textContent =
        `${rows.length.toLocaleString("en-US")} of ${side.names.length.toLocaleString("en-US")}`;
    });
    this.box.addEventListener("click", (event) => {
      const row = event.target instanceof Element && event.target.closest("[data-scenario]");
      if (row instanceof HTMLElement) store.choose(String(row.dataset.scenario), store.state);
    });
    this.box.tabIndex = 0;
    this.box.setAttribute("aria-label", "failures; up and down choose");
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.filter.addEventListener("input", () => this.narrow());
    store.watch((what) => what !== "moving" && this.follow());
  }

  columns() {
    const { scenarios } = this.side.tables;
    const first = this.side.first ? [`lost.${this.side.first}`] : [];
    const wanted = [...first, ...COLUMNS, "rank"];
    const named = {
      ...shownColumn(scenarios, { name: "scenario", type: "str", unit: "" }),
      formatter: "plaintext", // a click on the row chooses it
    };
    const others = wanted.map((name) => {
      const column = scenarios.columns.find((one) => one.name === name) ?? { name, type: "int", unit: "" };
      return shownColumn(scenarios, column);
    });
    return [named, ...others];
  }

  /** @param {any} row */
  mark(row) {
    const element = row.getElement();
    const { scenario } = row.getData();
    element.dataset.scenario = scenario;
    element.classList.toggle("chosen", scenario === this.store.failure);
  }

  /** Shows the rows of the state, and where the chosen failure is among them. */
  follow() {
    const { failure, state } = this.store;
    if (!this.built || (failure === this.shown && state === this.state)) return;
    const before = this.shown;
    this.shown = failure;
    if (state !== this.state) {
      this.state = state;
      const rows = this.side.rows("scenarios").filter((row) => row.state === state);
      for (const row of rows) row.rank = this.side.rank.get(String(row.scenario)) ?? null;
      this.made.replaceData(rows).then(() => this.reach(failure));
      return;
    }
    for (const name of [before, failure]) {
      const row = this.made.getRow(name);
      if (row) row.reformat();
    }
    this.reach(failure);
  }

  /** @param {string} failure */
  reach(failure) {
    if (this.order().includes(failure)) this.made.scrollToRow(failure, "center", false).catch(() => {});
  }

  /** The failures that are shown, in their order. @returns {string[]} */
  order() {
    return this.built ? this.made.getData("active").map((/** @type {any} */ row) => String(row.scenario)) : [];
  }

  /** Goes on by so many failures among those that are shown. @param {number} by */
  walk(by) {
    const order = this.order();
    const at = order.indexOf(this.store.failure);
    const next = at < 0 ? order[0] : order[Math.max(0, Math.min(order.length - 1, at + by))];
    if (next !== undefined) this.store.choose(next, this.store.state);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.walk(by);
  }

  narrow() {
    if (this.built) this.made.setFilter(filter(this.filter.value, this.side.tables.scenarios.columns));
  }
}
