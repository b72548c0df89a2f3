/** Every table of the result: sorted, filtered, exported. */

import { FilterModule, FormatModule, ResizeColumnsModule, SortModule, Tabulator } from "tabulator-tables";
import { csv, json, save } from "./export.js";
import { byId, h } from "./dom.js";
import { lspName } from "./data.js";
import { filter } from "./filter.js";
import { link, links } from "./parts.js";
import { show } from "./units.js";

Tabulator.registerModule([FilterModule, FormatModule, ResizeColumnsModule, SortModule]);

/**
 * @typedef {import("./data.js").Table} Table
 * @typedef {import("./data.js").Row} Row
 * @typedef {import("./data.js").Column} Column
 * @typedef {{sides: {label: string, tables: Record<string, Table>}[], moved: Record<string, Table>}} Shown
 */

/** Columns that name a thing, and what they name. @type {Record<string, string>} */
const NAMES = {
  scenario: "failure",
  arc: "circuit",
  circuit: "circuit",
  lsp: "lsp",
  by: "lsp",
  demand: "demand",
  router: "router",
  head: "router",
  tail: "router",
  exit: "router",
  a: "router",
  b: "router",
  port: "port",
  site: "site",
};

/** @param {Table} table @param {Column} column @param {Row} row @returns {Node | string} */
function cell(table, column, row) {
  const value = row[column.name];
  const kind = NAMES[column.name];
  if (column.name === "name" && table.name === "lsps") return link("lsp", lspName(row), String(value));
  if (table.name === "circuits" && (column.name === "from" || column.name === "to")) return link("router", value);
  if (column.name === "by" && table.name === "lsps_hit") return String(value ?? ""); // an LSP, or bypasses
  if (kind && value) return link(kind, value);
  if (column.name === "multipath" && value) return links("router", String(value).split(" "), " ");
  return show(value, column.unit);
}

/** Empty cells last, numbers by value, text by its characters. @param {any} a @param {any} b @param {string} way */
function compare(a, b, way) {
  if (a === b) return 0;
  if (a === null || b === null) return (a === null ? 1 : -1) * (way === "desc" ? -1 : 1);
  return a < b ? -1 : 1;
}

/** A column of the widget: sorted by value, exported in its unit. @param {Table} table @param {Column} column */
export function shownColumn(table, column) {
  const number = column.type === "int";
  return {
    title: column.name,
    field: column.name,
    hozAlign: number ? "right" : "left",
    headerHozAlign: number ? "right" : "left",
    maxInitialWidth: 420,
    sorter: (
      /** @type {any} */ a,
      /** @type {any} */ b,
      /** @type {any} */ _1,
      /** @type {any} */ _2,
      /** @type {any} */ _3,
      /** @type {string} */ way,
    ) => compare(a, b, way),
    headerSortTristate: true,
    titleFormatter: () =>
      h(
        "button",
        {
          type: "button",
          title: column.unit ? `sort by ${column.name}, exported in ${column.unit}` : `sort by ${column.name}`,
        },
        column.name,
      ),
    formatter: (/** @type {any} */ shown) => {
      const content = cell(table, column, shown.getData());
      return content instanceof Node ? content : document.createTextNode(content);
    },
  };
}

export class Tables {
  /** @param {Shown} data @param {string} first the table to open with */
  constructor(data, first) {
    this.data = data;
    this.box = byId("table");
    this.choice = /** @type {HTMLSelectElement} */ (byId("table-name"));
    this.filter = /** @type {HTMLInputElement} */ (byId("table-filter"));
    this.count = byId("table-count");
    /** @type {Map<string, {title: string, table: Table}>} */
    this.all = new Map();
    this.offer("what moved", "moved", data.moved);
    [...data.sides]
      .reverse()
      .forEach((side, i) =>
        this.offer(side.label, data.sides.length > 1 ? ["after", "before"][i] : "now", side.tables),
      );
    this.choice.addEventListener("change", () => this.show(this.choice.value, ""));
    this.filter.addEventListener("input", () => this.narrow());
    byId("table-csv").addEventListener("click", () => this.save("csv"));
    byId("table-json").addEventListener("click", () => this.save("json"));
    this.choice.value = first;
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      if (!this.made) this.show(first, "");
    });
    seen.observe(this.box);
  }

  /** @param {string} title @param {string} group @param {Record<string, Table>} tables */
  offer(title, group, tables) {
    const options = Object.entries(tables).map(([name, table]) => {
      this.all.set(`${group}:${name}`, { title: `${name}, ${title}`, table });
      return h("option", { value: `${group}:${name}` }, `${name} (${table.length.toLocaleString("en-US")})`);
    });
    if (options.length) this.choice.append(h("optgroup", { label: title }, ...options));
  }

  /**
   * Opens a table of the last state at the rows whose columns hold these texts.
   * @param {string} name @param {Record<string, string>} filters
   */
  open(name, filters) {
    const text = Object.entries(filters)
      .map(([column, wanted]) => `${column}:${wanted}`)
      .join(" ");
    this.show(`${this.data.sides.length > 1 ? "after" : "now"}:${name}`, text);
    byId("tables").scrollIntoView();
    this.filter.focus({ preventScroll: true });
  }

  /** @param {string} key @param {string} filtered */
  show(key, filtered) {
    const chosen = this.all.get(key);
    if (!chosen) return;
    this.choice.value = key;
    this.filter.value = filtered;
    this.table = chosen.table;
    this.made?.destroy();
    this.box.setAttribute("aria-label", chosen.title);
    const made = new Tabulator(this.box, {
      data: chosen.table.rows,
      columns: chosen.table.columns.map((column) => shownColumn(chosen.table, column)),
      height: Math.min(520, 74 + 30 * Math.max(chosen.table.length, 2)),
      rowHeight: 30,
      layout: "fitDataFill",
      nestedFieldSeparator: false,
      placeholder: "no rows",
    });
    this.made = made;
    this.built = false; // a filter that is typed before the table stands waits for it
    this.ready = new Promise((resolve) =>
      made.on("tableBuilt", () => {
        if (made !== this.made) return;
        this.built = true;
        this.narrow();
        resolve(true);
      }),
    );
    made.on("dataFiltered", (/** @type {any} */ _, /** @type {any[]} */ rows) => {
      this.tell(rows.length);
    });
  }

  narrow() {
    if (!this.made || !this.table || !this.built) return;
    const holds = filter(this.filter.value, this.table.columns);
    this.made.setFilter(holds);
  }

  /** @param {number} shown */
  tell(shown) {
    const all = this.table?.length ?? 0;
    const rows = (/** @type {number} */ n) => n.toLocaleString("en-US");
    this.count.textContent = shown === all ? `${rows(all)} rows` : `${rows(shown)} of ${rows(all)} rows`;
  }

  /** Saves the rows that are shown, in the order shown, with raw values. @param {"csv" | "json"} form */
  save(form) {
    if (!this.made || !this.table || !this.built) return;
    const rows = /** @type {Row[]} */ (this.made.getData("active"));
    if (form === "csv") save(`${this.table.name}.csv`, "text/csv", csv(this.table.columns, rows));
    else save(`${this.table.name}.json`, "application/json", json(this.table.columns, rows));
  }
}
