"""Meaning of a reply to a question, and the check of a question before it is asked."""

from __future__ import annotations

import re
from dataclasses import replace

from app.core.copy import texts
from app.core.errors import IllegalEvent
from app.core.state.question import Answered, Changed, Origin, Question, QuestionKind, Unclear, UseButtons
from app.core.text import labels, replies
from app.core.text.labels import are_crossed, are_distinct, fit_labels
from app.core.text.replies import Verdict, fold

COUNT = range(2, 11)
"""Number of options of a choice."""

MAX_PROMPT = 2_900
"""Characters; a section of Slack holds 3,000, and the question names its owner."""

MAX_TEXT = 10_000
"""Characters of a free answer, as for any message."""

OTHER = "other:"
"""Prefix of the free text from the form for "something else", so that a number typed there is no option's index."""


def normalize_question(question: Question) -> Question:
    """Return the question as it can be shown: spaces collapsed, long labels cut. Idempotent.

    Raises `IllegalEvent` BAD_QUESTION; its detail tells the model what to correct, and quotes nothing.
    """
    prompt = re.sub(
        r"\n{3,}", "\n\n", "\n".join(" ".join(line.split()) for line in question.prompt.strip().splitlines())
    )
    if not 1 <= len(prompt) <= MAX_PROMPT:
        raise IllegalEvent("BAD_QUESTION", f"The prompt must have 1 to {MAX_PROMPT:,} characters.")
    labels = tuple(" ".join(label.split()) for label in question.options)
    if question.kind is QuestionKind.CONFIRMATION:
        labels = labels or (texts.YES, texts.NO)
    if problem := _find_problem(question.kind, labels):
        raise IllegalEvent("BAD_QUESTION", problem)
    other = question.other and question.kind is QuestionKind.CHOICE
    return replace(question, prompt=prompt, options=fit_labels(labels), other=other)


def understand(question: Question, text: str) -> Answered | Changed | Unclear | UseButtons:
    """Return the meaning of a typed message for the open question. Every text has one."""
    said = text.strip()
    if not said:
        return Unclear()
    if question.origin is Origin.PERMISSION:
        begun = replies.read_lead(said)
        return UseButtons() if begun.whole and begun.verdict else Changed(said)
    if question.kind is QuestionKind.CONFIRMATION:
        return _read_confirmation(question, said)
    if question.kind is QuestionKind.CHOICE:
        return _read_option(question, said)
    # For an interrupted turn any text is its new instruction, even a question.
    asks = replies.is_question(said) and question.origin is not Origin.INTERRUPT
    return Unclear() if asks or len(said) > MAX_TEXT else Answered(said, None)


def read_choice(question: Question, value: str) -> Answered:
    """Read the value of a button, select or form: an option's index from 0, `yes` or `no`, or free text.

    The value of a form begins with `OTHER`, so that a "2" in it is no index. Raises `IllegalEvent` BAD_ANSWER.
    """
    if value.startswith(OTHER):
        return _read_free_text(question, value.removeprefix(OTHER))
    places = {str(place): place for place in range(len(question.options))}
    if question.kind is QuestionKind.CONFIRMATION:
        places |= {verdict.value: place for place, verdict in enumerate(Verdict)}
    if value in places:
        return _build_answer(question, places[value])
    return _read_free_text(question, value)


def read_resolution(question: Question, value: str) -> Answered:
    """Read the model's reading of a typed reply: `yes` or `no`, an option, or free text if the question accepts it.

    Raises `IllegalEvent` BAD_ANSWER; its detail tells the model what is expected, and quotes nothing.
    """
    if question.origin is Origin.PERMISSION:
        raise IllegalEvent("BAD_ANSWER", "Only a click answers this.")
    if question.kind is QuestionKind.CONFIRMATION:
        answered = _read_confirmation(question, value)
        return answered if isinstance(answered, Answered) else _read_free_text(question, value)
    place = labels.find_by_name(question.options, value)
    return _read_free_text(question, value) if place is None else _build_answer(question, place)


def format_answer(question: Question, answered: Answered) -> str:
    """Return the words for an answer on a card: one line of at most `labels.MAX_LABEL` characters."""
    if answered.option is not None:
        return question.options[answered.option]
    return labels.shorten(" ".join(answered.value.split()))


def read_back(question: Question, answered: Answered) -> str:
    """Return the sentence that shows how the model took a typed reply. Mrkdwn, but its label is not escaped."""
    return texts.READ_BACK.format(answer=format_answer(question, answered))


def _find_problem(kind: QuestionKind, labels: tuple[str, ...]) -> str | None:
    if kind is QuestionKind.INPUT:
        return "An input has no options; ask a choice." if labels else None
    if kind is QuestionKind.CHOICE and len(labels) not in COUNT:
        return f"A choice has {COUNT[0]} to {COUNT[-1]} options."
    if kind is QuestionKind.CONFIRMATION and len(labels) != len(Verdict):
        return "A confirmation has two options or none: the yes, then the no."
    if not are_distinct(labels):
        return "Options must differ in more than case and spaces, and none may be empty."
    if kind is QuestionKind.CONFIRMATION and are_crossed(*labels):
        return "The first option of a confirmation is the yes, the second the no."
    return None


def _read_confirmation(question: Question, said: str) -> Answered | Changed | Unclear:
    if (place := labels.find_by_label(question.options, said)) is not None:
        return _build_answer(question, place)
    begun = replies.read_lead(said)
    if replies.is_question(said) or begun.verdict is None:
        return Unclear()
    if begun.whole:
        return _build_answer(question, [*Verdict].index(begun.verdict))
    objects = begun.objects
    if begun.verdict is Verdict.NO:
        objects = question.origin is Origin.EXTRACTION and (begun.objects or begun.pauses)
    return Changed(said) if objects else Unclear()


def _read_option(question: Question, said: str) -> Answered | Unclear:
    if replies.is_question(said) and fold(said) not in map(fold, question.options):
        return Unclear()
    if (place := labels.find_by_name(question.options, said)) is not None:
        return _build_answer(question, place)
    other = replies.read_something_else(said) if question.other else None
    return Unclear() if other is None or len(other) > MAX_TEXT else Answered(other, None)


def _build_answer(question: Question, place: int) -> Answered:
    """Return the answer that the button at this index stands for."""
    if question.kind is QuestionKind.CONFIRMATION:
        return Answered([*Verdict][place].value, place)
    return Answered(question.options[place], place)


def _read_free_text(question: Question, text: str) -> Answered:
    if question.kind is not QuestionKind.INPUT and not question.other:
        raise IllegalEvent("BAD_ANSWER", "The answer must be one of the options.")
    said = text.strip()
    if not 1 <= len(said) <= MAX_TEXT:
        raise IllegalEvent("BAD_ANSWER", f"The answer must have 1 to {MAX_TEXT:,} characters.")
    return Answered(said, None)
