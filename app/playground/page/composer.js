// The box people write in: Enter sends, Shift+Enter starts a new line, @ offers people and / the app's commands.
// Text that is not taken comes back.

import { Attaching } from "./attaching.js";
import { h, icon } from "./dom.js";
import { menuButton } from "./menu.js";
import { Picker } from "./picker.js";

export class Composer {
  #drafts = new Map();
  #place = "";

  /**
   * `send(text, files)` resolves to whether that was taken; `area` takes files that are dropped on it; `offers` are kinds of what the picker offers.
   * `shortcuts()` are the entries of the app's menu. `cancel` makes it an editor with Cancel and Save; `recall` is what
   * the up arrow does while the box is empty.
   */
  constructor({ id, send, offers, area = null, shortcuts = null, cancel = null, recall = null }) {
    Object.assign(this, { send, cancel, recall });
    this.input = h("textarea", { id, rows: "1", "aria-autocomplete": "list", "aria-haspopup": "listbox" });
    this.picker = new Picker(this.input, offers);
    this.shortcuts = shortcuts && menuButton("Shortcuts", { class: "icon-button", "data-control": "shortcuts" }, icon("bolt"), shortcuts);
    this.attaching = area && new Attaching({ changed: () => this.#adjust() });
    this.button = cancel ? h("button", { type: "submit", class: "primary" }, "Save") : sendButton();
    this.element = h(
      "form",
      { class: cancel ? "composer editor" : "composer", onsubmit: (event) => this.#submit(event) },
      this.picker.element,
      this.input,
      this.attaching?.list,
      this.attaching?.choosing,
      h("div", { class: "composer-bar" }, this.attaching?.button, this.#mentionButton(), this.shortcuts, this.#hint(), this.#cancelButton(), this.button),
    );
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("input", () => this.#adjust());
    this.attaching?.takePastes(this.input);
    this.attaching?.takeDrops(area, () => !this.element.hidden);
  }

  /** Write for another place; what was written for this one waits there. */
  at(place, label) {
    this.input.placeholder = label;
    this.input.setAttribute("aria-label", label);
    if (place === this.#place) return;
    this.#drafts.set(this.#place, [this.input.value, this.files]);
    this.#place = place;
    this.fill(...(this.#drafts.get(place) ?? [""]));
  }

  get files() {
    return this.attaching?.files ?? [];
  }

  fill(text, files = []) {
    this.input.value = text;
    if (this.attaching) this.attaching.files = files;
    this.picker.close();
    this.#adjust();
  }

  focus() {
    this.#adjust(); // its height is known only where it stands
    this.input.focus({ preventScroll: true }); // in a small window it may be below what is to be read first
    this.input.setSelectionRange(this.input.value.length, this.input.value.length);
  }

  async #submit(event) {
    event.preventDefault();
    const [text, files, place] = [this.input.value.trim(), this.files, this.#place];
    if (!text && !files.length) return;
    this.fill("");
    const wasTaken = await this.send(text, files);
    if (wasTaken) return;
    if (place !== this.#place) this.#drafts.set(place, [text, files]);
    else if (!this.input.value && !this.files.length) this.fill(text, files);
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
    this.element.classList.toggle("filled", Boolean(this.input.value.trim() || this.files.length));
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
    if (this.cancel) return h("span", { class: "hint" }); // beside two buttons there is no room for it
    return h("span", { class: "hint", "aria-hidden": "true" }, h("kbd", {}, "Shift"), " + ", h("kbd", {}, "Enter"), " for a new line");
  }

  #cancelButton() {
    return this.cancel && h("button", { type: "button", onclick: this.cancel }, "Cancel");
  }
}

const sendButton = () => h("button", { type: "submit", class: "send", title: "Send", "aria-label": "Send" }, icon("send"));
