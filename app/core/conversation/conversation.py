"""The values of the core: what we remember of one Slack thread.

Pure data: no identity of storage, no clock, no vendor. Times are Slack timestamps (`ts`, text).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256

from app.core.conversation.audit import AuditEvent
from app.core.conversation.call import KeptCall
from app.core.conversation.card import Card
from app.core.conversation.effect import Effect, Speech, find_shown_seq
from app.core.conversation.usage import Usage
from app.core.state.decision import Decision
from app.core.state.goal import GoalState
from app.core.state.interview import Interview, Phase, Stage
from app.core.state.lifecycle import Lifecycle
from app.core.state.question import Question
from app.core.state.schedule import Schedule, Work
from app.core.state.status import Kind, Run, Status
from app.core.state.tool_use import Made, Use, UseState, list_outputs
from app.core.thread import ThreadKey

BEFORE = "before"
"""Label of what was kept before there were labels; a conversation that begins loses it."""
ID_PREFIX = "v2-"
"""How ids of conversations begin that are younger than erasure secrets and seals bound to their documents."""
CLOSED = 256
"""Closed inbox rows of which a conversation remembers that they were, the newest."""


class Role(StrEnum):
    """Who speaks in a row of the transcript."""

    PERSON = "person"
    ASSISTANT = "assistant"
    NOTE = "note"
    """Said by nobody: a fact about the thread that the model is told, such as a later correction."""
    CARD = "card"
    """A message of ours that is no answer; the model is told what it asked for, not how it looks."""


class MessageStatus(StrEnum):
    """How far a row of the transcript has come."""

    COMPLETE = "complete"
    STREAMING = "streaming"
    TRUNCATED = "truncated"
    LIMITED = "limited"
    """Its turn has taken as many steps as it may by itself; *Continue* goes on (S3-024, C-29)."""
    REFUSED = "refused"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    """The process died over it."""
    CANCELLED = "cancelled"
    """A person stopped it; what had come is kept."""
    DELETED = "deleted"
    OPEN = "open"
    """A card that waits for somebody."""
    HELD = "held"
    """A reply that goes on when its owner has said whether it may do something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One row of a transcript. `seq` counts from 1 without gaps."""

    seq: int
    role: Role
    text: str
    status: MessageStatus = MessageStatus.COMPLETE
    ts: str = ""
    """Slack's ts of what a person wrote; empty for replies and notes."""
    author: str = ""
    author_name: str = ""
    offers: bool = False
    """True if it offers to sum up what was said so far."""
    parts: tuple[str, ...] = ()
    """Slack's ts of each message that shows this reply, in order."""
    content: str = ""
    """The API's messages of this reply, verbatim JSON, so that a later request has an unchanged prefix: one of the
    assistant, and for each round of tools one of results and one more of the assistant."""
    directive: str = ""
    """What the model was told beside the words when this reply was asked for: state, time, the open question."""
    acted: bool = False
    """True if the reply called tools: then it may well say nothing."""
    calls: tuple[KeptCall, ...] = ()
    """What it asked of the conversation, in order: a process that dies after it was written loses none of it."""
    rounds: int = 0
    """Requests that it took."""
    standing: int = 0
    """While it is written: characters of its text that were said in rounds that are over, and so are not taken back."""
    kept_at: str = ""
    """When it was last written down while it was shown, as Slack's ts: the last sign of life of whoever wrote it."""
    made: tuple[Made, ...] = ()
    """What the work has brought forth that this reply puts up for review."""
    still_open: str = ""
    """Slack's ts of the question that still waits after this reply."""
    card: Card | None = None
    data: str = ""
    """The draft of a step that this row is about, as JSON: of a revision what it became, of an approval what was
    approved (S0-266)."""
    stage: Stage = Stage.NONE
    """What run wrote this reply: none of an extraction, or the stage of one that it came to."""
    failure: str = ""
    """Which `FailureKind`, if the reply failed."""
    reference: str = ""
    """Under which reference the failure stands in the log."""
    wait: int = 0
    """Seconds after which trying again can help, if the failure is a limit."""
    late: bool = False
    """True if it reached us after a turn had read what was written later."""
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    cost: str = ""
    """US dollars as a decimal number; empty while the price is unknown."""
    sources: tuple[str, ...] | None = None
    """Of a reply: the places that what the model knew came from. None if no turn has told."""

    @property
    def is_sendable(self) -> bool:
        """True if the model may be told of this row again."""
        return self.status in ENDED_WITH_WORDS

    @property
    def stands(self) -> str:
        """Of a reply that is being written, the words that stay, whatever comes of the round under way."""
        return self.text if self.status is MessageStatus.HELD else self.text[: self.standing]


