"""The run of a conversation, as tables: which events it allows, and from whom (requirements T7).

A turn is under way, or none is. What an event then does is the machine's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from app.core.events import (
    ArchiveConfirmed,
    ArchiveRequested,
    ContinuePressed,
    EpochStarted,
    EraseConfirmed,
    EraseRequested,
    Event,
    IdlePassed,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    QuestionAnswered,
    ReopenRequested,
    RetryPressed,
    ScheduleCancelled,
    StopRequested,
    TurnEnded,
    WordAsked,
    WorkDue,
    WorkParked,
)
from app.core.states import Run

NEXT: Mapping[Run, Mapping[type[Event], Run]] = MappingProxyType(
    {
        Run.IDLE: {
            MessagePosted: Run.IDLE,
            MessageEdited: Run.IDLE,
            MessageDeleted: Run.IDLE,
            RetryPressed: Run.STREAMING,
            ContinuePressed: Run.IDLE,
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
            WorkParked: Run.IDLE,
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
            EpochStarted: Run.STREAMING,
            TurnEnded: Run.IDLE,
            WorkParked: Run.IDLE,
        },
    }
)
"""`{run: {event: run}}`. A pair that is not here is refused: by name for people's acts, silently for late results.

A conversation that is archived without asking ends its turn as one does whose owner was asked; so does a run of the
schedule that is cancelled.
"""

REFUSALS: Mapping[tuple[Run, type[Event]], str] = MappingProxyType(
    {
        (Run.IDLE, StopRequested): "NO_STREAM",
        (Run.IDLE, TurnEnded): "STALE_RUN",
        (Run.IDLE, EpochStarted): "STALE_RUN",
        (Run.STREAMING, RetryPressed): "BUSY",
        (Run.STREAMING, IdlePassed): "STALE_RUN",
        (Run.STREAMING, ContinuePressed): "BUSY",
    }
)
"""The code of each pair that `NEXT` leaves out (requirements part 6)."""
