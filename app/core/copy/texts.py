"""Sentences that people read: short, kind, concrete, and with the next thing to do.

In Slack's mrkdwn. No text is ever made of an exception's text.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.core.errors import FailureKind
from app.core.state.status import Status

FAILURES: dict[FailureKind, str] = {
    FailureKind.BUSY: "Claude is very busy right now. Nothing you wrote is lost.",
    FailureKind.LIMITED: "We have reached our limit with Claude for the moment. Give it a minute, then try again.",
    FailureKind.SPENT: "This workspace's AI budget is used up. An administrator can raise it.",
    FailureKind.MISCONFIGURED: "I am not set up correctly, so I cannot reach Claude. Please tell whoever installed me.",
    FailureKind.TOO_LONG: "This thread has become too long for me. Start a new one and tell me the essentials.",
    FailureKind.OVERSIZED: "This answer grew past 100,000 bytes, so I stopped it. Please ask for a part of it.",
    FailureKind.INVALID: "I could not ask Claude this. Please put it differently.",
    FailureKind.CUT: "The connection to Claude broke off. What had arrived is above.",
    FailureKind.TIMEOUT: "Claude did not answer in time.",
    FailureKind.PACED: "A bit fast; try again in {wait}.",
    FailureKind.SPENT_TODAY: "Today's AI budget is used up. It is filled up again in {wait}.",
    FailureKind.UNFINISHED: "I could not put this together just now. Nothing you wrote is lost.",
    FailureKind.NOT_THEIRS: (
        "I answer members of this workspace only. What you wrote stays; one of them can ask me in a thread of theirs."
    ),
    FailureKind.OVERHEARD: "More people read along here than when I began, so I stopped. Ask me again, or in private.",
    FailureKind.RETIRED: "This step is not installed any more. What was approved stays: export, archive or erase it.",
    FailureKind.INTERNAL: "Something went wrong on my side. It is noted.",
}

FAILURES_OF_RUNS: dict[FailureKind, str] = {
    FailureKind.OVERSIZED: (
        "The answer to what is planned here grew past 100,000 bytes, so I stopped it. Tell me which part you need."
    ),
    FailureKind.INVALID: "I could not ask Claude what is planned here. Tell me in other words what I should do.",
}
"""Failures that are told otherwise where nobody has just asked: in runs of a schedule."""

CUT_EARLY = "The connection to Claude broke off before the first word."
A_MOMENT = "a moment"
"""Value of `{wait}` if the waiting time is unknown."""

RETRYABLE = frozenset(
    {
        FailureKind.BUSY,
        FailureKind.LIMITED,
        FailureKind.CUT,
        FailureKind.TIMEOUT,
        FailureKind.INTERNAL,
        FailureKind.UNFINISHED,
        FailureKind.PACED,
        FailureKind.SPENT_TODAY,
    },
)
"""Failures after which another attempt can help; only these get *Retry*."""

INTERRUPTED = "I was interrupted here. What had arrived is above."
INTERRUPTED_EARLY = "I was interrupted before the first word."
STOPPED = "Conversation interrupted: I stopped, as you wished. What had arrived is above."
STOPPED_EARLY = "Conversation interrupted: I stopped before the first word, as you wished."
"""Fixed wording: it must begin with "Conversation interrupted"."""
STOP = "Stop"
TRUNCATED = "The answer was longer than one reply may be."
LIMITED = "I have stopped here to let you look, and may not be done yet. Continue lets me go on."
READ_TOO_MUCH = "What I have read fills all the room that I have. Continue lets me go on without some of it."
CONTINUE = "Continue"
GO_ON = "Please go on exactly where you stopped."
"""Message of *Continue* to the model, in the owner's name."""
REFUSED = "Claude declined to answer this. Put it differently, or ask for something else."
EMPTY = "Claude had nothing to say to that. Try putting it differently."
REFUSED_IN_RUN = "Claude declined what is planned here. Tell me in other words what I should do, or cancel it."
EMPTY_IN_RUN = "Claude had nothing to say to what is planned here."
RETRY = "Retry"
THINKING = "is thinking…"
STILL_THINKING = "is still thinking…"
WRITING_DOWN = "is writing down what you said…"
AT_WORK = "is at work on it…"
ACTIVITIES: Mapping[str, str] = {
    **dict.fromkeys(("note_item", "set_fields"), "is taking notes…"),
    **dict.fromkeys(("change_item", "drop_item", "move_item"), "is changing the notes…"),
    "rate": "is filling in the table…",
    **dict.fromkeys(("flag_inconsistency", "settle_inconsistency"), "is comparing what was said…"),
    "read_step": "is reading an earlier step…",
    "search_thread": "is looking through the thread…",
    "ready_to_summarize": "is getting ready to write up the step…",
    "resolve_confirmation": "is taking in your answer…",
    **dict.fromkeys(("look_up", "read_channel", "read_thread", "read_conversation"), "is choosing what to read…"),
    "search_conversations": "is choosing what to look for…",
    "ask_user": "is writing a question…",
    "propose_plan": "is writing a plan…",
    "search_web": "is writing a query for the web…",
}
"""Words of the thread's status while the model writes a call, by its tool; they stand behind the app's name."""
LOOKING_AROUND = "is looking around: {done} of {total} places…"
"""Words of the thread's status, as those of `ACTIVITIES`."""
USING = "⏳ _{tools} …_"
USING_TOOL = "using {tool}"
USED_TOOL = "used {tool}"
TIMES = "{what} ({count} times)"
PERHAPS_DONE = "{what}: I do not know whether it was done"
HOW_MANY_DONE = ", {done} of {count}"
LOOKED_AT = "looked at {things}"
TRACE = "🔎 {line}"
"""The line that stays below a reply, in plain text."""
UNSAID_FIGURES = (
    "⚠️ Nobody here said {figures}, and it follows from nothing that I know. Please check before you use it."
)
"""The line below a reply of a step; `figures` as they stand in it, each with the next words and in quotation marks."""
SHOW_DETAILS = "Show details"
DETAILS_TITLE = "What I looked at"
ASKED_FOR = "_Asked for_"
BROUGHT = "_What came of it_"
BROUGHT_NOTHING = "nothing"
BROUGHT_FAILED = "This could not be done."
PERHAPS_BROUGHT = "I do not know whether this was done."
NO_DETAILS = "I have kept no details of that."
SEARCHING_WEB = "⏳ _searching the web …_"
SOURCES = "Sources:\n{links}"
LONG_SOURCE = "{page}: its address is too long for a link"
REMEMBERING = "⏳ _reading the older messages once more …_"

