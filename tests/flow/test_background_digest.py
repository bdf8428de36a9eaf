"""A digest on weekdays: what is new since its last run, nothing if nothing is, a question, a restart, a click.

Scenario 13 of the requirements; the change to summer time is in `tests/unit/core/state/test_schedule.py`."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from app.core.copy import texts
from app.core.state.status import Status
from app.playground.claude import Turn
from tests.flow.called import asks, calls, results
from tests.flow.chat import Chat, chatting, fixture_of, text_of
from tests.flow.scheduled import has_come, now, planned

WEEKDAYS = calls(
    "schedule_work",
    kind="cron",
    cron="0 9 * * 1-5",
    zone="Europe/Berlin",
    instruction="Tell what is new in #ops since the last run.",
    context="#ops",
)


room = fixture_of(chatting, look_seconds=0.1)


async def runs(chat: Chat, thread: str, *turns: Turn) -> None:
    """The digest comes due, and the model does this."""
    requests = len(chat.claude.requests) + len(turns)
    chat.will_answer(*turns)
    await has_come(chat, thread)
    await chat.until(lambda: len(chat.claude.requests) == requests)
    await chat.rests()


async def read_since_the_last_run(chat: Chat, thread: str) -> Turn:
    """The model reads from the moment that it was told of."""
    return calls("read_channel", channel="#ops", since=(await chat.conversation(thread)).work.last_run)


@pytest.mark.req("S2-043", "S2-050")
async def test_a_digest_tells_what_is_new_is_silent_if_nothing_is_and_goes_on_with_an_answer(room: Chat) -> None:
    await room.says("Van 3 is back.", who="Sam", where="#ops")
    thread, _ = await planned(room, WEEKDAYS)

    done = calls("complete_work", message="Van 3 is back.", state_update={"told": ["Van 3"]})
    await runs(room, thread, calls("read_channel", channel="#ops"), done)
    assert "Van 3 is back." in results(room)[0][0]
    await room.sees("Van 3 is back.", thread=thread)

    told = len(room.thread(thread))
    await runs(room, thread, await read_since_the_last_run(room, thread), calls("complete_work", silent=True))
    assert "Van 3" not in results(room)[0][0]
    assert len(room.thread(thread)) == told

    await room.says("Van 4 is down.", who="Sam", where="#ops")
    question = asks("Van 4 is down. Does that belong into the digest?", "Yes, always", "No")
    await runs(room, thread, await read_since_the_last_run(room, thread), question)
    found = results(room)[0][0]
    assert ("Van 4 is down." in found, "Van 3" in found) == (True, False)
    asked = await room.sees("Does that belong", thread=thread)
    waiting = await room.conversation(thread)
    assert waiting.status is Status.WAITING_INPUT

    await room.stops()
    await room.starts()
    room.will_answer(calls("complete_work", message="Van 4 is down.", state_update={"told": ["Van 3", "Van 4"]}))
    await room.slack.people.clicks("Maya", "#general", asked.ts, "answer:0")
    await room.until(lambda: len(room.claude.requests) == 9)
    await room.rests()
    asked_last = room.claude.requests[-1].prompt
    assert asked_last.last_user_text.startswith("Yes, always")
    heard = "\n".join(message.text for message in asked_last.messages if message.role == "user")
    assert heard.rindex("Data: ") == heard.rindex('Data: {"told": ["Van 3"]}'), "it holds what it was told last"
    assert heard.rindex("Last run: ") == heard.rindex(f"Last run: {_there(waiting.work.last_run)}")
    after = await room.conversation(thread)
    assert (after.status, after.work.data) == (Status.BACKGROUND, {"told": ["Van 3", "Van 4"]})
    assert (after.work.last_run, after.planned) == (waiting.work.began, 0)
    assert is_on_a_weekday_at_nine(after.next_run)


@pytest.mark.req("S2-057", "S2-058")
async def test_a_digest_that_waits_for_an_answer_is_put_away_with_a_warning_and_nothing_of_it_is_left(
    room: Chat,
) -> None:
    thread, card = await planned(room, WEEKDAYS)
    await runs(room, thread, asks("Is Van 4 to be told of?", "Yes", "No"))
    asked = await room.sees("Is Van 4", thread=thread)
    await room.says("@Threadwise archive", thread=thread)
    warning = await room.sees("Shall I archive this conversation?", thread=thread)
    assert texts.STOPS_SCHEDULE.format(schedule="weekdays at 09:00") in text_of(warning)
    assert texts.CANCELS_QUESTION in text_of(warning)
    await room.slack.people.clicks("Maya", "#general", warning.ts, "archive")
    await room.until(lambda: texts.SCHEDULE_CANCELLED in now(room, card))
    await room.rests()
    assert texts.QUESTION_CANCELLED in now(room, asked)
    after = await room.conversation(thread)
    assert (after.status, after.schedule, after.next_run, after.question) == (Status.ARCHIVED, None, "", None)


def is_on_a_weekday_at_nine(moment: str) -> bool:
    """By the clock of Berlin, whatever the season."""
    there = datetime.fromisoformat(moment).astimezone(ZoneInfo("Europe/Berlin"))
    return there.isoweekday() <= 5 and (there.hour, there.minute) == (9, 0)


def _there(moment: str) -> str:
    """The moment by Maya's clock."""
    return datetime.fromisoformat(moment).astimezone(ZoneInfo("America/New_York")).isoformat()
