"""The run of a conversation, as tables: which events it allows, and from whom (requirements T7).

A turn is under way, or none is. What an event then does is the machine's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from app.core.events import (
    ArchiveConfirmed,
    ArchiveRequested,
    ComponentStarted,
    ContinuePressed,
    DecisionClosed,
    DecisionStarted,
    DraftEdited,
    EraseConfirmed,
    EraseRequested,
    Event,
    IdlePassed,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    NewsHeard,
    OwnershipGiven,
    QuestionAnswered,
    ReopenRequested,
    RestartRequested,
    RetryPressed,
    ScheduleCancelled,
    StepClosed,
    StepRequested,
    StopRequested,
    SummaryAsked,
    WordAsked,
    WorkDue,
)
from app.core.findings import EpochStarted, PlaceLost, StageReached, TurnEnded, TurnTakenUp, UsesReported, WorkParked
from app.core.states import Run

NEXT: Mapping[Run, Mapping[type[Event], Run]] = MappingProxyType(
    {
        Run.IDLE: {
            MessagePosted: Run.IDLE,
            MessageEdited: Run.IDLE,
            MessageDeleted: Run.IDLE,
            RetryPressed: Run.STREAMING,
            ContinuePressed: Run.IDLE,
            StopRequested: Run.IDLE,
            EraseRequested: Run.IDLE,
            EraseConfirmed: Run.IDLE,
            QuestionAnswered: Run.IDLE,
            ArchiveRequested: Run.IDLE,
            ArchiveConfirmed: Run.IDLE,
            ReopenRequested: Run.IDLE,
            ScheduleCancelled: Run.IDLE,
            WordAsked: Run.IDLE,
            IdlePassed: Run.IDLE,
            WorkDue: Run.IDLE,
            DecisionStarted: Run.IDLE,
            ComponentStarted: Run.IDLE,
            NewsHeard: Run.IDLE,
            SummaryAsked: Run.IDLE,
            DraftEdited: Run.IDLE,
            RestartRequested: Run.IDLE,
            StepClosed: Run.IDLE,
            StepRequested: Run.IDLE,
            OwnershipGiven: Run.IDLE,
            DecisionClosed: Run.IDLE,
            WorkParked: Run.IDLE,
            PlaceLost: Run.IDLE,
        },
        Run.STREAMING: {
            MessagePosted: Run.STREAMING,
            MessageEdited: Run.STREAMING,
            MessageDeleted: Run.STREAMING,
            StopRequested: Run.IDLE,
            EraseRequested: Run.STREAMING,
            EraseConfirmed: Run.IDLE,
            QuestionAnswered: Run.STREAMING,
            ArchiveRequested: Run.STREAMING,
            ArchiveConfirmed: Run.IDLE,
            ReopenRequested: Run.STREAMING,
            ScheduleCancelled: Run.STREAMING,
            WordAsked: Run.STREAMING,
            WorkDue: Run.STREAMING,
            ComponentStarted: Run.STREAMING,
            NewsHeard: Run.STREAMING,
            SummaryAsked: Run.STREAMING,
            DraftEdited: Run.STREAMING,
            RestartRequested: Run.STREAMING,
            StepClosed: Run.IDLE,
            StageReached: Run.STREAMING,
            EpochStarted: Run.STREAMING,
            UsesReported: Run.STREAMING,
            TurnTakenUp: Run.STREAMING,
            TurnEnded: Run.IDLE,
            WorkParked: Run.IDLE,
            PlaceLost: Run.STREAMING,
        },
        Run.AWAITING: {
            MessagePosted: Run.AWAITING,
            MessageEdited: Run.AWAITING,
            MessageDeleted: Run.AWAITING,
            StopRequested: Run.IDLE,
            EraseRequested: Run.AWAITING,
            EraseConfirmed: Run.IDLE,
            QuestionAnswered: Run.AWAITING,
            ArchiveRequested: Run.AWAITING,
            ArchiveConfirmed: Run.IDLE,
            ReopenRequested: Run.AWAITING,
            ScheduleCancelled: Run.AWAITING,
            WordAsked: Run.AWAITING,
            NewsHeard: Run.AWAITING,
            WorkParked: Run.IDLE,
            PlaceLost: Run.AWAITING,
        },
    }
)
"""`{run: {event: run}}`. A pair that is not here is refused: by name for people's acts, silently for late results.

A conversation that is archived without asking ends its turn as one does whose owner was asked; so does a run of the
schedule that is cancelled, a step that is begun again from another phase, and one whose decision is forgotten. A
decision's own thread has no turns.
"""

REFUSALS: Mapping[tuple[Run, type[Event]], str] = MappingProxyType(
    {
        (Run.IDLE, TurnEnded): "STALE_RUN",
        (Run.IDLE, EpochStarted): "STALE_RUN",
        (Run.IDLE, StageReached): "STALE_RUN",
        (Run.STREAMING, DecisionStarted): "ILLEGAL",
        (Run.STREAMING, StepRequested): "NOT_DECISION",
        (Run.STREAMING, OwnershipGiven): "NOT_DECISION",
        (Run.STREAMING, DecisionClosed): "NOT_DECISION",
        (Run.STREAMING, RetryPressed): "BUSY",
        (Run.STREAMING, IdlePassed): "STALE_RUN",
        (Run.STREAMING, ContinuePressed): "BUSY",
        (Run.IDLE, UsesReported): "STALE_RUN",
        (Run.IDLE, TurnTakenUp): "STALE_RUN",
        **{
            (Run.AWAITING, late): "STALE_RUN"
            for late in (TurnEnded, UsesReported, TurnTakenUp, EpochStarted, StageReached, IdlePassed, WorkDue)
        },
        **{(Run.AWAITING, act): "BUSY" for act in (RetryPressed, ContinuePressed)},
        **{(Run.AWAITING, begins): "ILLEGAL" for begins in (DecisionStarted, ComponentStarted)},
        **{
            (Run.AWAITING, of_step): "NOT_COMPONENT"
            for of_step in (SummaryAsked, DraftEdited, RestartRequested, StepClosed)
        },
        **{
            (Run.AWAITING, of_decision): "NOT_DECISION"
            for of_decision in (StepRequested, OwnershipGiven, DecisionClosed)
        },
    }
)
"""The code of each pair that `NEXT` leaves out (requirements part 6)."""
