"""Every event in every state is carried out or refused with a known code; nothing else is raised, nothing is broken."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from app.core.conversation.conversation import Transition
from app.core.conversation.effect import RunTurn
from app.core.copy import texts
from app.core.errors import BrokenInvariant, IllegalEvent
from app.core.events.heard import Event
from app.core.machine import apply
from app.core.machine.invariants import find_broken
from app.core.machine.refusals import TELLING
from app.core.state.interview import Phase
from app.core.state.status import Kind, Status, TurnState
from tests.unit.core.live import Live
from tests.unit.core.lives import waiting
from tests.unit.core.situations import STATES, happenings

CODES = {"", *TELLING, "STALE_RUN", "ILLEGAL", "UNHEARD"}
"""Requirements part 6, as far as a thread without a component knows them."""


def stepped(live: Live, event: Event) -> tuple[Transition, str]:
    """What the event makes of it, and the code if it was refused."""
    try:
        return apply.apply(live.now, event, "cause", live.facts(event)), ""
    except IllegalEvent as refusal:
        return apply.refuse(live.now, event, refusal.code, "cause", live.facts(event)), refusal.code


@pytest.mark.parametrize("name", STATES)
def test_every_event_is_carried_out_or_refused_with_a_known_code_and_asks_in_its_own_name(
    name: str,
) -> None:
    live = STATES[name]()
    events = list(happenings(live))
    assert {type(event) for event in events} == set(get_args(Event))
    for event in events:
        made, code = stepped(live, event)
        now = made.conversation
        assert code in CODES
        assert find_broken(now) == ()
        assert all(effect.id.startswith("cause:") for effect in now.effects if effect not in live.now.effects)
        assert (now.version, now.fence, now.id, now.thread) == (
            live.now.version,
            live.now.fence,
            live.now.id,
            live.now.thread,
        )
        turns = [effect.turn for effect in now.effects if isinstance(effect, RunTurn)]
        assert turns == ([now.turn.id] if now.turn and now.run is TurnState.STREAMING else [])
        assert (now.turn is None) is (now.run is TurnState.IDLE)


def test_a_step_into_a_state_that_cannot_be_is_a_bug_and_is_not_taken() -> None:
    live = waiting()
    live.now = replace(live.now, status=Status.ACTIVE)
    with pytest.raises(BrokenInvariant, match="I1"):
        apply.apply(live.now, live.message("Hi"), "cause")


def test_the_states_are_all_there_are() -> None:
    threads = [make().now for make in STATES.values()]
    met = {(now.status, now.run) for now in threads if now.kind is Kind.FREE}
    possible = {(status, run) for status in Status for run in (TurnState.IDLE, TurnState.STREAMING)}
    possible -= {(Status.ARCHIVED, TurnState.STREAMING)}
    assert met == possible | {(Status.WAITING_INPUT, TurnState.AWAITING)}
    assert {now.phase for now in threads if now.kind is Kind.COMPONENT} == set(Phase)


def test_every_code_with_words_has_its_own_or_shares_them_on_purpose() -> None:
    shared = [code for code, text in TELLING.items() if list(TELLING.values()).count(text) > 1]
    assert shared == ["NO_QUESTION", "QUESTION_CLOSED"]
    assert TELLING["NO_QUESTION"] == texts.ALREADY_DONE
