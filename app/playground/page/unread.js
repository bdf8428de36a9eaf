// What each person has seen so far in this page. A page just opened takes everything older than itself as seen.

const openedAt = `${Date.now() / 1000}`;

export class Unread {
  #seen = new Map();

  constructor(me) {
    this.me = me;
  }

  see(channel, thread = "") {
    this.#seen.set(this.#place(channel, thread), `${Date.now() / 1000}`);
  }

  inThread(channel, thread, replies) {
    return this.#isAnyNew(replies, this.#seenAt(channel, thread));
  }

  /** Say whether others wrote in the channel, or in a thread of it, what was not on the screen since. */
  inChannel(channel, messages) {
    const seenAt = this.#seenAt(channel, "");
    const isNew = (message) => this.#isAnyNew([message], later(seenAt, this.#seenAt(channel, message.thread_ts)));
    return messages.some(isNew);
  }

  #place = (channel, thread) => `${this.me} ${channel} ${thread}`;
  #seenAt = (channel, thread) => this.#seen.get(this.#place(channel, thread)) ?? openedAt;
  #isAnyNew = (messages, since) => messages.some(({ ts, user }) => user !== this.me && Number(ts) > Number(since));
}

const later = (a, b) => (Number(a) > Number(b) ? a : b);
