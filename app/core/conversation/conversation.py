"""Values of the core: the stored state of one Slack thread.

Pure data, without storage ids, clock or vendor. Times are Slack timestamps (`ts`, text).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from typing import Final

from app.core.conversation.audit import AuditEvent
from app.core.conversation.call import KeptCall
from app.core.conversation.card import Card
from app.core.conversation.effect import Effect, Speech, find_shown_seq
from app.core.conversation.shared_file import FileInPrompt, SharedFile
from app.core.conversation.usage import Usage
from app.core.state.decision import Decision
from app.core.state.goal import GoalState
from app.core.state.interview import Interview, Phase, Stage
from app.core.state.lifecycle import Lifecycle
from app.core.state.question import Question
from app.core.state.schedule import Schedule, ScheduleProgress
from app.core.state.status import Kind, Status, TurnState
from app.core.state.tool_use import ToolOutput, Use, UseState, list_outputs
from app.core.thread import ThreadKey

BEFORE = "before"
"""Source label of conversations stored before there were labels; a new conversation removes it."""
ID_PREFIX = "v2-"
"""Prefix of conversation ids since erasure secrets exist and seals are bound to their documents."""
CLOSED = 256
"""Number of closed inbox rows that a conversation remembers, the newest."""


class Role(StrEnum):
    """Author of a row of the transcript."""

    PERSON = "person"
    ASSISTANT = "assistant"
    NOTE = "note"
    """A fact about the thread that only the model reads, such as a later correction."""
    CARD = "card"
    """A message of the app that is no reply. The model is told what it asked, not its layout."""


class MessageStatus(StrEnum):
    """Status of a row of the transcript."""

    COMPLETE = "complete"
    STREAMING = "streaming"
    TRUNCATED = "truncated"
    LIMITED = "limited"
    """Its turn has reached its limit of rounds; *Continue* starts another turn."""
    REFUSED = "refused"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    """The process died while writing it."""
    CANCELLED = "cancelled"
    """A person stopped it; the words so far are kept."""
    DELETED = "deleted"
    OPEN = "open"
    """A card that waits for an action."""
    HELD = "held"
    """A reply that waits for its owner's permission of a tool use."""


