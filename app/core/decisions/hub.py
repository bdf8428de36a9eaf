"""The decision as a whole: its steps are started in order, followed and flagged; then it is closed.

Its thread is the hub, where no interview takes place. Notices to and from steps go through inboxes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

from app.core.conversation.audit import AuditEvent, AuditType
from app.core.conversation.card import HubCard
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Transition
from app.core.conversation.effect import Offer, OpenStep, PostEphemeral, SendNotice, UpdateStepHead
from app.core.conversation.news import (
    NameChange,
    News,
    NextStepMove,
    OwnerChange,
    StepEvent,
    StepMove,
    UpstreamChange,
)
from app.core.conversation.transition import (
    Trigger,
    add_effect,
    combine,
    queue_card_update,
    queue_ephemeral,
    queue_note_card,
)
from app.core.copy import decision_steps
from app.core.errors import IllegalEvent
from app.core.events.acts import DecisionClosed, OwnershipTransferred, StepRequested
from app.core.events.heard import DecisionStarted
from app.core.state import decision, lifecycle
from app.core.state.decision import ComponentEvent, ComponentStatus, Decision, DecisionStep, move
from app.core.state.lifecycle import LifecycleEvent
from app.core.state.status import Kind
from app.core.text import labels
from app.core.thread import ThreadKey

HUB = 1
"""The `seq` of the decision's first message."""

MOVES = {
    StepEvent.STARTED: ComponentEvent.STARTED,
    StepEvent.APPROVED: ComponentEvent.APPROVED,
    StepEvent.REOPENED: ComponentEvent.REOPENED,
    StepEvent.CLOSED: ComponentEvent.CLOSED_WITH_VERSION,
}
"""The status event for each notice of a step. Other notices change no status."""


def require_decision(now: Conversation) -> Decision:
    """Return the decision of its thread. Raises `IllegalEvent` NOT_DECISION in any other thread."""
    if now.decision is None:
        raise IllegalEvent("NOT_DECISION")
    return now.decision


def on_decision_started(now: Conversation, event: DecisionStarted, trigger: Trigger) -> Transition:
    """Store the posted hub as the first message, and start the first step."""
    decision = Decision(question=event.question, steps=event.steps, example=event.example)
    card = HubCard(decision=decision, owner=now.owner)
    row = Message(seq=HUB, role=Role.CARD, text="", status=MessageStatus.OPEN, card=card, parts=(now.thread.root,))
    ready = lifecycle.move(now.lifecycle, LifecycleEvent.INITIALISED)
    begun = replace(
        now,
        kind=Kind.DECISION,
        lifecycle=lifecycle.move(ready, LifecycleEvent.MESSAGE_POSTED),
        decision=decision,
        title=labels.shorten(event.question),
        head=row.seq,
        cards=(row.seq,),
        newest=event.at,
    )
    opens = OpenStep(component=event.steps[0].key, mode=event.mode, material=event.material)
    made = Transition(conversation=add_effect(begun, trigger.cause, opens), messages=(row,))
    return combine(made, _update_hub(made.conversation, decision, trigger.after(made)))


def on_step_requested(now: Conversation, event: StepRequested, trigger: Trigger) -> Transition:
    """Start a step at the owner's request. The step that it needs must have begun. Raises `IllegalEvent`.

    In a closed decision none is started: a button of an older screen or thread says so.
    """
    decision = require_decision(now)
    step = decision.step(event.component)
    if step is None:
        raise IllegalEvent("ILLEGAL")
    if decision.closed and not step.thread:
        return _tell(now, event, trigger, decision_steps.START_IN_CLOSED)
    is_open = decision.can_begin(step)
    move(step.status, ComponentEvent.STARTED if is_open else ComponentEvent.STARTED_WITHOUT_PREREQUISITE)
    if step.thread:
        return _tell(now, event, trigger, decision_steps.STEP_BEGUN.format(step=step.title), step.thread)
    if is_opening(now, step.key):
        return _tell(now, event, trigger, decision_steps.STEP_IS_OPENING.format(step=step.title))
    return Transition(conversation=add_effect(now, trigger.cause, OpenStep(component=step.key)))


