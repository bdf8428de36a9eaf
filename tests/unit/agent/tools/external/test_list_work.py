"""What is planned for later, told where it may be told."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from app.agent.tools.external import audience, list_work
from app.core.state.question import Question, QuestionKind
from app.core.state.schedule import Schedule, ScheduleKind
from app.core.thread import ThreadKey
from tests.unit.agent.tools.outer.afield import DIRECT, NOW, OPS, Afield
from tests.unit.core.threads import OTHER

CRON = Schedule(kind=ScheduleKind.CRON, zone="Europe/Berlin", cron="0 9 * * 1", instruction="Tell the <message> news")
ASKED = Question(id="1.1", kind=QuestionKind.INPUT, prompt="Which?", asked_at="1770000000.000001", card=1)
PLANNED: dict[str, Any] = {"schedule": CRON, "next_run": (NOW + timedelta(days=2, hours=8.5)).isoformat()}


async def titles(at: Afield) -> list[Any]:
    return [each["title"] if isinstance(each, dict) else each for each in (await at.does("list_work"))["work"]]


async def test_what_is_planned_is_told_with_when_and_whether_it_waits() -> None:
    at = Afield(DIRECT)
    at.conversation = await at.remembers(title="Here", thread=DIRECT, question=ASKED, **PLANNED)
    await at.remembers(title="Idle")
    await at.remembers(title="Of Sam", owner=OTHER, **PLANNED)
    told = await at.does("list_work")
    assert told["work"] == [
        {
            "conversation": f"D1:{DIRECT.root}",
            "is_this_thread": True,
            "title": "Here",
            "when": "every Monday at 09:00 (Berlin)",
            "next": "Mon 09:00",
            "instruction": "Tell the ‹message> news",
            "waits_for_an_answer": True,
        }
    ]
    assert told["action"] == list_work.READ


async def test_what_is_paused_has_no_next_time_and_is_told_as_paused() -> None:
    at = Afield(DIRECT)
    await at.remembers(title="Here", paused=True, **PLANNED)
    ((told),) = (await at.does("list_work"))["work"]
    assert (told["next"], told["paused_by_the_owner"]) == ("", True)


async def test_what_was_planned_in_private_is_not_told_where_others_read_along() -> None:
    at = Afield()
    at.reach.spots["C8"] = replace(OPS, id="C8", private=True)
    await at.remembers(title="Private", thread=ThreadKey(team="T1", channel="C8", root="1.000001"), **PLANNED)
    await at.remembers(title="Direct", thread=ThreadKey(team="T1", channel="D1", root="2.000001"), **PLANNED)
    told = await at.does("list_work")
    assert (told["result"], told["work"]) == ("no_results", [])
    assert told["action"] == f"{list_work.NOTHING} {audience.KEPT_BACK}"
    await at.remembers(title="Public", **PLANNED)
    assert await titles(at) == ["Public"]


async def test_what_is_too_much_or_too_old_to_be_told_is_said() -> None:
    at = Afield()
    for number in range(list_work.MOST + 1):
        await at.remembers(title=str(number), **PLANNED)
    assert len(await titles(at)) == list_work.MOST + 1
    assert (await titles(at))[-1] == list_work.MORE
    for number in range(list_work.SEARCHED - list_work.MOST - 1):
        await at.remembers(title=str(number))
    told = await at.does("list_work")
    assert list_work.NOT_ALL in told["action"]
    assert told["work"][-1] == list_work.MORE
