"""When the model fails: a kind sentence, a reference, and *Retry* where it helps."""

from __future__ import annotations

import pytest

from app.agent.patience import PAUSES
from app.core import texts
from app.core.errors import FailureKind
from app.playground.claude import Cut, HttpFault, NoAnswer, Turn
from tests.flow.chat import Chat, chatting, text_of
from tests.told import words

REQUESTS = 1 + len(PAUSES)
"""How often the model is asked before a person hears that it is away."""

AWAY = [Turn(text="", fault=HttpFault(529))] * REQUESTS

KINDS = [
    (HttpFault(529), FailureKind.BUSY, True),
    (HttpFault(500), FailureKind.BUSY, True),
    (HttpFault(429, retry_after=1), FailureKind.LIMITED, True),
    (HttpFault(429, error_code="enforced_spend_limit_reached"), FailureKind.SPENT, False),
    (HttpFault(401), FailureKind.MISCONFIGURED, False),
    (HttpFault(403), FailureKind.MISCONFIGURED, False),
    (HttpFault(404), FailureKind.MISCONFIGURED, False),
    (HttpFault(413), FailureKind.TOO_LONG, False),
    (HttpFault(400), FailureKind.INVALID, False),
    (Cut("overloaded", after=8), FailureKind.BUSY, True),
    (Cut("dropped", after=8), FailureKind.CUT, True),
    (Cut("ended", after=8), FailureKind.CUT, True),
    (Cut("malformed", after=8), FailureKind.CUT, True),
]


@pytest.mark.parametrize(("fault", "kind", "retry"), KINDS, ids=lambda value: str(value)[:40])
async def test_a_failure_is_told_kindly_with_a_reference(
    mongo_uri: str, fault: HttpFault | Cut, kind: FailureKind, retry: bool
) -> None:
    async with chatting(mongo_uri) as chat:
        chat.will_answer(*[Turn(text="I was about to say something.", fault=fault)] * REQUESTS)
        thread = await chat.says("@Threadwise hi")
        failed = await chat.sees(texts.FAILURES[kind].replace("*", "*"), thread=thread)
        assert "Reference `" in text_of(failed)
        assert (texts.RETRY in text_of(failed)) is retry
        if isinstance(fault, Cut):
            assert "I was" in text_of(failed)


async def test_a_model_that_never_answers_is_given_up_in_time(mongo_uri: str) -> None:
    async with chatting(mongo_uri, turn_seconds=0.5) as chat:
        chat.will_answer(*[Turn(text="x", fault=NoAnswer())] * REQUESTS)
        thread = await chat.says("@Threadwise hi")
        await chat.sees(texts.FAILURES[FailureKind.TIMEOUT], thread=thread)


async def test_a_stream_that_stalls_is_given_up_in_time(mongo_uri: str) -> None:
    async with chatting(mongo_uri, turn_seconds=0.8) as chat:
        chat.will_answer(Turn(text="I was about to", fault=Cut("pings_only", after=5, every=0.1)))
        thread = await chat.says("@Threadwise hi")
        failed = await chat.sees(texts.FAILURES[FailureKind.TIMEOUT], thread=thread)
        assert "I was" in text_of(failed)


async def test_retry_answers_in_the_same_message(chat: Chat) -> None:
    chat.will_answer(*AWAY, "Here I am again.")
    thread = await chat.says("@Threadwise hi")
    failed = await chat.sees(texts.RETRY, thread=thread)
    await chat.rests()
    await chat.slack.people.clicks("Maya", "#general", failed.ts, "retry")
    answer = await chat.sees("Here I am again.", thread=thread)
    await chat.rests()
    assert answer.ts == failed.ts
    assert [text_of(m) for m in chat.thread(thread)] == ["Here I am again."]
    assert words(chat.claude.requests[-1].prompt.last_user_text) == "hi"


