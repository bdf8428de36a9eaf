// A select one can search by typing: one choice or several, from a list at hand or from what the app suggests.

import { Refusal } from "./api.js";
import { h, icon } from "./dom.js";
import { placeBeside } from "./popup.js";

let made = 0;

export class Combobox {
  #entries = []; // options in the list, in order
  #at = 0;
  #search = 0; // the number of the newest search: answers to older ones come too late
  #timer = null;

  /**
   * `source.search(query)` resolves to groups `{label, options}`; options are `{text, value, description}`.
   * `chosen` are the options chosen at first, `pick(options)` hears of every change. `name` says what is chosen here.
   */
  constructor({ source, chosen, pick, name, properties, placeholder, isMany = false, most = Infinity, mayClear = false }) {
    Object.assign(this, { source, chosen, pick, isMany, most });
    const id = `options-${(made += 1)}`;
    this.list = h("ul", { id, role: "listbox", "aria-label": "Options", "aria-multiselectable": isMany && "true" });
    this.note = h("p", { class: "note", role: "status" });
    this.popup = h("div", { class: "popup options", popover: "manual", onmousedown: (event) => event.preventDefault() }, this.list, this.note);
    const box = { type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", "aria-autocomplete": "list", "aria-expanded": "false" };
    this.input = h("input", { ...box, "aria-controls": id, ...properties });
    this.placeholder = placeholder;
    this.chips = h("span", { class: "chips" });
    this.clear = mayClear && cross(`Clear ${name}`, () => this.#change([]));
    this.element = h("span", { class: isMany ? "select many" : "select" }, this.chips, this.input, this.clear, icon("down"), this.popup);
    this.#listen();
    this.#show();
  }

  get isOpen() {
    return this.input.ariaExpanded === "true";
  }

  #listen() {
    this.input.addEventListener("input", () => {
      this.#at = 0;
      this.#open(this.source.delay);
    });
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("blur", () => this.#close());
    this.element.addEventListener("mousedown", (event) => {
      if (event.target.closest("button, .popup")) return;
      if (event.target !== this.input) event.preventDefault();
      this.input.focus();
      if (this.isOpen) this.#close();
      else this.#open();
    });
  }

  #key(event) {
    const deed = this.isOpen ? this.#KEYS[event.key] : this.#CLOSED_KEYS[event.key];
    if (!deed || event.isComposing || deed() === false) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #KEYS = {
    ArrowDown: () => this.#point(this.#at + 1),
    ArrowUp: () => this.#point(this.#at - 1),
    Enter: () => this.#choose(this.#entries[this.#at]),
    Escape: () => this.#close(),
    Backspace: () => this.#takeBack(),
  };

  #CLOSED_KEYS = {
    ArrowDown: () => this.#open(),
    ArrowUp: () => this.#open(),
    Enter: () => this.#open(),
    Backspace: () => this.#takeBack(),
  };

  #takeBack() {
    if (!this.isMany || this.input.value || !this.chosen.length) return false;
    return this.#change(this.chosen.slice(0, -1));
  }

  // --- the list ------------------------------------------------------------------------------

  #open(delay = 0) {
    if (!this.isOpen) {
      this.input.ariaExpanded = "true";
      if (this.#isShown(this.input.value)) this.input.select();
      this.popup.showPopover();
      document.addEventListener("scroll", this.#place, { capture: true, passive: true });
    }
    const query = this.#isShown(this.input.value) ? "" : this.input.value.trim();
    this.#search += 1;
    clearTimeout(this.#timer);
    if (query.length < (this.source.least ?? 0)) this.#list([], `Write ${this.source.least} or more letters.`);
    else if (delay) this.#timer = setTimeout(() => this.#find(query), delay);
    else this.#find(query);
  }

  async #find(query) {
    const search = this.#search;
    if (this.source.delay) this.#list([], "Searching…");
    let [groups, note] = [[], "Nothing found."];
    try {
      groups = await this.source.search(query);
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      note = refusal.message;
    }
    if (search === this.#search && this.isOpen) this.#list(groups, note);
  }

  #list(groups, note) {
    this.#entries = groups.flatMap(({ options }) => options);
    this.note.textContent = this.#entries.length ? "" : note;
    const option = (found) => this.#option(found, this.#entries.indexOf(found));
    const drawn = ({ label, options }) => [label && options.length > 0 && heading(label), ...options.map(option)];
    this.list.replaceChildren(...groups.flatMap(drawn).filter(Boolean));
    this.#place();
    this.#point(this.isMany ? this.#at : Math.max(0, this.#entries.findIndex(({ value }) => value === this.chosen[0]?.value)));
  }

  #option(found, index) {
    const isChosen = this.#isChosen(found);
    return h(
      "li",
      { role: "option", id: `${this.list.id}-${index}`, "aria-selected": isChosen ? "true" : "false", onclick: () => this.#choose(found) },
      h("span", {}, found.text, found.description && h("small", {}, found.description)),
      isChosen && icon("check"),
    );
  }

  #point(index) {
    const options = [...this.list.querySelectorAll("[role=option]")];
    this.#at = options.length ? (index + options.length) % options.length : 0;
    options.forEach((option, at) => option.classList.toggle("pointed", at === this.#at));
    options[this.#at]?.scrollIntoView({ block: "nearest" });
    if (options.length) this.input.setAttribute("aria-activedescendant", options[this.#at].id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  #place = () => placeBeside(this.popup, this.element, { isAsWide: true });

  #close() {
    clearTimeout(this.#timer);
    this.input.ariaExpanded = "false";
    this.input.removeAttribute("aria-activedescendant");
    document.removeEventListener("scroll", this.#place, { capture: true });
    if (this.popup.isConnected) this.popup.hidePopover();
    this.#show();
  }

  // --- what is chosen ------------------------------------------------------------------------

  #choose(found) {
    if (!found) return;
    if (!this.isMany) this.#change([found]);
    else if (this.#isChosen(found)) this.#change(this.#without(found));
    else if (this.chosen.length < this.most) this.#change([...this.chosen, found]);
    if (!this.isMany) this.#close();
  }

  #isChosen = (option) => this.chosen.some(({ value }) => value === option.value);
  #without = (option) => this.chosen.filter(({ value }) => value !== option.value);

  #change(chosen) {
    this.chosen = chosen;
    this.#show();
    if (this.isOpen) this.#open();
    this.pick(chosen);
  }

  #isShown(text) {
    return !this.isMany && text === this.chosen[0]?.text;
  }

  #show() {
    this.input.value = this.isMany ? "" : this.chosen[0]?.text ?? "";
    this.input.placeholder = this.isMany && this.chosen.length ? "" : this.placeholder;
    if (this.clear) this.clear.hidden = !this.chosen.length;
    if (this.isMany) this.chips.replaceChildren(...this.chosen.map((option) => this.#chip(option)));
  }

  #chip(option) {
    const remove = () => this.#change(this.#without(option));
    return h("span", { class: "chosen" }, option.text, cross(`Remove ${option.text}`, remove));
  }
}

const cross = (label, onclick) => h("button", { type: "button", "aria-label": label, onclick }, icon("close"));
const heading = (label) => h("li", { class: "group", role: "presentation" }, label);
