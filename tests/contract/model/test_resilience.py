"""Turns over a real socket with the real SDK, while the API has its troubles: each ends once, and says what is true."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from app.agent.claude.breaker import FAILURES_TO_OPEN, OPEN_SECONDS
from app.agent.claude.prices import compute_cost
from app.core.conversation.conversation import MessageStatus
from app.core.errors import FailureKind
from app.playground.claude import ClaudePlayground, Cut, Gate, HttpFault, NoAnswer, Turn
from tests.contract.model.speaking import Speaker, speaking

OVERLOADED = Turn(fault=HttpFault(529))
TEXT = "I was about to say something."


@pytest.fixture
async def speaker(api: ClaudePlayground) -> AsyncGenerator[Speaker]:
    async with speaking(api) as speaker:
        yield speaker


async def test_an_overload_that_passes_is_one_answer_and_nobody_hears_of_it(speaker: Speaker) -> None:
    speaker.api.script.add(OVERLOADED, OVERLOADED, Turn("Here I am."))
    turn, draft = speaker.begins()
    reply = await turn.reply()
    assert (reply.status, reply.text) == (MessageStatus.COMPLETE, "Here I am.")
    assert draft.shown[-1] == "Here I am."
    assert [exchange.outcome for exchange in speaker.api.requests] == ["failed", "failed", "answered"]


async def test_an_overload_that_does_not_pass_is_told_after_three_requests(speaker: Speaker) -> None:
    speaker.api.script.add(*[OVERLOADED] * 3)
    reply = await speaker.replies()
    assert (reply.status, reply.failure, reply.reference) == (
        MessageStatus.FAILED,
        FailureKind.BUSY.value,
        speaker.api.requests[-1].id,
    )


@pytest.mark.parametrize(
    ("kind", "failure"),
    [
        ("overloaded", FailureKind.BUSY),
        ("dropped", FailureKind.CUT),
        ("reset", FailureKind.CUT),
        ("ended", FailureKind.CUT),
        ("malformed", FailureKind.CUT),
    ],
)
@pytest.mark.req("S3-038")
async def test_an_answer_that_breaks_off_after_its_first_words_keeps_them_and_is_not_repeated(
    speaker: Speaker, kind: str, failure: FailureKind
) -> None:
    shown = asyncio.Event()
    cut = Cut(kind, after=5)  # pyright: ignore[reportArgumentType]  the kinds above
    speaker.api.script.add(Turn(TEXT, gates=[Gate(5, shown)], fault=cut))
    turn, draft = speaker.begins()
    await draft.seen.wait()
    shown.set()
    reply = await turn.reply()
    assert (reply.status, reply.failure, reply.text) == (MessageStatus.FAILED, failure.value, "I was")
    assert reply.reference == speaker.api.requests[0].id
    assert reply.usage.output_tokens > 0
    assert reply.cost == compute_cost(reply.model, reply.usage) != ""
    assert len(speaker.api.requests) == 1


@pytest.mark.parametrize("kind", ["overloaded", "dropped", "ended"])
async def test_an_answer_that_breaks_off_before_its_first_word_is_asked_for_again(speaker: Speaker, kind: str) -> None:
    cut = Cut(kind, after=0)  # pyright: ignore[reportArgumentType]  the kinds above
    speaker.api.script.add(Turn(TEXT, fault=cut), Turn(TEXT))
    reply = await speaker.replies()
    assert (reply.status, reply.text) == (MessageStatus.COMPLETE, TEXT)


@pytest.mark.parametrize("kind", ["silent", "pings_only"])
@pytest.mark.req("S0-046", "S3-068")
async def test_an_answer_that_stalls_is_given_up_though_pings_come(api: ClaudePlayground, kind: str) -> None:
    cut = Cut(kind, after=5, every=0.01)  # pyright: ignore[reportArgumentType]  the kinds above
    api.script.add(Turn(TEXT, fault=cut))
    async with speaking(api, idle_seconds=1.5) as speaker:
        reply = await speaker.replies()
    assert (reply.status, reply.failure, reply.text) == (MessageStatus.FAILED, FailureKind.TIMEOUT.value, "I was")
    assert reply.reference == api.requests[0].id
    await api.requests[0].aborted.wait()


async def test_a_long_limit_is_told_at_once_with_its_wait(speaker: Speaker) -> None:
    speaker.api.script.add(Turn(fault=HttpFault(429, retry_after=3600)))
    reply = await speaker.replies()
    assert (reply.failure, reply.wait) == (FailureKind.LIMITED.value, 3600)
    assert (len(speaker.api.requests), speaker.clock.monotonic()) == (1, 0.0)


async def test_a_short_limit_is_waited_for(speaker: Speaker) -> None:
    speaker.api.script.add(Turn(fault=HttpFault(429, retry_after=7)), Turn("Now."))
    reply = await speaker.replies()
    assert (reply.text, speaker.clock.monotonic()) == ("Now.", 7.0)


@pytest.mark.parametrize("fault", [HttpFault(401), HttpFault(402), HttpFault(400)], ids=str)
async def test_what_will_not_pass_is_asked_once(speaker: Speaker, fault: HttpFault) -> None:
    speaker.api.script.add(Turn(fault=fault))
    assert (await speaker.replies()).status is MessageStatus.FAILED
    assert len(speaker.api.requests) == 1


async def test_an_api_that_is_away_is_left_alone_until_a_probe_finds_it_back(speaker: Speaker) -> None:
    speaker.api.script.add(*[OVERLOADED] * 3 * FAILURES_TO_OPEN)
    for _ in range(FAILURES_TO_OPEN):
        await speaker.replies()
    asked = len(speaker.api.requests)
    refused = await speaker.replies()
    assert (refused.failure, refused.wait) == (FailureKind.BUSY.value, OPEN_SECONDS)
    assert len(speaker.api.requests) == asked == 3 * FAILURES_TO_OPEN
    speaker.clock.advance(OPEN_SECONDS)
    speaker.api.script.add(Turn("Back."), Turn("Indeed."))
    assert [(await speaker.replies()).text for _ in range(2)] == ["Back.", "Indeed."]


@pytest.mark.req("S3-004", "S3-035")
async def test_a_cut_closes_the_stream_at_the_api_and_keeps_words_and_tokens(speaker: Speaker) -> None:
    speaker.api.script.add(Turn(TEXT, gates=[Gate(5, asyncio.Event())]))
    turn, draft = speaker.begins()
    await draft.seen.wait()
    turn.cut()
    reply = await turn.reply()
    await speaker.api.requests[0].aborted.wait()
    assert (reply.status, TEXT.startswith(reply.text), reply.text) == (MessageStatus.CANCELLED, True, draft.shown[-1])
    assert reply.usage.input_tokens + reply.usage.cache_write_tokens > 0
    assert reply.cost == compute_cost("claude-sonnet-5-5", reply.usage) != ""
    assert reply.reference == speaker.api.requests[0].id


async def test_a_cut_ends_the_waiting_for_headers_too(speaker: Speaker) -> None:
    speaker.api.script.add(Turn(fault=NoAnswer()))
    turn, draft = speaker.begins()
    exchange = await speaker.api.arrival(1)
    turn.cut()
    assert (await turn.reply()).status is MessageStatus.CANCELLED
    await exchange.aborted.wait()
    assert draft.shown == []
