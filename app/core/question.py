"""What a thread waits for: a question (C-11), what becomes of it (T6), and what a reply means.

A typed reply counts only if nobody could read it otherwise: all else is left to the model and to the buttons. Prompts,
labels and answers are plain text: whoever shows them escapes them. Knows neither threads nor who may answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from app.core import options, texts, wording
from app.core.errors import IllegalEvent
from app.core.states import QuestionState
from app.core.table import NOTHING, Nothing, Refused, Table, following
from app.core.wording import Verdict, folded

COUNT = range(2, 11)
"""How many options a choice has (requirements part 5)."""

MAX_PROMPT = 2_900
"""Characters; a section of Slack holds 3,000, and the question names its owner."""

MAX_TEXT = 10_000
"""Characters of a free answer, as of any message (requirements part 5)."""

OTHER = "other:"
"""Put before what the form for "something else" sends, so that a number typed there is no option's place."""


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


def moved(state: QuestionState | None, event: QuestionOn) -> QuestionState | None:
    """Say how a question stands after the event, None if it means nothing here; None before is "not asked".

    Raises `IllegalEvent` NO_QUESTION, QUESTION_CLOSED or BAD_ANSWER.
    """
    after = following(TABLE, Standing(state or Standing.NONE), event)
    return None if after is None else QuestionState(after)


def stopping(question: Question) -> QuestionOn:
    """Say what *Stop* is to this question: with its run goes the question that a run waits for."""
    return QuestionOn.STOP_HELD if question.origin in (Origin.PERMISSION, Origin.INTERRUPT) else QuestionOn.STOP


def checked(question: Question) -> Question:
    """Give the question as it can be shown: spaces collapsed, long labels cut. Doing it again changes nothing.

    Raises `IllegalEvent` BAD_QUESTION; its detail tells the model what to mend, and quotes nothing.
    """
    prompt = re.sub(r"\n{3,}", "\n\n", "\n".join(_line(line) for line in question.prompt.strip().splitlines()))
    if not 1 <= len(prompt) <= MAX_PROMPT:
        raise IllegalEvent("BAD_QUESTION", f"The prompt must have 1 to {MAX_PROMPT:,} characters.")
    labels = tuple(_line(label) for label in question.options)
    if question.kind is QuestionKind.CONFIRMATION:
        labels = labels or (texts.YES, texts.NO)
    if problem := _problem(question.kind, labels):
        raise IllegalEvent("BAD_QUESTION", problem)
    other = question.other and question.kind is QuestionKind.CHOICE
    return replace(question, prompt=prompt, options=options.fitting(labels), other=other)


def understand(question: Question, text: str) -> Answered | Changed | Unclear | UseButtons:
    """Say what a typed message is to the open question. Total: every text is something."""
    said = text.strip()
    if not said:
        return Unclear()
    if question.origin is Origin.PERMISSION:
        begun = wording.lead(said)
        return UseButtons() if begun.whole and begun.verdict else Changed(said)
    if question.kind is QuestionKind.CONFIRMATION:
        return _of_confirmation(question, said)
    if question.kind is QuestionKind.CHOICE:
        return _of_choice(question, said)
    # To an interrupted run a text is its new instruction, also if it is put as a question.
    asks = wording.is_question(said) and question.origin is not Origin.INTERRUPT
    return Unclear() if asks or len(said) > MAX_TEXT else Answered(said, None)


def chosen(question: Question, value: str) -> Answered:
    """Read what a button, select or form sends: an option's place counted from 0, `yes` or `no`, or free text.

    What a form sends begins with `OTHER`, so that a "2" in it is no place. Raises `IllegalEvent` BAD_ANSWER.
    """
    if value.startswith(OTHER):
        return _free(question, value.removeprefix(OTHER))
    places = {str(place): place for place in range(len(question.options))}
    if question.kind is QuestionKind.CONFIRMATION:
        places |= {verdict.value: place for place, verdict in enumerate(Verdict)}
    if value in places:
        return _at(question, places[value])
    return _free(question, value)


def resolved(question: Question, value: str) -> Answered:
    """Read what the model took a typed reply for: `yes` or `no`, an option, or free text where that is welcome.

    Raises `IllegalEvent` BAD_ANSWER; its detail tells the model what is wanted, and quotes nothing.
    """
    if question.origin is Origin.PERMISSION:
        raise IllegalEvent("BAD_ANSWER", "Only a click answers this.")
    if question.kind is QuestionKind.CONFIRMATION:
        answered = _of_confirmation(question, value)
        return answered if isinstance(answered, Answered) else _free(question, value)
    place = options.named(question.options, value)
    return _free(question, value) if place is None else _at(question, place)


def label(question: Question, answered: Answered) -> str:
    """Give the words for an answer as a card shows them: one line of at most `options.MAX_LABEL` characters."""
    if answered.option is not None:
        return question.options[answered.option]
    return options.shortened(_line(answered.value))


def read_back(question: Question, answered: Answered) -> str:
    """Give the sentence that says how the model took a typed reply. Mrkdwn, but its label is not escaped."""
    return texts.READ_BACK.format(answer=label(question, answered))


def _line(text: str) -> str:
    return " ".join(text.split())


def _problem(kind: QuestionKind, labels: tuple[str, ...]) -> str | None:
    if kind is QuestionKind.INPUT:
        return "An input has no options; ask a choice." if labels else None
    if kind is QuestionKind.CHOICE and len(labels) not in COUNT:
        return f"A choice has {COUNT[0]} to {COUNT[-1]} options."
    if kind is QuestionKind.CONFIRMATION and len(labels) != len(Verdict):
        return "A confirmation has two options or none: the yes, then the no."
    if not options.differ(labels):
        return "Options must differ in more than case and spaces, and none may be empty."
    if kind is QuestionKind.CONFIRMATION and options.crossed(*labels):
        return "The first option of a confirmation is the yes, the second the no."
    return None


def _of_confirmation(question: Question, said: str) -> Answered | Changed | Unclear:
    if (place := options.labelled(question.options, said)) is not None:
        return _at(question, place)
    begun = wording.lead(said)
    if wording.is_question(said) or begun.verdict is None:
        return Unclear()
    if begun.whole:
        return _at(question, [*Verdict].index(begun.verdict))
    objects = begun.objects
    if begun.verdict is Verdict.NO:
        objects = question.origin is Origin.EXTRACTION and (begun.objects or begun.pauses)
    return Changed(said) if objects else Unclear()


def _of_choice(question: Question, said: str) -> Answered | Unclear:
    if wording.is_question(said) and folded(said) not in map(folded, question.options):
        return Unclear()
    if (place := options.named(question.options, said)) is not None:
        return _at(question, place)
    other = wording.something_else(said) if question.other else None
    return Unclear() if other is None or len(other) > MAX_TEXT else Answered(other, None)


def _at(question: Question, place: int) -> Answered:
    """Give the answer that the button at this place stands for."""
    if question.kind is QuestionKind.CONFIRMATION:
        return Answered([*Verdict][place].value, place)
    return Answered(question.options[place], place)


def _free(question: Question, text: str) -> Answered:
    if question.kind is not QuestionKind.INPUT and not question.other:
        raise IllegalEvent("BAD_ANSWER", "The answer must be one of the options.")
    said = text.strip()
    if not 1 <= len(said) <= MAX_TEXT:
        raise IllegalEvent("BAD_ANSWER", f"The answer must have 1 to {MAX_TEXT:,} characters.")
    return Answered(said, None)
