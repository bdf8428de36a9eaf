// What a person can do in the workspace, each told to the server and its refusal told to the person.

import { Refusal, act } from "./api.js";
import { read } from "./attaching.js";
import { Surface } from "./blocks.js";
import { h, wordsIn } from "./dom.js";
import { confirmed, toast } from "./notices.js";
import { isReply } from "./workspace.js";

const COMMAND = /^\/\S/; // Slack takes every text that begins so for a command
const INVITE = /^\/invite\s+@(\S.*)$/; // a command of Slack's own

export class Deeds {
  #surfaces = new Map(); // of messages, by person, channel and ts

  /** `workspace()` is the one now shown and `place` is where one is; `goTo` and `follow` lead elsewhere. */
  constructor({ workspace, place, goTo, follow }) {
    Object.assign(this, { workspace, place, goTo, follow });
  }

  /** Do something that may be refused; resolves to the answer, or to null after telling why not. */
  attempt = async (deed) => {
    try {
      return await deed();
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      toast(refusal.message);
      return null;
    }
  };

  #me = (action, more) => this.attempt(() => act(action, { user: this.workspace().me, ...more }));

  /** Do something in the channel shown; resolves to whether it was done. */
  #here = (action, more) => this.#me(action, { channel: this.place.channel, ...more }).then((answer) => answer !== null);

  say = async (text, thread, files = []) => {
    const [, invited] = INVITE.exec(text) ?? [];
    if (files.length) {
      const { channel } = this.place; // one may go elsewhere while they are read
      const brought = await this.attempt(() => read(files));
      return brought !== null && this.#here("say", { channel, text, thread_ts: thread, files: brought });
    }
    return invited ? this.invite(invited) : this.#here(COMMAND.test(text) ? "command" : "say", { text, thread_ts: thread });
  };

  invite = (who) => this.#here("invite", { who });

  stop = () => this.#here("stop", { thread_ts: this.place.thread });

  // --- with a message ------------------------------------------------------------------------

  reply = (message) => this.goTo({ channel: this.place.channel, thread: isReply(message) ? message.thread_ts : message.ts });

  change = (message, text) => this.#here("edit", { ts: message.ts, text });

  remove = async (message) => {
    const mayBe = await confirmed("Delete this message?", h("blockquote", {}, wordsIn(message.html)), "Delete");
    if (mayBe) await this.#here("delete", { ts: message.ts });
  };

  /** Where a message's elements stand; it remembers what was chosen there while the page is open. */
  surface = ({ ts }) => {
    const { channel } = this.place;
    const key = `${this.workspace().me}-${channel}-${ts}`;
    if (!this.#surfaces.has(key)) this.#surfaces.set(key, this.#surface(key, { channel, ts }));
    return this.#surfaces.get(key);
  };

  #surface(name, there) {
    const press = (place, element, value) => this.#me(element.type === "button" ? "click" : "choose", { ...there, ...place, value });
    const suggest = (place, query) => act("suggest", { user: this.workspace().me, ...there, ...place, query });
    return new Surface({ name, act: press, suggest, workspace: this.workspace, follow: this.follow });
  }

  // --- with the app --------------------------------------------------------------------------

  /** Entries for the menu of a message. */
  messageShortcuts = ({ ts }) => this.#shortcuts("message", (callback) => this.#here("shortcut", { ts, callback_id: callback }));

  /** Entries for the menu beside the box one writes in. */
  globalShortcuts = () => this.#shortcuts("global", (callback) => this.#me("global_shortcut", { callback_id: callback }));

  #shortcuts(type, use) {
    const { name } = this.workspace().people.get(this.workspace().bot);
    const shown = this.workspace().shortcutsFor(type);
    return shown.map((shortcut) => ({ label: shortcut.name, description: name, choose: () => use(shortcut.callback_id) }));
  }

  // --- what is offered while one writes --------------------------------------------------------

  /** Whom one can mention: the bot first, then everyone else. */
  mentionable = () => {
    const { users, me } = this.workspace();
    return users.filter(({ id }) => id !== me).sort((a, b) => b.is_bot - a.is_bot);
  };

  commands = () => {
    const { commands, people, bot } = this.workspace();
    return commands.map((command) => ({ ...command, bot: people.get(bot) }));
  };

  /** By what name someone is mentioned. */
  mention = (id) => this.workspace().people.get(id)?.name ?? id;
}
