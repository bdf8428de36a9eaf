"""When Slack fails: nothing is posted twice, nothing is lost."""

from __future__ import annotations

import asyncio

import pytest

from app.playground.claude import Gate, Pace, Turn
from app.playground.slack.values.faults import Fault
from tests.flow.chat import Chat, text_of

ANSWER = "An answer that arrives once and whole."

FAULTS = [
    Fault("chat.postMessage", "http_429", times=2, retry_after=1),
    Fault("chat.postMessage", "ok_false_ratelimited"),
    Fault("chat.postMessage", "http_500"),
    Fault("chat.postMessage", "http_503", times=2),
    Fault("chat.postMessage", "drop_before"),
    Fault("chat.postMessage", "drop_after"),
    Fault("chat.postMessage", "slow", seconds=1.0),
    Fault("chat.postMessage", "error", code="internal_error"),
    Fault("chat.update", "http_429", times=2, retry_after=1),
    Fault("chat.update", "ok_false_ratelimited", times=2),
    Fault("chat.update", "http_500", times=2),
    Fault("chat.update", "error", code="update_failed"),
    Fault("chat.update", "error", code="external_channel_migrating"),
    Fault("chat.update", "error", times=9, code="cant_update_message"),
    Fault("chat.update", "error", times=9, code="edit_window_closed"),
    Fault("chat.update", "drop_before"),
    Fault("chat.update", "drop_after"),
    Fault("chat.update", "slow", seconds=1.0),
    Fault("assistant.threads.setStatus", "http_500"),
    Fault("assistant.threads.setStatus", "error", code="feature_disabled"),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.method} {fault.code or fault.kind}")
async def test_an_answer_arrives_once_and_whole_in_spite_of(chat: Chat, fault: Fault) -> None:
    chat.slack.faults.add(fault)
    gate = asyncio.Event()
    chat.will_answer(Turn(text=ANSWER, pace=Pace(chunk=5), gates=[Gate(10, gate)]))
    thread = await chat.says("@Threadwise hi")
    await chat.claude.arrival(1)
    gate.set()
    await chat.sees(ANSWER, thread=thread)
    await chat.rests()
    assert [text_of(m) for m in chat.thread(thread)] == [ANSWER]


async def test_the_people_s_names_are_not_needed_for_an_answer(chat: Chat) -> None:
    chat.slack.faults.add(Fault("users.info", "http_500", times=5))
    chat.will_answer("Yes.", "Both of you.")
    thread = await chat.says("@Threadwise hi")
    await chat.sees("Yes.", thread=thread)
    await chat.says("me too", who="Sam", thread=thread)
    await chat.says("and?", thread=thread)
    await chat.sees("Both of you.", thread=thread)


async def test_a_thread_that_slack_closed_to_us_is_given_up_and_the_next_one_works(chat: Chat) -> None:
    chat.slack.faults.add(Fault("chat.postMessage", "error", times=2, code="not_in_channel"))
    gate = asyncio.Event()
    unheard = Turn(text="Nobody hears this.", when="one", gates=[Gate(9, gate)])
    chat.will_answer(unheard, Turn(text="This is heard.", when="two"))
    await chat.says("@Threadwise one")
    await chat.until(lambda: len(chat.calls("chat.postMessage")) == 1)
    gate.set()
    await chat.until(lambda: len(chat.calls("chat.postMessage")) >= 2)
    await chat.rests()
    thread = await chat.says("@Threadwise two")
    await chat.sees("This is heard.", thread=thread)