UNCLOSED = (MessageStatus.STREAMING, MessageStatus.OPEN, MessageStatus.HELD)
"""Statuses of rows that still change: a reply that is being written, a card that waits for an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One row of a transcript. `seq` counts from 1 without gaps."""

    seq: int
    role: Role
    text: str
    status: MessageStatus = MessageStatus.COMPLETE
    ts: str = ""
    """Slack's ts of a person's message; empty for replies and notes."""
    author: str = ""
    author_name: str = ""
    offers: bool = False
    """True if it offers to summarize the discussion so far."""
    turns_left: int = 0
    """Turns after which the discussion ends by itself, if this reply says so; 0 if it says nothing."""
    drafts_from: tuple[str, ...] = ()
    """Slack's ids of the files that it answers and that the step can be drafted from."""
    parts: tuple[str, ...] = ()
    """Slack's ts of each Slack message that shows this reply, in order."""
    content: str = ""
    """The API's messages of this reply as verbatim JSON, so that a later request has an unchanged prefix.

    There is one of the assistant, then for each round of tools one of results and one of the assistant.
    """
    prelude: str = ""
    """Of a reply: digest of what its requests have before the messages, to which its thinking is bound."""
    directive: str = ""
    """Instructions to the model beside the transcript for this reply: state, time, the open question."""
    by_schedule: bool = False
    """True if a run of the schedule wrote it: nobody has just asked for it."""
    acted: bool = False
    """True if the reply called tools, or was cut before its first word: then its text may be empty."""
    calls: tuple[KeptCall, ...] = ()
    """Calls to the conversation, in order: stored here, they survive the death of the process."""
    activity: str = ""
    """What its tools have looked at and done outside of the thread, in a line for people; empty for nothing."""
    unsaid: tuple[str, ...] = ()
    """Amounts and dates in its text that nobody said and that follow from nothing, as they stand there."""
    rounds: int = 0
    """Number of model requests."""
    asks: bool = False
    """True if the text of one of its rounds asks something, even if the text of a later round follows."""
    standing: int = 0
    """While it is written: characters of its text from complete rounds, which are never taken back."""
    finished_text: int = 0
    """While it is written: characters of its text from the rounds whose results are there."""
    finished_calls: int = 0
    """While it is written: number of its calls from those rounds."""
    heard: tuple[int, ...] = ()
    """`seq` of each later message that was read between two of its rounds: `content` has its words."""
    heard_at: tuple[int, ...] = ()
    """For each of them the characters of its text when it was read; the words after them go on below it."""
    unfinished: bool = False
    """True if it broke off and is sent to the model: a later reply goes on from what it holds."""
    kept_at: str = ""
    """Time of the last save while it was shown, as Slack's ts: the last sign of life of its writer."""
    made: tuple[ToolOutput, ...] = ()
    """Results of the work that this reply presents for review."""
    still_open: str = ""
    """Slack's ts of the question that is still open after this reply."""
    card: Card | None = None
    data: str = ""
    """The draft of a step that this row is about, as JSON: the result of a revision, or what an approval approved."""
    stage: Stage = Stage.NONE
    """Stage of the extraction that wrote this reply; `NONE` if a turn did."""
    attempts: tuple[int, ...] = ()
    """Of an extraction: how many problems each refused attempt of this reply had, in order."""
    failure: str = ""
    """The `FailureKind`, if the reply failed."""
    reference: str = ""
    """Reference of the failure in the log."""
    wait: int = 0
    """Seconds after which a retry can help, if the failure is a limit."""
    late: bool = False
    """True if it arrived after a turn had read later messages."""
    preceding: bool = False
    """True if it stood in the thread before the owner called the app there: even the owner said it to others."""
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    cost: str = ""
    """US dollars as a decimal number; empty if the price is unknown."""
    brought: tuple[FileInPrompt, ...] = ()
    """Of a person's message, in a turn: the files that the model is sent with it. The stored row has none."""
    sources: tuple[str, ...] | None = None
    """Of a reply: the sources of what the model knew. None if no turn has recorded them."""

    @property
    def is_sendable(self) -> bool:
        """Return True if the row may be sent to the model again."""
        return self.unfinished or self.status in ENDED_WITH_WORDS

    @property
    def is_opening(self) -> bool:
        """Return True for the first reply of a step, which no model wrote."""
        return self.offers and self.rounds == 0

    @property
    def breaks(self) -> tuple[int, ...]:
        """Return the characters of its text after each of which it goes on in another Slack message."""
        return tuple(dict.fromkeys(filter(None, self.heard_at)))

    @property
    def stands(self) -> str:
        """Return the words of a growing reply that stay even if the current round fails."""
        return self.text if self.status is MessageStatus.HELD else self.text[: self.standing]


ANSWERED = frozenset({MessageStatus.COMPLETE, MessageStatus.TRUNCATED, MessageStatus.LIMITED})
"""Statuses of a reply that the model has completed. Its calls are applied."""

ENDED_WITH_WORDS = ANSWERED | {MessageStatus.CANCELLED}
"""Statuses of a reply whose words are part of the discussion."""


ROUNDS: Final = 25
"""Model requests of one turn. A model that still uses tools then is stopped, and *Continue* starts another turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """An active turn. It answers every row below `reply` and writes into that row."""

    id: str
    reply: int
    fence: int = 0
    """Fence of the lease under which it began; each process that dies during the turn raises the conversation's."""
    cause: str = ""
    """Receipt of the person's event that began it: the correlation id of all that follows."""
    since: str = ""
    """Time of that event, as Slack's ts: an earlier event cannot have meant this turn."""
    uses: tuple[Use, ...] = ()
    """Tool uses of the open round, in order; the reply's row holds what the model said before them."""
    rounds: int = 0
    """Model requests made before that round's results."""
    resumed: int = 0
    """Number of times that it continued after waiting."""
    taken_up: bool = False
    """True once it continues by itself after a process died: that happens only once."""
    settled: Usage = field(default_factory=Usage)
    """The part of its cost that was counted when it began to wait."""
    done: tuple[str, ...] = ()
    """External actions of the earlier rounds, in the words of their permission request."""
    made: tuple[ToolOutput, ...] = ()
    """Results of those actions."""
    unsure: tuple[Use, ...] = ()
    """Tool uses of those rounds whose outcome is unknown."""

    @property
    def all_made(self) -> tuple[ToolOutput, ...]:
        """Return all results of the turn so far."""
        return (*self.made, *list_outputs(self.uses))


