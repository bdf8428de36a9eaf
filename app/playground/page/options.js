// What a select offers: the options of the element, the app's suggestions, or the workspace's people and conversations.

import { plain } from "./plain.js";

const SEARCH_DELAY = 250; // milliseconds of quiet before the app is asked
const LEAST_LETTERS = 3; // Slack: what `min_query_length` is when the app does not say

const option = (found) => ({ text: plain(found.text), value: found.value, description: plain(found.description) });

/** Read options as an element or the app lists them, in groups or not. */
function grouped({ options, option_groups: own, groups = own }) {
  if (!groups?.length) return [{ label: "", options: (options ?? []).map(option) }];
  return groups.map((group) => ({ label: plain(group.label), options: group.options.map(option) }));
}

/** List what of a workspace a select of this kind offers. */
const OFFERED = {
  users: (element, { users }) => users.filter(({ is_bot: isBot }) => !isBot).map((user) => ({ text: user.real_name || user.name, value: user.id })),
  channels: (element, workspace) => conversations(workspace, ["public"]),
  conversations: ({ filter }, workspace) => conversations(workspace, filter?.include ?? ["public", "private", "im"]),
};

function conversations(workspace, kinds) {
  const kind = (channel) => (channel.is_im ? "im" : channel.is_private ? "private" : "public");
  const title = (channel) => (channel.is_im ? workspace.title(channel) : `#${channel.name}`);
  return workspace.channels.filter((channel) => kinds.includes(kind(channel))).map((channel) => ({ text: title(channel), value: channel.id }));
}

/** What a select is searched in; `suggest(query)` asks the app, `workspace` is what the person sees of it. */
export function sourceOf(element, { suggest, workspace }) {
  const [, kind] = /(\w+)_select$/.exec(element.type.replace("multi_", ""));
  if (kind === "external") {
    const least = element.min_query_length ?? LEAST_LETTERS;
    return { least, delay: SEARCH_DELAY, search: async (query) => grouped(await suggest(query)) };
  }
  const groups = kind === "static" ? grouped(element) : [{ label: "", options: OFFERED[kind](element, workspace) }];
  return { search: async (query) => groups.map(({ label, options }) => ({ label, options: options.filter((found) => fits(found, query)) })) };
}

const fits = ({ text, description }, query) => `${text} ${description ?? ""}`.toLowerCase().includes(query.toLowerCase());

/** List the options with these values, as far as the element or the workspace knows them. */
export function known(element, values, workspace) {
  const first = [element.initial_option, element.initial_options].flat().filter(Boolean).map(option);
  const listed = grouped(element).flatMap(({ options }) => options);
  const offered = Object.values(OFFERED).flatMap((list) => list({}, workspace));
  const all = [...first, ...listed, ...offered];
  return values.map((value) => all.find((found) => found.value === value) ?? { text: value, value });
}

/** What is chosen or written in an element before anyone touches it. */
export function initialValue(element) {
  if (element.initial_options) return element.initial_options.map(({ value }) => value);
  if (element.initial_option) return element.initial_option.value;
  const [, first] = Object.entries(element).find(([name]) => INITIAL.has(name)) ?? [];
  return first ?? null;
}

const INITIAL = new Set(
  ["value", "date", "time", "user", "users", "conversation", "conversations", "channel", "channels"].map((what) => `initial_${what}`),
);
