"""A decision with its steps, its versions, and the table of a component's status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from app.core.state.interview import FileTrace, VouchedFigure
from app.core.state.table import NOTHING, Refused, Table, build_row, find_next_state
from app.core.thread import ThreadKey

FRAME: Final = "problem_frame"
"""The component whose gist is the decision's question."""


class ComponentStatus(StrEnum):
    """Status of a component in its decision."""

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
    """Key of the step that must be started before; empty if none."""
    concerns: tuple[str, ...] = ()
    """Keys of the steps to review when this one changes."""
    closes: bool = False
    """True if the decision can be closed when this step is complete."""
    status: ComponentStatus = ComponentStatus.NOT_STARTED
    thread: ThreadKey | None = None
    version: int = 0
    """The newest approved version; 0 if there is none."""
    based_on: Mapping[str, int] = field(default_factory=dict[str, int])
    """Version of each earlier step that this version was made with."""
    handles: Mapping[str, int] = field(default_factory=dict[str, int])
    """The highest number given with each letter. No handle is given twice, even if the step is restarted."""
    erased: int = 0
    """Number of times its thread was erased."""
    waits: bool = False
    """True while a draft waits for the owner's OK."""
    lacks: bool = False
    """True while that draft cannot be approved yet, because something is missing."""
    shown: str = ""
    """Slack's ts of the newest card that its owner has to look at; empty if none was posted."""
    gist: str = ""
    """The result in a few words."""
    deadline: str = ""
    """ISO date by which the decision is due, from that version; empty if it names none."""
    question: str = ""
    """The question that the decision is to answer, from that version; empty if it words none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A guided decision: a group of steps with one owner."""

    question: str
    """As it was typed when the decision began."""
    steps: tuple[DecisionStep, ...]
    deadline: str = ""
    """ISO date, as the problem frame has it."""
    closed: bool = False
    example: bool = False
    """True for the worked example, which is no one's own decision."""

    @property
    def threads(self) -> tuple[ThreadKey, ...]:
        """Return the threads of the steps that have begun."""
        return tuple(step.thread for step in self.steps if step.thread)

    @property
    def name(self) -> str:
        """Return the question as it was approved; as it was typed while none is."""
        # A frame that was stored before its question was kept has it as its gist.
        framed = (each.question or (each.gist if each.key == FRAME else "") for each in self.steps)
        return next(filter(None, framed), self.question)

    def step(self, key: str) -> DecisionStep | None:
        """Return the step with this key, or None."""
        return next((each for each in self.steps if each.key == key), None)

    def can_begin(self, step: DecisionStep) -> bool:
        """Return True if a step can begin, because the step before it has begun, or there is none."""
        before = self.step(step.after)
        return before is None or before.status is not ComponentStatus.NOT_STARTED

    @property
    def can_close(self) -> bool:
        """Return True if each step that has to be complete before is complete."""
        return all(step.status is ComponentStatus.COMPLETE for step in self.steps if step.closes)

    def needs_another_look(self, step: DecisionStep) -> bool:
        """Return True if a step that this one builds on has a newer version than its result was made with."""
        if step.status is ComponentStatus.NEEDS_REVISION:
            return True
        is_reopened = step.status is ComponentStatus.IN_PROGRESS and step.version > 0
        return is_reopened and bool(self.list_newer(step))

    def list_newer(self, step: DecisionStep) -> tuple[DecisionStep, ...]:
        """Return the steps that this one builds on whose version is newer than its result was made with, in order."""
        return tuple(
            each for each in self.steps if step.key in each.concerns and step.based_on.get(each.key, 0) < each.version
        )

    def replace_step(self, step: DecisionStep) -> Decision:
        """Return the decision with this step in place of the one with its key."""
        return replace(self, steps=tuple(step if each.key == step.key else each for each in self.steps))


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """An approved result of a step, which never changes. `data` is a record, with ids."""

    decision: ThreadKey
    component: str
    number: int
    """Counted from 1 in its step."""
    data: Mapping[str, Any]
    extracted_at: str
    """ISO, UTC."""
    approved_at: str
    """ISO, UTC."""
    approved_by: str
    """Slack's user id."""
    prompt_version: str
    schema_version: str
    model: str = ""
    """The model that wrote it; empty if people did."""
    based_on: Mapping[str, int] = field(default_factory=dict[str, int])
    """Version of each earlier component that it was made with."""
    vouched: tuple[VouchedFigure, ...] = ()
    """Its numbers and dates that no message holds, with the people who stand for them."""
    traces: tuple[FileTrace, ...] = ()
    """Its names, numbers and dates that stand in files, and where."""
    suggested: tuple[str, ...] = ()
    """Places of its facts and words that nobody said, and that the card showed as suggestions: `U1.driver`."""


class ComponentEvent(StrEnum):
    """Event of a component. If a transition depends on a condition, each outcome is an event of its own."""

    STARTED = "started"
    STARTED_WITHOUT_PREREQUISITE = "started_without_prerequisite"
    APPROVED = "approved"
    UPSTREAM_CHANGED = "upstream_changed"
    """A component that this one builds on has a new version."""
    REOPENED = "reopened"
    CLOSED_WITH_VERSION = "closed_with_version"
    """Closed with its last version, which a person has said is still valid."""
    CLOSED_WITHOUT_VERSION = "closed_without_version"


INITIAL: Final = ComponentStatus.NOT_STARTED


_, IN_PROGRESS, COMPLETE, NEEDS_REVISION = ComponentStatus
ILLEGAL = Refused("ILLEGAL")
PREREQUISITE = Refused("PREREQUISITE")
NOT_COMPLETE = Refused("NOT_COMPLETE")
CRITERIA = Refused("CRITERIA")


_row = partial(build_row, ComponentStatus)

# fmt: off
TABLE: Table[ComponentEvent, ComponentStatus] = MappingProxyType({
    # event                                        not_started   in_progress   complete        needs_revision
    ComponentEvent.STARTED:                      _row(IN_PROGRESS,  NOTHING,      NOTHING,        IN_PROGRESS),
    ComponentEvent.STARTED_WITHOUT_PREREQUISITE: _row(PREREQUISITE, NOTHING,      NOTHING,        NOTHING),
    ComponentEvent.APPROVED:                     _row(ILLEGAL,      COMPLETE,     NOTHING,        COMPLETE),
    ComponentEvent.UPSTREAM_CHANGED:             _row(NOTHING,      IN_PROGRESS,  NEEDS_REVISION, NOTHING),
    ComponentEvent.REOPENED:                     _row(NOT_COMPLETE, NOT_COMPLETE, IN_PROGRESS,    IN_PROGRESS),
    ComponentEvent.CLOSED_WITH_VERSION:          _row(ILLEGAL,      COMPLETE,     NOTHING,        COMPLETE),
    ComponentEvent.CLOSED_WITHOUT_VERSION:       _row(ILLEGAL,      CRITERIA,     NOTHING,        CRITERIA),
})
# fmt: on
"""Nothing downstream is ever deleted: a component that builds on a changed one is flagged, and people review it."""


def move(state: ComponentStatus, event: ComponentEvent) -> ComponentStatus:
    """Return the status after the event; the same one if it means nothing here. Raises `IllegalEvent`."""
    return find_next_state(TABLE, state, event) or state
