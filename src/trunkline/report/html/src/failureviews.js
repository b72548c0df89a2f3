/** The details of a failure, and of a thing: which failures hurt it most. */

import { h } from "./dom.js";
import { link, links, list } from "./parts.js";
import { show, showRate, showShare, showTime } from "./units.js";

/**
 * @typedef {import("./failed.js").Failed} Failed
 * @typedef {import("./data.js").Row} Row
 * @typedef {import("./data.js").Cell} Cell
 * @typedef {{side: Failed, store: import("./failurestore.js").FailureStore}} Page
 * @typedef {import("./parts.js").Shown} Shown
 */

const HOTTEST = 10;

/** @param {Row} row @param {string} column */
const number = (row, column) => Number(row[column] ?? 0);

/** @param {number} n @param {string} one */
const counted = (n, one) => `${n.toLocaleString("en-US")} ${one}${n === 1 ? "" : "s"}`;

/** What a failure does in the state that is looked at, in a line. @param {Page} page @returns {(Node | string)[]} */
export function sentence({ side, store }) {
  const row = side.row(store.failure, store.state);
  if (!row) return [`There is no failure named ${store.failure} in this report.`];
  const place = `${side.rank.get(store.failure)} of ${side.names.length}`;
  const lost = number(row, "lost") ? `${showRate(number(row, "lost"))} lost` : "nothing lost";
  const lsps = ["moved", "unplaced", "displaced"]
    .filter((what) => number(row, what))
    .map((what) => `${counted(number(row, what), "LSP")} ${what}`);
  const broken = row.broken
    ? h("span", { class: "broken" }, `breaks ${row.broken}`)
    : h("span", { class: "met" }, "breaks nothing");
  const said = `, ${side.when(store.state)}: ${[lost, ...lsps].join(", ")}; `;
  const drawn = side.drawn(store.failure)
    ? ""
    : ". Not among those that can be drawn: the map shows the network before it.";
  return [`${place}: `, h("strong", {}, store.failure), ` (${row.kind})`, said, broken, drawn];
}

/** Columns of a failure's facts, what they are called, and how they are shown. @type {[string, string][]} */
const FACTS = [
  ["broken", "breaks"],
  ["lost", "lost"],
  ["gone", "gone with its end"],
  ["moved", "LSPs moved"],
  ["unplaced", "LSPs unplaced"],
  ["displaced", "LSPs displaced"],
  ["circuit", "hottest circuit"],
  ["circuit_utilisation", "its utilisation"],
  ["port", "hottest peer port"],
  ["port_utilisation", "its utilisation"],
  ["cut_off", "no Internet"],
  ["on_fallback", "on fallback"],
  ["slowed_by", "slower by, at most"],
  ["slowed", "that is"],
];

/** @param {Page} page @param {string} name @returns {HTMLElement} */
function facts({ side, store }, name) {
  const rows = side.states.map(([state]) => side.row(name, state));
  const classes = side.columns
    .filter((column) => column.startsWith("lost."))
    .map((c) => /** @type {[string, string]} */ ([c, `lost, ${c.slice(5)}`]));
  const shown = FACTS.flatMap((fact) => (fact[0] === "lost" ? [fact, ...classes] : [fact]));
  const head = ["", ...side.states.map(([, when]) => when)].map((text) => h("th", { scope: "col" }, text));
  const body = shown
    .filter(([column]) => rows.some((row) => row?.[column]))
    .map(([column, title]) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, title),
        ...rows.map((row, i) =>
          h("td", { class: side.states[i][0] === store.state ? "shown" : null }, fact(side, row, column)),
        ),
      ),
    );
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "facts" },
      h("caption", {}, "in each state"),
      h("thead", {}, h("tr", {}, ...head)),
      h("tbody", {}, ...body),
    ),
  );
}

