// The box people write in: Enter sends, Shift+Enter starts a new line, @ offers people and / the app's commands.
// Text that is not taken comes back.

import { h, icon } from "./dom.js";
import { menuButton } from "./menu.js";
import { Picker } from "./picker.js";

export class Composer {
  #drafts = new Map();
  #place = "";

  /**
   * `send(text)` resolves to whether the text was taken; `offers` are kinds of what the picker offers.
   * `shortcuts()` are the entries of the app's menu. `cancel` makes it an editor with Cancel and Save; `recall` is what
   * the up arrow does while the box is empty.
   */
  constructor({ id, send, offers, shortcuts = null, cancel = null, recall = null }) {
    Object.assign(this, { send, cancel, recall });
    this.input = h("textarea", { id, rows: "1", "aria-autocomplete": "list", "aria-haspopup": "listbox" });
    this.picker = new Picker(this.input, offers);
    this.shortcuts = shortcuts && menuButton("Shortcuts", { class: "icon-button", "data-control": "shortcuts" }, icon("bolt"), shortcuts);
    this.button = cancel ? h("button", { type: "submit", class: "primary" }, "Save") : sendButton();
    this.element = h(
      "form",
      { class: cancel ? "composer editor" : "composer", onsubmit: (event) => this.#submit(event) },
      this.picker.element,
      this.input,
      h("div", { class: "composer-bar" }, this.#mentionButton(), this.shortcuts, this.#hint(), this.#cancelButton(), this.button),
    );
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("input", () => this.#adjust());
  }

  /** Write for another place; what was written for this one waits there. */
  at(place, label) {
    this.input.placeholder = label;
    this.input.setAttribute("aria-label", label);
    if (place === this.#place) return;
    this.#drafts.set(this.#place, this.input.value);
    this.#place = place;
    this.fill(this.#drafts.get(place) ?? "");
  }

  fill(text) {
    this.input.value = text;
    this.picker.close();
    this.#adjust();
  }

  focus() {
    this.#adjust(); // its height is known only where it stands
    this.input.focus();
    this.input.setSelectionRange(this.input.value.length, this.input.value.length);
  }

  async #submit(event) {
    event.preventDefault();
    const text = this.input.value.trim();
    if (!text) return;
    this.fill("");
    const wasTaken = await this.send(text);
    if (!wasTaken && !this.input.value) this.fill(text);
  }

  #key(event) {
    if (event.isComposing || this.picker.takes(event)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      this.#submit(event);
    } else if (event.key === "Escape" && this.cancel) {
      event.stopPropagation();
      this.cancel();
    } else if (event.key === "ArrowUp" && !this.input.value && this.recall?.()) {
      event.preventDefault();
    }
  }

  #adjust() {
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight}px`;
    this.element.classList.toggle("filled", Boolean(this.input.value.trim()));
  }

  #mentionButton() {
    const start = (event) => {
      event.preventDefault();
      this.input.focus();
      const gap = /\S$/.test(this.input.value.slice(0, this.input.selectionStart)) ? " @" : "@";
      this.input.setRangeText(gap, this.input.selectionStart, this.input.selectionEnd, "end");
      this.input.dispatchEvent(new Event("input"));
    };
    return h("button", { type: "button", class: "icon-button at", title: "Mention someone", "aria-label": "Mention someone", onclick: start }, "@");
  }

  #hint() {
    return h("span", { class: "hint", "aria-hidden": "true" }, h("kbd", {}, "Shift"), " + ", h("kbd", {}, "Enter"), " for a new line");
  }

  #cancelButton() {
    return this.cancel && h("button", { type: "button", onclick: this.cancel }, "Cancel");
  }
}

const sendButton = () => h("button", { type: "submit", class: "send", title: "Send", "aria-label": "Send" }, icon("send"));
