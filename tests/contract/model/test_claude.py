"""The client over a real socket, with the real SDK: what comes becomes text and a reply, or `ModelFailed`."""

from __future__ import annotations

import asyncio
import json
import math
from dataclasses import replace
from typing import Any

import pytest
from pydantic import SecretStr

from app.agent.claude.client import Claude
from app.core.conversation.conversation import MessageStatus
from app.core.errors import FailureKind, ModelFailed
from app.playground.claude import (
    Block,
    ClaudePlayground,
    Cut,
    Event,
    Gate,
    HtmlFault,
    HttpFault,
    NoAnswer,
    Pace,
    Text,
    Thinking,
    ToolCall,
    Turn,
)
from app.ports import CallBegun, Counted, ModelReply, ModelRequest, TextDelta

REQUEST = ModelRequest(
    model="claude-sonnet-5-5", system="Be kind.", messages=[{"role": "user", "content": "hi"}], max_tokens=1_000
)


async def heard(claude: Claude, request: ModelRequest = REQUEST) -> tuple[list[str], ModelReply]:
    deltas: list[str] = []
    async for event in claude.stream(request):
        if isinstance(event, TextDelta):
            deltas.append(event.text)
        if isinstance(event, ModelReply):
            return deltas, event
    raise AssertionError("there was no reply")


@pytest.mark.req("S3-043", "S0-252")
async def test_deltas_come_one_by_one_and_the_reply_at_last(api: ClaudePlayground, claude: Claude) -> None:
    api.script.add(Turn(text="Hello there, Maya."))
    deltas, reply = await heard(claude)
    assert len(deltas) > 1
    assert "".join(deltas) == reply.text == "Hello there, Maya."
    assert (reply.status, reply.model) == (MessageStatus.COMPLETE, "claude-sonnet-5-5")
    assert reply.usage.input_tokens + reply.usage.cache_read_tokens + reply.usage.cache_write_tokens > 0
    assert reply.usage.output_tokens > 0


async def test_thinking_is_kept_verbatim_and_not_said(api: ClaudePlayground, claude: Claude) -> None:
    api.script.add(Turn(parts=[Thinking("Let me see."), Text("Yes.")]))
    deltas, reply = await heard(claude)
    assert "".join(deltas) == reply.text == "Yes."
    content = json.loads(reply.content)
    assert [block["type"] for block in content] == ["thinking", "text"]
    assert content[0]["signature"]


@pytest.mark.req("S3-045")
async def test_events_that_nobody_knows_are_passed_over(api: ClaudePlayground, claude: Claude) -> None:
    api.script.add(
        Turn(parts=[Text("Be"), Event("weather_changed", {"type": "weather_changed", "sun": True}), Text("fore")])
    )
    _, reply = await heard(claude)
    assert reply.text == "Before"


@pytest.mark.req("S3-040", "S3-041")
@pytest.mark.parametrize(
    ("reason", "status"),
    [
        ("end_turn", MessageStatus.COMPLETE),
        ("stop_sequence", MessageStatus.COMPLETE),
        ("max_tokens", MessageStatus.TRUNCATED),
        ("refusal", MessageStatus.REFUSED),
        ("a_reason_of_tomorrow", MessageStatus.COMPLETE),
    ],
)
async def test_how_an_answer_ended_is_told(
    api: ClaudePlayground, claude: Claude, reason: str, status: MessageStatus
) -> None:
    api.script.add(Turn(text="Well.", stop_reason=reason))
    _, reply = await heard(claude)
    assert reply.status is status


NO_CREDIT = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade."
OWN_LIMIT = "You have reached your specified workspace API usage limits. You will regain access on 2026-12-01."


