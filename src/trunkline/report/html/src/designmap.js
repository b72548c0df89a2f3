/** The network under one design: routers by a figure, a router's iBGP sessions, what leaves by each peer port. */

import { curve, path } from "./curves.js";
import { s } from "./dom.js";
import { MapView } from "./map.js";
import { say, target } from "./pieces.js";
import { showShare } from "./units.js";

/**
 * @typedef {import("./designs.js").Design} Design
 * @typedef {import("./figures.js").Scale} Scale
 * @typedef {import("./pieces.js").DrawnSite} DrawnSite
 * @typedef {import("./data.js").Row} Row
 */

/** What the maps show beside circuits. @typedef {{scale: Scale | null, family: string}} Look */

const SVG_LEVEL = /\bv\d\b/g;

export class DesignMap extends MapView {
  /**
   * @param {HTMLElement} box @param {Design} design @param {import("./geo.js").Layout} layout
   * @param {import("./store.js").Store} store @param {() => Look} look without a scale, ports are shown
   */
  constructor(box, design, layout, store, look) {
    super(box, design, layout, store);
    this.design = design;
    this.look = look;
    this.sessions = s("g", { class: "sessions", "aria-hidden": "true" });
    this.ports = s("g", { class: "ports" });
    this.world.insertBefore(this.sessions, this.arrows);
    this.world.insertBefore(this.ports, this.labels);
  }

  /** Shows another design. @param {Design} design */
  see(design) {
    this.design = design;
    this.side = design;
    this.name();
    this.draw();
  }

  draw() {
    super.draw();
    if (!this.size || !this.look) return; // the constructor of MapView may draw before there is a look
    for (const site of this.sites) this.colour(site);
    this.drawSessions();
    this.drawPorts();
  }

  /** Colours and sizes routers by their figure; a site drawn as one takes the largest of its routers. @param {DrawnSite} site */
  colour(site) {
    const { scale } = this.look();
    const fanned = site.disc.classList.contains("fanned");
    const shown = site.routers.map((r) => ({ r, value: scale?.value(this.design, String(r.router.router)) ?? null }));
    for (const { r, value } of shown) {
      const drawn = /** @type {Element} */ (r.group.lastChild);
      drawn.setAttribute("class", value === null || !scale ? "" : `v${scale.level(value)}`);
      drawn.setAttribute("transform", value === null || !scale ? "" : `scale(${scale.size(value).toFixed(2)})`);
      const said = scale ? `, ${scale.words(value)}` : "";
      say(r.group, `router ${r.router.router}, ${r.router.role}${said}`);
    }
    const values = shown.flatMap(({ value }) => (value === null ? [] : [value]));
    const most = !fanned && scale && values.length ? Math.max(...values) : null;
    site.ring.setAttribute("class", (site.ring.getAttribute("class") ?? "").replace(SVG_LEVEL, "").trim());
    if (most !== null && scale) {
      site.ring.classList.add(`v${scale.level(most)}`);
      site.ring.setAttribute("r", (Number(site.ring.getAttribute("r")) * scale.size(most)).toFixed(2));
    }
    const count = site.routers.length === 1 ? "1 router" : `${site.routers.length} routers`;
    say(site.disc, `site ${site.name}, ${count}${most !== null && scale ? `, at most ${scale.words(most)}` : ""}`);
  }

  /** The sessions of the router that is chosen, a line per relation to each place. */
  drawSessions() {
    this.sessions.replaceChildren();
    const { kind, name: router } = this.store.selection ?? { kind: "", name: "" };
    const from = this.at.get(this.point.get(router) ?? "");
    const meeting = kind === "router" && from !== undefined;
    this.svg.classList.toggle("meeting", meeting);
    if (!meeting) return;
    for (const [relation, others] of Object.entries(this.design.neighbours(router))) {
      const ends = new Set(others.map((other) => this.point.get(other) ?? ""));
      for (const end of ends) {
        const to = this.at.get(end);
        if (!to || (to.x === from.x && to.y === from.y)) continue;
        this.sessions.append(s("path", { class: `session ${relation}`, d: path(curve(from, to, 0.5)) }));
      }
    }
  }

  /** Peer ports around where their router is drawn, as large as their share of prefixes. */
  drawPorts() {
    const { scale, family } = this.look();
    this.ports.replaceChildren();
    if (scale) return;
    const rows = this.design.rows("exits").filter((row) => row.port !== null && row.family === family);
    const most = rows.reduce((largest, row) => Math.max(largest, Number(row.share)), 1);
    /** @type {Map<string, Row[]>} */
    const anchored = new Map();
    for (const row of rows) {
      const point = this.point.get(String(row.router)) ?? "";
      anchored.set(point, [...(anchored.get(point) ?? []), row]);
    }
    for (const [point, mine] of anchored) this.ports.append(...this.around(point, mine, most));
  }

  /** @param {string} point @param {Row[]} rows @param {number} most @returns {SVGElement[]} */
  around(point, rows, most) {
    const centre = this.at.get(point);
    if (!centre) return [];
    const reach = Math.max(16, (rows.length * 13) / (2 * Math.PI));
    return rows.map((row, i) => {
      const angle = (2 * Math.PI * i) / rows.length - Math.PI / 2;
      const [x, y] = [centre.x + reach * Math.cos(angle), centre.y + reach * Math.sin(angle)];
      const text = `peer port ${row.port}, ${showShare(Number(row.share))} of prefixes`;
      const dot = s("circle", { r: (2 + 8 * Math.sqrt(Number(row.share) / most)).toFixed(2) });
      const attributes = { class: "port", transform: `translate(${x} ${y})`, "aria-label": text };
      return s("g", { ...attributes, ...target(this.store, "port", String(row.port)) }, s("title", {}, text), dot);
    });
  }
}