def _tell(
    now: Conversation, event: StepRequested, trigger: Trigger, words: str, begun: ThreadKey | None = None
) -> Transition:
    """Tell this to the person who pressed, where they did, with a button to the thread of a step that has begun."""
    told = PostEphemeral(
        user=event.user,
        text=words,
        offer=Offer.OPEN_STEP if begun else None,
        about=begun.root if begun else "",
        place=event.pressed_in,
    )
    return Transition(conversation=add_effect(now, trigger.cause, told))


def is_opening(now: Conversation, key: str) -> bool:
    """Return True if the thread of this step is about to be opened."""
    return any(isinstance(each, OpenStep) and each.component == key for each in now.effects)


def find_prerequisite(decision: Decision, key: str) -> str:
    """Return the title of the step that must begin before this one; empty if there is none."""
    step = decision.step(key)
    needed = decision.step(step.after) if step else None
    return needed.title if needed else ""


def on_step_move(now: Conversation, move: StepMove, trigger: Trigger) -> Transition:
    """Follow the progress of a step, and notify the steps that build on its new version. Raises `IllegalEvent`."""
    decision = require_decision(now)
    step = decision.step(move.component)
    if step is None:
        raise IllegalEvent("ILLEGAL")
    if _is_old(step, move):
        raise IllegalEvent("STALE_RUN")
    after = _move_step(step, move)
    made = Transition(conversation=now, audit=_audit_moves(step, after, trigger.cause))
    decision = decision.replace_step(after)
    if after.deadline != step.deadline:
        decision = replace(decision, deadline=after.deadline)
    # The decision was transferred while the step was being opened.
    if move.owner not in ("", now.owner):
        told = _queue_notice(made.conversation, move.thread, OwnerChange(owner=now.owner), trigger.cause)
        made = replace(made, conversation=_update_heads(told, (after,), trigger.cause))
    if move.on is StepEvent.ERASED:
        made, decision = _forget_versions(made, decision, after, trigger)
    if move.on is StepEvent.APPROVED:
        made, decision = _flag_outdated(made, decision, [(key, after) for key in after.concerns], trigger)
        made = _start_next(made, decision, after, trigger)
    if move.on in (StepEvent.APPROVED, StepEvent.CLOSED):  # an earlier step may have changed meanwhile
        ground = [(after.key, each) for each in decision.steps if after.key in each.concerns]
        made, decision = _flag_outdated(made, decision, ground, trigger)
        made = _tell_first(made, decision, trigger)
    told = _tell_step_before(made.conversation, decision, after, move.on, trigger.cause)
    made = replace(made, conversation=_follow_name(told, require_decision(now).name, decision, trigger.cause))
    return combine(made, _update_hub(made.conversation, decision, trigger))


def on_ownership_transferred(now: Conversation, event: OwnershipTransferred, trigger: Trigger) -> Transition:
    """Transfer the decision and each of its steps to another owner."""
    decision = require_decision(now)
    given = replace(now, owner=event.to, owner_name="", zone="")
    after = queue_step_notices(given, decision, OwnerChange(owner=event.to), trigger.cause)
    made = _update_hub(_update_heads(after, decision.steps, trigger.cause), decision, trigger)
    words = decision_steps.HANDED_OVER_BY_OPERATOR if event.by_operator else decision_steps.HANDED_OVER
    return combine(made, queue_note_card(made.conversation, trigger, words.format(person=f"<@{event.to}>")))