ENDED_WITH_WORDS = frozenset(
    {MessageStatus.COMPLETE, MessageStatus.TRUNCATED, MessageStatus.LIMITED, MessageStatus.CANCELLED}
)
"""How a reply ends whose words are part of the talk from then on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn under way: it answers every row below `reply` and writes into that row."""

    id: str
    reply: int
    fence: int = 0
    """Under which lease it began; each process that dies over it raises the conversation's."""
    cause: str = ""
    """The receipt of what people did that began it: the correlation id of all that follows."""
    since: str = ""
    """When that was, as Slack's ts: what was said before cannot have meant this turn."""
    uses: tuple[Use, ...] = ()
    """The tool uses of the round that is open, in order; what the model said before them is kept in the reply's row."""
    rounds: int = 0
    """Requests that were made before that round's results."""
    resumed: int = 0
    """How often it went on after it had waited."""
    taken_up: bool = False
    """True once it goes on by itself after a process has died over it: it does so once."""
    settled: Usage = field(default_factory=Usage)
    """What of its cost was counted when it began to wait."""
    done: tuple[str, ...] = ()
    """What it has done outside in the rounds before that one, in the words of whoever would have been asked."""
    made: tuple[Made, ...] = ()
    """What came of that."""
    unsure: tuple[Use, ...] = ()
    """Of those rounds, what may have been done or not."""

    @property
    def all_made(self) -> tuple[Made, ...]:
        """What has come of it so far."""
        return (*self.made, *list_outputs(self.uses))


