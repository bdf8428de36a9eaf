"""What is refused in which state, and with which code, and what ends the turn: the whole table, in literal words.

`refused_when.txt` beside this file is the expectation. Each block is a state; each line is a code and the events that
are refused with it there, or `ends` and the events for which the turn is closed. What stands in no line is taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from app.core.conversation.news import StepMove
from app.core.errors import IllegalEvent
from app.core.events.acts import DraftEdited, ReopenRequested, RestartRequested
from app.core.events.heard import Event, MessagePosted, NoticeReceived
from app.core.events.internal import ToolUsesReported, TurnEnded, TurnTakenUp
from app.core.machine import apply
from tests.unit.core.live import Live
from tests.unit.core.situations import STATES, happenings
from tests.unit.core.threads import OTHER

TABLE = Path(__file__).with_name("refused_when.txt")


def read() -> Mapping[str, Mapping[str, str]]:
    """Read of each state what becomes of each event that is not simply taken in it."""
    table: dict[str, dict[str, str]] = {}
    for block in TABLE.read_text("utf-8").strip().split("\n\n"):
        state, *lines = block.splitlines()
        coded = (line.strip().partition(": ") for line in lines)
        table[state] = {event: code for code, _, events in coded for event in events.split(", ")}
    return table


def named(live: Live, event: Event) -> str:
    """Name an event by its kind, and by what the code depends on."""
    kind = type(event).__name__
    match event:
        case MessagePosted():
            return f"{kind}{said(live, event)}"
        case RestartRequested():
            return f"{kind} {event.phase.value}"
        case DraftEdited() if event.said:
            return f"{kind} with a word"
        case ReopenRequested() if event.message:
            return f"{kind} with a message"
        case NoticeReceived(news=StepMove(on=on)):
            return f"StepMove {on.value}"
        case NoticeReceived():
            return type(event.news).__name__
        case TurnEnded() | TurnTakenUp() | ToolUsesReported() if event.turn == "0.0":
            return f"{kind} of another turn"
        case _:
            return kind


def said(live: Live, event: MessagePosted) -> str:
    facts = live.facts(event)
    ways = {
        " too soon": facts.retry_after > 0,
        " after silence": facts.was_idle,
        " of another": event.user == OTHER,
        " to another": not event.addressed,
        " that drops it": event.text == "never mind",
    }
    return next((way for way, is_so in ways.items() if is_so), "")


def found(live: Live) -> Mapping[str, str]:
    """Give what becomes of each event that is not simply taken; two of a name are told apart if that differs."""
    met: dict[str, list[str]] = defaultdict(list)
    for event in happenings(live):
        met[named(live, event)].append(outcome(live, event))
    one = {name: codes[0] for name, codes in met.items() if len(set(codes)) == 1}
    many = {f"{name} {n}": code for name, codes in met.items() if name not in one for n, code in enumerate(codes)}
    return {name: code for name, code in (one | many).items() if code}


def outcome(live: Live, event: Event) -> str:
    facts = live.facts(event)
    ends = apply.ends_turn(live.now, event, facts)
    try:
        apply.apply(live.now, event, "cause", facts)
    except IllegalEvent as refusal:
        assert not ends
        return refusal.code
    return "ends" if ends else ""


def test_every_state_has_its_block() -> None:
    assert list(read()) == list(STATES)


@pytest.mark.parametrize("state", STATES)
def test_in_each_state_exactly_these_events_are_refused_so_and_these_end_the_turn(state: str) -> None:
    assert found(STATES[state]()) == read()[state]
