// The modals the app has opened: the one on top is shown, and those under it keep what was typed in them.

import { avatar } from "./avatar.js";
import { h, iconButton } from "./dom.js";
import { View } from "./view.js";

export class Modals {
  #open = new Map(); // modal by view id

  /** `start` focuses what is under the modals; it is needed where the control that opened one is gone. */
  constructor(dialog, deeds, start) {
    this.start = start;
    this.dialog = dialog;
    this.deeds = deeds;
    const close = (event) => {
      event.preventDefault(); // it is gone when the workspace says so
      this.#top?.leave();
    };
    dialog.addEventListener("cancel", close);
    dialog.addEventListener("keydown", (event) => event.key === "Escape" && !dialog.querySelector(":popover-open") && close(event));
  }

  /** Show a person's stack of views, the last on top. */
  show(stack, bot) {
    const before = this.#top;
    const ids = new Set(stack.map(({ id }) => id));
    for (const id of this.#open.keys()) if (!ids.has(id)) this.#open.delete(id);
    for (const view of stack) this.#update(view, bot);
    this.#top = this.#open.get(stack.at(-1)?.id);
    if (this.#top !== before) this.#turn();
  }

  /** Close what covers a place that somebody goes to, as far as there is nothing to fill in. */
  async uncover() {
    for (const modal of [...this.#open.values()].reverse()) {
      if (!modal.isOnlyRead) return;
      await modal.leave();
    }
  }

  #top;

  #update(view, bot) {
    const known = this.#open.get(view.id);
    if (known) known.show(view);
    else this.#open.set(view.id, new Modal(view, bot, this.deeds));
  }

  #turn() {
    if (!this.#top) {
      this.dialog.close();
      this.dialog.replaceChildren();
      if (document.activeElement === document.body) this.start();
      return;
    }
    this.dialog.replaceChildren(this.#top.element);
    if (!this.dialog.open) this.dialog.showModal();
    this.#top.focus();
  }
}

/** One modal: title, blocks, what is wrong, and the buttons to send or leave it. */
class Modal {
  #isLeaving = false;

  constructor(view, bot, deeds) {
    this.view = new View(view, deeds);
    this.title = h("h2", { id: "modal-title" });
    this.trouble = h("p", { class: "trouble", role: "alert" });
    this.closing = h("button", { type: "button", onclick: this.leave });
    this.submitting = h("button", { type: "submit", class: "primary" });
    this.element = h(
      "form",
      { novalidate: true, onsubmit: (event) => this.#submit(event) },
      h("header", {}, avatar(bot), this.title, iconButton("close", "Close", this.leave)),
      h("div", { class: "modal-body", tabindex: "0", role: "group", "aria-labelledby": "modal-title" }, this.view.element),
      this.trouble,
      h("footer", {}, this.closing, this.submitting),
    );
    this.#label(view);
  }

  show(view) {
    this.view.show(view);
    this.#label(view);
    const focused = document.activeElement;
    if (focused === document.body || focused.hidden) this.focus(); // what had the focus is gone with the change
  }

  get isOnlyRead() {
    return !this.view.view.submit;
  }

  /** Start where there is something to fill in, or else with the answer. */
  focus() {
    const first = this.view.element.querySelector(".input :is(input, textarea)");
    (first ?? [this.submitting, this.closing].find((button) => !button.hidden)).focus();
  }

  /** Close it, once however often one asks. */
  leave = async () => {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    await this.view.close();
    this.#isLeaving = false;
  };

  #label({ title, submit, close, error }) {
    this.title.textContent = title;
    this.submitting.textContent = submit;
    this.submitting.hidden = !submit;
    this.closing.textContent = close || (submit ? "Cancel" : "Close");
    this.trouble.textContent = error;
  }

  async #submit(event) {
    event.preventDefault();
    if (this.element.ariaBusy) return;
    this.element.ariaBusy = "true";
    this.trouble.textContent = "";
    await this.view.submit();
    this.element.ariaBusy = null;
  }
}