@pytest.mark.req("S3-038", "S0-253")
@pytest.mark.parametrize(
    ("turn", "kind"),
    [
        (Turn(text="x", fault=HttpFault(400, message=NO_CREDIT)), FailureKind.SPENT),
        (Turn(text="x", fault=HttpFault(400, message=OWN_LIMIT)), FailureKind.SPENT),
        (Turn(text="x", fault=HttpFault(400)), FailureKind.INVALID),
        (Turn(text="x", fault=HttpFault(401)), FailureKind.MISCONFIGURED),
        (Turn(text="x", fault=HttpFault(402)), FailureKind.SPENT),
        (Turn(text="x", fault=HttpFault(403)), FailureKind.MISCONFIGURED),
        (Turn(text="x", fault=HttpFault(404)), FailureKind.MISCONFIGURED),
        (Turn(text="x", fault=HttpFault(413)), FailureKind.TOO_LONG),
        (Turn(text="x", fault=HttpFault(429, retry_after=3600)), FailureKind.LIMITED),
        (Turn(text="x", fault=HttpFault(429, error_code="contract_spend_limit_reached")), FailureKind.SPENT),
        (Turn(text="x", fault=HttpFault(500)), FailureKind.BUSY),
        (Turn(text="x", fault=HttpFault(529)), FailureKind.BUSY),
        (Turn(text="x", fault=HtmlFault(502)), FailureKind.BUSY),
        (Turn(text="A long answer", fault=Cut("overloaded", after=4)), FailureKind.BUSY),
        (Turn(text="A long answer", fault=Cut("dropped", after=4)), FailureKind.CUT),
        (Turn(text="A long answer", fault=Cut("ended", after=4)), FailureKind.CUT),
        (Turn(text="A long answer", fault=Cut("malformed", after=4)), FailureKind.CUT),
        (Turn(text="A long answer", stop_reason=None), FailureKind.CUT),
        (Turn(text="A long answer", stop_reason="model_context_window_exceeded"), FailureKind.TOO_LONG),
    ],
    ids=str,
)
async def test_each_way_to_fail_has_its_kind(
    api: ClaudePlayground, claude: Claude, turn: Turn, kind: FailureKind
) -> None:
    api.script.add(turn)
    with pytest.raises(ModelFailed) as failed:
        await heard(claude)
    assert failed.value.kind is kind


async def test_a_prompt_beyond_the_model_s_window_is_told_as_too_long(claude: Claude) -> None:
    words = [{"role": "user", "content": "word " * 160_100}]
    with pytest.raises(ModelFailed) as failed:
        await heard(claude, replace(REQUEST, model="claude-haiku-4-5", messages=words))
    assert failed.value.kind is FailureKind.TOO_LONG


async def test_nothing_is_retried_behind_our_back(api: ClaudePlayground, claude: Claude) -> None:
    api.script.add(Turn(text="x", fault=HttpFault(529)), Turn(text="never asked for"))
    with pytest.raises(ModelFailed):
        await heard(claude)
    assert len(api.requests) == 1


@pytest.mark.parametrize("fault", [NoAnswer(), Cut("silent", after=3), Cut("pings_only", after=3, every=0.05)], ids=str)
async def test_an_answer_that_does_not_come_is_given_up_in_time(api: ClaudePlayground, fault: NoAnswer | Cut) -> None:
    claude = Claude(SecretStr(api.api_key), api.url, idle_seconds=0.5, silent_seconds=0.5)
    api.script.add(Turn(text="A long answer", fault=fault))
    with pytest.raises(ModelFailed) as failed:
        await heard(claude)
    assert failed.value.kind is FailureKind.TIMEOUT
    await claude.close()


SILENCES = {
    "before the first word": (Turn(text="At last"), 0, False),
    "in a thought": (Turn(parts=[Thinking("Hm."), Text("At last")]), 0, False),
    "in a call": (Turn(parts=[Text("At last"), ToolCall("look", {"word": "rent"})], stop_reason="tool_use"), 9, False),
    "between two words": (Turn(text="At last"), 3, True),
}


@pytest.mark.req("AG-01")
@pytest.mark.parametrize(("turn", "after", "is_given_up"), SILENCES.values(), ids=SILENCES)
async def test_only_within_its_words_a_silent_model_is_given_up_soon(
    api: ClaudePlayground, turn: Turn, after: int, is_given_up: bool
) -> None:
    """The API sends nothing of a thought, and of a call only whole fields: with pings alone, much may be written."""
    claude = Claude(SecretStr(api.api_key), api.url, idle_seconds=0.2, silent_seconds=5)
    gate = asyncio.Event()
    api.script.add(replace(turn, text="", gates=[Gate(after, gate)]))
    asyncio.get_running_loop().call_later(0.6, gate.set)
    if is_given_up:
        with pytest.raises(ModelFailed) as failed:
            await heard(claude)
        assert failed.value.kind is FailureKind.TIMEOUT
    else:
        assert (await heard(claude))[1].text == "At last"
    await claude.close()


@pytest.mark.req("S0-253")
async def test_where_nobody_answers_the_model_is_busy(api: ClaudePlayground, claude: Claude) -> None:
    await api.stop()
    with pytest.raises(ModelFailed) as failed:
        await heard(claude)
    assert failed.value.kind is FailureKind.BUSY


