// One person's connection to the workspace: its state, and after it every change in order, with nothing lost between.

import { readState, withToken } from "./api.js";

export class Connection {
  #heard = []; // what came while the state was being read, or null when it is told at once
  #reading = Promise.resolve();

  /**
   * Tells `loaded(state)` on each connection, also after one was lost, then `changed(event)`; `lost()` in between, and
   * `refused()` where whoever answers is another playground, which never lets this page in.
   */
  constructor(user, { loaded, changed, lost, refused }) {
    Object.assign(this, { user, loaded, changed });
    this.source = new EventSource(withToken(`/play/events?user=${encodeURIComponent(user)}`));
    this.source.onopen = () => this.refresh();
    this.source.onerror = () => (this.source.readyState === EventSource.CLOSED ? refused() : lost());
    this.source.onmessage = ({ data }) => this.#hear(JSON.parse(data));
  }

  /** Read the state anew, for a change that events do not tell in full. */
  refresh() {
    this.#reading = this.#reading.then(() => this.#read());
    return this.#reading;
  }

  close() {
    this.source.close();
  }

  #hear(event) {
    if (this.#heard) this.#heard.push(event);
    else this.changed(event);
  }

  async #read() {
    this.#heard ??= [];
    const state = await readState(this.user).catch(() => null); // the connection that is lost then is tried again
    if (!state || this.source.readyState === EventSource.CLOSED) return;
    this.loaded(state);
    const heard = this.#heard;
    this.#heard = null;
    heard.forEach(this.changed);
  }
}
