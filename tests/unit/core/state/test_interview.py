"""Where the interview of a component is (T3): its steps and its hops."""

from __future__ import annotations

from itertools import pairwise

import pytest

from app.core.state.interview import HOPS, INITIAL, TABLE, Phase, PhaseEvent, move
from app.core.state.table import NOTHING, find_refusal

INTRO, GATHER, CLARIFY, EXTRACT, CONFIRM = Phase
TALKING = (INTRO, GATHER, CLARIFY)

REMARKS = (PhaseEvent.ANSWERED, PhaseEvent.INCONSISTENT, PhaseEvent.DONE_WITH_CONTENT, PhaseEvent.DONE_WITHOUT_CONTENT)
"""What can be said of a draft without wanting it changed."""

ENOUGH = (
    PhaseEvent.SUMMARIZE_WITH_CONTENT,
    PhaseEvent.DONE_WITH_CONTENT,
    PhaseEvent.TURNS_EXHAUSTED,
    PhaseEvent.RESTARTED_FROM_EXTRACT_WITH_CONTENT,
)
REGARDLESS = (
    PhaseEvent.SUMMARIZE_WITHOUT_CONTENT,
    PhaseEvent.DONE_WITHOUT_CONTENT,
    PhaseEvent.RESTARTED_FROM_EXTRACT_WITHOUT_CONTENT,
)

BY_CHOICE = {event for event in PhaseEvent if event.startswith(("restarted_", "edited_"))}
"""What a person decides may lead anywhere."""

ILLEGAL_STEPS = {
    *((INTRO, then) for then in (CLARIFY, EXTRACT, CONFIRM)),
    *((GATHER, then) for then in (INTRO, CONFIRM)),
    *((CLARIFY, then) for then in (INTRO, CONFIRM)),
    *((EXTRACT, then) for then in (INTRO, CLARIFY)),
    *((CONFIRM, then) for then in (INTRO, CLARIFY, EXTRACT)),
}


def path(state: Phase, event: PhaseEvent) -> list[tuple[Phase, Phase]]:
    """Every single step of a move, with its hops."""
    passed = [state, *HOPS.get((event, state), ()), move(state, event)]
    return list(pairwise(passed))


def allowed(event: PhaseEvent) -> list[Phase]:
    return [state for state in Phase if find_refusal(TABLE, state, event) is None]


@pytest.mark.req("S0-064")
def test_the_phases_are_stored_under_the_names_that_were_agreed() -> None:
    assert [state.value for state in Phase] == ["intro", "gather", "clarify", "extract", "confirm"]
    assert INITIAL is INTRO


@pytest.mark.parametrize("event", sorted(set(PhaseEvent) - BY_CHOICE))
def test_no_phase_is_left_out_unless_a_person_decides_so(event: PhaseEvent) -> None:
    steps = {step for state in allowed(event) for step in path(state, event)}
    assert not steps & ILLEGAL_STEPS


@pytest.mark.parametrize(("event", "state"), list(HOPS))
def test_a_hop_is_on_the_way_of_a_move_that_exists(event: PhaseEvent, state: Phase) -> None:
    steps = path(state, event)
    assert len(steps) > 1
    assert all(before is not after for before, after in steps)


@pytest.mark.req("S0-071")
def test_intro_ends_with_the_first_message_that_is_answered() -> None:
    assert move(INTRO, PhaseEvent.ANSWERED) is GATHER


def test_intro_goes_no_further_than_gather_in_one_step_however_much_was_said_in_it() -> None:
    assert move(INTRO, PhaseEvent.READY) is GATHER
    assert move(INTRO, PhaseEvent.INCONSISTENT) is GATHER


@pytest.mark.req("S0-072", "S0-055")
def test_gather_goes_on_until_something_is_found() -> None:
    assert move(GATHER, PhaseEvent.ANSWERED) is GATHER
    assert move(GATHER, PhaseEvent.CLARIFIED) is GATHER


@pytest.mark.req("S0-073")
def test_what_does_not_fit_leads_from_gather_to_clarify() -> None:
    assert move(GATHER, PhaseEvent.INCONSISTENT) is CLARIFY


@pytest.mark.req("S0-074")
@pytest.mark.parametrize(
    "event",
    [PhaseEvent.READY, PhaseEvent.SUMMARIZE_WITH_CONTENT, PhaseEvent.DONE_WITH_CONTENT, PhaseEvent.TURNS_EXHAUSTED],
)
def test_gather_ends_with_an_extraction_whoever_says_that_it_is_enough(event: PhaseEvent) -> None:
    assert move(GATHER, event) is EXTRACT


@pytest.mark.req("S0-075", "S0-076")
def test_clarify_goes_back_to_gather_or_on_to_extract_if_that_settled_it_all() -> None:
    assert move(CLARIFY, PhaseEvent.CLARIFIED) is GATHER
    assert move(CLARIFY, PhaseEvent.READY) is EXTRACT
    assert move(CLARIFY, PhaseEvent.ANSWERED) is CLARIFY


