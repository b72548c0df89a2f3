/** The details of each kind of thing: what it is, before and after, and the ways from it to the next. */

import { arcsOf, lspName } from "./data.js";
import { h } from "./dom.js";
import { figure, facts, link, links, list } from "./parts.js";
import { show, showRate } from "./units.js";

/**
 * @typedef {import("./data.js").Side} Side
 * @typedef {import("./data.js").Row} Row
 * @typedef {import("./parts.js").Shown} Shown
 * @typedef {{data: import("./data.js").Data, store: import("./store.js").Store,
 *   open: (table: string, filters: Record<string, string>) => void}} Page
 */

/** @param {Row} lsp */
const priority = (lsp) => `${lsp.setup}/${lsp.hold}`;

/** @type {Shown[]} */
const LSP = [
  { title: "LSP", value: (lsp) => link("lsp", lspName(lsp)) },
  { title: "class", value: (lsp) => String(lsp.class) },
  { title: "prio", value: priority },
  { title: "holds", number: true, value: (lsp) => figure(lsp, "reserved", "bit/s") },
  { title: "carries", number: true, value: (lsp, side) => ({ cell: side.carried(lspName(lsp)), unit: "bit/s" }) },
];

/** LSPs under the switches, best hold first. @param {Page} page @param {Row[]} lsps */
const switched = ({ store }, lsps) =>
  lsps
    .filter((lsp) => store.classes.has(String(lsp.class)) && store.priorities.has(Number(lsp.hold)))
    .sort((a, b) => Number(a.hold) - Number(b.hold) || Number(b.reserved) - Number(a.reserved));

/** Demands with a way to each. @param {Page} page @param {string} caption @param {(side: Side) => Row[]} of */
const demands = (page, caption, of) =>
  list(page.data, caption, of, (row) => `${row.demand} ${row.family}`, [
    { title: "demand", value: (row) => link("demand", row.demand) },
    { title: "family", value: (row) => String(row.family) },
    { title: "rate", number: true, value: (row) => figure(row, "rate", "bit/s") },
    { title: "lost", number: true, value: (row) => figure(row, "lost", "bit/s") },
  ]);

/** One direction of a circuit. @param {Page} page @param {string} arc @returns {HTMLElement[]} */
function arc(page, arc) {
  const { data } = page;
  const row = (/** @type {Side} */ side) => side.by("circuits", "arc", arc)[0];
  const ends = data.sides.map(row).find((found) => found);
  const title = ends ? `${ends.from} to ${ends.to}` : arc;
  const held = [
    ...new Set(
      data.sides.flatMap((side) =>
        [0, 1, 2, 3, 4, 5, 6, 7].filter((p) => side.by("reservations", "circuit", arc)[0]?.[`r${p}`]),
      ),
    ),
  ];
  return [
    h("h3", {}, title),
    facts(data, arc, [
      ["utilisation", (side) => figure(row(side), "utilisation", "ppm")],
      ["load", (side) => figure(row(side), "load", "bit/s")],
      ...data.last.classes
        .filter((cls) => page.store.classes.has(cls))
        .map(
          (cls) =>
            /** @type {[string, any]} */ ([
              `… ${cls}`,
              (/** @type {Side} */ side) => figure(row(side), `load.${cls}`, "bit/s"),
            ]),
        ),
      ["… inside LSPs", (side) => figure(row(side), "lsp", "bit/s")],
      ["… by the IGP", (side) => figure(row(side), "igp", "bit/s")],
      ["lost", (side) => figure(row(side), "lost", "bit/s")],
      ["may be reserved", (side) => figure(side.by("reservations", "circuit", arc)[0], "reservable", "bit/s")],
      ...held
        .sort()
        .map(
          (p) =>
            /** @type {[string, any]} */ ([
              `… held at ${p}`,
              (/** @type {Side} */ side) => figure(side.by("reservations", "circuit", arc)[0], `r${p}`, "bit/s"),
            ]),
        ),
    ]),
    list(data, "LSPs on it", (side) => switched(page, side.lspsOn(arc)), lspName, LSP, {
      text: "open in the table",
      onclick: () => page.open("lsps", { path: arc }),
    }),
    demands(page, "demands on it", (side) => side.demandsOn(arc)),
  ];
}

