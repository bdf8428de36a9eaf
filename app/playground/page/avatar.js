// The square that stands for somebody: initials on their own colour, and the compass for the bot.

import { h, icon } from "./dom.js";

const TINTS = 6; // as many as theme.css knows

/** Draw a member as the workspace lists them, or somebody it does not list. */
export function avatar(person, size = "") {
  const tint = person.is_bot ? "bot" : (person.number ?? 0) % TINTS;
  const drawn = person.is_bot ? icon("compass") : initials(person.real_name || person.name || "?");
  return h("span", { class: `avatar ${size} tint-${tint}`, "aria-hidden": "true" }, drawn);
}

const initials = (name) => name.split(/\s+/).slice(0, 2).map((word) => word.charAt(0).toUpperCase()).join("");
