"""Texts on a decision and its steps: begun, led, shown on hubs and cards."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.state.decision import ComponentStatus
from app.core.state.interview import Phase
from app.core.state.sheet import Mark

DECIDE_TITLE = "Make a decision"
DECIDE_SUBMIT = "Start"
QUESTION = "What do you have to decide?"
QUESTION_HINT = "One question that leaves the answer open, such as “How should we cover the winter rota?”"
MATERIAL = "What do you have already?"
MATERIAL_MORE = "And further"
PEOPLE = "Who should be there?"
PEOPLE_HINT = "They are invited to the channel. You lead; what others write counts as context for you."
PLACE = "Where?"
PRIVATE = "A new private channel"
DIRECT = "Our direct messages"
HERE = "This channel"
HERE_READ = "This channel ({readers})"
READER, READERS = "1 member", "{count} members"
FROM_THREAD = (
    "I read what was said in that thread and draft the first step from it. You look at the draft before it counts."
)
FROM_WORDS = (
    "I draft the first step from what stands here at once, without asking. You look at the draft before it counts."
)
NO_QUESTION = "Please write what you have to decide."
PICK_PLACE = "Please pick a place."
NO_CHANNELS = "I may not make channels in this workspace. Pick another place."
PEOPLE_WITHOUT_CHANNEL = "Others cannot read our direct messages. Pick a channel, or leave the people out."
CANNOT_BEGIN = "I could not begin just now. Nothing was lost: please send it again in a moment."
TOO_MANY = "You have begun a lot in the last hour. You can send this again in {wait}; what you wrote stays here."
TOO_MANY_EXAMPLES = "You have begun a lot in the last hour. I can lay the example out in {wait}."
NOT_INVITED = "I am not in that channel. Write /invite @Threadwise there, then try again."
NOTHING_SAID = "I can read nothing in that thread."
HUB_BEGINS = "🧭 {person} begins a decision: *{question}*"
STARTED_TITLE = "Started"
STARTED = "Your decision has begun: {link}."
OPEN_IT = "open it"
NOT_FROM_HERE = (
    "I am not in this channel, so I cannot lead a decision here. Write /invite @Threadwise, or pick another place."
)

# To the owner

READ_ONLY = "This step is finished. *Discuss it again* or go on with the next step."
NOT_KEPT = (
    "This step is finished, so I have not kept your message. Press *Go on with this message* to discuss the step "
    "again, or go on with the next step."
)
READ_ONLY_FOR_OTHERS = (
    "This step is finished, so I have not kept your message. Only {owner} can discuss it again, because the result is "
    "theirs: ask them to, then write it once more."
)
CANNOT_REVISE = "Cannot revise completed conversation: its result is approved. Press *Discuss again* on its card first."
NOT_COMPLETE = (
    "Can only reopen completed conversations: this step is being discussed already. Write what you want to change."
)
NO_EXTRACTION = "Nothing captured yet."
NOT_CONFIRMED = "There is nothing to approve yet."
REQUEST_CHANGES = "Request changes"
WRITE_CHANGES = "Write what should change, here in the thread."
WRITE_CHANGES_OR_APPROVE = f"{WRITE_CHANGES} Until then the draft above can still be approved."
APPROVE_FIRST = "Before this step can be finished: {list}"
A_RESULT = "an approved result."
NOTHING_TO_SUMMARISE = "There is nothing to summarise yet: tell me a little first, in your own words."
NOTHING_NOTED = (
    "I have noted nothing yet. Write on, and I note what belongs to this step. *Done – summarise* puts together what "
    "was said."
)
GOES_ON = "Good, we keep talking: {count} more answers before I put it together. *Done – summarise* ends it any time."
GOES_ON_ALREADY = "We keep talking already."
ENDED_ALREADY = "The talk has ended already. Write in the thread if something should change."
AFTER_THIS_ANSWER = "I finish this answer first, and put everything together then. *Stop* ends the answer now."
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
STEP_BEGUN = "{step} has begun already."
STEP_IS_OPENING = "I am opening {step} already."
GO_TO_STEP = "Open it"
CLOSE_FIRST = "A decision can be closed when {step} is approved."
HUB_HINT = "Each step has its own thread: open one above and write there. I read along in those."
REOPEN_STEP_TOO = "The conversation is open again. The step itself is still finished: shall we discuss it again?"
DISCUSS_AGAIN = "Discuss again"
YOU = "You"
QUOTE_EDITED = "{person} changed a message that *{title}* v{version} quotes. The approved result stays as it is."
QUOTE_DELETED = (
    "{person} deleted a message that *{title}* v{version} quotes. I take its words out there; the rest of the approved "
    "result stays as it is."
)
FIGURES_EDITED = (
    "{person} changed a message that *{title}* v{version} takes {figures} from, and nothing else says so. The approved "
    "result stays as it is."
)
FIGURES_DELETED = (
    "{person} deleted a message that *{title}* v{version} takes {figures} from, and nothing else says so. The approved "
    "result stays as it is."
)
DRAFT_QUOTE_EDITED = "{person} changed a message that the draft of *{title}* above quotes. The draft stays as it is."
DRAFT_QUOTE_DELETED = "{person} deleted a message that the draft of *{title}* above quotes. I take its words out there."
DRAFT_FIGURES_EDITED = (
    "{person} changed a message that the draft of *{title}* above takes {figures} from, and nothing else says so. The "
    "draft stays as it is."
)
DRAFT_FIGURES_DELETED = (
    "{person} deleted a message that the draft of *{title}* above takes {figures} from, and nothing else says so. The "
    "draft stays as it is."
)
SHOULD_DRAFT_FOLLOW = "If it should follow, press *Request changes* on the card, or *Edit*."
DRAFT_OWNER_KNOWS = "I have told {owner}, who approves the draft."
NOT_IN_CURRENT = "v{current}, which stands, uses nothing of it."
SHOULD_IT_FOLLOW = "If the result should follow, discuss the step again."
SAY_IF_IT_FOLLOWS = "The step is being discussed: write in its thread if the result should follow."
OWNER_KNOWS = "I have told {owner}, who can discuss the step again."
SOURCE_EDITED = (
    "You changed a message that a decision was drafted from, and a result uses it. The result stays as it is."
)
SOURCE_DELETED = (
    "You deleted a message that a decision was drafted from, and a result uses it. I take its words out "
    "there; what was made of them stays."
)
DECISION_OWNER_KNOWS = "I have told the decision's owner, who can discuss it again."
ASKED_IN_STEP = "In the step's thread I ask you whether the result should follow."

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
HANDED_OVER_BY_OPERATOR = f"{HANDED_OVER} The people who run Threadwise arranged it."
DECISION_CLOSED = "The decision is closed. Everything stays readable, and you can reopen it."
DECISION_REOPENED = "The decision is open again."
CLOSED_ALREADY = "This decision is closed already. Everything stays readable, and you can reopen it in its menu."
OPEN_ALREADY = "This decision is open already."

# To the model

VOUCHED_FOR_MODEL = "The owner has pressed that these figures hold, which nobody had said: {figures}."
CHANGES_PRESSED_FOR_MODEL = "The owner has pressed Request changes: what they write next says what should change."
EDITED_FOR_MODEL = "The owner edited draft {version} by hand; the state holds what it is now."
RATED_FOR_MODEL = "The owner filled in a window on draft {version}: {said}"
TAKEN_UP_FOR_MODEL = (
    "Conversation reopened for additional discussion, with the message that follows. If the state tells of "
    "changes in earlier steps, say first which step and version, what is different, and what follows for the result "
    "here. Then take the message up."
)
REOPENED_FOR_MODEL = (
    "Conversation reopened for additional discussion. If the state tells of changes in earlier steps, begin "
    "with them: which step and version, what is different, and what follows for the result here. Then say in one "
    "sentence what stands. If nothing has changed there, ask what to change; if something is missing now, ask about "
    "that first."
)
RESTARTED_FOR_MODEL = "The owner wants to go on from here: {phase}. What was noted is kept. Begin that phase."
NOT_NOTED_FOR_MODEL = "Your last answer broke off, so what you noted in it was not kept."
CHANGED_FOR_MODEL = "{title} has a new version, v{version}. The state holds what follows from it."
EXHAUSTED_FOR_MODEL = "The result could not be put together: {issues}. Ask the person about what is unclear in it."
"""The model asks people in its own words, one question at a time."""

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
NOT_KNOWN = "not known"
"""A rating of which people said that they do not know it."""
DOUBTFUL = "{rating}, in doubt"
WEAKEST = "◀ weakest"
NOTHING = "–"
"""A window about a result with nothing in it."""

# The card of a step

WAITS_FOR_OK = "{owner}, waiting for your OK · *{title}* · draft {draft}"
LACKS = "{owner}, something is still missing · *{title}* · draft {draft}"
"""In place of it on a draft that cannot be approved yet."""
DRAFT = "*{title}* · draft {draft}"
APPROVED = "*{title}* · ✅ Approved as v{version} · {person} · {time}"
REPLACED = "Replaced by v{version}, below."
"""On an approved result above a later one."""
CHANGING = "✏ Changes asked for · {person} · {time}"
SUPERSEDED = "A newer draft stands below."
SHOWN_AGAIN = "The same draft stands again below."
WAITS_ABOVE = "The draft right above has not changed and waits for you: press *{approve}*, or write what should change."
LACKS_ABOVE = "The draft right above cannot be approved yet. It still needs: {list}"
DOES_IT_FIT = "Does it fit like this?"
"""In place of a step's own question about its draft, once that was put and people have gone on."""
WITHDRAWN = "This draft no longer waits for an OK."
STILL_NEEDED = "⚠ Still needed"
NOTICED = "Noticed"
NOBODY_SAID = "⚠ Nobody said this"
UNSAID_LINE = "⚠ Nobody said this: "
UNSAID = "{figure} · {where}"
NOT_IN_FILES = "⚠ Not in {files}"
NOT_IN_FILES_LINE = "⚠ Not in {files}: "
NAMES_NOT_IN_FILES = "Not in {files}: {items}."
NAMES_IN_OTHER_WORDS = "In other words than in the file; please compare: {items}."
THE_FILE = "the file"
WORKED_OUT = "Worked out from what you said"
WORKED_OUT_LINE = "Worked out: "
FROM_FILES = "📎 From files"
FROM_FILES_LINE = "📎 From files: "
ABOUT, TRACE = "{about}: {text}", "{what} · {where}"
THAT_IS_RIGHT, THESE_ARE_RIGHT = "That is right", "These are right"
RIGHT_AND_APPROVED = "{right} · {approve}"
UNSAID_HINT = "If it is wrong, change it with Edit…, or write what it should be."
CONFIRM_FIGURE = "confirm {figure} or take it out"
SINCE = "Since it was last shown: "
NEEDED = "⚠ Still needed: "
NOTICE = "Noticed: "
AND_MORE = "and {count} more in Show details"
MORE_TO_SETTLE = "and {count} more at the top of Show details"
SHOW_DETAILS = "Show details"
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

