"""Texts on the permissions of tools; the same rules as in `app.core.copy.texts`.

Titles and buttons of windows are plain, and 24 characters at most.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.core.state.permission import ChannelKind, PermissionChoice, Sharing

TITLE = "Permissions"
NOTHING_OWN = "You have allowed or forbidden nothing for good."
ALWAYS = "✅ Without asking: {label}\n_You allowed it for good ·_ {date}"
USED = " _· last used_ {date}"
ENDS = " _· ends unless used by_ {date}"
ENDED_ON = " _· ended, I ask again ·_ {date}"
NEVER = "🚫 Never: {label}\n_You forbade it for good ·_ {date}"
OVERRULED = (
    "🚫 Not done, in spite of this choice, because another one forbids it: {label}\n_You allowed it for good ·_ {date}"
)
UNLABELLED = "{tool}: {scope}"
MORE = "… and {count} more: `/threadwise permissions`"

# Rules of the workspace

POLICY_NEVER = "🚫 For everybody in this workspace, never: {tools}"
POLICY_ALWAYS = "✅ For everybody in this workspace, without asking: {tools}"
ANY_TOOL = "everything"
SCOPED = "{tool} ({scope})"

# Forbidding a whole tool

FORBID = "To forbid yourself a whole tool, choose it here. You can revoke that like any other choice."
FORBID_WHICH = "Forbid a tool"
FORBID_SURELY = "Forbid this tool?"
FORBID_MEANS = "I do not use it for you any more, and do not ask you either."
FORBID_YES = "Forbid"
WHOLE_TOOL = "{tool} (the whole tool)"

# Revoking

REVOKE = "Revoke"
SURELY = "Revoke this?"
SURELY_ALWAYS = "From now on I ask you again before I do it: {label}"
SURELY_NEVER = "From now on I may ask you again about it: {label}"
SURELY_OVERRULED = "It stays forbidden all the same, by another choice: {label}"
KEEP = "Keep"

# The card

ASKS = "{owner}, {title}?"
COUNTED = "({place} of {count})"
COVERS = "Always = {covers}, for you only. Never forbids you the same."
RECOMMENDED = "💡 You have allowed this {count} times. *Always allow* saves you the question."
LISTED = "*All that I would do now:*"
TOGETHER = "{number}. {what}"
COVERS_SOURCE = "{covers} with words from {source}"

# The card of a tool of a server

SERVED = "“{tool}” of the server {server}"
OWN_TOOL = "“{tool}”"
USE_TOOL = "use “{tool}” of the server {server}"
USING_TOOL = "using “{tool}” of the server {server}"
SERVER_SAYS = "The server {server} says of it: “{words}”"
SERVER = "⚙️ *Tools of the server {server}*"
SERVER_ASKED = "You are asked before: {tools}"
SERVER_READS = "Without asking, because they only read: {tools}"
SERVER_AWAY = "_It cannot be reached just now._"
NO_ARGUMENTS = "It gets no details from us."
YES, NO, EMPTY = "yes", "no", "(empty)"

# The card of a search of the web

SEARCH_WEB = "search the web for this"
SEARCHING_WEB = "searching the web"
WEB_SEARCH = "A web search"
WEB_SOURCE = "the web"

# Reasons why a card asks although there may be a rule: plain text, one sentence each

READ_IN = "This was read in {source}, which {readers} can read. {target} may have other readers."
READ_UNSURE = "This was read in {source}. {target} may have other readers."
READ_BY_TOOL = "{tool} does not say where this came from, so I cannot tell who may read it."
READ_PEOPLE = "This names people of the workspace, whom guests and other companies do not all see."
READ_BEFORE = "This thread holds what I read before I noted where things come from."
READ_ON_WEB = "This thread holds words from the web, which anybody can write."
NOT_SAID = "What I write"
A_SERVER = "The server {server}"
SOURCE_UNKNOWN = "a place that I cannot look up"
BEFORE_SOURCE = "this thread"
PEOPLE_SOURCE = "the list of people"
MORE_PLACES = "and {count} more of this kind"
EVERYBODY = "everybody in the workspace"
PERSON, PEOPLE = "1 person", "{count:,} people"
CHANGED = "You allowed this for good when {target} was {then}. Now it is {now}."
TOOL_CHANGED = "You allowed this for good. Since then the server has changed what it says of this tool: so I ask."
ENDED = "You allowed this for good, but it was not used for {days} days: so I ask again."
FULL = "You allowed this for good, {count} times an hour. That is used up, so I ask."
KINDS: dict[ChannelKind, str] = {
    ChannelKind.DIRECT: "a direct message",
    ChannelKind.PRIVATE: "a private channel",
    ChannelKind.PUBLIC: "a public channel",
}
SHARINGS: dict[Sharing, str] = {
    Sharing.NONE: "",
    Sharing.ORG: " shared with other workspaces",
    Sharing.PENDING: " that another company was invited to",
    Sharing.COMPANIES: " shared with other companies",
}
MEMBER, NO_MEMBER = ", with you in it", ", without you in it"
TARGET_UNKNOWN = "I could not look up who reads {target} now, so I ask."
FROM_BEFORE = "shared with nobody outside of the workspace"

MORE_WORDS = "… and {count:,} more characters"
MORE_REASONS = "Not each place is named here."
SHOW_ALL = "Show all"
DECIDED = "{verdict} · {person} · {time}"
REVOCABLE = "{decided} · {covers} · `/threadwise permissions` revokes it"
VERDICTS: dict[PermissionChoice, str] = {
    PermissionChoice.ALLOW: "✅ Allowed once",
    PermissionChoice.ALWAYS: "✅ Always allowed",
    PermissionChoice.WAIT: "✋ Told to wait",
    PermissionChoice.NEVER: "🚫 Never allowed",
}
ALL_ALLOWED = "✅ All {count} allowed once"
FORBIDDEN = "🚫 Not done, although you allowed it: it was forbidden meanwhile"
SOME_FORBIDDEN = "✅ {done} of {count} allowed once, the rest was forbidden meanwhile"
SEE_RULES = "{decided} · `/threadwise permissions` shows by what"
WITHDRAWN = "Not done. No answer is needed any more."
HINT = "Or write what I should do instead. Nothing is done until you answer."
DO_WHAT_INSTEAD = "What should I do differently?"

# The window with all details

SHOWN_TITLE = "What I would do"
SHOWN_USE = "*{title}*"
ANSWER_ON_CARD = "_To answer, close this window and use the buttons below my question._"
DECIDED_ALREADY = "That is decided already: the message in our thread says how."

# In the thread

INTERRUPTED = "Interrupted: I have done nothing more."
OUTCOME_UNKNOWN = "I was interrupted while I tried to {title}. Please look whether it was done before you ask me again."

# To the model

DONE_FOR_MODEL = "Before this answer broke off, this was done: {done}. Do not do it again."
NOT_KEPT_FOR_MODEL = (
    "Because the owner interrupted you, what that answer asked, planned for later or finished was not kept."
)
UNKNOWN_FOR_MODEL = (
    "What {tool} was to do was broken off: {what}. It is not known whether it was done: do not repeat it."
)


ASKED_AS: Mapping[str, str] = {
    "first": "from number",
    "last": "to number",
    "limit": "",
    "query": "words",
    "until": "before",
}
"""What people read instead of the name of a field that a tool of ours is given; nothing where it tells them nothing."""

STATES: Mapping[str, str] = {
    "active": "open",
    "archived": "archived",
    "background": "in the background",
    "complete": "approved",
    "component": "step of a decision",
    "free": "thread",
    "in_progress": "under way",
    "needs_revision": "to be looked at again",
    "not_started": "not begun",
    "waiting_input": "waiting for you",
}
"""Kinds and states of conversations and steps, in results of tools."""


def name_tool(name: str) -> str:
    """Return the name of a tool or field of a server as words: they are written together there."""
    return " ".join(name.replace("_", " ").split()) or name
