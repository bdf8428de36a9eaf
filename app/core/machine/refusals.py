"""Refusals: an audit entry for each refused event and, for a person's act, a message and a lasting emoji."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from app.core.conversation.card import Card, PermissionCard, QuestionCard
from app.core.conversation.conversation import Conversation, Transition
from app.core.conversation.effect import Offer, PostEphemeral
from app.core.conversation.facts import NO_FACTS, Facts
from app.core.conversation.transition import add_effect, queue_emoji
from app.core.copy import decision_steps, texts
from app.core.decisions import approval, hub
from app.core.events import audit_entries
from app.core.events.acts import Act, StepRequested
from app.core.events.heard import Event, MessagePosted
from app.core.reactions import undelivered
from app.core.reactions.messages import LOCKED
from app.core.state.permission import LABELS, PermissionChoice, list_options
from app.core.state.question import Origin
from app.core.text import labels

TELLING: Mapping[str, str] = MappingProxyType(
    {
        "ARCHIVED": texts.ARCHIVED,
        "ARCHIVED_FOR_OTHERS": texts.ARCHIVED_FOR_OTHERS,
        "BAD_ANSWER": texts.BAD_ANSWER,
        "BAD_EDIT": decision_steps.BAD_EDIT,
        "BUSY": texts.BUSY,
        "CANNOT_REVISE": decision_steps.CANNOT_REVISE,
        "CRITERIA": decision_steps.APPROVE_FIRST,
        "DECISION_CLOSED": decision_steps.DISCUSS_IN_CLOSED,
        "ERASING": texts.ERASING,
        "NOT_ARCHIVED": texts.NOT_ARCHIVED,
        "NOT_CLOSABLE": decision_steps.CLOSE_FIRST,
        "NOT_COMPLETE": decision_steps.NOT_COMPLETE,
        "NOT_COMPONENT": decision_steps.NOT_COMPONENT,
        "NOT_CONFIRMED": decision_steps.NOT_CONFIRMED,
        "NOT_DECISION": decision_steps.NOT_DECISION,
        "NOT_OWNER": texts.NOT_OWNER,
        "NO_EXTRACTION": decision_steps.NO_EXTRACTION,
        "NO_QUESTION": texts.ALREADY_DONE,
        "NO_SCHEDULE": texts.NO_SCHEDULE,
        "NO_STREAM": texts.NO_STREAM,
        "PREREQUISITE": decision_steps.PREREQUISITE,
        "QUESTION_CLOSED": texts.ALREADY_DONE,
        "RATE_LIMITED": texts.RATE_LIMITED,
        "READ_ONLY": decision_steps.READ_ONLY,
        "READ_ONLY_FOR_OTHERS": decision_steps.READ_ONLY_FOR_OTHERS,
        "RETIRED": decision_steps.RETIRED,
        "STALE_EDIT": decision_steps.STALE_EDIT,
        "STALE_PLAN": texts.PLAN_REPLACED,
        "TAKEN_BACK": texts.TAKEN_BACK,
    }
)
"""The message to a person whose act is refused. Other codes send none."""

TELLING_WRITERS: Mapping[str, str] = MappingProxyType(
    {"DECISION_CLOSED": decision_steps.NOT_KEPT_IN_CLOSED, "READ_ONLY": decision_steps.NOT_KEPT}
)
"""The message to the author of a refused message in place of that: what they wrote is not kept."""

TOO_FAST, PUT_AWAY = "snail", "package"
"""Slack's names of 🐌 (over the limit) and 📦 (archived). An emoji lasts; an ephemeral message does not."""

MARKS: Mapping[str, str] = MappingProxyType(
    {
        "ARCHIVED": PUT_AWAY,
        "ARCHIVED_FOR_OTHERS": PUT_AWAY,
        "DECISION_CLOSED": LOCKED,
        "NOT_OWNER": LOCKED,
        "RATE_LIMITED": TOO_FAST,
        "READ_ONLY": LOCKED,
        "READ_ONLY_FOR_OTHERS": LOCKED,
    }
)

OFFERS: Mapping[str, Offer] = MappingProxyType({"ARCHIVED": Offer.REOPEN, "READ_ONLY": Offer.DISCUSS})


def refuse(before: Conversation, event: Event, code: str, cause: str, facts: Facts = NO_FACTS) -> Transition:
    """Build the transition of a refused event. What its owner is owed there is attempted again all the same."""
    after = undelivered.retry(before, event, cause)
    user = audit_entries.find_actor(event)
    if user and code in TELLING:
        offer = OFFERS.get(code)
        told = PostEphemeral(
            user=user,
            text=_describe_refusal(before, event, code, facts),
            offer=offer,
            # A refused message is not kept. The button that goes on with it reads it again.
            about=event.ts if offer and isinstance(event, MessagePosted) else "",
            place=event.pressed_in if isinstance(event, StepRequested) else "",
        )
        after = add_effect(after, cause, told)
    if code in MARKS and isinstance(event, MessagePosted | Act) and event.is_written:
        after = queue_emoji(after, cause, event.ts, MARKS[code])
    return Transition(conversation=after, audit=(audit_entries.audit_refusal(before, event, code, cause),))


def _describe_refusal(before: Conversation, event: Event, code: str, facts: Facts) -> str:
    """Return the sentence for a code. For a closed question it quotes the answer, if the card still shows it."""
    if facts.pressed_card and code in ("NO_QUESTION", "QUESTION_CLOSED"):
        answer = " ".join(_read_answer(facts.pressed_card.card).split())
        if answer:
            return texts.ALREADY_ANSWERED.format(answer=texts.escape(labels.shorten(answer)))
    if code == "NO_STREAM":
        return " ".join((texts.NO_STREAM, *_list_standing(before)))
    wait = texts.format_wait(facts.retry_after)
    told = TELLING_WRITERS.get(code) if isinstance(event, MessagePosted) else None
    return (told or TELLING[code]).format(owner=f"<@{before.owner}>", wait=wait, **_list_step_names(before, event))


def _list_standing(before: Conversation) -> list[str]:
    """List what *Stop* leaves as it is although its owner may mean it, with what ends it."""
    asked = before.question
    is_withdrawable = asked is not None and asked.origin is not Origin.EXTRACTION
    question = [texts.QUESTION_STANDS] if is_withdrawable else []
    return [*question, texts.PLAN_STANDS] if before.schedule and not before.paused else question


def _read_answer(card: Card | None) -> str:
    """Return the answer that a card shows; empty if it shows none."""
    match card:
        case QuestionCard():
            return card.answer
        case PermissionCard(all_allowed=True, together=together):
            return list_options(len(together))[-1]
        case PermissionCard(decision=PermissionChoice() as decision):
            return dict(LABELS)[decision]
        case _:
            return ""


def _list_step_names(before: Conversation, event: Event) -> dict[str, str]:
    """Return the values for the sentences about steps: the missing parts, and the step's name."""
    needed = approval.describe_missing(before) if before.interview else ""
    step = ""
    if before.decision:
        is_start = isinstance(event, StepRequested)
        step = hub.find_prerequisite(before.decision, event.component) if is_start else ""
        step = step or hub.find_closing_step(before.decision)
    return {"list": texts.escape(needed) or decision_steps.A_RESULT, "step": texts.escape(step)}