# The notes of a discussion

NOTED_SO_FAR = "📝 *{title}* · noted so far"
NOTHING_HAS_ENDED = "We go on as before: write what is missing or wrong. *Done – summarise* makes a draft for your OK."

# Below a step that is approved, or whose basis has changed

RECORDED = "✅ *{title}* v{version} is in the record."
START_NEXT, OPEN_NEXT = "Start {title}", "Open {title}"
GO_TO_GROUND = "What is missing here comes from *{title}*. You can go there first, and come back when it is approved."
START_GROUND = "What is missing here comes from *{title}*, which has not begun. You can start it in the decision."
OPEN_DECISION = "Open the decision"
GO_ON_FROM_HUB = "Go on from {hub}: it marks what builds on this and needs another look."
LAST_STEP = (
    "That was the last step. *Record and report* shows all of it, and exports the report for others. "
    "When you are done, close the decision in the menu of {hub}."
)
REVIEW = "⚠ *{title}* v{version} was made before this changed: {causes}."
REVIEWED = "After *{title}* v{version} this changed: {causes}. What became of it stands below."
FOLLOWS_NOW = "What would follow now"
CHANGED_THERE = "{title}: "
WOULD_CHANGE = "What would differ: "
LOOK_LATER = "After it: {titles}."
STILL_VALID = "Still valid"