@pytest.mark.req("S3-035")
async def test_a_cancelled_turn_closes_the_stream_at_once(api: ClaudePlayground, claude: Claude) -> None:
    api.script.add(Turn(text="A long answer", gates=[Gate(4, asyncio.Event())]))
    begun = asyncio.Event()

    async def listen() -> None:
        async for event in claude.stream(REQUEST):
            if isinstance(event, TextDelta):
                begun.set()

    task = asyncio.ensure_future(listen())
    await begun.wait()
    task.cancel()
    await api.requests[0].aborted.wait()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_who_stops_listening_closes_the_stream_too(api: ClaudePlayground, claude: Claude) -> None:
    api.script.add(Turn(text="A long answer", gates=[Gate(4, asyncio.Event())]))
    stream = claude.stream(REQUEST)
    assert isinstance(await anext(stream), Counted)
    await stream.aclose()
    await api.requests[0].aborted.wait()


@pytest.mark.req("S3-039", "S3-040")
async def test_tokens_are_counted_before_the_first_word_and_again_at_the_end(
    api: ClaudePlayground, claude: Claude
) -> None:
    api.script.add(Turn(text="Hello there, Maya."))
    events = [event async for event in claude.stream(REQUEST)]
    first, *_, last, reply = events
    assert isinstance(first, Counted)
    assert isinstance(last, Counted)
    assert isinstance(reply, ModelReply)
    assert (first.model, first.reference) == ("claude-sonnet-5-5", api.requests[0].id)
    assert first.usage.output_tokens < last.usage.output_tokens == reply.usage.output_tokens
    assert first.usage.cache_write_tokens == reply.usage.cache_write_tokens > 0


async def test_what_was_sent_before_is_read_from_the_cache(api: ClaudePlayground, claude: Claude) -> None:
    api.script.add(Turn(text="Hello."), Turn(text="Again."))
    _, first = await heard(claude)
    said = [*REQUEST.messages, {"role": "assistant", "content": json.loads(first.content)}]
    _, second = await heard(claude, replace(REQUEST, messages=[*said, {"role": "user", "content": "and?"}]))
    assert second.usage.cache_read_tokens == first.usage.cache_write_tokens > 0


async def test_thinking_is_progress_though_it_says_nothing(api: ClaudePlayground) -> None:
    """All of it takes longer than the idle time, and each piece much less."""
    claude = Claude(SecretStr(api.api_key), api.url, idle_seconds=1.5, silent_seconds=1.5)
    thought = Block(
        {"type": "thinking", "thinking": "", "signature": ""}, [{"type": "thinking_delta", "thinking": "hm"}] * 18
    )
    api.script.add(Turn(parts=[thought, Text("Yes.")], pace=Pace(chunk=1, seconds=0.1)))
    _, reply = await heard(claude)
    assert reply.text == "Yes."
    await claude.close()


@pytest.mark.parametrize(("said", "after"), [(3600, 3600.0), (0, 0.0), (None, None), (math.nan, None)])
async def test_how_long_a_limit_lasts_is_told_if_the_api_says_so(
    api: ClaudePlayground, claude: Claude, said: float | None, after: float | None
) -> None:
    api.script.add(Turn(text="x", fault=HttpFault(429, retry_after=said)))
    with pytest.raises(ModelFailed) as failed:
        await heard(claude)
    assert failed.value.after == after


async def test_a_failure_has_the_vendors_reference(api: ClaudePlayground, claude: Claude) -> None:
    api.script.add(Turn(text="x", fault=HttpFault(500)))
    with pytest.raises(ModelFailed) as failed:
        await heard(claude)
    assert failed.value.reference == api.requests[0].id


@pytest.mark.req("FA-11")
async def test_a_call_is_told_of_when_it_begins_and_not_when_it_is_whole(api: ClaudePlayground, claude: Claude) -> None:
    written = asyncio.Event()
    call = ToolCall("look_up", {"word": "a long one, of which nobody sees a letter"})
    api.script.add(Turn(parts=[call], gates=[Gate(after=10, opened=written)]))
    tool: dict[str, Any] = {
        "name": "look_up",
        "description": "Look up.",
        "input_schema": {"type": "object", "properties": {}},
    }
    begun = list[str]()
    async for event in claude.stream(replace(REQUEST, tools=[tool])):
        if isinstance(event, CallBegun):
            begun.append(event.tool)
            written.set()
        if isinstance(event, ModelReply):
            assert begun == ["look_up"]
            return
