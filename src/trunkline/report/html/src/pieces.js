/** The elements of a map that can be chosen, by pointer or by keyboard: circuits, sites, routers. */

import { s } from "./dom.js";

/**
 * @typedef {import("./data.js").Row} Row
 * @typedef {import("./store.js").Store} Store
 * @typedef {import("./geo.js").Point} Point
 * @typedef {{row: Row, name: string, group: SVGElement, hit: SVGElement, lines: SVGElement[],
 *   label: SVGElement, curve?: import("./curves.js").Curve}} DrawnCircuit
 * @typedef {{router: Row, group: SVGElement, label: SVGElement, where: Point | null}} DrawnRouter
 * @typedef {{name: string, routers: DrawnRouter[], group: SVGElement, disc: SVGElement, ring: SVGElement,
 *   label: SVGElement, where: Point | null}} DrawnSite
 */

/** The shape of each role. */
export const ROLES = { bb: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0", dr: "M-4.5-4.5h9v9h-9z", pr: "M0-6L6 4.5H-6z" };

/** Says what an element is, to the pointer and to a screen reader. @param {Element} group @param {string} text */
export function say(group, text) {
  if (group.getAttribute("aria-label") === text) return;
  group.setAttribute("aria-label", text);
  /** @type {Element} */ (group.firstChild).textContent = text;
}

/** What makes an element choose a thing. @param {Store} store @param {string} kind @param {string} name */
export function target(store, kind, name) {
  const choose = () => store.select({ kind, name });
  return {
    tabindex: 0,
    role: "button",
    onclick: choose,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    },
  };
}

/** @param {Row} row of `circuit_ends` @param {Store} store @returns {DrawnCircuit} */
export function drawnCircuit(row, store) {
  const name = String(row.circuit);
  const hit = s("path", { class: "hit" });
  const lines = [s("path", { class: "line" }), s("path", { class: "line" })];
  const group = s("g", { class: "circuit", ...target(store, "circuit", name) }, s("title"), hit, ...lines);
  return { row, name, hit, lines, group, label: s("text", { class: "load" }) };
}

/** @param {Row} router @param {Store} store @returns {DrawnRouter} */
function drawnRouter(router, store) {
  const name = String(router.router);
  const state = router.up ? (router.overload ? "overloaded" : "") : "down";
  const text = `router ${name}, ${router.role}${state ? `, ${state}` : ""}`;
  const group = s(
    "g",
    { class: `router ${state}`, ...target(store, "router", name), "aria-label": text },
    s("title", {}, text),
    s("circle", { class: "hit", r: 13 }),
    s("path", { d: ROLES[/** @type {keyof typeof ROLES} */ (router.role)] }),
  );
  return { router, group, label: s("text", { class: "router-name" }, name), where: null };
}

/** @param {Row} site @param {Row[]} routers @param {Store} store @returns {DrawnSite} */
export function drawnSite(site, routers, store) {
  const name = String(site.site);
  const drawn = routers.map((router) => drawnRouter(router, store));
  const count = routers.length === 1 ? "1 router" : `${routers.length} routers`;
  const text = `site ${name}, region ${site.region}, ${count}${site.guessed ? ", place made up" : ""}`;
  const ring = s("circle", { class: site.guessed ? "ring guessed" : "ring" });
  const disc = s(
    "g",
    { class: "site", ...target(store, "site", name), "aria-label": text },
    s("title", {}, text),
    ring,
  );
  const label = s("text", { class: "site-name", onclick: () => store.select({ kind: "site", name }) }, name);
  return {
    name,
    routers: drawn,
    group: s("g", {}, disc, ...drawn.map((r) => r.group)),
    disc,
    ring,
    label,
    where: null,
  };
}
