// A tour for newcomers: a bar that leads from place to place, and can be left at any time and taken up again.

import { h, reconcile } from "./dom.js";
import { plain } from "./plain.js";

const KEPT = "threadwise.tour";

export class Tour {
  /** `goTo` leads to a place of the workspace, `fill` puts words into the message box there. */
  constructor(root, { goTo, fill, workspace }) {
    Object.assign(this, { root, goTo, fill, workspace });
  }

  /** Show where one is in the tour; nothing if there is none or one has left it. */
  show() {
    const stop = this.#stops[this.#at];
    this.root.hidden = !stop;
    reconcile(this.root, stop ? [this.#entry(stop)] : []);
  }

  /** Say whether there is a tour that one has left. */
  get isLeft() {
    return this.#stops.length > 0 && !this.#stops[this.#at];
  }

  /** Begin at the first stop, or go on at another. */
  turn = (at = 0) => {
    localStorage.setItem(KEPT, JSON.stringify({ team: this.workspace().team.id, at }));
    const stop = this.#stops[at];
    this.show();
    if (stop) this.#look(stop);
  };

  /** Go to the first stop, where one has just arrived and never left the tour. */
  begin() {
    if (this.#at === 0 && this.#stops.length) this.turn();
  }

  get #stops() {
    return this.workspace().tour;
  }

  /** Stops are counted from 0; a tour of another demo was another tour. */
  get #at() {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    return kept.team === this.workspace().team.id ? kept.at : 0;
  }

  #look({ channel, message, opens_thread, draft }) {
    const isIt = ({ text }) => message && plain(text).includes(message);
    const ts = this.workspace().roots(channel).findLast(isIt)?.ts;
    this.goTo({ channel, thread: opens_thread ? ts : null, message: opens_thread ? null : ts });
    if (draft) this.fill(draft);
  }

  #entry(stop) {
    const at = this.#at;
    const isLast = at + 1 === this.#stops.length;
    const leave = () => this.turn(-1);
    const step = (label, to, style) => h("button", { type: "button", class: style, "data-control": label, onclick: () => this.turn(to) }, label);
    const build = () =>
      h(
        "div",
        { class: "tour-stop" },
        h("p", {}, h("strong", {}, `${at + 1} of ${this.#stops.length} · ${stop.title}. `), stop.words),
        h(
          "div",
          { class: "tour-choices" },
          at > 0 && step("Back", at - 1),
          !isLast && step("Next", at + 1, "primary"),
          h("button", { type: "button", class: isLast ? "primary" : null, "data-control": "leave", onclick: leave }, isLast ? "End the tour" : "Leave the tour"),
        ),
      );
    return { key: "stop", signature: JSON.stringify([at, stop]), build };
  }
}
