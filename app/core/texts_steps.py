"""Texts of a decision and its steps in mrkdwn: hub, cards, and the words around a sheet.

Texts within rich text and on buttons are plain: they contain no markup.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.core.sheet import Mark
from app.core.states import ComponentStatus

# Sheets

MARKS: Mapping[Mark, str] = {
    Mark.CHECK: "⚠ please check",
    Mark.SUGGESTED: "💡 my suggestion",
    Mark.BASELINE: "baseline",
    Mark.GAP: "⚠",
    Mark.SET_ASIDE: "set aside",
    Mark.STANDS_OUT: "⭐ stands out",
}
RATINGS = ("🟥 −2", "🟥 −1", "⬜ 0", "🟩 +1", "🟩 +2")
"""From the worst to the best."""
WORST = -2
UNKNOWN = "·"
DOUBTFUL = "?"
OPTIONS = "Options"
WEAKEST = "◀ weakest"
NOTHING = "–"
"""Empty cell of a table."""
AS_ABOVE = "〃"
"""Cell of a table that repeats the row above."""

# The card of a step

WAITS_FOR_OK = "{owner}, waiting for your OK · *{title}* · draft {draft}"
DRAFT = "*{title}* · draft {draft}"
APPROVED = "*{title}* · ✅ Approved as v{version} · {person} · {time}"
CHANGING = "✏ Changes asked for · {person} · {time}"
SUPERSEDED = "A newer draft stands below."
WITHDRAWN = "This draft no longer waits for an OK."
STILL_NEEDED = "⚠ Still needed"
NOTICED = "Noticed"
APPROVE_HINT = "Or reply yes, or write what should change."
CHANGE_HINT = "Or write what is still needed."
EDITED_BY = "Edited by {person}"
EDIT = "Edit…"
RATE = "Rate…"
RESTARTS: Mapping[str, str] = {
    "intro": "Restart from the introduction",
    "gather": "Restart from collecting",
    "clarify": "Restart from clarifying",
    "extract": "Restart from the summary",
}
"""By the phase that starts again."""
LEAVE_APPROVED = "Leave it as it was approved"
LEAVE_TITLE = "Leave this draft?"
LEAVE_WARNING = "It no longer waits for your OK then."
LEAVE_YES = "Yes, leave it"
LEAVE_NO = "Keep it"
PART = "{title} ({number} of {count})"
"""Title of a card's further Slack messages in their fallback text."""

# Below a step that is approved, or whose basis has changed

RECORDED = "✅ *{title}* v{version} is in the record."
START_NEXT = "Start {title}"
GO_ON_FROM_HUB = "What builds on it is marked in {hub}: go on from there."
LAST_STEP = "That was the last step. When you are done, close the decision in the menu of {hub}."
REVIEW = "⚠ *{title}* v{version} was made before this changed: {causes}."
REVIEWED = "*{title}* was looked at again after this changed: {causes}."
FOLLOWS_NOW = "What would follow now"
STILL_VALID = "Still valid"

# While a step is in progress

SUMMARIZE = "Done – summarise"
SHOW = "Show so far"
STEP = "Step {number} of {count} · *{title}* · {owner}"
THE_DECISION = "the decision"

# The hub

HUB = "🧭"
BY = "by {date}"
IS_CLOSED = "closed"
AN_EXAMPLE = "an example"
STEP_SIGNS: Mapping[ComponentStatus, str] = {
    ComponentStatus.NOT_STARTED: "○",
    ComponentStatus.IN_PROGRESS: "▶",
    ComponentStatus.COMPLETE: "✅",
    ComponentStatus.NEEDS_REVISION: "⚠",
}
STEP_WAITS = "waiting for your OK"
BASED_ON = "based on {versions}"
NEXT: Mapping[ComponentStatus, str] = {
    ComponentStatus.NOT_STARTED: "*Next*: start *{title}*.",
    ComponentStatus.IN_PROGRESS: "*Next*: go on with *{title}*.",
    ComponentStatus.NEEDS_REVISION: "*Next*: look at *{title}* again; what it is based on has changed.",
}
NEXT_CONFIRMS = "*Next*: {owner} confirms *{title}*."
NEXT_NOTHING = "Every step is in the record. If the decision is made, close it in the menu."
NEXT_IN_EXAMPLE = (
    "Every step is in the record. Try it out: reopen *5 Consequences*, change one rating, and see what follows."
)
NEXT_CLOSED = "This decision is closed. *Reopen* it in the menu to go on."
OPEN_STEP = "Open step {number}: {title}"
START_STEP = "Start step {number}: {title}"
START_ANOTHER = "Start another step…"
NUMBERED = "{number} {title}"
RECORD = "Record so far"
EXPORTS: Mapping[str, str] = {
    "export:html": "Export report (HTML)",
    "export:markdown": "Export Markdown",
    "export:json": "Export JSON",
}
HAND_OVER = "Hand over…"
CLOSE_DECISION = "Close the decision"
REOPEN_DECISION = "Reopen the decision"

# While an extraction runs; the Slack message is replaced at its end. The last character of a line that may still grow
# is held back

SUMMARIZING = "⏳ Putting together what you said …\n"
CHECKING = "⏳ Checking it …\n"
