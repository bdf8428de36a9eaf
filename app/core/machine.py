"""The machine: what an event makes of a conversation. Pure; it knows no Slack, no model, no clock.

Which events a state allows, and from whom, is in the tables and guards. What each event does is in the reactions
(`hearing`, `turns`, `filing`). What follows from a state alone, however it was reached, is `_settle`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from app.core import (
    filing,
    goals,
    guards,
    hearing,
    invariants,
    permitting,
    phases,
    planning,
    quotes,
    refusals,
    sources,
    stepping,
    takeover,
    trail,
    turns,
    unsaid,
    working,
)
from app.core.errors import BrokenInvariant, IllegalEvent
from app.core.events import (
    ArchiveConfirmed,
    ArchiveRequested,
    ComponentStarted,
    ContinuePressed,
    DecisionStarted,
    EraseConfirmed,
    EraseRequested,
    Event,
    IdlePassed,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    NewsHeard,
    OwnersAct,
    QuestionAnswered,
    ReopenRequested,
    RestartRequested,
    RetryPressed,
    ScheduleCancelled,
    StepClosed,
    StopRequested,
    WordAsked,
    WorkDue,
)
from app.core.findings import (
    EpochStarted,
    Inner,
    PlaceLost,
    StageReached,
    TurnEnded,
    TurnTakenUp,
    UsesReported,
    WorkParked,
)
from app.core.model import Conversation, Step
from app.core.news import DecisionErased
from app.core.run import NEXT
from app.core.steps import publishing
from app.core.takeover import closed_after_death, goes_on_after_death
from app.core.turns import settled

__all__ = ["closed_after_death", "ends_turn", "goes_on_after_death", "refuse", "step"]

refuse = refusals.refuse


def step(before: Conversation, event: Event, cause: str) -> Step:
    """Apply one event. `cause` is the receipt it came under: effects get the ids `cause:index`.

    Raises `IllegalEvent`, changing nothing, if it cannot happen now, and `BrokenInvariant` for a bug of ours.
    """
    if code := guards.refusal(before, event):
        raise IllegalEvent(code)
    run = NEXT[before.run][type(event)]
    now = replace(before, run=run)
    if isinstance(event, MessagePosted | OwnersAct) and event.user == before.owner:
        now = unsaid.tried_again(now, cause)
    reacted = quotes.kept_out(_react(now, event, cause))
    made = sources.carry(before, event, settled(reacted, cause, _at(event)))
    if goals.home_line(made.conversation) != goals.home_line(before):
        made = replace(made, conversation=publishing(made.conversation, cause))
    if broken := invariants.broken(made.conversation):
        raise BrokenInvariant(broken)
    return replace(made, audit=(*trail.of_step(before, event, reacted.conversation, made.conversation), *made.audit))


def ends_turn(now: Conversation, event: Event) -> bool:
    """True if the turn under way has to be closed for this event: its reply is brought along, as far as it came."""
    if now.turn is None or guards.refusal(now, event):
        return False
    match event:
        case StopRequested() | EraseConfirmed() | ArchiveConfirmed() | StepClosed():
            return True
        case RestartRequested():
            return phases.restarts(now, event)
        case NewsHeard():
            return isinstance(event.news, DecisionErased)
        case ArchiveRequested():
            return filing.is_at_once(now)
        case ScheduleCancelled():
            return planning.is_running(now)
        case _:
            return False


def _react(now: Conversation, event: Event, cause: str) -> Step:
    match event:
        case MessagePosted():
            return hearing.posted(now, event, cause)
        case MessageEdited():
            return hearing.edited(now, event)
        case MessageDeleted():
            return hearing.deleted(now, event, cause)
        case IdlePassed():
            return goals.idled(now, event, cause)
        case WorkDue():
            return working.due(now, cause)
        case DecisionStarted() | ComponentStarted() | NewsHeard():
            return stepping.told(now, event, cause)
        case (
            TurnEnded() | UsesReported() | TurnTakenUp() | EpochStarted() | StageReached() | WorkParked() | PlaceLost()
        ):
            return _found_out(now, event, cause)
        case _:
            return _acted(now, event, cause)


def _found_out(now: Conversation, event: Inner, cause: str) -> Step:
    match event:
        case TurnEnded():
            return turns.ended(now, event, cause)
        case TurnTakenUp():
            return takeover.taken_up(now, event)
        case EpochStarted():
            return turns.epoch_started(now, event)
        case UsesReported():
            return permitting.reported(now, event, cause)
        case StageReached():
            return Step(conversation=replace(now, stage=event.stage))
        case WorkParked():
            return turns.parked(now, event, cause)
        case PlaceLost():
            return unsaid.place_lost(now, event, cause)
        case _:
            assert_never(event)


def _acted(now: Conversation, event: OwnersAct, cause: str) -> Step:
    match event:
        case RetryPressed():
            return turns.retried(now, event, cause)
        case ContinuePressed():
            return turns.continued(now, event, cause)
        case StopRequested():
            return turns.stopped(now, event, cause)
        case QuestionAnswered():
            return hearing.answered(now, event, cause)
        case ScheduleCancelled():
            return filing.schedule_cancelled(now, event, cause)
        case WordAsked():
            return filing.told(now, event, cause)
        case EraseRequested() | EraseConfirmed() | ArchiveRequested() | ArchiveConfirmed() | ReopenRequested():
            return _filed(now, event, cause)
        case _:
            return stepping.acted(now, event, cause)


def _filed(
    now: Conversation,
    event: EraseRequested | EraseConfirmed | ArchiveRequested | ArchiveConfirmed | ReopenRequested,
    cause: str,
) -> Step:
    match event:
        case EraseRequested():
            return filing.erasing_warned(now, event, cause)
        case EraseConfirmed():
            return filing.erased(now, event, cause)
        case ArchiveRequested():
            return (filing.archived if filing.is_at_once(now) else filing.archiving_warned)(now, event, cause)
        case ArchiveConfirmed():
            return filing.archived(now, event, cause)
        case ReopenRequested():
            return filing.reopened(now, event, cause)
        case _:
            assert_never(event)


def _at(event: Event) -> str:
    return str(getattr(event, "at", ""))