PRECEDING_READ = "I have read what was said in this thread before: {messages}."
PRECEDING_CUT = (
    "I have read the newest {messages} above yours in this thread. There are older ones: ask me to read them, too."
)
PRECEDING_UNREAD = (
    "I could not read what was said in this thread before. Ask me to read the thread again, or tell me what matters."
)

OTHERS_ARE_HEARD = "Only {owner} can do that here. I have noted what you wrote for {owner}'s next turn."
ASK_ELSEWHERE = "To ask me something yourself, mention me in a new message outside this thread."
NOT_OWNER = "Only {owner} can do that here."
BARRED_GUEST = (
    "I begin conversations for members of this workspace only, not for guests. I have kept nothing of what you wrote. "
    "Ask a member to begin one: what you write in its thread is heard."
)
BARRED_STRANGER = (
    "I begin conversations for members of the workspace that I belong to, and you write from another one. I have kept "
    "nothing of what you wrote. Ask one of them to begin one: what you write in its thread is heard."
)
BUSY = "Still working on the last message; yours is next."
STORE_AWAY = "I could not take that in just now. Please press it again in a moment."
MESSAGE_LOST = "I could not store your last message, so I have not read it. Please write it again in a few minutes."
ALREADY_DONE = "That was already answered."
TAKEN_BACK = "What you had asked there is deleted, so there is nothing to try again. Write what I should answer."
NO_STREAM = "Nothing is being written here right now, so there is nothing to stop."
QUESTION_STANDS = "My question stays open: “never mind” withdraws it."
PLAN_STANDS = "What is planned here goes on: *Cancel* on its card ends it."
RATE_LIMITED = "A bit fast; try again in {wait}."
ERASE_OFFER = (
    "Shall I forget this conversation? I erase all that I have kept of it, for good, and then tell you until when "
    "backups may hold a copy. The messages in Slack stay until somebody deletes them there."
)
ERASE = "Erase it"
ERASING = "I am forgetting this conversation. Write that again in a moment."
ERASED = "Done: I have forgotten this conversation."
ERASED_COPIES = "Copies of it in backups can be opened for {days} more at most."
ERASED_COPIES_TOO = "No copy of it in a backup can be opened any more."
ERASED_OLD_COPIES = (
    "It began before an update of mine: backups from before that may hold a copy until whoever runs me deletes them."
)
BEGIN_ANEW = "Mention me to begin a new one."
NOTHING_HERE = "There is no conversation with me in this thread. Mention me with what you want, and I begin one."

