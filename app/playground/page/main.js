// The page: who one is and where one looks. Loads the workspace and shows every change of it.

import { Refusal, act, readState, withToken } from "./api.js";
import { Connection } from "./connection.js";
import { Deeds } from "./deeds.js";
import { Home } from "./home.js";
import { Modals } from "./modals.js";
import { tellApart } from "./names.js";
import { announce, toast } from "./notices.js";
import { Pane } from "./pane.js";
import { channelView, threadView } from "./places.js";
import { plain } from "./plain.js";
import { showChannels, showPeople, startFolding } from "./sidebar.js";
import { showStrip } from "./strip.js";
import { startTheme } from "./theme.js";
import { told, useZone } from "./time.js";
import { Tour } from "./tour.js";
import { Unread } from "./unread.js";
import { isReply, Workspace } from "./workspace.js";

const PERMALINK = /(?:\/archives\/|#)(\w+)\/p(\d{10})(\d{6})/; // the server turns /archives/ into the page and #
const MENTION = /<@(\w+)(?:\|[^>]*)?>/g;
const PLACE = /<#(\w+)(?:\|[^>]*)?>/g;
const DATE = /<!date\^(\d+)\^([^^|>]+)[^|>]*\|([^>]*)>/g;
const MARKS = /(?<![\w*_~`])([*_~`])(\S|\S.*?\S)\1(?![\w*_~`])/g; // bold, italic, struck, code
const LINK = /<((?:https?|mailto):[^|>]*)(?:\|([^>]*))?>/g;
const ENDED = "This demo has ended, and another one was started: please open the address that it printed.";
const TAB_ACTS = { home: "home", messages: "messages_tab" };
const element = (id) => document.getElementById(id);
const FILE = /^\/play\/files\/\w+$/;
const { token, ...address } = Object.fromEntries(new URLSearchParams(location.search)); // the token is for the server alone
const place = { user: null, channel: null, thread: null, tab: null, ...address };

const seen = new Map(); // what each person has seen, by person

let workspace;
let connection;
let isDue = false;
let isPressed = false; // a button that is replaced between press and release would not hear of either
const OPENED = ".list .popup:popover-open"; // a menu or list of options that is replaced would be closed

// --- reading ---------------------------------------------------------------------------------

/** Be somebody: see what they see, do what they may do. An unknown id becomes the first person of the workspace. */
async function become(user) {
  const state = await readState(user).catch(() => readState()).catch(explain);
  if (!state) return;
  connection?.close();
  document.body.ariaBusy = "true";
  load(state);
  currentPane().focus();
  if (place.tab) deeds.attempt(() => act(TAB_ACTS[place.tab], { user: workspace.me }));
  connection = new Connection(state.me, { loaded, changed: takeIn, lost: () => document.body.classList.add("lost"), refused });
}

/** Say that what is shown has ended, and leave it to be read. */
function refused() {
  document.body.classList.remove("lost");
  workspace.banner = ENDED;
  draw();
}

/** Say instead of the workspace why there is none; who has one stays where they are. */
function explain(refusal) {
  if (!(refusal instanceof Refusal)) throw refusal;
  if (workspace) return toast(refusal.message);
  element("banner").textContent = refusal.message;
  element("banner").hidden = false;
  document.querySelector(".workspace").hidden = true;
  document.body.ariaBusy = null;
}

/** Show what the connection has told: from now on it tells every change. */
function loaded(state) {
  load(state);
  document.body.ariaBusy = null;
}

function load(state) {
  document.body.classList.remove("lost");
  workspace = new Workspace(state);
  useZone(workspace.zone);
  if (!seen.has(workspace.me)) seen.set(workspace.me, new Unread(workspace.me));
  const known = workspace.channel(place.channel);
  if (!known) Object.assign(place, { channel: workspace.channels[0].id, thread: null });
  settle({ user: workspace.me, tab: known?.is_im && place.tab === "home" ? "home" : null });
  draw();
}

function takeIn(event) {
  if (!workspace.apply(event)) connection.refresh();
  const isNews = event.kind === "message" || event.kind === "ephemeral";
  if (isNews && event.message.user !== workspace.me) announce(workspace.name(event.message.user), heard(event.message));
  draw();
}

/** What is read aloud of a message, with people by name. */
const heard = ({ text, files }) =>
  plain(
    text
      .replace(MENTION, (_, user) => workspace.name(user))
      .replace(PLACE, (_, channel) => `#${workspace.channel(channel)?.name ?? "a channel"}`)
      .replace(DATE, (_, seconds, form, fallback) => told(seconds, form) ?? fallback)
      .replace(LINK, (_, address, label) => label ?? address)
      .replace(MARKS, "$2"),
  ) || files.map(({ title }) => title).join(", ");

// --- showing ---------------------------------------------------------------------------------

/** Show the workspace in the next frame, however many changes come before it; while something is pressed or open, after that. */
function draw() {
  if (isDue || !workspace) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    if (!isPressed && !document.querySelector(OPENED)) show();
  });
}

function press({ button }) {
  isPressed = button === 0;
}

function release() {
  isPressed = false;
  draw(); // in the next frame: the click comes first
}

