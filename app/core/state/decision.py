"""What the thread of a decision remembers of its steps, and how a component stands in it, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from app.core.state.table import NOTHING, Nothing, Refused, Table, find_next_state
from app.core.thread import ThreadKey


class ComponentStatus(StrEnum):
    """How a component stands in its decision (T10)."""

    NOT_STARTED = "not_started"
    IN_PROGRESS = "in_progress"
    COMPLETE = "complete"
    NEEDS_REVISION = "needs_revision"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionStep:
    """One component of a decision."""

    key: str
    title: str
    after: str = ""
    """The step that has to be started before; empty if none."""
    concerns: tuple[str, ...] = ()
    """The steps that are to be looked at again when this one changes."""
    closes: bool = False
    """True if the decision can be closed when this step is complete."""
    status: ComponentStatus = ComponentStatus.NOT_STARTED
    thread: ThreadKey | None = None
    version: int = 0
    """The newest approved version; 0 if there is none."""
    based_on: Mapping[str, int] = field(default_factory=dict[str, int])
    """Which version of each earlier step that version was made with."""
    handles: Mapping[str, int] = field(default_factory=dict[str, int])
    """The highest number that was given with each letter: none is given twice, though the step is begun anew."""
    erased: int = 0
    """How often its thread was erased."""
    waits: bool = False
    """True while a draft waits for the owner's OK."""
    gist: str = ""
    """What was found in it, in a few words."""
    deadline: str = ""
    """ISO date by which the decision is due, as that version has it; empty if it tells none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A group of steps with one owner (design, vocabulary)."""

    question: str
    steps: tuple[DecisionStep, ...]
    deadline: str = ""
    """ISO date, as the problem frame has it."""
    closed: bool = False
    example: bool = False
    """True if it was opened to look at, and is nobody's own."""

    def step(self, key: str) -> DecisionStep | None:
        """The step with this key."""
        return next((each for each in self.steps if each.key == key), None)

    def having(self, step: DecisionStep) -> Decision:
        """The same decision with this step in place of the one of its key."""
        return replace(self, steps=tuple(step if each.key == step.key else each for each in self.steps))


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """An approved result of a step: nothing changes it any more. `data` is a record, with ids (C-17)."""

    decision: ThreadKey
    component: str
    number: int
    """Counted from 1 in its step."""
    data: Mapping[str, Any]
    extracted_at: str
    """ISO, UTC (S0-040)."""
    approved_at: str
    """ISO, UTC."""
    approved_by: str
    """Slack's user id."""
    prompt_version: str
    schema_version: str
    model: str = ""
    """Which model wrote it; empty if people did."""
    based_on: Mapping[str, int] = field(default_factory=dict[str, int])
    """Which version of each earlier component it was made with."""


class ComponentOn(StrEnum):
    """What can happen to a component. Where T10 asks for a condition, each answer is an event of its own."""

    STARTED = "started"
    STARTED_WITHOUT_PREREQUISITE = "started_without_prerequisite"
    APPROVED = "approved"
    UPSTREAM_CHANGED = "upstream_changed"
    """A component that this one builds on has a new version."""
    REOPENED = "reopened"
    CLOSED_WITH_VERSION = "closed_with_version"
    """Left as it was approved: a person says that it is still valid (C-03)."""
    CLOSED_WITHOUT_VERSION = "closed_without_version"


INITIAL: Final = ComponentStatus.NOT_STARTED

Cell = ComponentStatus | Refused | Nothing

_, IN_PROGRESS, COMPLETE, NEEDS_REVISION = ComponentStatus
ILLEGAL = Refused("ILLEGAL")
PREREQUISITE = Refused("PREREQUISITE")
NOT_COMPLETE = Refused("NOT_COMPLETE")
CRITERIA = Refused("CRITERIA")


def _row(not_started: Cell, in_progress: Cell, complete: Cell, needs_revision: Cell) -> Mapping[ComponentStatus, Cell]:
    return MappingProxyType(
        {
            ComponentStatus.NOT_STARTED: not_started,
            ComponentStatus.IN_PROGRESS: in_progress,
            ComponentStatus.COMPLETE: complete,
            ComponentStatus.NEEDS_REVISION: needs_revision,
        }
    )


# fmt: off
TABLE: Table[ComponentOn, ComponentStatus] = MappingProxyType({
    # event                                        not_started   in_progress   complete        needs_revision
    ComponentOn.STARTED:                      _row(IN_PROGRESS,  NOTHING,      NOTHING,        IN_PROGRESS),
    ComponentOn.STARTED_WITHOUT_PREREQUISITE: _row(PREREQUISITE, NOTHING,      NOTHING,        NOTHING),
    ComponentOn.APPROVED:                     _row(ILLEGAL,      COMPLETE,     NOTHING,        COMPLETE),
    ComponentOn.UPSTREAM_CHANGED:             _row(NOTHING,      IN_PROGRESS,  NEEDS_REVISION, NOTHING),
    ComponentOn.REOPENED:                     _row(NOT_COMPLETE, NOT_COMPLETE, IN_PROGRESS,    IN_PROGRESS),
    ComponentOn.CLOSED_WITH_VERSION:          _row(ILLEGAL,      COMPLETE,     NOTHING,        COMPLETE),
    ComponentOn.CLOSED_WITHOUT_VERSION:       _row(ILLEGAL,      CRITERIA,     NOTHING,        CRITERIA),
})
# fmt: on
"""T10. Nothing downstream is ever deleted: what builds on a changed component is flagged, and people look."""


def move(state: ComponentStatus, event: ComponentOn) -> ComponentStatus:
    """The status after the event; the same one if it means nothing here. Raises `IllegalEvent`."""
    return find_next_state(TABLE, state, event) or state
