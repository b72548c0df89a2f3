/** One state on a map: drawn once, then moved, coloured and marked in place, so that focus stays where it is. */

import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import { arrow, curve, half, halves, lanes, path } from "./curves.js";
import { s } from "./dom.js";
import { fan, spread } from "./geo.js";
import { showFitting } from "./labels.js";
import { fill, step, width, words } from "./load.js";
import { marked } from "./marked.js";
import { drawnCircuit, drawnSite } from "./pieces.js";
import { showShare } from "./units.js";

/**
 * @typedef {import("./data.js").Side} Side
 * @typedef {import("./data.js").Row} Row
 * @typedef {import("./store.js").Store} Store
 * @typedef {import("./curves.js").Curve} Curve
 * @typedef {import("./geo.js").Point} Point
 * @typedef {import("./pieces.js").DrawnCircuit} Drawn
 * @typedef {import("./pieces.js").DrawnSite} DrawnSite
 */

const FURTHEST = 200;
const APART = 32; // pixels between sites, at least, where there is room for all of them

export class MapView {
  /** @param {HTMLElement} box @param {Side} side @param {import("./geo.js").Layout} layout @param {Store} store */
  constructor(box, side, layout, store) {
    this.box = box;
    this.side = side;
    this.layout = layout;
    this.store = store;
    this.land = s("path", { class: "land" });
    this.borders = s("path", { class: "borders" });
    this.ground = s("g", { "aria-hidden": "true" }, this.land, this.borders);
    this.marks = s("g", { class: "marks", "aria-hidden": "true" });
    this.arrows = s("g", { class: "arrows", "aria-hidden": "true" });
    this.labels = s("g", { class: "labels", "aria-hidden": "true" });
    this.most = Math.max(...side.rows("circuit_ends").map((row) => Number(row.capacity)), 1);
    this.circuits = this.hottestFirst().map((row) => drawnCircuit(row, store));
    this.sites = layout.sites.map((site) => drawnSite(site, side.by("routers", "site", String(site.site)), store));
    for (const site of this.sites) this.labels.append(site.label, ...site.routers.map((router) => router.label));
    this.labels.append(...this.circuits.map((circuit) => circuit.label));
    this.world = s(
      "g",
      {},
      this.marks,
      s("g", {}, ...this.circuits.map((c) => c.group)),
      this.arrows,
      s("g", {}, ...this.sites.map((site) => site.group)),
      this.labels,
    );
    this.svg = s(
      "svg",
      {
        class: "map",
        tabindex: 0,
        role: "group",
        onkeydown: (/** @type {KeyboardEvent} */ e) => this.key(e),
      },
      this.ground,
      this.world,
    );
    this.box.append(this.svg);
    this.name();
    this.zoom = zoom()
      .scaleExtent([0.5, FURTHEST])
      .filter((event) => this.wants(event))
      .on("zoom", (event) => event.sourceEvent && this.moved(event.transform, false))
      .on("end", (event) => event.sourceEvent && this.moved(event.transform, true));
    select(/** @type {Element} */ (this.svg))
      .call(/** @type {any} */ (this.zoom))
      .on("dblclick.zoom", null);
    this.scaled = 0;
    /** @type {{w: number, h: number} | undefined} */
    this.size = undefined;
    /** Where each `router NAME` and `site NAME` is drawn. @type {Map<string, Point>} */
    this.at = new Map();
    /** What each router is drawn as: itself, or its site. @type {Map<string, string>} */
    this.point = new Map();
    new ResizeObserver(() => this.resize()).observe(this.box);
  }

  name() {
    const text = `map, ${this.side.label}. Arrow keys move it, plus and minus zoom, 0 shows all.`;
    this.svg.setAttribute("aria-label", text);
  }

  /**
   * Scrolling belongs to the page until the map has been touched; two fingers, or Ctrl, always zoom.
   * @param {any} event
   */
  wants(event) {
    const mine = this.box.contains(document.activeElement);
    if (event.type === "wheel") return event.ctrlKey || event.metaKey || mine;
    if (event.type.startsWith("touch")) return event.touches.length > 1 || mine;
    return !event.button;
  }

