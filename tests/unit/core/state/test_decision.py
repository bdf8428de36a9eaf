"""How a component stands in its decision (T10)."""

from __future__ import annotations

import pytest

from app.core.state.decision import INITIAL, TABLE, ComponentEvent, ComponentStatus, move
from app.core.state.table import NOTHING, find_refusal

NOT_STARTED, IN_PROGRESS, COMPLETE, NEEDS_REVISION = ComponentStatus


def leading(after: ComponentStatus) -> set[tuple[ComponentStatus, ComponentEvent]]:
    return {(state, event) for event in ComponentEvent for state in ComponentStatus if TABLE[event][state] is after}


def test_a_component_begins_as_not_started_and_nothing_leads_back_there() -> None:
    assert INITIAL is NOT_STARTED
    assert leading(NOT_STARTED) == set()


def test_a_component_is_complete_only_by_an_approval_or_because_its_approved_version_still_holds() -> None:
    assert leading(COMPLETE) == {
        (IN_PROGRESS, ComponentEvent.APPROVED),
        (NEEDS_REVISION, ComponentEvent.APPROVED),
        (IN_PROGRESS, ComponentEvent.CLOSED_WITH_VERSION),
        (NEEDS_REVISION, ComponentEvent.CLOSED_WITH_VERSION),
    }


@pytest.mark.parametrize(
    ("state", "event", "code"),
    [
        (NOT_STARTED, ComponentEvent.APPROVED, "ILLEGAL"),
        (NOT_STARTED, ComponentEvent.CLOSED_WITH_VERSION, "ILLEGAL"),
        (NOT_STARTED, ComponentEvent.CLOSED_WITHOUT_VERSION, "ILLEGAL"),
        (IN_PROGRESS, ComponentEvent.CLOSED_WITHOUT_VERSION, "CRITERIA"),
        (NEEDS_REVISION, ComponentEvent.CLOSED_WITHOUT_VERSION, "CRITERIA"),
        (NOT_STARTED, ComponentEvent.STARTED_WITHOUT_PREREQUISITE, "PREREQUISITE"),
        (NOT_STARTED, ComponentEvent.REOPENED, "NOT_COMPLETE"),
        (IN_PROGRESS, ComponentEvent.REOPENED, "NOT_COMPLETE"),
    ],
)
def test_what_was_never_started_or_never_approved_or_is_out_of_order_is_refused(
    state: ComponentStatus, event: ComponentEvent, code: str
) -> None:
    assert find_refusal(TABLE, state, event) == code


@pytest.mark.parametrize(
    ("state", "event", "after"),
    [
        (NOT_STARTED, ComponentEvent.STARTED, IN_PROGRESS),
        (IN_PROGRESS, ComponentEvent.STARTED, IN_PROGRESS),
        (COMPLETE, ComponentEvent.STARTED, COMPLETE),
        (NEEDS_REVISION, ComponentEvent.STARTED, IN_PROGRESS),
        (COMPLETE, ComponentEvent.UPSTREAM_CHANGED, NEEDS_REVISION),
        (IN_PROGRESS, ComponentEvent.UPSTREAM_CHANGED, IN_PROGRESS),
        (NOT_STARTED, ComponentEvent.UPSTREAM_CHANGED, NOT_STARTED),
        (COMPLETE, ComponentEvent.REOPENED, IN_PROGRESS),
        (NEEDS_REVISION, ComponentEvent.REOPENED, IN_PROGRESS),
    ],
)
def test_nothing_is_started_twice_and_a_change_upstream_flags_what_is_complete_alone(
    state: ComponentStatus, event: ComponentEvent, after: ComponentStatus
) -> None:
    assert move(state, event) is after


def test_an_event_means_nothing_where_it_has_happened_already_and_counts_elsewhere() -> None:
    nothing = {event: {state for state in ComponentStatus if row[state] is NOTHING} for event, row in TABLE.items()}
    assert {event: states for event, states in nothing.items() if states} == {
        ComponentEvent.STARTED: {IN_PROGRESS, COMPLETE},
        ComponentEvent.STARTED_WITHOUT_PREREQUISITE: {IN_PROGRESS, COMPLETE, NEEDS_REVISION},
        ComponentEvent.APPROVED: {COMPLETE},
        ComponentEvent.UPSTREAM_CHANGED: {NOT_STARTED, NEEDS_REVISION},
        ComponentEvent.CLOSED_WITH_VERSION: {COMPLETE},
        ComponentEvent.CLOSED_WITHOUT_VERSION: {COMPLETE},
    }
