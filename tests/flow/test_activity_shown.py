"""What was looked at stays as a line below the answer, with details that its owner alone can open, even later."""

from __future__ import annotations

import asyncio
import re

import pytest

from app.core.copy import texts
from app.playground.claude import Gate, Turn
from handlers.slack import action_ids
from handlers.views.kit.plain_text import extract_text
from tests.flow.called import calls, labels
from tests.flow.carried import BOARD, SECRET, board, changes, of, reading
from tests.flow.chat import UNLIMITED, chatting, text_of
from tests.flow.deciding import opens
from tests.flow.permitting import WAIT, decides, posting, wants


@pytest.mark.req("AG-04")
async def test_the_line_stays_and_its_owner_alone_opens_the_details_even_after_a_restart(mongo_uri: str) -> None:
    async with chatting(mongo_uri, allowed_tools="post_message", **UNLIMITED) as chat:
        await chat.says("Van 4 is broken.", where="#ops", who="Priya")
        chat.will_answer(reading("#ops"), calls("date_and_time"), "One van is out.")
        thread = await chat.says("@Threadwise which vans are out?")
        line = "🔎 Looked at #ops (1 message) and the clock"
        said = await chat.sees(line, thread=thread)
        assert text_of(said).startswith("One van is out.")
        await chat.rests()
        await chat.stops()
        await chat.starts()
        people = chat.slack.people
        await people.clicks("Sam", "#general", said.ts, action_ids.SHOW_ALL)
        await people.waits(lambda: [m for m in chat.thread(thread, who="Sam") if "Only" in text_of(m) and m.seen_by])
        assert people.modal("Sam") is None
        view = await opens(chat, lambda: people.clicks("Maya", "#general", said.ts, action_ids.SHOW_ALL))
        shown = extract_text(view.given["blocks"])
        assert "channel: #ops" in shown
        assert "Van 4 is broken." in shown
        assert "C0" not in shown


