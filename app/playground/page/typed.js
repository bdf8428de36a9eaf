// A message's text as its author typed it: the server turns typed text into Slack's form, this turns it back for editing.

import { unescaped } from "./plain.js";

const REFERENCE = /<(?:@(\w+)(?:\|[^>]*)?|!(here|channel|everyone)|([^@#!>|][^>|]*)(?:\|[^>]*)?)>/g;

/** Return what to put into the editor; `mention` says by what name a person is mentioned. */
export function typed(text, mention) {
  const named = text.replace(REFERENCE, (_, person, broadcast, address) => {
    if (person) return `@${mention(person)}`;
    return broadcast ? `@${broadcast}` : address;
  });
  return unescaped(named);
}
