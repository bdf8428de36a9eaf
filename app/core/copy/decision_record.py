"""Texts on the record of a decision: shown, exported, handed over."""

from __future__ import annotations

from collections.abc import Mapping

# The record

RECORD_TITLE = "Record so far"
STEP_GOES_ON = "{title} (continued)"
BASED_ON_OLDER = "based on {was}; v{now} is approved"
"""Note on a result that is based on an older version."""
STILL_VALID = "{result} (made with v{was}, found still valid)"
"""A result that another one was made with an older version of; its owner has pressed *Still valid*."""
WORKED_OUT_ANEW = (
    "What follows from the ratings is worked out anew from {results}; it is not part of version {version} as "
    "approved. Sentences of people here were written for that version."
)
"""Note above findings that are newer than the approved version beside them."""
NO_DECISION = "There is no decision here any more."

# Export, by the word for the format

EXPORT_BUTTONS: Mapping[str, str] = {"html": "Export report", "markdown": "Export Markdown", "json": "Export JSON"}
EXPORTED: Mapping[str, str] = {
    "html": "the report",
    "markdown": "the report in Markdown",
    "json": "the whole record as JSON",
}
PREPARING_THERE = "⏳ I am preparing {what}: in a moment you find it in the thread of {decision}."
POSTED_THERE = "✅ You find {what} in the thread of {decision}."
COMMENTS: Mapping[str, str] = {
    "html": "📄 {person}, the report as it stands now. Open it in a browser; it can be printed.",
    "markdown": "📄 {person}, the report as it stands now, in Markdown.",
    "json": "📄 {person}, the whole record as JSON: every approved version.",
}
EXPORT_TITLE = "Export a decision"
EXPORT_SUBMIT = "Export"
EXPORT_LABEL = "Decision"
EXPORT_FORMAT = "As"
EXPORT_HINT = "The file goes into the decision's thread: whoever can read that can read the file."
FORMATS: Mapping[str, str] = {
    "html": "Report (HTML), to read and print",
    "markdown": "Markdown, to go on writing",
    "json": "JSON, for programs: every version",
}
NO_DECISIONS = "You have no decisions yet. Begin one with `/decide`."
PICK_DECISION = "Please pick a decision."
NO_UPLOAD = (
    "I may not post files in this workspace yet. Please ask whoever installed me to install me again, so that I get "
    "the permission `files:write`."
)
NOT_THERE = "I cannot post in that channel. Write /invite @Threadwise there, then try again."
ARCHIVED_THERE = "That channel is archived, so I cannot post there. Unarchive it, then try again."
EXPORT_FAILED = "I could not post the file just now. Please try again in a moment."

# Handing over

HAND_OVER_TITLE = "Hand over"
HAND_OVER_SUBMIT = "Hand over"
HAND_OVER_LABEL = "Who leads it from now on?"
HAND_OVER_MEANS = (
    "From then on only they can approve, edit and decide here, in every step. What you write still counts as context."
)
PICK_SOMEBODY = "Please pick somebody."
YOURS_ALREADY = "It is yours already. Please pick somebody else."
NOT_FROM_HERE = "Nobody else can read your direct messages. A decision in a channel can be handed over."
NOT_A_BOT = "Only a person can own a decision. Please pick somebody else."
NOT_ACTIVE = "That account is not active any more. Please pick somebody else."
NOT_IN_CHANNEL = (
    "{person} is not in this channel and would not see the decision. Write /invite @{person} there, then hand it over."
)
TOO_MANY_FILES = "You have had many files in the last hour. Ask for this one again in {wait}."
NOT_FOR_THEM = "Guests and people of other companies cannot lead decisions here. Pick a member of this workspace."
