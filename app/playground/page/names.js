// Names of controls for people who hear the page: two that say the same also say of what.

const LONGEST = 60; // characters
const CONTROLS = "button";

/** Give each control in an element a name of its own, however often the page is drawn. */
export function tellApart(root) {
  for (const [name, several] of grouped(root.querySelectorAll(CONTROLS))) {
    for (const control of several) {
      const subject = several.length > 1 && subjectOf(control);
      if (subject) control.setAttribute("aria-label", `${name} for ${subject}`);
    }
  }
}

const own = new WeakMap(); // what a control says by itself

function said(control) {
  if (!own.has(control)) own.set(control, control.ariaLabel || wordsOf(control));
  return own.get(control);
}

const wordsOf = ({ childNodes }) =>
  [...childNodes].filter(({ ariaHidden }) => ariaHidden !== "true").map((part) => part.ariaLabel || part.textContent.trim()).filter(Boolean).join(" ");

function grouped(found) {
  const groups = new Map();
  for (const control of found) groups.set(said(control), [...(groups.get(said(control)) ?? []), control]);
  return groups;
}

/** Find what a control is about: the words of its section, those above it in a window, or the message that it stands in. */
function subjectOf(control) {
  const section = control.closest(".section")?.querySelector(".body, p");
  const above = control.closest(".view > .block")?.previousElementSibling;
  const message = control.closest(".message");
  const words = [section, above, message?.querySelector(".text > :first-child")].map((part) => short(part?.textContent ?? "")).find(Boolean);
  const time = message?.querySelector("time")?.textContent;
  return words ?? time;
}

function short(text) {
  const words = text.replace(/\s+/g, " ").trim();
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
