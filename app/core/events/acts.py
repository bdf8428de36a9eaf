"""What only the owner of a thread may do: by buttons, forms, commands and words (requirements C-20, guard G3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.core.conversation.conversation import Message
from app.core.state.interview import Drafted, Phase, Signal
from app.core.thread import ThreadKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What every act tells: under which receipt it was taken in, where, when, and who did it."""

    receipt: str
    thread: ThreadKey
    ts: str
    """The message that the act was said in or done to; empty if there is none."""
    at: str
    """When it happened, as Slack's ts."""
    user: str
    retired: bool = False
    """Filled in by the worker: True if the component of the step that it is about is not installed any more."""

    @property
    def is_written(self) -> bool:
        """True if `ts` is a message of that person: a mark can be left on it."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPressed(Act):
    """Somebody pressed *Retry* under a reply that went wrong."""

    reply: int
    target: Message | None = None
    """Filled in by the worker: the reply that the button stands under."""
    cards: tuple[Message, ...] = ()
    """Filled in by the worker: the rows of the cards that still change."""
    kind: Literal["retry_pressed"] = "retry_pressed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContinuePressed(Act):
    """Somebody pressed *Continue* under a reply that was cut off at its longest."""

    reply: int
    target: Message | None = None
    """Filled in by the worker: the reply that the button stands under."""
    kind: Literal["continue_pressed"] = "continue_pressed"


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRequested(Act):
    """Somebody wants the answer under way to end: by the button, by Slack's own Stop, or by writing *stop*."""

    written: bool = False
    """True if `ts` is a message of that person."""
    reply: int = 0
    """Which reply the button stands under; 0 if the wish names none."""
    partial: Message | None = None
    """Filled in by the worker, which has closed the model's stream: the reply's row, closed."""
    cards: tuple[Message, ...] = ()
    """Filled in by the worker: the rows of the cards that still change."""
    kind: Literal["stop_requested"] = "stop_requested"

    @property
    def is_written(self) -> bool:
        """True if `ts` is a message of that person: a mark can be left on it."""
        return self.written


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseRequested(Act):
    """Somebody wrote that the app shall forget this conversation; it asks back before it does."""

    kind: Literal["erase_requested"] = "erase_requested"

    @property
    def is_written(self) -> bool:
        """True if `ts` is a message of that person: a mark can be left on it."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseConfirmed(Act):
    """Somebody pressed the button that erases the conversation, or it was archived for as long as its note said."""

    ends: str = ""
    """Where nobody pressed it: the `Conversation.ends` that has come. Another one now means that it was overtaken."""
    partial: Message | None = None
    """As in `StopRequested`, if an answer was under way."""
    cards: tuple[Message, ...] = ()
    """As in `StopRequested`."""
    kind: Literal["erase_confirmed"] = "erase_confirmed"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnswered(Act):
    """Somebody answered a question by button, select or form. `card` is the row it stands in."""

    card: int
    value: str
    """The option's place counted from 0, `yes` or `no`, or free text."""
    question: str = ""
    """Which question the card showed, where one card shows several in turn: nobody approves what they did not see."""
    target: Message | None = None
    """Filled in by the worker: the card that was pressed."""
    held: Message | None = None
    """Filled in by the worker: the reply that waits for a permission, if one does."""
    cards: tuple[Message, ...] = ()
    """As in `StopRequested`."""
    kind: Literal["question_answered"] = "question_answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveRequested(Act):
    """Somebody wants the conversation put away; where work would stop, they are warned first (T1)."""

    written: bool = False
    """True if `ts` is a message of that person."""
    ends: str = ""
    """Filled in by the worker: when what is archived now is erased (ISO, UTC); empty for never."""
    partial: Message | None = None
    """As in `StopRequested`, if an answer was under way that this ends."""
    cards: tuple[Message, ...] = ()
    kind: Literal["archive_requested"] = "archive_requested"

    @property
    def is_written(self) -> bool:
        """True if `ts` is a message of that person: a mark can be left on it."""
        return self.written


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveConfirmed(Act):
    """Somebody has read what would stop, and wants it put away; or it was silent for as long as is set."""

    silent: str = ""
    """Where nobody pressed it: Slack's ts of the newest word. A newer one now means that it was overtaken."""
    ends: str = ""
    """As in `ArchiveRequested`."""
    partial: Message | None = None
    cards: tuple[Message, ...] = ()
    kind: Literal["archive_confirmed"] = "archive_confirmed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenRequested(Act):
    """Somebody wants to go on with what was archived or finished (C-04)."""

    written: bool = False
    cards: tuple[Message, ...] = ()
    drafted: Drafted | None = None
    """Filled in by the worker, of a step: the approved version with what it builds on as that is now."""
    kind: Literal["reopen_requested"] = "reopen_requested"

    @property
    def is_written(self) -> bool:
        """True if `ts` is a message of that person: a mark can be left on it."""
        return self.written


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleCancelled(Act):
    """Somebody wants what was planned not to be done any more."""

    card: int = 0
    """The row of the card that it was pressed on; 0 of a card that does not name it."""
    partial: Message | None = None
    """As in `StopRequested`, if a run of it was under way."""
    cards: tuple[Message, ...] = ()
    kind: Literal["schedule_cancelled"] = "schedule_cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class WordAsked(Act):
    """Somebody asked in the thread how it stands, or what can be done."""

    word: Literal["status", "help"]
    kind: Literal["word_asked"] = "word_asked"

    @property
    def is_written(self) -> bool:
        """True if `ts` is a message of that person: a mark can be left on it."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryAsked(Act):
    """Somebody pressed *Done – summarise* or *Show so far* (S0-216, S4-010)."""

    signal: Signal
    cards: tuple[Message, ...] = ()
    kind: Literal["summary_asked"] = "summary_asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftEdited(Act):
    """Somebody changed the draft of a step by hand, in a window. `edition` is that of the draft they saw."""

    draft: Mapping[str, Any]
    edition: int
    said: str = ""
    """What was filled in, in words: then the interview goes on with it. Empty if the result itself was edited."""
    drafted: Drafted | None = None
    """Filled in by the worker: the draft as it was judged; None if it is not valid."""
    cards: tuple[Message, ...] = ()
    kind: Literal["draft_edited"] = "draft_edited"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartRequested(Act):
    """Somebody wants the interview to go on from a phase (S0-264, T3)."""

    phase: Phase
    drafted: Drafted | None = None
    """Filled in by the worker: the draft that is there, as it is judged now."""
    partial: Message | None = None
    """As in `StopRequested`, if an answer was under way."""
    cards: tuple[Message, ...] = ()
    kind: Literal["restart_requested"] = "restart_requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepClosed(Act):
    """Somebody leaves a step as it was approved (C-03); Slack has asked them whether they are sure."""

    partial: Message | None = None
    cards: tuple[Message, ...] = ()
    kind: Literal["step_closed"] = "step_closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRequested(Act):
    """Somebody wants a step of the decision to begin."""

    component: str
    cards: tuple[Message, ...] = ()
    kind: Literal["step_requested"] = "step_requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnershipGiven(Act):
    """The owner hands the decision over to somebody else (C-20)."""

    to: str
    cards: tuple[Message, ...] = ()
    kind: Literal["ownership_given"] = "ownership_given"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionClosed(Act):
    """The owner says that the decision is made; `reopened` takes that back."""

    reopened: bool = False
    cards: tuple[Message, ...] = ()
    kind: Literal["decision_closed"] = "decision_closed"
