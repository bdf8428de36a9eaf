"""Answers of the owner, dispatched by the origin of the question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, TypeAlias

from app.core.conversation.conversation import Conversation, Message, Role, Transition
from app.core.conversation.transition import QUEUED, Trigger, combine, queue_emoji, queue_ephemeral
from app.core.copy import decision_steps, texts
from app.core.decisions import approval
from app.core.events import audit_entries
from app.core.events.acts import QuestionAnswered
from app.core.events.heard import MessagePosted
from app.core.goals import goals
from app.core.pending import answer_reading, asking
from app.core.state import lifecycle
from app.core.state.lifecycle import LifecycleEvent
from app.core.state.permission import find_choice
from app.core.state.question import Answered, Changed, Origin, Question, QuestionEvent, Unclear, UseButtons
from app.core.turns import permission_request, scheduled_run

Given: TypeAlias = Answered | Changed | Unclear | UseButtons
"""The meaning of a typed message for the open question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerHandler:
    """Handlers for the answers to one kind of question. Both may raise `IllegalEvent`."""

    click: Callable[[Conversation, QuestionAnswered, Answered, Trigger], Transition]
    """For a button or a form."""
    typed: Callable[[Conversation, MessagePosted, Given, Trigger], Transition | None]
    """For a typed message. Returns None if it is handled like any other, even if it answers the question."""


def on_question_answered(now: Conversation, event: QuestionAnswered, trigger: Trigger) -> Transition:
    """Apply an answer by button or form as if the owner had written it. Raises `IllegalEvent`."""
    question = now.question
    newest, spoken = max(now.newest, event.at), max(now.spoken, event.at)
    now = replace(now, newest=newest, spoken=spoken)  # a press is activity of the owner: the goal is not idle
    if question is None or question.card != event.card:
        return permission_request.forbid_late(now, trigger)
    return ANSWERS[question.origin].click(now, event, answer_reading.read_choice(question, event.value), trigger)


def decide_in_words(
    now: Conversation, event: MessagePosted, given: Given | None, trigger: Trigger
) -> Transition | None:
    """Apply a typed decision. Return None if the message is handled like any other."""
    if now.question is None or given is None:
        return None
    return ANSWERS[now.question.origin].typed(now, event, given, trigger)


def answer_in_words(made: Transition, given: Given | None, trigger: Trigger) -> Transition:
    """Close the open question if the message answers it. The message also gets a reply."""
    match given:
        case Answered():
            return combine(made, asking.answer(made.conversation, given, trigger, QuestionEvent.TYPED_ANSWER))
        case Changed(text):  # "yes, but …" is not a yes: its text is the answer
            words = Answered(text, None)
            return combine(made, asking.answer(made.conversation, words, trigger, QuestionEvent.TYPED_CHANGE))
        case _:
            return made


def format_typed(asked: Question, text: str) -> str:
    """Return what the card of this question shows for a typed answer; empty if the text is none."""
    given = answer_reading.understand(asked, text)
    words = Answered(given.text, None) if isinstance(given, Changed) else given
    return answer_reading.format_answer(asked, words) if isinstance(words, Answered) else ""


def begin_conversation(now: Conversation) -> Conversation:
    """Start a free thread with its first message, which also sets it up.

    The opening has already set up a step.
    """
    ready = lifecycle.move(now.lifecycle, LifecycleEvent.INITIALISED)
    return replace(now, lifecycle=lifecycle.move(ready, LifecycleEvent.MESSAGE_POSTED))


def mark_unanswered(now: Conversation, seq: int, cause: str) -> Conversation:
    """Mark this message as unanswered."""
    return replace(now, asked=(*now.asked, seq), asked_by=cause)


def queue_for_reply(now: Conversation, cause: str, ts: str) -> Conversation:
    """Mark the newest message as unanswered. If a turn is active, add an emoji to its Slack message."""
    after = mark_unanswered(now, now.head, cause)
    if now.turn is None or not ts:
        return after
    return queue_emoji(replace(after, queued=(*after.queued, ts)), cause, ts, QUEUED)


def _add_words(now: Conversation, event: QuestionAnswered, given: Answered) -> Transition:
    """Keep a pressed button or form input as a message of the owner."""
    assert now.question is not None, "what is answered was asked"
    # For an option, the text of the button. For free text all of it, which may not fit on the card.
    said = given.value if given.option is None else answer_reading.format_answer(now.question, given)
    row = Message(seq=now.head + 1, role=Role.PERSON, text=said, author=event.user)
    lead = replace(now.interview, has_content=True) if now.interview else None
    return Transition(conversation=replace(begin_conversation(now), head=row.seq, interview=lead), messages=(row,))


