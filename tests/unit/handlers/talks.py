"""Conversations in the states that the surfaces tell apart."""

from __future__ import annotations

from typing import Any

from app.core.model import Conversation, ThreadKey
from app.core.question import Question, QuestionKind
from app.core.schedule import Schedule, ScheduleKind
from app.core.states import Lifecycle, Status
from tests.unit.handlers.payloads import CHANNEL, MAYA, TEAM

MONDAY = Schedule(kind=ScheduleKind.CRON, zone="Europe/Berlin", cron="0 9 * * 1", instruction="Ask for the numbers.")


def talk(number: int, title: str = "Winter rota", **more: Any) -> Conversation:
    """An active conversation of Maya's; the higher the number, the newer."""
    channel = more.pop("channel", CHANNEL)
    thread = ThreadKey(team=TEAM, channel=channel, root=f"17700001{number:02}.000100")
    state: dict[str, Any] = {"owner": MAYA, "lifecycle": Lifecycle.IN_PROGRESS, "newest": thread.root, **more}
    return Conversation(id=f"c{number}", thread=thread, title=title, **state)


def waiting(number: int, title: str = "Rota plan", **more: Any) -> Conversation:
    """One that waits for an answer."""
    asked = Question(id="q", kind=QuestionKind.INPUT, prompt="By when?", card=3)
    return talk(number, title, status=Status.WAITING_INPUT, question=asked, cards=(3,), **more)


def planned(number: int, title: str = "Weekly ops digest", **more: Any) -> Conversation:
    """One that runs on Mondays."""
    return talk(number, title, status=Status.BACKGROUND, schedule=MONDAY, next_run="2026-03-02T08:00:00+00:00", **more)


def put_away(number: int, title: str = "Old plans", **more: Any) -> Conversation:
    """One that is archived."""
    return talk(number, title, status=Status.ARCHIVED, **more)
