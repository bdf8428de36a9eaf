"""What begins a conversation where there is none."""

from __future__ import annotations

from app.core.events.heard import begins
from tests.unit.core.hubs import HubThread, begun
from tests.unit.core.interviews import CHANGED, StepThread, news, started
from tests.unit.core.live import Live
from tests.unit.core.threads import OTHER, OWNER


def test_a_conversation_is_begun_by_who_speaks_to_us_and_by_the_first_message_of_a_decision_or_step() -> None:
    live = Live()
    assert begins(live.message("Hi", OTHER, opens=True)) == OTHER
    assert begins(begun(HubThread(begins=False))) == OWNER
    assert begins(started(StepThread(begins=False))) == OWNER


def test_nothing_else_begins_one() -> None:
    live = Live()
    assert begins(live.message("Hi")) is None
    assert begins(news(live, CHANGED)) is None
