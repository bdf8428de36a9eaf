// Light or dark: the system's choice until someone presses the button, then theirs.

import { icon } from "./dom.js";

const KEPT = "threadwise.theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const current = () => localStorage.getItem(KEPT) ?? (system.matches ? "dark" : "light");

/** Make `button` switch between light and dark. */
export function startTheme(button) {
  const show = () => {
    const [theme, other] = current() === "dark" ? ["dark", "light"] : ["light", "dark"];
    document.documentElement.dataset.theme = theme;
    button.title = `Switch to ${other}`;
    button.setAttribute("aria-label", button.title);
    button.replaceChildren(icon(other === "dark" ? "moon" : "sun"));
  };
  button.addEventListener("click", () => {
    localStorage.setItem(KEPT, current() === "dark" ? "light" : "dark");
    show();
  });
  system.addEventListener("change", show);
  show();
}
