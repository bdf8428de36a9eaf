"""The run of a conversation, as tables: which events it allows, and from whom (requirements T7).

A turn is under way, or none is. What an event then does is the machine's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from app.core.events import (
    ContinuePressed,
    EpochStarted,
    EraseConfirmed,
    EraseRequested,
    Event,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    RetryPressed,
    StopRequested,
    TurnEnded,
    WorkParked,
)
from app.core.model import Run

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
            WorkParked: Run.IDLE,
        },
        Run.STREAMING: {
            MessagePosted: Run.STREAMING,
            MessageEdited: Run.STREAMING,
            MessageDeleted: Run.STREAMING,
            StopRequested: Run.IDLE,
            EraseRequested: Run.STREAMING,
            EraseConfirmed: Run.IDLE,
            EpochStarted: Run.STREAMING,
            TurnEnded: Run.IDLE,
            WorkParked: Run.IDLE,
        },
    }
)
"""`{run: {event: run}}`. A pair that is not here is refused: by name for people's acts, silently for late results."""

REFUSALS: Mapping[tuple[Run, type[Event]], str] = MappingProxyType(
    {
        (Run.IDLE, StopRequested): "NO_STREAM",
        (Run.IDLE, TurnEnded): "STALE_RUN",
        (Run.IDLE, EpochStarted): "STALE_RUN",
        (Run.STREAMING, RetryPressed): "BUSY",
        (Run.STREAMING, ContinuePressed): "BUSY",
    }
)
"""The code of each pair that `NEXT` leaves out (requirements part 6)."""

OWNERS_ACTS = (RetryPressed, ContinuePressed, StopRequested, EraseRequested, EraseConfirmed)
"""What only the owner may do (requirements C-20, guard G3). Others may write: that is context for the owner's turn."""