# Archive and reopen

ARCHIVED = "This conversation is archived. *Reopen* it to go on."
REOPEN_FIRST = "*Reopen* it to go on."
ARCHIVED_FOR_OTHERS = (
    "This conversation is archived, so I have not kept your message. Only {owner} can open it again, because what is "
    "decided here is theirs: ask them to, then write it once more."
)
ALREADY_ARCHIVED = "This conversation is archived already. To go on with it, reopen it."
NOT_ARCHIVED = "There is nothing to reopen here: this conversation is open. Just write in its thread."
ARCHIVE_WARNING = "Shall I archive this conversation? That {stops}."
STOPS_SCHEDULE = "stops what runs {schedule}"
CANCELS_QUESTION = "cancels my open question"
LEAVES_WORK = "leaves unfinished what I am doing for you, until you reopen it"

# Questions

ALREADY_ANSWERED = "That was already answered ({answer})."
BAD_ANSWER = "Please pick one of these."
USE_BUTTONS = "Please use the buttons above, so that there is no misunderstanding."
OPEN_QUESTION = "Waiting for your answer: {prompt}"
READ_BACK = "I take that as *{answer}*."
YES = "Yes"
NO = "No"

# Cards

QUESTION = "❓ {owner} {prompt}"
SOMETHING_ELSE = "Something else…"
ANSWER = "Answer…"
PICK_ONE = "Pick one…"
CONFIRM_HINT = "Or reply yes or no."
CHOICE_HINT = "Or reply with your answer."
INPUT_HINT = "Or just reply here."
ANSWER_TITLE = "Your answer"
ANSWER_SUBMIT = "Answer"
LATER = "Not now"
ANSWER_EMPTY = "Please write your answer."
QUESTION_ANSWERED = "✅ {answer}"
FROM_MESSAGE = "taken from your message"
CHANGED_SINCE = "the message was changed afterwards"
QUESTION_SUPERSEDED = "A newer question replaced this one."
QUESTION_CANCELLED = "No answer is needed any more."
MADE = "📎 Made: {things}"
MADE_MORE = "and {count} more"
STILL_OPEN = "❓ Your answer to {link} is still open."
QUESTION_ABOVE = "the question above"
SCHEDULE = "⏰ *{schedule}*"
NEXT_RUN = "Next: {time}"
SCHEDULE_PAUSED = "Paused while a question waits for its answer."
RUN_PAUSED = "paused while a question waits for its answer"
SCHEDULE_HELD = "Paused: I do not do this until you press *Resume*."
RUN_HELD = "paused: *Resume* on its card lets it go on"
SCHEDULE_REPLACED = "A newer plan replaced this one."
SCHEDULE_CANCELLED = "Cancelled: I will not do this any more."
SCHEDULE_DONE = "Done."
RUN_GOES_ON = "Go on with the run where you stopped for me."
"""Message to the model when a run continues that had yielded to the owner, in the owner's name."""
FAILED_OFTEN = "I tried this three times and could not. Shall I try it again, or stop it for good?"
CONTINUED_OFTEN = (
    "I have gone on with this {count} times in a row, and it is still not done. Shall I go on, or stop it for good?"
)
RECONNECT = (
    "I cannot reach Claude: the key is not accepted, or its budget is used up. Shall I try it again, or stop it for "
    "good?"
)
RUN_AGAIN = "Retry"
RUN_ON = "Go on"
RUN_NO_MORE = "Stop"
FILED = "📦 Archived by {person} · {time}"
FILED_SILENT = "📦 {person}, nobody has written here for a long time, so I have archived this · {time}"
FILED_ENDS = "If it is not reopened, I forget it on {day}. The messages in Slack stay."
FILED_FORGOTTEN = "I have forgotten it since. The messages in Slack stay."
REOPENED = "Reopened by {person} · {time}"
REOPENED_IN_USE = "{person}, a step of this decision is in use, so I have reopened it and forget nothing · {time}"
ARCHIVE = "Archive it"
ARCHIVE_HERE = "Archive…"
REOPEN = "Reopen"
GO_ON_WITH = "Go on with this message"

