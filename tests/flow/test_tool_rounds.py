"""The loop of a turn: as many rounds of tools as it takes, ended by the model, by a limit or by a person.

Requirements T7; scenarios 11 and 12 of their part 7."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from app.agent.endings import BEGINNING
from app.core.conversation.conversation import ROUNDS
from app.core.copy import texts
from app.playground.claude import HttpFault, Text, ToolCall, Turn
from tests.flow.called import labels
from tests.flow.chat import UNLIMITED, Chat, chatting, fixture_of, text_of
from tests.flow.permitting import final, posted, posting, told, using

CLOCK: tuple[str, dict[str, Any]] = ("date_and_time", {})


room = fixture_of(chatting, allowed_tools="post_message", **UNLIMITED)


@pytest.mark.req("S3-001", "S3-051", "S3-071")
async def test_a_task_of_several_tools_is_done_without_a_word_of_the_person(room: Chat) -> None:
    room.will_answer(
        using(CLOCK, ("read_channel", {"channel": "#ops"}), said="I look."),
        posting("one", "two", said="Now I post."),
        using(CLOCK),
        "All done.",
    )
    thread = await room.says("@Threadwise look at the time, then post it twice")
    assert await final(room, thread, "All done.") == "I look.\n\nNow I post.\n\nAll done."
    assert posted(room) == ["one", "two"]
    assert [failed for _, failed in told(room)] == [False] * 5
    roles = [message.role for message in room.claude.requests[-1].prompt.messages]
    assert roles == ["user", "assistant"] * 3 + ["user"]


@pytest.mark.req("S3-030", "S3-075")
async def test_several_reads_of_one_round_come_back_together_and_one_that_fails_keeps_none_of_the_others_out(
    room: Chat,
) -> None:
    nowhere: tuple[str, dict[str, Any]] = ("read_channel", {"channel": "#nowhere"})
    room.will_answer(using(nowhere, CLOCK, ("read_channel", {"limit": "many"}), CLOCK), "I see.")
    thread = await room.says("@Threadwise what is new?")
    await room.sees("I see.", thread=thread)
    await room.rests()
    assert [failed for _, failed in told(room)] == [True, False, True, False]
    assert len(room.claude.requests) == 2


@pytest.mark.req("S3-057")
async def test_after_twenty_five_rounds_the_person_is_asked_and_continue_starts_at_one(room: Chat) -> None:
    room.will_answer(*[using(CLOCK)] * ROUNDS)
    thread = await room.says("@Threadwise look at the clock for ever")
    limit = await room.sees(texts.LIMITED, thread=thread, patience=40)
    await room.rests()
    assert len(room.claude.requests) == 25
    room.will_answer(*[using(CLOCK)] * 2, "That was enough.")
    await room.slack.people.clicks("Maya", "#general", limit.ts, "continue")
    await room.sees("That was enough.", thread=thread)
    await room.rests()
    assert len(room.claude.requests) == 28
    assert len(told(room)) == 27


@pytest.mark.req("S3-067", "S3-070")
async def test_with_the_flag_off_each_round_ends_with_continue_and_its_results_are_still_sent(mongo_uri: str) -> None:
    async with chatting(mongo_uri, autonomous_loop=False, **UNLIMITED) as chat:
        chat.will_answer(using(CLOCK), using(CLOCK, said="Once more."), "Late.")
        thread = await chat.says("@Threadwise what time is it?")
        for rounds in (1, 2):
            limit = (
                await chat.slack.people.waits(lambda: [m for m in chat.thread(thread) if "Continue" in labels(m)])
            )[-1]
            assert text_of(limit).endswith("Looked at the clock\nShow details\nContinue")
            await chat.rests()
            assert len(chat.claude.requests) == rounds
            await chat.slack.people.clicks("Maya", "#general", limit.ts, "continue")
            await chat.claude.arrival(rounds + 1)
            assert len(told(chat)) == rounds
        await chat.sees("Late.", thread=thread)
        await chat.rests()


@pytest.mark.req("S3-054")
async def test_a_call_of_an_answer_that_was_cut_at_its_longest_is_not_carried_out(room: Chat) -> None:
    room.will_answer(replace(posting("half", said="I post"), stop_reason="max_tokens"), "Now I know.")
    thread = await room.says("@Threadwise post it")
    cut = await room.sees(texts.TRUNCATED, thread=thread)
    await room.rests()
    assert (posted(room), len(room.claude.requests)) == ([], 1)
    await room.slack.people.clicks("Maya", "#general", cut.ts, "continue")
    await room.sees("Now I know.", thread=thread)
    assert told(room) == []


async def test_an_answer_whose_reading_fills_the_window_says_so_and_goes_on_by_a_button(room: Chat) -> None:
    room.will_answer(using(CLOCK, said="I look."), Turn(fault=HttpFault(413)), "Without it, then.")
    thread = await room.says("@Threadwise read all of it")
    full = await room.sees(texts.READ_TOO_MUCH, thread=thread)
    await room.rests()
    await room.slack.people.clicks("Maya", "#general", full.ts, "continue")
    await final(room, thread, "Without it, then.")
    assert not [each for each in room.thread(thread) if texts.READ_TOO_MUCH in text_of(each)]


async def test_a_call_that_did_not_come_as_a_whole_is_not_carried_out_with_what_came_and_can_be_retried(
    mongo_uri: str,
) -> None:
    async with chatting(mongo_uri, allowed_tools="*", **UNLIMITED) as chat:
        half = ToolCall("post_message", raw='{"channel": "#ops", "text": "We close at five", "unl')
        chat.will_answer(Turn(parts=[Text("I post it."), half]), posting("We close at five unless it rains"), "Done.")
        thread = await chat.says("@Threadwise post it")
        broken = await chat.sees(texts.RETRY, thread=thread)
        await chat.rests()
        assert posted(chat) == []
        await chat.slack.people.clicks("Maya", "#general", broken.ts, "retry")
        await final(chat, thread, "Done.")
        assert posted(chat) == ["We close at five unless it rains"]


@pytest.mark.req("AG-10")
async def test_an_answer_that_announces_an_act_and_ends_is_asked_once_to_do_it(room: Chat) -> None:
    room.will_answer("Let me look at #ops.", using(CLOCK, said="I look."), "Let me look again.")
    thread = await room.says("@Threadwise what is new?")
    answer = await final(room, thread, "Let me look again.")
    assert answer == "Let me look at #ops.\n\nI look.\n\nLet me look again."
    assert len(room.claude.requests) == 3, "it is asked once in a turn"
    assert room.claude.requests[1].prompt.last_user_text.startswith("You ended before you did what you announced.")


@pytest.mark.req("AG-10")
async def test_a_reminder_that_is_promised_and_not_planned_is_asked_for_once(room: Chat) -> None:
    plan = using(("schedule_work", {"kind": "cron", "cron": "0 9 * * 1", "instruction": "Remind Maya."}))
    room.will_answer("I will remind you every Monday at 9.", plan, "It stands above.", "I'll remind you tomorrow.")
    thread = await room.says("@Threadwise remind me of the plants on Mondays at 9")
    await room.sees("Every Monday at 09:00", thread=thread)
    await final(room, thread, "It stands above.")
    assert room.claude.requests[1].prompt.last_user_text.startswith("You promised something for later")
    await room.says("and tomorrow?", thread=thread)
    await final(room, thread, "I'll remind you tomorrow.")
    assert len(room.claude.requests) == 4, "something is planned, and who knows what is meant"


@pytest.mark.req("S3-005", "S3-056", "S3-076")
async def test_where_the_model_ends_without_a_word_what_came_of_its_tools_is_told(room: Chat) -> None:
    room.will_answer(using(("read_channel", {"channel": "#nowhere"}), CLOCK), Turn(parts=[]), "You are welcome.")
    thread = await room.says("@Threadwise what day is it?")
    answer = await final(room, thread, BEGINNING)
    assert answer.splitlines()[0] == "Based on the tool executions:"
    assert "It is " in answer
    assert "{" not in answer
    log = room.heard.getvalue()
    led = await room.conversation(thread)
    assert f"synthesis_{led.id}:2" in log
    await room.says("thanks", thread=thread)
    await room.sees("You are welcome.", thread=thread)
    assert BEGINNING not in str(room.claude.requests[-1].prompt.messages)


@pytest.mark.req("S3-061")
async def test_while_a_tool_works_people_see_which_and_then_a_formatted_answer_in_the_same_message(room: Chat) -> None:
    looking, go_on = asyncio.Event(), asyncio.Event()

    async def hangs() -> None:
        looking.set()
        await go_on.wait()

    room.slack.faults.at("conversations.history", moment="before", act=hangs)
    room.will_answer(
        using(("read_channel", {"channel": "#ops"}), said="I look."), "**Three vans** are *out*:\n\n- `north`"
    )
    thread = await room.says("@Threadwise which vans are out?")
    await looking.wait()
    working = await room.sees("⏳ _Reading #ops …_", thread=thread)
    assert text_of(working).startswith("I look.\n\n")
    go_on.set()
    answer = await final(room, thread, "Three vans")
    said = await room.sees("Three vans", thread=thread)
    assert said.ts == working.ts
    assert said.blocks
    words, line = said.blocks
    assert (words["type"], words["text"], line["type"]) == ("markdown", answer, "section")
    assert answer == "I look.\n\n**Three vans** are *out*:\n\n- `north`"
