"""Claude, the only module that speaks to Anthropic: one request, its stream, and every failure as a `ModelFailed`.

The SDK's own retries are off: they could be billed twice and would wait as long as the server says.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, cast

import httpx2
import structlog
from anthropic import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AsyncAnthropic,
    AsyncStream,
    DefaultAioHttpClient,
    transform_schema,
)
from pydantic import SecretStr

from app.agent.claude.capabilities import Capabilities, can_be_strict, find_capabilities, inline_references
from app.agent.claude.gateways import EVENTS, Answer, describe_no_answer, is_description, read_retry_after
from app.agent.claude.received import ReceivedMessage
from app.agent.claude.retry import with_timeout
from app.core.conversation.conversation import MessageStatus
from app.core.errors import FailureKind, ModelFailed, SettingsError
from app.ports import ModelEvent, ModelReply, ModelRequest, ToolUse

log = structlog.get_logger(__name__)

CONNECT_SECONDS = 5.0

STATUSES: dict[str | None, MessageStatus] = {
    "end_turn": MessageStatus.COMPLETE,
    "stop_sequence": MessageStatus.COMPLETE,
    "max_tokens": MessageStatus.TRUNCATED,
    "refusal": MessageStatus.REFUSED,
}
"""Status of a reply by its stop reason; any other reason means complete."""

ILL_FORMED = (ValueError, LookupError, RuntimeError, TypeError, AttributeError, AssertionError)
"""Errors after the headers: events that are no JSON, malformed, or out of order."""


class Claude:
    """The `Model` of the Anthropic API. It never repeats a request: that is the task of `app.agent.claude.retry`."""

    def __init__(
        self, api_key: SecretStr, base_url: str | None, idle_seconds: float, silent_seconds: float = 180.0
    ) -> None:
        """Create the client. `base_url` None means Anthropic's own; it may hold a name and a password of a gateway.

        `idle_seconds` limits the silence within a text, `silent_seconds` that of a model that thinks or writes a call.
        """
        self._idle_seconds, self._silent_seconds = idle_seconds, silent_seconds
        base_url, auth = _split_credentials(base_url)
        self._client = AsyncAnthropic(
            api_key=api_key.get_secret_value(),
            base_url=base_url,
            max_retries=0,
            timeout=httpx2.Timeout(max(idle_seconds, silent_seconds), connect=CONNECT_SECONDS),
            # Over aiohttp, whose parser is compiled: an answer is hundreds of small events. A redirect would send the
            # key to another address than the configured one.
            http_client=DefaultAioHttpClient(
                follow_redirects=False, event_hooks={"response": [_drain_response]}, auth=auth
            ),
        )

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Yield the text as it arrives, then the whole reply. Raises `ModelFailed`.

        The API may refuse a strict tool because its grammar becomes too large, beyond what is documented. The request
        is then repeated once without strictness. A refused request costs nothing.
        """
        exact, plain = _build_parameters(request), _build_parameters(request, strict=False)
        for parameters in (exact, plain):
            try:
                async with aclosing(self._stream(parameters)) as events:
                    async for event in events:
                        yield event
            except ModelFailed as failure:
                if failure.kind is not FailureKind.INVALID or parameters == plain:
                    raise
                log.warning("strict_tool_refused", tool=request.forced, request=failure.reference)
            else:
                return

    async def _stream(self, parameters: dict[str, Any]) -> AsyncGenerator[ModelEvent, None]:
        """Ask once."""
        try:
            async with aclosing(self._events(parameters)) as events:
                async for event in events:
                    yield event
        except APITimeoutError as error:
            raise ModelFailed(FailureKind.TIMEOUT) from error
        except APIConnectionError as error:
            raise ModelFailed(FailureKind.BUSY) from error
        except APIStatusError as error:
            raise _build_failure(error) from error
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise ModelFailed(FailureKind.TIMEOUT) from error
        except (httpx2.HTTPError, *ILL_FORMED) as error:
            raise ModelFailed(FailureKind.CUT) from error

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def check(self, model: str) -> None:
        """Request the model's description: this proves key, address and model without a token.

        Raises `ModelFailed`, and `SettingsError` if the address gives no answer.
        """
        try:
            answer = await self._client.models.with_raw_response.retrieve(model, timeout=CONNECT_SECONDS * 2)
        except APIStatusError as error:
            raise _build_failure(error) from error
        except (APIConnectionError, httpx2.HTTPError) as error:
            raise SettingsError(describe_no_answer(_find_origin(self._client.base_url))) from error
        if not is_description(answer.http_response.text):
            raise _build_gateway_failure(answer.http_response)

    async def check_tools(self, model: str, tools: Sequence[Mapping[str, Any]]) -> None:
        """Count the tokens of a request with these tools of the API: this proves that the model has them, and is free.

        Raises `ModelFailed`.
        """
        asked: list[Any] = [{"role": "user", "content": "."}]
        count = self._client.messages.with_raw_response.count_tokens
        try:
            await count(model=model, messages=asked, tools=cast("list[Any]", list(tools)), timeout=CONNECT_SECONDS * 2)
        except APIStatusError as error:
            raise _build_failure(error) from error
        except (APIConnectionError, httpx2.HTTPError) as error:
            raise ModelFailed(FailureKind.BUSY) from error

    async def _ask(self, parameters: dict[str, Any]) -> httpx2.Response:
        """Return the response of a request, of which it holds no more than the address.

        The SDK's stream and the response would keep two copies of all that was sent for as long as an answer takes.
        """
        stream = await self._client.messages.create(stream=True, cache_control={"type": "ephemeral"}, **parameters)
        response = stream.response
        response.request = httpx2.Request(response.request.method, response.request.url)
        return response

    async def _events(self, parameters: dict[str, Any]) -> AsyncGenerator[ModelEvent, None]:
        """Yield what the events of the stream tell.

        The transport's read timeout is no watchdog, because the pings of a stalled model satisfy it. Pings are
        withheld, so each event is progress.
        """
        async with aclosing(await self._ask(parameters)) as response:
            reference = response.headers.get("request-id") or ""
            message, begun = ReceivedMessage(reference, names_pages=_has_document(parameters["messages"])), False

            def find_limit() -> float:
                return self._idle_seconds if message.is_speaking else self._silent_seconds

            async with aclosing(with_timeout(find_limit, _list_events(response))) as events:
                async for event in events:
                    begun = True
                    if told := message.add(event):
                        yield told
            if not begun and not response.headers.get("content-type", "").startswith(EVENTS):
                raise _build_gateway_failure(response)
        if message.stop_reason is None:
            # The stream ended early, and that is no error of the connection.
            raise ModelFailed(FailureKind.CUT, reference)
        if message.stop_reason == "model_context_window_exceeded":
            raise ModelFailed(FailureKind.TOO_LONG, reference)
        content = [_drop_default(block) for block in message.list_content()]
        yield ModelReply(
            # A truncated call looks whole, and a refused one is not meant: only this reason makes calls valid.
            uses=_read_tool_uses(content) if message.stop_reason == "tool_use" else (),
            text="".join(str(block["text"]) for block in content if block["type"] == "text"),
            content=json.dumps(content, ensure_ascii=False, separators=(",", ":")),
            status=STATUSES.get(message.stop_reason, MessageStatus.COMPLETE),
            usage=message.usage,
            model=message.model,
            reference=reference,
            stop_reason=message.stop_reason,
        )


