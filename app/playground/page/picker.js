// The list of people that opens while someone types @ and a few letters.

import { avatar } from "./avatar.js";
import { h } from "./dom.js";

const STARTED = /(?:^|[\s(])@([\p{L}\p{N}]*)$/u;

export class Picker {
  #found = [];
  #chosen = 0;

  /** `people` lists who can be mentioned now, the likeliest first. */
  constructor(input, people) {
    this.input = input;
    this.people = people;
    this.element = h("ul", { class: "picker", role: "listbox", id: `${input.id}-picker`, "aria-label": "People", hidden: true });
    input.setAttribute("aria-controls", this.element.id);
    input.addEventListener("input", () => this.update());
    input.addEventListener("click", () => this.update());
    input.addEventListener("blur", () => this.close());
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** Take a key that is the picker's while it is open; says whether it was. */
  takes(event) {
    const deed = this.isOpen && this.#KEYS[event.key];
    if (!deed) return false;
    event.preventDefault();
    event.stopPropagation();
    deed();
    return true;
  }

  #KEYS = {
    ArrowDown: () => this.#choose(this.#chosen + 1),
    ArrowUp: () => this.#choose(this.#chosen - 1),
    Enter: () => this.#insert(this.#found[this.#chosen]),
    Tab: () => this.#insert(this.#found[this.#chosen]),
    Escape: () => this.close(),
  };

  update() {
    const started = STARTED.exec(this.#before());
    const wanted = started?.[1].toLowerCase();
    this.#found = started ? this.people().filter((person) => names(person).some((name) => name.startsWith(wanted))) : [];
    this.element.hidden = !this.#found.length;
    this.element.replaceChildren(...this.#found.map((person, index) => this.#option(person, index)));
    this.#choose(0);
  }

  close() {
    this.element.hidden = true;
    this.input.removeAttribute("aria-activedescendant");
  }

  #option(person, index) {
    const pick = (event) => {
      event.preventDefault(); // keeps the focus in the input
      this.#insert(this.#found[index]);
    };
    return h(
      "li",
      { role: "option", id: `${this.element.id}-${index}`, onmousedown: pick },
      avatar(person, "small"),
      h("strong", {}, person.name),
      h("span", { class: "aside" }, person.is_bot ? "App" : person.real_name),
    );
  }

  #choose(index) {
    if (!this.isOpen) return;
    this.#chosen = (index + this.#found.length) % this.#found.length;
    [...this.element.children].forEach((option, at) => option.setAttribute("aria-selected", at === this.#chosen));
    this.input.setAttribute("aria-activedescendant", `${this.element.id}-${this.#chosen}`);
  }

  #insert(person) {
    const before = this.#before().replace(/@[\p{L}\p{N}]*$/u, "");
    this.input.setRangeText(`@${person.name} `, before.length, this.input.selectionStart, "end");
    this.close();
    this.input.dispatchEvent(new Event("input"));
  }

  #before() {
    return this.input.value.slice(0, this.input.selectionStart);
  }
}

const names = (person) => [person.name, person.real_name].map((name) => name.toLowerCase());
