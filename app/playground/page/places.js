// What the two panes show of a place: header, rows, notice, and what the box to write in is called.

import { h, icon, iconButton } from "./dom.js";
import { appHeading } from "./home.js";
import { channelRows, threadRows } from "./timeline.js";

/** Show a channel or direct messages; `invite` brings someone in, `openTab` turns to the app's Home. */
export function channelView(workspace, channel, { unread, invite, openTab }) {
  const title = workspace.title(channel);
  const shown = channel.is_im ? title : `#${title}`;
  const rows = channelRows(workspace, channel.id, unread);
  return {
    place: `${workspace.me} ${channel.id}`,
    label: `Message ${shown}`,
    rows: rows.length ? rows : [{ kind: "beginning", key: "beginning", ...beginning(workspace, channel, shown) }],
    header: [channel.is_im ? appHeading(workspace, "messages", openTab, "channel-title") : heading(channel, title, shown)],
    notice: notices(workspace, channel, invite),
    said: null,
    stop: null,
    mayWrite: channel.is_member,
    hasShortcuts: workspace.shortcutsFor("global").length > 0,
  };
}

/** Show a thread; `close` leaves it, `stop` is Slack's own Stop. */
export function threadView(workspace, channel, ts, { close, stop }) {
  const title = workspace.title(channel);
  return {
    place: `${workspace.me} ${channel.id} ${ts}`,
    label: "Reply…",
    rows: threadRows(workspace, channel.id, ts),
    header: [threadHeading(channel.is_im ? title : `#${title}`, close)],
    notice: [],
    said: workspace.status(channel.id, ts),
    stop: workspace.session(channel.id, ts)?.stoppable ? stop : null,
    mayWrite: channel.is_member,
    hasShortcuts: workspace.shortcutsFor("global").length > 0,
  };
}

function heading(channel, title, shown) {
  const drawn = channel.is_private ? "lock" : "hash";
  return {
    key: "title",
    signature: JSON.stringify([drawn, title]),
    build: () => h("h2", { id: "channel-title", "aria-label": shown, title: shown }, icon(drawn), h("span", { class: "name" }, title)),
  };
}

function threadHeading(where, close) {
  const build = () =>
    h(
      "div",
      { class: "thread-heading" },
      h("h2", { id: "thread-title" }, "Thread", h("span", { class: "aside name", title: where }, where)),
      iconButton("close", "Close the thread (Escape)", close),
    );
  return { key: "title", signature: where, build };
}

function notices(workspace, channel, invite) {
  const bot = workspace.name(workspace.bot);
  if (!channel.is_member) return [notice(`You are not in #${channel.name}.`, "Join", () => invite(workspace.me))];
  if (!channel.bot_is_member) return [notice(`${bot} is not in #${channel.name} and hears nothing here.`, `Add ${bot}`, () => invite(workspace.bot))];
  return [];
}

function notice(sentence, deed, onclick) {
  const button = () => h("button", { type: "button", onclick }, deed);
  return { key: deed, signature: sentence, build: () => h("p", {}, h("span", {}, sentence), button()) };
}

function beginning(workspace, channel, shown) {
  const bot = workspace.name(workspace.bot);
  if (channel.is_im) return { title: bot, sentence: `Just you and ${bot}. Whatever you write here starts a thread of its own.` };
  const invitation = channel.bot_is_member ? ` Write @${bot} and what you want to decide or get done; the answer comes in a thread.` : "";
  return { title: shown, sentence: `This is where ${shown} begins.${invitation}` };
}