  /** So that Tab meets what matters first. @returns {Row[]} */
  hottestFirst() {
    const heat = (/** @type {Row} */ row) => Math.max(...this.fills(row).map((ppm) => ppm ?? -1));
    const rows = this.side.rows("circuit_ends").map((row) => ({ row, heat: heat(row) }));
    return rows.sort((a, b) => b.heat - a.heat).map(({ row }) => row);
  }

  /** @param {Row} row @returns {(number | null)[]} */
  fills(row) {
    return [row.a, row.b].map((from) => fill(this.side, this.store, `${row.circuit}@${from}`));
  }

  resize() {
    const { width: w, height: hgt } = this.box.getBoundingClientRect();
    if (!w || !hgt || (this.size?.w === w && this.size.h === hgt)) return;
    this.size = { w, h: hgt };
    this.svg.setAttribute("viewBox", `0 0 ${w} ${hgt}`);
    const placed = this.layout.place(w, hgt);
    this.base = placed.at;
    this.land.setAttribute("d", placed.land);
    this.borders.setAttribute("d", placed.borders);
    this.scaled = 0;
    this.zoom.translateExtent([
      [-w / 2, -hgt / 2],
      [w * 1.5, hgt * 1.5],
    ]); // nobody loses the network
    this.draw();
  }

  /**
   * Places the sites for a zoom: where geography has them, those too close to be told apart drawn apart.
   * @param {number} k
   */
  arrange(k) {
    if (!this.base || !this.size || this.scaled === k) return;
    this.scaled = k;
    this.spots = new Map([...this.base].map(([name, p]) => [name, { x: p.x * k, y: p.y * k }]));
    const points = [...this.spots.values()];
    this.open = Math.sqrt((this.size.w * this.size.h) / points.length); // pixels that a site has to itself, unzoomed
    spread(points, Math.min(APART, this.open / 2));
    const most = Math.min(this.size.w, this.size.h) / 2;
    const nearest = (/** @type {Point} */ p) =>
      points.reduce((least, q) => (q === p ? least : Math.min(least, Math.hypot(p.x - q.x, p.y - q.y))), most);
    this.room = new Map([...this.spots].map(([name, p]) => [name, nearest(p)]));
  }

  /** @param {{k: number, x: number, y: number}} transform @param {boolean} settled */
  moved(transform, settled) {
    const { w, h: hgt } = this.size ?? { w: 1, h: 1 };
    this.store.move({ k: transform.k, x: transform.x / w, y: transform.y / hgt }, settled);
  }

  /** Where the view has the origin, in pixels, told also to what d3-zoom keeps on the element. @returns {Point} */
  shift() {
    const { k, x, y } = this.store.view;
    const shift = { x: x * (this.size?.w ?? 0), y: y * (this.size?.h ?? 0) };
    /** @type {any} */ (this.svg).__zoom = zoomIdentity.translate(shift.x, shift.y).scale(k);
    this.ground.setAttribute("transform", `translate(${shift.x} ${shift.y}) scale(${k})`);
    return shift;
  }

  /** Follows the view while it moves: what was drawn at this zoom is only shifted. */
  follow() {
    if (!this.drawn || this.scaled !== this.store.view.k) {
      this.draw();
      return;
    }
    const now = this.shift();
    this.world.setAttribute("transform", `translate(${now.x - this.drawn.x} ${now.y - this.drawn.y})`);
  }

  /** Draws everything where the view has it, in the colours of the switches, with the selection marked. */
  draw() {
    if (!this.size || !this.base) return;
    this.arrange(this.store.view.k);
    const shift = this.shift();
    this.drawn = shift;
    this.world.setAttribute("transform", "translate(0 0)");
    /** @type {Map<string, Point>} */
    const at = new Map();
    /** @type {Map<string, string>} */
    const point = new Map();
    for (const site of this.sites) this.drawSite(site, shift, at, point);
    this.at = at;
    this.point = point;
    this.drawCircuits(at, point);
    this.mark(at);
    this.fitLabels();
  }