/** @param {Page} page @param {string} name of a circuit, or of one of its arcs */
function circuit(page, name) {
  const ends = (/** @type {Side} */ side) => side.by("circuit_ends", "circuit", name.split("@")[0])[0];
  const found = page.data.sides.map(ends).find((row) => row);
  if (!found) return [];
  const ways = [found.a, found.b].map((from) => `${found.circuit}@${from}`);
  if (name === ways[1]) ways.reverse();
  return [
    facts(page.data, "circuit", [
      ["ends", () => links("router", [found.a, found.b], " and ")],
      ["state", (side) => (ends(side)?.up ? "up" : ends(side) ? "down" : "not there")],
      ["capacity", (side) => figure(ends(side), "capacity", "bit/s")],
      ["members", (side) => figure(ends(side), "members")],
      ["latency", (side) => figure(ends(side), "latency", "us")],
      [`metric from ${found.a}`, (side) => figure(ends(side), "metric_ab")],
      [`metric from ${found.b}`, (side) => figure(ends(side), "metric_ba")],
      ["risks", () => String(found.risks || "–")],
    ]),
    ...ways.flatMap((way) => arc(page, way)),
  ];
}

/**
 * The hops of an LSP as links, once if both states have the same.
 * @param {Page} page @param {(side: Side) => Row | undefined} row
 */
function paths(page, row) {
  const { sides } = page.data;
  const same = sides.every((side) => row(side)?.path === row(sides[0])?.path);
  return (same ? sides.slice(-1) : sides).map((side) => {
    const hops = arcsOf(row(side)?.path ?? null).map((arc) =>
      h(
        "li",
        {},
        link("circuit", arc),
        " ",
        h("span", { class: "dim" }, "to"),
        " ",
        link("router", side.by("circuits", "arc", arc)[0].to),
      ),
    );
    const title = same ? (sides.length > 1 ? "path, the same before and after" : "path") : `path, ${side.label}`;
    return h(
      "div",
      {},
      h("h3", {}, title),
      hops.length ? h("ol", { class: "hops" }, ...hops) : h("p", { class: "dim" }, "none"),
    );
  });
}

/** @param {Page} page @param {string} name */
function lsp(page, name) {
  const row = (/** @type {Side} */ side) => side.lsp(name);
  const found = page.data.sides.map(row).find((lsp) => lsp);
  if (!found) return [];
  const other = (/** @type {Row} */ line) => (line.lsp === name ? line.by : line.lsp);
  return [
    facts(page.data, "LSP", [
      ["head", () => link("router", found.head)],
      ["tail", () => link("router", found.tail)],
      ["class", () => String(found.class)],
      ["setup/hold", () => priority(found)],
      ["state", (side) => String(row(side)?.state ?? "not there")],
      ["wants", (side) => figure(row(side), "wanted", "bit/s")],
      ["reserves", (side) => figure(row(side), "reserved", "bit/s")],
      ["carries", (side) => ({ cell: side.carried(name), unit: "bit/s" })],
      ["cost", (side) => figure(row(side), "cost")],
      ["shortest", (side) => figure(row(side), "shortest")],
      ["latency", (side) => figure(row(side), "latency", "us")],
      ["reason", (side) => String(row(side)?.reason ?? "–")],
    ]),
    ...paths(page, row),
    demands(page, "demands in it", (side) => side.demandsIn(name)),
    list(
      { ...page.data, sides: [page.data.last] },
      "displacement log",
      (side) => side.log(name),
      (line) => String(line.seq),
      [
        { title: "event", value: (line) => String(line.event) },
        { title: "what", value: (line) => (line.lsp === name ? String(line.action) : "displaces") },
        { title: "LSP", value: (line) => (other(line) ? link("lsp", other(line)) : "") },
        { title: "on", value: (line) => (line.circuit ? link("circuit", line.circuit) : "") },
        { title: "size", number: true, value: (line) => figure(line, "bandwidth", "bit/s") },
      ],
    ),
  ];
}

