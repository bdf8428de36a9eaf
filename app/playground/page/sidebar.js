// The workspace's channels and direct messages, and who one is; choosing is for `goTo`, `openApp` and `become`.

import { avatar } from "./avatar.js";
import { h, icon, reconcile } from "./dom.js";

/** Show where one can go; `place` is where one is. */
export function showChannels(container, workspace, place, { unread, goTo, openApp }) {
  const isUnread = (channel) => channel.is_member && unread.inChannel(channel.id, workspace.messages[channel.id] ?? []);
  const [dms, channels] = [true, false].map((isDm) => workspace.channels.filter((channel) => channel.is_im === isDm));
  const rows = channels.map((channel) => ({
    key: channel.id, label: channel.name, icon: channel.is_private ? "lock" : "hash",
    isHere: channel.id === place.channel, isUnread: isUnread(channel), isQuiet: !channel.is_member, open: () => goTo({ channel: channel.id }),
  }));
  const dm = dms[0];
  const bot = {
    key: "dm", label: workspace.name(workspace.bot), person: workspace.people.get(workspace.bot),
    isHere: Boolean(dm) && dm.id === place.channel, isUnread: Boolean(dm) && isUnread(dm), isQuiet: false, open: () => openApp(),
  };
  reconcile(container, [heading("Channels"), ...rows.map(entry), heading("Direct messages"), entry(bot)]);
}

/** Let the button fold the list of places away, and out again, where the page is too narrow for both. */
export function startFolding(button) {
  const turn = (isOpen) => {
    button.setAttribute("aria-expanded", isOpen);
    button.setAttribute("aria-label", isOpen ? "Hide channels and people" : "Show channels and people");
    button.title = button.ariaLabel;
  };
  button.append(icon("menu"));
  button.addEventListener("click", () => turn(button.ariaExpanded === "false"));
  turn(false);
  return () => turn(false);
}

const heading = (title) => ({ key: title, signature: title, build: () => h("h2", {}, title) });

function entry({ open, ...row }) {
  const build = () =>
    h(
      "button",
      { type: "button", class: row.isUnread ? "place unread" : row.isQuiet ? "place quiet" : "place", "aria-current": row.isHere && "page", onclick: open },
      row.person ? avatar(row.person, "small") : icon(row.icon),
      h("span", { class: "name" }, row.label),
      row.person && h("span", { class: "badge" }, "App"),
      row.isUnread && h("span", { class: "dot", role: "img", "aria-label": "unread" }),
    );
  return { key: row.key, signature: JSON.stringify(row), build };
}

/** Show who one is, and who else one could be. */
export function showPeople(button, list, workspace, become) {
  const person = workspace.people.get(workspace.me);
  const parts = {
    picture: () => avatar(person),
    who: () => h("span", { class: "who" }, h("small", {}, "You are"), h("strong", {}, workspace.name(person.id))),
    switch: () => icon("switch"),
  };
  reconcile(button, Object.entries(parts).map(([key, build]) => ({ key, signature: JSON.stringify(person), build })));
  const title = { key: "title", signature: "", build: () => h("p", {}, "Be somebody else") };
  const people = workspace.users.filter((user) => !user.is_bot);
  reconcile(list, [title, ...people.map((user) => personEntry(user, workspace, become))]);
}

function personEntry(user, workspace, become) {
  const isMe = user.id === workspace.me;
  const choose = () => become(user.id);
  const build = () =>
    h(
      "button",
      { type: "button", "aria-current": isMe && "true", "data-user": user.id, popovertarget: "people", popovertargetaction: "hide", onclick: choose },
      avatar(user),
      workspace.name(user.id),
      isMe && icon("check"),
    );
  return { key: user.id, signature: JSON.stringify([user, isMe]), build };
}
