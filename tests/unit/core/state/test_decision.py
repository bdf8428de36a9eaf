"""How a component stands in its decision (T10)."""

from __future__ import annotations

import pytest

from app.core.errors import IllegalEvent
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


def test_what_was_never_started_or_never_approved_cannot_be_finished() -> None:
    assert find_refusal(TABLE, NOT_STARTED, ComponentEvent.APPROVED) == "ILLEGAL"
    assert find_refusal(TABLE, NOT_STARTED, ComponentEvent.CLOSED_WITH_VERSION) == "ILLEGAL"
    assert find_refusal(TABLE, NOT_STARTED, ComponentEvent.CLOSED_WITHOUT_VERSION) == "ILLEGAL"
    assert find_refusal(TABLE, IN_PROGRESS, ComponentEvent.CLOSED_WITHOUT_VERSION) == "CRITERIA"
    assert find_refusal(TABLE, NEEDS_REVISION, ComponentEvent.CLOSED_WITHOUT_VERSION) == "CRITERIA"


def test_a_change_upstream_flags_what_is_complete_and_only_that() -> None:
    assert leading(NEEDS_REVISION) == {(COMPLETE, ComponentEvent.UPSTREAM_CHANGED)}
    assert move(IN_PROGRESS, ComponentEvent.UPSTREAM_CHANGED) is IN_PROGRESS
    assert move(NOT_STARTED, ComponentEvent.UPSTREAM_CHANGED) is NOT_STARTED


def test_a_component_out_of_order_is_refused_and_what_runs_already_is_left_alone() -> None:
    with pytest.raises(IllegalEvent) as refused:
        move(NOT_STARTED, ComponentEvent.STARTED_WITHOUT_PREREQUISITE)
    assert refused.value.code == "PREREQUISITE"
    later = (IN_PROGRESS, COMPLETE, NEEDS_REVISION)
    assert all(TABLE[ComponentEvent.STARTED_WITHOUT_PREREQUISITE][state] is NOTHING for state in later)


@pytest.mark.parametrize(
    ("state", "after"),
    [(NOT_STARTED, IN_PROGRESS), (IN_PROGRESS, IN_PROGRESS), (COMPLETE, COMPLETE), (NEEDS_REVISION, IN_PROGRESS)],
)
def test_starting_begins_what_is_not_there_and_starts_nothing_twice(
    state: ComponentStatus, after: ComponentStatus
) -> None:
    assert move(state, ComponentEvent.STARTED) is after


def test_only_what_was_complete_once_can_be_reopened() -> None:
    assert leading(IN_PROGRESS) >= {(COMPLETE, ComponentEvent.REOPENED), (NEEDS_REVISION, ComponentEvent.REOPENED)}
    assert {find_refusal(TABLE, state, ComponentEvent.REOPENED) for state in (NOT_STARTED, IN_PROGRESS)} == {
        "NOT_COMPLETE"
    }


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
