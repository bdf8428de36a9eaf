"""Somebody is taken out of a channel while a window is open: nothing is read for them, and nothing is kept."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from app.core.copy import decision_record, decision_steps, texts
from handlers.slack import action_ids
from tests.flow.carried import BOARD, changes, of, private
from tests.flow.chat import Chat
from tests.flow.deciding import QUESTION, decides, deciding, presses, thread_of, window

pytestmark = pytest.mark.req("SE-06")


@pytest.fixture
async def room(mongo_uri: str) -> AsyncGenerator[Chat]:
    """Maya, Sam and we are in a private channel."""
    async with deciding(mongo_uri) as chat:
        private(chat, BOARD, "board", "Maya", "Sam")
        yield chat


def taken_out(room: Chat, name: str = "Maya") -> None:
    """Somebody is in the private channel no more."""
    changes(room, BOARD, members=of(room, *({"Maya", "Sam"} - {name})))


async def led(room: Chat) -> str:
    """Maya leads a decision in the private channel; gives its hub."""
    hub = await decides(room, where="#board")
    await thread_of(room, "Issue raising", where=BOARD)
    await room.rests()
    return hub


@pytest.mark.parametrize("place", ["here", "private"])
async def test_nothing_is_drafted_from_a_thread_by_whoever_was_taken_out_while_the_form_was_open(
    room: Chat, place: str
) -> None:
    root = await room.says("Close the Leeds depot", who="Sam", where="#board")
    await room.slack.people.uses_shortcut("Maya", "#board", root, action_ids.DRAFT_SHORTCUT)
    await window(room, decision_steps.FROM_THREAD)
    taken_out(room)
    await room.says("And tell nobody of it yet", who="Sam", where="#board", thread=root)
    await room.slack.people.fills("Maya", place=place, question=QUESTION)
    assert await room.slack.people.submits("Maya") == {action_ids.DECIDE_PLACE_FIELD: texts.NOT_SEEN}
    assert await room.documents("conversations") == 0
    assert await room.documents("inbox") == 0
    assert not room.claude.requests
    read = [entry for entry in room.slack.journal.of("call") if entry["method"] == "conversations.replies"]
    assert read == [], "the thread was not even looked at"
    assert not [each for each in room.slack.workspace.channels.values() if each.name.startswith("decide-")]


async def test_a_decision_does_not_begin_in_a_channel_that_its_owner_has_left_meanwhile(room: Chat) -> None:
    await room.slack.people.commands("Maya", "#board", "/decide", QUESTION)
    await window(room, decision_steps.QUESTION)
    taken_out(room)
    await room.slack.people.fills("Maya", question=QUESTION, place="here")
    assert await room.slack.people.submits("Maya") == {action_ids.DECIDE_PLACE_FIELD: texts.NOT_SEEN}
    assert await room.documents("conversations") == 0


async def test_an_export_that_was_picked_before_is_not_made_after(room: Chat) -> None:
    hub = await led(room)
    await room.slack.people.commands("Maya", "#general", "/threadwise", "export")
    await window(room, QUESTION)
    taken_out(room)
    assert await room.slack.people.submits("Maya") == {action_ids.EXPORT_DECISION_FIELD: texts.NOT_SEEN}
    await room.rests()
    assert room.slack.people.files("Sam", "#board", hub) == []


async def test_the_record_shows_nothing_more_and_exports_nothing_from_its_window(room: Chat) -> None:
    hub = await led(room)
    await presses(room, hub, action_ids.RECORD, where="#board")
    await window(room, QUESTION)
    taken_out(room)
    await room.slack.people.clicks_in_modal("Maya", "record_export:json")
    await window(room, texts.NOT_SEEN)
    await room.rests()
    assert QUESTION not in str((await window(room, texts.NOT_SEEN)).given)
    assert room.slack.people.files("Sam", "#board", hub) == []


@pytest.mark.parametrize(("gone", "said"), [("Maya", texts.NOT_SEEN), ("Sam", decision_record.NOT_IN_CHANNEL)])
async def test_nothing_is_handed_over_by_or_to_whoever_was_taken_out_meanwhile(
    room: Chat, gone: str, said: str
) -> None:
    hub = await led(room)
    await room.slack.people.chooses("Maya", "#board", hub, action_ids.HUB_MENU, action_ids.HAND_OVER_WINDOW)
    await window(room, decision_record.HAND_OVER_LABEL)
    taken_out(room, gone)
    await room.slack.people.fills("Maya", to="Sam")
    assert await room.slack.people.submits("Maya") == {action_ids.HAND_OVER_FIELD: said.format(person="Sam")}
    assert (await room.conversation(hub, "#board")).owner == room.id_of("Maya")
