"""*See an example*: where it begins, how often, and what happens if it cannot."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from app.core.copy import texts
from app.core.errors import SlackRefused
from app.core.events.heard import DecisionStarted
from app.core.state.decision import Decision
from app.core.thread import ThreadKey
from app.decision.playbook import example
from handlers.inbound.gate import build_app
from handlers.slack import permalinks
from handlers.views.windows import new_decision, welcome
from tests.fakes import virtual
from tests.unit.handlers.front import URL, Front, pressed_below, pressed_in
from tests.unit.handlers.payloads import CHANNEL, MAYA, TEAM
from tests.unit.handlers.talks import talk
from tests.unit.handlers.welcoming import DIRECT, EPHEMERAL, POST, Closed


@virtual
@pytest.mark.parametrize(
    "press", [pressed_in({}, "example"), pressed_below(CHANNEL, "example"), pressed_below(DIRECT, "example")]
)
async def test_the_example_begins_in_direct_messages_wherever_it_is_asked_for_and_a_window_says_where(
    front: Front,
    press: dict[str, Any],
) -> None:
    await front.sends(press)
    (hub,) = front.made(POST)
    (ts,) = front.slack.posts
    assert (hub["channel"], hub["text"]) == (f"D{MAYA}", new_decision.render_placeholder(MAYA, example.read_question()))
    thread = ThreadKey(team=TEAM, channel=f"D{MAYA}", root=ts)
    (taken,) = front.taken
    assert taken == DecisionStarted(
        receipt=f"decision:{TEAM}:{thread.channel}:{ts}",
        thread=thread,
        at=taken.at if isinstance(taken, DecisionStarted) else "",
        user=MAYA,
        question=example.read_question(),
        steps=front.context.course,
        example=True,
    )
    assert front.woken == [thread]
    assert front.window == welcome.build_example_window(permalinks.link_channel(URL, f"D{MAYA}"))


@virtual
@pytest.mark.parametrize(("seconds", "posts"), [(50, 0), (70, 1)])
async def test_a_press_within_a_minute_of_an_example_shows_that_one(front: Front, seconds: float, posts: int) -> None:
    first = ThreadKey(team=TEAM, channel=f"D{MAYA}", root=front.context.at)
    laid_out = Decision(question=example.read_question(), steps=front.context.course, example=True)
    await front.has(replace(talk(1), thread=first, decision=laid_out))
    await front.has(talk(2))
    await asyncio.sleep(seconds)
    await front.sends(pressed_in({}, "example"))
    assert (len(front.made(POST)), len(front.taken)) == (posts, posts)
    assert (front.window == welcome.build_example_window(permalinks.link_thread(URL, first))) == (posts == 0)


@virtual
async def test_an_example_whose_hub_cannot_be_posted_is_said_so_where_it_would_be(front: Front) -> None:
    front.slack.faults[POST] = [SlackRefused(POST, "restricted_action")]
    await front.sends(pressed_below(CHANNEL, "example"))
    whispered = front.made(EPHEMERAL)[-1]
    assert (front.taken, whispered["channel"], whispered["text"]) == ([], f"D{MAYA}", texts.NOT_NOW)


@virtual
async def test_an_example_whose_hub_nothing_can_follow_is_taken_back(front: Front) -> None:
    front.app = build_app(replace(front.context, intake=Closed()), "secret")
    await front.sends(pressed_below(CHANNEL, "example"))
    assert (front.slack.posts, front.made(EPHEMERAL)[-1]["channel"]) == ({}, f"D{MAYA}")


@virtual
async def test_an_example_whose_window_cannot_be_opened_is_not_begun(front: Front) -> None:
    front.slack.faults["views.open"] = [SlackRefused("views.open", "expired_trigger_id")]
    await front.sends(pressed_below(CHANNEL, "example"))
    assert (front.taken, front.made(POST)) == ([], [])
    assert front.made(EPHEMERAL)[-1]["text"] == texts.NOT_NOW


FIRST, SECOND = example.list_questions()


@virtual
@pytest.mark.parametrize(
    ("has", "begun"), [((), FIRST), ((FIRST,), SECOND), ((SECOND,), FIRST), ((FIRST, SECOND), FIRST)]
)
async def test_a_press_begins_the_example_that_the_person_does_not_have_yet(
    front: Front, has: tuple[str, ...], begun: str
) -> None:
    for place, question in enumerate(has, 1):
        laid_out = Decision(question=question, steps=front.context.course, example=True)
        thread = ThreadKey(team=TEAM, channel=f"D{MAYA}", root=f"{place}.000001")
        await front.has(replace(talk(place), thread=thread, decision=laid_out))
    own = Decision(question=SECOND, steps=front.context.course)
    await front.has(replace(talk(9), decision=own))
    await front.sends(pressed_in({}, "example"))
    (taken,) = front.taken
    assert isinstance(taken, DecisionStarted)
    assert taken.question == begun