def _click_question(now: Conversation, event: QuestionAnswered, given: Answered, trigger: Trigger) -> Transition:
    made = _add_words(now, event, given)
    after = queue_for_reply(made.conversation, trigger.cause, "")
    made = combine(made, goals.follow_message(after, made.messages[0].text, trigger))
    return combine(made, asking.answer(made.conversation, given, trigger, QuestionEvent.CLICK))


def _type_answer(now: Conversation, event: MessagePosted, given: Given, trigger: Trigger) -> Transition | None:
    return None


def _click_draft(now: Conversation, event: QuestionAnswered, given: Answered, trigger: Trigger) -> Transition:
    if _is_yes(given):
        return approval.approve(now, trigger)
    return approval.ask_for_changes(now, event.user, trigger)


def _type_verdict(now: Conversation, event: MessagePosted, given: Given, trigger: Trigger) -> Transition | None:
    """Approve the draft, or continue with the wanted changes. A question about it is no verdict."""
    match given:
        case Answered() if _is_yes(given):
            return _approve_if_complete(now, event, trigger)
        case Answered() | Changed():
            return _take_back(now, event, trigger)
        case _:
            are_changes = approval.require_interview(now).is_change_pressed and not trigger.facts.signal
            return _take_back(now, event, trigger) if are_changes else None


def _take_back(now: Conversation, event: MessagePosted, trigger: Trigger) -> Transition:
    """Go on talking about the draft with the message, which says what should change."""
    made = approval.change(now, trigger)
    return combine(made, Transition(conversation=queue_for_reply(made.conversation, trigger.cause, event.ts)))


def _approve_if_complete(now: Conversation, event: MessagePosted, trigger: Trigger) -> Transition:
    """Approve, or tell the owner what is missing. The message is kept in either case."""
    missing = approval.describe_missing(now)
    if not missing:
        return approval.approve(now, trigger)
    words = decision_steps.APPROVE_FIRST.format(list=texts.escape(missing))
    told = queue_ephemeral(now, trigger.cause, event.user, words)
    return Transition(conversation=told, audit=(audit_entries.audit_refusal(now, event, "CRITERIA", trigger.cause),))


def _is_yes(given: Answered) -> bool:
    return given.option == 0


def _click_permission(now: Conversation, event: QuestionAnswered, given: Answered, trigger: Trigger) -> Transition:
    assert given.option is not None, "only a button answers whether something may be done"
    choice, is_for_all = find_choice(given.option)
    return permission_request.decide(now, choice, trigger.facts.held_reply, trigger, is_for_all=is_for_all)


def _type_instead(now: Conversation, event: MessagePosted, given: Given, trigger: Trigger) -> Transition | None:
    """Accept only buttons as permission. Any text except yes or no says what to do instead."""
    match given:
        case UseButtons():
            return Transition(conversation=queue_ephemeral(now, trigger.cause, event.user, texts.USE_BUTTONS))
        case Changed():
            made = permission_request.redirect(now, trigger.facts.held_reply, trigger)
            made = combine(made, goals.follow_message(made.conversation, event.text, trigger.after(made)))
            return combine(made, Transition(conversation=mark_unanswered(made.conversation, now.head, trigger.cause)))
        case _:
            return None


def _click_run(now: Conversation, event: QuestionAnswered, given: Answered, trigger: Trigger) -> Transition:
    return scheduled_run.decide(now, given, trigger, QuestionEvent.CLICK)


def _type_run(now: Conversation, event: MessagePosted, given: Given, trigger: Trigger) -> Transition | None:
    is_answer = isinstance(given, Answered)
    return scheduled_run.decide(now, given, trigger, QuestionEvent.TYPED_ANSWER) if is_answer else None


_QUESTION = AnswerHandler(click=_click_question, typed=_type_answer)
_OF_RUN = AnswerHandler(click=_click_run, typed=_type_run)

ANSWERS: Final[Mapping[Origin, AnswerHandler]] = MappingProxyType(
    {
        Origin.MODEL: _QUESTION,
        Origin.INTERRUPT: _QUESTION,
        Origin.EXTRACTION: AnswerHandler(click=_click_draft, typed=_type_verdict),
        Origin.PERMISSION: AnswerHandler(click=_click_permission, typed=_type_instead),
        Origin.AUTH: _OF_RUN,
        Origin.FAILURE: _OF_RUN,
    }
)
"""Handlers by the origin of the question."""
