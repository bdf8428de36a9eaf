// Blocks with something to press, choose or write in them, wherever they stand: a message, a modal, the Home tab.
// What is only to be read comes as HTML of the server's renderer.

import { h, sanitised } from "./dom.js";
import { drawElement, hasValue } from "./elements.js";
import { confirmed } from "./notices.js";
import { initialValue } from "./options.js";
import { plain } from "./plain.js";

/** Where blocks stand: what is chosen and typed there, also while they are drawn anew, and what the app is told and asked. */
export class Surface {
  #held = new Map();

  /**
   * `act(place, element, value)` and `suggest(place, query)` name the place `{block_id, action_id}`; `workspace()` is the
   * one now shown, `follow` goes to a link of it; `name` is unlike that of any other surface.
   */
  constructor({ name, act, suggest, workspace, follow }) {
    Object.assign(this, { name, act, suggest, workspace, follow });
  }

  /** What the server knows of these blocks' values; it counts where nobody has touched anything here. */
  values = {};

  /** Every value of these blocks, as `{block_id: {action_id: value}}`. */
  filled(blocks) {
    const all = {};
    for (const block of blocks) {
      for (const element of elementsOf(block).filter(hasValue)) {
        all[block.block_id] ??= {};
        all[block.block_id][element.action_id] = this.#value(block, element);
      }
    }
    return all;
  }

  /** What an element is drawn with; `redraw` puts it back when the person thinks better of it. */
  field(block, element, redraw) {
    const place = { block_id: block.block_id, action_id: element.action_id };
    const key = this.#key(block, element);
    const before = this.#held.get(key);
    const act = async (value) => {
      if (!element.confirm || (await mayBe(element.confirm))) return this.act(place, element, value);
      if (before) this.#held.set(key, before);
      else this.#held.delete(key);
      return redraw();
    };
    return {
      key,
      act: block.type === "input" && !block.dispatch_action ? null : act,
      value: this.#value(block, element),
      options: before?.options,
      store: (value, options) => this.#held.set(key, { value, options }),
      suggest: (query) => this.suggest(place, query),
      follow: this.follow,
      workspace: this.workspace(),
    };
  }

  #key = (block, element) => `${this.name}-${block.block_id}-${element.action_id}`;

  #value(block, element) {
    const held = this.#held.get(this.#key(block, element));
    if (held) return held.value;
    const told = this.values[block.block_id]?.[element.action_id];
    return told === undefined ? initialValue(element) : told;
  }
}

const elementsOf = (block) => [block.elements, block.element, block.accessory].flat().filter((element) => element?.action_id);

const mayBe = ({ title, text, confirm, deny, style }) =>
  confirmed(plain(title), h("p", {}, plain(text)), plain(confirm), { deny: plain(deny), isDanger: style === "danger" });

/** Put the interactive elements into HTML that the server has rendered of a message's blocks, where it left room for them. */
export function enliven(html, blocks, surface) {
  for (const room of html.querySelectorAll("[data-action-id]")) {
    const { blockId, actionId } = room.dataset;
    const block = blocks.find((one) => one.block_id === blockId);
    const element = block && elementsOf(block).find((one) => one.action_id === actionId);
    if (element) room.replaceWith(live(element, block, surface));
  }
}

/** Draw a block of a view; `html` is what the server rendered of it. */
export function drawBlock(block, html, surface) {
  if (block.type === "input") return inputBlock(block, surface);
  const drawn = sanitised(h("div"), html ?? "").firstElementChild ?? h("div", { class: `block ${block.type}` });
  const elements = elementsOf(block).map((element) => live(element, block, surface));
  if (block.accessory && elements.length) drawn.append(h("div", { class: "accessory" }, elements));
  else drawn.append(...elements);
  return drawn;
}

/** Draw an element that stands alone, without a label. */
function live(element, block, surface) {
  const redraw = () => drawn.replaceWith(live(element, block, surface));
  const drawn = drawElement(element, surface.field(block, element, redraw));
  return drawn;
}

function inputBlock(block, surface) {
  const { element } = block;
  const redraw = () => drawn.replaceWith(inputBlock(block, surface));
  const field = surface.field(block, element, redraw);
  const [label, hint, error] = ["label", "hint", "error"].map((part) => `${field.key}-${part}`);
  const labelled = { id: field.key, label: plain(block.label), labelId: label, describedBy: `${hint} ${error}`, isOptional: block.optional };
  const drawn = h(
    "div",
    { class: "block input" },
    h("label", { id: label, for: field.key }, plain(block.label), block.optional && h("span", { class: "aside" }, " (optional)")),
    drawElement(element, { ...field, ...labelled }),
    h("p", { id: error, class: "input-error" }),
    h("p", { id: hint, class: "input-hint" }, plain(block.hint)),
  );
  return drawn;
}
