// Block Kit's interactive elements. Each is drawn from Slack's JSON and a field, which `Surface.field` makes:
// `store(value, options)` keeps what is chosen or typed, `act(value)` tells the app; inputs of a modal mostly have no `act`.

import { Combobox } from "./combobox.js";
import { h, icon } from "./dom.js";
import { menuButton } from "./menu.js";
import { known, sourceOf } from "./options.js";
import { plain } from "./plain.js";

const SAFE_LINK = /^(https?:\/\/|mailto:)/i;
const STYLES = ["primary", "danger"];

let made = 0;

/** Say whether an element has a value of its own, which goes with the view. */
export const hasValue = ({ type }) => type in DRAW && type !== "button" && type !== "overflow";

/** Draw an element; one the page does not know becomes a labelled placeholder. */
export function drawElement(element, field) {
  const draw = DRAW[element.type];
  if (!draw) return h("span", { class: "unknown" }, `${element.type} element, not drawn here`);
  return draw(element, field);
}

/** Open the link of a button or of an entry, if it has one: within the page where it leads to a message. */
function open(url, field) {
  if (url && SAFE_LINK.test(url) && !field.follow(url)) window.open(url, "_blank", "noopener,noreferrer");
}

const identity = (element, field) => ({ id: field.id, "data-action-id": element.action_id, "aria-describedby": field.describedBy });
const named = (element, field) => ({ ...identity(element, field), "aria-label": field.labelId ? null : nameOf(element, field) });
const nameOf = (element, { label }) => label || plain(element.placeholder) || kindName(element);
const kindName = ({ type }) => type.replace(/^multi_|_input$|_select$/g, "").replaceAll("_", " ");

/** Keep a value, and tell the app where it wants to know at once. */
function give(field, value, options) {
  field.store(value, options);
  field.act?.(value);
}

// --- buttons ---------------------------------------------------------------------------------

function button(element, field) {
  const onclick = async ({ currentTarget }) => {
    if (currentTarget.ariaBusy) return;
    open(element.url, field);
    currentTarget.ariaBusy = "true";
    await field.act(element.value ?? null);
    currentTarget.ariaBusy = null;
  };
  const style = STYLES.includes(element.style) ? element.style : null;
  const label = element.accessibility_label;
  return h("button", { ...identity(element, field), type: "button", class: style, "aria-label": label, onclick }, plain(element.text));
}

function overflow(element, field) {
  const items = () =>
    element.options.map((option) => ({
      label: plain(option.text),
      description: plain(option.description),
      choose: () => {
        open(option.url, field);
        field.act(option.value);
      },
    }));
  return menuButton("More", { ...identity(element, field), class: "overflow" }, icon("more"), items);
}

// --- writing ---------------------------------------------------------------------------------

function textInput(element, field) {
  const input = element.multiline ? h("textarea", { rows: "4" }) : h("input", { type: "text" });
  return written(input, element, field, { maxlength: element.max_length });
}

const addressInput = (type) => (element, field) => written(h("input", { type }), element, field, {});

/** Draw a field for a number: one of text, because the browser's own says nothing of what is no number, as if it were empty. */
function numberInput(element, field) {
  const inputmode = element.is_decimal_allowed ? "decimal" : "numeric";
  return written(h("input", { type: "text", autocomplete: "off" }), element, field, { inputmode });
}

function written(input, element, field, more) {
  const properties = { ...named(element, field), ...more, placeholder: plain(element.placeholder) || null, class: "written" };
  for (const [name, value] of Object.entries(properties)) if (value != null) input.setAttribute(name, value);
  input.value = field.value ?? "";
  input.addEventListener("input", () => field.store(input.value || null));
  input.addEventListener("keydown", (event) => {
    if (!field.act || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    field.act(input.value || null);
  });
  return input;
}

const moment = (type) => (element, field) => {
  const onchange = ({ target }) => give(field, target.value || null);
  return h("input", { ...named(element, field), type, class: "written moment", value: field.value, onchange });
};

// --- choosing --------------------------------------------------------------------------------

const tick = (type) => (element, field) => {
  const isMany = type === "checkbox";
  const name = `choice-${(made += 1)}`; // not the field's: a thread's root stands in both panes
  const label = field.labelId ? { "aria-labelledby": field.labelId } : { "aria-label": "Choices" };
  const group = h("div", { class: "choices-list", role: isMany ? "group" : "radiogroup", "data-action-id": element.action_id, ...label });
  const chosen = () => [...group.querySelectorAll(":checked")].map((input) => input.value);
  const onchange = () => give(field, isMany ? chosen() : chosen()[0]);
  const picked = [field.value].flat();
  const choice = (option) =>
    h(
      "label",
      { class: "choice" },
      h("input", { type, name, value: option.value, checked: picked.includes(option.value), onchange, "aria-describedby": field.describedBy }),
      h("span", {}, plain(option.text), option.description && h("small", {}, plain(option.description))),
    );
  group.append(...element.options.map(choice));
  return group;
};

function select(element, field) {
  const isMany = element.type.startsWith("multi_");
  const values = [field.value].flat().filter(Boolean);
  const pick = (options) => {
    const picked = options.map(({ value }) => value);
    give(field, isMany ? picked : picked[0] ?? null, options);
  };
  const box = new Combobox({
    source: sourceOf(element, field),
    chosen: field.options ?? known(element, values, field.workspace),
    pick,
    name: nameOf(element, field),
    properties: named(element, field),
    placeholder: plain(element.placeholder) || "Choose…",
    isMany,
    most: element.max_selected_items,
    mayClear: field.isOptional && !isMany,
  });
  return box.element;
}

const SELECTS = ["static", "external", "users", "conversations", "channels"].flatMap((kind) => [`${kind}_select`, `multi_${kind}_select`]);

const DRAW = {
  button,
  overflow,
  plain_text_input: textInput,
  email_text_input: addressInput("email"),
  url_text_input: addressInput("url"),
  number_input: numberInput,
  datepicker: moment("date"),
  timepicker: moment("time"),
  radio_buttons: tick("radio"),
  checkboxes: tick("checkbox"),
  ...Object.fromEntries(SELECTS.map((type) => [type, select])),
};