# State of a conversation

NO_SCHEDULE = "There is no schedule here."
BAD_SCHEDULE = "I could not use that schedule: {reason}."

STATUS_NAMES: dict[Status, str] = {
    Status.ACTIVE: "💬 Active",
    Status.BACKGROUND: "⏰ In the background",
    Status.WAITING_INPUT: "❓ Waiting for you",
    Status.ARCHIVED: "📦 Archived",
}
NO_GOAL = "Nothing is under way. Tell me what you would like to do."
LEFT_OFF = "I left off at {goal}. Say *go on*, and I take it up again."
AT_WORK_NOW = "I am at work on it right now."
UNDERSTANDING = "Finding out what you need for {goal}"
PLANNING = "Planning {goal}"
EXECUTING = "Working on {goal}"
REVIEWING = "The result for {goal} is shown"
WAITS_FOR_WORDS = "; waiting for your words"
WAITS_FOR_OK = "; waiting for your OK"
WAITS_FOR_GO_ON = "; say *go on* to continue"
WAITS_FOR_VERDICT = "; waiting for what you think of it"
KNOWN = "Known so far: {list}"
STILL_NEEDED = "Still needed: {list}"
HELP = (
    "Write to me as you would to a colleague. With a mention you can also say:\n"
    "• *status* – where we are\n"
    "• *stop* – end my answer\n"
    "• *archive*, *reopen* – put this conversation away, and take it up again\n"
    "• *erase* – make me forget it\n"
    "Outside threads, `/threadwise list` shows all your conversations, and `/threadwise words` says what the words of "
    "the method mean."
)

# Commands

