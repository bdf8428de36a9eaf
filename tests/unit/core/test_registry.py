"""One row per event: that none is missing, and what every row keeps to."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from app.core.events import Event, OwnersAct
from app.core.model import Turn, run_of
from app.core.registry import ROWS, Actor, Rows, row_of
from app.core.states import Run
from app.core.uses import UseState
from tests.machine_docs import kind_of
from tests.unit.core.live import Live
from tests.unit.core.lives import use
from tests.unit.core.occurrences import one_of_each

EVENTS: tuple[type[Event], ...] = get_args(Event)


def test_every_event_has_a_row_under_its_kind_and_no_row_is_left_over() -> None:
    assert set(Rows.__annotations__) == set(ROWS) == {kind_of(event) for event in EVENTS}


def test_a_row_is_found_by_the_event() -> None:
    for event in one_of_each(Live().talks()):
        assert row_of(event) is ROWS[event.kind]


def test_what_only_the_owner_may_do_is_refused_to_others_by_its_row() -> None:
    assert {event for event in EVENTS if ROWS[kind_of(event)].actor is Actor.OWNER} == set(get_args(OwnersAct))


def test_what_a_turn_reports_counts_only_while_it_runs() -> None:
    late = {event: ROWS[kind_of(event)].refused for event in EVENTS if ROWS[kind_of(event)].actor is Actor.TURN}
    assert len(late) == 5
    for refused in late.values():
        assert refused == {Run.IDLE: "STALE_RUN", Run.AWAITING: "STALE_RUN"}


@pytest.mark.parametrize("state", UseState)
def test_the_run_follows_from_the_turn_which_waits_while_one_of_its_uses_is_asked_about(state: UseState) -> None:
    turn = Turn(id="2.1", reply=2)
    assert (run_of(None), run_of(turn)) == (Run.IDLE, Run.STREAMING)
    waits = run_of(replace(turn, uses=(use("t1", UseState.DONE), use("t2", state))))
    assert waits is (Run.AWAITING if state is UseState.ASKED else Run.STREAMING)
