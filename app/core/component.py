"""How a component stands in its decision, as a table (requirements T10).

The order of the components is not known here: whoever starts one says whether what it needs was started.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from app.core.states import ComponentStatus
from app.core.table import NOTHING, Nothing, Refused, Table, following


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


def moved(state: ComponentStatus, event: ComponentOn) -> ComponentStatus:
    """The status after the event; the same one if it means nothing here. Raises `IllegalEvent`."""
    return following(TABLE, state, event) or state