@pytest.mark.req("S0-044")
async def test_only_the_owner_may_retry(chat: Chat) -> None:
    chat.will_answer(*AWAY)
    thread = await chat.says("@Threadwise hi")
    failed = await chat.sees(texts.RETRY, thread=thread)
    await chat.rests()
    await chat.slack.people.clicks("Sam", "#general", failed.ts, "retry")
    await chat.sees("can do that here", who="Sam", thread=thread)
    assert len(chat.claude.requests) == REQUESTS


async def test_a_late_second_click_on_retry_is_told_that_it_is_done(chat: Chat) -> None:
    chat.will_answer(*AWAY, "Done now.")
    thread = await chat.says("@Threadwise hi")
    failed = await chat.sees(texts.RETRY, thread=thread)
    await chat.rests()
    await chat.slack.people.clicks("Maya", "#general", failed.ts, "retry")
    await chat.slack.people.clicks("Maya", "#general", failed.ts, "retry")
    await chat.sees("Done now.", thread=thread)
    await chat.rests()
    assert len(chat.claude.requests) == REQUESTS + 1


async def test_an_answer_that_was_too_long_goes_on_by_a_button(chat: Chat) -> None:
    chat.will_answer(Turn(text="And then", stop_reason="max_tokens"), "it ended.")
    thread = await chat.says("@Threadwise a story")
    cut = await chat.sees(texts.TRUNCATED, thread=thread)
    await chat.rests()
    await chat.slack.people.clicks("Maya", "#general", cut.ts, "continue")
    await chat.sees("it ended.", thread=thread)
    await chat.rests()
    assert words(chat.claude.requests[-1].prompt.last_user_text) == texts.GO_ON
    assert [text_of(message) for message in chat.thread(thread)] == ["And then", "it ended."]


async def test_a_refusal_is_told_as_one(chat: Chat) -> None:
    chat.will_answer(
        Turn(text="", stop_reason="refusal", stop_details={"type": "refusal", "category": None, "explanation": None})
    )
    thread = await chat.says("@Threadwise something bad")
    await chat.sees(texts.REFUSED, thread=thread)


async def test_a_short_outage_is_waited_out_and_nobody_hears_of_it(chat: Chat) -> None:
    chat.will_answer(AWAY[0], "Here I am.")
    thread = await chat.says("@Threadwise hi")
    await chat.sees("Here I am.", thread=thread)
    await chat.rests()
    assert len(chat.claude.requests) == 2
    assert [text_of(message) for message in chat.thread(thread)] == ["Here I am."]


async def test_an_outage_after_the_first_words_is_not_waited_out_because_they_have_been_read(chat: Chat) -> None:
    chat.will_answer(Turn(text="I was about to say something.", fault=Cut("overloaded", after=8)))
    thread = await chat.says("@Threadwise hi")
    await chat.sees(texts.RETRY, thread=thread)
    assert len(chat.claude.requests) == 1


async def test_what_was_corrected_after_a_failure_is_read_by_the_retry(chat: Chat) -> None:
    chat.will_answer(*AWAY, "Rome.")
    thread = await chat.says("@Threadwise what is the capital of Frnace?")
    failed = await chat.sees(texts.RETRY, thread=thread)
    await chat.rests()
    await chat.slack.people.edits("Maya", "#general", thread, "@Threadwise what is the capital of Italy?")
    await chat.settled_inbox(2)
    await chat.slack.people.clicks("Maya", "#general", failed.ts, "retry")
    answer = await chat.sees("Rome.", thread=thread)
    assert answer.ts == failed.ts
    assert "Italy" in chat.claude.requests[-1].prompt.last_user_text


async def test_a_flow_in_which_the_api_would_not_take_a_request_fails_however_it_looks(mongo_uri: str) -> None:
    async def flow() -> None:
        async with chatting(mongo_uri) as chat:
            thread = await chat.says("@Threadwise hi")
            await chat.sees(texts.FAILURES[FailureKind.INVALID], thread=thread)

    with pytest.raises(AssertionError, match="no scripted turn answers"):
        await flow()
