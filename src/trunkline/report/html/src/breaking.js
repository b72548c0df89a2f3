/** A sweep's page: failures to walk through, and the network under each in each of its states. */

import { choice, control, embedded, key, legend } from "./controls.js";
import { byId, s } from "./dom.js";
import { Failed, everyTable } from "./failed.js";
import { CROSS, FailureMap } from "./failuremap.js";
import { FailureStore } from "./failurestore.js";
import { VIEWS, sentence } from "./failureviews.js";
import { Layout } from "./geo.js";
import { Panel } from "./panel.js";
import { Ranked } from "./ranked.js";
import { Search } from "./search.js";
import { Tables } from "./tables.js";

/** What marks on the map mean beside those of every map. */
const keys = () => [
  key("-14 -6 28 12", s("path", { d: CROSS, class: "cross whole" }), "fails, or hangs off what does"),
  key("-14 -6 28 12", s("path", { d: CROSS, class: "cross part" }), "a part of it fails"),
  key("-14 -6 28 12", s("path", { d: CROSS, class: "cross out" }), "out for maintenance"),
  key("-14 -5 28 10", s("circle", { r: 3.8, class: "ring lost" }), "no Internet there"),
  key("-14 -5 28 10", s("circle", { r: 3.8, class: "ring far" }), "Internet by another region's default"),
];

/** @param {import("./failed.js").Document} document of schema `trunkline/break-page/1` */
export function breaking(document) {
  const side = new Failed(document);
  const store = new FailureStore(side);
  const layout = new Layout([side], embedded("coast"));
  byId("maps").style.setProperty("--aspect", layout.aspect.toFixed(2));
  const map = new FailureMap(byId("map-0"), side, layout, store);
  const view = (/** @type {string} */ kind, /** @type {string} */ name) => VIEWS[kind]?.({ side, store }, name) ?? [];
  new Panel(
    store,
    view,
    () => map.show(),
    () => ({ kind: "failure", name: store.failure }),
  );
  new Search({ sides: [side] }, store);
  new Tables({ sides: [{ label: document.title, tables: everyTable(document) }], moved: {} }, "now:scenarios");
  const ranked = new Ranked(side, store);
  choice("state", (value) => store.choose(store.failure, value));
  byId("failure-before").addEventListener("click", () => ranked.walk(-1));
  byId("failure-next").addEventListener("click", () => ranked.walk(1));
  store.watch((what) => {
    if (what === "moving" || what === "view") return;
    byId("failure-now").replaceChildren(...sentence({ side, store }));
    for (const radio of byId("state").querySelectorAll("input")) radio.checked = radio.value === store.state;
  });
  byId("legend").append(...legend(), ...keys());
  control(store, [map], layout);
  store.read();
}
