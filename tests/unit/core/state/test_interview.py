"""Where the interview of a component is (T3): its steps and its hops."""

from __future__ import annotations

from itertools import pairwise

import pytest

from app.core.state.interview import HOPS, INITIAL, TABLE, Phase, PhaseEvent, move
from app.core.state.table import NOTHING, find_refusal

param, mark = pytest.param, pytest.mark
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


@pytest.mark.req("S0-064")
def test_the_phases_are_stored_under_the_names_that_were_agreed() -> None:
    assert [state.value for state in Phase] == ["intro", "gather", "clarify", "extract", "confirm"]
    assert INITIAL is INTRO


@pytest.mark.parametrize("event", sorted(set(PhaseEvent) - BY_CHOICE))
def test_no_phase_is_left_out_unless_a_person_decides_so(event: PhaseEvent) -> None:
    steps = {step for state in Phase if not find_refusal(TABLE, state, event) for step in path(state, event)}
    assert not steps & ILLEGAL_STEPS


@pytest.mark.parametrize(("event", "state"), list(HOPS))
def test_a_hop_is_on_the_way_of_a_move_that_exists(event: PhaseEvent, state: Phase) -> None:
    steps = path(state, event)
    assert len(steps) > 1
    assert all(before is not after for before, after in steps)


@pytest.mark.parametrize(
    ("state", "events", "after"),
    [
        param(INTRO, [PhaseEvent.ANSWERED], GATHER, marks=mark.req("S0-071"), id="the first answer ends intro"),
        param(INTRO, [PhaseEvent.READY, PhaseEvent.INCONSISTENT], GATHER, id="one step from intro, whatever was said"),
        param(
            GATHER,
            [PhaseEvent.ANSWERED, PhaseEvent.CLARIFIED],
            GATHER,
            marks=mark.req("S0-072", "S0-055"),
            id="gather goes on until something is found",
        ),
        param(
            GATHER, [PhaseEvent.INCONSISTENT], CLARIFY, marks=mark.req("S0-073"), id="what does not fit is clarified"
        ),
        param(
            GATHER,
            [PhaseEvent.READY, *(event for event in ENOUGH if "restarted" not in event)],
            EXTRACT,
            marks=mark.req("S0-074"),
            id="gather ends whoever says that it is enough",
        ),
        param(CLARIFY, [PhaseEvent.CLARIFIED], GATHER, marks=mark.req("S0-075"), id="clarify goes back to gather"),
        param(
            CLARIFY, [PhaseEvent.READY], EXTRACT, marks=mark.req("S0-076"), id="clarify goes on if that settled it all"
        ),
        param(CLARIFY, [PhaseEvent.ANSWERED], CLARIFY, id="clarify goes on until it is settled"),
        param(
            EXTRACT, [PhaseEvent.ATTEMPTS_EXHAUSTED], GATHER, id="an extraction that failed for good is talked about"
        ),
        param(
            EXTRACT,
            [PhaseEvent.ANSWERED, PhaseEvent.CHANGE_REQUESTED, PhaseEvent.INCONSISTENT],
            EXTRACT,
            id="what is said while it works waits for the next phase",
        ),
        param(
            CONFIRM,
            [PhaseEvent.CHANGE_REQUESTED],
            GATHER,
            marks=mark.req("S0-078"),
            id="who wants changes is in gather",
        ),
    ],
)
def test_what_happens_in_a_phase_leads_where_it_must(state: Phase, events: list[PhaseEvent], after: Phase) -> None:
    assert [move(state, event) for event in events] == [after] * len(events)


def test_a_second_contradiction_while_clarifying_is_written_down_as_found_in_gather() -> None:
    assert path(CLARIFY, PhaseEvent.INCONSISTENT) == [(CLARIFY, GATHER), (GATHER, CLARIFY)]


@pytest.mark.req("S0-077")
def test_a_valid_extraction_leads_to_confirm_and_nothing_but_a_person_leads_there_else() -> None:
    assert move(EXTRACT, PhaseEvent.VALIDATED) is CONFIRM
    others = set(PhaseEvent) - BY_CHOICE - {PhaseEvent.VALIDATED}
    entering = {(event, state) for event in others for state in Phase if TABLE[event][state] is CONFIRM}
    assert {state for _, state in entering} == {CONFIRM}


def test_an_extraction_that_was_broken_off_ends_where_it_began() -> None:
    assert path(EXTRACT, PhaseEvent.BROKEN_OFF_AFTER_GATHER) == [(EXTRACT, GATHER)]
    assert path(EXTRACT, PhaseEvent.BROKEN_OFF_AFTER_CLARIFY) == [(EXTRACT, GATHER), (GATHER, CLARIFY)]


@pytest.mark.parametrize("event", [PhaseEvent.BROKEN_OFF_AFTER_GATHER, PhaseEvent.BROKEN_OFF_AFTER_CLARIFY])
@pytest.mark.parametrize("state", [*TALKING, CONFIRM])
def test_an_answer_that_was_broken_off_leaves_the_phase_alone(state: Phase, event: PhaseEvent) -> None:
    assert move(state, event) is state


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


@pytest.mark.parametrize(
    "event",
    [PhaseEvent.DONE_WITH_CONTENT, PhaseEvent.DONE_WITHOUT_CONTENT, PhaseEvent.READY, PhaseEvent.TURNS_EXHAUSTED],
)
def test_an_extraction_is_not_begun_twice(event: PhaseEvent) -> None:
    assert TABLE[event][EXTRACT] is NOTHING


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
    ("code", "event", "states"),
    [
        ("ILLEGAL", PhaseEvent.CLARIFIED, {INTRO, EXTRACT, CONFIRM}),
        ("ILLEGAL", PhaseEvent.READY, {CONFIRM}),
        ("ILLEGAL", PhaseEvent.SUMMARIZE_WITH_CONTENT, {EXTRACT, CONFIRM}),
        ("ILLEGAL", PhaseEvent.SUMMARIZE_WITHOUT_CONTENT, {INTRO, EXTRACT, CONFIRM}),
        ("ILLEGAL", PhaseEvent.VALIDATED, {*TALKING, CONFIRM}),
        ("ILLEGAL", PhaseEvent.ATTEMPTS_EXHAUSTED, {*TALKING, CONFIRM}),
        ("NO_EXTRACTION", PhaseEvent.EDITED_WITH_DRAFT, {INTRO}),
        ("NO_EXTRACTION", PhaseEvent.EDITED_WITHOUT_DRAFT, {*TALKING, CONFIRM}),
        ("NO_EXTRACTION", PhaseEvent.RESTARTED_FROM_EXTRACT_WITHOUT_CONTENT, {INTRO}),
        ("NO_EXTRACTION", PhaseEvent.RESTARTED_CONFIRM_WITH_DRAFT, {INTRO}),
        ("NO_EXTRACTION", PhaseEvent.RESTARTED_CONFIRM_WITHOUT_DRAFT, set(TALKING)),
    ],
)
def test_what_cannot_have_happened_and_what_nothing_was_captured_for_is_refused(
    code: str, event: PhaseEvent, states: set[Phase]
) -> None:
    assert {state for state in Phase if find_refusal(TABLE, state, event) == code} == states