COMMAND_HELP = (
    "Mention me in a channel, or write to me directly: each thread is one conversation.\n"
    "• `/decide` – make a decision, step by step\n"
    "• `/threadwise list` – your conversations\n"
    "• `/threadwise status` – how many there are, and what waits for you\n"
    "• `/threadwise schedules` – what runs by itself, and when next\n"
    "• `/threadwise words` – what the words of the method mean\n"
    "• `/threadwise permissions` – what I may do without asking\n"
    "• `/threadwise settings` – your time zone, the model, the limits\n"
    "• `/threadwise export` – a decision of yours as a file\n"
    "• `/archive-thread`, `/reopen-thread` – pick a conversation to put away, or to take up again\n"
    "In a thread, mention me with *status*, *help*, *stop*, *archive*, *reopen* or *erase*."
)
UNKNOWN_WORD = "I do not know that word. `/threadwise help` lists those that I know."
DID_YOU_MEAN = "I do not know that word. Did you mean {meant}? `/threadwise help` lists those that I know."
ELSEWHERE: Mapping[str, str] = {
    "archive": "`/archive-thread`",
    "decide": "`/decide`",
    "erase": "*erase*, as a mention of me in the thread",
    "reopen": "`/reopen-thread`",
    "stop": "*stop*, as a mention of me in the thread",
}
"""What to type instead of words that `/threadwise` does not take."""
WORDS: Mapping[str, str] = {
    "terms": "Words of the method",
    "scale": "Ratings, against the baseline",
    "elements": "The seven elements of decision quality",
    "phases": "How a step goes: I …",
}
CONVERSATIONS = "Your conversations"
AND_MORE = "… and {count} more."
NO_CONVERSATIONS = "You have no conversations yet. Mention me in a channel, or write to me directly."
WAITING_FOR_YOU = "Waiting for you"
NOTHING_WAITS = "Nothing waits for you."
NO_SCHEDULES = "Nothing runs in the background. Tell me in a thread what I should do when, such as every Monday at 9."
PERMISSIONS = "You have allowed nothing for good: outside our threads I do nothing without asking you first."
ZONE = "*Your time zone*: {zone}"
UNKNOWN_ZONE = "UTC (your Slack profile tells me none)"
MODEL = "*Model*: {model}"
LIMITS = "*Limits*: {limits}"
NO_LIMITS = "none"
LIMIT_NAMES = {
    "messages": ("message", "{counted} a minute"),
    "calls": ("answer", "{counted} a minute"),
    "at_once": ("answer", "{counted} at once"),
    "tokens": ("token", "{counted} a day"),
}
"""The unit of each limit, and its period."""
LIMIT_OF_MONEY = "a daily AI budget"
FOR_YOU = "you {limits}"
FOR_ALL = "everybody together {limits}"
COPIES = "*Backups*: what you erase can be opened from them for {days} more at most"
AUDIT = "*Audit trail*: kept for {days}, without anything that was written"
NOT_SEEN = "You cannot see the channel where this stands any more. Somebody in it can add you again."
CANNOT_LOOK = (
    "I cannot look up who is in that channel now. If I am no longer in it, somebody there can type /invite @Threadwise."
)
NOT_NOW = "I could not do that just now. Please try again in a moment."

# Summary of one conversation

UNTITLED = "Untitled"
DIRECT_MESSAGE = "direct message"
DM = "DM"
SOME_CHANNEL = "a channel"
NEXT = "next {time}"
WAITING = "waiting for you"
HELD = "paused"
ASKS = "waiting for you: {prompt}"

# Pickers

PICK_TITLES = {"archive": "Archive a conversation", "reopen": "Reopen a conversation"}
PICK_SUBMITS = {"archive": "Archive", "reopen": "Reopen"}
CANCEL = "Cancel"
NOTICE_CLOSE = "Close"
PREVIOUS_PAGE = "◀ Back"
NEXT_PAGE = "Next ▶"
PAGE_OF = "Page {page} of {pages}"
NOTHING_TO_PICK = {
    "archive": "There is nothing to archive: you have no open conversation.",
    "reopen": "There is nothing to reopen: none of your conversations is archived.",
}
PICK_LABEL = "Conversation"
SEARCH = "🔎 Search…"
PICK_FIRST = "Please pick a conversation."
WARNING = "⚠ {warning}"
REOPEN_NOTE = "It becomes active again. What ran by itself and open questions do not come back."
NO_LINK = "That is no link to a message. Add one (*Copy link* in its menu), or add nothing and pick from a list."
NOT_OURS = "I know no conversation there: I was never asked in that thread, or I have forgotten it."
ARCHIVING = "📦 I am archiving {title}."
REOPENING = "💬 I am reopening {title}."

# Home

HOME = "Threadwise"
HOME_BEGIN = "What would you like to do?"
HOME_WAITING = "❓ Waiting for you"
HOME_BACKGROUND = "⏰ In the background"
HOME_ACTIVE = "💬 Active"
HOME_CLOSED = "✅ Closed"
HOME_ARCHIVED = "📦 Archived"
HOME_PERMISSIONS = "🔑 Permissions"
HOME_USAGE = "Usage today: {tokens:,} tokens"
MORE_AT_HOME = "… and {count} more: `/threadwise list`"
HOME_EMPTY = (
    "Nothing here yet. Mention me in a channel, write to me under *Messages*, or press a button above. For example:\n"
    "• _Should we hire or rent for the winter rota? Ask me what you need to know._\n"
    "• _Draft an announcement of the new opening hours. Keep it under 100 words._\n"
    "• _Every Monday at 9, ask me for the three numbers of the week and put them into a table._"
)

# Welcome

