"""The question that a conversation waits for, and its table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.core.state.table import NOTHING, Nothing, Refused, Table, find_next_state


class QuestionState(StrEnum):
    """Outcome of a question, or that it is open."""

    OPEN = "open"
    ANSWERED = "answered"
    SUPERSEDED = "superseded"
    CANCELLED = "cancelled"


class QuestionKind(StrEnum):
    """What kind of answer it wants."""

    CONFIRMATION = "confirmation"
    CHOICE = "choice"
    INPUT = "input"


class Origin(StrEnum):
    """Reason for which it is asked."""

    MODEL = "model"
    EXTRACTION = "extraction"
    PERMISSION = "permission"
    INTERRUPT = "interrupt"
    AUTH = "auth"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question to the owner, in the form that `normalize_question` returns."""

    id: str
    kind: QuestionKind
    prompt: str
    options: tuple[str, ...] = ()
    """Labels. Of a confirmation: the yes, then the no."""
    other: bool = False
    """True if a choice also accepts free text."""
    origin: Origin = Origin.MODEL
    asked_at: str = ""
    """Slack's ts."""
    card: int = 0
    """`seq` of the card that shows it."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer: `yes` or `no`, a label, or free text. `option` is the index of the matching button."""

    value: str
    option: int | None


@dataclass(frozen=True, slots=True)
class Changed:
    """Words to continue with, in place of an answer: "yes, but A2 is wrong", or what to do instead of a tool use."""

    text: str


@dataclass(frozen=True, slots=True)
class Unclear:
    """Text that rules cannot read as an answer: a counter-question, something ambiguous, or another topic."""


@dataclass(frozen=True, slots=True)
class UseButtons:
    """A typed yes or no to a question that only a click can answer."""


class QuestionStatus(StrEnum):
    """Status of a question: a `QuestionState`, or that it has not been asked."""

    NONE = "none"
    OPEN = QuestionState.OPEN.value
    ANSWERED = QuestionState.ANSWERED.value
    SUPERSEDED = QuestionState.SUPERSEDED.value
    CANCELLED = QuestionState.CANCELLED.value


class QuestionEvent(StrEnum):
    """Event of a question."""

    ASK = "ask"
    """This question is asked. If it already was, the next question is, which begins at `none`."""
    CLICK = "click"
    TYPED_ANSWER = "typed_answer"
    TYPED_CHANGE = "typed_change"
    TYPED_UNCLEAR = "typed_unclear"
    TYPED_FOR_CLICK = "typed_for_click"
    """A typed yes or no to a question that only a click can answer."""
    RESOLVE = "resolve"
    """The model gives the meaning of a typed reply."""
    BAD_ANSWER = "bad_answer"
    """A click, a form or the model gives an invalid answer."""
    COMMAND = "command"
    STOP = "stop"
    STOP_HELD = "stop_held"
    """Stop of the turn that waits for this question."""
    ARCHIVE = "archive"
    WITHDRAW = "withdraw"
    """Its subject is gone: the step was closed, or restarted from an earlier phase."""


Cell = QuestionStatus | Refused | Nothing


def _row(none: Cell, open_: Cell, closed: Cell) -> Mapping[QuestionStatus, Cell]:
    """Return one row of the table. Its last column stands for the three closed states."""
    return {**dict.fromkeys(QuestionStatus, closed), QuestionStatus.NONE: none, QuestionStatus.OPEN: open_}


_NO_QUESTION, _CLOSED = Refused("NO_QUESTION"), Refused("QUESTION_CLOSED")

TABLE: Table[QuestionEvent, QuestionStatus] = {
    QuestionEvent.ASK: _row(QuestionStatus.OPEN, QuestionStatus.SUPERSEDED, NOTHING),
    QuestionEvent.CLICK: _row(_NO_QUESTION, QuestionStatus.ANSWERED, _CLOSED),
    QuestionEvent.TYPED_ANSWER: _row(NOTHING, QuestionStatus.ANSWERED, NOTHING),
    QuestionEvent.TYPED_CHANGE: _row(NOTHING, QuestionStatus.ANSWERED, NOTHING),
    QuestionEvent.TYPED_UNCLEAR: _row(NOTHING, QuestionStatus.OPEN, NOTHING),
    QuestionEvent.TYPED_FOR_CLICK: _row(NOTHING, QuestionStatus.OPEN, NOTHING),
    QuestionEvent.RESOLVE: _row(_NO_QUESTION, QuestionStatus.ANSWERED, _CLOSED),
    QuestionEvent.BAD_ANSWER: _row(_NO_QUESTION, Refused("BAD_ANSWER"), _CLOSED),
    QuestionEvent.COMMAND: _row(NOTHING, QuestionStatus.OPEN, NOTHING),
    QuestionEvent.STOP: _row(NOTHING, QuestionStatus.OPEN, NOTHING),
    QuestionEvent.STOP_HELD: _row(NOTHING, QuestionStatus.CANCELLED, NOTHING),
    QuestionEvent.ARCHIVE: _row(NOTHING, QuestionStatus.CANCELLED, NOTHING),
    QuestionEvent.WITHDRAW: _row(NOTHING, QuestionStatus.CANCELLED, NOTHING),
}
"""The table of one question. A text with no open question to answer is a message like any other."""


def move(state: QuestionState | None, event: QuestionEvent) -> QuestionState | None:
    """Return the state after the event; None if the event means nothing here. A state of None is "not asked".

    Raises `IllegalEvent` NO_QUESTION, QUESTION_CLOSED or BAD_ANSWER.
    """
    after = find_next_state(TABLE, QuestionStatus(state or QuestionStatus.NONE), event)
    return None if after is None else QuestionState(after)


def read_stop(question: Question) -> QuestionEvent:
    """Return the event that *Stop* is to this question. A question that a turn waits for ends with the turn."""
    return QuestionEvent.STOP_HELD if question.origin in (Origin.PERMISSION, Origin.INTERRUPT) else QuestionEvent.STOP