/** @param {Failed} side @param {Row | undefined} row @param {string} column @returns {Node | string} */
function fact(side, row, column) {
  const cell = row?.[column] ?? null;
  if (!cell) return "–";
  if (column === "circuit" || column === "port") return link(column, cell);
  if (column === "slowed") return link("demand", String(cell).split("/")[0], String(cell));
  return show(cell, side.tables.scenarios.unit(column));
}

/** What fails, by kind, each with a link. @param {Page} page @param {string} name */
function failing({ side }, name) {
  const rows = side.failing(name);
  const kinds = [...new Set(rows.map((row) => String(row.what)))];
  const items = kinds.map((what) => {
    const mine = rows.filter((row) => row.what === what).map((row) => row.name);
    const more = mine.length > HOTTEST ? ` and ${mine.length - HOTTEST} more` : "";
    return h(
      "li",
      {},
      `${what === "member" ? "one member of" : counted(mine.length, what)}: `,
      links(what === "member" ? "circuit" : what, mine.slice(0, HOTTEST)),
      more,
    );
  });
  return rows.length ? h("div", {}, h("h3", {}, "Down"), h("ul", { class: "ways" }, ...items)) : "";
}

/** A list of one state. @param {Page} page @param {string} caption @param {Row[]} rows @param {Shown[]} columns */
const listed = ({ side }, caption, rows, columns) =>
  list(
    /** @type {any} */ ({ sides: [side], last: side }),
    caption,
    () => rows,
    (row) => Object.values(row).join(" "),
    columns,
  );

/** @param {string} title @param {string} column @param {string} unit @returns {Shown} */
const figure = (title, column, unit) => ({ title, number: true, value: (row) => ({ cell: row[column], unit }) });
/** @param {string} column @returns {Shown} */
const text = (column) => ({ title: column, value: (row) => String(row[column] ?? "") });
/** @param {string} title @param {string} kind @param {string} column @returns {Shown} */
const named = (title, kind, column) => ({ title, value: (row) => (row[column] ? link(kind, row[column]) : "") });

const FAILURE = named("failure", "failure", "scenario");
const DEMANDS = [
  named("demand", "demand", "demand"),
  text("family"),
  figure("lost", "lost", "bit/s"),
  text("reason"),
  text("where"),
  figure("added", "latency_added", "us"),
  figure("gone", "gone", "bit/s"),
];
const LSPS = [named("LSP", "lsp", "lsp"), text("what"), text("by"), named("circuit", "circuit", "circuit")];

/** @param {Page} page @param {string} name */
function failure(page, name) {
  const { side, store } = page;
  const row = side.row(name, store.state);
  if (!row) return [];
  const about = h("p", {}, `${row.kind}, ${side.rank.get(name)} of ${side.names.length} by what it does`);
  if (!side.drawn(name)) return [about, facts(page, name)];
  const arcs = side.rows("circuits").filter((arc) => arc.utilisation && arc.utilisation !== arc.before);
  const hottest = arcs.sort((a, b) => number(b, "utilisation") - number(a, "utilisation")).slice(0, HOTTEST);
  const changed = listed(page, `hottest circuits that it changes, ${side.when(store.state)}`, hottest, [
    named("circuit", "circuit", "arc"),
    figure("before", "before", "ppm"),
    figure("then", "utilisation", "ppm"),
  ]);
  const hit = (/** @type {string} */ what, /** @type {string} */ table, /** @type {Shown[]} */ columns) => {
    const rows = side.of(table, name, store.state);
    const most = rows.length < side.most ? "" : `, the ${side.most} that are hurt most`;
    return listed(page, `${what} hit, ${side.when(store.state)}${most}`, rows, columns);
  };
  return [
    about,
    h(
      "div",
      { class: "cards" },
      facts(page, name),
      failing(page, name),
      changed,
      hit("demands", "demands_hit", DEMANDS),
      hit("LSPs", "lsps_hit", LSPS),
    ),
  ];
}

/** A link to the failure of a thing, where it was tried. @param {Page} page @param {string} name */
const fails = ({ side }, name) =>
  side.rank.has(name) ? h("p", {}, link("failure", name, "What happens when it fails")) : "";

