// The list that opens while someone types: people after @, the app's commands after a / at the start.

import { avatar } from "./avatar.js";
import { h } from "./dom.js";

export class Picker {
  #found = [];
  #chosen = 0;

  /** `kinds` are what can be offered: the first whose `started` ends what stands before the caret lists its `offers`. */
  constructor(input, kinds) {
    this.input = input;
    this.kinds = kinds;
    this.element = h("ul", { class: "picker", role: "listbox", id: `${input.id}-picker`, "aria-label": "Suggestions", hidden: true });
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
    if (!deed || deed() === false) return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  #KEYS = {
    ArrowDown: () => this.#choose(this.#chosen + 1),
    ArrowUp: () => this.#choose(this.#chosen - 1),
    Enter: () => this.#complete(),
    Tab: () => this.#insert(this.#found[this.#chosen]),
    Escape: () => this.close(),
  };

  update() {
    const before = this.#before();
    const kind = this.kinds.find(({ started }) => started.test(before));
    const [, wanted] = kind?.started.exec(before) ?? [];
    this.#found = kind ? kind.offers(wanted.toLowerCase()) : [];
    this.element.hidden = !this.#found.length;
    this.element.replaceChildren(...this.#found.map((offer) => this.#option(offer)));
    this.#choose(0);
  }

  close() {
    this.element.hidden = true;
    this.input.removeAttribute("aria-activedescendant");
  }

  #option(offer) {
    const pick = (event) => {
      event.preventDefault(); // keeps the focus in the input
      this.#insert(offer);
    };
    return h("li", { role: "option", id: `${this.element.id}-${this.#found.indexOf(offer)}`, onmousedown: pick }, offer.drawn());
  }

  #choose(index) {
    if (!this.isOpen) return;
    this.#chosen = (index + this.#found.length) % this.#found.length;
    [...this.element.children].forEach((option, at) => option.setAttribute("aria-selected", at === this.#chosen));
    this.input.setAttribute("aria-activedescendant", `${this.element.id}-${this.#chosen}`);
  }

  /** Complete what is typed; a command that is typed in full is left to be sent. */
  #complete() {
    const offer = this.#found[this.#chosen];
    if (!offer.isMessage || offer.text !== this.#before()) return this.#insert(offer);
    this.close();
    return false;
  }

  #insert({ text, replaces }) {
    const before = this.#before().replace(replaces, "");
    this.input.setRangeText(`${text} `, before.length, this.input.selectionStart, "end");
    this.close();
    this.input.dispatchEvent(new Event("input"));
  }

  #before() {
    return this.input.value.slice(0, this.input.selectionStart);
  }
}

/** Offer people to mention; `people()` lists them, the likeliest first. */
export const peopleAfterAt = (people) => ({
  started: /(?:^|[\s(])@([\p{L}\p{N}]*)$/u,
  offers: (wanted) => people().filter((person) => names(person).some((name) => name.startsWith(wanted))).map(mention),
});

const names = (person) => [person.name, person.real_name].map((name) => name.toLowerCase());

const mention = (person) => ({
  text: `@${person.name}`,
  replaces: /@[\p{L}\p{N}]*$/u,
  drawn: () => [avatar(person, "small"), h("strong", {}, person.name), h("span", { class: "aside" }, person.is_bot ? "App" : person.real_name)],
});

/** Offer the app's slash commands; `commands()` lists them. */
export const commandsAfterSlash = (commands) => ({
  started: /^\/([\w-]*)$/,
  offers: (wanted) => commands().filter(({ command }) => command.startsWith(`/${wanted}`)).map(offered),
});

const offered = ({ command, usage_hint: usage, description, bot }) => ({
  text: command,
  isMessage: true, // it can be sent as it is
  replaces: /^\/[\w-]*$/,
  drawn: () => [
    avatar(bot, "small"),
    h("span", { class: "command" }, h("strong", {}, command), usage && h("code", {}, usage), description && h("span", { class: "aside" }, description)),
  ],
});
