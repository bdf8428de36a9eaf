// The strip at the bottom: how often each message was edited, what Slack refused the app, and the way back into a tour.
// It can be hidden.

import { h, iconButton, reconcile, wordsIn } from "./dom.js";
import { clock } from "./time.js";

const KEPT = "threadwise.strip";
const SHOWN = 6; // messages, the newest ones
const ERRORS = 3;

/** Show what the app did to Slack lately; `goTo` leads to a message. */
export function showStrip(strip, workspace, goTo, tour) {
  const isHidden = localStorage.getItem(KEPT) === "hidden";
  strip.classList.toggle("folded", isHidden);
  const turn = () => {
    localStorage.setItem(KEPT, isHidden ? "shown" : "hidden");
    showStrip(strip, workspace, goTo, tour);
  };
  const again = tour.isLeft ? [link("tour", "Take the tour", () => tour.turn())] : [];
  const shown = isHidden ? [link("unfold", "Show edits and errors", turn)] : [...edits(workspace, goTo), ...refusals(workspace)];
  reconcile(strip, [...shown, ...again, ...(isHidden ? [] : [hide(turn)])]);
}

const text = (key, className, said) => ({ key, signature: said, build: () => h("span", { class: className }, said) });

const link = (key, label, onclick) => ({
  key, signature: "", build: () => h("button", { type: "button", class: "link", onclick }, label),
});

const hide = (turn) => ({ key: "hide", signature: "", build: () => iconButton("close", "Hide this strip", turn) });

function edits(workspace, goTo) {
  const edited = workspace.edited().slice(0, SHOWN);
  const none = edited.length ? [] : [text("none", "aside", "none yet")];
  return [text("edits", "title", "Edits"), ...none, ...edited.map((found) => editChip(found, goTo))];
}

function editChip({ channel, message }, goTo) {
  const times = message.edit_count === 1 ? "1 edit" : `${message.edit_count} edits`;
  const start = words(message);
  const open = () => goTo({ channel, thread: message.thread_ts, message: message.ts });
  const build = () =>
    h("button", { type: "button", class: "chip", title: `Go to “${start}”`, onclick: open }, h("span", { class: "start" }, start), h("b", {}, times));
  return { key: `${channel}-${message.ts}`, signature: `${times} ${start}`, build };
}

const words = (message) => (wordsIn(message.html) || message.text).trim().slice(0, 40);

function refusals(workspace) {
  const errors = workspace.strip.errors.slice(-ERRORS).reverse();
  const none = errors.length ? [] : [text("calm", "aside", "none")];
  return [text("errors", "title", "API errors"), ...none, ...errors.map(refusal)];
}

function refusal({ at, method, error, status }, index) {
  return text(`error-${index}`, "refusal", `${clock(at)} ${method} – ${error} (${status})`);
}
