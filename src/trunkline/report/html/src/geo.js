/** Where things stand on the map before it is zoomed: sites, coastlines, and routers around their site. */

import { geoMercator, geoPath } from "d3-geo";
import { feature, mesh } from "topojson-client";

/**
 * @typedef {import("./data.js").Side} Side
 * @typedef {import("./data.js").Row} Row
 * @typedef {{x: number, y: number}} Point
 */

const ROUTER = 24; // pixels between neighbours of a fan
const TILT = 1.2; // radians: routers stand off the level and the upright, where circuits tend to run
const LEAST_FAN = 20; // below this radius a site is drawn as one

/**
 * Sites that hold routers, over all sides, by name.
 * @param {Side[]} sides @returns {Row[]}
 */
export function sitesOf(sides) {
  /** @type {Map<string, Row>} */
  const found = new Map();
  for (const side of sides) {
    const used = new Set(side.rows("routers").map((router) => router.site));
    for (const site of side.rows("sites")) if (used.has(site.site)) found.set(String(site.site), site);
  }
  return [...found.values()];
}

/**
 * The meridian opposite to which the map is cut: in the gap that fewest circuits cross, the widest of those.
 * @param {Row[]} sites @param {[Row, Row][]} joined @returns {number}
 */
function middle(sites, joined) {
  const east = (/** @type {Row} */ site) => (Number(site.lon) / 1e6 + 360) % 360;
  const sorted = sites.map(east).sort((a, b) => a - b);
  let best = { crossed: Infinity, width: 0, cut: 180 };
  sorted.forEach((from, i) => {
    const width = (sorted[(i + 1) % sorted.length] - from + 360) % 360 || 360;
    const cut = (from + width / 2) % 360;
    const crossed = joined.filter(([a, b]) => crosses(east(a), east(b), cut)).length;
    if (crossed < best.crossed || (crossed === best.crossed && width > best.width)) best = { crossed, width, cut };
  });
  return best.cut - 180;
}

/**
 * Whether the shorter way round from a to b passes a meridian.
 * @param {number} a @param {number} b @param {number} cut
 */
function crosses(a, b, cut) {
  const [low, high] = a < b ? [a, b] : [b, a];
  return high - low <= 180 ? low < cut && cut < high : cut < low || cut > high;
}

/** A layout: positions in pixels of an unzoomed map of a size, and the coastline where there is geography. */
export class Layout {
  /** @param {Side[]} sides @param {any} coast */
  constructor(sides, coast) {
    this.sites = sitesOf(sides);
    this.schematic = this.sites.every((site) => site.lat === null);
    this.guessed = this.sites.filter((site) => site.guessed).map((site) => String(site.site));
    this.coast = coast;
    const home = new Map(sides.flatMap((side) => side.rows("routers").map((r) => [String(r.router), String(r.site)])));
    const at = new Map(this.sites.map((site) => [String(site.site), site]));
    /** @type {[Row, Row][]} */
    this.joined = [];
    for (const row of sides[0].rows("circuit_ends")) {
      const ends = [row.a, row.b].map((end) => at.get(home.get(String(end)) ?? ""));
      if (ends[0] && ends[1] && ends[0] !== ends[1]) this.joined.push([ends[0], ends[1]]);
    }
    this.centre = this.schematic ? 0 : middle(this.sites, this.joined);
  }

  /** Width over height of a map that this network fills, within reason. */
  get aspect() {
    const points = [...this.place(1000, 1000).at.values()];
    const span = (/** @type {"x" | "y"} */ axis) =>
      Math.max(...points.map((p) => p[axis])) - Math.min(...points.map((p) => p[axis])) + 220;
    return Math.min(2.2, Math.max(1, span("x") / span("y")));
  }

