/** The network as a failure leaves it: what is down is crossed out, and regions without the Internet say so. */

import { half } from "./curves.js";
import { s } from "./dom.js";
import { MapView } from "./map.js";
import { say } from "./pieces.js";

/**
 * @typedef {import("./failed.js").Failed} Failed
 * @typedef {import("./failed.js").Lost} Lost
 * @typedef {import("./pieces.js").DrawnSite} DrawnSite
 * @typedef {import("./geo.js").Point} Point
 * @typedef {import("./pieces.js").DrawnCircuit} Drawn
 * @typedef {import("./curves.js").Curve} Curve
 */

export const CROSS = "M-5-5L5 5M5-5L-5 5";

/** @param {Lost | undefined} lost */
const words = (lost) =>
  !lost ? "" : lost.cutOff.length ? ` no Internet ${lost.cutOff.join(" ")}` : lost.fallback ? " on fallback" : "";

export class FailureMap extends MapView {
  /**
   * @param {HTMLElement} box @param {Failed} side @param {import("./geo.js").Layout} layout
   * @param {import("./failurestore.js").FailureStore} store
   */
  constructor(box, side, layout, store) {
    super(box, side, layout, store);
    this.failed = side;
    this.chosen = store;
    this.crosses = s("g", { class: "crosses", "aria-hidden": "true" });
    this.world.insertBefore(this.crosses, this.labels);
  }

  draw() {
    if (!this.crosses) return; // the constructor of MapView may draw before there is a failure
    this.name();
    const lost = this.failed.lost(this.chosen.failure, this.chosen.state);
    for (const site of this.sites) this.tell(site, lost.get(this.region(site)));
    super.draw();
    this.cross();
  }

  /** A cross says that a circuit is down. @param {Drawn} c @param {Curve} shape */
  paint(c, shape) {
    super.paint(c, shape);
    if (!c.row.up) c.label.textContent = "";
  }

  /** @param {DrawnSite} site */
  region(site) {
    return String(this.side.by("sites", "site", site.name)[0].region);
  }

  /** Says what of a site is down, and what its region has lost. @param {DrawnSite} site @param {Lost | undefined} lost */
  tell(site, lost) {
    for (const { router, group } of site.routers) {
      group.classList.toggle("down", !router.up);
      say(group, `router ${router.router}, ${router.role}${router.up ? "" : ", down"}`);
    }
    const up = site.routers.filter(({ router }) => router.up).length;
    site.disc.classList.toggle("gone", !up);
    site.disc.classList.toggle("cut-off", Boolean(lost?.cutOff.length));
    site.disc.classList.toggle("fallback", Boolean(lost?.fallback));
    site.label.textContent = `${site.name}${words(lost)}`;
    site.label.classList.toggle("bad", Boolean(lost?.cutOff.length));
    const count = `${up} of ${site.routers.length} routers up`;
    say(site.disc, `site ${site.name}, region ${this.region(site)}, ${count}${words(lost) && `,${words(lost)}`}`);
  }

  /** Crosses out what is down; a small cross where only a part of what is drawn there is. */
  cross() {
    /** @type {Map<string, string>} */
    const marks = new Map();
    for (const row of this.failed.failing(this.chosen.failure)) {
      const p = this.where(String(row.what), String(row.name));
      if (!p) continue;
      const place = `translate(${p.x.toFixed(1)} ${p.y.toFixed(1)})`;
      const mark = row.out ? "out" : this.whole(String(row.what), String(row.name)) ? "whole" : "part";
      if (marks.get(place) !== "whole") marks.set(place, mark);
    }
    const crosses = [...marks].map(([transform, mark]) => s("path", { d: CROSS, class: mark, transform }));
    this.crosses.replaceChildren(...crosses);
  }

  /** Whether what is drawn for a thing is down as a whole. @param {string} what @param {string} name */
  whole(what, name) {
    const site = what === "router" ? this.point.get(name)?.split(" ") : undefined;
    return site?.[0] === "site"
      ? this.side.by("routers", "site", site[1]).every((router) => !router.up)
      : what === "router" || what === "circuit";
  }

  /** Where a thing is drawn. @param {string} what @param {string} name @returns {Point | undefined} */
  where(what, name) {
    if (what === "circuit" || what === "member") {
      const drawn = this.circuits.find((one) => one.name === name)?.curve;
      return drawn && half(drawn);
    }
    const router = what === "port" ? String(this.side.by("ports", "port", name)[0]?.router) : name;
    return this.at.get(this.point.get(router) ?? "");
  }
}
