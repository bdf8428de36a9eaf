// A header, a list of messages and a box to write in: the channel is one such pane, the thread another.

import { Composer } from "./composer.js";
import { h, icon, reconcile } from "./dom.js";
import { messageElement, status } from "./message.js";
import { commandsAfterSlash, peopleAfterAt } from "./picker.js";
import { typed } from "./typed.js";

const NEAR_END = 80; // pixels from the end within which the list follows new messages

export class Pane {
  #place = "";
  #editing = null;
  #follows = true;
  #pointedAt = null; // where the list stands while it shows a message that somebody was led to
  #read = { key: "", length: 0 }; // the newest message of others that was on the screen, and how much of it

  constructor(root, { name, deeds, send }) {
    this.root = root;
    this.isThread = name === "thread";
    this.deeds = deeds;
    this.people = peopleAfterAt(deeds.mentionable);
    this.header = h("header", { class: "pane-header" });
    this.list = h("div", { class: "list", tabindex: "0", role: "group", "aria-label": `Messages of the ${name}` });
    this.status = h("p", { class: "pane-status", role: "status" });
    this.stop = h("div", { class: "pane-stop" });
    this.newsLabel = h("span", {});
    this.news = h("button", { type: "button", class: "news", hidden: true, onclick: () => this.#goToEnd() }, icon("down"), this.newsLabel);
    this.notice = h("div", { class: "notice", hidden: true });
    const offers = this.isThread ? [this.people] : [this.people, commandsAfterSlash(deeds.commands)]; // Slack takes none in threads
    const sendAndFollow = (...said) => {
      this.#follows = true; // people look at what they have sent
      return send(...said);
    };
    this.composer = new Composer({ id: `${name}-composer`, send: sendAndFollow, offers, area: root, shortcuts: deeds.globalShortcuts, recall: () => this.#recall() });
    this.root.append(this.header, this.list, h("div", { class: "pane-doing" }, this.news, this.status, this.stop), this.notice, this.composer.element);
    this.list.addEventListener("keydown", (event) => this.#walk(event));
    this.list.addEventListener("scroll", () => this.#scrolled());
    new ResizeObserver(() => this.#follow()).observe(this.list);
  }

  /** Show a place: rows, header and notice as entries to reconcile, what the bot is doing and what stops it, whether one may write and has shortcuts. */
  show({ place, label, rows, header, notice, said, stop, mayWrite, hasShortcuts }) {
    const isElsewhere = place !== this.#place;
    if (isElsewhere) {
      this.#editing = null;
      this.#follows = true;
      this.#pointedAt = null;
    }
    this.#place = place;
    this.rows = rows;
    reconcile(this.header, header);
    this.#list();
    reconcile(this.status, said ? [{ key: "said", signature: said, build: () => status(said) }] : []);
    reconcile(this.stop, stop ? [{ key: "stop", signature: place, build: () => stopButton(stop) }] : []);
    reconcile(this.notice, notice);
    this.notice.hidden = !notice.length;
    this.composer.element.hidden = !mayWrite;
    this.composer.shortcuts.hidden = !hasShortcuts;
    this.composer.at(place, label);
  }

  /** Start writing. */
  focus() {
    this.composer.focus();
  }

  /** Put words into the box, unless something is being written there. */
  suggest(words) {
    if (!this.composer.input.value) this.composer.fill(words);
    this.focus();
  }

  /** Bring a message into view, keep it there whatever comes after it, and point at it. */
  point(ts) {
    const message = this.list.querySelector(`[data-key="${CSS.escape(ts)}"]`);
    if (!message?.offsetHeight) return; // not there, or not on the screen
    const [here, above] = [message, this.list].map((part) => part.getBoundingClientRect().top);
    const margin = Math.max(0, this.list.clientHeight - message.offsetHeight) / 2;
    this.list.scrollTop += here - above - margin; // the list alone: what stands above it stays on the screen
    message.classList.add("pointed");
    this.#follows = false;
    this.#pointedAt = this.list.scrollTop;
  }

  /** The end is followed where somebody has scrolled to it; that a message was pointed at is no scrolling of theirs. */
  #scrolled() {
    if (this.list.scrollTop === this.#pointedAt) return;
    this.#pointedAt = null;
    this.#follows = this.#isAtEnd();
    this.#tellNews();
  }

  #goToEnd() {
    this.#follows = true;
    this.#follow();
    this.list.focus({ preventScroll: true }); // the button is gone in a moment
    this.#tellNews();
  }

  #list() {
    reconcile(this.list, this.rows.map((row) => this.#entry(row)));
    this.#follow();
    this.#tellNews();
  }

  /** Say that others have written below what is on the screen, or that their last message goes on there. */
  #tellNews() {
    const row = this.rows.findLast(({ kind, isMine }) => kind === "message" && !isMine);
    const newest = { key: row?.key ?? "", length: row?.message.html.length ?? 0 };
    if (this.#follows) this.#read = newest;
    const isNew = newest.key > this.#read.key; // of one length, so that their text sorts as they do
    const goesOn = newest.key === this.#read.key && newest.length > this.#read.length;
    this.news.hidden = !isNew && !goesOn;
    this.newsLabel.textContent = isNew ? "New messages" : "More below";
  }

  #follow() {
    if (this.#follows) this.list.scrollTop = this.list.scrollHeight;
  }

  #isAtEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.list;
    return scrollHeight - scrollTop - clientHeight < NEAR_END;
  }

  #entry(row) {
    if (row.key === this.#editing) return { key: row.key, signature: "editor", build: () => this.#editor(row.message) };
    return { key: row.key, signature: JSON.stringify(row), build: () => this.#ROWS[row.kind](row) };
  }

  #ROWS = {
    day: ({ label }) => h("h3", { class: "day" }, h("span", {}, label)),
    beginning: ({ title, sentence }) => h("div", { class: "beginning" }, h("h3", {}, title), h("p", {}, sentence)),
    count: ({ count }) => h("p", { class: "reply-count" }, count ? `${count} ${count === 1 ? "reply" : "replies"}` : "No replies yet"),
    message: (row) => messageElement(row, { ...this.deeds, edit: (message) => this.#edit(message) }, this.isThread),
  };

  #edit(message) {
    this.#editing = message.ts;
    this.#list();
    this.editor.focus();
  }

  #editor(message) {
    const close = () => {
      this.#editing = null;
      this.#list();
      this.composer.focus();
    };
    const send = async (text) => {
      const wasTaken = await this.deeds.change(message, text);
      if (wasTaken) close();
      return wasTaken;
    };
    this.editor = new Composer({ id: `edit-${message.ts}`, send, offers: [this.people], cancel: close });
    this.editor.at(message.ts, "Edit message");
    this.editor.fill(typed(message.text, this.deeds.mention));
    return h("div", { class: "message editing" }, this.editor.element);
  }

  /** Edit one's last message, as Slack does on the up arrow in an empty box. */
  #recall() {
    const mine = this.rows.findLast((row) => row.kind === "message" && row.isMine && !row.message.ephemeral);
    if (mine) this.#edit(mine.message);
    return Boolean(mine);
  }

  #walk(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || event.defaultPrevented || event.target.matches("textarea, input")) return;
    const messages = [...this.list.querySelectorAll(".message")];
    const at = messages.findIndex((message) => message.contains(document.activeElement));
    const next = at < 0 ? messages.at(-1) : messages[at + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
}

const stopButton = (onclick) => h("button", { type: "button", class: "stop", "data-control": "stop", onclick }, icon("stop"), "Stop");