  /** @param {DrawnSite} site @param {Point} shift @param {Map<string, Point>} at @param {Map<string, string>} point */
  drawSite(site, shift, at, point) {
    const spot = /** @type {Point} */ (this.spots?.get(site.name));
    const centre = { x: spot.x + shift.x, y: spot.y + shift.y };
    const fanned = fan(
      site.routers.map((r) => r.router),
      centre,
      this.room?.get(site.name) ?? 0,
    );
    site.disc.setAttribute("transform", `translate(${centre.x} ${centre.y})`);
    const disc = Math.min(7, Math.max(3, ((this.open ?? 60) * this.store.view.k) / 8));
    site.ring.setAttribute("r", String(fanned.fanned ? fanned.radius + 12 : disc));
    site.disc.classList.toggle("fanned", fanned.fanned);
    site.where = { x: centre.x, y: centre.y + (fanned.fanned ? fanned.radius + 22 : 17) };
    at.set(`site ${site.name}`, centre);
    for (const r of site.routers) {
      const name = String(r.router.router);
      const p = /** @type {Point} */ (fanned.at.get(name));
      at.set(`router ${name}`, p);
      point.set(name, fanned.fanned || site.routers.length === 1 ? `router ${name}` : `site ${site.name}`);
      r.group.setAttribute("transform", `translate(${p.x} ${p.y})`);
      r.group.classList.toggle("hidden", !fanned.fanned);
      r.where = fanned.radius > 38 ? { x: p.x, y: p.y - 11 } : null;
    }
  }

  /** @param {Map<string, Point>} at @param {Map<string, string>} point */
  drawCircuits(at, point) {
    const ends = (/** @type {Drawn} */ c) => ({
      key: c.name,
      a: point.get(String(c.row.a)) ?? "",
      b: point.get(String(c.row.b)) ?? "",
    });
    const lane = lanes(this.circuits.map(ends));
    for (const c of this.circuits) {
      const { a, b } = ends(c);
      const [from, to] = [at.get(a), at.get(b)];
      c.curve = from && to && a !== b ? curve(from, to, lane.get(c.name) ?? 0) : undefined;
      c.group.classList.toggle("hidden", !c.curve);
      if (c.curve) this.paint(c, c.curve);
    }
  }

  /** @param {Drawn} c @param {Curve} shape */
  paint(c, shape) {
    c.hit.setAttribute("d", path(shape));
    const filled = this.fills(c.row);
    const both = this.store.direction === "both" && c.row.up;
    const wide = `${this.width(c.row)}px`;
    const busier = filled.reduce((most, ppm) => (ppm !== null && (most === null || ppm > most) ? ppm : most), null);
    const parts = both ? halves(shape) : [shape];
    c.lines.forEach((line, i) => {
      line.setAttribute("d", i < parts.length ? path(parts[i]) : "");
      line.style.strokeWidth = wide;
      const now = step(both ? filled[i] : busier);
      line.setAttribute("class", `line ${c.row.up && now !== null ? `u${now}` : "down"}`);
    });
    const text = words(this.side, this.store, c.row);
    if (c.group.getAttribute("aria-label") !== text) {
      c.group.setAttribute("aria-label", text);
      /** @type {Element} */ (c.group.firstChild).textContent = text;
    }
    c.label.textContent = !c.row.up ? "down" : busier ? showShare(busier) : "";
  }

  /** Pixels; thinner where circuits crowd. @param {Row} row */
  width(row) {
    return width(row, this.most) * Math.min(1, Math.max(0.35, ((this.open ?? 60) * this.store.view.k) / 60));
  }

