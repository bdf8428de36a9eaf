"""Every fault, as the real SDK raises it: the very exceptions an app has to tell apart."""

import asyncio
import json

import anthropic
import httpx2
import pytest
from anthropic import AsyncAnthropic

from app.playground.claude import ClaudePlayground, Cut, HtmlFault, HttpFault, NoAnswer, Pace, ToolCall, Turn
from tests.contract.playground_claude.asking import answered, ask, streamed, tool

STATUSES = [
    (400, anthropic.BadRequestError, "invalid_request_error"),
    (401, anthropic.AuthenticationError, "authentication_error"),
    (402, anthropic.APIStatusError, "billing_error"),
    (403, anthropic.PermissionDeniedError, "permission_error"),
    (404, anthropic.NotFoundError, "not_found_error"),
    (413, anthropic.APIStatusError, "request_too_large"),
    (429, anthropic.RateLimitError, "rate_limit_error"),
    (500, anthropic.InternalServerError, "api_error"),
    (504, anthropic.InternalServerError, "timeout_error"),
    (529, anthropic.InternalServerError, "overloaded_error"),
]


@pytest.mark.parametrize(("status", "error", "kind"), STATUSES)
async def test_an_http_fault_is_the_sdk_s_error_of_that_status(
    playground: ClaudePlayground,
    claude: AsyncAnthropic,
    status: int,
    error: type[anthropic.APIStatusError],
    kind: str,
):
    playground.script.add(Turn("Never said.", fault=HttpFault(status)))
    with pytest.raises(error) as raised:
        await answered(claude, ask())
    assert (raised.value.status_code, raised.value.type) == (status, kind)
    assert raised.value.request_id == playground.requests[0].id
    assert playground.requests[0].outcome == "failed"


async def test_a_rate_limit_says_when_to_come_back(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn(fault=HttpFault(429, retry_after=7)))
    with pytest.raises(anthropic.RateLimitError) as raised:
        await answered(claude, ask())
    assert raised.value.response.headers["retry-after"] == "7"


async def test_a_spend_limit_is_a_rate_limit_error_with_a_code(playground: ClaudePlayground, claude: AsyncAnthropic):
    """Spend-limit errors subclass RateLimitError: an app must test them first, or it waits for nothing."""
    playground.script.add(Turn(fault=HttpFault(429, error_code="enforced_spend_limit_reached")))
    with pytest.raises(anthropic.RateLimitError) as raised:
        await answered(claude, ask())
    assert raised.value.error_code == "enforced_spend_limit_reached"


async def test_an_sdk_left_to_retry_asks_again_after_529(playground: ClaudePlayground):
    """The SDK retries 529 by itself unless `max_retries` is 0; the retry is counted in a header."""
    playground.script.add(Turn(fault=HttpFault(529, retry_after=0)), Turn("Now."))
    async with AsyncAnthropic(api_key=playground.api_key, base_url=playground.url, max_retries=1) as claude:
        await answered(claude, ask())
    counts = [exchange.headers["x-stainless-retry-count"] for exchange in playground.requests]
    assert counts == ["0", "1"]


async def test_a_html_error_page_is_a_status_error_without_a_type(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn(fault=HtmlFault(502)))
    with pytest.raises(anthropic.InternalServerError) as raised:
        await answered(claude, ask())
    assert (raised.value.status_code, raised.value.type) == (502, None)
    assert raised.value.request_id is None


async def test_no_answer_at_all_is_a_timeout_before_the_headers(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn(fault=NoAnswer()))
    with pytest.raises(anthropic.APITimeoutError):
        await answered(claude.with_options(timeout=httpx2.Timeout(30, read=0.5)), ask())
    exchange = await playground.arrival(1)
    await exchange.aborted.wait()


async def collect(claude: AsyncAnthropic) -> tuple[str, BaseException | None]:
    """What was heard of a stream, and how it broke off."""
    heard = ""
    try:
        async with streamed(claude, ask()) as stream:
            async for event in stream:
                if event.type == "text":
                    heard = event.snapshot
    except Exception as e:  # noqa: BLE001 - the tests look at which it is
        return heard, e
    return heard, None


