// A button that opens a menu: shortcuts of the app, and Slack's overflow.

import { h } from "./dom.js";
import { placeBeside } from "./popup.js";

let made = 0;

/** Make the button; `items()` lists `{label, description, choose}` each time it opens. */
export function menuButton(label, properties, content, items) {
  const id = `menu-${(made += 1)}`;
  const menu = h("div", { id, class: "popup menu", role: "menu", popover: "auto", "aria-label": label });
  const named = { type: "button", title: label, "aria-label": label, "aria-haspopup": "menu", "aria-expanded": "false" };
  const button = h("button", { ...named, popovertarget: id, ...properties }, content);
  menu.addEventListener("beforetoggle", ({ newState }) => {
    button.setAttribute("aria-expanded", newState === "open");
    if (newState !== "open") return;
    menu.replaceChildren(...items().map((item, index) => entry(item, menu, index === 0)));
    placeBeside(menu, button);
  });
  menu.addEventListener("keydown", (event) => walk(event, menu));
  return h("span", { class: "menu-place" }, button, menu);
}

function entry({ label, description, choose }, menu, isFirst) {
  const chosen = () => {
    menu.hidePopover();
    choose();
  };
  const properties = { type: "button", role: "menuitem", tabindex: "-1", autofocus: isFirst, onclick: chosen };
  return h("button", properties, label, description && h("small", {}, description));
}

function walk(event, menu) {
  const entries = [...menu.children];
  const at = entries.indexOf(document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  entries.at(next % entries.length).focus();
}