  /**
   * @param {number} width @param {number} height pixels
   * @returns {{at: Map<string, Point>, land: string, borders: string}}
   */
  place(width, height) {
    const free = this.sites.length > 8 ? 0.11 : 0.24; // few sites stand open
    const margin = Math.max(34, Math.min(width, height) * free);
    /** @type {Map<string, Point>} */
    const at = new Map();
    if (this.schematic) {
      const box = (/** @type {"x" | "y"} */ axis) => {
        const all = this.sites.map((site) => Number(site[axis]));
        return { low: Math.min(...all), span: Math.max(...all) - Math.min(...all) };
      };
      const [x, y] = [box("x"), box("y")];
      const scale = Math.min((width - 2 * margin) / (x.span || 1), (height - 2 * margin) / (y.span || 1));
      for (const site of this.sites) {
        at.set(String(site.site), {
          x: width / 2 + (Number(site.x) - x.low - x.span / 2) * scale,
          y: height / 2 + (Number(site.y) - y.low - y.span / 2) * scale,
        });
      }
      return { at, land: "", borders: "" };
    }
    const points = this.sites.map(
      (site) => /** @type {[number, number]} */ ([Number(site.lon) / 1e6, Number(site.lat) / 1e6]),
    );
    const projection = geoMercator().rotate([-this.centre, 0]);
    projection.fitExtent(
      [
        [margin, margin],
        [width - margin, height - margin],
      ],
      { type: "MultiPoint", coordinates: points },
    );
    projection.scale(Math.min(projection.scale(), width * 2)); // a single city is not a map of its street
    const [first] = points;
    if (points.length === 1)
      projection
        .center(first)
        .translate([width / 2, height / 2])
        .rotate([0, 0]);
    this.sites.forEach((site, i) => {
      const [x, y] = projection(points[i]) ?? [0, 0];
      at.set(String(site.site), { x, y });
    });
    const path = geoPath(
      projection.clipExtent([
        [-width * 2, -height * 2],
        [width * 3, height * 3],
      ]),
    ).digits(1);
    const { countries } = this.coast.objects;
    return {
      at,
      land: path(feature(this.coast, this.coast.objects.land)) ?? "",
      borders: path(mesh(this.coast, countries, (a, b) => a !== b)) ?? "",
    };
  }
}

/**
 * Pushes apart points that would cover each other; the others stay.  In place.
 * @param {Point[]} points @param {number} least pixels
 */
export function spread(points, least) {
  const rounds = Math.min(40, Math.ceil(1e6 / points.length ** 2)); // a frame is short: many sites get fewer
  for (let round = 0; round < rounds; round++) {
    let still = true;
    for (let i = 0; i < points.length; i++) {
      for (let j = i + 1; j < points.length; j++) {
        const [p, q] = [points[i], points[j]];
        const [dx, dy] = [q.x - p.x || 0.01 * (j - i), q.y - p.y];
        const apart = Math.hypot(dx, dy);
        if (apart >= least) continue;
        still = false;
        const push = (least - apart) / 2 / apart;
        p.x -= dx * push;
        p.y -= dy * push;
        q.x += dx * push;
        q.y += dy * push;
      }
    }
    if (still) return;
  }
}

/** How far apart routers stand from the centre of their site, were there room. @param {number} routers */
const wish = (routers) => Math.max(64, (ROUTER * routers) / (2 * Math.PI) + 14);

/**
 * Routers on two rings around their site, backbone inside; a site without room, or of one router, is one point.
 * @param {Row[]} routers of one site @param {Point} centre @param {number} room pixels to the nearest other site
 * @returns {{fanned: boolean, radius: number, at: Map<string, Point>}}
 */
export function fan(routers, centre, room) {
  const radius = Math.min(wish(routers.length), room * 0.36);
  const fanned = routers.length > 1 && radius >= LEAST_FAN;
  /** @type {Map<string, Point>} */
  const at = new Map();
  const inner = routers.filter((router) => router.role === "bb");
  const outer = routers.filter((router) => router.role !== "bb");
  const rings =
    outer.length && inner.length
      ? [
          { ring: inner, r: radius * 0.42 },
          { ring: outer, r: radius },
        ]
      : [{ ring: routers, r: radius }];
  for (const { ring, r } of rings) {
    ring.forEach((router, i) => {
      const angle =
        ring.length === 1 && rings.length === 2 && ring === inner
          ? null
          : 2 * Math.PI * ((i + 0.5) / ring.length) - TILT;
      const shift = fanned && angle !== null ? { x: r * Math.cos(angle), y: r * Math.sin(angle) } : { x: 0, y: 0 };
      at.set(String(router.router), { x: centre.x + shift.x, y: centre.y + shift.y });
    });
  }
  return { fanned, radius: fanned ? radius : 0, at };
}