def read_turn_state(turn: Turn | None) -> TurnState:
    """Return the turn state of a conversation with this turn; it follows from the turn alone."""
    if turn is None:
        return TurnState.IDLE
    return TurnState.AWAITING if any(use.state is UseState.ASKED for use in turn.uses) else TurnState.STREAMING


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlyEdit:
    """A correction of a message that has not been heard yet. Slack may deliver both in either order."""

    ts: str
    """Slack's ts of the message."""
    at: str
    """When it was corrected, as Slack's ts."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Everything stored about one thread except its transcript.

    It is one document, so that state and effects are saved at once.
    """

    id: str
    thread: ThreadKey
    owner: str
    """The person who started it: only their messages start turns."""
    kind: Kind = Kind.FREE
    title: str = ""
    """The first words of the owner's request; `name` is what people are shown."""
    owner_name: str = ""
    """What the owner is called in Slack; empty until it was looked up."""
    zone: str = ""
    """The owner's time zone as Slack gives it (IANA); empty until it was looked up."""
    status: Status = Status.ACTIVE
    lifecycle: Lifecycle = Lifecycle.INITIALIZING
    phase: Phase | None = None
    """Phase of a component's interview; None in free threads, which have a goal phase instead."""
    stage: Stage = Stage.NONE
    pending: int = 0
    """Version of the draft that waits for the owner's OK; 0 if none does."""
    approved: int = 0
    """The newest approved version; 0 if there is none."""
    interview: Interview | None = None
    """Set in the thread of a step."""
    decision: Decision | None = None
    """Set in the thread of a decision."""
    goals: GoalState = field(default_factory=GoalState)
    question: Question | None = None
    """The open question; at most one, so that a typed reply has one meaning."""
    schedule: Schedule | None = None
    next_run: str = ""
    """Time of the schedule's next run (ISO, UTC); empty without one."""
    paused: bool = False
    """True while the owner has paused the schedule: no run begins."""
    ends: str = ""
    """Time of the erasure (ISO, UTC), as the note of its archiving says; empty if none is planned."""
    failures: int = 0
    """Consecutive failed runs of the schedule."""
    work: ScheduleProgress = field(default_factory=ScheduleProgress)
    """Progress of the schedule's work."""
    planned: int = 0
    """`seq` of the task of the current run until its final answer; 0 if no run is active.

    If the run asks a question, it stays until that is answered. Its turn reads no other message that wants an answer.
    """
    cards: tuple[int, ...] = ()
    """`seq` of each card that will still change: of the open question, the schedule, or the archiving."""
    version: int = 0
    fence: int = 0
    """Grows with each lease; a writer with a lower fence has lost the conversation."""
    head: int = 0
    """Number of valid rows of the transcript; a process that died wrote any row beyond it."""
    run: TurnState = TurnState.IDLE
    """Result of `read_turn_state`, stored for queries; only the machine assigns it."""
    turn: Turn | None = None
    asked: tuple[int, ...] = ()
    """`seq` of each message that wants an answer and that no turn has read."""
    asked_by: str = ""
    """Receipt of the newest of them."""
    queued: tuple[str, ...] = ()
    """Slack's ts of each message marked as waiting for the current turn to end."""
    newest: str = ""
    """Slack's ts of a person's latest activity here, a message or a click."""
    spoken: str = ""
    """Slack's ts of the owner's latest words or click; empty if none was noted yet."""
    heard: str = ""
    """Slack's ts of the newest message that a turn has read: an older one that arrives now is late."""
    answered: int = 0
    """`seq` of the newest reply that was begun: every row below it has been read."""
    overheard: int = 0
    """`seq` of the newest row that a turn has read between two rounds."""
    amended: int = 0
    """`seq` of the newest note that the owner has changed or deleted a message that a turn had read."""
    offering: int = 0
    """`seq` of the reply with *Retry* or *Continue*; 0 if none has it."""
    since: int = 0
    """Rows up to here are no longer sent to the model; `summary` stands for them."""
    summary: str = ""
    summarized: int = 0
    """Rows up to here are in the summary as the model wrote it; it quotes of the others, up to `since`."""
    summary_due: int = 0
    """Names the state for which the model is to write the summary anew, before its next turn; 0 if it is not."""
    standing: tuple[int, ...] = ()
    """Those of these rows that are sent all the same: the owner's words, as far as there is room."""
    quiet: int = 0
    """Messages of others up to here are left out, because they were too long."""
    sources: tuple[str, ...] = (BEFORE,)
    """Sources of what this conversation holds, except the owner's own words.

    Kept as long as the conversation: a summary, a goal or a plan may repeat what is no longer sent itself.
    """
    early: tuple[EarlyEdit, ...] = ()
    """Corrections that have overtaken their messages."""
    files: tuple[SharedFile, ...] = ()
    """The files that people shared here, the oldest first, as far as they are there."""
    plain: int = 0
    """Replies up to here are sent as text only, because the messages before them have changed since."""
    form: int = 0
    """Version of `app.core.text.marks` that formats its history; 0 if it is older than the cleaner."""
    effects: tuple[Effect, ...] = ()
    unsaid: tuple[Speech, ...] = ()
    """Posts that Slack refused in this thread; they are retried when its owner acts next."""
    applied: tuple[str, ...] = ()
    """Receipts that this state already contains, while their inbox rows are open."""
    closed: tuple[str, ...] = ()
    """Digests of the receipts of closed inbox rows, the newest last: none of them is applied again."""
    rewritten: tuple[tuple[int, int], ...] = ()
    """`seq` and fence of each replaced row: a row with an older fence was put back by a stale writer."""

    @property
    def name(self) -> str:
        """Return what it is called: the question of a decision, else the title."""
        return self.decision.name if self.decision else self.title

    @property
    def silent_from(self) -> str:
        """Return the ts from which the owner's silence counts; empty before the first message."""
        return self.spoken or self.newest

    @property
    def has_old_copies(self) -> bool:
        """Return True if it is older than erasure secrets: its backups open with the master key alone."""
        return not self.id.startswith(ID_PREFIX)

    @property
    def unanswered(self) -> bool:
        """Return True if a message waits for a turn that has not begun."""
        return bool(self.asked)

    @property
    def is_amended(self) -> bool:
        """Return True if the owner has changed or deleted a message since the turn under way has read it."""
        return self.amended > max(self.answered, self.overheard)

    def without_effect(self, *ids: str) -> Conversation:
        """Return the conversation after effects were performed. What they showed is no longer undelivered."""
        if not ids:
            return self
        said = {find_shown_seq(e) for e in self.effects if e.id in ids}
        left = tuple(e for e in self.effects if e.id not in ids)
        return replace(self, effects=left, unsaid=tuple(e for e in self.unsaid if find_shown_seq(e) not in said))

    def keep_applied(self, receipts: Iterable[str]) -> Conversation:
        """Return the conversation with only these receipts as open inbox rows."""
        kept = frozenset(receipts)
        gone = tuple(_hash_receipt(r) for r in self.applied if r not in kept)
        return replace(
            self,
            applied=tuple(r for r in self.applied if r in kept),
            closed=(*self.closed, *gone)[-CLOSED:],
        )

    def has_closed(self, receipt: str) -> bool:
        """Return True if this was applied and its inbox row closed, as far as that is remembered."""
        return _hash_receipt(receipt) in self.closed

    def forget(self, receipt: str) -> Conversation:
        """Return the conversation as if this receipt had never been applied."""
        return replace(
            self,
            applied=tuple(r for r in self.applied if r != receipt),
            closed=tuple(d for d in self.closed if d != _hash_receipt(receipt)),
        )


def _hash_receipt(receipt: str) -> str:
    return sha256(receipt.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """Result of one event: the conversation after it, and the rows of the transcript to write.

    The effects to perform are in `conversation.effects`.
    """

    conversation: Conversation
    messages: tuple[Message, ...] = ()
    audit: tuple[AuditEvent, ...] = ()
