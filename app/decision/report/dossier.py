"""What a report is made of: the decision as it stands, a sheet for each step, and every approved version.

All texts are plain words, and people stand in them by name; each format escapes them for itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.core.decisions import Version
from app.core.sheet import Sheet
from app.core.states import ComponentStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportStep:
    """One step of the decision, as of its newest approved version."""

    key: str
    """The component, as `Version.component` names it."""
    number: int
    """Counted from 1, in the order of the steps."""
    title: str
    status: ComponentStatus
    version: int = 0
    """The newest approved version; 0 if there is none."""
    approved_by: str = ""
    """A name, not an id."""
    approved_at: str = ""
    """ISO, UTC; empty if nothing is approved."""
    based_on: tuple[str, ...] = ()
    """The results it was made with, each in words, as *Objectives v1*."""
    outdated: tuple[str, ...] = ()
    """What has changed below it since, each in words, as *based on Objectives v1; v2 is approved*."""
    sheet: Sheet | None = None
    """None if nothing is approved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One decision at one moment."""

    question: str
    owner: str
    """A name, not an id."""
    made_at: str
    """ISO, UTC: when the report was asked for."""
    deadline: str = ""
    """ISO date; empty if there is none."""
    closed: bool = False
    steps: tuple[ReportStep, ...] = ()
    versions: tuple[Version, ...] = ()
    """All that were ever approved, also those that newer ones have replaced."""
