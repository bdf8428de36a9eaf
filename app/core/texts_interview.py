"""Texts for owner and model while a decision and its steps go on; the same rules as in `app.core.texts`."""

from __future__ import annotations

from app.core.states import Phase

# To the owner

READ_ONLY = "This step is finished. *Reopen it* or go on with the next step."
CANNOT_REVISE = "Cannot revise completed conversation"
NOT_COMPLETE = "Can only reopen completed conversations"
NO_EXTRACTION = "Nothing captured yet."
NOT_CONFIRMED = "There is nothing to approve yet."
REQUEST_CHANGES = "Request changes"
APPROVE_FIRST = "Before this step can be finished: {list}."
A_RESULT = "an approved result"
NOTHING_TO_SUMMARISE = "There is nothing to summarise yet: tell me a little first, in your own words."
ALREADY_WORKING = "I am putting it together already."
STALE_EDIT = "This was changed meanwhile. Open it again to see how it is now."
BAD_EDIT = "That does not fit together, so I left it as it was. Please look at it again."
RETIRED = (
    "This step is not installed any more, so I changed nothing. All that is here is kept, and whoever installed me can "
    "bring the step back."
)
NOT_COMPONENT = "That works in the threads of a decision's steps."
NOT_DECISION = "That works in the first message of a decision."
PREREQUISITE = "Start {step} first."
STEP_BEGUN = "{step} has begun already: open it from the list above."
CLOSE_FIRST = "A decision can be closed when {step} is approved."
HUB_HINT = "Each step has its own thread: open one above and write there. I read along in those."
REOPEN_STEP_TOO = "The conversation is open again. The step itself is still finished: shall I reopen it, too?"

STEP_AT = "{title}: {phase}"
STEP_FINISHED = "{title}: finished, v{version} is in the record."
PHASE_NAMES: dict[Phase, str] = {
    Phase.INTRO: "the introduction",
    Phase.GATHER: "collecting",
    Phase.CLARIFY: "clearing something up",
    Phase.EXTRACT: "putting it together",
    Phase.CONFIRM: "waiting for your OK",
}

# In the thread

REOPENED_STEP = "Conversation reopened for additional discussion."
"""Fixed wording; the model gets the same."""
LEFT_AS_IT_WAS = "Left as it was approved: v{version}."
GROUND_CHANGED = "⚠ {title} has changed (v{version}). What depends on it here was brought up to date."
HANDED_OVER = "{person} owns this decision now, and answers me here."
DECISION_CLOSED = "The decision is closed. Everything stays readable, and you can reopen it."
DECISION_REOPENED = "The decision is open again."

# To the model

EDITED_FOR_MODEL = "The owner edited draft {version} by hand; the state block holds what it is now."
REOPENED_FOR_MODEL = (
    "Conversation reopened for additional discussion. Say in one sentence what stands, then ask what has changed; if "
    "something is missing now, ask about that first."
)
RESTARTED_FOR_MODEL = "The owner wants to go on from here: {phase}. What was noted is kept. Begin that phase."
CHANGED_FOR_MODEL = "{title} has a new version, v{version}. The state block holds what follows from it."
EXHAUSTED_FOR_MODEL = "The result could not be put together: {issues}. Ask the person about what is unclear in it."
"""The model asks people in its own words, one question at a time."""
