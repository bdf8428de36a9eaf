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


@pytest.mark.parametrize("state", [IN_PROGRESS, CONFIRMED])
def test_a_message_in_the_midst_of_it_or_before_the_ok_changes_nothing_by_itself(state: Lifecycle) -> None:
    assert move(state, LifecycleEvent.MESSAGE_POSTED) is state


def test_a_message_to_one_that_is_being_set_up_waits_until_it_is_ready() -> None:
    assert move(INITIALIZING, LifecycleEvent.MESSAGE_POSTED) is INITIALIZING


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


@pytest.mark.parametrize("state", NOT_YET_CONFIRMED)
def test_nothing_is_approved_before_it_waits_for_an_ok(state: Lifecycle) -> None:
    assert find_refusal(TABLE, state, LifecycleEvent.APPROVED) == "NOT_CONFIRMED"
    assert find_refusal(TABLE, state, LifecycleEvent.APPROVED_INCOMPLETE) == "NOT_CONFIRMED"


def test_an_approval_with_gaps_or_that_could_not_be_saved_leaves_the_question_open() -> None:
    assert find_refusal(TABLE, CONFIRMED, LifecycleEvent.APPROVED_INCOMPLETE) == "CRITERIA"
    assert move(CONFIRMED, LifecycleEvent.SAVE_FAILED) is CONFIRMED


def test_an_approval_that_is_heard_twice_changes_nothing_the_second_time() -> None:
    assert TABLE[LifecycleEvent.APPROVED][COMPLETE] is NOTHING


@pytest.mark.parametrize("state", [READY, IN_PROGRESS, CONFIRMED])
def test_a_step_without_an_approved_version_cannot_be_closed(state: Lifecycle) -> None:
    assert find_refusal(TABLE, state, LifecycleEvent.CLOSED_WITHOUT_VERSION) == "CRITERIA"


@pytest.mark.req("S0-059")
def test_what_is_complete_is_changed_by_nothing_but_reopening_it() -> None:
    assert {(event, after) for before, event, after in MOVES if before is COMPLETE} == {
        (LifecycleEvent.REOPENED, IN_PROGRESS)
    }
    assert find_refusal(TABLE, COMPLETE, LifecycleEvent.MESSAGE_POSTED) == "READ_ONLY"


@pytest.mark.req("S0-265")
@pytest.mark.parametrize(
    "event", [LifecycleEvent.EDITED_WITH_DRAFT, LifecycleEvent.EDITED_WITHOUT_DRAFT, LifecycleEvent.EDIT_INVALID]
)
def test_revising_what_is_complete_is_refused_with_words_of_its_own(event: LifecycleEvent) -> None:
    assert find_refusal(TABLE, COMPLETE, event) == "CANNOT_REVISE"


@pytest.mark.req("S0-269")
@pytest.mark.parametrize("state", [state for state in Lifecycle if state is not COMPLETE])
def test_only_what_is_complete_can_be_reopened(state: Lifecycle) -> None:
    assert find_refusal(TABLE, state, LifecycleEvent.REOPENED) == "NOT_COMPLETE"
    assert move(COMPLETE, LifecycleEvent.REOPENED) is IN_PROGRESS


@pytest.mark.parametrize("event", [LifecycleEvent.CHANGE_REQUESTED, LifecycleEvent.RESTARTED])
def test_whoever_wants_changes_goes_on_talking(event: LifecycleEvent) -> None:
    assert move(CONFIRMED, event) is IN_PROGRESS
    assert move(IN_PROGRESS, event) is IN_PROGRESS


@pytest.mark.req("S0-267")
def test_an_edit_replaces_what_waits_and_brings_back_what_was_drafted() -> None:
    assert move(CONFIRMED, LifecycleEvent.EDITED_WITH_DRAFT) is CONFIRMED
    assert move(IN_PROGRESS, LifecycleEvent.EDITED_WITH_DRAFT) is CONFIRMED


def test_an_edit_or_a_restart_has_nothing_to_show_where_nothing_was_captured() -> None:
    still_open = (*NOT_YET_CONFIRMED, CONFIRMED)
    assert {find_refusal(TABLE, state, LifecycleEvent.EDITED_WITHOUT_DRAFT) for state in still_open} == {
        "NO_EXTRACTION"
    }
    for event in (LifecycleEvent.EDITED_WITH_DRAFT, LifecycleEvent.EDIT_INVALID):
        assert {find_refusal(TABLE, state, event) for state in (INITIALIZING, READY)} == {"NO_EXTRACTION"}
    assert find_refusal(TABLE, IN_PROGRESS, LifecycleEvent.RESTARTED_CONFIRM_WITHOUT_DRAFT) == "NO_EXTRACTION"


def test_an_edit_with_wrong_fields_changes_nothing() -> None:
    assert move(IN_PROGRESS, LifecycleEvent.EDIT_INVALID) is IN_PROGRESS
    assert move(CONFIRMED, LifecycleEvent.EDIT_INVALID) is CONFIRMED


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
