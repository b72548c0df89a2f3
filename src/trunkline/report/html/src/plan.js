/** A plan's page: one state of a network, or two beside each other. */

import { choice, control, embedded, legend } from "./controls.js";
import { Data } from "./data.js";
import { byId, h } from "./dom.js";
import { Layout } from "./geo.js";
import { MapView } from "./map.js";
import { Panel } from "./panel.js";
import { Search } from "./search.js";
import { Store } from "./store.js";
import { Tables } from "./tables.js";
import { VIEWS } from "./views.js";

/**
 * A switch per name.
 * @param {Store} store @param {string} id @param {[string | number, string][]} names @param {Set<any>} on
 */
function switches(store, id, names, on) {
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

/** The table to open with: what moved, or the LSPs. @param {Data} data */
function first(data) {
  const moved = ["lsps", ...Object.keys(data.moved)].find((name) => data.moved[name]?.length);
  return moved ? `moved:${moved}` : `${data.sides.length > 1 ? "after" : "now"}:lsps`;
}

/** @param {any} document of schema `trunkline/page/1` */
export function plan(document) {
  const data = new Data(document);
  const holds = data.sides.flatMap((side) => side.rows("lsps").map((lsp) => Number(lsp.hold)));
  const priorities = [...new Set(holds)].sort();
  const store = new Store([...data.last.classes], priorities);
  const layout = new Layout(data.sides, embedded("coast"));
  byId("maps").style.setProperty("--aspect", layout.aspect.toFixed(2));
  const maps = data.sides.map((side, i) => new MapView(byId(`map-${i}`), side, layout, store));
  const tables = new Tables(data, first(data));
  const page = { data, store, open: tables.open.bind(tables) };
  new Panel(
    store,
    (kind, name) => VIEWS[kind]?.(page, name) ?? [],
    () => maps[maps.length - 1].show(),
  );
  new Search(data, store);
  control(store, maps, layout);
  switches(
    store,
    "classes",
    data.last.classes.map((name) => [name, name]),
    store.classes,
  );
  switches(
    store,
    "priorities",
    priorities.map((p) => [p, String(p)]),
    store.priorities,
  );
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
  byId("legend").append(...legend());
  store.read();
}
