"""Work that is planned: its card, its runs in the background, what comes before them, and what ends them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from app.clock import SystemClock
from app.core.conversation.conversation import Transition
from app.core.conversation.transition import QUEUED
from app.core.copy import texts
from app.core.state.status import Status
from app.playground.claude import Gate, HttpFault, Pace, Text, ToolCall, Turn
from handlers.slack import action_ids
from tests.flow.called import asks, calls, labels, results
from tests.flow.chat import Chat, chatting, fixture_of, hangs, text_of
from tests.flow.permitting import asked as permission_asked
from tests.flow.permitting import posted, posting
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


AT_ONCE = calls("schedule_work", kind="immediate", instruction="Count the drivers.", data={"depots": ["North"]})
BROKEN = Turn(fault=HttpFault(400))


def asked(chat: Chat, place: int = -1) -> str:
    """All that the newest words of a request said to the model."""
    return chat.claude.requests[place].prompt.last_user_text


def read_in(chat: Chat) -> list[str]:
    """The words of each request, in order."""
    return [words(request.prompt.last_user_text) for request in chat.claude.requests]


@pytest.mark.req("S2-035", "S2-048", "S2-050")
async def test_work_that_is_not_done_goes_on_with_what_was_gathered_also_after_a_restart(room: Chat) -> None:
    half = calls("continue_work", message="North has seven.", state_update={"North": 7}, next_step="count South")
    thread, card = await planned(room, AT_ONCE, half)
    await room.sees("North has seven.", thread=thread)
    await room.rests()
    await room.stops()
    room.will_answer(calls("complete_work", message="Twelve drivers in all."))
    await room.starts()
    going_on = (await room.conversation(thread)).work
    assert (going_on.step, going_on.data) == ("count South", {"depots": ["North"], "North": 7})
    await has_come(room, thread)
    await room.sees("Twelve drivers in all.", thread=thread)
    await room.until(lambda: texts.SCHEDULE_DONE in now(room, card))
    await room.rests()
    assert 'Step: count South. Data: {"depots": ["North"], "North": 7}' in asked(room)
    assert (await room.conversation(thread)).status is Status.ACTIVE


async def test_a_run_that_has_nothing_to_tell_posts_nothing(room: Chat) -> None:
    look = Turn(
        parts=[Text("I look at what is new in the channel."), ToolCall("read_channel", {"channel": "#general"})],
        pace=Pace(chunk=4, seconds=0.02),
    )
    thread, _ = await planned(room, MONDAYS, look, calls("complete_work", silent=True))
    await room.rests()
    before = len(room.calls("chat.postMessage")), [text_of(message) for message in room.thread(thread)][:-1]
    await has_come(room, thread)
    await room.until(lambda: len(room.claude.requests) == 4)
    await room.rests()
    assert (len(room.calls("chat.postMessage")), room.calls("chat.delete")) == (before[0], [])
    assert (await room.conversation(thread)).work.last_run


async def test_a_message_goes_before_the_rest_of_a_run_which_then_goes_on(room: Chat) -> None:
    gate = asyncio.Event()
    parts = [Text("I look at the channel."), ToolCall("read_channel", {"channel": "#general"})]
    looking = Turn(parts=parts, gates=[Gate(6, gate)])
    thread, card = await planned(
        room, AT_ONCE, looking, "The depot is noted.", calls("complete_work", message="Twelve.")
    )
    await room.until(lambda: len(room.claude.requests) == 3)
    await room.queues("by the way, the depot is closed", thread=thread)
    gate.set()
    await room.sees("The depot is noted.", thread=thread)
    await room.sees("Twelve.", thread=thread)
    await room.until(lambda: texts.SCHEDULE_DONE in now(room, card))
    await room.rests()
    *_, run, message, rest = read_in(room)
    assert (run, message, rest) == ("Count the drivers.", "by the way, the depot is closed", texts.RUN_GOES_ON)
    assert "A run of the schedule has stopped for the owner's message" in asked(room, -2)
    seen = [text_of(message) for message in room.thread(thread)]
    assert "I look at the channel." in seen[-3]


async def test_a_run_that_comes_due_while_people_are_answered_waits_for_the_last_of_them(room: Chat) -> None:
    gate, soon = asyncio.Event(), SystemClock().now() + timedelta(seconds=4)
    plan = calls("schedule_work", kind="scheduled", run_at=soon.isoformat(), instruction="Count the drivers.")
    thread, card = await planned(room, plan, Turn(parts=[Text("We are half way.")], gates=[Gate(8, gate)]), "Oslo.")
    await room.says("how far are we?", thread=thread)
    await room.sees("We", thread=thread)
    room.will_answer(calls("complete_work", message="Twelve."))
    while not (await room.conversation(thread)).work.due_by:
        await asyncio.sleep(0.05)
    await room.queues("and where?", thread=thread)
    gate.set()
    await room.sees("Oslo.", thread=thread)
    await room.sees("Twelve.", thread=thread)
    await room.until(lambda: texts.SCHEDULE_DONE in now(room, card))
    assert read_in(room)[-3:] == ["how far are we?", "and where?", "Count the drivers."]
    assert ["This is a run" in asked(room, place) for place in (-3, -2, -1)] == [False, False, True]


async def test_a_message_goes_before_the_permission_that_a_run_would_ask_for_and_the_run_asks_afterwards(
    room: Chat,
) -> None:
    gate = asyncio.Event()
    wish = ToolCall("post_message", {"channel": "#ops", "text": "The digest"})
    writing = Turn(parts=[Text("I write it now, then."), wish], gates=[Gate(6, gate)])
    thread, _ = await planned(room, MONDAYS, writing, "At three.", posting("The digest"))
    await has_come(room, thread)
    await room.until(lambda: len(room.claude.requests) == 3)
    said = await room.queues("what time is the meeting?", thread=thread)
    gate.set()
    await room.sees("At three.", thread=thread)
    await permission_asked(room, thread, "The digest")
    await room.rests()
    assert read_in(room)[-2:] == ["what time is the meeting?", texts.RUN_GOES_ON]
    assert (len(room.claude.requests), posted(room), QUEUED in room.marks(said)) == (5, [], False)


@pytest.mark.req("S2-019")
async def test_a_run_that_failed_three_times_is_asked_about_and_retry_makes_it_at_once(room: Chat) -> None:
    thread, card = await planned(room, MONDAYS, BROKEN, BROKEN, BROKEN, calls("complete_work", message="The numbers."))
    for failures in (1, 2):
        await has_come(room, thread)
        while (await room.conversation(thread)).failures < failures:
            await asyncio.sleep(0.05)
        await room.rests()
        wait = datetime.fromisoformat((await room.conversation(thread)).next_run) - SystemClock().now()
        assert timedelta(minutes=failures - 0.5) < wait <= timedelta(minutes=failures)
    await has_come(room, thread)
    question = await room.sees(texts.FAILED_OFTEN, thread=thread)
    assert f"<@{room.id_of('Maya')}>" in text_of(question)
    assert labels(question) == ["Retry", "Stop"]
    await room.until(lambda: texts.SCHEDULE_PAUSED in now(room, card))
    await room.slack.people.clicks("Maya", "#general", question.ts, "answer:0")
    await room.sees("The numbers.", thread=thread)
    await room.rests()
    after = await room.conversation(thread)
    assert (after.status, after.failures, after.question) == (Status.BACKGROUND, 0, None)
    assert len(room.claude.requests) == 6


@pytest.mark.req("S2-036")
@pytest.mark.parametrize("is_typed", [False, True], ids=["pressed", "typed"])
async def test_a_key_that_is_not_accepted_is_asked_about_at_once_and_stop_ends_the_schedule(
    room: Chat, *, is_typed: bool
) -> None:
    thread, card = await planned(room, MONDAYS, Turn(fault=HttpFault(401)))
    await has_come(room, thread)
    question = await room.sees(texts.RECONNECT, thread=thread)
    assert (await room.conversation(thread)).status is Status.WAITING_INPUT
    if is_typed:
        await room.says("stop", thread=thread)
    else:
        await room.slack.people.clicks("Maya", "#general", question.ts, "answer:1")
    await room.until(lambda: texts.SCHEDULE_CANCELLED in now(room, card))
    await room.rests()
    after = await room.conversation(thread)
    assert (after.status, after.schedule, len(room.claude.requests)) == (Status.ACTIVE, None, 3)


async def test_a_run_writes_its_digest_where_answers_stop_after_each_round_of_tools(mongo_uri: str) -> None:
    look = calls("read_channel", channel="#general")
    async with chatting(mongo_uri, look_seconds=0.1, autonomous_loop=False) as chat:
        chat.will_answer(MONDAYS)
        thread = await chat.says("@Threadwise every Monday at 9, ask me for the numbers")
        await chat.sees("⏰", thread=thread)
        chat.will_answer(look, calls("complete_work", message="The digest itself."))
        await has_come(chat, thread)
        await chat.sees("The digest itself.", thread=thread)
        await chat.rests()
        assert (await chat.conversation(thread)).work.last_run


async def test_retry_under_a_run_that_failed_makes_it_in_its_place_and_once(mongo_uri: str) -> None:
    endless = hangs("One, two, three and so on.", 8)
    async with chatting(mongo_uri, look_seconds=0.1, run_seconds=2.0) as chat:
        thread, card = await planned(chat, AT_ONCE, endless, calls("complete_work", message="Twelve."))
        failed = await chat.sees("Claude did not answer in time.", thread=thread)
        await chat.rests()
        await chat.slack.people.clicks("Maya", "#general", failed.ts, action_ids.RETRY)
        made = await chat.sees("Twelve.", thread=thread)
        await chat.until(lambda: texts.SCHEDULE_DONE in now(chat, card))
        await chat.rests()
        after = await chat.conversation(thread)
        assert (made.ts, labels(made)) == (failed.ts, [])
        assert (after.status, after.schedule, len(chat.claude.requests)) == (Status.ACTIVE, None, 4)


async def test_a_run_that_a_limit_or_an_outage_keeps_from_beginning_says_nothing_and_is_made_later(
    mongo_uri: str,
) -> None:
    async with chatting(mongo_uri, look_seconds=0.1, answers_at_once=1) as chat:
        thread, _ = await planned(chat, MONDAYS, *[Turn(fault=HttpFault(529))] * 3)
        await has_come(chat, thread)
        await chat.until(lambda: len(chat.claude.requests) == 5)
        await chat.rests()
        busy = await chat.conversation(thread)
        gate = asyncio.Event()
        chat.will_answer(Turn(text="One, two, three and so on.", gates=[Gate(4, gate)]))
        other = await chat.says("@Threadwise count for me")
        await chat.sees("One", thread=other)
        past = SystemClock().now() - timedelta(seconds=1)
        await chat.store.conversations.save(Transition(conversation=replace(busy, next_run=past.isoformat())))
        while (paced := await chat.conversation(thread)).next_run in (busy.next_run, past.isoformat()):
            await asyncio.sleep(0.05)
        gate.set()
        await chat.rests()
        chat.will_answer(calls("complete_work", message="The numbers, please."))
        await has_come(chat, thread)
        await chat.sees("The numbers, please.", thread=thread)
        await chat.rests()
        shown = [text_of(message) for message in chat.thread(thread)]
        assert (busy.failures, paced.failures, busy.work.tries, paced.work.tries) == (0, 0, 1, 1)
        assert len(shown) == 3
        assert not [message for message in chat.thread(thread) if "Retry" in labels(message)]
