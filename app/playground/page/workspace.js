// The workspace as one person sees it: what the server sent, kept current by its events. Knows no element of the page.

const ERRORS_KEPT = 20;
const SLACKBOT = { id: "USLACKBOT", name: "Slackbot", real_name: "Slackbot", number: 3 }; // nobody lists it, yet it speaks

/** Slack's `ts` are of one length, so that their text sorts as they do. */
const byTime = (a, b) => (a.ts < b.ts ? -1 : 1);

export const isReply = (message) => Boolean(message.thread_ts) && message.thread_ts !== message.ts;

export class Workspace {
  constructor(state) {
    Object.assign(this, state);
    this.users = state.users.map((user, number) => ({ ...user, number }));
    this.people = new Map([...this.users, SLACKBOT].map((user) => [user.id, user]));
  }

  /** Take one event in; returns false for a change that only a new state can show. */
  apply(event) {
    const takeIn = this.#KINDS[event.kind];
    takeIn?.(event);
    return Boolean(takeIn) && (!event.channel || Boolean(this.channel(event.channel)));
  }

  #KINDS = {
    message: (event) => this.#put(event),
    changed: (event) => this.#put(event),
    ephemeral: (event) => this.#put(event),
    reaction: (event) => this.#put(event),
    deleted: (event) => (event.message.tombstone ? this.#put(event) : this.#drop(event)),
    status: (event) => this.#status(event),
    session: (event) => this.#session(event),
    modals: ({ modals }) => (this.modals = modals),
    home: ({ home }) => (this.home = home),
    error: ({ error }) => this.#refused(error),
  };

  #put({ channel, message }) {
    const others = (this.messages[channel] ?? []).filter(({ ts }) => ts !== message.ts);
    this.messages[channel] = [...others, message].sort(byTime);
  }

  #drop({ channel, message }) {
    this.messages[channel] = (this.messages[channel] ?? []).filter(({ ts }) => ts !== message.ts);
  }

  /** The state that was read meanwhile may hold it already. */
  #refused(error) {
    const others = this.strip.errors.filter(({ at, method }) => at !== error.at || method !== error.method);
    this.strip.errors = [...others, error].slice(-ERRORS_KEPT);
  }

  #status({ channel, thread_ts, status }) {
    const others = this.statuses.filter((known) => !isSameThread(known, { channel, thread_ts }));
    this.statuses = status ? [...others, { channel, thread_ts, status }] : others;
  }

  #session(session) {
    this.sessions = [...this.sessions.filter((known) => !isSameThread(known, session)), session];
  }

  /** What a person or channel is called. */
  name(id) {
    const person = this.people.get(id);
    return person?.real_name || person?.name || id;
  }

  /** The time zone of the person, as their profile has it. */
  get zone() {
    return this.people.get(this.me)?.tz;
  }

  channel(id) {
    return this.channels.find((channel) => channel.id === id);
  }

  title(channel) {
    return channel.is_im ? this.name(this.bot) : channel.name;
  }

  find(channel, ts) {
    return this.messages[channel]?.find((message) => message.ts === ts);
  }

  roots(channel) {
    return (this.messages[channel] ?? []).filter((message) => !isReply(message));
  }

  replies(channel, ts) {
    return (this.messages[channel] ?? []).filter((message) => isReply(message) && message.thread_ts === ts);
  }

  /** The app's shortcuts of a type: "message" or "global". */
  shortcutsFor(type) {
    return this.shortcuts.filter((shortcut) => shortcut.type === type);
  }

  session(channel, ts) {
    return this.sessions.find((session) => isSameThread(session, { channel, thread_ts: ts }));
  }

  /** What the bot says it is doing in a thread, or that it is doing something. */
  status(channel, ts) {
    const said = this.statuses.find((status) => isSameThread(status, { channel, thread_ts: ts }))?.status;
    const doing = said ?? (this.session(channel, ts)?.status === "processing" ? "is working…" : null);
    return doing && `${this.name(this.bot)} ${doing}`;
  }

  /** The messages that were edited, the last to be posted first. */
  edited() {
    return Object.entries(this.messages)
      .flatMap(([channel, messages]) => messages.map((message) => ({ channel, message })))
      .filter(({ message }) => message.edit_count > 0)
      .sort((a, b) => byTime(b.message, a.message));
  }
}

const isSameThread = (a, b) => a.channel === b.channel && a.thread_ts === b.thread_ts;