@pytest.mark.req("NC-06")
async def test_details_name_threadwise_where_it_wrote_and_only_what_people_know(mongo_uri: str) -> None:
    async with chatting(mongo_uri, allowed_tools="post_message", **UNLIMITED) as chat:
        chat.will_answer(
            posting("We close at five"), calls("read_channel", channel="#ops", limit=20), "It stands there."
        )
        thread = await chat.says("@Threadwise post when we close, and look whether it stands there")
        said = await chat.sees("It stands there.", thread=thread)
        await chat.rests()
        people = chat.slack.people
        view = await opens(chat, lambda: people.clicks("Maya", "#general", said.ts, action_ids.SHOW_ALL))
        shown = extract_text(view.given["blocks"])
        assert re.search(r"Threadwise, \d{4}-\d\d-\d\d \d\d:\d\d: We close at five", shown), shown
        assert [word for word in ("Somebody", "limit") if word in shown] == []
        assert re.search(r"\b20\b", re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d|https?://\S+", "", shown)) is None


@pytest.mark.req("AG-04")
async def test_with_the_loop_off_a_pause_shows_that_line_and_continue(mongo_uri: str) -> None:
    async with chatting(mongo_uri, autonomous_loop=False, **UNLIMITED) as chat:
        chat.will_answer(reading("#ops"), "Nobody wrote.")
        thread = await chat.says("@Threadwise what do they say?")
        pause = await chat.sees("🔎 Looked at #ops (no messages)", thread=thread)
        assert labels(pause) == [texts.SHOW_DETAILS, texts.CONTINUE]
        assert texts.LIMITED not in text_of(pause)
        await chat.slack.people.clicks("Maya", "#general", pause.ts, "continue")
        await chat.sees("Nobody wrote.", thread=thread)
        await chat.rests()


@pytest.mark.req("AG-04", "SE-06")
async def test_details_stay_closed_to_an_owner_who_sees_one_of_their_places_no_more(mongo_uri: str) -> None:
    async with chatting(mongo_uri) as chat:
        own, people = await board(chat), chat.slack.people
        chat.will_answer(reading("#board"), "I know it.")
        thread = await chat.says("what stands in #board?", where=own)
        said = await chat.sees("Looked at #board", thread=thread, where=own)
        await chat.rests()
        changes(chat, BOARD, members=of(chat, "Sam"))
        await people.clicks("Maya", own, said.ts, action_ids.SHOW_ALL)
        await people.waits(lambda: [m for m in people.sees("Maya", own) if texts.NOT_SEEN in text_of(m)])
        assert people.modal("Maya") is None
        changes(chat, BOARD, members=of(chat, "Maya", "Sam"))
        view = await opens(chat, lambda: people.clicks("Maya", own, said.ts, action_ids.SHOW_ALL))
        assert SECRET in extract_text(view.given["blocks"])


@pytest.mark.req("IN-05")
async def test_details_show_nothing_of_a_message_or_a_file_that_its_author_has_deleted(mongo_uri: str) -> None:
    async with chatting(mongo_uri, **UNLIMITED) as chat:
        people = chat.slack.people
        chat.will_answer("Hello, Maya.")
        thread = await chat.says("@Threadwise hello")
        await chat.sees("Hello, Maya.", thread=thread)
        file = people.brings("Sam", "costs.csv", b"City,Rent\nLisbon,937")
        await chat.says("My numbers", who="Sam", thread=thread, files=[file])
        secret = await chat.says("The code is swordfish.", who="Sam", thread=thread)
        await chat.rests()
        chat.will_answer(calls("read_file", file="costs.csv"), calls("read_thread"), "Sam has numbers.")
        await chat.says("what does Sam say?", thread=thread)
        said = await chat.sees("Sam has numbers.", thread=thread)
        await chat.rests()
        kept = str(await chat.store.conversations.transcript(await chat.conversation(thread), 0))
        assert "Lisbon" in kept
        assert "swordfish" in kept
        await people.deletes_file("Sam", file.id)
        await people.deletes("Sam", "#general", secret)
        await chat.until(lambda: len(chat.deliveries_of("file_deleted")) > 0)
        await chat.settled_inbox(6)
        await chat.rests()
        view = await opens(chat, lambda: people.clicks("Maya", "#general", said.ts, action_ids.SHOW_ALL))
        shown = extract_text(view.given["blocks"])
        assert "My numbers" in shown
        kept = str(await chat.store.conversations.transcript(await chat.conversation(thread), 0))
        assert [word for word in ("Lisbon", "swordfish") if word in shown + kept] == []


@pytest.mark.req("IN-05")
async def test_nothing_is_kept_of_a_message_that_is_deleted_while_the_answer_that_has_read_it_grows(
    mongo_uri: str,
) -> None:
    async with chatting(mongo_uri, **UNLIMITED) as chat:
        gate = asyncio.Event()
        chat.will_answer("Hello, Maya.", calls("read_thread"), Turn(text="Sam said it.", gates=[Gate(9, gate)]))
        thread = await chat.says("@Threadwise hello")
        await chat.sees("Hello, Maya.", thread=thread)
        secret = await chat.says("The code is swordfish.", who="Sam", thread=thread)
        await chat.rests()
        await chat.says("what does Sam say?", thread=thread)
        await chat.sees("Sam", thread=thread)
        await chat.slack.people.deletes("Sam", "#general", secret)
        await chat.applied(2, thread)
        gate.set()
        await chat.sees("Sam said it.", thread=thread)
        await chat.rests()
        kept = str(await chat.store.conversations.transcript(await chat.conversation(thread), 0))
        assert "swordfish" not in kept


@pytest.mark.req("AG-04")
async def test_the_line_on_what_was_done_stays_below_an_answer_that_is_told_to_wait(mongo_uri: str) -> None:
    async with chatting(mongo_uri, **UNLIMITED) as chat:
        thread = await wants(chat, reading("#ops"), posting("We close at five"), "I leave it, then.")
        assert not [each for each in chat.thread(thread) if "🔎" in text_of(each)]
        await decides(chat, thread, WAIT)
        await chat.sees("🔎 Looked at #ops (no messages)", thread=thread)
        await chat.rests()
        assert sum("🔎" in text_of(each) for each in chat.thread(thread)) == 1