/** @param {Page} page @param {string} name of a circuit, or of one direction of it */
function circuit(page, name) {
  const ends = page.side.rows("circuit_ends");
  const found = ends.find(
    (row) => row.circuit === name || [row.a, row.b].some((end) => `${row.circuit}@${end}` === name),
  );
  if (!found) return [];
  const risks = found.risks ? ["; risks ", links("failure", String(found.risks).split(" "), " ")] : [];
  const about = h(
    "p",
    {},
    link("router", found.a),
    " to ",
    link("router", found.b),
    `, ${showRate(number(found, "capacity"))}, ${showTime(number(found, "latency"))}`,
    ...risks,
  );
  const ways = [found.a, found.b].map((from) => {
    const arc = `${found.circuit}@${from}`;
    const row = page.side.by("circuits", "arc", arc)[0];
    const now = found.up ? showShare(number(row, "utilisation")) : "down";
    return h(
      "div",
      {},
      h(
        "p",
        {},
        h("strong", {}, `from ${from}`),
        `: before any failure ${showShare(number(row, "before"))}, in this one ${now}`,
      ),
      listed(page, "failures that load it most, once settled", page.side.worst("circuits_worst", "arc", arc), [
        FAILURE,
        figure("util", "utilisation", "ppm"),
        figure("load", "load", "bit/s"),
      ]),
    );
  });
  return [about, fails(page, String(found.circuit)), h("div", { class: "cards" }, ...ways)];
}

/** @param {Page} page @param {string} name */
function demand(page, name) {
  const worst = page.side.worst("demands_worst", "demand", name);
  const now = page.side.of("demands_hit", page.store.failure, page.store.state).filter((row) => row.demand === name);
  if (!worst.length && !now.length) return [];
  return [
    h(
      "div",
      { class: "cards" },
      listed(page, `in ${page.side.label}`, now, DEMANDS),
      listed(page, "failures that cost it most, once settled", worst, [FAILURE, ...DEMANDS.slice(1, -1)]),
    ),
  ];
}

/** @param {Page} page @param {string} name */
function lsp(page, name) {
  const rows = page.side.by("lsps_hit", "lsp", name).filter((row) => row.state === page.store.state);
  return [listed(page, `failures that hit it, ${page.side.when(page.store.state)}`, rows, [FAILURE, ...LSPS.slice(1)])];
}

/** @param {Page} page @param {string} name */
function router(page, name) {
  const found = page.side.by("routers", "router", name)[0];
  if (!found) return [];
  const circuits = page.side.rows("circuit_ends").filter((row) => row.a === name || row.b === name);
  return [
    h("p", {}, `${found.role} at `, link("site", found.site), `, region ${found.region}${found.up ? "" : "; down"}`),
    fails(page, name),
    h(
      "p",
      {},
      "circuits: ",
      links(
        "circuit",
        circuits.map((row) => row.circuit),
      ),
    ),
  ];
}

/** @param {Page} page @param {string} name */
function site(page, name) {
  const found = page.side.by("sites", "site", name)[0];
  if (!found) return [];
  const routers = page.side.by("routers", "site", name).map((row) => row.router);
  const region = page.side.rank.has(String(found.region)) ? link("failure", found.region) : String(found.region);
  return [h("p", {}, "region ", region), fails(page, name), h("p", {}, "routers: ", links("router", routers))];
}

/** @param {Page} page @param {string} name */
function port(page, name) {
  const found = page.side.by("ports", "port", name)[0];
  if (!found) return [];
  const peer = page.side.rank.has(String(found.peer)) ? link("failure", found.peer) : String(found.peer);
  return [
    h(
      "p",
      {},
      `${found.kind} `,
      peer,
      " at ",
      link("router", found.router),
      `, ${showRate(number(found, "capacity"))}`,
    ),
    fails(page, name),
  ];
}

/** @type {Record<string, (page: Page, name: string) => (HTMLElement | string)[]>} */
export const VIEWS = { failure, circuit, demand, lsp, router, site, port };
