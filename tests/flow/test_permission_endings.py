"""A turn that waits for a permission, or does something outside, ends otherwise: stopped, put away, killed.

Requirements T7; of scenario 19 the restarts in `tools` and `awaiting_permission`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from app.core import errors
from app.core.copy import permission_cards, texts
from app.core.state.status import Status, TurnState
from app.core.state.tool_use import UNKNOWN_OUTCOME
from app.playground.claude import Gate, HttpFault, Text, Thinking, ToolCall, Turn
from tests.flow.chat import UNLIMITED, Chat, chatting, fixture_of, hangs, refused, text_of
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
    told,
    using,
    wants,
    without_line,
)
from tests.flow.process import serving

UNKNOWN = "I was interrupted while I tried to post to #ops."


room = fixture_of(chatting, **UNLIMITED)
stage = fixture_of(chatting, runs=False, **UNLIMITED)


async def shown(chat: Chat, thread: str, ts: str) -> str:
    return next(text_of(each) for each in chat.thread(thread) if each.ts == ts)


def notes(chat: Chat) -> str:
    """All that the newest request says in the users' name."""
    return "\n".join(each.text for each in chat.claude.requests[-1].prompt.messages if each.role == "user")


@pytest.mark.req("S3-026")
async def test_stop_while_a_permission_is_waited_for_withdraws_it_and_the_model_goes_on_without(room: Chat) -> None:
    thread = await wants(room, posting("The rota", said="I post it."), "What else?")
    card = await asked(room, thread)
    await room.says("stop", thread=thread)
    stopped = await room.sees(texts.STOPPED, thread=thread)
    await room.rests()
    assert "Conversation interrupted" in text_of(stopped)
    assert permission_cards.WITHDRAWN in await shown(room, thread, card.ts)
    led = await room.conversation(thread)
    assert (led.run, led.status, led.question) == (TurnState.IDLE, Status.ACTIVE, None)
    await room.says("now?", thread=thread)
    await room.sees("What else?", thread=thread)
    assert posted(room) == []


async def test_never_mind_says_once_that_what_waits_for_a_permission_is_not_done(room: Chat) -> None:
    thread = await wants(room, posting("The rota"), "All right.", "Hello.")
    card = await asked(room, thread)
    for words, answer in (("never mind", "All right."), ("hello?", "Hello.")):
        await room.says(words, thread=thread)
        await room.sees(answer, thread=thread)
        await room.rests()
    withdrawn, *answers = map(text_of, room.thread(thread))
    assert room.now(card) == room.thread(thread)[0]
    assert permission_cards.WITHDRAWN in withdrawn
    assert answers == ["All right.", "Hello."]


async def test_archiving_while_a_permission_is_waited_for_withdraws_it_and_its_buttons_are_gone(room: Chat) -> None:
    thread = await wants(room, posting("The rota"))
    card = await asked(room, thread)
    await room.says("@Threadwise archive", thread=thread)
    warning = await room.sees("Shall I archive this conversation?", thread=thread)
    await room.slack.people.clicks("Maya", "#general", warning.ts, "archive")
    await room.sees("Archived by", thread=thread)
    await room.rests()
    assert permission_cards.WITHDRAWN in await shown(room, thread, card.ts)
    led = await room.conversation(thread)
    assert (led.run, led.status, posted(room)) == (TurnState.IDLE, Status.ARCHIVED, [])


async def test_what_is_erased_while_it_waits_asks_no_more(room: Chat) -> None:
    thread = await wants(room, posting("The rota"))
    card = await asked(room, thread)
    await room.says("@Threadwise erase", thread=thread)
    offer = await room.sees(texts.ERASE_OFFER[:20], thread=thread)
    await room.slack.people.clicks("Maya", "#general", offer.ts, "erase")
    await room.sees(texts.ERASED, thread=thread)
    await room.rests()
    assert "Always = " not in await shown(room, thread, card.ts)
    assert posted(room) == []
    assert await room.documents("conversations") == 0


@pytest.mark.parametrize("place", [ALLOW, ALWAYS, NEVER])
async def test_the_card_works_after_a_restart(room: Chat, place: int) -> None:
    thread = await wants(room, posting("The rota", said="I post it."), "That was it.")
    card = await asked(room, thread)
    await room.stops()
    await room.starts()
    await presses(room, card, place)
    await room.sees("That was it.", thread=thread)
    await room.rests()
    assert posted(room) == ([] if place == NEVER else ["The rota"])
    assert len(room.claude.requests) == 2
    assert (await room.conversation(thread)).run is TurnState.IDLE


async def test_a_message_that_is_deleted_while_it_waits_does_not_keep_the_round_from_its_end(room: Chat) -> None:
    thread = await room.exchanges("@Threadwise hi", "Yes?")
    said = await room.says("it is about the attic", thread=thread)
    room.will_answer(posting("The rota"), "Done.", "And now?")
    await asked(room, thread)
    await room.slack.people.deletes("Maya", "#general", said)
    await room.rests()
    await decides(room, thread, ALLOW)
    await room.sees("Done.", thread=thread)
    await room.says("go on", thread=thread)
    await room.sees("And now?", thread=thread)
    assert "attic" not in str(room.claude.requests[-1].prompt.messages)
    assert posted(room) == ["The rota"]


