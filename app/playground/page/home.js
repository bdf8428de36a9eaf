// The app's two tabs as Slack has them, and the Home that it publishes for one person.

import { avatar } from "./avatar.js";
import { h, reconcile } from "./dom.js";
import { View } from "./view.js";

/** Head the app's pane with its name and tabs; `here` is the one shown, `open(tab)` turns to another. */
export function appHeading(workspace, here, open, id) {
  const bot = workspace.people.get(workspace.bot);
  const build = () =>
    h(
      "div",
      { class: "app-heading" },
      h("h2", { id }, avatar(bot, "small"), workspace.name(bot.id)),
      h("div", { class: "tabs", role: "group", "aria-label": "Tabs" }, TABS.map((tab) => tabButton(tab, here, open))),
    );
  return { key: "title", signature: JSON.stringify([workspace.me, bot, here]), build };
}

const TABS = [["home", "Home"], ["messages", "Messages"]];

function tabButton([tab, label], here, open) {
  const state = { "aria-current": tab === here && "page", "data-control": tab };
  return h("button", { type: "button", class: "tab", onclick: () => open(tab), ...state }, label);
}

export class Home {
  #view = null;

  constructor(root, deeds) {
    this.deeds = deeds;
    this.header = h("header", { class: "pane-header" });
    this.body = h("div", { class: "home-body", tabindex: "0", role: "group", "aria-labelledby": "home-title" });
    root.append(this.header, this.body);
  }

  /** Show a person's Home; `open(tab)` turns to another tab. */
  show(workspace, open) {
    reconcile(this.header, [appHeading(workspace, "home", open, "home-title")]);
    reconcile(this.body, [workspace.home ? this.#published(workspace.home) : nothing(workspace)]);
  }

  /** Start at the tab that is shown. */
  focus() {
    this.header.querySelector("[aria-current]")?.focus();
  }

  #published(view) {
    if (this.#view?.view.id === view.id) this.#view.show(view);
    else this.#view = new View(view, this.deeds);
    return { key: view.id, signature: "published", build: () => this.#view.element };
  }
}

function nothing(workspace) {
  const bot = workspace.name(workspace.bot);
  const build = () =>
    h("div", { class: "home-empty" }, avatar(workspace.people.get(workspace.bot)), h("p", {}, `${bot} has put nothing here yet.`));
  return { key: "nothing", signature: workspace.me, build };
}
