/** What is selected and shown.  Selection and view live in the address, so that back works and links can be shared. */

/**
 * @typedef {{kind: string, name: string}} Selection
 * @typedef {{k: number, x: number, y: number}} View  zoom, and the shift as parts of the map's width and height
 */

/** A name in an address, as readable as it may be. @param {string} name */
export const encoded = (name) => encodeURIComponent(name).replaceAll("%2F", "/").replaceAll("%40", "@");

export class Store {
  /** @param {string[]} classes @param {number[]} priorities */
  constructor(classes, priorities) {
    this.classes = new Set(classes);
    this.priorities = new Set(priorities);
    this.measure = "load";
    this.direction = "busier";
    /** @type {Selection | null} */
    this.selection = null;
    /** @type {View} */
    this.view = { k: 1, x: 0, y: 0 };
    /** @type {((what: string) => void)[]} */
    this.watchers = [];
    addEventListener("popstate", () => this.read());
    addEventListener("hashchange", () => this.read());
  }

  /** @param {(what: string) => void} watcher told `selection`, `switches`, `view`, or `moving` while it moves */
  watch(watcher) {
    this.watchers.push(watcher);
  }

  /** @param {string} what */
  tell(what) {
    for (const watcher of this.watchers) watcher(what);
  }

  /** Takes selection and view from the address; what it does not say stays as it is. */
  read() {
    if (!/^#?$|^#(at|map|failure|state)=/.test(location.hash)) return; // an anchor of the page
    const words = new URLSearchParams(location.hash.slice(1));
    this.take(words);
    const at = words.get("at");
    const selection = at ? { kind: at.slice(0, at.indexOf(":")), name: at.slice(at.indexOf(":") + 1) } : null;
    const [k, x, y] = (words.get("map") ?? "").split(",").map(Number);
    if (k > 0 && Number.isFinite(x) && Number.isFinite(y)) {
      this.view = { k, x, y };
      this.tell("view");
    }
    if (selection?.kind !== this.selection?.kind || selection?.name !== this.selection?.name) {
      this.selection = selection;
      this.tell("selection");
    }
  }

  /** Takes what else a page keeps in the address. @param {URLSearchParams} _words */
  take(_words) {}

  /** What else a page keeps in the address, as `name=value`. @returns {string[]} */
  words() {
    return [];
  }

  /** @param {Selection | null} selection */
  select(selection) {
    if (selection && this.selection?.kind === selection.kind && this.selection.name === selection.name) return;
    this.selection = selection;
    history.pushState(null, "", this.address());
    this.tell("selection");
  }

  /** @param {View} view @param {boolean} settled whether the movement has ended: only then the address follows */
  move(view, settled) {
    this.view = view;
    if (settled) history.replaceState(null, "", this.address());
    this.tell(settled ? "view" : "moving");
  }

  /** @param {Selection | null} selection @returns {string} */
  address(selection = this.selection) {
    const at = selection ? `at=${selection.kind}:${encoded(selection.name)}` : "";
    const { k, x, y } = this.view;
    const map = k === 1 && x === 0 && y === 0 ? "" : `map=${[k, x, y].map((n) => Number(n.toFixed(4))).join(",")}`;
    return `#${[at, ...this.words(), map].filter(Boolean).join("&")}`;
  }
}