WELCOME = "Hi! Tell me what you want to decide or get done: in a thread we go step by step, and nothing gets lost."
MAKE_DECISION = "Make a decision"
GET_DONE = "Get something done"
SEE_EXAMPLE = "See an example (1 min)"
START_LABEL = "What do you want to get done?"
START_EMPTY = "Please write what it is about."
START_SUBMIT = "Start"
STARTED_TITLE = "Started"
STARTED = "I have begun: go on in {link}."
OUR_MESSAGES = "our direct messages"
ASKED_BY = "{person} asks: {words}"
CANNOT_POST = "I could not post there just now. Nothing was begun: please try again in a moment."
INVITE_ME = "I am not in that channel. Write /invite @Threadwise there, then try again."
EXAMPLE_TITLE = "An example"
EXAMPLE = (
    "I am laying out a worked decision in {link}: nine steps, all finished, in a fictional company. Change one rating "
    "in step 5 and see what follows."
)
EXAMPLE_END = (
    "Written by people, no model answered. For your own, press *Make a decision*. There are two examples: press again "
    "in a minute or later for the other one."
)


def escape(words: str) -> str:
    """Escape words of a person or the model for a sentence of the app. Slack then renders no mention and no link."""
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def format_reference(number: str) -> str:
    """Return the words with which the app's operator finds a failure in the log."""
    return f"Reference `{number}`"


def format_count(count: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def format_erased(copies_days: int, *, has_old_copies: bool = False) -> str:
    """Return the confirmation after erasing a conversation; copies of its secret are kept for so many days."""
    copies = ERASED_COPIES.format(days=format_count(copies_days, "day")) if copies_days else ERASED_COPIES_TOO
    return f"{ERASED} {ERASED_OLD_COPIES if has_old_copies else copies} {BEGIN_ANEW}"


def format_wait(seconds: int) -> str:
    """Return the waiting time in the largest unit that is still accurate."""
    if seconds < 120:
        return f"{max(seconds, 1)} s"
    minutes = -(-seconds // 60)
    return f"{minutes} min" if minutes < 120 else f"{-(-minutes // 60)} h"


SHALL_I_GO_ON = (
    "I could not write here for a while, so I have paused what I do by myself. Shall I go on, or stop it for good?"
)

# In direct messages, above the name of the thread

PAUSED = (
    "I cannot write in {channel} any more, so I have paused what I do there by myself ({schedule}). Nothing is lost.\n"
    "To go on, invite me there again with `/invite @Threadwise`; an archived channel has to be unarchived first. "
    "Then write a word in the thread: I post what is missing there, and you say how to go on. Or set it up anew in "
    "another channel."
)
KEPT = (
    "I cannot write in {channel} any more, so what I have to say there has not reached you. It is kept.\n"
    "To get it, invite me there again with `/invite @Threadwise`; an archived channel has to be unarchived first. "
    "Then write a word in the thread, and I post it there."
)
ABOUT_PLACE = "{channel}: {words}"
"""What a person would have been told in a place where nothing can be said any more."""
PAUSED_REFUSED = (
    "Slack did not let me write in {channel}, so I have paused what I do there by myself ({schedule}). Nothing is "
    "lost.\nWrite a word in the thread: I try again, and you say how to go on. If nothing comes, tell whoever looks "
    "after me here."
)
KEPT_REFUSED = (
    "Slack did not let me write in {channel}, so what I have to say there has not reached you, or not whole. It is "
    "kept.\nWrite a word in the thread, and I try again. If nothing comes, tell whoever looks after me here."
)

PAUSE_SCHEDULE, RESUME_SCHEDULE = "Pause", "Resume"
CANCEL_SCHEDULE = "Cancel"
CANCEL_SCHEDULE_TITLE = "Cancel this plan?"
CANCEL_SCHEDULE_WARNING = "I will not do this any more: {schedule}."
CANCEL_SCHEDULE_YES = "Yes, cancel it"
CANCEL_SCHEDULE_NO = "Keep it"
PLAN_REPLACED = (
    "A newer plan has taken the place of this one, so nothing was cancelled. Look at its card further down: "
    "*Cancel* there ends it."
)
