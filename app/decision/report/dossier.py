"""The content of a report: the decision's state, a sheet for each step, and every approved version.

All texts are plain, and people appear by name. Each format escapes the texts for itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from app.core.state.decision import ComponentStatus, Version
from app.core.state.sheet import Section, Sheet


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
    """ISO, in the owner's time zone; empty if nothing is approved."""
    based_on: tuple[str, ...] = ()
    """The results it was made with or found valid with, each in words, such as *Objectives v1*."""
    outdated: tuple[str, ...] = ()
    """Changes since then in the results it is based on, in words, such as *based on Objectives v1; v2 is approved*."""
    sheet: Sheet | None = None
    """None if nothing is approved."""

    @property
    def needs_another_look(self) -> bool:
        """Return True if its newest version may not fit the results it is based on."""
        return self.status is ComponentStatus.NEEDS_REVISION or bool(self.outdated)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One decision at one moment."""

    question: str
    """As it was approved; as it was typed while it is not."""
    typed: str = ""
    """As it was typed when the decision began."""
    owner: str
    """A name, not an id."""
    made_at: str
    """Time of the request for the report, ISO, in the owner's time zone."""
    zone: str = ""
    """What people call that zone, such as *New York*; empty for UTC."""
    deadline: str = ""
    """ISO date; empty if there is none."""
    closed: bool = False
    example: bool = False
    """True for a worked decision to look at, which nobody has to close."""
    first_page: Sheet | None = None
    """What a board has to know, on one screen; None if that is unknown."""
    steps: tuple[ReportStep, ...] = ()
    versions: tuple[Version, ...] = ()
    """All versions ever approved, including those that newer ones have replaced."""
    people: Mapping[str, str] = field(default_factory=dict[str, str])
    """The names of those whose ids stand in the versions."""


def drop_repeats(steps: tuple[ReportStep, ...]) -> Iterator[ReportStep]:
    """Yield the steps without sections that an earlier step has word for word."""
    met: list[Section] = []
    for step in steps:
        fresh = tuple(each for each in (step.sheet.sections if step.sheet else ()) if each not in met)
        met += [each for each in fresh if each.title]
        yield replace(step, sheet=replace(step.sheet, sections=fresh)) if step.sheet else step
