"""Registry of events: one row per event with its actor, reaction, guards and facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Generic, TypedDict, TypeVar, cast

from app.core.conversation.conversation import Conversation, Transition
from app.core.conversation.facts import Fact, Facts
from app.core.conversation.news import DecisionErased
from app.core.conversation.transition import Trigger
from app.core.decisions import hub, interviewing, phases, revision
from app.core.events.acts import (
    ArchiveConfirmed,
    ArchiveRequested,
    ContinuePressed,
    DecisionClosed,
    DraftEdited,
    EraseConfirmed,
    EraseRequested,
    FiguresConfirmed,
    HelpRequested,
    OwnershipTransferred,
    QuestionAnswered,
    ReopenRequested,
    RestartRequested,
    RetryPressed,
    ScheduleCancelled,
    SchedulePaused,
    StepClosed,
    StepRequested,
    StopRequested,
    SummaryRequested,
)
from app.core.events.heard import (
    ComponentStarted,
    DecisionStarted,
    Event,
    FileDeleted,
    GoalIdled,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    NoticeReceived,
    RunDue,
)
from app.core.events.internal import (
    ChannelLost,
    EpochStarted,
    EventParked,
    StageReached,
    ThreadSummarized,
    ToolUsesReported,
    TurnEnded,
    TurnTakenUp,
)
from app.core.goals import goals
from app.core.machine import guards
from app.core.reactions import answers, archive, decision_events, messages, undelivered
from app.core.state.status import TurnState
from app.core.turns import permission_request, scheduled_run, takeover, turns

E = TypeVar("E", bound=Event, contravariant=True)
F = TypeVar("F", bound=Event)


class Actor(StrEnum):
    """Kind of actor that causes an event."""

    OWNER = "owner"
    """Anyone else is refused."""
    ANYONE = "anyone"
    SYSTEM = "system"
    """The calendar, the worker or another conversation."""
    TURN = "turn"
    """The active turn."""


def never(now: Conversation, event: Event, facts: Facts) -> bool:
    """Return False."""
    return False


def always(now: Conversation, event: Event, facts: Facts) -> bool:
    """Return True."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Generic[E]):
    """The properties of one event."""

    actor: Actor
    react: Callable[[Conversation, E, Trigger], Transition]
    """May raise `IllegalEvent`."""
    guards: tuple[Callable[[Conversation, E, Facts], str | None], ...] = ()
    """Checked in order; the first code is returned."""
    refused: Mapping[TurnState, str] = field(default_factory=dict[TurnState, str])
    """Turn states in which it is refused, with the code. Checked after all guards."""
    facts: frozenset[Fact] = frozenset()
    """Facts that the worker looks up before the event is applied."""
    ends_turn: Callable[[Conversation, E, Facts], bool] = never
    """True if the event ends the active turn. The worker then closes the reply, which is a fact of the event."""


class Rows(TypedDict):
    """Rows by `kind`. The type checker reports a row that is missing or made for another event."""

    message_posted: Row[MessagePosted]
    message_edited: Row[MessageEdited]
    message_deleted: Row[MessageDeleted]
    file_deleted: Row[FileDeleted]
    retry_pressed: Row[RetryPressed]
    continue_pressed: Row[ContinuePressed]
    stop_requested: Row[StopRequested]
    erase_requested: Row[EraseRequested]
    erase_confirmed: Row[EraseConfirmed]
    question_answered: Row[QuestionAnswered]
    archive_requested: Row[ArchiveRequested]
    archive_confirmed: Row[ArchiveConfirmed]
    reopen_requested: Row[ReopenRequested]
    schedule_cancelled: Row[ScheduleCancelled]
    schedule_paused: Row[SchedulePaused]
    word_asked: Row[HelpRequested]
    summary_asked: Row[SummaryRequested]
    draft_edited: Row[DraftEdited]
    figures_confirmed: Row[FiguresConfirmed]
    restart_requested: Row[RestartRequested]
    step_closed: Row[StepClosed]
    step_requested: Row[StepRequested]
    ownership_given: Row[OwnershipTransferred]
    decision_closed: Row[DecisionClosed]
    decision_started: Row[DecisionStarted]
    component_started: Row[ComponentStarted]
    news_heard: Row[NoticeReceived]
    idle_passed: Row[GoalIdled]
    work_due: Row[RunDue]
    turn_ended: Row[TurnEnded]
    uses_reported: Row[ToolUsesReported]
    turn_taken_up: Row[TurnTakenUp]
    epoch_started: Row[EpochStarted]
    thread_summarized: Row[ThreadSummarized]
    stage_reached: Row[StageReached]
    work_parked: Row[EventParked]
    place_lost: Row[ChannelLost]


