"""A schedule, and the progress of its work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class ScheduleKind(StrEnum):
    """How it is said when to run."""

    CRON = "cron"
    SCHEDULED = "scheduled"
    """Once, at a time."""
    IMMEDIATE = "immediate"
    """Once, at the next check."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A task for the background and its times. `normalize_schedule` returns the form that other functions take."""

    kind: ScheduleKind
    zone: str
    """IANA name. A cron expression is read in this zone, and people see times in it."""
    cron: str = ""
    run_at: str = ""
    """ISO 8601, UTC."""
    instruction: str = ""
    """The task in the user's words."""


FIRST_STEP = "initial"
"""Checkpoint at which the work of a schedule begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleProgress:
    """Progress of a schedule's work: what one run leaves to the next."""

    context: str = ""
    """The task and its parameters, in the model's words."""
    step: str = FIRST_STEP
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Results so far, as JSON."""
    continues: int = 0
    """Consecutive runs that another run continues."""
    tries: int = 0
    """Consecutive runs without a result, for any reason."""
    failed: int = 0
    """`seq` of the reply of the run to repeat; 0 if none."""
    due_by: str = ""
    """Receipt of the event that found the next run due, while that run waits until people have been answered."""
    gave_way: bool = False
    """True from when a run yielded to the owner's message until it has continued."""
    began: str = ""
    """Start of the newest run (ISO, UTC)."""
    last_run: str = ""
    """Start of the newest run that has ended (ISO, UTC): what is newer has not been looked at yet."""
