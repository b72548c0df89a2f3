/** A comparison's page: the network under one design, or two beside each other, and how designs grow. */

import { choice, control, embedded, key, legend } from "./controls.js";
import { DesignMap } from "./designmap.js";
import { Design, everyTable } from "./designs.js";
import { VIEWS } from "./designviews.js";
import { byId, h, s } from "./dom.js";
import { Scale } from "./figures.js";
import { Layout } from "./geo.js";
import { plots } from "./growth.js";
import { Panel } from "./panel.js";
import { Search } from "./search.js";
import { Store } from "./store.js";
import { Tables } from "./tables.js";

const NONE = "none";

/** @param {string} kind of session */
const session = (kind) =>
  key("0 0 28 10", s("path", { d: "M1 5H27", class: `session ${kind}` }), `iBGP session to a ${kind}`);

/** What colours and sizes of routers mean. @param {Scale | null} scale */
function levels(scale) {
  if (!scale)
    return [key("-14 -6 28 12", s("circle", { r: 5, class: "port" }), "peer port: area by share of prefixes")];
  const level = (/** @type {string} */ text, /** @type {number} */ i) =>
    key("-14 -6 28 12", s("circle", { r: 2.4 + i * 0.9, class: `v${i}` }), text);
  return [
    ...scale.bounds.map(level),
    h("li", { class: "dim" }, `a router's ${scale.figure.title}; a site: its largest`),
  ];
}

/**
 * The two choices of a design; the second may be none.
 * @param {Design[]} designs @param {(place: number, design: Design | undefined) => void} chosen
 */
function designChoices(designs, chosen) {
  [0, 1].forEach((place) => {
    const box = /** @type {HTMLSelectElement} */ (byId(`design-${place}`));
    if (place) box.append(h("option", { value: NONE }, "none"));
    box.append(...designs.map((design, i) => h("option", { value: i }, design.label)));
    box.value = place < designs.length ? String(place) : NONE;
    box.addEventListener("change", () => chosen(place, designs[Number(box.value)]));
  });
}

/**
 * The maps of two designs and the choices of what they show.
 * @param {Design[]} designs @param {Store} store @param {Layout} layout
 */
function designMaps(designs, store, layout) {
  const look = { figure: "held", family: "v4", scale: /** @type {Scale | null} */ (null) };
  /** @type {(Design | undefined)[]} */
  const shown = [designs[0], designs[1]];
  const maps = [0, 1].map((i) => new DesignMap(byId(`map-${i}`), shown[i] ?? designs[0], layout, store, () => look));
  const captions = maps.map((map) => map.box.parentElement?.querySelector("figcaption"));
  const arrange = () => {
    byId("maps").dataset.sides = shown[1] ? "both" : "0";
    shown.forEach((design, i) => {
      if (design && captions[i]) captions[i].textContent = design.label;
      if (design && maps[i].design !== design) maps[i].see(design);
    });
    store.tell("switches");
  };
  const measure = () => {
    look.scale = look.figure === "ports" ? null : new Scale(designs, look.figure, look.family);
    const sessions = ["client", "reflector", "peer"].map(session);
    byId("legend").replaceChildren(...levels(look.scale), ...sessions, ...legend());
    store.tell("switches");
  };
  designChoices(designs, (place, design) => {
    shown[place] = design;
    arrange();
  });
  for (const name of /** @type {const} */ (["figure", "family"]))
    choice(name, (value) => {
      look[name] = value;
      measure();
    });
  arrange();
  measure();
  return { maps, shown: () => shown.flatMap((design) => design ?? []) };
}

/** @param {import("./designs.js").Document} document of schema `trunkline/compare-page/1` */
export function comparison(document) {
  const designs = document.designs.map((name) => new Design(document, name));
  const store = new Store([], []);
  const layout = new Layout(designs.slice(0, 1), embedded("coast"));
  byId("maps").style.setProperty("--aspect", layout.aspect.toFixed(2));
  const { maps, shown } = designMaps(designs, store, layout);
  const page = { designs, shown };
  const view = (/** @type {string} */ kind, /** @type {string} */ name) => VIEWS[kind]?.(page, name) ?? [];
  new Panel(store, view, () => maps[0].show());
  new Search({ sides: designs.slice(0, 1) }, store);
  const tables = everyTable(document);
  new Tables({ sides: [{ label: document.title, tables }], moved: {} }, "now:designs");
  if (tables.growth) byId("plots").append(...plots(document.designs, tables.growth.rows, tables.passes.rows));
  control(store, maps, layout);
  store.read();
}