# While a step is in progress

SUMMARIZE = "Done – summarise"
SHOW = "Show so far"
DRAFT_IT = "Draft it for me"
DRAFT_IT_TITLE = "Draft this step"
DRAFT_IT_SUBMIT = "Draft it"
DRAFT_IT_NOTE = (
    "I draft *{title}* at once, without asking: from what stands here, from this thread and from the steps before. You "
    "look at the draft before it counts."
)
DRAFTING = (
    "I draft *{title}* from what there is, without asking you anything. What nobody said stays open. Look at the draft "
    "before it counts; as soon as you write here, we talk it through."
)
DRAFT_WAITS = "A draft of this step waits for your OK already. Ask for changes there, or write here what is wrong."
DRAFTING_FOR_MODEL = "The owner has asked for a draft of this step, without being asked anything."
DRAFT_FROM_FILE = "Draft from this file"
DRAFT_FROM_FILES = "Draft from these files"
DRAFTING_FROM_FILES = (
    "I draft *{title}* from {files}, without asking you anything. What does not stand there stays open. Look at the "
    "draft before it counts; as soon as you write here, we talk it through."
)
FILE_GONE = "The file is no longer in this thread, so I cannot draft from it. Please share it here again."
DRAFTING_FROM_FILES_FOR_MODEL = (
    "The owner has asked for a draft of this step from {files}, without being asked anything. For this draft, take "
    "options, objectives and amounts from there alone, beside what earlier steps approved. Each amount stands in a "
    "cell, or else in a sentence of a document, and is taken over as it stands there. Say nothing that does not stand "
    "there: leave it open. What the owner says after this note counts as always."
)
KEEP_TALKING = "Keep talking"
ENDS_SOON = "After {count} more answers I put together what we have."
ENDS_NEXT = "After my next answer that asks nothing I put together what we have."
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
STEP_LACKS = "something is still missing"
BASED_ON = "based on {versions}"
NONE_OF = "no {title}"
NEXT: Mapping[ComponentStatus, str] = {
    ComponentStatus.NOT_STARTED: "*Next*: start *{title}*.",
    ComponentStatus.IN_PROGRESS: "*Next*: go on with *{title}*.",
    ComponentStatus.NEEDS_REVISION: "*Next*: look at *{title}* again; what it is based on has changed.",
}
NEXT_CONFIRMS = "*Next*: {owner} confirms *{title}*."
NEXT_COMPLETES = "*Next*: {owner} adds what is still missing in *{title}*."
NEXT_NOTHING = "Every step is in the record. If the decision is made, close it in the menu."
DISCUSS_IN_CLOSED = (
    "This decision is closed, so its steps stay as they are. To go on, choose *Reopen the decision* in the menu of its "
    "first message."
)
NOT_KEPT_IN_CLOSED = (
    "This decision is closed, so I have not kept your message. To go on, choose *Reopen the decision* in the menu of "
    "its first message, then write it once more."
)
START_IN_CLOSED = "This decision is closed. To go on, choose *Reopen the decision* in the menu of its first message."
NEXT_IN_EXAMPLE = (
    "Every step is in the record. Try it out: discuss *5 Consequences* again, change one rating, and see what follows."
)
NEXT_CLOSED = "This decision is closed. *Reopen* it in the menu to go on."
OPEN_STEP = "Open step {number}: {title}"
START_STEP = "Start step {number}: {title}"
START_ANOTHER = "Start another step…"
NUMBERED = "{number} {title}"
RECORD = "Record so far"
WHOLE_RECORD = "Record and report"
AT_STEP = "{number} of {count} {title}"
LOOK_AGAIN = "⚠ {count} to look at again"
YOUR_TURN = "your turn"
WORKING = "Threadwise is writing"
ALL_DONE = "every step is in the record"
CLOSED_ROW = "closed"
THREADS = "Threads"
THREADS_GONE = "This decision is not among your newest conversations. Its threads are linked in its first message."
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
WRITING_UP = "⏳ Writing up the step: {part} ({number} of {count}) …\n"
MAKING_CARD = "⏳ Making the card …\n"
CORRECTING = "⏳ Putting right what did not fit …\n"

# The same in the thread's status, behind the app's name

IS_SUMMARIZING = "is putting together what you said…"
IS_WRITING_UP = "is writing up the step: {part} ({number} of {count})…"
IS_MAKING_CARD = "is making the card…"
IS_CHECKING_TABLE = "is checking the table…"
IS_CHECKING = "is checking the card…"
IS_CORRECTING = "is putting right what did not fit…"

STEP_NOT_BEGUN = (
    "I cannot write in {channel} any more, so *{step}* has not begun. Nothing is lost.\n"
    "Invite me there again with `/invite @Threadwise`; an archived channel has to be unarchived first. Then start the "
    "step once more."
)
STEP_REFUSED = (
    "Slack did not let me begin *{step}* in {channel}. Nothing is lost: start the step once more. If nothing comes, "
    "tell whoever looks after me here."
)
"""What the owner is told in direct messages of a step whose thread could not be posted."""
