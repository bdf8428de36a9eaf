"""What can be pressed below an opening, before anything was said: *Rate…*, and *Show details*."""

from __future__ import annotations

import pytest

from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import (
    details,
    interview,
    leads_example,
    presses,
    starts,
    window,
)


@pytest.mark.req("NC-09")
async def test_the_button_below_the_opening_opens_the_window_and_the_talk_begins_with_the_ratings(room: Chat) -> None:
    hub, _ = await leads_example(room, "alternatives")
    thread = await starts(room, hub, "consequences")
    await presses(room, thread, action_ids.RATE)
    await window(room, "of 5")
    await room.slack.people.clicks_in_modal("Maya", action_ids.EDITING_BUTTON, "rate:O1:0")
    await window(room, "A2.rating")
    await room.slack.people.fills("Maya", **{"A2.rating": "1"})
    room.will_answer("Noted. And the others?")
    assert await room.slack.people.submits("Maya") == {}
    await room.sees("Noted. And the others?", thread=thread)
    cells = (await interview(room, thread)).draft["table"]["cells"]
    assert {(each["objective_id"], each["alternative_id"]): each["rating"] for each in cells}["O1", "A2"] == 1


async def test_below_an_opening_that_says_in_short_what_the_ratings_show_all_of_it_is_one_press_away(
    room: Chat,
) -> None:
    hub, _ = await leads_example(room, "consequences")
    thread = await starts(room, hub, "tradeoffs")
    opening = text_of(await room.sees("the heart of it", thread=thread))
    assert "Weakest of those left on" not in opening
    for who in ("Maya", "Sam"):
        told = await details(room, thread, who=who)
        assert "A2 Specialist partner with onboarding is as good or better everywhere" in told
        assert "Weakest of those left on" in told
        assert "tension: to win on one objective" in told
    assert (await interview(room, thread)).draft == {}