def find_row(event: F) -> Row[F]:
    """Return the row of this event."""
    return cast("Row[F]", ROWS[event.kind])


BUSY: Final = {TurnState.STREAMING: "BUSY", TurnState.AWAITING: "BUSY"}
NO_STEP: Final = {TurnState.AWAITING: "NOT_COMPONENT"}
"""Turns of a step never ask for permission."""
NO_DECISION: Final = {TurnState.STREAMING: "NOT_DECISION", TurnState.AWAITING: "NOT_DECISION"}
"""A decision's own thread has no turns."""
LATE: Final = {TurnState.IDLE: "STALE_RUN", TurnState.AWAITING: "STALE_RUN"}
"""Reports of a turn that is no longer active."""

ROWS: Final[Rows] = {
    "message_posted": Row(
        actor=Actor.ANYONE,
        react=messages.on_message_posted,
        guards=(
            guards.check_known,
            guards.require_rate,
            guards.require_not_erasing,
            guards.check_archive,
            guards.check_complete,
        ),
        ends_turn=lambda now, event, facts: messages.ends_turn(now, event),
        facts=frozenset(
            {
                Fact.COMPONENT_MISSING,
                Fact.DECISION_CLOSED,
                Fact.RETRY_AFTER,
                Fact.AUTHOR,
                Fact.MENTIONED,
                Fact.PRECEDING,
                Fact.TARGETS,
                Fact.WAS_IDLE,
                Fact.SIGNAL,
                Fact.NOTES,
                Fact.HELD_REPLY,
                Fact.CLOSED_REPLY,
                Fact.OPEN_CARDS,
            }
        ),
    ),
    "message_edited": Row(
        actor=Actor.ANYONE,
        react=messages.on_message_edited,
        guards=(guards.check_edit, guards.check_origin),
        facts=frozenset({Fact.MENTIONED, Fact.QUOTING, Fact.TARGETS, Fact.USES}),
    ),
    "message_deleted": Row(
        actor=Actor.ANYONE,
        react=messages.on_message_deleted,
        guards=(guards.check_origin,),
        facts=frozenset({Fact.QUOTING, Fact.TARGETS, Fact.USES}),
    ),
    "file_deleted": Row(actor=Actor.ANYONE, react=messages.on_file_deleted, facts=frozenset({Fact.QUOTING})),
    "retry_pressed": Row(
        actor=Actor.OWNER,
        react=turns.on_retry_pressed,
        guards=(
            guards.require_not_erasing,
            guards.require_not_archived,
            guards.require_not_complete,
            guards.require_newest_reply,
            guards.require_asked,
        ),
        refused=BUSY,
        facts=frozenset({Fact.DECISION_CLOSED, Fact.PRESSED_REPLY, Fact.TAKEN_BACK, Fact.OPEN_CARDS}),
    ),
    "continue_pressed": Row(
        actor=Actor.OWNER,
        react=turns.on_continue_pressed,
        guards=(
            guards.require_not_erasing,
            guards.require_not_archived,
            guards.require_not_complete,
            guards.require_newest_reply,
        ),
        refused=BUSY,
        facts=frozenset({Fact.DECISION_CLOSED, Fact.PRESSED_REPLY}),
    ),
    "stop_requested": Row(
        actor=Actor.OWNER,
        react=turns.on_stop_requested,
        guards=(guards.require_stoppable,),
        ends_turn=always,
        facts=frozenset({Fact.CLOSED_REPLY, Fact.CORRECTED_DRAFT, Fact.OPEN_CARDS}),
    ),
    "erase_requested": Row(actor=Actor.OWNER, react=archive.on_erase_requested, guards=(guards.require_not_erasing,)),
    "erase_confirmed": Row(
        actor=Actor.OWNER,
        react=archive.on_erase_confirmed,
        guards=(guards.require_not_erasing, guards.require_archive_end),
        ends_turn=always,
        facts=frozenset({Fact.CLOSED_REPLY, Fact.OPEN_CARDS}),
    ),
    "question_answered": Row(
        actor=Actor.OWNER,
        react=answers.on_question_answered,
        guards=(
            guards.require_not_erasing,
            guards.require_not_archived,
            guards.require_open_question,
            guards.require_component,
            guards.require_shown_question,
        ),
        facts=frozenset({Fact.COMPONENT_MISSING, Fact.PRESSED_CARD, Fact.HELD_REPLY, Fact.BANS, Fact.OPEN_CARDS}),
    ),
    "archive_requested": Row(
        actor=Actor.OWNER,
        react=archive.on_archive_requested,
        guards=(guards.require_not_erasing,),
        ends_turn=lambda now, event, facts: archive.can_archive_at_once(now),
        facts=frozenset({Fact.CLOSED_REPLY, Fact.ERASED_AT, Fact.OPEN_CARDS}),
    ),
    "archive_confirmed": Row(
        actor=Actor.OWNER,
        react=archive.on_archive_confirmed,
        guards=(guards.require_not_erasing, guards.require_silence),
        ends_turn=always,
        facts=frozenset({Fact.CLOSED_REPLY, Fact.ERASED_AT, Fact.OPEN_CARDS}),
    ),
    "reopen_requested": Row(
        actor=Actor.OWNER,
        react=archive.on_reopen_requested,
        guards=(
            guards.require_not_erasing,
            guards.require_archive_end,
            guards.require_reopenable,
            guards.require_component_to_reopen,
            guards.require_open_decision,
        ),
        facts=frozenset(
            {
                Fact.COMPONENT_MISSING,
                Fact.DECISION_CLOSED,
                Fact.UPDATED_DRAFT,
                Fact.LEFT_MESSAGE,
                Fact.OPEN_CARDS,
            }
        ),
    ),
    "schedule_cancelled": Row(
        actor=Actor.OWNER,
        react=archive.on_schedule_cancelled,
        guards=(guards.require_not_erasing, guards.require_not_archived, guards.require_shown_schedule),
        ends_turn=lambda now, event, facts: scheduled_run.holds_turn(now),
        facts=frozenset({Fact.CLOSED_REPLY, Fact.OPEN_CARDS}),
    ),
    "schedule_paused": Row(
        actor=Actor.OWNER,
        react=scheduled_run.on_schedule_paused,
        guards=(guards.require_not_erasing, guards.require_not_archived, guards.require_shown_schedule),
        facts=frozenset({Fact.OPEN_CARDS}),
    ),
    "word_asked": Row(actor=Actor.OWNER, react=archive.on_help_requested, guards=(guards.require_not_erasing,)),
    "summary_asked": Row(
        actor=Actor.OWNER,
        react=interviewing.on_summary_requested,
        guards=(
            guards.require_not_erasing,
            guards.require_not_archived,
            guards.require_step,
            guards.require_not_complete,
            guards.require_component,
        ),
        refused=NO_STEP,
        facts=frozenset({Fact.COMPONENT_MISSING, Fact.DECISION_CLOSED, Fact.NOTES, Fact.OPEN_CARDS}),
    ),
    "draft_edited": Row(
        actor=Actor.OWNER,
        react=revision.on_draft_edited,
        guards=(guards.require_not_erasing, guards.require_not_archived, guards.require_step, guards.require_component),
        refused=NO_STEP,
        facts=frozenset({Fact.COMPONENT_MISSING, Fact.EDITED_DRAFT, Fact.OPEN_CARDS}),
    ),
    "figures_confirmed": Row(
        actor=Actor.OWNER,
        react=revision.on_figures_confirmed,
        guards=(
            guards.require_not_erasing,
            guards.require_not_archived,
            guards.require_step,
            guards.require_component,
            guards.require_open_question,
            guards.require_shown_question,
        ),
        refused=NO_STEP,
        facts=frozenset({Fact.COMPONENT_MISSING, Fact.OPEN_CARDS}),
    ),
    "restart_requested": Row(
        actor=Actor.OWNER,
        react=decision_events.on_restart_requested,
        guards=(
            guards.require_not_erasing,
            guards.require_not_archived,
            guards.require_step,
            guards.require_component,
            guards.require_restartable,
        ),
        refused=NO_STEP,
        ends_turn=phases.restarts,
        facts=frozenset(
            {Fact.COMPONENT_MISSING, Fact.DECISION_CLOSED, Fact.CURRENT_DRAFT, Fact.CLOSED_REPLY, Fact.OPEN_CARDS}
        ),
    ),
    "step_closed": Row(
        actor=Actor.OWNER,
        react=decision_events.on_step_closed,
        guards=(guards.require_not_erasing, guards.require_not_archived, guards.require_step, guards.require_closable),
        refused=NO_STEP,
        ends_turn=always,
        facts=frozenset({Fact.CLOSED_REPLY, Fact.OPEN_CARDS}),
    ),
    "step_requested": Row(
        actor=Actor.OWNER,
        react=hub.on_step_requested,
        guards=(
            guards.require_not_erasing,
            guards.require_not_archived,
            guards.require_decision,
            guards.require_component,
        ),
        refused=NO_DECISION,
        facts=frozenset({Fact.COMPONENT_MISSING, Fact.OPEN_CARDS}),
    ),
    "ownership_given": Row(
        actor=Actor.OWNER,
        react=hub.on_ownership_transferred,
        guards=(guards.require_not_erasing, guards.require_not_archived, guards.require_decision),
        refused=NO_DECISION,
        facts=frozenset({Fact.OPEN_CARDS}),
    ),
    "decision_closed": Row(
        actor=Actor.OWNER,
        react=hub.on_decision_closed,
        guards=(guards.require_not_erasing, guards.require_not_archived, guards.require_decision),
        refused=NO_DECISION,
        facts=frozenset({Fact.OPEN_CARDS}),
    ),
    "decision_started": Row(
        actor=Actor.ANYONE,
        react=hub.on_decision_started,
        guards=(guards.require_not_erasing, guards.require_empty),
        refused={TurnState.STREAMING: "ILLEGAL", TurnState.AWAITING: "ILLEGAL"},
    ),
    "component_started": Row(
        actor=Actor.SYSTEM,
        react=decision_events.on_component_started,
        guards=(guards.require_not_erasing, guards.require_no_interview),
        refused={TurnState.AWAITING: "ILLEGAL"},
        facts=frozenset({Fact.PREPARED, Fact.EXAMPLE_DRAFT}),
    ),
    "news_heard": Row(
        actor=Actor.SYSTEM,
        react=decision_events.on_notice_received,
        guards=(guards.require_not_erasing, guards.require_addressee),
        ends_turn=lambda now, event, facts: isinstance(event.news, DecisionErased),
        facts=frozenset({Fact.UPDATED_DRAFT, Fact.CLOSED_REPLY, Fact.OPEN_CARDS}),
    ),
    "idle_passed": Row(
        actor=Actor.SYSTEM,
        react=goals.on_goal_idled,
        guards=(guards.require_idle_goal,),
        refused={TurnState.STREAMING: "STALE_RUN", TurnState.AWAITING: "STALE_RUN"},
    ),
    "work_due": Row(
        actor=Actor.SYSTEM,
        react=scheduled_run.on_run_due,
        guards=(guards.require_not_erasing, guards.require_due_run),
        refused={TurnState.AWAITING: "STALE_RUN"},
    ),
    "turn_ended": Row(
        actor=Actor.TURN,
        react=turns.on_turn_ended,
        refused=LATE,
        facts=frozenset({Fact.OPEN_CARDS, Fact.MOST_QUESTIONS, Fact.DRAFT_READY, Fact.CORRECTED_DRAFT}),
    ),
    "uses_reported": Row(
        actor=Actor.TURN,
        react=permission_request.on_tool_uses_reported,
        refused=LATE,
        facts=frozenset({Fact.OPEN_CARDS}),
    ),
    "turn_taken_up": Row(actor=Actor.TURN, react=takeover.on_turn_taken_up, refused=LATE),
    "epoch_started": Row(actor=Actor.TURN, react=turns.on_epoch_started, refused=LATE),
    "thread_summarized": Row(actor=Actor.TURN, react=turns.on_thread_summarized, refused=LATE),
    "stage_reached": Row(
        actor=Actor.TURN, react=turns.on_stage_reached, guards=(guards.require_extraction,), refused=LATE
    ),
    "work_parked": Row(actor=Actor.SYSTEM, react=turns.on_event_parked, facts=frozenset({Fact.OPEN_CARDS})),
    "place_lost": Row(actor=Actor.SYSTEM, react=undelivered.on_channel_lost, facts=frozenset({Fact.OPEN_CARDS})),
}