def test_a_second_contradiction_while_clarifying_is_written_down_as_found_in_gather() -> None:
    assert path(CLARIFY, PhaseEvent.INCONSISTENT) == [(CLARIFY, GATHER), (GATHER, CLARIFY)]


@pytest.mark.req("S0-077")
def test_a_valid_extraction_leads_to_confirm_and_nothing_but_a_person_leads_there_else() -> None:
    assert move(EXTRACT, PhaseEvent.VALIDATED) is CONFIRM
    others = set(PhaseEvent) - BY_CHOICE - {PhaseEvent.VALIDATED}
    entering = {(event, state) for event in others for state in Phase if TABLE[event][state] is CONFIRM}
    assert {state for _, state in entering} == {CONFIRM}


def test_an_extraction_that_failed_for_good_is_talked_about() -> None:
    assert move(EXTRACT, PhaseEvent.ATTEMPTS_EXHAUSTED) is GATHER


def test_an_extraction_that_was_broken_off_ends_where_it_began() -> None:
    assert path(EXTRACT, PhaseEvent.BROKEN_OFF_AFTER_GATHER) == [(EXTRACT, GATHER)]
    assert path(EXTRACT, PhaseEvent.BROKEN_OFF_AFTER_CLARIFY) == [(EXTRACT, GATHER), (GATHER, CLARIFY)]


@pytest.mark.parametrize("event", [PhaseEvent.BROKEN_OFF_AFTER_GATHER, PhaseEvent.BROKEN_OFF_AFTER_CLARIFY])
@pytest.mark.parametrize("state", [*TALKING, CONFIRM])
def test_an_answer_that_was_broken_off_leaves_the_phase_alone(state: Phase, event: PhaseEvent) -> None:
    assert move(state, event) is state


@pytest.mark.req("S0-078")
def test_whoever_wants_changes_is_back_in_gather() -> None:
    assert move(CONFIRM, PhaseEvent.CHANGE_REQUESTED) is GATHER


@pytest.mark.parametrize("state", TALKING)
def test_a_wish_for_changes_where_nothing_was_shown_is_a_plain_message(state: Phase) -> None:
    assert TABLE[PhaseEvent.CHANGE_REQUESTED][state] is NOTHING


@pytest.mark.req("S0-079", "S0-081")
def test_confirm_is_the_last_phase_and_is_left_by_no_approval() -> None:
    assert move(CONFIRM, PhaseEvent.APPROVED) is CONFIRM
    assert {move(CONFIRM, event) for event in REMARKS} == {CONFIRM}
    assert {find_refusal(TABLE, state, PhaseEvent.APPROVED) for state in Phase if state is not CONFIRM} == {
        "NOT_CONFIRMED"
    }


@pytest.mark.req("S0-216")
@pytest.mark.parametrize("state", TALKING)
def test_who_wants_to_see_what_was_captured_gets_an_extraction(state: Phase) -> None:
    assert path(state, PhaseEvent.DONE_WITH_CONTENT)[-1][1] is EXTRACT


@pytest.mark.parametrize("event", ENOUGH)
def test_an_extraction_out_of_intro_or_of_what_was_shown_passes_gather(event: PhaseEvent) -> None:
    assert path(INTRO, event) == [(INTRO, GATHER), (GATHER, EXTRACT)]
    restarted = [event for event in PhaseEvent if event.startswith("restarted_from_extract")]
    assert all(path(CONFIRM, event) == [(CONFIRM, GATHER), (GATHER, EXTRACT)] for event in restarted)


@pytest.mark.parametrize("event", [*ENOUGH, *REGARDLESS])
@pytest.mark.parametrize("state", [GATHER, CLARIFY])
def test_an_extraction_begins_straight_from_gather_and_clarify(state: Phase, event: PhaseEvent) -> None:
    assert path(state, event) == [(state, EXTRACT)]


def test_nothing_is_extracted_from_nothing() -> None:
    assert move(INTRO, PhaseEvent.DONE_WITHOUT_CONTENT) is INTRO
    assert find_refusal(TABLE, INTRO, PhaseEvent.SUMMARIZE_WITHOUT_CONTENT) == "ILLEGAL"
    assert find_refusal(TABLE, INTRO, PhaseEvent.RESTARTED_FROM_EXTRACT_WITHOUT_CONTENT) == "NO_EXTRACTION"


@pytest.mark.parametrize(
    "event",
    [PhaseEvent.DONE_WITH_CONTENT, PhaseEvent.DONE_WITHOUT_CONTENT, PhaseEvent.READY, PhaseEvent.TURNS_EXHAUSTED],
)
def test_an_extraction_is_not_begun_twice(event: PhaseEvent) -> None:
    assert TABLE[event][EXTRACT] is NOTHING