def on_decision_closed(now: Conversation, event: DecisionClosed, trigger: Trigger) -> Transition:
    """Close the decision, or reopen it. Raises `IllegalEvent` NOT_CLOSABLE."""
    decision = require_decision(now)
    if not event.reopened and not decision.can_close:
        raise IllegalEvent("NOT_CLOSABLE")
    if decision.closed is not event.reopened:
        words = decision_steps.OPEN_ALREADY if event.reopened else decision_steps.CLOSED_ALREADY
        return Transition(conversation=queue_ephemeral(now, trigger.cause, event.user, words))
    made = _update_hub(now, replace(decision, closed=not event.reopened), trigger)
    words = decision_steps.DECISION_REOPENED if event.reopened else decision_steps.DECISION_CLOSED
    return combine(made, queue_note_card(made.conversation, trigger, words))


def find_closing_step(decision: Decision) -> str:
    """Return the title of the step that must be approved before the decision can be closed."""
    return next((step.title for step in decision.steps if step.closes), "")


def queue_step_notices(now: Conversation, decision: Decision, news: News, cause: str) -> Conversation:
    """Notify every step of the decision that has begun."""
    for thread in decision.threads:
        now = _queue_notice(now, thread, news, cause)
    return now


def _is_old(step: DecisionStep, move: StepMove) -> bool:
    """Return True if the notice was already applied or is not from the step's current thread.

    The step may have been erased, or may not have begun.
    """
    if step.thread != (None if move.on is StepEvent.STARTED else move.thread):
        return True
    return move.on is StepEvent.APPROVED and move.version <= step.version


def _move_step(step: DecisionStep, move: StepMove) -> DecisionStep:
    step = replace(step, handles=_take_highest(step.handles, move.handles))
    if move.on is StepEvent.ERASED:
        return replace(
            step,
            status=decision.INITIAL,
            thread=None,
            version=0,
            based_on={},
            gist="",
            deadline="",
            question="",
            waits=False,
            lacks=False,
            shown="",
            erased=step.erased + 1,
        )
    if move.on is StepEvent.SHOWN:
        return replace(step, shown=move.ts)
    known = replace(step, thread=move.thread, waits=move.on is StepEvent.WAITS, lacks=move.lacks)
    if move.on not in MOVES:
        return known
    status = decision.move(step.status, MOVES[move.on])
    if move.on is StepEvent.APPROVED:
        return replace(
            known,
            status=status,
            version=move.version,
            based_on=move.based_on,
            gist=move.gist,
            deadline=move.deadline,
            question=move.question,
        )
    return replace(known, status=status, based_on=move.based_on or step.based_on, gist=move.gist or step.gist)


def _take_highest(one: Mapping[str, int], other: Mapping[str, int]) -> Mapping[str, int]:
    return {letter: max(one.get(letter, 0), other.get(letter, 0)) for letter in {**one, **other}}


def _flag_outdated(
    made: Transition, decision: Decision, pairs: Iterable[tuple[str, DecisionStep]], trigger: Trigger
) -> tuple[Transition, Decision]:
    """Flag and notify each step that builds on an older version of the changed one.

    `pairs` holds the key of a step and the changed step that it builds on.
    """
    now, audit = made.conversation, made.audit
    for key, changed in pairs:
        step = decision.step(key)
        if step is None or step.thread is None or step.based_on.get(changed.key, 0) >= changed.version:
            continue
        after = replace(step, status=move(step.status, ComponentEvent.UPSTREAM_CHANGED))
        audit = (*audit, *_audit_moves(step, after, trigger.cause))
        decision = decision.replace_step(after)
        now = _queue_notice(now, step.thread, _build_news(changed, step, decision, quiet=True), trigger.cause)
    return replace(made, conversation=now, audit=audit), decision


def _tell_first(made: Transition, decision: Decision, trigger: Trigger) -> Transition:
    """Have the first of the outdated steps tell its owner, so that one change leads to one message.

    The others follow one by one, each when the one before it is settled.
    """
    outdated = (step for step in decision.steps if step.status is ComponentStatus.NEEDS_REVISION)
    waiting = [(step, step.thread) for step in outdated if step.thread]
    if not waiting:
        return made
    (first, thread), *others = waiting
    now, later = made.conversation, tuple(step.title for step, _ in others)
    for changed in decision.list_newer(first):
        now = _queue_notice(now, thread, _build_news(changed, first, decision, later=later), trigger.cause)
    return replace(made, conversation=now)


