"""Cards as Slack shows them: questions, permissions, schedules and archive notices. Pure.

`hub_card` and `step_card` show those of decisions and their steps. Texts of the model and of people are shown as plain
words: nothing in them is markup or notifies anyone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import assert_never

from app.core.conversation.card import (
    Card,
    FiledCard,
    GroundCard,
    HubCard,
    NextCard,
    NoteCard,
    NotesCard,
    PermissionCard,
    QuestionCard,
    ReviewCard,
    ScheduleCard,
    ScheduleState,
    StepCard,
    StepState,
)
from app.core.conversation.transition import parse_ts
from app.core.copy import decision_steps, texts
from app.core.pending.recurrence import describe, format_moment_with_zone
from app.core.state.question import Question, QuestionKind, QuestionState
from app.core.text.cutting import cut
from app.core.thread import ThreadKey
from handlers.slack import action_ids, permalinks
from handlers.views.cards import hub_card, permission_card, step_card
from handlers.views.kit import blocks, mrkdwn
from handlers.views.kit.blocks import Block, CardPlace, RenderedMessage
from handlers.views.kit.packing import BLOCKS, split_text
from handlers.views.kit.plain_text import extract_text

SECTION_CHARS = 3_000
"""Slack's limit for the text of a section, including its escapes."""

LINE_CHARS = 200
"""Limit of an instruction or a schedule in words; longer texts are cut. Five times that still fits a section."""

HINTS: Mapping[QuestionKind, str] = {
    QuestionKind.CONFIRMATION: texts.CONFIRM_HINT,
    QuestionKind.CHOICE: texts.CHOICE_HINT,
    QuestionKind.INPUT: texts.INPUT_HINT,
}

UNANSWERED: Mapping[QuestionState, str] = {
    QuestionState.SUPERSEDED: texts.QUESTION_SUPERSEDED,
    QuestionState.CANCELLED: texts.QUESTION_CANCELLED,
}

ENDED: Mapping[ScheduleState, str] = {
    ScheduleState.REPLACED: texts.SCHEDULE_REPLACED,
    ScheduleState.CANCELLED: texts.SCHEDULE_CANCELLED,
    ScheduleState.DONE: texts.SCHEDULE_DONE,
}


def render_card(card: Card, seq: int, place: CardPlace) -> tuple[RenderedMessage, ...]:
    """Return a card as one Slack message or several. `seq` is its row; the buttons carry it, or the thread's root.

    In a step it leads to the decision.
    """
    pages = _render(card, seq, place)
    return (*pages[:-1], _add_hub_link(pages[-1], place.hub, place)) if place.hub else pages


def _add_hub_link(page: RenderedMessage, hub: ThreadKey, place: CardPlace) -> RenderedMessage:
    """Return the message with a link to the hub in small print, unless it has one or is full."""
    address = permalinks.link_thread(place.workspace_url, hub)
    *above, last = page.blocks
    if address in str(page.blocks) or len(page.blocks) == BLOCKS:
        return page
    link = blocks.build_context(f"{decision_steps.HUB} {blocks.format_link(address, decision_steps.THE_DECISION)}")
    if last["type"] != "context":
        return replace(page, blocks=(*page.blocks, link))
    return replace(page, blocks=(*above, {**last, "elements": [*last["elements"], *link["elements"]]}))


def _render(card: Card, seq: int, place: CardPlace) -> tuple[RenderedMessage, ...]:
    match card:
        case QuestionCard():
            return (_render_question(card, seq),)
        case PermissionCard():
            return (permission_card.render(card, seq),)
        case ScheduleCard():
            return (_render_schedule(card, seq),)
        case FiledCard():
            return (_render_archived(card, place.thread.root),)
        case HubCard():
            return (hub_card.render(card, place),)
        case _:
            return _render_step(card, seq, place)