@pytest.mark.parametrize("event", [PhaseEvent.ANSWERED, PhaseEvent.CHANGE_REQUESTED, PhaseEvent.INCONSISTENT])
def test_what_is_said_while_extract_works_waits_for_the_next_phase(event: PhaseEvent) -> None:
    assert move(EXTRACT, event) is EXTRACT


@pytest.mark.req("S0-267")
@pytest.mark.parametrize("state", [GATHER, CLARIFY, CONFIRM])
def test_an_edited_draft_is_shown_for_an_ok_again(state: Phase) -> None:
    assert move(state, PhaseEvent.EDITED_WITH_DRAFT) is CONFIRM
    assert move(state, PhaseEvent.RESTARTED_CONFIRM_WITH_DRAFT) is CONFIRM
    assert find_refusal(TABLE, state, PhaseEvent.EDITED_WITHOUT_DRAFT) == "NO_EXTRACTION"


def test_a_draft_cannot_be_edited_while_the_next_one_is_made() -> None:
    shown = [event for event in PhaseEvent if event.startswith(("edited", "restarted_confirm"))]
    assert {find_refusal(TABLE, EXTRACT, event) for event in shown} == {"BUSY"}


@pytest.mark.parametrize("state", list(Phase))
@pytest.mark.parametrize(
    ("event", "target"),
    [
        (PhaseEvent.RESTARTED_FROM_INTRO, INTRO),
        (PhaseEvent.RESTARTED_FROM_GATHER, GATHER),
        (PhaseEvent.RESTARTED_FROM_CLARIFY, CLARIFY),
        (PhaseEvent.RESTARTED_FROM_EXTRACT_WITH_CONTENT, EXTRACT),
    ],
)
def test_a_restart_leads_to_the_phase_that_was_chosen_from_everywhere(
    state: Phase, event: PhaseEvent, target: Phase
) -> None:
    assert move(state, event) is target


@pytest.mark.req("S0-271")
@pytest.mark.parametrize("state", list(Phase))
def test_what_is_reopened_gathers_again_wherever_it_had_ended(state: Phase) -> None:
    assert move(state, PhaseEvent.REOPENED) is GATHER


def test_an_event_means_nothing_where_it_is_under_way_or_done_already_and_counts_elsewhere() -> None:
    nothing = {event: {state for state in Phase if row[state] is NOTHING} for event, row in TABLE.items()}
    assert {event: states for event, states in nothing.items() if states} == {
        PhaseEvent.READY: {EXTRACT},
        PhaseEvent.DONE_WITH_CONTENT: {EXTRACT},
        PhaseEvent.DONE_WITHOUT_CONTENT: {EXTRACT},
        PhaseEvent.TURNS_EXHAUSTED: {EXTRACT, CONFIRM},
        PhaseEvent.CHANGE_REQUESTED: set(TALKING),
        PhaseEvent.RESTARTED_FROM_EXTRACT_WITH_CONTENT: {EXTRACT},
        PhaseEvent.RESTARTED_FROM_EXTRACT_WITHOUT_CONTENT: {EXTRACT},
        PhaseEvent.RESTARTED_CONFIRM_WITH_DRAFT: {CONFIRM},
        PhaseEvent.RESTARTED_CONFIRM_WITHOUT_DRAFT: {CONFIRM},
    }


@pytest.mark.parametrize(
    ("event", "states"),
    [
        (PhaseEvent.CLARIFIED, {INTRO, EXTRACT, CONFIRM}),
        (PhaseEvent.READY, {CONFIRM}),
        (PhaseEvent.SUMMARIZE_WITH_CONTENT, {EXTRACT, CONFIRM}),
        (PhaseEvent.SUMMARIZE_WITHOUT_CONTENT, {INTRO, EXTRACT, CONFIRM}),
        (PhaseEvent.VALIDATED, {*TALKING, CONFIRM}),
        (PhaseEvent.ATTEMPTS_EXHAUSTED, {*TALKING, CONFIRM}),
    ],
)
def test_what_the_model_reports_is_refused_where_it_cannot_have_happened(event: PhaseEvent, states: set[Phase]) -> None:
    assert {state for state in Phase if find_refusal(TABLE, state, event) == "ILLEGAL"} == states


@pytest.mark.parametrize(
    ("event", "states"),
    [
        (PhaseEvent.EDITED_WITH_DRAFT, {INTRO}),
        (PhaseEvent.EDITED_WITHOUT_DRAFT, {*TALKING, CONFIRM}),
        (PhaseEvent.RESTARTED_FROM_EXTRACT_WITHOUT_CONTENT, {INTRO}),
        (PhaseEvent.RESTARTED_CONFIRM_WITH_DRAFT, {INTRO}),
        (PhaseEvent.RESTARTED_CONFIRM_WITHOUT_DRAFT, set(TALKING)),
    ],
)
def test_what_nothing_was_captured_for_cannot_be_shown_again(event: PhaseEvent, states: set[Phase]) -> None:
    assert {state for state in Phase if find_refusal(TABLE, state, event) == "NO_EXTRACTION"} == states
