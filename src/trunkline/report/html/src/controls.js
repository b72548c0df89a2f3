/** What every page with maps does alike: redrawing, zooming, choices, links to things, the legend. */

import { byId, h, s } from "./dom.js";
import { STEPS } from "./load.js";
import { ROLES } from "./pieces.js";

/**
 * @typedef {import("./map.js").MapView} MapView
 * @typedef {import("./store.js").Store} Store
 */

/** What the template embeds. @param {string} id */
export const embedded = (id) => JSON.parse(byId(id).textContent ?? "");

/** Draws the maps anew, once a frame, after whatever the store tells of. @param {Store} store @param {MapView[]} maps */
function follow(store, maps) {
  let waiting = "";
  store.watch((what) => {
    if (!waiting) {
      requestAnimationFrame(() => {
        for (const map of maps)
          if (waiting === "moving") map.follow();
          else map.draw();
        waiting = "";
      });
    }
    if (what !== "moving" || !waiting) waiting = what;
  });
}

/** Tells of the choice in a group of radio buttons. @param {string} name @param {(value: string) => void} chosen */
export function choice(name, chosen) {
  for (const radio of document.querySelectorAll(`input[name="${name}"]`))
    radio.addEventListener("change", () => chosen(/** @type {HTMLInputElement} */ (radio).value));
}

/** Has the links to things choose them. @param {Store} store */
function linked(store) {
  document.addEventListener("click", (event) => {
    const anchor = event.target instanceof Element && event.target.closest('a[href^="#at="]');
    if (!anchor || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const at = decodeURIComponent((anchor.getAttribute("href") ?? "").slice("#at=".length));
    store.select({ kind: at.slice(0, at.indexOf(":")), name: at.slice(at.indexOf(":") + 1) });
  });
}

/** What a line or a shape on the map means. @param {string} box @param {SVGElement} drawn @param {string} text */
export const key = (box, drawn, text) =>
  h("li", {}, s("svg", { viewBox: box, "aria-hidden": "true" }, drawn), ` ${text}`);
/** @param {string} cls @param {string} text */
export const line = (cls, text) => key("0 0 28 10", s("path", { d: "M1 5H27", class: `line ${cls}` }), text);
/** @param {"bb" | "dr" | "pr"} role */
const shape = (role) => key("-14 -6 28 12", s("path", { d: ROLES[role], class: "shape" }), role);

/** What circuits and routers look like on every map. */
export const legend = () => [
  ...STEPS.map(({ label }, i) => line(`u${i}`, label)),
  line("down", "down"),
  shape("bb"),
  shape("dr"),
  shape("pr"),
  h("li", { class: "dim" }, "wide: more capacity"),
];

/**
 * Joins maps to the store and to what stands around them.
 * @param {Store} store @param {MapView[]} maps @param {import("./geo.js").Layout} layout
 */
export function control(store, maps, layout) {
  follow(store, maps);
  linked(store);
  choice("theme", (value) => {
    document.documentElement.dataset.theme = value;
  });
  byId("zoom-in").addEventListener("click", () => maps[0].scale(1.5));
  byId("zoom-out").addEventListener("click", () => maps[0].scale(1 / 1.5));
  byId("zoom-all").addEventListener("click", () => store.move({ k: 1, x: 0, y: 0 }, true));
  byId("layout-note").textContent = layout.schematic
    ? "Schematic: no coordinates in the file; sites stand as they are joined."
    : layout.guessed.length
      ? `Places made up, amid the sites they are joined to: ${layout.guessed.join(", ")}.`
      : "";
}