/** @param {Page} page @param {string} name */
function router(page, name) {
  const row = (/** @type {Side} */ side) => side.by("routers", "router", name)[0];
  const found = page.data.sides.map(row).find((router) => router);
  if (!found) return [];
  const held = (/** @type {Side} */ side) => side.by("held", "router", name)[0];
  return [
    facts(page.data, "router", [
      ["site", () => link("site", found.site)],
      ["region", () => String(found.region)],
      ["role", () => String(found.role)],
      ["loopback", () => String(found.loopback)],
      ["state", (side) => (row(side)?.up ? (row(side)?.overload ? "overload bit set" : "up") : "down")],
      ["IPv4 prefixes held", (side) => figure(held(side), "held_v4")],
      ["… used", (side) => figure(held(side), "used_v4")],
      ["IPv6 prefixes held", (side) => figure(held(side), "held_v6")],
      ["… used", (side) => figure(held(side), "used_v6")],
    ]),
    list(
      page.data,
      "arcs that leave it",
      (side) => side.by("circuits", "from", name),
      (arc) => String(arc.arc),
      [
        { title: "circuit", value: (arc) => link("circuit", arc.arc) },
        { title: "to", value: (arc) => link("router", arc.to) },
        { title: "load", number: true, value: (arc) => figure(arc, "load", "bit/s") },
        { title: "util", number: true, value: (arc) => figure(arc, "utilisation", "ppm") },
      ],
    ),
    ports(page, (side) => side.by("ports", "router", name)),
    list(
      page.data,
      "routes and exits",
      (side) => side.by("routes", "router", name),
      (route) => `${route.group} ${route.family} ${route.exit} ${route.port}`,
      [
        { title: "group", value: (route) => `${route.group} ${route.family}` },
        { title: "exit", value: (route) => link("router", route.exit) },
        { title: "port", value: (route) => (route.port ? link("port", route.port) : "") },
        { title: "kind", value: (route) => String(route.kind ?? "") },
        { title: "learned", value: (route) => String(route.learned ?? "") },
      ],
      { text: "open in the table", onclick: () => page.open("routes", { router: name }) },
    ),
    list(page.data, "LSPs headed here", (side) => switched(page, side.by("lsps", "head", name)), lspName, LSP, {
      text: "open in the table",
      onclick: () => page.open("lsps", { head: name }),
    }),
  ];
}

/** @param {Page} page @param {(side: Side) => Row[]} of */
const ports = (page, of) =>
  list(page.data, "peer ports", of, (port) => String(port.port), [
    { title: "port", value: (port) => link("port", port.port) },
    { title: "in", number: true, value: (port) => figure(port, "in", "bit/s") },
    { title: "out", number: true, value: (port) => figure(port, "out", "bit/s") },
    { title: "commit", number: true, value: (port) => figure(port, "commit", "bit/s") },
  ]);

/** @param {Page} page @param {string} name */
function demand(page, name) {
  const found = page.data.sides.map((side) => side.by("demands", "demand", name)).find((rows) => rows.length);
  if (!found) return [];
  const families = found.map((row) => String(row.family));
  return families.flatMap((family) => {
    const row = (/** @type {Side} */ side) => side.by("demands", "demand", name).find((r) => r.family === family);
    return [
      h("h3", {}, family),
      facts(page.data, `${found[0].class}, from ${found[0].from} to ${found[0].to}`, [
        ["rate", (side) => figure(row(side), "rate", "bit/s")],
        ["delivered", (side) => figure(row(side), "delivered", "bit/s")],
        ["lost", (side) => figure(row(side), "lost", "bit/s")],
        ["reason", (side) => [row(side)?.reason, row(side)?.where].filter(Boolean).join(" at ") || "–"],
        ["latency, longest", (side) => figure(row(side), "latency_max", "us")],
        ["latency, mean", (side) => figure(row(side), "latency_mean", "us")],
        ["in LSPs", (side) => figure(row(side), "on_lsp", "bit/s")],
        ["off its shortest path", (side) => figure(row(side), "off_shortest", "bit/s")],
        ["beside its LSPs", (side) => figure(row(side), "off_lsp", "bit/s")],
        ["exits", (side) => String(row(side)?.exits ?? "–")],
      ]),
      ...page.data.sides.map((side) =>
        ways(side, row(side)?.path ?? null, page.data.sides.length > 1 ? side.label : ""),
      ),
    ];
  });
}

