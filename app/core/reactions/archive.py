"""Archiving, reopening and erasing of a conversation, and its status for the owner."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from app.core.conversation.card import FiledCard
from app.core.conversation.conversation import Conversation, Message, Role, Transition
from app.core.conversation.effect import Erase, Offer, OpenStep
from app.core.conversation.news import DecisionErased, StepEvent
from app.core.conversation.shared_file import keep_files, take_up_files
from app.core.conversation.transition import (
    Trigger,
    add_effect,
    clear_emoji,
    combine,
    queue_card,
    queue_card_close,
    queue_ephemeral,
)
from app.core.copy import decision_steps, texts
from app.core.decisions import approval, hub, interview_turns, revision
from app.core.events.acts import (
    ArchiveConfirmed,
    ArchiveRequested,
    EraseConfirmed,
    EraseRequested,
    HelpRequested,
    ReopenRequested,
    ScheduleCancelled,
)
from app.core.events.heard import NoticeReceived
from app.core.goals import goals
from app.core.pending import recurrence, scheduling
from app.core.reactions import answers
from app.core.state import status
from app.core.state.interview import Phase, SourceMessage
from app.core.state.lifecycle import Lifecycle
from app.core.state.status import ARCHIVING_WARNS, Status, StatusEvent
from app.core.turns import permission_request, scheduled_run
from app.core.turns.turns import close_quietly


def on_erase_requested(now: Conversation, event: EraseRequested, trigger: Trigger) -> Transition:
    """Ask for confirmation before everything is erased."""
    return Transition(conversation=queue_ephemeral(now, trigger.cause, event.user, texts.ERASE_OFFER, Offer.ERASE))


def warn_before_archiving(now: Conversation, event: ArchiveRequested, trigger: Trigger) -> Transition:
    """Tell the owner what archiving would stop, with a button to confirm it."""
    return Transition(
        conversation=queue_ephemeral(now, trigger.cause, event.user, build_archive_warning(now), Offer.ARCHIVE)
    )


def on_archive_requested(before: Conversation, event: ArchiveRequested, trigger: Trigger) -> Transition:
    """Archive the conversation, or warn its owner first if something would stop."""
    return (on_archive_confirmed if can_archive_at_once(before) else warn_before_archiving)(before, event, trigger)


def can_archive_at_once(now: Conversation) -> bool:
    """Return True if archiving loses nothing, so that it needs no confirmation."""
    return now.status not in ARCHIVING_WARNS and not goals.is_at_work(now)


def build_archive_warning(now: Conversation) -> str:
    """Describe what archiving would stop."""
    stops: list[str] = []
    if now.schedule:
        stops.append(texts.STOPS_SCHEDULE.format(schedule=recurrence.describe(now.schedule, zone=True)))
    if now.question:
        stops.append(texts.CANCELS_QUESTION)
    if goals.is_at_work(now):
        stops.append(texts.LEAVES_WORK)
    return texts.ARCHIVE_WARNING.format(stops=" and ".join(stops))


def on_archive_confirmed(now: Conversation, event: ArchiveConfirmed | ArchiveRequested, trigger: Trigger) -> Transition:
    """Abort the turn, cancel the question, clear the schedule, then archive, in this order. The goal stays as it is."""
    if now.status is Status.ARCHIVED:
        return Transition(conversation=queue_ephemeral(now, trigger.cause, event.user, texts.ALREADY_ARCHIVED))
    made = _stop_all(now, trigger)
    moved = status.move(made.conversation.status, StatusEvent.ARCHIVE_CONFIRMED)
    erased_at = trigger.facts.erased_at
    after = replace(made.conversation, status=moved, ends=erased_at)
    ends = f"{datetime.fromisoformat(erased_at).timestamp():.6f}" if erased_at else ""
    is_silent = isinstance(event, ArchiveConfirmed) and bool(event.silent)
    return combine(made, queue_card(after, trigger, FiledCard(by=event.user, at=event.at, silent=is_silent, ends=ends)))


def on_erase_confirmed(now: Conversation, event: EraseConfirmed, trigger: Trigger) -> Transition:
    """Erase the conversation. Its cards are closed first, because their buttons would no longer work."""
    made = _close_all(now, trigger)
    begun = tuple(effect for effect in made.conversation.effects if not isinstance(effect, OpenStep))
    after = replace(made.conversation, effects=begun)
    if now.decision:
        after = hub.queue_step_notices(after, now.decision, DecisionErased(), trigger.cause)
    made = replace(made, conversation=after)
    made = approval.tell_decision(made, trigger.cause, StepEvent.ERASED) if now.interview else made
    return replace(made, conversation=add_effect(made.conversation, trigger.cause, Erase(user=event.user)))


def on_decision_erased(now: Conversation, event: NoticeReceived, trigger: Trigger) -> Transition:
    """Erase a step whose decision is erased."""
    made = _close_all(now, trigger)
    return replace(made, conversation=add_effect(made.conversation, trigger.cause, Erase(user=now.owner)))


def _close_all(now: Conversation, trigger: Trigger) -> Transition:
    made = _stop_all(now, trigger)
    filed = next((row for row in trigger.facts.open_cards if isinstance(row.card, FiledCard)), None)
    if filed is None or not isinstance(filed.card, FiledCard):
        return made
    return combine(made, queue_card_close(made.conversation, trigger, filed.seq, replace(filed.card, forgotten=True)))


def _stop_all(now: Conversation, trigger: Trigger) -> Transition:
    made = close_quietly(now, trigger.facts.closed_reply, trigger) if now.turn else Transition(conversation=now)
    quiet = clear_emoji(replace(made.conversation, asked=()), trigger.cause, *now.queued)
    made = interview_turns.break_off(replace(made, conversation=quiet), trigger)
    made = combine(made, approval.withdraw(made.conversation, trigger))
    if now.schedule:
        made = combine(made, scheduling.cancel(made.conversation, trigger.after(made)))
    return made


def on_reopen_requested(now: Conversation, event: ReopenRequested, trigger: Trigger) -> Transition:
    """Reopen an archived conversation, or discuss a finished step again. Its schedule and question are gone.

    A goal goes on where it stood. A draft that waited for approval is shown again. A finished step only leaves the
    archive, and its owner is offered to reopen it. A message to go on with reopens both. Raises `IllegalEvent` if the
    conversation is open.
    """
    left, drafted = trigger.facts.left_message, trigger.facts.updated_draft
    is_archived = now.status is Status.ARCHIVED
    if left is None:
        is_step = now.interview is not None and not is_archived
        return revision.reopen(now, drafted, trigger) if is_step else _unarchive(now, event, trigger)
    made = _unarchive(now, event, trigger) if is_archived else Transition(conversation=now)
    if now.lifecycle is Lifecycle.COMPLETE:
        made = combine(made, revision.reopen(made.conversation, drafted, trigger.after(made), asks=False))
    return combine(made, _take_up(made.conversation, left, trigger))


def _take_up(now: Conversation, left: SourceMessage, trigger: Trigger) -> Transition:
    """Store a message that was refused, as the newest one, and answer it."""
    text, shared = take_up_files(left.text, left.files, now.files)
    row = Message(seq=now.head + 1, role=Role.PERSON, text=text, ts=left.ts, author=left.author, author_name=left.name)
    files = keep_files(now.files, shared, seq=row.seq, ts=row.ts, by_owner=True)
    lead = replace(now.interview, has_content=True) if now.interview else None
    begun, newest = answers.begin_conversation(now), max(now.newest, trigger.at)
    after = replace(begun, head=row.seq, newest=newest, interview=lead, files=files)
    made = Transition(conversation=answers.queue_for_reply(after, trigger.cause, left.ts), messages=(row,))
    return made if lead else combine(made, goals.follow_message(made.conversation, row.text, trigger))


def _unarchive(now: Conversation, event: ReopenRequested, trigger: Trigger) -> Transition:
    card = FiledCard(by=event.user, at=event.at, reopened=True, silent=bool(event.ends))
    # The goal goes on where it stood, so the silence in the archive does not count.
    after = replace(now, status=status.move(now.status, StatusEvent.UNARCHIVED), ends="", spoken=event.at)
    filed = next((row.seq for row in trigger.facts.open_cards if isinstance(row.card, FiledCard)), None)
    if filed is None:
        made = queue_card(after, trigger, card, changes=False)
    else:
        made = queue_card_close(after, trigger, filed, card)
    if now.lifecycle is Lifecycle.CONFIRMED:
        return combine(made, approval.ask(made.conversation, trigger))
    if now.lifecycle is Lifecycle.COMPLETE and trigger.facts.left_message is None:
        told = queue_ephemeral(
            made.conversation, trigger.cause, event.user, decision_steps.REOPEN_STEP_TOO, Offer.DISCUSS
        )
        return combine(made, Transition(conversation=told))
    return made


def on_schedule_cancelled(now: Conversation, event: ScheduleCancelled, trigger: Trigger) -> Transition:
    """Cancel the schedule, and end its run, which may wait for an answer or a permission. Raises `IllegalEvent`."""
    made = Transition(conversation=now)
    if scheduled_run.holds_turn(now):
        asked = permission_request.withdraw(now, trigger)
        made = combine(asked, close_quietly(asked.conversation, trigger.facts.closed_reply, trigger.after(asked)))
    return combine(made, scheduled_run.cancel_schedule(made.conversation, trigger.after(made)))


def on_help_requested(now: Conversation, event: HelpRequested, trigger: Trigger) -> Transition:
    """Send status or help to the person who asked, as an ephemeral message."""
    text = texts.HELP if event.word == "help" else describe_status(now, event.at)
    return Transition(conversation=queue_ephemeral(now, trigger.cause, event.user, text))


def describe_status(now: Conversation, at: str) -> str:
    """Describe the status of a conversation in a few lines."""
    is_free = now.interview is None and now.decision is None
    # Of a free thread in which nobody waits and nothing is planned, its goal tells all.
    lines = [] if is_free and now.status is Status.ACTIVE else [texts.STATUS_NAMES[now.status]]
    if now.status is Status.ARCHIVED:
        lines.append(texts.REOPEN_FIRST)
    if now.question:
        lines.append(texts.OPEN_QUESTION.format(prompt=texts.escape(now.question.prompt)))
    if now.schedule:
        lines.append(scheduling.describe_schedule(now, at))
    if is_free and now.turn and not (now.question or now.goals.goal):
        lines.append(texts.AT_WORK_NOW)
    about = _describe_step(now) if now.interview else goals.describe(now) if is_free else ""
    return "\n".join([*lines, *(("",) if lines and about else ()), *((texts.escape(about),) if about else ())])


def _describe_step(now: Conversation) -> str:
    lead = approval.require_interview(now)
    if now.lifecycle is Lifecycle.COMPLETE:
        return decision_steps.STEP_FINISHED.format(title=lead.prepared.title, version=now.approved)
    phase = decision_steps.PHASE_NAMES[now.phase or Phase.INTRO]
    phase = decision_steps.STEP_LACKS if approval.is_incomplete(now) else phase
    return decision_steps.STEP_AT.format(title=lead.prepared.title, phase=phase)
