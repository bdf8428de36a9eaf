"""Archive and reopen in the thread: by words, by buttons, with a warning where work would stop (T1, C-04, C-33)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.clock import SystemClock
from app.core.conversation.conversation import Transition
from app.core.copy import texts
from app.core.machine.refusals import PUT_AWAY
from app.core.state.status import Status
from app.playground.claude import Turn
from app.playground.slack.values.model import Message
from tests.flow.called import asks, calls, labels, spoken
from tests.flow.chat import BOTH_WAYS, Chat, chatting, fixture_of, text_of
from tests.told import words

BOX = "📦"
MONDAYS = calls("schedule_work", kind="cron", cron="0 9 * * 1", instruction="Ask Maya for the numbers.")


room = fixture_of(chatting)


async def begun(chat: Chat, *turns: Turn | str) -> str:
    """A thread of Maya's in which all of these turns were said to its first message."""
    chat.will_answer(*spoken(*turns))
    thread = await chat.says("@Threadwise the word is marmalade")
    await chat.until(lambda: not chat.claude.script.pending)
    await chat.until(lambda: chat.claude.requests[-1].outcome == "answered")
    await chat.rests()
    return thread


async def put_away(chat: Chat, *turns: Turn | str) -> tuple[str, Message]:
    """A thread of Maya's that she has archived, and its card."""
    thread = await begun(chat, *(turns or ("Noted.",)))
    await chat.says("@Threadwise archive", thread=thread)
    card = await chat.sees(BOX, thread=thread)
    await chat.rests()
    return thread, card


def person(chat: Chat, name: str) -> str:
    """Somebody, as Slack writes them in a text."""
    return f"<@{chat.id_of(name)}>"


@pytest.mark.req("S2-022", "S2-027", "S2-037")
@BOTH_WAYS
async def test_where_nothing_would_stop_one_word_is_enough(chat: Chat) -> None:
    thread, card = await put_away(chat)
    assert f"📦 Archived by {person(chat, 'Maya')}" in text_of(card)
    assert labels(card) == [texts.REOPEN]
    assert (await chat.conversation(thread)).status is Status.ARCHIVED
    assert len(chat.claude.requests) == 1


@pytest.mark.req("S2-025", "S2-057", "S2-058")
@BOTH_WAYS
async def test_what_would_stop_is_told_privately_before_it_does(chat: Chat) -> None:
    thread = await begun(chat, MONDAYS, "Every Monday, then.")
    await chat.says("@Threadwise archive", thread=thread)
    warning = await chat.sees("Shall I archive this conversation?", thread=thread)
    await chat.rests()
    assert warning.seen_by is not None
    assert texts.STOPS_SCHEDULE.format(schedule="every Monday at 09:00") in text_of(warning)
    assert labels(warning) == [texts.ARCHIVE]
    assert (await chat.conversation(thread)).status is Status.BACKGROUND
    await chat.slack.people.clicks("Maya", "#general", warning.ts, "archive")
    await chat.sees(BOX, thread=thread)
    plan = await chat.sees(texts.SCHEDULE_CANCELLED, thread=thread)
    await chat.rests()
    assert labels(chat.now(plan)) == []
    after = await chat.conversation(thread)
    assert (after.status, after.schedule, after.next_run) == (Status.ARCHIVED, None, "")


@pytest.mark.req("S2-058")
async def test_an_open_question_is_cancelled_with_the_conversation(room: Chat) -> None:
    thread = await begun(room, asks("Which one?", "This", "That"))
    await room.says("@Threadwise archive", thread=thread)
    warning = await room.sees("Shall I archive this conversation?", thread=thread)
    assert texts.CANCELS_QUESTION in text_of(warning)
    await room.slack.people.clicks("Maya", "#general", warning.ts, "archive")
    await room.sees(BOX, thread=thread)
    question = await room.sees(texts.QUESTION_CANCELLED, thread=thread)
    await room.rests()
    assert labels(room.now(question)) == []
    after = await room.conversation(thread)
    assert (after.status, after.question) == (Status.ARCHIVED, None)


