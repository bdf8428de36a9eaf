"""What begins a conversation where there is none."""

from __future__ import annotations

from app.core.events.heard import find_initial_owner
from tests.unit.core.hubs import HubThread, begun
from tests.unit.core.interviews import CHANGED, StepThread, news, started
from tests.unit.core.live import Live
from tests.unit.core.threads import OTHER, OWNER


def test_a_conversation_is_begun_by_who_speaks_to_us_and_by_the_first_message_of_a_decision_or_step() -> None:
    live = Live()
    assert find_initial_owner(live.message("Hi", OTHER, opens=True)) == OTHER
    assert find_initial_owner(begun(HubThread(begins=False))) == OWNER
    assert find_initial_owner(started(StepThread(begins=False))) == OWNER


def test_nothing_else_begins_one() -> None:
    live = Live()
    assert find_initial_owner(live.message("Hi")) is None
    assert find_initial_owner(news(live, CHANGED)) is None
