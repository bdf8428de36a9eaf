"""While a turn waits or goes on, its owner takes back words or a permission, or then wants nothing any more."""

from __future__ import annotations

import asyncio

import pytest

from app.core.copy import permission_cards, texts
from app.core.state.status import Status, TurnState
from app.playground.claude import Gate, Text, Thinking, ToolCall, Turn
from tests.flow.chat import UNLIMITED, Chat, chatting, fixture_of, refused, text_of
from tests.flow.permitting import (
    ALLOW,
    ALLOW_ALL,
    ALWAYS,
    NEVER,
    WAIT,
    asked,
    decides,
    final,
    posted,
    posting,
    presses,
    wants,
)

room = fixture_of(chatting, **UNLIMITED)


def thinking(text: str) -> Turn:
    """The model thinks before it wants something; what it thought is bound to what was said before it."""
    wish = ToolCall("post_message", {"channel": "#ops", "text": text})
    return Turn(parts=[Thinking("They want it posted."), Text("I post it."), wish])


async def test_what_was_asked_is_taken_back_while_it_waits_and_the_turn_goes_on_all_the_same(room: Chat) -> None:
    thread = await wants(room, thinking("The rota"), "Posted.", "Sure.", said="post the rota, code swordfish")
    before = await room.documents("inbox")
    await room.slack.people.deletes("Maya", "#general", thread)
    await room.settled_inbox(before + 1)
    await room.rests()
    await decides(room, thread, ALLOW)
    await room.sees("Posted.", thread=thread)
    await room.rests()
    assert (posted(room), refused(room.claude)) == (["The rota"], [])
    assert "swordfish" not in str(room.claude.requests[-1].prompt)
    await room.says("and now?", thread=thread)
    await room.sees("Sure.", thread=thread)
    assert refused(room.claude) == []


async def test_who_has_told_it_to_wait_and_wants_nothing_instead_says_stop(room: Chat) -> None:
    thread = await wants(room, posting("The rota"), "What else?")
    await decides(room, thread, WAIT)
    await room.sees(permission_cards.DO_WHAT_INSTEAD, thread=thread)
    await room.rests()
    await room.says("stop", thread=thread)
    await room.sees(texts.QUESTION_CANCELLED, thread=thread)
    await room.rests()
    led = await room.conversation(thread)
    assert (led.run, led.status, led.question) == (TurnState.IDLE, Status.ACTIVE, None)
    assert (posted(room), len(room.claude.requests)) == ([], 1)


async def test_what_is_revoked_while_a_turn_goes_on_is_asked_about_again_in_that_turn(room: Chat) -> None:
    gate = asyncio.Event()
    second = Turn(
        parts=[Text("Now the next one."), ToolCall("post_message", {"channel": "#ops", "text": "Second"})],
        gates=[Gate(8, gate)],
    )
    thread = await wants(room, posting("First"), second)
    await decides(room, thread, ALWAYS)
    await room.sees("Now the", thread=thread)
    permissions, before = room.store.permissions, await room.conversation(thread)
    while not (rules := await permissions.list(before.thread.team, before.owner)):
        await asyncio.sleep(0.02)
    await permissions.revoke(before.thread.team, before.owner, rules[0].tool, rules[0].scope)
    gate.set()
    await asked(room, thread, "Second")
    assert posted(room) == ["First"]


@pytest.mark.parametrize(
    ("place", "wishes", "told", "done"),
    [
        (ALLOW, ("one",), "🚫 Not done, although you allowed it: it was forbidden meanwhile", []),
        (ALLOW_ALL, ("one", "two"), "🚫 Not done, although you allowed it: it was forbidden meanwhile", []),
        (ALWAYS, ("one",), "✅ Always allowed", ["one"]),
    ],
)
async def test_a_card_that_is_answered_after_never_on_a_later_one_says_what_comes_of_it(
    room: Chat, place: int, wishes: tuple[str, ...], told: str, done: list[str]
) -> None:
    first = await wants(room, posting(*wishes))
    card = await asked(room, first)
    later = await wants(room, posting("three"), "Not then.")
    await decides(room, later, NEVER)
    await final(room, later, "Not then.")
    room.will_answer("So be it.")
    await presses(room, card, place)
    await final(room, first, "So be it.")
    assert posted(room) == done
    shown = next(text_of(each) for each in room.thread(first) if each.ts == card.ts)
    assert told in shown
    assert "`/threadwise permissions`" in shown
    assert "llowed once" not in shown


@pytest.mark.parametrize(("place", "wishes"), [(ALLOW, ("one",)), (ALWAYS, ("one",)), (ALLOW_ALL, ("one", "two"))])
async def test_never_on_a_card_that_was_just_allowed_wins_as_long_as_nothing_has_begun(
    mongo_uri: str, place: int, wishes: tuple[str, ...]
) -> None:
    looks_for_long = {"conversations.info": 0.5}  # for the channel, before it writes there
    async with chatting(mongo_uri, latency=looks_for_long, **UNLIMITED) as room:
        thread = await wants(room, posting(*wishes), "So be it.")
        card = await asked(room, thread)
        await presses(room, card, place)
        await presses(room, card, NEVER)
        await final(room, thread, "So be it.")
        shown = next(text_of(each) for each in room.thread(thread) if each.ts == card.ts)
        assert posted(room) == []
        assert "🚫 Never allowed" in shown
        assert "llowed once" not in shown
