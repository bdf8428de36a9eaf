// The files that somebody adds to a message: chosen by the button, pasted, or dropped onto the place they are for.

import { Refusal } from "./api.js";
import { h, icon, iconButton } from "./dom.js";
import { toast } from "./notices.js";

const MOST_BYTES = 10_000_000;
const TOO_LARGE = (name) => `${name} was not added: files of more than 10 MB cannot be sent at once.`;
const UNREAD = (name) => `${name} could not be read. Is it a folder?`;

export class Attaching {
  #files = [];

  /** `changed()` is called when files have come or gone. */
  constructor({ changed }) {
    this.changed = changed;
    this.list = h("ul", { class: "attached", "aria-label": "Files to send", hidden: true });
    this.choosing = h("input", { type: "file", multiple: true, hidden: true, onchange: () => this.#choose() });
    this.button = iconButton("clip", "Add files", () => this.choosing.click());
  }

  get files() {
    return this.#files;
  }

  set files(files) {
    this.#files = files;
    this.list.hidden = !files.length;
    this.list.replaceChildren(...files.map((file) => h("li", {}, icon("file"), h("span", {}, file.name), this.#removal(file))));
    this.changed();
  }

  add(files) {
    const taken = [...this.#files];
    for (const file of files) {
      const bytes = [...taken, file].reduce((sum, { size }) => sum + size, 0);
      if (bytes > MOST_BYTES) toast(TOO_LARGE(file.name));
      else taken.push(file);
    }
    this.files = taken;
  }

  /** Take what is dropped anywhere on an element; `mayTake()` tells whether one may write there. */
  takeDrops(area, mayTake) {
    const isFiles = (event) => mayTake() && event.dataTransfer.types.includes("Files");
    area.addEventListener("dragover", (event) => {
      if (!isFiles(event)) return;
      event.preventDefault();
      area.classList.add("dropping");
    });
    area.addEventListener("dragleave", (event) => area.contains(event.relatedTarget) || area.classList.remove("dropping"));
    area.addEventListener("drop", (event) => {
      area.classList.remove("dropping");
      if (!isFiles(event)) return;
      event.preventDefault();
      this.add(event.dataTransfer.files);
    });
  }

  takePastes(input) {
    input.addEventListener("paste", (event) => {
      if (!event.clipboardData.files.length) return;
      event.preventDefault();
      this.add(event.clipboardData.files);
    });
  }

  #choose() {
    this.add(this.choosing.files);
    this.choosing.value = "";
  }

  #removal(file) {
    return iconButton("close", `Remove ${file.name}`, () => (this.files = this.#files.filter((each) => each !== file)));
  }
}

/** Read files as the server takes them. Rejects with a Refusal that names the one that cannot be read. */
export const read = (files) => Promise.all(files.map(readOne));

const readOne = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve({ name: file.name, content: reader.result.replace(/^[^,]*,/, "") });
    reader.onerror = () => reject(new Refusal(UNREAD(file.name)));
    reader.readAsDataURL(file);
  });
