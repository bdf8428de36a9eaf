"""The program looked at from outside: its probes while it runs, and `threadwise doctor`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientConnectorError, ClientSession
from rich.console import Console

from app.cli import check, doctor
from app.clock import SystemClock
from app.core.conversation.conversation import Transition
from app.core.conversation.effect import React
from app.core.copy import texts
from app.core.errors import FailureKind, StoreUnavailable
from app.core.events.heard import GoalIdled
from app.core.thread import ThreadKey
from app.playground.claude import Gate, Turn
from app.ports import Clock, Queue
from app.ports.store import Store
from app.settings import Settings
from app.wiring import connect_store
from store.open import drop_database
from tests.flow.chat import Chat, chatting, free_port, hangs
from tests.flow.permitting import NEVER, decides, posting, wants
from tests.flow.process import environment, threadwise
from tests.flow.test_giving_up import with_a_bug
from tests.unit.watch.numbers import numbers

LONG_AGO = "1600000000.000100"


class Away:
    """An inbox of which nobody learns what waits, as while MongoDB is away."""

    def __init__(self, store: Store) -> None:
        self._inbox = store.inbox

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inbox, name)

    async def queue(self, team: str) -> Queue:
        raise StoreUnavailable


@asynccontextmanager
async def away(settings: Settings, clock: Clock) -> AsyncGenerator[Store]:
    async with connect_store(settings, clock) as store:
        yield replace(store, inbox=Away(store))  # type: ignore[arg-type]


@pytest.fixture
async def chat(mongo_uri: str) -> AsyncGenerator[Chat]:
    async with chatting(mongo_uri, watch_port=free_port()) as running:
        yield running


async def got(chat: Chat, path: str) -> tuple[int, bytes]:
    async with ClientSession() as http, http.get(f"http://127.0.0.1:{chat.settings.watch_port}{path}") as answer:
        return answer.status, await answer.read()


async def until(chat: Chat, path: str, true: Callable[[int, bytes], bool]) -> bytes:
    """Ask until the answer is as it should be."""
    async with asyncio.timeout(15):
        while True:
            status, said = await got(chat, path)
            if true(status, said):
                return said
            await asyncio.sleep(0.02)


async def test_a_program_that_serves_is_ready_and_counts_what_it_does_without_any_of_it(chat: Chat) -> None:
    thread = await chat.exchanges("@Threadwise which office?", "Close the Lyon office.")
    await chat.rests()
    assert await got(chat, "/healthz") == (200, b"ok\n")
    assert await got(chat, "/readyz") == (200, b'{"mongodb": true, "slack": true, "worker": true}')
    _, page = await got(chat, "/metrics")
    events = numbers(page, "events_total")
    assert events["complete", "", "run_finished"] == 1
    assert events["message_posted", "in_progress", "state_transition"] == 1
    assert numbers(page, "turn_seconds_count") == {(): 1}
    assert numbers(page, "tokens_total").keys() == {("input",), ("output",)}
    assert (numbers(page, "sessions"), numbers(page, "inbox_rows")) == ({}, {})
    conversation = await chat.conversation(thread)
    for secret in ("Lyon", "office", thread, conversation.id, conversation.owner, conversation.thread.channel):
        assert secret.encode() not in page


@pytest.mark.req("S3-088", "S3-090")
async def test_what_a_person_denies_is_counted_under_its_tool_and_rounds_by_conversation(chat: Chat) -> None:
    thread = await wants(chat, posting("The rota"), "Then not.")
    await decides(chat, thread, NEVER)
    await chat.sees("Then not.", thread=thread)
    await chat.rests()
    _, page = await got(chat, "/metrics")
    events = numbers(page, "events_total")
    assert {to: count for (_, to, kind), count in events.items() if kind == "permission_decision"} == {"never": 1}
    assert events["post_message", "never", "permission_decision"] == 1
    assert (numbers(page, "rounds_sum"), numbers(page, "conversations_total")) == ({(): 2}, {(): 1})


async def test_who_waits_to_be_called_over_http_is_ready_too(mongo_uri: str) -> None:
    async with chatting(mongo_uri, http=True, watch_port=free_port()) as chat:
        assert (await got(chat, "/readyz"))[0] == 200


async def test_while_mongodb_is_away_it_lives_and_is_not_ready(mongo_uri: str) -> None:
    async with chatting(mongo_uri, opening=away, watch_port=free_port()) as chat:
        assert await got(chat, "/readyz") == (503, b'{"mongodb": false, "slack": true, "worker": true}')
        assert (await got(chat, "/healthz"))[0] == 200
        assert (await got(chat, "/metrics"))[0] == 200


async def test_whose_socket_to_slack_is_closed_is_not_ready(chat: Chat) -> None:
    await chat.slack.stop()
    said = await until(chat, "/readyz", lambda status, _: status == 503)
    assert said == b'{"mongodb": true, "slack": false, "worker": true}'


@pytest.mark.req("S3-089")
async def test_an_answer_that_is_stopped_is_counted(chat: Chat) -> None:
    chat.will_answer(hangs("Half of it and never the rest."))
    thread = await chat.says("@Threadwise tell me everything")
    await chat.sees("Half of", thread=thread)
    await until(chat, "/metrics", lambda _, page: numbers(page, "sessions") == {(): 1})
    await chat.says("stop", thread=thread)
    await chat.sees(texts.STOPPED, thread=thread)
    _, page = await got(chat, "/metrics")
    assert numbers(page, "events_total")["stop_requested", "", "stream_cancelled"] == 1
    assert numbers(page, "events_total")["cancelled", "", "run_finished"] == 1


async def test_who_is_told_to_stop_is_not_ready_and_lives_until_the_last_answer_has_ended(chat: Chat) -> None:
    goes_on = asyncio.Event()
    chat.will_answer(Turn(text="Half of it and then the rest.", gates=[Gate(10, goes_on)]))
    thread = await chat.says("@Threadwise tell me everything")
    await chat.sees("Half of", thread=thread)
    stopping = asyncio.ensure_future(chat.stops())
    await until(chat, "/readyz", lambda status, said: status == 503 and b'"slack": false' in said)
    assert (await got(chat, "/healthz"))[0] == 200
    goes_on.set()
    await stopping
    with pytest.raises(ClientConnectorError):
        await got(chat, "/healthz")


# --- the doctor


@dataclass
class Visit:
    """What the doctor asked and printed."""

    is_well: bool
    asked: list[str]
    page: str


async def visited(chat: Chat, answer: bool | None = None) -> Visit:
    """Have the doctor look, and do what it offers if that is answered with yes."""
    asked: list[str] = []

    def agreed(finding: doctor.Finding) -> bool:
        asked.append(finding.advice.offer)
        return bool(answer)

    page = StringIO()
    console = Console(file=page, width=120)
    is_well = await doctor.consult(chat.settings, None if answer is None else agreed, console)
    return Visit(is_well, asked, page.getvalue())


async def test_an_event_that_was_given_up_is_taken_in_after_all_once_the_doctor_may_try_it_again(
    mongo_uri: str,
) -> None:
    async with chatting(mongo_uri, opening=with_a_bug) as chat:
        chat.will_answer("One.", "Three.")
        thread = await chat.says("@Threadwise one")
        await chat.sees("One.", thread=thread)
        await chat.slack.people.edits("Maya", "#general", thread, "@Threadwise uno")
        await chat.sees(texts.FAILURES[FailureKind.INTERNAL], thread=thread)
        await chat.rests()
        await chat.stops()
        chat.opening = connect_store
        await chat.starts()
        first = await visited(chat)
        assert (first.is_well, first.asked) == (False, [])
        assert "parked events: 1" in first.page
        assert "uno" not in first.page
        declined = await visited(chat, answer=False)
        assert declined.asked == ["Try them again"]
        assert await chat.documents("inbox", {"state": "parked"}) == 1
        helped = await visited(chat, answer=True)
        assert "parked events: 1 of 1 done." in helped.page
        while await chat.documents("inbox", {"state": {"$ne": "done"}}):
            await asyncio.sleep(0.02)
        await chat.says("three", thread=thread)
        await chat.sees("Three.", thread=thread)
        assert "uno" in str(chat.claude.requests[-1].prompt.messages)
        assert (await visited(chat)).is_well


async def test_what_is_still_to_be_done_and_that_nobody_would_do_is_done_after_the_doctor_was_there(
    chat: Chat,
) -> None:
    thread = await chat.exchanges("@Threadwise one", "One.")
    await chat.rests()
    where = (await chat.conversation(thread)).thread
    await chat.stops()
    await left_undone(chat, where, React(id="r:0", ts=thread, name="eyes"))
    await chat.starts()
    first = await visited(chat)
    assert "effects pending for long: 1" in first.page
    assert chat.marks(thread) == []
    assert (await visited(chat, answer=True)).asked == ["Have it performed"]
    await chat.until(lambda: chat.marks(thread) == ["eyes"])
    await chat.rests()
    assert (await visited(chat)).is_well


async def test_doctor_and_check_tell_of_an_empty_database_beside_the_secrets_of_one_in_use(chat: Chat) -> None:
    await chat.exchanges("@Threadwise one", "One.")
    await chat.rests()
    await chat.stops()
    assert (await visited(chat)).is_well
    await drop_database(chat.settings.mongodb_uri.get_secret_value(), chat.settings.database)
    lost = await visited(chat)
    assert not lost.is_well
    [found] = [each for each in await check.examine(chat.settings, http=False) if each.subject == "Keys and data"]
    assert not found.works
    for said in (found.advice, " ".join(lost.page.split())):
        assert f"The database {chat.settings.database} is empty" in said
        assert "MONGODB_URI and THREADWISE_DATABASE" in said


@pytest.mark.req("NC-08")
async def test_of_a_mistyped_name_of_the_database_run_check_and_doctor_say_that_it_is_new_and_which_is_beside_it(
    chat: Chat, tmp_path: Path
) -> None:
    env = environment(chat, THREADWISE_SECRETS_DIR=str(tmp_path))
    typed, meant = f"{chat.settings.database}x", chat.settings.database
    await chat.stops()
    chat.settings = chat.settings.model_copy(update={"secrets_dir": str(tmp_path)})
    await chat.starts()
    await chat.exchanges("@Threadwise one", "One.")
    await chat.rests()
    await chat.stops()
    new = f"The database {typed} is new: nothing is in it yet. Beside its secrets are those of {meant}. If you mean"
    mistyped = chat.settings.model_copy(update={"database": typed})
    findings = await check.examine(mistyped, http=False)
    assert all(each.works for each in findings), "a first start is no fault"
    assert [each.subject for each in findings if new in each.advice] == ["MongoDB"]
    page = StringIO()
    assert await doctor.consult(mistyped, None, Console(file=page, width=300))
    assert new in page.getvalue()
    for command in ("keys rotate", "export --list", "audit", "restored", "run"):
        process = await threadwise(tmp_path, command, {**env, "THREADWISE_DATABASE": typed})
        if command == "run":
            assert process.stdout is not None
            while new not in (line := (await process.stdout.readline()).decode()):
                assert line, "it has said nothing of it"
            process.terminate()
            await process.communicate()
        else:
            _, refusal = await process.communicate()
            assert (process.returncode, new in refusal.decode()) == (2, True), command
    await drop_database(chat.settings.mongodb_uri.get_secret_value(), typed)


async def left_undone(chat: Chat, where: ThreadKey, effect: React) -> None:
    """Leave an effect in the state that no event would have performed, as no process of ours does."""
    async with connect_store(chat.settings, SystemClock()) as store:
        event = GoalIdled(receipt="planted", thread=where, at=LONG_AGO, newest="")
        await store.inbox.take_in(event)
        [held] = await store.conversations.claim_some(where.team, "test", 60, (), 1)
        planted = replace(held.conversation, effects=(effect,), newest=LONG_AGO)
        await store.conversations.save(Transition(conversation=planted))
        await store.inbox.close_rows(["planted"])
        await store.conversations.release(held.conversation)


async def test_the_command_exits_by_what_it_found_and_asks_on_a_terminal_alone(chat: Chat, tmp_path: Path) -> None:
    env = environment(chat)
    nobody = await threadwise(tmp_path, "doctor --fix", env)
    _, complaint = await nobody.communicate()
    assert (nobody.returncode, b"Nobody is here to be asked." in complaint) == (2, True)
    thread = await chat.exchanges("@Threadwise one", "One.")
    await chat.rests()
    where = (await chat.conversation(thread)).thread
    await chat.stops()
    await left_undone(chat, where, React(id="r:0", ts=thread, name="eyes"))
    ours, theirs = os.openpty()
    try:
        ill = await threadwise(tmp_path, "doctor --fix", env, stdin=theirs)
        os.write(ours, b"y\n")
        said, _ = await ill.communicate()
    finally:
        os.close(ours)
        os.close(theirs)
    assert b"effects pending for long: Have it performed? [y/N]" in said
    assert (ill.returncode, b"1 of 1 done" in said) == (1, True)
    well = await threadwise(tmp_path, "doctor", env)
    said, _ = await well.communicate()
    assert (well.returncode, said) == (0, b"Nothing is stuck.\n"), "an event is open that has it performed"
