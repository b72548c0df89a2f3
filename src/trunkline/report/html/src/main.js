/** Puts the page together: the tables are embedded, everything else follows from them. */

import "tabulator-tables/dist/css/tabulator_simple.css";
import "./page.css";
import { Data } from "./data.js";
import { byId, h, s } from "./dom.js";
import { Layout } from "./geo.js";
import { STEPS } from "./load.js";
import { MapView } from "./map.js";
import { Panel } from "./panel.js";
import { ROLES } from "./pieces.js";
import { Search } from "./search.js";
import { Store } from "./store.js";
import { Tables } from "./tables.js";

const embedded = (/** @type {string} */ id) => JSON.parse(byId(id).textContent ?? "");

const data = new Data(embedded("data"));
const priorities = [...new Set(data.sides.flatMap((side) => side.rows("lsps").map((lsp) => Number(lsp.hold))))].sort();
const store = new Store([...data.last.classes], priorities);
const layout = new Layout(data.sides, embedded("coast"));
byId("maps").style.setProperty("--aspect", layout.aspect.toFixed(2));
const maps = data.sides.map((side, i) => new MapView(byId(`map-${i}`), side, layout, store));
const tables = new Tables(data);
const panel = new Panel({ data, store, open: (table, filters) => tables.open(table, filters) }, () =>
  maps[maps.length - 1].show(),
);
new Search(data, store);

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

/** A switch per name. @param {string} id @param {[string | number, string][]} names @param {Set<any>} on */
function switches(id, names, on) {
  const boxes = names.map(([name, text]) => {
    const flip = (/** @type {Event} */ event) => {
      if (/** @type {HTMLInputElement} */ (event.target).checked) on.add(name);
      else on.delete(name);
      store.tell("switches");
    };
    return h("label", {}, h("input", { type: "checkbox", checked: true, onchange: flip }), ` ${text}`);
  });
  byId(id).append(...boxes);
  byId(id).hidden = names.length < 2;
}
switches(
  "classes",
  data.last.classes.map((name) => [name, name]),
  store.classes,
);
switches(
  "priorities",
  priorities.map((p) => [p, String(p)]),
  store.priorities,
);

/** Tells of the choice in a group of radio buttons. @param {string} name @param {(value: string) => void} chosen */
function choice(name, chosen) {
  for (const radio of document.querySelectorAll(`input[name="${name}"]`))
    radio.addEventListener("change", () => chosen(/** @type {HTMLInputElement} */ (radio).value));
}
choice("measure", (value) => {
  store.measure = /** @type {"load" | "reserved"} */ (value);
  store.tell("switches");
});
choice("direction", (value) => {
  store.direction = /** @type {"busier" | "both"} */ (value);
  store.tell("switches");
});
choice("sides", (value) => {
  byId("maps").dataset.sides = value;
});
choice("theme", (value) => {
  document.documentElement.dataset.theme = value;
});

byId("zoom-in").addEventListener("click", () => maps[0].scale(1.5));
byId("zoom-out").addEventListener("click", () => maps[0].scale(1 / 1.5));
byId("zoom-all").addEventListener("click", () => store.move({ k: 1, x: 0, y: 0 }, true));

document.addEventListener("click", (event) => {
  const anchor = event.target instanceof Element && event.target.closest('a[href^="#at="]');
  if (!anchor || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const at = decodeURIComponent((anchor.getAttribute("href") ?? "").slice("#at=".length));
  store.select({ kind: at.slice(0, at.indexOf(":")), name: at.slice(at.indexOf(":") + 1) });
});

/** What a line or a shape on the map means. @param {string} box @param {SVGElement} drawn @param {string} text */
const key = (box, drawn, text) => h("li", {}, s("svg", { viewBox: box, "aria-hidden": "true" }, drawn), ` ${text}`);
const line = (/** @type {string} */ cls, /** @type {string} */ text) =>
  key("0 0 28 10", s("path", { d: "M1 5H27", class: `line ${cls}` }), text);
const shape = (/** @type {"bb" | "dr" | "pr"} */ role) =>
  key("-14 -6 28 12", s("path", { d: ROLES[role], class: "shape" }), role);
byId("legend").append(
  ...STEPS.map(({ label }, i) => line(`u${i}`, label)),
  line("down", "down"),
  shape("bb"),
  shape("dr"),
  shape("pr"),
  h("li", { class: "dim" }, "wide: more capacity"),
);
byId("layout-note").textContent = layout.schematic
  ? "Schematic: no coordinates in the file; sites stand as they are joined."
  : layout.guessed.length
    ? `Places made up, amid the sites they are joined to: ${layout.guessed.join(", ")}.`
    : "";

store.read();
