"""How far a conversation is (T2): what makes it ready, confirmed, complete, and what opens it again."""

from __future__ import annotations

import pytest

from app.core.state.lifecycle import (
    TABLE,
    Lifecycle,
    LifecycleEvent,
    can_generate_response,
    move,
)
from app.core.state.table import NOTHING, find_refusal

param, mark = pytest.param, pytest.mark
INITIALIZING, READY, IN_PROGRESS, CONFIRMED, COMPLETE = Lifecycle
NOT_YET_CONFIRMED = (INITIALIZING, READY, IN_PROGRESS)

MOVES = {
    (state, event, after)
    for event in LifecycleEvent
    for state in Lifecycle
    if isinstance(after := TABLE[event][state], Lifecycle) and after is not state
}


def leading(after: Lifecycle) -> set[tuple[Lifecycle, LifecycleEvent]]:
    return {(before, event) for before, event, then in MOVES if then is after}


@pytest.mark.req("S0-060")
def test_the_states_are_stored_under_the_names_that_were_agreed() -> None:
    assert [state.value for state in Lifecycle] == ["initializing", "ready", "in_progress", "confirmed", "complete"]


@pytest.mark.req("S0-051")
def test_a_conversation_is_ready_when_it_has_been_set_up_and_in_no_other_way() -> None:
    assert leading(READY) == {(INITIALIZING, LifecycleEvent.INITIALISED)}


def test_setting_up_can_fail_until_it_has_succeeded_and_is_tried_again() -> None:
    assert move(INITIALIZING, LifecycleEvent.INIT_FAILED) is INITIALIZING
    later = (READY, IN_PROGRESS, CONFIRMED, COMPLETE)
    assert {find_refusal(TABLE, state, LifecycleEvent.INIT_FAILED) for state in later} == {"ILLEGAL"}


@pytest.mark.req("S0-053")
def test_the_first_message_of_a_person_begins_the_conversation() -> None:
    assert move(READY, LifecycleEvent.MESSAGE_POSTED) is IN_PROGRESS
    assert (READY, LifecycleEvent.MESSAGE_POSTED) in leading(IN_PROGRESS)
    assert [event for before, event, _ in MOVES if before is READY] == [LifecycleEvent.MESSAGE_POSTED]


@pytest.mark.parametrize(
    ("event", "states", "after"),
    [
        param(LifecycleEvent.MESSAGE_POSTED, [INITIALIZING], INITIALIZING, id="a message waits until all is set up"),
        param(LifecycleEvent.MESSAGE_POSTED, [IN_PROGRESS], IN_PROGRESS, id="a message in the midst changes nothing"),
        param(LifecycleEvent.MESSAGE_POSTED, [CONFIRMED], CONFIRMED, id="a message is no approval"),
        param(LifecycleEvent.SAVE_FAILED, [CONFIRMED], CONFIRMED, id="what could not be saved is not approved"),
        param(LifecycleEvent.CHANGE_REQUESTED, [IN_PROGRESS, CONFIRMED], IN_PROGRESS, id="who wants changes talks on"),
        param(LifecycleEvent.RESTARTED, [IN_PROGRESS, CONFIRMED], IN_PROGRESS, id="who begins anew talks on"),
        param(
            LifecycleEvent.EDITED_WITH_DRAFT,
            [IN_PROGRESS, CONFIRMED],
            CONFIRMED,
            marks=mark.req("S0-267"),
            id="an edit replaces what waits and brings back what was drafted",
        ),
        param(LifecycleEvent.EDIT_INVALID, [IN_PROGRESS], IN_PROGRESS, id="an edit with wrong fields changes nothing"),
        param(LifecycleEvent.EDIT_INVALID, [CONFIRMED], CONFIRMED, id="nor does it where a draft waits"),
    ],
)
def test_what_happens_leads_where_it_must(event: LifecycleEvent, states: list[Lifecycle], after: Lifecycle) -> None:
    assert [move(state, event) for state in states] == [after] * len(states)


