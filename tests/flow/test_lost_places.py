"""A thread whose channel is closed to the app: nothing runs in vain, nothing is lost, and its owner is told once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.core.copy import texts
from app.core.state.status import Status, TurnState
from app.playground.claude import Gate, Text, Turn
from app.playground.slack.values.faults import Fault
from handlers.slack import action_ids
from tests.flow.called import calls, labels
from tests.flow.chat import Chat, chatting, fixture_of, text_of
from tests.flow.deciding import APPROVE, deciding, leads_to_card, leads_to_record, presses, starts, thread_of
from tests.flow.deciding import decides as decides_on
from tests.flow.permitting import ALLOW, decides, posted, posting
from tests.flow.scheduled import MONDAYS, has_come, planned
from tests.unit.decision.components.worked import minimal

DIGEST = "The digest of this week, in a sentence of its own."
AGAIN = "The digest of the week after that."
WELCOME_BACK = "There you are again."
GENERAL = "#general"


room = fixture_of(chatting, look_seconds=0.1)


def leaves(chat: Chat) -> None:
    """Somebody removes the app from the channel."""
    workspace, us = chat.slack.workspace, chat.slack.bot_user_id
    channel = workspace.channel_named(GENERAL)
    assert channel is not None
    left = tuple(each for each in channel.members if each != us)
    workspace.channels[channel.id] = replace(channel, members=left)


def comes_back(chat: Chat) -> None:
    workspace = chat.slack.workspace
    channel = workspace.channel_named(GENERAL)
    assert channel is not None
    workspace.channels[channel.id] = replace(channel, members=(*channel.members, chat.slack.bot_user_id))


async def told(chat: Chat) -> list[str]:
    """What Maya reads of the app in their direct messages."""
    place = await chat.slack.people.opens_dm("Maya")
    seen = chat.slack.people.sees("Maya", place)
    return [text_of(m) for m in seen if m.user == chat.slack.bot_user_id and "cannot write" in text_of(m)]


async def lost_at(chat: Chat, thread: str) -> None:
    """Wait until the program has found out, and has told it."""
    await chat.until(lambda: "place_lost" in chat.heard.getvalue())
    await chat.rests()
    assert (await chat.conversation(thread)).run is TurnState.IDLE


def asked(chat: Chat) -> int:
    """How often the model was asked."""
    return len(chat.claude.requests)


async def test_a_schedule_that_nobody_would_hear_is_paused_and_its_owner_is_told_once(room: Chat) -> None:
    thread, _ = await planned(room, MONDAYS, DIGEST, "Never asked for.")
    leaves(room)
    await has_come(room, thread)
    await lost_at(room, thread)
    before, words = asked(room), await told(room)
    await has_come(room, thread)
    await room.rests()
    now = await room.conversation(thread)
    assert (now.status, now.schedule is None, asked(room)) == (Status.WAITING_INPUT, False, before)
    assert len(words) == 1
    assert "every Monday at" in words[0]
    assert "/invite @Threadwise" in words[0]
    assert await told(room) == words
    assert await room.documents("audit_events", {"type": "undelivered", "reason": "place_lost"}) >= 1


async def test_what_was_missed_is_said_and_the_schedule_goes_on_when_the_app_is_back(room: Chat) -> None:
    thread, _ = await planned(room, MONDAYS, DIGEST, WELCOME_BACK, AGAIN)
    leaves(room)
    await has_come(room, thread)
    await lost_at(room, thread)
    comes_back(room)
    await room.says("you are back", thread=thread)
    await room.sees(WELCOME_BACK, thread=thread)
    await room.rests()
    assert [text_of(m) for m in room.thread(thread)].count(DIGEST) == 1
    question = await room.sees(texts.SHALL_I_GO_ON, thread=thread)
    assert labels(question) == ["Go on", "Stop"]
    assert (await room.conversation(thread)).unsaid == ()
    await room.slack.people.clicks("Maya", GENERAL, question.ts, "answer:0")
    await room.sees(AGAIN, thread=thread)
    await room.rests()
    assert (await room.conversation(thread)).status is Status.BACKGROUND
    assert len(await told(room)) == 1


async def test_the_result_of_a_task_that_is_done_once_is_kept_and_said_later(room: Chat) -> None:
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat(timespec="minutes")
    once = calls("schedule_work", kind="scheduled", run_at=tomorrow, instruction="Look it up.")
    thread, _ = await planned(room, once, DIGEST, WELCOME_BACK)
    leaves(room)
    await has_come(room, thread)
    await lost_at(room, thread)
    now = await room.conversation(thread)
    assert (now.status, now.schedule) == (Status.ACTIVE, None)
    (words,) = await told(room)
    assert "It is kept" in words
    comes_back(room)
    await room.says("and?", thread=thread)
    await room.sees(WELCOME_BACK, thread=thread)
    assert [text_of(m) for m in room.thread(thread) if DIGEST in text_of(m)] == [DIGEST]


async def test_a_greeting_does_not_answer_a_question_that_its_owner_has_never_seen(room: Chat) -> None:
    gate = asyncio.Event()
    wish = Turn(parts=[Text(DIGEST), *posting("We close at five.").parts], gates=[Gate(9, gate)])
    room.will_answer(wish, WELCOME_BACK)
    thread = await room.says("@Threadwise tell #ops when we close")
    await room.sees(DIGEST[:7], thread=thread)
    leaves(room)
    gate.set()
    await room.until(lambda: "place_lost" in room.heard.getvalue())
    await room.rests()
    comes_back(room)
    await room.says("hello again", thread=thread)
    await decides(room, thread, ALLOW, "We close at five.")
    await room.sees(WELCOME_BACK, thread=thread)
    await room.rests()
    assert posted(room) == ["We close at five."]


@pytest.mark.parametrize("code", ["not_in_channel", "channel_not_found", "is_archived", "restricted_action"])
async def test_an_answer_that_cannot_be_said_is_kept_and_said_with_the_next_one(room: Chat, code: str) -> None:
    gate = asyncio.Event()
    room.will_answer(Turn(text=DIGEST, gates=[Gate(9, gate)]), WELCOME_BACK)
    room.slack.faults.add(Fault("chat.postMessage", "error", times=2, code=code))  # of the preview, and of the whole
    thread = await room.says("@Threadwise what is new?")
    await room.until(lambda: len(room.calls("chat.postMessage")) == 1)
    gate.set()
    await lost_at(room, thread)
    assert (asked(room), len(await told(room))) == (1, 1)
    await room.says("hello?", thread=thread)
    await room.until(lambda: [text_of(m) for m in room.thread(thread)] == [DIGEST, WELCOME_BACK])
    await room.rests()
    assert await room.documents("inbox", {"state": {"$ne": "done"}}) == 0


@pytest.mark.parametrize(("code", "refusals"), [("no_permission", 2), ("msg_too_long", 3)])
async def test_an_answer_that_slack_refuses_for_a_reason_of_its_own_is_kept_and_said_with_the_next_one(
    room: Chat, code: str, refusals: int
) -> None:
    gate = asyncio.Event()
    room.will_answer(Turn(text=DIGEST, gates=[Gate(9, gate)]), WELCOME_BACK)
    room.slack.faults.add(
        Fault("chat.postMessage", "error", times=refusals, code=code)
    )  # preview, whole, without markup
    thread = await room.says("@Threadwise what is new?")
    await room.until(lambda: len(room.calls("chat.postMessage")) == 1)
    gate.set()
    await room.until(lambda: "speech_refused" in room.heard.getvalue())
    await room.rests()
    place = await room.slack.people.opens_dm("Maya")
    (words,) = [text_of(m) for m in room.slack.people.sees("Maya", place) if m.user == room.slack.bot_user_id]
    assert "It is kept" in words
    assert "/invite" not in words
    await room.says("hello?", thread=thread)
    await room.until(lambda: [text_of(m) for m in room.thread(thread)] == [DIGEST, WELCOME_BACK])
    await room.rests()
    assert (await room.conversation(thread)).unsaid == ()
    assert await room.documents("audit_events", {"type": "undelivered", "reason": "refused"}) == 1


@pytest.mark.parametrize("code", ["account_inactive", "token_revoked"])
async def test_an_answer_whose_end_met_a_revoked_token_is_whole_after_a_start_with_a_good_one(
    room: Chat, code: str
) -> None:
    gate = asyncio.Event()
    room.will_answer(Turn(text=DIGEST, gates=[Gate(12, gate)]), WELCOME_BACK)
    thread = await room.says("@Threadwise what is new?")
    await room.sees(DIGEST[:9], thread=thread)
    room.slack.faults.add(Fault("chat.update", "error", code=code))
    gate.set()
    await room.until(lambda: "work_put_off" in room.heard.getvalue())
    assert text_of(room.thread(thread)[0]) != DIGEST
    await room.stops()
    await room.starts()
    await room.until(lambda: [text_of(m) for m in room.thread(thread)] == [DIGEST])
    await room.exchanges("and now?", WELCOME_BACK, thread=thread)


async def test_words_in_a_step_that_is_finished_bring_what_is_missing_there(mongo_uri: str) -> None:
    async with deciding(mongo_uri) as chat:
        await decides_on(chat)
        thread = await thread_of(chat, "Issue raising")
        await leads_to_card(chat, thread, "issue_raising", minimal("issue_raising"), "As I told you:")
        leaves(chat)
        await presses(chat, thread, APPROVE)
        await chat.until(lambda: "place_lost" in chat.heard.getvalue())
        await chat.rests()
        comes_back(chat)
        await chat.says("and now?", thread=thread)
        await chat.sees("is in the record", thread=thread)


@pytest.mark.parametrize(("code", "words"), [("is_archived", "/invite @Threadwise"), ("no_permission", "once more")])
async def test_the_owner_is_told_of_a_step_that_could_not_begin_and_starts_it_once_more(
    mongo_uri: str, code: str, words: str
) -> None:
    async with deciding(mongo_uri) as chat:
        hub = await decides_on(chat)
        await leads_to_record(chat, "issue_raising", minimal("issue_raising"))
        chat.slack.faults.add(Fault("chat.postMessage", "error", code=code))
        await chat.slack.people.clicks("Maya", GENERAL, hub, action_ids.START_STEP)
        await chat.until(lambda: '"open_step"' in chat.heard.getvalue())
        await chat.rests()
        place = await chat.slack.people.opens_dm("Maya")
        (told_of,) = chat.slack.people.sees("Maya", place)
        assert "*Problem frame*" in text_of(told_of)
        assert words in text_of(told_of)
        await starts(chat, hub, "problem_frame")
        assert await chat.documents("audit_events", {"type": "undelivered"}) == 1


async def test_who_erases_a_conversation_in_a_channel_without_the_app_is_told_that_it_is_done(room: Chat) -> None:
    thread = await room.exchanges("@Threadwise the word is marmalade", WELCOME_BACK)
    await room.rests()
    await room.says("@Threadwise erase", thread=thread)
    offer = await room.sees("Shall I forget this conversation?", thread=thread)
    leaves(room)
    await room.slack.people.clicks("Maya", GENERAL, offer.ts, "erase")
    place = await room.slack.people.opens_dm("Maya")
    words = texts.format_erased(7)
    await room.slack.people.waits(lambda: [m for m in room.slack.people.sees("Maya", place) if words in text_of(m)])
    assert await room.documents("messages") == 0
