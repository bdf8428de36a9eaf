// Building elements and keeping lists of them up to date.
// Text goes in as text; HTML only through `sanitised`, and that is the server's renderer's output.

import { told } from "./time.js";

/** Make an element: `on…` properties are listeners, `true` is a bare attribute, `false` and null are left out. */
export function h(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child != null && child !== false));
  return node;
}

/** Draw one symbol of icons.svg; it is decoration, so the control around it needs a label. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `/page/icons.svg#${name}`);
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

/** Make a square button that shows an icon and says what it does. */
export function iconButton(name, label, onclick, properties = {}) {
  const button = { type: "button", class: "icon-button", title: label, "aria-label": label, "data-control": name };
  return h("button", { ...button, onclick, ...properties }, icon(name));
}

/** Put HTML that the server has rendered and sanitised into an element, with its dates by the reader's clock. */
export function sanitised(node, html) {
  node.innerHTML = html;
  return withDates(node);
}

/** Read such HTML as words alone. */
export const wordsIn = (html) => withDates(new DOMParser().parseFromString(html, "text/html").body).textContent;

function withDates(node) {
  for (const date of node.querySelectorAll("time[data-moment]")) {
    date.textContent = told(date.dataset.moment, date.dataset.form) ?? date.textContent;
  }
  return node;
}

/**
 * Make the children of `container` those of `entries`: `{key, signature, build}`.
 * An element whose signature is unchanged stays as it is, with its focus, its selection and its scroll.
 */
export function reconcile(container, entries) {
  const before = new Map([...container.children].map((node) => [node.dataset.key, node]));
  const after = entries.map((entry) => current(before.get(entry.key), entry));
  const kept = new Set(after);
  const focused = focusedControl(container);
  for (const node of before.values()) if (!kept.has(node)) node.remove();
  after.forEach((node, index) => {
    if (container.children[index] !== node) container.insertBefore(node, container.children[index] ?? null);
  });
  if (focused && !container.contains(document.activeElement)) focusAgain(container, focused);
}

const signatures = new WeakMap();

function current(node, { key, signature, build }) {
  if (node && signatures.get(node) === signature) return node;
  const fresh = build();
  fresh.dataset.key = key;
  signatures.set(fresh, signature);
  return fresh;
}

/** Name the element around the focus, and the focused control in a way that finds its successor after that was rebuilt. */
function focusedControl(container) {
  const focus = document.activeElement;
  const key = container.contains(focus) && focus.closest("[data-key]")?.dataset.key;
  if (!key) return null;
  const { control, actionId } = focus.dataset;
  const within = `[data-key="${CSS.escape(key)}"]`;
  if (control) return [within, `${within} [data-control="${CSS.escape(control)}"]`];
  return [within, actionId ? `${within} [data-action-id="${CSS.escape(actionId)}"]` : within];
}

/** Focus what has come in place of a control; where it is gone, as after a press on a card, what was around it. */
function focusAgain(container, [within, control]) {
  const [around, successor] = [within, control].map((found) => container.querySelector(found));
  for (const place of [successor, around, container.closest("[tabindex]")]) {
    place?.focus({ preventScroll: true });
    if (place?.contains(document.activeElement)) return;
  }
}
