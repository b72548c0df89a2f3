/** One box that finds any router, circuit, LSP, demand, port or site by a part of its name. */

import { lspName } from "./data.js";
import { byId, h } from "./dom.js";

const MOST = 12;

/**
 * @typedef {{kind: string, name: string}} Found
 * @typedef {import("./data.js").Side} Side
 */

/** @type {[string, string, (row: import("./data.js").Row) => string][]} */
const KINDS = [
  ["failure", "scenarios", (row) => String(row.scenario)],
  ["site", "sites", (row) => String(row.site)],
  ["router", "routers", (row) => String(row.router)],
  ["circuit", "circuit_ends", (row) => String(row.circuit)],
  ["port", "ports", (row) => String(row.port)],
  ["demand", "demands", (row) => String(row.demand)],
  ["demand", "demands_worst", (row) => String(row.demand)],
  ["lsp", "lsps", lspName],
  ["lsp", "lsps_hit", (row) => String(row.lsp)],
];

/** Everything that has a name, over all sides. @param {Side[]} sides @returns {Found[]} */
function everything(sides) {
  const rows = (/** @type {string} */ table) => sides.flatMap((side) => (side.tables[table] ? side.rows(table) : []));
  return KINDS.flatMap(([kind, table, name]) =>
    [...new Set(rows(table).map(name))].map((found) => ({ kind, name: found })),
  );
}

export class Search {
  /** @param {{sides: Side[]}} data @param {import("./store.js").Store} store */
  constructor(data, store) {
    this.data = data;
    this.store = store;
    this.input = /** @type {HTMLInputElement} */ (byId("search"));
    this.box = byId("found");
    /** @type {Found[] | null} */
    this.all = null;
    /** @type {Found[]} */
    this.found = [];
    this.at = 0;
    this.input.addEventListener("input", () => this.look());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("blur", () => this.close());
    document.addEventListener("keydown", (event) => {
      const typing =
        event.target instanceof HTMLElement && event.target.matches("input:not([type=radio], [type=checkbox]), select");
      if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.input.focus();
      this.input.select();
    });
  }

  look() {
    const text = this.input.value.trim().toLowerCase();
    this.all ??= everything(this.data.sides);
    const hits = text ? this.all.filter(({ name }) => name.toLowerCase().includes(text)) : [];
    const rank = (/** @type {Found} */ { name }) =>
      name.toLowerCase() === text ? 0 : name.toLowerCase().startsWith(text) ? 1 : 2;
    this.found = hits.sort((a, b) => rank(a) - rank(b)).slice(0, MOST);
    this.at = 0;
    this.draw(hits.length, text);
  }

  /** @param {number} hits @param {string} text */
  draw(hits, text) {
    const rows = this.found.map(({ kind, name }, i) =>
      h(
        "li",
        {
          role: "option",
          id: `found-${i}`,
          "aria-selected": i === this.at ? "true" : "false",
          onmousedown: (/** @type {Event} */ e) => {
            e.preventDefault();
            this.choose(i);
          },
        },
        h("span", { class: "kind" }, kind),
        " ",
        name,
      ),
    );
    const rest =
      hits > MOST
        ? `${(hits - MOST).toLocaleString("en-US")} more: type on`
        : hits || !text
          ? ""
          : "nothing of this name";
    this.box.replaceChildren(...rows, ...(rest ? [h("li", { class: "dim", role: "presentation" }, rest)] : []));
    this.box.hidden = !text;
    this.input.setAttribute("aria-expanded", String(!this.box.hidden));
    this.input.setAttribute("aria-activedescendant", this.found.length ? `found-${this.at}` : "");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.found.length) {
      this.at = (this.at + step + this.found.length) % this.found.length;
      [...this.box.querySelectorAll("[role=option]")].forEach((row, i) =>
        row.setAttribute("aria-selected", String(i === this.at)),
      );
      this.input.setAttribute("aria-activedescendant", `found-${this.at}`);
      event.preventDefault();
    } else if (event.key === "Enter" && this.found.length) {
      event.preventDefault();
      this.choose(this.at);
    } else if (event.key === "Escape") this.close();
  }

  /** @param {number} i */
  choose(i) {
    const found = this.found[i];
    this.close();
    this.store.select(found);
  }

  close() {
    this.box.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }
}