def render_plain_text(card: Card, seq: int, place: CardPlace) -> tuple[RenderedMessage, ...]:
    """Return a card without blocks, in case Slack refuses to render it. A question can be answered in words, too."""
    pages = render_card(_unfold(card), seq, place)
    said = extract_text(block for page in pages for block in page.blocks) or pages[0].text
    options = (f"{number}. {mrkdwn.render_verbatim(label)}" for number, label in enumerate(_list_labels(card), 1))
    whole = "\n".join((said, *options))
    return tuple(RenderedMessage(text=piece, blocks=()) for piece in split_text(whole, blocks.FALLBACK_CHARS))


def _unfold(card: Card) -> Card:
    """Return a card with all that it folds: without blocks, it has no button that shows the rest."""
    if isinstance(card, StepCard | ReviewCard | NotesCard):
        return replace(card, sheet=replace(card.sheet, essence=()))
    return card


def is_waiting(card: Card) -> bool:
    """Return True if a card waits for a person's answer."""
    match card:
        case QuestionCard():
            return card.state is QuestionState.OPEN
        case PermissionCard():
            return card.decision is None and not card.withdrawn
        case StepCard():
            return card.state is StepState.OPEN
        case ReviewCard():
            return not card.done
        case _:
            return False


def _render_step(
    card: StepCard | ReviewCard | NextCard | GroundCard | NotesCard | NoteCard, seq: int, place: CardPlace
) -> tuple[RenderedMessage, ...]:
    match card:
        case StepCard():
            return step_card.render_step(card, seq, place)
        case ReviewCard():
            return step_card.render_review(card, seq, place)
        case NextCard():
            return step_card.render_next(card, place)
        case GroundCard():
            return step_card.render_ground(card, place)
        case NotesCard():
            return step_card.render_notes(card, seq)
        case NoteCard():
            return step_card.render_note(card)
        case _:
            assert_never(card)


def _list_labels(card: Card) -> tuple[str, ...]:
    """Return the labels that can be answered now."""
    match card:
        case QuestionCard(state=QuestionState.OPEN) | PermissionCard(decision=None, withdrawn=False):
            return card.question.options
        case StepCard(state=StepState.OPEN, missing=()):
            return card.question.options
        case _:
            return ()


def _render_question(card: QuestionCard, seq: int) -> RenderedMessage:
    asked, owner = card.question, f"<@{card.owner}>"
    sentence = texts.QUESTION.format(owner=owner, prompt=mrkdwn.render_verbatim(asked.prompt))
    body: tuple[Block, ...] = (blocks.build_section(sentence),)
    if len(sentence) > SECTION_CHARS:  # escapes make it too long; plain text has none
        body = (
            blocks.build_section(texts.QUESTION.format(owner=owner, prompt="")),
            blocks.build_verbatim(asked.prompt),
        )
    below = _build_answers(asked, seq) if card.state is QuestionState.OPEN else _render_closed(card)
    return RenderedMessage(text=cut(sentence, blocks.FALLBACK_CHARS), blocks=(*body, *below))


def _build_answers(asked: Question, seq: int) -> tuple[Block, ...]:
    """Return the controls for an answer, with a hint that words are accepted, too."""
    form = blocks.build_button(action_ids.ANSWER_FORM, texts.ANSWER, str(seq))
    other = (blocks.build_button(action_ids.ANSWER_FORM, texts.SOMETHING_ELSE, str(seq)),) if asked.other else ()
    values = {f"{seq}:{place}": label for place, label in enumerate(asked.options)}
    if asked.kind is QuestionKind.INPUT:
        controls = (form,)
    elif len(values) > len(action_ids.ANSWER_BUTTONS):
        controls = (blocks.build_select(action_ids.ANSWER_SELECT, texts.PICK_ONE, values), *other)
    else:
        controls = (*_build_buttons(asked, values), *other)
    return (blocks.build_actions(*controls), blocks.build_context(HINTS[asked.kind]))


def _build_buttons(asked: Question, values: Mapping[str, str]) -> list[Block]:
    first = "primary" if asked.kind is QuestionKind.CONFIRMATION else None
    return [
        blocks.build_button(action_ids.ANSWER_BUTTONS[place], label, value, None if place else first)
        for place, (value, label) in enumerate(values.items())
    ]


