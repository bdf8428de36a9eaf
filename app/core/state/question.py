"""The states of a conversation, one enum for each dimension (requirements §3.1). Stored apart, validated together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.core.state.table import NOTHING, Nothing, Refused, Table, find_next_state


class QuestionState(StrEnum):
    """What became of a question (T6)."""

    OPEN = "open"
    ANSWERED = "answered"
    SUPERSEDED = "superseded"
    CANCELLED = "cancelled"


class QuestionKind(StrEnum):
    """What kind of answer it wants (S2-038)."""

    CONFIRMATION = "confirmation"
    CHOICE = "choice"
    INPUT = "input"


class Origin(StrEnum):
    """Why it is asked (C-11)."""

    MODEL = "model"
    EXTRACTION = "extraction"
    PERMISSION = "permission"
    INTERRUPT = "interrupt"
    AUTH = "auth"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question to the owner, as `checked` gives it."""

    id: str
    kind: QuestionKind
    prompt: str
    options: tuple[str, ...] = ()
    """Labels. Of a confirmation: the yes, then the no."""
    other: bool = False
    """True if a choice welcomes something else."""
    origin: Origin = Origin.MODEL
    asked_at: str = ""
    """Slack's ts."""
    card: int = 0
    """Row of the transcript that shows it."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer: `yes` or `no`, a label, or free text. `option` is the place of the button that means the same."""

    value: str
    option: int | None


@dataclass(frozen=True, slots=True)
class Changed:
    """No answer but words to go on with: "yes, but A2 is wrong"; of a permission, what to do instead."""

    text: str


@dataclass(frozen=True, slots=True)
class Unclear:
    """No answer as far as rules can tell: a counter-question, something ambiguous, or something else."""


@dataclass(frozen=True, slots=True)
class UseButtons:
    """A yes or no where only a click counts."""


class Standing(StrEnum):
    """Where a question stands: each `QuestionState`, and that it has not been asked."""

    NONE = "none"
    OPEN = QuestionState.OPEN.value
    ANSWERED = QuestionState.ANSWERED.value
    SUPERSEDED = QuestionState.SUPERSEDED.value
    CANCELLED = QuestionState.CANCELLED.value


class QuestionOn(StrEnum):
    """What can happen to a question."""

    ASK = "ask"
    """This question is asked; if it was before, the next one is, which is another question and begins at `none`."""
    CLICK = "click"
    TYPED_ANSWER = "typed_answer"
    TYPED_CHANGE = "typed_change"
    TYPED_UNCLEAR = "typed_unclear"
    TYPED_FOR_CLICK = "typed_for_click"
    """Yes or no in words where only a click counts."""
    RESOLVE = "resolve"
    """The model says what a typed reply means."""
    BAD_ANSWER = "bad_answer"
    """A click, a form or the model gives what is no answer."""
    COMMAND = "command"
    STOP = "stop"
    STOP_HELD = "stop_held"
    """Stop of the run that waits for this question."""
    ARCHIVE = "archive"
    WITHDRAW = "withdraw"
    """What it was about is gone: its step was closed, or begun again from an earlier phase."""


Cell = Standing | Refused | Nothing


def _row(none: Cell, open_: Cell, closed: Cell) -> Mapping[Standing, Cell]:
    """Give one line of T6, whose last column speaks of three states."""
    return {**dict.fromkeys(Standing, closed), Standing.NONE: none, Standing.OPEN: open_}


_NO_QUESTION, _CLOSED = Refused("NO_QUESTION"), Refused("QUESTION_CLOSED")

TABLE: Table[QuestionOn, Standing] = {
    QuestionOn.ASK: _row(Standing.OPEN, Standing.SUPERSEDED, NOTHING),
    QuestionOn.CLICK: _row(_NO_QUESTION, Standing.ANSWERED, _CLOSED),
    QuestionOn.TYPED_ANSWER: _row(NOTHING, Standing.ANSWERED, NOTHING),
    QuestionOn.TYPED_CHANGE: _row(NOTHING, Standing.ANSWERED, NOTHING),
    QuestionOn.TYPED_UNCLEAR: _row(NOTHING, Standing.OPEN, NOTHING),
    QuestionOn.TYPED_FOR_CLICK: _row(NOTHING, Standing.OPEN, NOTHING),
    QuestionOn.RESOLVE: _row(_NO_QUESTION, Standing.ANSWERED, _CLOSED),
    QuestionOn.BAD_ANSWER: _row(_NO_QUESTION, Refused("BAD_ANSWER"), _CLOSED),
    QuestionOn.COMMAND: _row(NOTHING, Standing.OPEN, NOTHING),
    QuestionOn.STOP: _row(NOTHING, Standing.OPEN, NOTHING),
    QuestionOn.STOP_HELD: _row(NOTHING, Standing.CANCELLED, NOTHING),
    QuestionOn.ARCHIVE: _row(NOTHING, Standing.CANCELLED, NOTHING),
    QuestionOn.WITHDRAW: _row(NOTHING, Standing.CANCELLED, NOTHING),
}
"""T6, from the view of one question. A text that meets none, or a closed one, is a message like any other."""


def move(state: QuestionState | None, event: QuestionOn) -> QuestionState | None:
    """Say how a question stands after the event, None if it means nothing here; None before is "not asked".

    Raises `IllegalEvent` NO_QUESTION, QUESTION_CLOSED or BAD_ANSWER.
    """
    after = find_next_state(TABLE, Standing(state or Standing.NONE), event)
    return None if after is None else QuestionState(after)


def read_stop(question: Question) -> QuestionOn:
    """Say what *Stop* is to this question: with its run goes the question that a run waits for."""
    return QuestionOn.STOP_HELD if question.origin in (Origin.PERMISSION, Origin.INTERRUPT) else QuestionOn.STOP