async def test_overload_in_mid_stream_is_a_plain_status_error_with_status_200(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    """Error classes are chosen by HTTP status, so this is no OverloadedError; only `.type` tells."""
    playground.script.add(Turn("Hello world", fault=Cut("overloaded", after=5)))
    heard, error = await collect(claude)
    assert heard == "Hello"
    assert type(error) is anthropic.APIStatusError
    assert (error.status_code, error.type) == (200, "overloaded_error")
    assert error.request_id == playground.requests[0].id


async def test_a_dropped_connection_is_no_anthropic_error(playground: ClaudePlayground, claude: AsyncAnthropic):
    """A TCP drop in mid-stream comes out as a raw transport error of httpx2, after what was sent."""
    playground.script.add(Turn("Hello world", fault=Cut("dropped", after=5), pace=Pace(chunk=2)))
    heard, error = await collect(claude)
    assert heard == "Hello"
    assert isinstance(error, httpx2.RemoteProtocolError)
    assert not isinstance(error, anthropic.APIError)
    assert playground.requests[0].outcome == "failed"


async def test_a_reset_in_mid_stream_is_no_anthropic_error_either(playground: ClaudePlayground, claude: AsyncAnthropic):
    """A TCP reset is another transport error than a close: httpx2 names it after the reading that failed."""
    playground.script.add(Turn("Hello world", fault=Cut("reset", after=5)))
    _, error = await collect(claude)
    assert isinstance(error, httpx2.ReadError)
    assert not isinstance(error, anthropic.APIError)


async def test_a_clean_end_before_message_stop_raises_nothing(playground: ClaudePlayground, claude: AsyncAnthropic):
    """The most treacherous cut: the text is short and the stop reason is None."""
    playground.script.add(Turn("Hello world", fault=Cut("ended", after=5)))
    async with streamed(claude, ask()) as stream:
        message = await stream.get_final_message()
    assert message.stop_reason is None
    assert message.content[0].to_dict() == {"type": "text", "text": "Hello"}


async def test_a_malformed_frame_is_a_json_error(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn("Hello world", fault=Cut("malformed", after=5)))
    heard, error = await collect(claude)
    assert heard == "Hello"
    assert isinstance(error, json.JSONDecodeError)


async def test_tool_json_that_is_none_is_a_value_error(playground: ClaudePlayground, claude: AsyncAnthropic):
    """Malformed tool JSON leaves the SDK as a ValueError, not as an APIError."""
    playground.script.add(Turn(parts=[ToolCall("look_up", raw='{"word": nonsense}')]))
    with pytest.raises(ValueError, match="Unable to parse tool parameter JSON"):
        async with streamed(claude, ask(tools=[tool()])) as stream:
            await stream.get_final_message()


async def test_a_tool_call_cut_by_max_tokens_looks_complete(playground: ClaudePlayground, claude: AsyncAnthropic):
    """Partial JSON is parsed all the same: only the stop reason says that the call must not be run."""
    playground.script.add(Turn(parts=[ToolCall("look_up", raw='{"word": "deep", ')], stop_reason="max_tokens"))
    async with streamed(claude, ask(tools=[tool()])) as stream:
        message = await stream.get_final_message()
    call = message.content[0]
    assert call.type == "tool_use"
    assert call.input == {"word": "deep"}
    assert message.stop_reason == "max_tokens"


async def test_silence_in_mid_stream_is_a_raw_read_timeout(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn("Hello world", fault=Cut("silent", after=5)))
    patient = claude.with_options(timeout=httpx2.Timeout(30, read=2))
    heard, error = await collect(patient)
    assert heard == "Hello"
    assert isinstance(error, httpx2.ReadTimeout)
    await playground.requests[0].aborted.wait()


async def test_pings_alone_keep_the_connection_and_say_nothing(playground: ClaudePlayground):
    """Pings reset the read timeout: an app needs a watchdog of its own for a model that stalls."""
    playground.script.add(Turn("Hello world", fault=Cut("pings_only", after=5, every=0.01)))
    async with (
        httpx2.AsyncClient(trust_env=False) as http,
        http.stream(
            "POST",
            f"{playground.url}/v1/messages",
            json=ask(stream=True),
            headers={"authorization": f"Bearer {playground.api_key}", "anthropic-version": "2026-10-21"},
        ) as response,
    ):
        raw = ""
        async for text in response.aiter_text():
            raw += text
            if raw.count("event: ping") > 4:
                break
    assert "Hello" in raw
    assert "world" not in raw
    await playground.requests[0].aborted.wait()


async def test_a_cut_needs_a_streamed_request(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn("Hello", fault=Cut("dropped")))
    with pytest.raises(anthropic.BadRequestError, match="needs a streamed request"):
        await answered(claude, ask())


async def test_a_cancelled_turn_is_seen_by_the_server_at_once(playground: ClaudePlayground, claude: AsyncAnthropic):
    """Stop means that the model's stream is closed: the server sees the disconnect, and how far it came."""
    playground.script.add(Turn("Hello world", fault=Cut("silent", after=5)))
    heard = asyncio.Event()

    async def listen() -> None:
        async with streamed(claude, ask()) as stream:
            async for event in stream:
                if event.type == "text" and event.snapshot == "Hello":
                    heard.set()

    turn = asyncio.create_task(listen())
    await heard.wait()
    exchange = playground.requests[0]
    assert not exchange.aborted.is_set()
    turn.cancel()
    await exchange.aborted.wait()
    assert (exchange.outcome, exchange.sent) == ("aborted", 5)
    with pytest.raises(asyncio.CancelledError):
        await turn


async def test_a_finished_answer_is_not_an_abort(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn("Hello"))
    await collect(claude)
    await playground.requests[0].ended.wait()
    assert playground.requests[0].outcome == "answered"
    assert not playground.requests[0].aborted.is_set()


async def test_a_stopped_playground_cuts_its_streams_and_comes_back_on_its_port(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    """An outage: streams break off, connections are refused, and later everything works again."""
    playground.script.add(Turn("Hello world", fault=Cut("silent", after=5)), Turn("Back."))
    stalled = asyncio.create_task(collect(claude))
    exchange = await playground.arrival(1)
    await playground.stop()
    _, error = await stalled
    assert isinstance(error, httpx2.TransportError | anthropic.APIConnectionError)
    assert exchange.outcome == "failed"
    with pytest.raises(anthropic.APIConnectionError):
        await answered(claude, ask())
    await playground.start()
    assert (await answered(claude, ask())).content[0].to_dict() == {"type": "text", "text": "Back."}
