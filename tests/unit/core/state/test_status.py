"""Who has the next move (T1): which moves there are, and which there never are."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from app.core.state.status import ARCHIVING_WARNS, INITIAL, TABLE, Status, StatusEvent, move
from app.core.state.table import NOTHING, find_next_state, find_refusal
from tests.unit.core.threads import conversation

param, mark = pytest.param, pytest.mark
ACTIVE, BACKGROUND, WAITING, ARCHIVED = Status.ACTIVE, Status.BACKGROUND, Status.WAITING_INPUT, Status.ARCHIVED

MOVES = {
    (state, event, after)
    for event in StatusEvent
    for state in Status
    if isinstance(after := TABLE[event][state], Status) and after is not state
}
RESULTS = {
    StatusEvent.WORKER_ASKED,
    StatusEvent.WORKER_CONTINUED,
    StatusEvent.WORKER_CONTINUED_TOO_OFTEN,
    StatusEvent.WORKER_COMPLETE_CRON,
    StatusEvent.WORKER_COMPLETE_ONCE,
    StatusEvent.WORKER_AUTH_ERROR,
    StatusEvent.WORKER_ERROR_AGAIN,
    StatusEvent.WORKER_ERROR_LAST,
}


def leading(state: Status, after: Status) -> set[StatusEvent]:
    return {event for before, event, then in MOVES if before is state and then is after}


@pytest.mark.req("S2-002", "S2-007")
def test_a_new_conversation_is_active_and_creating_it_again_changes_nothing() -> None:
    assert INITIAL is ACTIVE
    assert conversation().status is INITIAL
    assert all(TABLE[StatusEvent.CREATED][state] is NOTHING for state in Status)


@pytest.mark.req("S2-001")
def test_the_status_decides_who_may_go_on_people_in_chat_or_the_calendar() -> None:
    chat = {state: find_refusal(TABLE, state, StatusEvent.MESSAGE_POSTED) is None for state in Status}
    work = {state: find_next_state(TABLE, state, StatusEvent.WORKER_DUE) is not None for state in Status}
    assert chat == {state: state is not Status.ARCHIVED for state in Status}
    assert work == {state: state is Status.BACKGROUND for state in Status}


@pytest.mark.req("S2-007")
def test_active_again_is_who_answered_or_cancelled_and_has_nothing_planned_any_more() -> None:
    assert leading(BACKGROUND, ACTIVE) == {StatusEvent.WORKER_COMPLETE_ONCE, StatusEvent.SCHEDULE_CANCELLED}
    assert leading(WAITING, ACTIVE) == {
        StatusEvent.ANSWERED_WITHOUT_SCHEDULE,
        StatusEvent.QUESTION_CANCELLED_WITHOUT_SCHEDULE,
    }
    assert leading(ARCHIVED, ACTIVE) == {StatusEvent.UNARCHIVED}


@pytest.mark.req("S2-014")
def test_background_work_ends_with_a_question_with_its_end_or_in_the_archive() -> None:
    ways_out = {then for before, _, then in MOVES if before is BACKGROUND} - {BACKGROUND}
    assert ways_out == {WAITING, ACTIVE, ARCHIVED}
    assert leading(BACKGROUND, ARCHIVED) == {StatusEvent.ARCHIVE_CONFIRMED}


@pytest.mark.req("S2-028", "S2-013")
def test_background_work_begins_with_a_schedule_alone() -> None:
    assert leading(ACTIVE, BACKGROUND) == {StatusEvent.SCHEDULE_SET}
    assert leading(WAITING, BACKGROUND) == {
        StatusEvent.ANSWERED_WITH_SCHEDULE,
        StatusEvent.QUESTION_CANCELLED_WITH_SCHEDULE,
    }
    assert leading(ARCHIVED, BACKGROUND) == set()


@pytest.mark.req("S2-029", "S2-032", "S2-020")
def test_a_question_stops_both_chat_and_work_until_somebody_answers() -> None:
    assert leading(ACTIVE, WAITING) == {StatusEvent.ASKED}
    assert StatusEvent.WORKER_ASKED in leading(BACKGROUND, WAITING)
    assert leading(BACKGROUND, WAITING) == {
        StatusEvent.ASKED,
        StatusEvent.WORKER_ASKED,
        StatusEvent.WORKER_AUTH_ERROR,
        StatusEvent.WORKER_ERROR_LAST,
        StatusEvent.WORKER_CONTINUED_TOO_OFTEN,
    }
    assert leading(ARCHIVED, WAITING) == set()


@pytest.mark.req("S2-018")
def test_nobody_stops_waiting_without_an_answer_a_withdrawal_or_the_archive() -> None:
    ways_out = {event for before, event, _ in MOVES if before is WAITING}
    assert ways_out == {
        StatusEvent.ANSWERED_WITH_SCHEDULE,
        StatusEvent.ANSWERED_WITHOUT_SCHEDULE,
        StatusEvent.QUESTION_CANCELLED_WITH_SCHEDULE,
        StatusEvent.QUESTION_CANCELLED_WITHOUT_SCHEDULE,
        StatusEvent.ARCHIVE_CONFIRMED,
    }


@pytest.mark.parametrize("by", [StatusEvent.ANSWERED_WITH_SCHEDULE, StatusEvent.QUESTION_CANCELLED_WITH_SCHEDULE])
def test_a_turn_that_closes_the_question_and_sets_a_schedule_ends_in_background_in_either_order(
    by: StatusEvent,
) -> None:
    without = StatusEvent.ANSWERED_WITHOUT_SCHEDULE
    assert move(move(WAITING, StatusEvent.SCHEDULE_SET), by) is BACKGROUND
    assert move(move(WAITING, without), StatusEvent.SCHEDULE_SET) is BACKGROUND


@pytest.mark.parametrize(
    ("state", "event", "after"),
    [
        param(BACKGROUND, StatusEvent.WORKER_COMPLETE_CRON, BACKGROUND, marks=mark.req("S2-033")),
        param(BACKGROUND, StatusEvent.WORKER_COMPLETE_ONCE, ACTIVE, marks=mark.req("S2-034")),
        param(BACKGROUND, StatusEvent.WORKER_CONTINUED, BACKGROUND, marks=mark.req("S2-035")),
        param(BACKGROUND, StatusEvent.WORKER_AUTH_ERROR, WAITING, marks=mark.req("S2-036")),
        param(BACKGROUND, StatusEvent.WORKER_CONTINUED_TOO_OFTEN, WAITING),
        param(BACKGROUND, StatusEvent.WORKER_ERROR_AGAIN, BACKGROUND),
        param(BACKGROUND, StatusEvent.WORKER_ERROR_LAST, WAITING),
        param(
            BACKGROUND,
            StatusEvent.MESSAGE_POSTED,
            BACKGROUND,
            marks=mark.req("S2-011"),
            id="people write while it runs",
        ),
        param(BACKGROUND, StatusEvent.SCHEDULE_SET, BACKGROUND, id="a newer plan stays planned"),
        param(ACTIVE, StatusEvent.MESSAGE_POSTED, ACTIVE, id="a message alone changes nothing in chat"),
        param(WAITING, StatusEvent.MESSAGE_POSTED, WAITING, id="a message alone answers nothing"),
        param(WAITING, StatusEvent.ANSWERED_WITH_SCHEDULE, BACKGROUND, marks=mark.req("S2-031", "S2-021")),
        param(WAITING, StatusEvent.ANSWERED_WITHOUT_SCHEDULE, ACTIVE, marks=mark.req("S2-030")),
        param(WAITING, StatusEvent.SCHEDULE_SET, WAITING, id="the question stays when a schedule is set"),
        param(WAITING, StatusEvent.SCHEDULE_CANCELLED, WAITING, id="the question stays when it is taken back"),
        param(WAITING, StatusEvent.ASKED, WAITING, id="a newer question waits as well"),
        param(ACTIVE, StatusEvent.ARCHIVE_CONFIRMED, ARCHIVED, marks=mark.req("S2-037", "S2-027")),
        param(BACKGROUND, StatusEvent.ARCHIVE_CONFIRMED, ARCHIVED, marks=mark.req("S2-037", "S2-027")),
        param(WAITING, StatusEvent.ARCHIVE_CONFIRMED, ARCHIVED, marks=mark.req("S2-037", "S2-027")),
    ],
)
def test_what_happens_leads_where_it_must(state: Status, event: StatusEvent, after: Status) -> None:
    assert move(state, event) is after


OPEN = [ACTIVE, BACKGROUND, WAITING]


@pytest.mark.parametrize(
    ("code", "events", "states"),
    [
        param("STALE_RUN", RESULTS, [ACTIVE, WAITING, ARCHIVED], id="a result counts in background alone"),
        param("ILLEGAL", [StatusEvent.SET_DIRECTLY], Status, id="nobody sets a status directly"),
        param(
            "NO_QUESTION",
            [StatusEvent.ANSWERED_WITH_SCHEDULE, StatusEvent.ANSWERED_WITHOUT_SCHEDULE, StatusEvent.ANSWER_INVALID],
            [ACTIVE, BACKGROUND],
            id="an answer where nothing was asked",
        ),
        param("QUESTION_CLOSED", [StatusEvent.ANSWER_TO_CLOSED_QUESTION], OPEN, id="an answer to an older question"),
        param("BAD_ANSWER", [StatusEvent.ANSWER_INVALID], [WAITING], id="an answer that fits no option"),
        param("BAD_SCHEDULE", [StatusEvent.SCHEDULE_INVALID], OPEN, id="a bad schedule"),
        param("NO_SCHEDULE", [StatusEvent.SCHEDULE_CANCELLED_WITHOUT_ONE], OPEN, id="a schedule that is not there"),
        param("NO_SCHEDULE", [StatusEvent.SCHEDULE_CANCELLED], [ACTIVE], id="in chat nothing is planned"),
        param("NOT_ARCHIVED", [StatusEvent.UNARCHIVED], OPEN, id="what is not archived is not reopened"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(
    code: str, events: Iterable[StatusEvent], states: Iterable[Status]
) -> None:
    assert {find_refusal(TABLE, state, event) for event in events for state in states} == {code}


@pytest.mark.req("S2-016")
@pytest.mark.parametrize("state", [ACTIVE, WAITING, ARCHIVED])
def test_work_that_comes_due_runs_nowhere_but_in_background(state: Status) -> None:
    assert find_next_state(TABLE, state, StatusEvent.WORKER_DUE) is None
    assert find_next_state(TABLE, BACKGROUND, StatusEvent.WORKER_DUE) is BACKGROUND


def test_asking_to_archive_changes_nothing_and_warns_exactly_where_something_would_be_lost() -> None:
    assert all(move(state, StatusEvent.ARCHIVE_REQUESTED) is state for state in Status)
    assert {BACKGROUND, WAITING} == ARCHIVING_WARNS


@pytest.mark.req("S2-023")
def test_nothing_that_people_do_in_an_archived_conversation_is_accepted_but_to_reopen_it() -> None:
    acts = {
        StatusEvent.MESSAGE_POSTED,
        StatusEvent.SCHEDULE_SET,
        StatusEvent.SCHEDULE_INVALID,
        StatusEvent.SCHEDULE_CANCELLED,
        StatusEvent.SCHEDULE_CANCELLED_WITHOUT_ONE,
        StatusEvent.ASKED,
        StatusEvent.ANSWERED_WITH_SCHEDULE,
        StatusEvent.ANSWERED_WITHOUT_SCHEDULE,
        StatusEvent.ANSWER_INVALID,
        StatusEvent.ANSWER_TO_CLOSED_QUESTION,
    }
    assert {find_refusal(TABLE, ARCHIVED, event) for event in acts} == {"ARCHIVED"}
    assert {(event, after) for before, event, after in MOVES if before is ARCHIVED} == {
        (StatusEvent.UNARCHIVED, ACTIVE)
    }


def test_an_event_means_nothing_where_it_has_happened_already_or_nobody_waits_for_it_and_counts_elsewhere() -> None:
    nothing = {event: {state for state in Status if row[state] is NOTHING} for event, row in TABLE.items()}
    assert {event: states for event, states in nothing.items() if states} == {
        StatusEvent.CREATED: set(Status),
        StatusEvent.QUESTION_CANCELLED_WITH_SCHEDULE: {ACTIVE, BACKGROUND, ARCHIVED},
        StatusEvent.QUESTION_CANCELLED_WITHOUT_SCHEDULE: {ACTIVE, BACKGROUND, ARCHIVED},
        StatusEvent.WORKER_DUE: {ACTIVE, WAITING, ARCHIVED},
        StatusEvent.ARCHIVE_REQUESTED: {ARCHIVED},
        StatusEvent.ARCHIVE_CONFIRMED: {ARCHIVED},
    }
