// What a pane lists, as plain rows: day dividers, the count of replies, and messages with all that their look depends on.
// A row's JSON is its signature: equal rows look equal.

import { day } from "./time.js";

const GROUP_WINDOW = 300; // seconds in which messages of one author stand under one name

/** List a channel: its roots, each with what there is to say about its thread. */
export function channelRows(workspace, channel, unread) {
  const roots = workspace.roots(channel);
  const isAnswered = (message) => Boolean(message) && workspace.replies(channel, message.ts).some((reply) => !reply.ephemeral);
  return withDays(roots, (message, previous) => ({
    ...messageRow(workspace, message, isAnswered(previous) ? null : previous), // a thread stands between the two
    thread: threadSummary(workspace, channel, message, unread),
  }));
}

/** List a thread: its root, the count of replies, the replies. */
export function threadRows(workspace, channel, ts) {
  const root = workspace.find(channel, ts);
  const replies = workspace.replies(channel, ts);
  const count = replies.filter((reply) => !reply.ephemeral).length;
  return [
    root && messageRow(workspace, root, null),
    { kind: "count", key: "count", count },
    ...replies.map((reply, index) => messageRow(workspace, reply, replies[index - 1])),
  ].filter(Boolean);
}

function withDays(messages, row) {
  const rows = [];
  let today = null;
  messages.forEach((message, index) => {
    const named = day(message.ts);
    const isNewDay = named !== today;
    today = named;
    if (isNewDay) rows.push({ kind: "day", key: `day-${today}`, label: today });
    rows.push(row(message, isNewDay ? null : messages[index - 1]));
  });
  return rows;
}

function messageRow(workspace, message, previous) {
  const author = workspace.people.get(message.user) ?? { id: message.user, name: message.user };
  const isMine = message.user === workspace.me && !message.tombstone;
  return { kind: "message", key: message.ts, message, author, isMine, me: workspace.me, follows: follows(message, previous) };
}

function follows(message, previous) {
  if (!previous || previous.tombstone || previous.user !== message.user || previous.ephemeral !== message.ephemeral) return false;
  return Number(message.ts) - Number(previous.ts) < GROUP_WINDOW;
}

function threadSummary(workspace, channel, root, unread) {
  const replies = workspace.replies(channel, root.ts);
  const said = replies.filter((reply) => !reply.ephemeral);
  return {
    count: said.length,
    last: said.at(-1)?.ts ?? null,
    authors: [...new Set(said.map((reply) => reply.user))].slice(0, 4).map((id) => workspace.people.get(id) ?? { id }),
    isUnread: unread.inThread(channel, root.ts, replies),
    status: workspace.status(channel, root.ts),
  };
}
