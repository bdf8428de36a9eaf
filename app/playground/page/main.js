// The page: who one is, where one looks, and what happens on a click. Loads the workspace and shows every change of it.

import { Refusal, act, readState } from "./api.js";
import { Connection } from "./connection.js";
import { channelView, threadView } from "./views.js";
import { isReply, Workspace } from "./workspace.js";
import { announce, confirmed, toast } from "./notices.js";
import { Pane } from "./pane.js";
import { showChannels, showPeople } from "./sidebar.js";
import { showStrip } from "./strip.js";
import { startTheme } from "./theme.js";
import { Unread } from "./unread.js";

const PERMALINK = /(?:\/archives\/|#)(\w+)\/p(\d{10})(\d{6})/; // the server turns /archives/ into the page and #
const element = (id) => document.getElementById(id);
const address = new URLSearchParams(location.search);
const place = { user: address.get("user"), channel: address.get("channel"), thread: address.get("thread") };

const seen = new Map(); // what each person has seen, by person

let workspace;
let connection;
let isDue = false;

// --- reading ---------------------------------------------------------------------------------

/** Be somebody: see what they see, do what they may do. An unknown id becomes the first person of the workspace. */
async function become(user) {
  connection?.close();
  const state = await attempt(() => readState(user).catch(() => readState()));
  if (!state) return;
  load(state);
  currentPane().composer.focus();
  connection = new Connection(state.me, { loaded: load, changed: takeIn, lost: () => document.body.classList.add("lost") });
}

function load(state) {
  document.body.classList.remove("lost");
  workspace = new Workspace(state);
  if (!seen.has(workspace.me)) seen.set(workspace.me, new Unread(workspace.me));
  const isKnown = workspace.channel(place.channel);
  settle({ user: workspace.me, channel: isKnown ? place.channel : workspace.channels[0].id, thread: isKnown ? place.thread : null });
  showPeople(element("me"), element("people"), workspace, become);
  draw();
}

function takeIn(event) {
  if (!workspace.apply(event)) connection.refresh();
  const isNews = event.kind === "message" || event.kind === "ephemeral";
  if (isNews && event.message.user !== workspace.me) announce(workspace.name(event.message.user), event.message.text);
  draw();
}

// --- showing ---------------------------------------------------------------------------------

/** Show the workspace in the next frame, however many changes come before it. */
function draw() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    show();
  });
}

function show() {
  const unread = seen.get(workspace.me);
  if (!document.hidden) {
    unread.see(place.channel);
    if (place.thread) unread.see(place.channel, place.thread);
  }
  const channel = workspace.channel(place.channel);
  element("team").textContent = workspace.team.name;
  element("banner").textContent = workspace.banner ?? "";
  element("banner").hidden = !workspace.banner;
  document.title = `${workspace.title(channel)} – ${workspace.team.name}`;
  showChannels(element("channels"), workspace, place, { unread, goTo, openDm });
  panes.channel.show(channelView(workspace, channel, { unread, invite }));
  element("thread").hidden = !place.thread;
  if (place.thread) panes.thread.show(threadView(workspace, channel, place.thread, { close: closeThread, stop }));
  showStrip(element("strip"), workspace, goTo);
}

// --- going -----------------------------------------------------------------------------------

/** Be at a place, also after the page is loaded again. */
function settle(there) {
  Object.assign(place, there);
  const query = new URLSearchParams(Object.entries(place).filter(([, value]) => value));
  history.replaceState(null, "", `/?${query}`);
}

function goTo({ channel, thread = null, message = null }) {
  settle({ channel, thread });
  show();
  if (message) currentPane().point(message);
  else currentPane().composer.focus();
}

const currentPane = () => (place.thread ? panes.thread : panes.channel);

function closeThread() {
  goTo({ channel: place.channel });
}

async function openDm() {
  const answer = await attempt(() => act("open_dm", { user: workspace.me }));
  if (!answer) return;
  if (!workspace.channel(answer.channel)) await connection.refresh();
  goTo({ channel: answer.channel });
}

/** Go to the message that a link of this workspace leads to; says whether it was such a link. */
function follow(href) {
  const [, channel, seconds, micros] = PERMALINK.exec(href) ?? [];
  const message = workspace.find(channel, `${seconds}.${micros}`);
  if (!message) return false;
  const hasThread = isReply(message) || message.reply_count > 0;
  goTo({ channel, thread: hasThread ? message.thread_ts ?? message.ts : null, message: message.ts });
  return true;
}

// --- doing -----------------------------------------------------------------------------------

/** Do something that may be refused; resolves to the answer, or to null after telling why not. */
async function attempt(deed) {
  try {
    return await deed();
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    toast(refusal.message);
    return null;
  }
}

const doHere = (action, more) =>
  attempt(() => act(action, { user: workspace.me, channel: place.channel, ...more })).then((answer) => answer !== null);

const invite = (who) => doHere("invite", { who });

const stop = () => doHere("stop", { thread_ts: place.thread });

async function press(message, button) {
  const { actionId, value, url } = button.dataset;
  if (url) window.open(url, "_blank", "noopener,noreferrer");
  if (button.ariaBusy) return;
  button.ariaBusy = "true";
  await doHere("click", { ts: message.ts, action_id: actionId, value });
  button.ariaBusy = null;
}

async function remove(message) {
  const { textContent } = new DOMParser().parseFromString(message.html, "text/html").body;
  const mayBe = await confirmed("Delete this message?", textContent, "Delete");
  if (mayBe) await doHere("delete", { ts: message.ts });
}

/** The bot first, then everyone else. */
const mentionable = () => [...workspace.users].filter(({ id }) => id !== workspace.me).sort((a, b) => b.is_bot - a.is_bot);

const deeds = {
  press,
  remove,
  follow,
  reply: (message) => goTo({ channel: place.channel, thread: isReply(message) ? message.thread_ts : message.ts }),
  change: (message, text) => doHere("edit", { ts: message.ts, text }),
  mention: (id) => workspace.people.get(id)?.name ?? id,
};

const pane = (name, send) => new Pane(element(name), { name, deeds, people: mentionable, send });
const panes = {
  channel: pane("channel", (text) => doHere("say", { text })),
  thread: pane("thread", (text) => doHere("say", { text, thread_ts: place.thread })),
};

startTheme(element("theme"));
addEventListener("hashchange", () => follow(location.href));
addEventListener("keydown", ({ key }) => {
  const isTaken = document.querySelector("dialog[open], :popover-open");
  if (key === "Escape" && place.thread && !isTaken) closeThread();
});
addEventListener("visibilitychange", draw);
const arrivedBy = location.href;
await become(place.user);
if (workspace) follow(arrivedBy);