@pytest.mark.parametrize(
    ("code", "events", "states"),
    [
        param(
            "NOT_CONFIRMED",
            [LifecycleEvent.APPROVED, LifecycleEvent.APPROVED_INCOMPLETE],
            NOT_YET_CONFIRMED,
            id="nothing is approved before it waits for an ok",
        ),
        param("CRITERIA", [LifecycleEvent.APPROVED_INCOMPLETE], [CONFIRMED], id="gaps are not approved"),
        param(
            "CRITERIA",
            [LifecycleEvent.CLOSED_WITHOUT_VERSION],
            [READY, IN_PROGRESS, CONFIRMED],
            id="a step without an approved version is not closed",
        ),
        param(
            "CANNOT_REVISE",
            [LifecycleEvent.EDITED_WITH_DRAFT, LifecycleEvent.EDITED_WITHOUT_DRAFT, LifecycleEvent.EDIT_INVALID],
            [COMPLETE],
            marks=mark.req("S0-265"),
            id="what is complete is not revised",
        ),
        param(
            "NO_EXTRACTION",
            [LifecycleEvent.EDITED_WITHOUT_DRAFT],
            [*NOT_YET_CONFIRMED, CONFIRMED],
            id="an edit has nothing to show where nothing was captured",
        ),
        param(
            "NO_EXTRACTION",
            [LifecycleEvent.EDITED_WITH_DRAFT, LifecycleEvent.EDIT_INVALID],
            [INITIALIZING, READY],
            id="before the first word there is nothing to edit",
        ),
        param(
            "NO_EXTRACTION",
            [LifecycleEvent.RESTARTED_CONFIRM_WITHOUT_DRAFT],
            [IN_PROGRESS],
            id="a restart has nothing to show where nothing was captured",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(
    code: str, events: list[LifecycleEvent], states: list[Lifecycle]
) -> None:
    assert {find_refusal(TABLE, state, event) for event in events for state in states} == {code}


@pytest.mark.req("S0-056")
def test_only_a_valid_extraction_or_a_draft_that_a_person_brought_up_waits_for_an_ok() -> None:
    assert leading(CONFIRMED) == {
        (IN_PROGRESS, LifecycleEvent.VALIDATED),
        (IN_PROGRESS, LifecycleEvent.EDITED_WITH_DRAFT),
        (IN_PROGRESS, LifecycleEvent.RESTARTED_CONFIRM_WITH_DRAFT),
    }


@pytest.mark.req("S0-057", "S0-058")
def test_only_an_approval_or_an_approved_version_left_as_it_was_completes_a_conversation() -> None:
    assert leading(COMPLETE) == {
        (CONFIRMED, LifecycleEvent.APPROVED),
        (CONFIRMED, LifecycleEvent.CLOSED_WITH_VERSION),
        (IN_PROGRESS, LifecycleEvent.CLOSED_WITH_VERSION),
    }


def test_an_approval_that_is_heard_twice_changes_nothing_the_second_time() -> None:
    assert TABLE[LifecycleEvent.APPROVED][COMPLETE] is NOTHING


@pytest.mark.req("S0-059")
def test_what_is_complete_is_changed_by_nothing_but_reopening_it() -> None:
    assert {(event, after) for before, event, after in MOVES if before is COMPLETE} == {
        (LifecycleEvent.REOPENED, IN_PROGRESS)
    }
    assert find_refusal(TABLE, COMPLETE, LifecycleEvent.MESSAGE_POSTED) == "READ_ONLY"


@pytest.mark.req("S0-269")
@pytest.mark.parametrize("state", [state for state in Lifecycle if state is not COMPLETE])
def test_only_what_is_complete_can_be_reopened(state: Lifecycle) -> None:
    assert find_refusal(TABLE, state, LifecycleEvent.REOPENED) == "NOT_COMPLETE"
    assert move(COMPLETE, LifecycleEvent.REOPENED) is IN_PROGRESS


def test_a_second_extraction_over_one_that_waits_is_refused() -> None:
    assert find_refusal(TABLE, CONFIRMED, LifecycleEvent.VALIDATED) == "ILLEGAL"
    assert find_refusal(TABLE, CONFIRMED, LifecycleEvent.EXTRACTION_FAILED) == "ILLEGAL"
    assert move(IN_PROGRESS, LifecycleEvent.EXTRACTION_FAILED) is IN_PROGRESS


@pytest.mark.parametrize("event", [LifecycleEvent.ARCHIVED, LifecycleEvent.UNARCHIVED])
@pytest.mark.parametrize("state", list(Lifecycle))
def test_archiving_freezes_a_conversation_and_does_not_change_how_far_it_is(
    state: Lifecycle, event: LifecycleEvent
) -> None:
    assert TABLE[event][state] is NOTHING
    assert move(state, event) is state


@pytest.mark.req("S0-061", "S0-062", "S0-063")
@pytest.mark.parametrize(
    ("state", "speaks", "changes"),
    [
        (INITIALIZING, False, True),
        (READY, True, True),
        (IN_PROGRESS, True, True),
        (CONFIRMED, True, True),
        (COMPLETE, False, False),
    ],
)
def test_people_and_model_speak_between_ready_and_confirmed_and_only_complete_is_closed(
    state: Lifecycle, speaks: bool, changes: bool
) -> None:
    assert can_generate_response(state) is speaks
    assert (TABLE[LifecycleEvent.MESSAGE_POSTED][state] in {IN_PROGRESS, CONFIRMED}) is speaks
    assert (find_refusal(TABLE, state, LifecycleEvent.MESSAGE_POSTED) is None) is changes


def test_an_event_means_nothing_where_it_has_happened_already_and_counts_elsewhere() -> None:
    nothing = {event: {state for state in Lifecycle if row[state] is NOTHING} for event, row in TABLE.items()}
    assert {event: states for event, states in nothing.items() if states} == {
        LifecycleEvent.STARTED: set(Lifecycle),
        LifecycleEvent.INITIALISED: {READY, IN_PROGRESS, CONFIRMED, COMPLETE},
        LifecycleEvent.CHANGE_REQUESTED: {READY},
        LifecycleEvent.RESTARTED_CONFIRM_WITH_DRAFT: {CONFIRMED},
        LifecycleEvent.RESTARTED_CONFIRM_WITHOUT_DRAFT: {CONFIRMED},
        **dict.fromkeys(
            (
                LifecycleEvent.APPROVED,
                LifecycleEvent.APPROVED_INCOMPLETE,
                LifecycleEvent.SAVE_FAILED,
                LifecycleEvent.CLOSED_WITH_VERSION,
                LifecycleEvent.CLOSED_WITHOUT_VERSION,
            ),
            frozenset({COMPLETE}),
        ),
        LifecycleEvent.ARCHIVED: set(Lifecycle),
        LifecycleEvent.UNARCHIVED: set(Lifecycle),
    }


def test_what_belongs_to_a_later_state_is_refused_before_it() -> None:
    later = {
        LifecycleEvent.VALIDATED,
        LifecycleEvent.EXTRACTION_FAILED,
        LifecycleEvent.RESTARTED,
        LifecycleEvent.RESTARTED_CONFIRM_WITH_DRAFT,
        LifecycleEvent.RESTARTED_CONFIRM_WITHOUT_DRAFT,
        LifecycleEvent.SAVE_FAILED,
    }
    assert {find_refusal(TABLE, state, event) for state in (INITIALIZING, READY) for event in later} == {"ILLEGAL"}
    assert {find_refusal(TABLE, INITIALIZING, event) for event in LifecycleEvent if "closed" in event} == {"ILLEGAL"}
    assert find_refusal(TABLE, INITIALIZING, LifecycleEvent.CHANGE_REQUESTED) == "ILLEGAL"
    assert find_refusal(TABLE, IN_PROGRESS, LifecycleEvent.SAVE_FAILED) == "ILLEGAL"
    assert find_refusal(TABLE, READY, LifecycleEvent.CLOSED_WITH_VERSION) == "CRITERIA"


def test_what_comes_after_the_end_is_read_only() -> None:
    talk = {
        LifecycleEvent.VALIDATED,
        LifecycleEvent.EXTRACTION_FAILED,
        LifecycleEvent.CHANGE_REQUESTED,
        LifecycleEvent.RESTARTED,
        LifecycleEvent.RESTARTED_CONFIRM_WITH_DRAFT,
        LifecycleEvent.RESTARTED_CONFIRM_WITHOUT_DRAFT,
    }
    assert {find_refusal(TABLE, COMPLETE, event) for event in talk} == {"READ_ONLY"}