async def _list_events(response: httpx2.Response) -> AsyncGenerator[dict[str, Any]]:
    """Yield the events of a stream but its pings, as the API sent them.

    Raise `APIStatusError` if one of them is an error.
    """
    async for event in AsyncStream.raw_events(response):
        if event.event == "error":
            raise APIStatusError(event.data, response=response, body=_read_error(event.data))
        if event.event not in (None, "ping") and event.data:
            yield event.json()


def _has_document(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if the request holds a document of ours, and not only pages that the API itself has opened."""
    contents = (cast("list[Any]", each["content"]) for each in messages if isinstance(each["content"], list))
    return any(block["type"] == "document" for content in contents for block in content)


def _read_error(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _drop_default(block: dict[str, object]) -> dict[str, object]:
    """Return the block as it is sent back: that the model itself made a call is what the API takes for granted.

    What belongs to the API's own tools goes back as it came.
    """
    if block["type"] != "tool_use":
        return block
    return {name: each for name, each in block.items() if name != "caller" or each != {"type": "direct"}}


def _build_parameters(request: ModelRequest, *, strict: bool = True) -> dict[str, Any]:
    accepted = find_capabilities(request.model)
    parameters: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "system": request.system,
        "messages": list(request.messages),
    }
    if request.tools:
        to_be_strict = request.forced if strict and accepted.strict else ""
        parameters["tools"] = [_make_strict(tool) if tool["name"] == to_be_strict else tool for tool in request.tools]
    if request.forced:
        parameters["tool_choice"] = _build_tool_choice(request.forced, accepted)
    if request.forced and accepted.least_thinking:
        parameters["thinking"] = {"type": accepted.least_thinking}
    return parameters


def _build_tool_choice(tool: str, accepted: Capabilities) -> dict[str, Any]:
    """Return the choice of the tool, to be called once. A model that cannot be forced has only this tool."""
    named = {"type": "tool", "name": tool} if accepted.forced_tool else {"type": "auto"}
    return {**named, "disable_parallel_tool_use": True}


def _make_strict(tool: dict[str, Any]) -> dict[str, Any]:
    """Return the tool with a strict schema; unchanged if the schema does not allow that."""
    schema = inline_references(tool["input_schema"])
    return {**tool, "strict": True, "input_schema": transform_schema(schema)} if can_be_strict(schema) else tool


def _read_tool_uses(content: list[dict[str, Any]]) -> tuple[ToolUse, ...]:
    calls = (block for block in content if block["type"] == "tool_use")
    return tuple(ToolUse(id=call["id"], name=call["name"], input=call["input"]) for call in calls)


async def _drain_response(response: httpx2.Response) -> None:
    """Read the body of an error response. If that breaks off, its status is still used."""
    if response.is_success:
        return
    try:
        await response.aread()
    except httpx2.HTTPError as error:
        raise APIStatusError("an answer that broke off", response=response, body=None) from error


def _build_failure(error: APIStatusError) -> ModelFailed:
    """Return the failure for an error response. One from a gateway is logged, so that its origin can be found."""
    answer = _build_answer(error.response, error.body)
    if not answer.is_own:
        log.warning("gateway_answered", url=answer.address, status=answer.status, kind=answer.kind.value)
    return ModelFailed(answer.kind, error.request_id or "", read_retry_after(error.response.headers), answer.told)


def _build_answer(response: httpx2.Response, body: object = None) -> Answer:
    return Answer(address=_find_origin(response.url), status=response.status_code, body=body)


def _split_credentials(base_url: str | None) -> tuple[str | None, tuple[str, str] | None]:
    """Return the address without its name and password, and these: aiohttp takes no request that has them twice."""
    url = httpx2.URL(base_url or "")
    if not url.userinfo:
        return base_url, None
    return str(url.copy_with(userinfo=b"")), (url.username, url.password)


def _find_origin(url: httpx2.URL) -> str:
    """Return scheme, host and port of an address, because it may contain a name and a password."""
    return f"{url.scheme}://{url.netloc.decode('ascii')}"


def _build_gateway_failure(response: httpx2.Response) -> ModelFailed:
    """Return the failure for a success status with a page of a gateway's own: mostly a login."""
    answer = _build_answer(response)
    log.warning("gateway_answered", url=answer.address, status=answer.status, kind=FailureKind.MISCONFIGURED.value)
    return ModelFailed(FailureKind.MISCONFIGURED, told=answer.told)
