"""What a refused event leaves behind: a line in the trail and, if it was a person's act, words and a lasting mark."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from app.core import confirming, deciding, options, texts, texts_interview, texts_plans, trail
from app.core.acts import Act
from app.core.cards import Card, PermissionCard, QuestionCard
from app.core.effects import Offer
from app.core.events import Event, MessagePosted, QuestionAnswered, StepRequested
from app.core.hearing import LOCKED
from app.core.model import Conversation, Step
from app.core.permissions import LABELS, Decision
from app.core.steps import marking, telling

TELLING: Mapping[str, str] = MappingProxyType(
    {
        "ARCHIVED": texts.ARCHIVED,
        "BAD_ANSWER": texts.BAD_ANSWER,
        "BAD_EDIT": texts_interview.BAD_EDIT,
        "BUSY": texts.BUSY,
        "CANNOT_REVISE": texts_interview.CANNOT_REVISE,
        "CRITERIA": texts_interview.APPROVE_FIRST,
        "ERASING": texts.ERASING,
        "NOT_ARCHIVED": texts.NOT_ARCHIVED,
        "NOT_CLOSABLE": texts_interview.CLOSE_FIRST,
        "NOT_COMPLETE": texts_interview.NOT_COMPLETE,
        "NOT_COMPONENT": texts_interview.NOT_COMPONENT,
        "NOT_CONFIRMED": texts_interview.NOT_CONFIRMED,
        "NOT_DECISION": texts_interview.NOT_DECISION,
        "NOT_OWNER": texts.NOT_OWNER,
        "NO_EXTRACTION": texts_interview.NO_EXTRACTION,
        "NO_QUESTION": texts.ALREADY_DONE,
        "NO_SCHEDULE": texts.NO_SCHEDULE,
        "NO_STREAM": texts.NO_STREAM,
        "PREREQUISITE": texts_interview.PREREQUISITE,
        "QUESTION_CLOSED": texts.ALREADY_DONE,
        "RATE_LIMITED": texts.RATE_LIMITED,
        "READ_ONLY": texts_interview.READ_ONLY,
        "RETIRED": texts_interview.RETIRED,
        "STALE_EDIT": texts_interview.STALE_EDIT,
        "STALE_PLAN": texts_plans.PLAN_REPLACED,
    }
)
"""What a person is told when their act is refused; of other codes people hear nothing."""

TOO_FAST, PUT_AWAY = "snail", "package"
"""Slack's names of 🐌 (over the limit) and 📦 (archived): marks that last, as words told privately do not."""

MARKS: Mapping[str, str] = MappingProxyType(
    {"ARCHIVED": PUT_AWAY, "NOT_OWNER": LOCKED, "RATE_LIMITED": TOO_FAST, "READ_ONLY": LOCKED}
)

OFFERS: Mapping[str, Offer] = MappingProxyType({"ARCHIVED": Offer.REOPEN, "READ_ONLY": Offer.REOPEN})


def refuse(before: Conversation, event: Event, code: str, cause: str) -> Step:
    """What an illegal event leaves behind."""
    after = before
    user = trail.actor_of(event)
    if user and code in TELLING:
        after = telling(after, cause, user, _words(before, event, code), OFFERS.get(code))
    if code in MARKS and isinstance(event, MessagePosted | Act) and event.is_written:
        after = marking(after, cause, event.ts, MARKS[code])
    return Step(conversation=after, audit=(trail.refusal(before, event, code, cause),))


def _words(before: Conversation, event: Event, code: str) -> str:
    """The sentence of a code. A question that is closed tells what was answered, if its card still shows it."""
    if isinstance(event, QuestionAnswered) and event.target and code in ("NO_QUESTION", "QUESTION_CLOSED"):
        answer = " ".join(_answer(event.target.card).split())
        if answer:
            return texts.ALREADY_ANSWERED.format(answer=texts.escape(options.shortened(answer)))
    wait = texts.wait(event.wait) if isinstance(event, MessagePosted) else ""
    return TELLING[code].format(owner=f"<@{before.owner}>", wait=wait, **_of_decision(before, event))


def _answer(card: Card | None) -> str:
    """What a card shows as the answer to what it asks; empty if it shows none."""
    match card:
        case QuestionCard():
            return card.answer
        case PermissionCard(decision=Decision() as decision):
            return dict(LABELS)[decision]
        case _:
            return ""


def _of_decision(before: Conversation, event: Event) -> dict[str, str]:
    """What the sentences about steps name: what is still needed, and which step."""
    needed = confirming.missing(before) if before.interview else ""
    step = ""
    if before.decision:
        is_start = isinstance(event, StepRequested)
        step = deciding.prerequisite(before.decision, event.component) if is_start else ""
        step = step or deciding.closing_step(before.decision)
    return {"list": texts.escape(needed) or texts_interview.A_RESULT, "step": texts.escape(step)}
