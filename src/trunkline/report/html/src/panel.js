/** The detail of what is selected. */

import { byId, h } from "./dom.js";

export class Panel {
  /**
   * @param {import("./store.js").Store} store @param {(kind: string, name: string) => (HTMLElement | string)[]} view
   * @param {() => void} zoom brings the selection into view on the maps
   * @param {() => import("./store.js").Selection | null} home what is shown while nothing is selected
   */
  constructor(store, view, zoom, home = () => null) {
    this.home = home;
    this.store = store;
    this.view = view;
    this.zoom = zoom;
    this.box = byId("panel");
    this.hint = [...this.box.childNodes];
    /** @type {Element | null} */
    this.from = null;
    this.box.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
    store.watch((what) => {
      if (what === "selection") this.show(true);
      if (what === "switches") this.show(false);
    });
  }

  /**
   * Shows the selection; on a new one the heading takes the focus, so that Tab goes on from there.
   * @param {boolean} moved
   */
  show(moved) {
    const selection = this.store.selection ?? this.home();
    if (!selection) {
      this.box.replaceChildren(...this.hint);
      return;
    }
    if (moved && !this.box.contains(document.activeElement)) this.from = document.activeElement;
    const view = this.view(selection.kind, selection.name);
    const title = h(
      "h2",
      { tabindex: -1, id: "panel-title" },
      h("span", { class: "kind" }, selection.kind),
      " ",
      selection.name,
    );
    const gone = h("p", {}, `There is no ${selection.kind} of this name in this report.`);
    const actions = h(
      "p",
      { class: "actions" },
      h("button", { type: "button", onclick: this.zoom }, "Zoom to it"),
      h("button", { type: "button", onclick: () => this.close() }, "Close"),
    );
    this.box.replaceChildren(title, this.store.selection ? actions : "", ...(view.length ? view : [gone]));
    if (!moved) return;
    this.box.scrollTop = 0;
    const beside = this.box.closest(".look") !== null && matchMedia("(min-width: 1100px)").matches;
    title.focus({ preventScroll: beside }); // beside the map it stays in view by itself
  }

  close() {
    this.store.select(null);
    if (this.from instanceof HTMLElement || this.from instanceof SVGElement) this.from.focus();
  }
}