function show() {
  const unread = seen.get(workspace.me);
  if (!document.hidden && !place.tab) {
    unread.see(place.channel);
    if (place.thread) unread.see(place.channel, place.thread);
  }
  const channel = workspace.channel(place.channel);
  element("team").textContent = workspace.team.name;
  element("banner").textContent = workspace.banner ?? "";
  element("banner").hidden = !workspace.banner;
  document.title = `${workspace.title(channel)} – ${workspace.team.name}`;
  showPeople(element("me"), element("people"), workspace, become);
  showChannels(element("channels"), workspace, place, { unread, goTo, openApp });
  showPanes(channel, unread);
  tour.show();
  showStrip(element("strip"), workspace, goTo, tour);
  modals.show(workspace.modals, workspace.people.get(workspace.bot));
  tellApart(element("panes"));
  tellApart(element("modal"));
}

function showPanes(channel, unread) {
  element("home").hidden = !place.tab;
  element("channel").hidden = Boolean(place.tab);
  element("thread").hidden = !place.thread;
  if (place.tab) home.show(workspace, openApp);
  else panes.channel.show(channelView(workspace, channel, { unread, invite: deeds.invite, openTab: openApp }));
  if (place.thread) panes.thread.show(threadView(workspace, channel, place.thread, { close: closeThread, stop: deeds.stop }));
}

// --- going -----------------------------------------------------------------------------------

/** Be at a place, also after the page is loaded again. */
function settle(there) {
  Object.assign(place, there);
  const query = new URLSearchParams(Object.entries(place).filter(([, value]) => value));
  history.replaceState(null, "", `/?${query}`);
}

function goTo({ channel, thread = null, tab = null, message = null }) {
  settle({ channel, thread, tab });
  fold();
  show();
  if (message) currentPane().point(message);
  else currentPane().focus();
}

function currentPane() {
  if (place.tab) return home;
  return place.thread ? panes.thread : panes.channel;
}

function closeThread() {
  goTo({ channel: place.channel });
}

/** Turn to the app: to the Home it publishes, or to one's direct messages with it. */
async function openApp(tab = "messages") {
  const answer = await deeds.attempt(() => act(TAB_ACTS[tab], { user: workspace.me }));
  if (!answer) return;
  if (!workspace.channel(answer.channel)) await connection.refresh();
  goTo({ channel: answer.channel, tab: tab === "home" ? tab : null });
}

/** Go to the message or open the file that a link of this workspace leads to; says whether it was such a link. */
function follow(href) {
  const { origin, pathname } = new URL(href, location);
  if (origin === location.origin && FILE.test(pathname)) {
    window.open(withToken(`${pathname}?user=${encodeURIComponent(workspace.me)}`), "_blank", "noopener");
    return true;
  }
  const [, channel, seconds, micros] = PERMALINK.exec(href) ?? [];
  const message = workspace.find(channel, `${seconds}.${micros}`);
  if (!message || !workspace.channel(channel)) return false;
  const isAnswered = workspace.replies(channel, message.ts).length > 0 || workspace.session(channel, message.ts);
  const thread = isReply(message) || isAnswered ? message.thread_ts ?? message.ts : null;
  const begins = thread === message.ts && thread !== place.thread; // a thread is opened where it is now, at its end
  goTo({ channel, thread, message: begins ? null : message.ts });
  if (begins) panes.channel.point(message.ts);
  modals.uncover();
  return true;
}

// --- the parts -------------------------------------------------------------------------------

const deeds = new Deeds({ workspace: () => workspace, place, goTo, follow });
const pane = (name, send) => new Pane(element(name), { name, deeds, send });
const panes = {
  channel: pane("channel", (text, files) => deeds.say(text, null, files)),
  thread: pane("thread", (text, files) => deeds.say(text, place.thread, files)),
};
const home = new Home(element("home"), deeds);
const modals = new Modals(element("modal"), deeds, () => currentPane().focus());

const tour = new Tour(element("tour"), { goTo, fill: (words) => panes.channel.suggest(words), workspace: () => workspace });

startTheme(element("theme"));
const fold = startFolding(element("fold"));
addEventListener("hashchange", () => follow(location.href));
addEventListener("keydown", ({ key }) => {
  const isTaken = document.querySelector("dialog[open], :popover-open:not(.toasts)");
  if (key === "Escape" && place.thread && !isTaken) closeThread();
});
addEventListener("visibilitychange", draw);
// A file that misses its place would be opened instead of the page.
for (const dragged of ["dragover", "drop"]) addEventListener(dragged, (event) => event.preventDefault());
addEventListener("toggle", draw, true);
addEventListener("pointerdown", press, true);
for (const over of ["pointerup", "pointercancel"]) addEventListener(over, release, true); // whoever keeps it from what is below
addEventListener("blur", release); // of the window alone
addEventListener("pointermove", ({ buttons }) => isPressed && !buttons && release()); // let go where the page did not see it
const arrivedBy = location.href;
const isSomewhere = Boolean(place.channel) || location.hash;
await become(place.user);
if (workspace && !follow(arrivedBy) && !isSomewhere) tour.begin();
