// One view of the app's: the blocks of a modal or of the Home tab, and what the person has filled in so far.

import { act } from "./api.js";
import { Surface, drawBlock } from "./blocks.js";
import { h, reconcile } from "./dom.js";

export class View {
  /** `attempt` does what may be refused and tells the person why; `workspace()` is the one now shown; `follow` goes to a link of it. */
  constructor(view, { attempt, workspace, follow }) {
    Object.assign(this, { attempt, workspace, follow });
    this.element = h("div", { class: "view text", onclick: (event) => this.#clicked(event) });
    this.surface = new Surface({ name: view.id, act: this.#act, suggest: this.#suggest, workspace, follow });
    this.show(view);
  }

  /** Show what the view is now; a block that stays the same stays in place, and no block loses what was filled in. */
  show(view) {
    this.view = view;
    this.surface.values = view.values ?? {};
    reconcile(this.element, view.blocks.map((block, index) => this.#entry(block, view.html[index])));
    this.#showErrors(view.errors);
  }

  #clicked(event) {
    const link = event.target.closest("a");
    if (link && this.follow(link.href)) event.preventDefault();
  }

  #entry(block, html) {
    const signature = JSON.stringify([block, html]);
    return { key: block.block_id, signature, build: () => drawBlock(block, html, this.surface) };
  }

  #showErrors(errors) {
    for (const input of this.element.querySelectorAll(".input")) {
      const words = errors[input.dataset.key] ?? "";
      input.classList.toggle("wrong", Boolean(words));
      input.querySelector(".input-error").textContent = words;
      input.querySelector("input, textarea")?.setAttribute("aria-invalid", Boolean(words));
    }
  }

  /** Send what is filled in; resolves when the app has answered. */
  async submit() {
    const answer = await this.#do("view_submit", { values: this.#filled() });
    if (!answer?.errors) return;
    this.#showErrors(answer.errors);
    this.element.querySelector(".wrong :is(input, textarea)")?.focus();
  }

  close = () => this.#do("view_close");

  #act = (place, element, value) => this.#do("view_action", { ...place, value, values: this.#filled() });

  #suggest = (place, query) => act("suggest", this.#here({ ...place, query }));

  #filled = () => this.surface.filled(this.view.blocks);

  #do = (action, more) => this.attempt(() => act(action, this.#here(more)));

  #here = (more) => ({ user: this.workspace().me, view_id: this.view.id, ...more });
}