@pytest.mark.req("S2-023", "S2-052")
@BOTH_WAYS
async def test_what_is_said_in_an_archived_thread_is_marked_refused_and_not_kept(chat: Chat) -> None:
    thread, _ = await put_away(chat)
    kept = await chat.documents("messages")
    unheard = await chat.says("one more thing about the honey", thread=thread)
    hint = await chat.sees(texts.ARCHIVED, thread=thread)
    await chat.until(lambda: PUT_AWAY in chat.marks(unheard))
    await chat.rests()
    assert (hint.seen_by is not None, labels(hint)) == (True, [texts.GO_ON_WITH, texts.REOPEN])
    assert await chat.documents("messages") == kept
    assert len(chat.claude.requests) == 1


@BOTH_WAYS
async def test_the_button_takes_it_up_again_and_it_goes_on_with_all_that_was_said(chat: Chat) -> None:
    thread, card = await put_away(chat)
    await chat.slack.people.clicks("Maya", "#general", card.ts, "reopen")
    await chat.until(lambda: f"Reopened by {person(chat, 'Maya')}" in text_of(chat.now(card)))
    await chat.rests()
    assert labels(chat.now(card)) == []
    assert (await chat.conversation(thread)).status is Status.ACTIVE
    chat.will_answer(*spoken("Marmalade."))
    await chat.says("which word?", thread=thread)
    await chat.sees("Marmalade.", thread=thread)
    heard = [words(message.text) for message in chat.claude.requests[-1].prompt.messages]
    assert heard == ["the word is marmalade", "Noted.", "which word?"]


async def test_the_button_of_the_hint_reopens_as_well(room: Chat) -> None:
    thread, card = await put_away(room)
    await room.says("one more thing", thread=thread)
    hint = await room.sees(texts.ARCHIVED, thread=thread)
    await room.slack.people.clicks("Maya", "#general", hint.ts, "reopen")
    await room.until(lambda: "Reopened by" in text_of(room.now(card)))
    await room.rests()
    assert (await room.conversation(thread)).status is Status.ACTIVE


@pytest.mark.req("M-008")
async def test_one_word_takes_it_up_again(room: Chat) -> None:
    thread, card = await put_away(room)
    await room.says("@Threadwise reopen", thread=thread)
    await room.until(lambda: "Reopened by" in text_of(room.now(card)))
    await room.rests()
    assert (await room.conversation(thread)).status is Status.ACTIVE


@pytest.mark.req("SE-18")
async def test_a_conversation_that_was_silent_for_days_is_archived_with_a_note_and_forgotten_when_it_says(
    mongo_uri: str,
) -> None:
    async with chatting(mongo_uri, look_seconds=0.1, archive_after_days=30, erase_archived_after_days=7) as chat:
        thread = await begun(chat, "Noted.")
        await becomes(chat, thread, newest=long_ago(31))
        await chat.stops()
        await chat.starts()
        note = await chat.sees("nobody has written here for a long time", thread=thread)
        assert person(chat, "Maya") in text_of(note)
        assert "If it is not reopened, I forget it on" in text_of(note)
        await chat.rests()
        assert (await chat.conversation(thread)).status is Status.ARCHIVED
        await becomes(chat, thread, ends=datetime.fromtimestamp(float(long_ago(1)), UTC).isoformat())
        await chat.stops()
        await chat.starts()
        await chat.sees(texts.ERASED, thread=thread)
        await chat.sees(texts.FILED_FORGOTTEN, thread=thread)
        await chat.rests()
        assert labels(chat.now(note)) == []
        assert await chat.documents("messages") == 0


def long_ago(days: int) -> str:
    """So many days before now, as Slack's ts."""
    return f"{(SystemClock().now() - timedelta(days=days)).timestamp():.6f}"


async def becomes(chat: Chat, thread: str, **state: str) -> None:
    """Let time have passed."""
    await chat.rests()
    before = await chat.conversation(thread)
    await chat.store.conversations.save(Transition(conversation=replace(before, **state)))
