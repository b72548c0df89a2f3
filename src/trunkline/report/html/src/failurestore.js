/** The failure that is chosen and the state that is looked at, kept in the address with what else is. */

import { Store, encoded } from "./store.js";

const FIRST = "after"; // what a network is judged by

export class FailureStore extends Store {
  /** @param {import("./failed.js").Failed} side */
  constructor(side) {
    super([], []);
    this.side = side;
    this.failure = "";
    this.state = "";
  }

  /** @param {URLSearchParams} words */
  take(words) {
    const at = words.get("at") ?? "";
    if (at.startsWith("failure:")) words.delete("at"); // a link to a failure
    const failure = at.startsWith("failure:") ? at.slice("failure:".length) : words.get("failure");
    const states = this.side.states.map(([name]) => name);
    const state = [words.get("state") ?? "", FIRST, ...states].find((name) => states.includes(name)) ?? "";
    this.see(failure || this.side.names[0] || "", state);
  }

  words() {
    return [`failure=${encoded(this.failure)}`, `state=${this.state}`];
  }

  /** A failure is chosen beside whatever else is, so a selected one replaces that. @param {import("./store.js").Selection | null} selection */
  select(selection) {
    if (selection?.kind !== "failure") {
      super.select(selection);
      return;
    }
    this.selection = null;
    this.see(selection.name, this.state);
    history.pushState(null, "", this.address());
    this.tell("selection");
  }

  /** Goes on to another failure or state; the address follows, the way back does not. @param {string} failure @param {string} state */
  choose(failure, state) {
    this.see(failure, state);
    history.replaceState(null, "", this.address());
  }

  /** @param {string} failure @param {string} state */
  see(failure, state) {
    if (failure === this.failure && state === this.state) return;
    this.failure = failure;
    this.state = state;
    this.side.see(failure, state);
    this.tell("switches");
  }
}