  /** Shows where the selection is. @param {Map<string, Point>} at */
  mark(at) {
    const { arcs, nodes } = marked(this.side, this.store.selection);
    this.svg.classList.toggle("choosing", arcs.size > 0);
    this.marks.replaceChildren();
    this.arrows.replaceChildren();
    for (const c of this.circuits) {
      const ways = [c.row.a, c.row.b].map((from) => arcs.has(`${c.row.circuit}@${from}`));
      c.group.classList.toggle("marked", ways[0] || ways[1]);
      if (!c.curve || !(ways[0] || ways[1])) continue;
      this.marks.append(s("path", { d: path(c.curve), "stroke-width": this.width(c.row) + 5 }));
      if (ways[0] === ways[1]) continue;
      const along = ways[0] ? c.curve : { ...c.curve, from: c.curve.to, to: c.curve.from };
      this.arrows.append(s("path", { d: "M-5-5L7 0L-5 5z", transform: arrow(along, 1) }));
    }
    for (const node of nodes) {
      const p = at.get(node);
      const ring = this.sites.find((site) => node === `site ${site.name}`)?.ring;
      if (p)
        this.marks.append(s("circle", { cx: p.x, cy: p.y, r: Math.max(13, Number(ring?.getAttribute("r") ?? 0)) }));
    }
  }

  /** Shows the labels that have room: sites, those of more routers first, then loads, hottest first, then routers. */
  fitLabels() {
    const { w, h: hgt } = this.size ?? { w: 0, h: 0 };
    const larger = [...this.sites].sort((a, b) => b.routers.length - a.routers.length);
    const wanted = larger.map((site) => ({ label: site.label, where: site.where, size: 12 }));
    for (const c of this.circuits) {
      const long = c.curve && Math.hypot(c.curve.to.x - c.curve.from.x, c.curve.to.y - c.curve.from.y) > 64;
      const aside = c.curve && this.arrows.childElementCount && c.group.classList.contains("marked") ? -13 : 0;
      const p = c.curve && long ? half(c.curve) : null;
      wanted.push({ label: c.label, where: p && { x: p.x, y: p.y + aside }, size: 11 });
    }
    for (const site of this.sites)
      for (const r of site.routers) wanted.push({ label: r.label, where: r.where, size: 10 });
    showFitting(wanted, w, hgt);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.target !== this.svg || event.ctrlKey || event.metaKey || event.altKey) return;
    const { k, x, y } = this.store.view;
    const pan = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
    if (pan) this.store.move({ k, x: x + pan[0], y: y + pan[1] }, true);
    else if (event.key === "+" || event.key === "=") this.scale(1.5);
    else if (event.key === "-") this.scale(1 / 1.5);
    else if (event.key === "0") this.store.move({ k: 1, x: 0, y: 0 }, true);
    else return;
    event.preventDefault();
  }

  /** Zooms about the centre. @param {number} factor */
  scale(factor) {
    const { k, x, y } = this.store.view;
    const now = Math.min(FURTHEST, Math.max(0.5, k * factor));
    const shift = (/** @type {number} */ part) => 0.5 - ((0.5 - part) * now) / k;
    this.store.move({ k: now, x: shift(x), y: shift(y) }, true);
  }

  /** Brings the sites of the selection into view. */
  show() {
    const { arcs, nodes } = marked(this.side, this.store.selection);
    const routers = new Map(this.side.rows("routers").map((r) => [String(r.router), String(r.site)]));
    const names = new Set(
      [...nodes].map((node) => {
        const [kind, name] = node.split(" ");
        return kind === "site" ? name : routers.get(name);
      }),
    );
    for (const row of this.side.rows("circuit_ends"))
      for (const from of [row.a, row.b])
        if (arcs.has(`${row.circuit}@${from}`)) [row.a, row.b].forEach((end) => names.add(routers.get(String(end))));
    const points = [...names].map((name) => this.base?.get(name ?? "")).filter((p) => p !== undefined);
    if (!points.length || !this.size || !this.base) return;
    const { w, h: hgt } = this.size;
    const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
    const [l, r, t, b] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const others = [...this.base]
      .filter(([name]) => !names.has(name))
      .map(([, p]) => Math.hypot(p.x - (l + r) / 2, p.y - (t + b) / 2));
    const close = Math.max(1, 180 / Math.min(180, ...others)); // one site: so near that its routers stand apart
    const k = Math.max(0.5, Math.min(FURTHEST, close, (w * 0.6) / (r - l || 1), (hgt * 0.6) / (b - t || 1)));
    this.store.move({ k, x: 0.5 - (((l + r) / 2) * k) / w, y: 0.5 - (((t + b) / 2) * k) / hgt }, true);
  }
}