def _build_news(
    changed: DecisionStep, step: DecisionStep, decision: Decision, *, quiet: bool = False, later: tuple[str, ...] = ()
) -> UpstreamChange:
    return UpstreamChange(
        component=changed.key,
        title=changed.title,
        version=changed.version,
        quiet=quiet,
        later=later,
        causes=tuple(f"{each.title} v{each.version}" for each in decision.list_newer(step)),
    )


def _tell_step_before(
    now: Conversation, decision: Decision, after: DecisionStep, on: StepEvent, cause: str
) -> Conversation:
    """Have the card below a step that offers to start the next one lead to it, or offer it again."""
    for before, next_ in pairwise(decision.steps):
        is_offered_late = on is StepEvent.APPROVED and before.key == after.key and next_.thread is not None
        has_moved = on in (StepEvent.STARTED, StepEvent.ERASED) and next_.key == after.key
        if before.thread and not decision.example and (is_offered_late or has_moved):
            now = _queue_notice(now, before.thread, NextStepMove(component=next_.key, thread=next_.thread), cause)
    return now


def _forget_versions(
    made: Transition, decision: Decision, erased: DecisionStep, trigger: Trigger
) -> tuple[Transition, Decision]:
    """Remove an erased step from the versions that others build on.

    Its version numbers start again, so its next first version must count as newer.
    """
    now = made.conversation
    for step in decision.steps:
        kept = {key: version for key, version in step.based_on.items() if key != erased.key}
        decision = decision.replace_step(replace(step, based_on=kept))
        if step.thread and step.key in erased.concerns:
            news = UpstreamChange(component=erased.key, title=erased.title, version=0)
            now = _queue_notice(now, step.thread, news, trigger.cause)
    return replace(made, conversation=now), decision


def _start_next(made: Transition, decision: Decision, approved: DecisionStep, trigger: Trigger) -> Transition:
    """Start the next step of the worked example, so that nobody has to click through it."""
    waiting = [step for step in decision.steps if step.thread is None]
    if not decision.example or approved.version > 1 or not waiting:
        return made
    opens = OpenStep(component=waiting[0].key)
    return replace(made, conversation=add_effect(made.conversation, trigger.cause, opens))


def _update_hub(now: Conversation, decision: Decision, trigger: Trigger) -> Transition:
    after = replace(now, decision=decision)
    return queue_card_update(after, trigger, HUB, HubCard(decision=decision, owner=now.owner))


def _follow_name(now: Conversation, before: str, decision: Decision, cause: str) -> Conversation:
    """Have the threads of all steps called by the decision's name, if it is another one than before."""
    if decision.name == before:
        return now
    told = queue_step_notices(now, decision, NameChange(name=decision.name), cause)
    return _update_heads(told, decision.steps, cause)


def _update_heads(now: Conversation, steps: Iterable[DecisionStep], cause: str) -> Conversation:
    """Have the first message of each step's thread name the decision and its owner as they are."""
    for step in steps:
        if step.thread:
            now = add_effect(now, cause, UpdateStepHead(component=step.key))
    return now


def _queue_notice(now: Conversation, thread: ThreadKey, news: News, cause: str) -> Conversation:
    return add_effect(now, cause, SendNotice(thread=thread, news=news))


def _audit_moves(before: DecisionStep, after: DecisionStep, cause: str) -> tuple[AuditEvent, ...]:
    if before.status is after.status:
        return ()
    moved = AuditEvent(
        type=AuditType.COMPONENT_TRANSITION,
        reason=after.key,
        before=before.status.value,
        after=after.status.value,
        correlation=cause,
    )
    return (moved,)