async def test_killed_while_it_waits_nothing_is_lost_and_the_card_works(stage: Chat, tmp_path: Path) -> None:
    stage.will_answer(posting("The rota"), "Done.")
    async with serving(stage, tmp_path) as first:
        thread = await stage.says("@Threadwise post it")
        card = await asked(stage, thread)
        first.kill()
    async with serving(stage, tmp_path):
        await presses(stage, card, ALLOW)
        await stage.sees("Done.", thread=thread)
    assert posted(stage) == ["The rota"]


@pytest.mark.req("MW-21")
@pytest.mark.parametrize("moment", ["before", "after"])
async def test_killed_while_it_posts_it_is_never_done_twice_and_people_and_model_are_told(
    stage: Chat, tmp_path: Path, moment: str
) -> None:
    stage.will_answer(posting("The rota", "The costs", said="I post it."), "I look first.")
    async with serving(stage, tmp_path) as first:
        thread = await stage.says("@Threadwise post it")
        card = await asked(stage, thread)
        stage.slack.faults.at("chat.postMessage", moment="instead" if moment == "before" else "after", act=first.kill)
        await presses(stage, card, ALLOW)
        await first.ended.wait()
    async with serving(stage, tmp_path):
        await stage.sees(UNKNOWN, thread=thread, patience=30)
        await stage.sees(texts.INTERRUPTED, thread=thread)
        await stage.says("and?", thread=thread)
        await stage.sees("I look first.", thread=thread)
    assert posted(stage) == ([] if moment == "before" else ["The rota"])
    assert [each for each in stage.thread(thread) if "Always = " in text_of(each)] == []
    assert "It is not known whether it was done: do not repeat it." in notes(stage)


@pytest.mark.req("MW-21")
async def test_killed_after_it_was_done_the_turn_goes_on_with_what_came_of_it(stage: Chat, tmp_path: Path) -> None:
    never = hangs("It stands there.", 0)
    stage.will_answer(posting("The rota", said="I post it."), never, "It stands there already.")
    async with serving(stage, tmp_path) as first:
        thread = await stage.says("@Threadwise post it")
        card = await asked(stage, thread)
        await presses(stage, card, ALLOW)
        await stage.claude.arrival(2)
        first.kill()
    async with serving(stage, tmp_path):
        await stage.sees("It stands there already.", thread=thread, patience=30)
    assert [failed for _, failed in told(stage)] == [False]
    assert posted(stage) == ["The rota"]


async def test_what_was_done_before_the_model_failed_is_told_to_it_when_it_is_asked_once_more(room: Chat) -> None:
    thread = await wants(
        room, posting("The rota"), Turn(fault=HttpFault(400)), "It stands there already.", said="post the rota"
    )
    await decides(room, thread, ALLOW)
    failed = await room.sees(texts.FAILURES[errors.FailureKind.INVALID], thread=thread)
    assert failed
    await room.says("and?", thread=thread)
    await room.sees("It stands there already.", thread=thread)
    assert "this was done: post to #ops (“The rota”). Do not do it again." in notes(room)
    assert posted(room) == ["The rota"]


async def test_stopped_while_it_posts_the_post_is_not_repeated_and_people_are_told(room: Chat) -> None:
    posting_, go_on = asyncio.Event(), asyncio.Event()

    async def hangs() -> None:
        posting_.set()
        await go_on.wait()

    thread = await wants(room, posting("The rota", said="I post it."), "I see.")
    card = await asked(room, thread)
    room.slack.faults.at("chat.postMessage", moment="after", act=hangs)
    await presses(room, card, ALLOW)
    await posting_.wait()
    await room.says("stop", thread=thread)
    await room.sees(UNKNOWN, thread=thread)
    go_on.set()
    await room.says("and?", thread=thread)
    await room.sees("I see.", thread=thread)
    await room.rests()
    assert posted(room) == ["The rota"]
    assert "do not repeat it" in notes(room)
    assert told(room) == [(UNKNOWN_OUTCOME, True)]


@pytest.mark.parametrize("said", ["", "I look."])
async def test_killed_while_it_reads_what_it_was_doing_is_not_kept_and_it_reads_again(
    stage: Chat, tmp_path: Path, said: str
) -> None:
    never, looking = asyncio.Event(), using(("read_channel", {"channel": "#ops"}), said=said)
    async with serving(stage, tmp_path) as first:
        stage.slack.faults.at("conversations.history", moment="before", act=never.wait)
        stage.will_answer(looking, looking, "Nothing new.")
        thread = await stage.says("@Threadwise what is new in #ops?")
        await stage.sees("Reading #ops", thread=thread)
        first.kill()
    async with serving(stage, tmp_path):
        whole = "\n\n".join(filter(None, (said, "Nothing new.")))
        await stage.until(lambda: [without_line(message) for message in stage.thread(thread)][-1:] == [whole])
    never.set()
    assert [failed for _, failed in told(stage)] == [False]


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
