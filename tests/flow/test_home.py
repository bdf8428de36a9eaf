"""The Home tab: it shows what is one's own, and follows what happens."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.copy import texts
from app.core.state.status import Status
from app.playground.slack.values.faults import Fault
from app.wiring import connect_store
from handlers.slack import action_ids
from tests.flow.chat import Chat, chatting, fixture_of

room = fixture_of(chatting, time_scale=1.0)


def at_home(chat: Chat, who: str = "Maya") -> list[str]:
    """What stands on somebody's Home, a line each."""
    view = chat.slack.people.home(who)
    blocks: list[dict[str, Any]] = view.blocks if view else []
    return [block["text"]["text"] for block in blocks if "text" in block]


async def shows(chat: Chat, *words: str, who: str = "Maya") -> list[str]:
    """Wait until Home shows all these words."""
    await chat.until(lambda: all(word in "\n".join(at_home(chat, who)) for word in words))
    return at_home(chat, who)


@pytest.mark.req("S2-056")
async def test_home_follows_a_conversation_from_its_beginning_to_the_archive_and_back(room: Chat) -> None:
    people = room.slack.people
    await people.opens_home("Maya")
    assert texts.HOME_EMPTY in await shows(room, texts.PERMISSIONS)
    room.will_answer("Soup.")
    thread = await room.says("@Threadwise what shall we have for lunch")
    await shows(room, texts.HOME_ACTIVE, "what shall we have for lunch")
    await room.sees("Soup.", thread=thread)
    await room.says("@Threadwise archive", thread=thread)
    await shows(room, texts.HOME_ARCHIVED)
    await people.clicks_in_home("Maya", action_ids.HOME_REOPEN)
    await shows(room, texts.HOME_ACTIVE)
    await room.rests()
    assert (await room.conversation(thread)).status is Status.ACTIVE


async def test_home_puts_a_conversation_away_after_a_window_that_says_what_stops(room: Chat) -> None:
    people = room.slack.people
    thread = await room.exchanges("@Threadwise what shall we have for lunch", "Soup.")
    await room.rests()
    await people.opens_home("Maya")
    await shows(room, texts.HOME_ACTIVE)
    await people.clicks_in_home("Maya", action_ids.HOME_ARCHIVE)
    await room.until(lambda: people.modal("Maya") is not None)
    assert await people.submits("Maya") == {}
    await shows(room, texts.HOME_ARCHIVED)
    await room.rests()
    assert (await room.conversation(thread)).status is Status.ARCHIVED


async def test_home_does_not_name_what_was_erased(room: Chat) -> None:
    people = room.slack.people
    await people.opens_home("Maya")
    room.will_answer("Soup.")
    thread = await room.says("@Threadwise what shall we have for lunch")
    await shows(room, "what shall we have for lunch")
    await room.sees("Soup.", thread=thread)
    await room.says("@Threadwise erase", thread=thread)
    offer = await room.sees("Shall I forget this conversation?", thread=thread)
    await people.clicks("Maya", "#general", offer.ts, action_ids.ERASE)
    await room.sees(texts.ERASED, thread=thread)
    assert "lunch" not in "\n".join(await shows(room, texts.HOME_EMPTY))


async def test_who_is_told_something_does_not_wait_until_slack_has_room_for_home(mongo_uri: str) -> None:
    async with chatting(mongo_uri, opening=connect_store, time_scale=1.0, drain_seconds=0.0) as chat:
        await chat.slack.people.opens_home("Maya")
        await shows(chat, texts.HOME_EMPTY)
        chat.slack.faults.add(Fault("views.publish", "http_429", retry_after=60))
        thread = await chat.exchanges("@Threadwise what shall we have for lunch", "Soup.")
        await chat.says("@Threadwise erase", who="Sam", thread=thread)
        await chat.sees("can do that here", who="Sam", thread=thread)


async def test_home_shows_nobody_elses_and_is_published_for_nobody_who_never_looked(room: Chat) -> None:
    await room.slack.people.opens_home("Sam")
    await shows(room, texts.HOME_EMPTY, who="Sam")
    await room.exchanges("@Threadwise what shall we have for lunch", "Soup.")
    await room.rests()
    assert room.slack.people.home("Maya") is None
    await room.slack.people.opens_home("Sam")
    assert "lunch" not in "\n".join(at_home(room, "Sam"))