def read_turn_state(turn: Turn | None) -> Run:
    """Return the run of a conversation with this turn under way: the run follows from the turn alone."""
    if turn is None:
        return Run.IDLE
    return Run.AWAITING if any(use.state is UseState.ASKED for use in turn.uses) else Run.STREAMING


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """All we remember of one thread but its transcript. One document, so state and effects are saved at once."""

    id: str
    thread: ThreadKey
    owner: str
    """Who started it: only their messages start turns (requirements C-20)."""
    kind: Kind = Kind.FREE
    title: str = ""
    """The first words of what it is about."""
    zone: str = ""
    """The owner's time zone as Slack tells it (IANA); empty while nobody has asked."""
    status: Status = Status.ACTIVE
    lifecycle: Lifecycle = Lifecycle.INITIALIZING
    phase: Phase | None = None
    """Of a component's interview; None in free threads, which have a goal's phase instead (C-31)."""
    stage: Stage = Stage.NONE
    pending: int = 0
    """Version of the extraction that waits for a person's OK; 0 if none does."""
    approved: int = 0
    """The newest approved version; 0 if there is none."""
    interview: Interview | None = None
    """Of a component's thread."""
    decision: Decision | None = None
    """Of a decision's thread."""
    goals: GoalState = field(default_factory=GoalState)
    question: Question | None = None
    """What the thread waits for; one at most (C-11)."""
    schedule: Schedule | None = None
    next_run: str = ""
    """When the schedule is due next (ISO, UTC); empty without one."""
    ends: str = ""
    """When the conversation is erased (ISO, UTC), as the note of its archiving says; empty if it is not."""
    failures: int = 0
    """Runs of the schedule that failed, one after the other."""
    work: Work = field(default_factory=Work)
    """Of the schedule."""
    planned: int = 0
    """`seq` of what the run of a schedule was asked, until it has been answered for good: with a question, not before
    that is answered too; 0 if none is under way. The turn that reads it reads nothing else that wants an answer."""
    cards: tuple[int, ...] = ()
    """`seq` of each card that will still change: the open question's, the schedule's, the one of an archived thread."""
    version: int = 0
    fence: int = 0
    """Grows with each lease; a writer with a lower fence has lost the conversation."""
    head: int = 0
    """How many rows of the transcript count; a row beyond it was written by somebody who died."""
    run: Run = Run.IDLE
    """What `read_turn_state` says of the turn, for whoever looks conversations up; the machine alone assigns it."""
    turn: Turn | None = None
    asked: tuple[int, ...] = ()
    """`seq` of each message that wants an answer and that no turn has read."""
    asked_by: str = ""
    """The receipt of the newest of them."""
    queued: tuple[str, ...] = ()
    """Slack's ts of each message that is marked as waiting for the turn under way to end."""
    newest: str = ""
    """Slack's ts of the newest thing that a person said here, by words or by a button."""
    heard: str = ""
    """Slack's ts of the newest message that a turn has read: what is older and comes now is late."""
    answered: int = 0
    """`seq` of the newest reply that was begun: every row below it has been read."""
    offering: int = 0
    """`seq` of the reply under which *Retry* or *Continue* stands; 0 if none does."""
    since: int = 0
    """Rows up to here are no longer sent to the model; `summary` stands for them."""
    summary: str = ""
    standing: tuple[int, ...] = ()
    """Of those rows the ones that are sent all the same: what the owner said, as far as there is room for it."""
    quiet: int = 0
    """What others said up to here is left out: there was too much of it."""
    sources: tuple[str, ...] = (BEFORE,)
    """The places that what this conversation holds came from; nothing of the owner's own words. They are kept as long
    as it is: a summary, a goal or a plan may tell of what is no longer sent itself."""
    plain: int = 0
    """Replies up to here are sent as text only: what came before them has changed since (design D11)."""
    form: int = 0
    """In which form of `app.core.text.marks` its history is told; 0 if that was before there was a cleaner."""
    effects: tuple[Effect, ...] = ()
    unsaid: tuple[Speech, ...] = ()
    """What Slack would not take where this thread is; it is tried again with the next thing that its owner does."""
    applied: tuple[str, ...] = ()
    """Receipts that this state already contains, while their inbox rows are open."""
    closed: tuple[str, ...] = ()
    """Digests of the receipts whose inbox rows were closed, the newest last: none of them is applied a second time."""
    rewritten: tuple[tuple[int, int], ...] = ()
    """`seq` of rows that were replaced, and the fence under which: an older one in its place was put back."""

    @property
    def has_old_copies(self) -> bool:
        """True if it is older than erasure secrets: backups of that time open with the master key alone."""
        return not self.id.startswith(ID_PREFIX)

    @property
    def unanswered(self) -> bool:
        """True if somebody waits for a turn that has not begun."""
        return bool(self.asked)

    def without_effect(self, effect_id: str) -> Conversation:
        """The same conversation after one effect has been performed: what it has shown is not unsaid any more."""
        said = {find_shown_seq(e) for e in self.effects if e.id == effect_id}
        left = tuple(e for e in self.effects if e.id != effect_id)
        return replace(self, effects=left, unsaid=tuple(e for e in self.unsaid if find_shown_seq(e) not in said))

    def keeping_applied(self, receipts: Iterable[str]) -> Conversation:
        """The same conversation, remembering as open only the inbox rows with these receipts."""
        kept = frozenset(receipts)
        gone = tuple(_hash_receipt(r) for r in self.applied if r not in kept)
        return replace(
            self,
            applied=tuple(r for r in self.applied if r in kept),
            closed=(*self.closed, *gone)[-CLOSED:],
        )

    def has_closed(self, receipt: str) -> bool:
        """True if this was applied and its inbox row closed, as far as that is remembered."""
        return _hash_receipt(receipt) in self.closed

    def forgetting(self, receipt: str) -> Conversation:
        """The same conversation as if this had never been applied."""
        return replace(
            self,
            applied=tuple(r for r in self.applied if r != receipt),
            closed=tuple(d for d in self.closed if d != _hash_receipt(receipt)),
        )


def _hash_receipt(receipt: str) -> str:
    return sha256(receipt.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What one event made of a conversation: the state after it and the rows of the transcript it wrote.

    The effects to perform are in `conversation.effects`.
    """

    conversation: Conversation
    messages: tuple[Message, ...] = ()
    audit: tuple[AuditEvent, ...] = ()
