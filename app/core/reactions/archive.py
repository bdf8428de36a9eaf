"""A conversation put away and taken up again (T1, C-04, C-33), and what is told of it to whoever asks."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from app.core.conversation.card import FiledCard
from app.core.conversation.conversation import Conversation, Message, Step
from app.core.conversation.effect import Erase, Offer, OpenStep
from app.core.conversation.news import DecisionErased, StepOn
from app.core.conversation.transition import (
    Trigger,
    closing,
    effect_id,
    joined,
    posting,
    telling,
    unmarked,
    with_effect,
)
from app.core.copy import decision_steps, texts
from app.core.decisions import approval, hub, interviewing, revision
from app.core.events.acts import (
    ArchiveConfirmed,
    ArchiveRequested,
    EraseConfirmed,
    EraseRequested,
    ReopenRequested,
    ScheduleCancelled,
    WordAsked,
)
from app.core.events.heard import NewsHeard
from app.core.goals import goals
from app.core.pending import recurrence, scheduling
from app.core.state import status
from app.core.state.interview import Phase
from app.core.state.lifecycle import Lifecycle
from app.core.state.status import ARCHIVING_WARNS, Status, StatusOn
from app.core.turns import scheduled_run
from app.core.turns.turns import closed


def erasing_warned(now: Conversation, event: EraseRequested, trigger: Trigger) -> Step:
    """Ask back before everything is forgotten."""
    return Step(conversation=telling(now, trigger.cause, event.user, texts.ERASE_OFFER, Offer.ERASE))


def archiving_warned(now: Conversation, event: ArchiveRequested, trigger: Trigger) -> Step:
    """Say what would stop, and let the owner press a button."""
    return Step(conversation=telling(now, trigger.cause, event.user, warning(now), Offer.ARCHIVE))


def on_archive_requested(before: Conversation, event: ArchiveRequested, trigger: Trigger) -> Step:
    """Put the conversation away, or warn its owner first if something would stop."""
    return (archived if is_at_once(before) else archiving_warned)(before, event, trigger)


def is_at_once(now: Conversation) -> bool:
    """True if nothing is lost by archiving, so that nobody has to be asked."""
    return now.status not in ARCHIVING_WARNS


def warning(now: Conversation) -> str:
    """What archiving would stop."""
    stops: list[str] = []
    if now.schedule:
        stops.append(texts.STOPS_SCHEDULE.format(schedule=recurrence.describe(now.schedule)))
    if now.question:
        stops.append(texts.CANCELS_QUESTION)
    return texts.ARCHIVE_WARNING.format(stops=" and ".join(stops))


def archived(now: Conversation, event: ArchiveConfirmed | ArchiveRequested, trigger: Trigger) -> Step:
    """Abort what runs, cancel the question, clear the schedule, then archive: in this order (C-33)."""
    if now.status is Status.ARCHIVED:
        return Step(conversation=telling(now, trigger.cause, event.user, texts.ALREADY_ARCHIVED))
    made = _at_rest(now, event.partial, trigger)
    made = joined(made, goals.left(made.conversation, event.at, trigger.cause))
    moved = status.moved(made.conversation.status, StatusOn.ARCHIVE_CONFIRMED)
    after = replace(made.conversation, status=moved, ends=event.ends)
    ends = f"{datetime.fromisoformat(event.ends).timestamp():.6f}" if event.ends else ""
    is_silent = isinstance(event, ArchiveConfirmed) and bool(event.silent)
    return joined(made, posting(after, trigger, FiledCard(by=event.user, at=event.at, silent=is_silent, ends=ends)))


def erased(now: Conversation, event: EraseConfirmed, trigger: Trigger) -> Step:
    """Forget it for good. Its cards are closed first: nobody would hear their buttons any more."""
    made = _at_rest(now, event.partial, trigger)
    begun = tuple(effect for effect in made.conversation.effects if not isinstance(effect, OpenStep))
    after = hub.telling_steps(replace(made.conversation, effects=begun), DecisionErased(), trigger.cause)
    if after.interview:
        after = approval.telling_decision(after, trigger.cause, StepOn.ERASED)
    return replace(made, conversation=with_effect(after, Erase(id=effect_id(after, trigger.cause), user=event.user)))


def erased_with_decision(now: Conversation, event: NewsHeard, trigger: Trigger) -> Step:
    """Forget a step whose decision is forgotten."""
    made = _at_rest(now, event.partial, trigger)
    after = made.conversation
    return replace(made, conversation=with_effect(after, Erase(id=effect_id(after, trigger.cause), user=now.owner)))


def _at_rest(now: Conversation, partial: Message | None, trigger: Trigger) -> Step:
    """Abort what runs, forget what was asked, cancel the question, clear the schedule."""
    made = closed(now, partial, trigger) if now.turn else Step(conversation=now)
    quiet = unmarked(replace(made.conversation, asked=()), trigger.cause, *now.queued)
    made = interviewing.broken_off(replace(made, conversation=quiet), trigger)
    made = joined(made, approval.withdrawn(made.conversation, trigger))
    if now.schedule:
        made = joined(made, scheduling.cancel(made.conversation, trigger.after(made)))
    return made


def reopened(now: Conversation, event: ReopenRequested, trigger: Trigger) -> Step:
    """Take it up again as it was, without schedule and question; of a finished step, discuss it once more (C-04).

    A draft that waited for approval is asked for again. Where both apply, the owner is asked about the step. Raises
    `IllegalEvent` if it is open.
    """
    card = FiledCard(by=event.user, at=event.at, reopened=True)
    if now.status is not Status.ARCHIVED and now.interview:
        return revision.reopened(now, event.drafted, trigger)
    after = replace(now, status=status.moved(now.status, StatusOn.UNARCHIVED), ends="")
    filed = next((row.seq for row in event.cards if isinstance(row.card, FiledCard)), None)
    made = posting(after, trigger, card, changes=False) if filed is None else closing(after, trigger, filed, card)
    if now.lifecycle is Lifecycle.CONFIRMED:
        return joined(made, approval.asked(made.conversation, trigger))
    if now.lifecycle is Lifecycle.COMPLETE:
        told = telling(made.conversation, trigger.cause, event.user, decision_steps.REOPEN_STEP_TOO, Offer.REOPEN)
        return joined(made, Step(conversation=told))
    return made


def schedule_cancelled(now: Conversation, event: ScheduleCancelled, trigger: Trigger) -> Step:
    """What was planned is done no more, and a run of it that is under way ends where it is (T1)."""
    made = closed(now, event.partial, trigger) if scheduling.is_running(now) else Step(conversation=now)
    return joined(made, scheduled_run.cancelled(made.conversation, trigger))


def told(now: Conversation, event: WordAsked, trigger: Trigger) -> Step:
    """How it stands, or what can be done: for the one who asked alone."""
    text = texts.HELP if event.word == "help" else standing(now, event.at)
    return Step(conversation=telling(now, trigger.cause, event.user, text))


def standing(now: Conversation, at: str) -> str:
    """How a conversation stands, in a few lines."""
    lines = [texts.STATUS_NAMES[now.status]]
    if now.question:
        lines.append(texts.OPEN_QUESTION.format(prompt=texts.escape(now.question.prompt)))
    if now.schedule:
        lines.append(scheduling.told(now, at))
    about = _of_step(now) if now.interview else "" if now.decision else goals.summary_of(now)
    return "\n".join([*lines, *(("", texts.escape(about)) if about else ())])


def _of_step(now: Conversation) -> str:
    """How far a step is: its phase, or that it is finished."""
    lead = approval.interview_of(now)
    if now.lifecycle is Lifecycle.COMPLETE:
        return decision_steps.STEP_FINISHED.format(title=lead.prepared.title, version=now.approved)
    phase = decision_steps.PHASE_NAMES[now.phase or Phase.INTRO]
    return decision_steps.STEP_AT.format(title=lead.prepared.title, phase=phase)
