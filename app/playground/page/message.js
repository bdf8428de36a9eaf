// One message: who said it and when, what it says, its thread, and what its reader can do about it.

import { avatar } from "./avatar.js";
import { enliven } from "./blocks.js";
import { h, icon, iconButton, sanitised } from "./dom.js";
import { fileList } from "./files.js";
import { menuButton } from "./menu.js";
import { emoji } from "./plain.js";
import { clock, day, moment, shortClock } from "./time.js";

/** Draw a row of kind "message"; `deeds` are what clicks do: reply, edit, remove, follow and the app's shortcuts. */
export function messageElement(row, deeds, inThread) {
  const { message, author } = row;
  const classes = ["message", row.follows && "follows", message.ephemeral && "ephemeral", message.tombstone && "tombstone"];
  return h(
    "article",
    { class: classes.filter(Boolean).join(" "), tabindex: "-1", "aria-label": `${called(author)}, ${clock(message.ts)}` },
    h("div", { class: "gutter" }, gutter(row)),
    h(
      "div",
      { class: "content" },
      message.ephemeral && h("p", { class: "only-you" }, icon("eye"), "Only visible to you"),
      !row.follows && !message.tombstone && byline(message, author),
      body(row, deeds),
      fileList(message, row.me),
      reactions(message, row.me),
      !inThread && threadLine(row, deeds),
    ),
    message.tombstone ? null : toolbar(row, deeds, inThread),
  );
}

const called = (author) => author.real_name || author.name;

function gutter({ message, author, follows }) {
  if (message.tombstone) return icon("bin");
  return follows ? time(message, "hover-time", shortClock) : avatar(author);
}

function byline(message, author) {
  const badge = author.is_bot && h("span", { class: "badge" }, "App");
  return h("p", { class: "byline" }, h("strong", {}, called(author)), badge, time(message, "time"));
}

function time({ ts }, name, shown = clock) {
  return h("time", { class: name, datetime: moment(ts).toISOString(), title: `${day(ts)}, ${clock(ts)}` }, shown(ts));
}

function body({ message, me }, deeds) {
  if (message.tombstone) return h("p", { class: "text" }, "This message was deleted.");
  const text = sanitised(h("div", { class: "text", onclick: (event) => clicked(event, deeds) }), message.html);
  if (message.blocks) enliven(text, message.blocks, deeds.surface(message));
  for (const mention of text.querySelectorAll(`[data-user="${CSS.escape(me)}"]`)) mention.classList.add("me");
  if (message.edited) (text.lastElementChild ?? text).append(h("span", { class: "edited" }, " (edited)"));
  return text;
}

function clicked(event, deeds) {
  const link = event.target.closest("a");
  if (link && deeds.follow(link.href)) event.preventDefault();
}

function reactions(message, me) {
  if (!message.reactions?.length) return null;
  return h("ul", { class: "reactions", "aria-label": "Reactions" }, message.reactions.map((given) => reaction(given, me)));
}

function reaction({ name, users }, me) {
  const label = `${name.replaceAll("_", " ")}, ${users.length}`;
  return h(
    "li",
    { class: users.includes(me) ? "reaction mine" : "reaction", title: `:${name}:`, "aria-label": label },
    h("span", { class: "emoji" }, emoji(name)),
    h("span", { class: "number" }, `${users.length}`),
  );
}

function threadLine({ message, thread }, deeds) {
  if (!thread.count && !thread.status) return null;
  const count = thread.count === 1 ? "1 reply" : `${thread.count} replies`;
  return h(
    "button",
    { type: "button", class: thread.isUnread ? "replies unread" : "replies", "data-control": "replies", onclick: () => deeds.reply(message) },
    thread.authors.map((author) => avatar(author, "small")),
    thread.count > 0 && h("span", { class: "count" }, count),
    thread.isUnread && h("span", { class: "dot", role: "img", "aria-label": "unread" }),
    thread.status ? status(thread.status) : h("span", { class: "last" }, `Last reply ${day(thread.last).toLowerCase()} at ${clock(thread.last)}`),
  );
}

/** Draw the line that says what the bot is doing. */
export function status(said) {
  const dots = h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
  return h("span", { class: "status" }, dots, said);
}

function toolbar({ message, isMine }, deeds, inThread) {
  const editable = isMine && !message.ephemeral;
  const buttons = [
    !inThread && !message.ephemeral && iconButton("reply", "Reply in thread", () => deeds.reply(message)),
    editable && iconButton("pencil", "Edit message", () => deeds.edit(message)),
    editable && iconButton("bin", "Delete message", () => deeds.remove(message), { class: "icon-button danger" }),
    !message.ephemeral && deeds.messageShortcuts(message).length > 0 && more(message, deeds),
  ].filter(Boolean);
  if (!buttons.length) return null;
  const bar = h("div", { class: "toolbar", role: "toolbar", "aria-label": "Message actions", onkeydown: walk, onfocusin: stopAtFocus }, buttons);
  stopAt(toolsOf(bar)[0], bar);
  return h("div", { class: "toolbar-place" }, bar);
}

const toolsOf = (bar) => [...bar.querySelectorAll(".icon-button")];

/** Make a toolbar one stop of the Tab key, at this tool; the arrows lead to the others. */
function stopAt(tool, bar) {
  for (const each of toolsOf(bar)) each.tabIndex = each === tool ? 0 : -1;
}

/** Also where a click or a rebuilt message has put the focus. */
function stopAtFocus(event) {
  stopAt(event.target.closest(".icon-button"), event.currentTarget);
}

function walk(event) {
  const tools = toolsOf(event.currentTarget);
  const at = tools.indexOf(document.activeElement);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  tools.at(next % tools.length).focus();
}

const more = (message, deeds) =>
  menuButton("More actions", { class: "icon-button", "data-control": "more" }, icon("more"), () => deeds.messageShortcuts(message));
