/** The details of a thing under every design: a row a design. */

import { h } from "./dom.js";
import { link, links } from "./parts.js";
import { showBytes, showCount, showRate, showShare, showTime } from "./units.js";

/**
 * @typedef {import("./designs.js").Design} Design
 * @typedef {import("./data.js").Cell} Cell
 * @typedef {{designs: Design[], shown: () => Design[]}} Page  `shown` on the maps
 */

/** @param {Cell | undefined} cell @param {(n: number) => string} show */
const number = (cell, show) => (cell === null || cell === undefined ? "-" : show(Number(cell)));

/** A long name may break ahead of what follows a plus. @param {string} name */
const breakable = (name) => name.split(/(?=\+)/).flatMap((part, i) => (i ? [h("wbr"), part] : [part]));

/**
 * A list with a row per design.
 * @param {Page} page @param {string} caption @param {string[]} heads
 * @param {(design: Design) => (Node | string)[]} cells
 */
function perDesign(page, caption, heads, cells) {
  const shown = page.shown();
  const rows = page.designs.map((design) =>
    h(
      "tr",
      { class: shown.includes(design) ? "shown" : null },
      h("th", { scope: "row" }, ...breakable(design.label)),
      ...cells(design).map((cell) => h("td", { class: "number" }, cell)),
    ),
  );
  const head = ["design", ...heads].map((text, i) => h("th", { scope: "col", class: i ? "number" : null }, text));
  const table = h(
    "table",
    { class: "list" },
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, ...head)),
    h("tbody", {}, ...rows),
  );
  return h("div", { class: "scroll" }, table);
}

/** Families with prefixes, as the tables name them. @param {Page} page */
const families = (page) => [
  ...new Set(page.designs.flatMap((d) => d.rows("tallies").map((row) => String(row.family)))),
];

/** @param {Design} design @param {string} name */
function sessions(design, name) {
  const found = design.neighbours(name);
  const kinds = /** @type {const} */ ([
    ["clients", found.client],
    ["reflectors", found.reflector],
    ["peers", found.peer],
  ]);
  return [
    h("h3", {}, `iBGP sessions under ${design.label}`),
    h(
      "ul",
      { class: "ways" },
      ...kinds.map(([title, names]) =>
        h("li", {}, `${title} (${names.length})`, names.length > 0 && ": ", links("router", names, " ")),
      ),
    ),
  ];
}

/** @param {Page} page @param {string} name */
function router(page, name) {
  const found = page.designs[0].by("routers", "router", name)[0];
  if (!found) return [];
  const about = h("p", {}, `${found.role} at `, link("site", found.site), `, region ${found.region}`);
  const tables = families(page).map((family) =>
    perDesign(page, family, ["iBGP", "held", "usable", "not best", "over best"], (design) => {
      const row = design.tally(name, family);
      return [
        number(row?.ibgp_sessions, showCount),
        number(row?.held, showCount),
        number(row?.usable, showShare),
        number(row?.elsewhere, showShare),
        number(row?.excess, showTime),
      ];
    }),
  );
  const memory = perDesign(page, "memory, both families", ["memory"], (design) => [
    number(design.tally(name, "v4")?.memory, showBytes),
  ]);
  const ports = page.designs[0].by("ports", "router", name);
  const leaving = h(
    "p",
    {},
    "peer ports: ",
    ports.length
      ? links(
          "port",
          ports.map((row) => row.port),
          " ",
        )
      : "none",
  );
  return [about, ...tables, memory, leaving, ...page.shown().flatMap((design) => sessions(design, name))];
}

/** @param {Page} page @param {string} name of a circuit, or of one direction of it */
function circuit(page, name) {
  const ends = page.designs[0].rows("circuit_ends");
  const found = ends.find(
    (row) => row.circuit === name || [row.a, row.b].some((end) => `${row.circuit}@${end}` === name),
  );
  if (!found) return [];
  const about = h(
    "p",
    {},
    link("router", found.a),
    " to ",
    link("router", found.b),
    `, ${showRate(Number(found.capacity))}`,
  );
  const ways = [found.a, found.b].map((from) =>
    perDesign(page, `from ${from}`, ["load", "utilisation"], (design) => {
      const row = design.by("circuits", "arc", `${found.circuit}@${from}`)[0];
      return [number(row?.load, showRate), number(row?.utilisation, showShare)];
    }),
  );
  return [about, ...ways];
}

/** @param {Page} page @param {string} name */
function site(page, name) {
  const found = page.designs[0].by("sites", "site", name)[0];
  if (!found) return [];
  const routers = page.designs[0].by("routers", "site", name);
  return [
    h("p", {}, `region ${found.region}`),
    h(
      "p",
      {},
      "routers: ",
      links(
        "router",
        routers.map((row) => row.router),
        " ",
      ),
    ),
  ];
}

/** @param {Page} page @param {string} name */
function port(page, name) {
  const found = page.designs[0].by("ports", "port", name)[0];
  if (!found) return [];
  const about = h(
    "p",
    {},
    `${found.kind} ${found.peer} at `,
    link("router", found.router),
    `, ${showRate(Number(found.capacity))}`,
  );
  const tables = families(page).map((family) =>
    perDesign(page, `${family}: what leaves here, over all routers`, ["prefixes", "share"], (design) => {
      const row = design.by("exits", "port", name).find((one) => one.family === family);
      return [number(row?.prefixes, showCount), number(row?.share, showShare)];
    }),
  );
  return [about, ...tables];
}

/** @type {Record<string, (page: Page, name: string) => HTMLElement[]>} */
export const VIEWS = { router, circuit, site, port };
