"""A schedule, and how far the run under way has come."""

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
    """A task for the background and its times. `checked` returns one that the other functions take."""

    kind: ScheduleKind
    zone: str
    """IANA name. A cron expression is read in this zone, and people see times in it."""
    cron: str = ""
    run_at: str = ""
    """ISO 8601, UTC."""
    instruction: str = ""
    """The task in the user's words."""


FIRST_STEP = "initial"
"""Where work begins (domain §2.13)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """How far the work of a schedule is: what one run leaves to the next (S2-050)."""

    context: str = ""
    """What it is about: the task and its parameters, in the model's words."""
    step: str = FIRST_STEP
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What was gathered so far, as JSON."""
    continues: int = 0
    """Runs in a row that were not the last one."""
    tries: int = 0
    """Runs in a row that came to nothing, whether that was our fault or not."""
    failed: int = 0
    """`seq` of the reply of the run that is to be made again; 0 if none is."""
    due_by: str = ""
    """The receipt of the event that found the next run due, while that waits until people have been answered."""
    gave_way: bool = False
    """True from when a run made room for what the owner wrote until it has gone on (C-32)."""
    began: str = ""
    """When the newest run began (ISO, UTC)."""
    last_run: str = ""
    """When the newest run began that came to its end: what is newer has not been looked at yet (ISO, UTC)."""