def _render_closed(card: QuestionCard) -> tuple[Block, ...]:
    """Return how the question ended.

    A long or multi-line answer gets a paragraph: from a form, it appears nowhere else.
    """
    if card.state in UNANSWERED:
        return (blocks.build_context(UNANSWERED[card.state]),)
    is_label = len(card.answer) <= blocks.LABEL_CHARS and "\n" not in card.answer
    answer = f"*{mrkdwn.render_verbatim(card.answer)}*" if is_label else ""
    origin = texts.CHANGED_SINCE if card.outdated else texts.FROM_MESSAGE if card.mapped else ""
    told = (answer, f"<@{card.by}>", blocks.format_time(card.at), origin)
    line = texts.QUESTION_ANSWERED.format(answer=" · ".join(filter(None, told)))
    return (
        *(() if is_label else (blocks.build_verbatim(cut(card.answer, SECTION_CHARS)),)),
        blocks.build_context(line),
    )


def _render_schedule(card: ScheduleCard, seq: int) -> RenderedMessage:
    planned = cut(describe(card.schedule, zone=True), LINE_CHARS)
    begins = texts.SCHEDULE.format(schedule=mrkdwn.render_verbatim(planned[:1].upper() + planned[1:]))
    instruction = next(iter(card.schedule.instruction.strip().splitlines()), "")
    sentence = "\n".join(filter(None, (begins, mrkdwn.render_verbatim(cut(instruction, LINE_CHARS)))))
    note = ENDED.get(card.state) or _describe_next(card)
    noted = (blocks.build_context(note),) if note else ()
    if card.state is not ScheduleState.SET:
        return blocks.render_sentence(sentence, *noted)
    cancel = blocks.build_button(action_ids.CANCEL_SCHEDULE, texts.CANCEL_SCHEDULE, str(seq))
    pausing = (action_ids.PAUSE_SCHEDULE, texts.PAUSE_SCHEDULE)
    pause = blocks.build_button(
        *((action_ids.RESUME_SCHEDULE, texts.RESUME_SCHEDULE) if card.held else pausing), str(seq)
    )
    buttons = blocks.build_actions(pause, cancel | {"confirm": _build_confirm(planned)})
    return blocks.render_sentence(sentence, *noted, buttons)


def _describe_next(card: ScheduleCard) -> str:
    if card.paused or card.held or not card.next_run:
        return texts.SCHEDULE_HELD if card.held else texts.SCHEDULE_PAUSED if card.paused else ""
    moment = datetime.fromisoformat(card.next_run)
    plainly = format_moment_with_zone(moment, card.schedule.zone, parse_ts(card.at))
    return texts.NEXT_RUN.format(time=mrkdwn.render_time(moment, "{date_short_pretty} at {time}, your time", plainly))


def _build_confirm(planned: str) -> Block:
    """Return the confirmation that Slack asks for before it sends the click."""
    warning = texts.CANCEL_SCHEDULE_WARNING.format(schedule=planned)
    title, yes, no = texts.CANCEL_SCHEDULE_TITLE, texts.CANCEL_SCHEDULE_YES, texts.CANCEL_SCHEDULE_NO
    return blocks.build_confirm(title, warning, yes, no) | {"style": "danger"}


def _render_archived(card: FiledCard, root: str) -> RenderedMessage:
    told_of = (texts.FILED, texts.FILED_SILENT), (texts.REOPENED, texts.REOPENED_IN_USE)
    told = told_of[card.reopened][card.silent].format(person=f"<@{card.by}>", time=blocks.format_time(card.at))
    if card.forgotten:
        told = f"{told}\n{texts.FILED_FORGOTTEN}"
    elif card.ends:
        told = f"{told}\n{texts.FILED_ENDS.format(day=blocks.format_day(card.ends))}"
    if card.reopened or card.forgotten:
        return RenderedMessage(text=told, blocks=(blocks.build_context(told),))
    reopen = blocks.build_button(action_ids.REOPEN, texts.REOPEN, root)
    return blocks.render_sentence(told, blocks.build_actions(reopen))
