"""Schedules: the model plans work, the card tells when, the calendar runs it, and the owner calls it off.

Scenario 14 of the requirements: what is done once, at its time or at once."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from app.clock import SystemClock
from app.core.copy import texts
from app.core.state.status import Status
from handlers.slack import action_ids
from tests.flow.called import asks, calls, results
from tests.flow.chat import Chat, chatting, fixture_of, text_of
from tests.flow.scheduled import MONDAYS, has_come, now, planned
from tests.told import words

room = fixture_of(chatting, look_seconds=0.1)


def at_nine_on_monday(moment: str) -> bool:
    """True of a coming Monday at nine in the morning where Maya lives."""
    local = datetime.fromisoformat(moment).astimezone(ZoneInfo("America/New_York"))
    return (local.isoweekday(), local.hour, local.minute) == (1, 9, 0) and local > SystemClock().now()


@pytest.mark.req("S2-028", "S2-043", "S2-054")
async def test_a_card_tells_in_words_what_is_planned_and_when_it_is_next(room: Chat) -> None:
    thread, card = await planned(room)
    await room.rests()
    going_on = await room.conversation(thread)
    assert (going_on.status, at_nine_on_monday(going_on.next_run)) == (Status.BACKGROUND, True)
    stamp = int(datetime.fromisoformat(going_on.next_run).timestamp())
    shown = now(room, card)
    assert "⏰ *Every Monday at 09:00 (New York)*\nAsk Maya for the numbers of the week." in shown
    assert f"Next: <!date^{stamp}^" in shown
    [(told, refused)] = results(room)
    assert (told.startswith("every Monday at 09:00 (New York) · next "), refused) == (True, False)


@pytest.mark.req("NC-07")
async def test_a_schedule_tells_the_same_moment_by_the_readers_clock_and_in_the_owners_zone_by_name(
    room: Chat,
) -> None:
    thread, card = await planned(room)
    await room.rests()
    await room.says("@Threadwise status", thread=thread)
    status = text_of(await room.sees("every Monday at 09:00 (New York) · next", thread=thread))
    assert re.search(r"every Monday at 09:00 \(New York\) · next [\w ]+ 09:00", status), status
    dated = re.search(r"Next: <!date\^(\d+)\^([^|]*)\|([^>]*)>", now(room, card))
    assert dated is not None, "the card has Slack's own form of a date"
    moment = datetime.fromtimestamp(int(dated[1]), ZoneInfo("America/New_York"))
    assert (f"{moment:%A at %H:%M}", dated[2]) == ("Monday at 09:00", "{date_short_pretty} at {time}, your time")
    assert dated[3].endswith(" 09:00 (New York)")


@pytest.mark.req("S2-010", "S2-047", "S2-048")
async def test_work_for_at_once_runs_by_itself_and_then_nothing_is_planned_any_more(chat_of_both: Chat) -> None:
    chat = chat_of_both
    plan = calls("schedule_work", kind="immediate", instruction="Count the drivers.")
    thread, card = await planned(chat, plan, "I counted twelve drivers.")
    await chat.sees("twelve drivers", thread=thread)
    await chat.until(lambda: texts.SCHEDULE_DONE in now(chat, card))
    await chat.rests()
    run = chat.claude.requests[-1].prompt.last_user_text
    assert words(run) == "Count the drivers."
    assert "This is a run of the schedule" in run
    after = await chat.conversation(thread)
    assert (after.status, after.schedule, after.next_run) == (Status.ACTIVE, None, "")


@pytest.fixture(params=["socket", "http"])
async def chat_of_both(request: pytest.FixtureRequest, mongo_uri: str) -> AsyncGenerator[Chat]:
    """As `room`, and in a second run of the test over HTTP."""
    async with chatting(mongo_uri, http=request.param == "http", look_seconds=0.1) as chat:
        yield chat


@pytest.mark.req("S2-034", "S2-045", "S2-046")
async def test_what_is_planned_for_a_time_runs_then_and_once(room: Chat) -> None:
    soon = (SystemClock().now() + timedelta(seconds=4)).isoformat(timespec="seconds")
    plan = calls("schedule_work", kind="scheduled", run_at=soon, instruction="Say that the tea is ready.")
    thread, card = await planned(room, plan, "The tea is ready.")
    await room.sees("The tea is ready.", thread=thread)
    await room.until(lambda: texts.SCHEDULE_DONE in now(room, card))
    await room.rests()
    assert (await room.conversation(thread)).status is Status.ACTIVE
    assert len(room.claude.requests) == 3


@pytest.mark.req("S2-009", "S2-033", "S2-043")
async def test_a_regular_run_is_followed_by_the_next(room: Chat) -> None:
    thread, card = await planned(room, MONDAYS, "The numbers, please, Maya.")
    await has_come(room, thread)
    await room.sees("The numbers, please", thread=thread)
    await room.rests()
    after = await room.conversation(thread)
    assert (after.status, at_nine_on_monday(after.next_run)) == (Status.BACKGROUND, True)
    assert f"<!date^{int(datetime.fromisoformat(after.next_run).timestamp())}^" in now(room, card)


async def test_what_comes_due_while_the_program_is_down_runs_when_it_is_back(room: Chat) -> None:
    thread, _ = await planned(room, MONDAYS, "The numbers, please, Maya.")
    await room.rests()
    before = await room.conversation(thread)
    await has_come(room, thread)
    await room.stops()
    await room.starts()
    await room.sees("The numbers, please", thread=thread, patience=30)
    await room.rests()
    assert (await room.conversation(thread)).next_run == before.next_run
    assert len(room.claude.requests) == 3


@pytest.mark.req("S2-011")
async def test_people_talk_on_while_something_is_planned(room: Chat) -> None:
    thread, card = await planned(room, MONDAYS, "Yes, still on.")
    await room.rests()
    before, shown = await room.conversation(thread), now(room, card)
    await room.says("is that still on?", thread=thread)
    await room.sees("Yes, still on.", thread=thread)
    await room.rests()
    after = await room.conversation(thread)
    assert (after.status, after.schedule, after.next_run) == (before.status, before.schedule, before.next_run)
    assert now(room, card) == shown
    told = room.claude.requests[-1].prompt.last_user_text
    assert "Scheduled: every Monday at 09:00 (New York). Ask Maya for the numbers of the week." in told


async def test_the_owner_alone_calls_it_off_with_the_button(room: Chat) -> None:
    thread, card = await planned(room)
    await room.rests()
    await room.slack.people.clicks("Sam", "#general", card.ts, "cancel_schedule")
    await room.sees("can do that here", who="Sam", thread=thread)
    assert (await room.conversation(thread)).status is Status.BACKGROUND
    await room.slack.people.clicks("Maya", "#general", card.ts, "cancel_schedule")
    await room.until(lambda: texts.SCHEDULE_CANCELLED in now(room, card))
    await room.rests()
    after = await room.conversation(thread)
    assert (after.status, after.schedule, after.cards) == (Status.ACTIVE, None, ())


@pytest.mark.req("S2-016", "S2-018", "S2-031")
async def test_while_a_question_waits_no_run_begins_and_after_the_answer_it_goes_on(room: Chat) -> None:
    question = asks("Which numbers?", "Sales", "Drivers")
    thread, card = await planned(room, MONDAYS, question, "Sales, every Monday.")
    await room.says("not all of the numbers, you know", thread=thread)
    asked = await room.sees("Which numbers?", thread=thread)
    await room.until(lambda: texts.SCHEDULE_PAUSED in now(room, card))
    assert (await room.conversation(thread)).status is Status.WAITING_INPUT
    await has_come(room, thread)
    await room.slack.people.clicks("Maya", "#general", asked.ts, "answer:0")
    await room.sees("Sales, every Monday.", thread=thread)
    await room.until(lambda: texts.SCHEDULE_PAUSED not in now(room, card))
    await room.rests()
    after = await room.conversation(thread)
    assert (after.status, at_nine_on_monday(after.next_run)) == (Status.BACKGROUND, True)
    assert len(room.claude.requests) == 4


@pytest.mark.req("S2-014", "S2-032")
async def test_a_run_that_has_to_ask_goes_on_with_the_answer_and_is_done_once(room: Chat) -> None:
    plan = calls("schedule_work", kind="immediate", instruction="Count the drivers.")
    thread, card = await planned(room, plan, asks("Which depot?", "North", "South"), "North has seven drivers.")
    asked = await room.sees("Which depot?", thread=thread)
    await room.rests()
    assert (await room.conversation(thread)).status is Status.WAITING_INPUT
    await room.slack.people.clicks("Maya", "#general", asked.ts, "answer:0")
    await room.sees("North has seven drivers.", thread=thread)
    await room.until(lambda: texts.SCHEDULE_DONE in now(room, card))
    await room.rests()
    assert (await room.conversation(thread)).status is Status.ACTIVE
    assert len(room.claude.requests) == 4


async def test_a_paused_schedule_runs_nothing_over_a_restart_and_goes_on_when_it_is_resumed(mongo_uri: str) -> None:
    async with chatting(mongo_uri, look_seconds=0.1) as chat:
        thread, card = await planned(chat)
        await chat.rests()
        await chat.slack.people.clicks("Sam", "#general", card.ts, action_ids.PAUSE_SCHEDULE)
        await chat.sees("can do that here", who="Sam", thread=thread)
        await chat.slack.people.clicks("Maya", "#general", card.ts, action_ids.PAUSE_SCHEDULE)
        await chat.until(lambda: texts.SCHEDULE_HELD in now(chat, card))
        await has_come(chat, thread)
        await chat.stops()
        await chat.starts()
        await chat.slack.people.commands("Maya", "#general", "/threadwise", "schedules")
        await chat.slack.people.waits(
            lambda: any(texts.HELD in m.text for m in chat.slack.people.sees("Maya", "#general"))
        )
        await chat.exchanges("@Threadwise hi", "Hello.")
        await asyncio.sleep(0.5)  # several looks at the calendar, which found nothing
        await chat.rests()
        assert len(chat.claude.requests) == 3
        await chat.slack.people.clicks("Maya", "#general", card.ts, action_ids.RESUME_SCHEDULE)
        await chat.until(lambda: texts.SCHEDULE_HELD not in now(chat, card))
        chat.will_answer(calls("complete_work", message="The numbers, please."))
        await has_come(chat, thread)
        await chat.sees("The numbers, please.", thread=thread)