/**
 * The main ways, with LSPs, routers and ports as links.
 * @param {Side} side @param {import("./units.js").Cell} path @param {string} label
 */
function ways(side, path, label) {
  const found = String(path ?? "")
    .split("; ")
    .filter(Boolean)
    .map((way) => {
      let at = "";
      const parts = way.split(" ").map((word) => {
        if (word === "+") return h("abbr", { title: "part of it goes another way from here" }, "+");
        if (word === "->" || word === ":") return word === "->" ? "→" : ":";
        if (word.startsWith("=")) return link("lsp", `${at}/${word.slice(1, -2)}`, `⇒ ${word.slice(1, -2)} ⇒`);
        at = word;
        return link(word.includes("@") ? "port" : "router", word);
      });
      return h("li", {}, ...parts.flatMap((part) => [part, " "]));
    });
  return h("div", {}, h("h4", {}, `main ways${label ? `, ${label}` : ""}`), h("ul", { class: "ways" }, ...found));
}

/** @param {Page} page @param {string} name */
function site(page, name) {
  const found = page.data.sides.map((side) => side.by("sites", "site", name)[0]).find((row) => row);
  if (!found) return [];
  const mine = (/** @type {Side} */ side) => new Set(side.by("routers", "site", name).map((r) => r.router));
  return [
    facts(page.data, "site", [
      ["region", () => String(found.region)],
      [
        "place",
        () =>
          found.lat === null
            ? "no coordinates in the file"
            : `${show(found.lat, "udeg")}, ${show(found.lon, "udeg")}${found.guessed ? " (made up)" : ""}`,
      ],
    ]),
    list(
      page.data,
      "routers",
      (side) => side.by("routers", "site", name),
      (r) => String(r.router),
      [
        { title: "router", value: (r) => link("router", r.router) },
        { title: "role", value: (r) => String(r.role) },
        { title: "state", value: (r) => (r.up ? (r.overload ? "overload" : "up") : "down") },
      ],
    ),
    list(
      page.data,
      "circuits to other sites",
      (side) => {
        const own = mine(side);
        return side.rows("circuit_ends").filter((c) => own.has(c.a) !== own.has(c.b));
      },
      (c) => String(c.circuit),
      [
        { title: "circuit", value: (c) => link("circuit", c.circuit) },
        { title: "capacity", number: true, value: (c) => showRate(Number(c.capacity)) },
        { title: "state", value: (c) => (c.up ? "up" : "down") },
      ],
    ),
    ports(page, (side) => {
      const own = mine(side);
      return side.rows("ports").filter((p) => own.has(p.router));
    }),
  ];
}

/** @param {Page} page @param {string} name */
function port(page, name) {
  const row = (/** @type {Side} */ side) => side.by("ports", "port", name)[0];
  const found = page.data.sides.map(row).find((p) => p);
  if (!found) return [];
  const per = (/** @type {string} */ way) =>
    page.data.last.classes.map(
      (cls) =>
        /** @type {[string, any]} */ ([
          `… ${cls}`,
          (/** @type {Side} */ side) => figure(row(side), `${way}.${cls}`, "bit/s"),
        ]),
    );
  return [
    facts(page.data, "peer port", [
      ["peer", () => String(found.peer)],
      ["router", () => link("router", found.router)],
      ["capacity", (side) => figure(row(side), "capacity", "bit/s")],
      ["commit", (side) => figure(row(side), "commit", "bit/s")],
      ["utilisation", (side) => figure(row(side), "utilisation", "ppm")],
      ["in", (side) => figure(row(side), "in", "bit/s")],
      ...per("in"),
      ["out", (side) => figure(row(side), "out", "bit/s")],
      ...per("out"),
    ]),
  ];
}

/** @type {Record<string, (page: Page, name: string) => HTMLElement[]>} */
export const VIEWS = { circuit, lsp, router, demand, site, port };
