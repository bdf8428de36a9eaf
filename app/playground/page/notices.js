// What the page says beside the messages: toasts for refusals, a question before deleting, news for screen readers.

import { h, iconButton } from "./dom.js";

const TOAST_STAYS = 8000; // milliseconds
const ANNOUNCED = 200; // characters

/** Show a sentence for a while. */
export function toast(sentence) {
  const shown = h("div", { class: "toast" }, h("span", {}, sentence), iconButton("close", "Dismiss", () => shown.remove()));
  const toasts = document.getElementById("toasts");
  toasts.append(shown);
  toasts.hidePopover(); // shown anew, it stands above whatever was opened since
  toasts.showPopover();
  setTimeout(() => shown.remove(), TOAST_STAYS);
}

/** Ask before something is done, with a body that says what; resolves to whether it may be. */
export function confirmed(title, body, deed, { deny = "Cancel", isDanger = true } = {}) {
  const dialog = document.getElementById("confirm");
  dialog.replaceChildren(
    h("h2", { id: "confirm-title" }, title),
    body,
    h(
      "form",
      { method: "dialog", class: "choices" },
      h("button", { value: "" }, deny),
      h("button", { value: "yes", class: isDanger ? "danger" : "primary", autofocus: true }, deed),
    ),
  );
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

/** Tell people who listen to the page rather than look at it. */
export function announce(author, text) {
  document.getElementById("announcer").textContent = `${author}: ${text.slice(0, ANNOUNCED)}`;
}
