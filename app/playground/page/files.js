// The files under a message: what each is, a link that opens it, and one that keeps it.

import { withToken } from "./api.js";
import { h, icon } from "./dom.js";

const UNITS = ["bytes", "KB", "MB"];
const STEP = 1000; // as Slack and most systems count
const KINDS = [
  [/html/, "HTML"],
  [/pdf/, "PDF"],
  [/markdown/, "Markdown"],
  [/csv/, "CSV"],
  [/json/, "JSON"],
  [/^image\//, "Image"],
  [/^text\//, "Plain text"],
];

/** List a message's files for somebody; null if it has none. */
export function fileList({ files }, me) {
  if (!files?.length) return null;
  return h("ul", { class: "files", "aria-label": "Files" }, files.map((file) => h("li", {}, card(file, me))));
}

function card({ id, name, title, mimetype, size }, me) {
  const address = withToken(`/play/files/${id}?user=${encodeURIComponent(me)}`);
  const label = `Download ${name}`;
  return h(
    "div",
    { class: "file" },
    h("span", { class: "file-icon", "data-kind": kindOf(mimetype) }, icon("file")),
    h(
      "a",
      { class: "file-name", href: address, target: "_blank", rel: "noopener" },
      h("strong", {}, title),
      h("small", {}, [title === name ? "" : name, kindOf(mimetype), sizeOf(size)].filter(Boolean).join(" · ")),
    ),
    h("a", { class: "icon-button", href: `${address}&download=1`, download: name, title: label, "aria-label": label }, icon("download")),
  );
}

const kindOf = (mimetype) => KINDS.find(([pattern]) => pattern.test(mimetype))?.[1] ?? "File";

function sizeOf(bytes) {
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(STEP)), UNITS.length - 1);
  const shown = bytes / STEP ** power;
  return `${power && shown < 10 ? shown.toFixed(1) : Math.round(shown)} ${UNITS[power]}`;
}
