"""One row per event: that none is missing, and what every row keeps to."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import fields, replace
from inspect import currentframe
from typing import get_args

import pytest

from app.core.conversation.conversation import Turn, read_turn_state
from app.core.conversation.facts import Fact, Facts
from app.core.errors import IllegalEvent
from app.core.events.heard import Event, MessagePosted, OwnerAct
from app.core.machine import apply, guards
from app.core.machine.registry import ROWS, Actor, Rows, find_row, never
from app.core.state.status import TurnState
from app.core.state.tool_use import UseState
from tests.machine_docs import kind_of
from tests.unit.core.live import Live
from tests.unit.core.lives import use
from tests.unit.core.occurrences import one_of_each
from tests.unit.core.situations import STATES, happenings

EVENTS: tuple[type[Event], ...] = get_args(Event)

DRAFTS = {Fact.EDITED_DRAFT, Fact.CURRENT_DRAFT, Fact.UPDATED_DRAFT}


class WatchedFacts(Facts):
    """Notes which facts are read; a copy reads none of them."""

    def __getattribute__(self, name: str) -> object:
        frame = currentframe()
        reader = frame.f_back if frame else None
        if name in {*Fact} and reader and reader.f_globals["__name__"] != "dataclasses":
            READ.add(Fact(name))
        return super().__getattribute__(name)


READ: set[Fact] = set()


def test_every_event_has_a_row_under_its_kind_and_no_row_is_left_over() -> None:
    assert set(Rows.__annotations__) == set(ROWS) == {kind_of(event) for event in EVENTS}


def test_a_row_is_found_by_the_event() -> None:
    for event in one_of_each(Live().talks()):
        assert find_row(event) is ROWS[event.kind]


def test_what_only_the_owner_may_do_is_refused_to_others_by_its_row() -> None:
    assert {event for event in EVENTS if ROWS[kind_of(event)].actor is Actor.OWNER} == set(get_args(OwnerAct))


def test_what_a_turn_reports_counts_only_while_it_runs() -> None:
    late = {event: ROWS[kind_of(event)].refused for event in EVENTS if ROWS[kind_of(event)].actor is Actor.TURN}
    assert len(late) == 6
    for refused in late.values():
        assert refused == {TurnState.IDLE: "STALE_RUN", TurnState.AWAITING: "STALE_RUN"}


@pytest.mark.parametrize("state", UseState)
def test_the_run_follows_from_the_turn_which_waits_while_one_of_its_uses_is_asked_about(state: UseState) -> None:
    turn = Turn(id="2.1", reply=2)
    assert (read_turn_state(None), read_turn_state(turn)) == (TurnState.IDLE, TurnState.STREAMING)
    waits = read_turn_state(replace(turn, uses=(use("t1", UseState.DONE), use("t2", state))))
    assert waits is (TurnState.AWAITING if state is UseState.ASKED else TurnState.STREAMING)


def test_a_row_asks_for_the_facts_that_its_guards_and_its_reaction_read_and_for_nothing_else() -> None:
    read: dict[str, set[Fact]] = defaultdict(set)
    for begun in STATES.values():
        live = begun()
        for event in happenings(live):
            READ.clear()
            known, asked = live.facts(event), find_row(event).facts
            given = WatchedFacts(**{field.name: getattr(known, field.name) for field in fields(Facts)})
            try:
                apply.apply(live.now, event, "cause", given)
            except IllegalEvent as refusal:
                read[event.kind] |= READ
                apply.refuse(live.now, event, refusal.code, "cause", given)
                READ.intersection_update(asked)  # a refusal is told of any event, with what is known of it
            read[event.kind] |= READ
    # Not so with cards: those that an event itself has shown are among them, and no state here changes all of them.
    cards = {Fact.OPEN_CARDS}
    asked_for = {kind_of(event): ROWS[kind_of(event)].facts - cards for event in EVENTS}
    assert {kind: facts - cards for kind, facts in read.items()} == asked_for


def test_whatever_may_end_a_turn_brings_its_reply_along() -> None:
    rows = [ROWS[kind_of(event)] for event in EVENTS]
    assert [row for row in rows if (row.ends_turn is never) is (Fact.CLOSED_REPLY in row.facts)] == []


def test_what_ends_a_turn_is_known_before_it_is_closed_and_cards_are_read_last() -> None:
    before = list(Fact)[: list(Fact).index(Fact.CLOSED_REPLY)]
    assert {Fact.COMPONENT_MISSING, *DRAFTS} <= set(before)
    assert list(Fact)[-3:] == [Fact.DRAFT_READY, Fact.CORRECTED_DRAFT, Fact.OPEN_CARDS]


def test_whether_a_component_is_installed_is_looked_up_for_every_guard_that_asks() -> None:
    asks = {guards.require_component, guards.require_component_to_reopen}
    led = {event for event in EVENTS if asks & set(ROWS[kind_of(event)].guards)}
    assert led | {MessagePosted} == {e for e in EVENTS if Fact.COMPONENT_MISSING in ROWS[kind_of(e)].facts}
