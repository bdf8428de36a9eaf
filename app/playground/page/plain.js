// Plain text of Slack's: its own escapes undone, the short names of known emoji drawn. The server's renderer reads the same file.

const EMOJI = await (await fetch("/page/emoji.json")).json();
const SHORT_NAME = /:([a-z0-9_+-]+):/g;

/** Draw one emoji by its short name, whatever its skin; an unknown one stays `:name:`, as in Slack. */
export const emoji = (name) => EMOJI[name.replace(/::.*/, "")] ?? `:${name}:`;

/** Undo Slack's escaping, which knows these three entities and no others. */
export const unescaped = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** Read a text, a text object or nothing as people do. */
export const plain = (text) => unescaped(text?.text ?? text ?? "").replace(SHORT_NAME, (_, name) => emoji(name));
