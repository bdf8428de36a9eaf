"""What a reply to a question means, and whether a question may be put."""

from __future__ import annotations

import re
from dataclasses import replace

from app.core.copy import texts
from app.core.errors import IllegalEvent
from app.core.state.question import Answered, Changed, Origin, Question, QuestionKind, Unclear, UseButtons
from app.core.text import labels, replies
from app.core.text.labels import crossed, differ, fitting
from app.core.text.replies import Verdict, folded

COUNT = range(2, 11)
"""How many options a choice has (requirements part 5)."""

MAX_PROMPT = 2_900
"""Characters; a section of Slack holds 3,000, and the question names its owner."""

MAX_TEXT = 10_000
"""Characters of a free answer, as of any message (requirements part 5)."""

OTHER = "other:"
"""Put before what the form for "something else" sends, so that a number typed there is no option's place."""


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
    return replace(question, prompt=prompt, options=fitting(labels), other=other)


def understand(question: Question, text: str) -> Answered | Changed | Unclear | UseButtons:
    """Say what a typed message is to the open question. Total: every text is something."""
    said = text.strip()
    if not said:
        return Unclear()
    if question.origin is Origin.PERMISSION:
        begun = replies.lead(said)
        return UseButtons() if begun.whole and begun.verdict else Changed(said)
    if question.kind is QuestionKind.CONFIRMATION:
        return _of_confirmation(question, said)
    if question.kind is QuestionKind.CHOICE:
        return _of_choice(question, said)
    # To an interrupted run a text is its new instruction, also if it is put as a question.
    asks = replies.is_question(said) and question.origin is not Origin.INTERRUPT
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
    place = labels.named(question.options, value)
    return _free(question, value) if place is None else _at(question, place)


def label(question: Question, answered: Answered) -> str:
    """Give the words for an answer as a card shows them: one line of at most `options.MAX_LABEL` characters."""
    if answered.option is not None:
        return question.options[answered.option]
    return labels.shortened(_line(answered.value))


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
    if not differ(labels):
        return "Options must differ in more than case and spaces, and none may be empty."
    if kind is QuestionKind.CONFIRMATION and crossed(*labels):
        return "The first option of a confirmation is the yes, the second the no."
    return None


def _of_confirmation(question: Question, said: str) -> Answered | Changed | Unclear:
    if (place := labels.labelled(question.options, said)) is not None:
        return _at(question, place)
    begun = replies.lead(said)
    if replies.is_question(said) or begun.verdict is None:
        return Unclear()
    if begun.whole:
        return _at(question, [*Verdict].index(begun.verdict))
    objects = begun.objects
    if begun.verdict is Verdict.NO:
        objects = question.origin is Origin.EXTRACTION and (begun.objects or begun.pauses)
    return Changed(said) if objects else Unclear()


def _of_choice(question: Question, said: str) -> Answered | Unclear:
    if replies.is_question(said) and folded(said) not in map(folded, question.options):
        return Unclear()
    if (place := labels.named(question.options, said)) is not None:
        return _at(question, place)
    other = replies.something_else(said) if question.other else None
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
