"""Claude: the only module that speaks Anthropic. One request, its stream, and every failure as a `ModelFailed`.

The SDK's own retries are off: a retry that it does alone could be billed twice and waits as long as the server says.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import httpx2
import structlog
from anthropic import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AsyncAnthropic,
    DefaultAsyncHttpxClient,
    transform_schema,
)
from anthropic.lib.streaming import AsyncMessageStream
from anthropic.types import Message
from pydantic import SecretStr

from app.agent.claude.capabilities import Capabilities, can_be_strict, find_capabilities, inline_references
from app.agent.claude.gateways import EVENTS, Answer, describe_no_answer, is_description, read_retry_after
from app.agent.claude.retry import with_timeout
from app.core.conversation.conversation import MessageStatus
from app.core.conversation.usage import Usage
from app.core.errors import FailureKind, ModelFailed
from app.ports import Counted, ModelReply, ModelRequest, TextDelta, ToolUse

log = structlog.get_logger(__name__)

CONNECT_SECONDS = 5.0

STATUSES: dict[str | None, MessageStatus] = {
    "end_turn": MessageStatus.COMPLETE,
    "stop_sequence": MessageStatus.COMPLETE,
    "max_tokens": MessageStatus.TRUNCATED,
    "refusal": MessageStatus.REFUSED,
}
"""What becomes of a reply by its stop reason; a reason that is not here ends it as complete."""

ILL_FORMED = (ValueError, LookupError, RuntimeError, TypeError, AttributeError, AssertionError)
"""What the SDK passes on after the headers, where events are no JSON, of another shape, or out of their order."""


class Claude:
    """Implements `app.ports.Model`. What was answered is never asked again: that is `app.agent.claude.retry`."""

    def __init__(self, api_key: SecretStr, base_url: str | None, idle_seconds: float) -> None:
        """`idle_seconds` is how long nothing may come (S0-046); `base_url` None means Anthropic's own."""
        self._idle_seconds = idle_seconds
        self._client = AsyncAnthropic(
            api_key=api_key.get_secret_value(),
            base_url=base_url,
            max_retries=0,
            timeout=httpx2.Timeout(idle_seconds, connect=CONNECT_SECONDS),
            # The key goes to the address that was set, and nowhere else.
            http_client=DefaultAsyncHttpxClient(follow_redirects=False, event_hooks={"response": [_drain_response]}),
        )

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Counted | ModelReply, None]:
        """Yield the text as it comes and the whole reply at last. Raises `ModelFailed`.

        A strict tool may be refused because its grammar becomes too large, beyond what is documented: it is then asked
        for once more without. A request that is refused costs nothing.
        """
        exact, plain = _build_parameters(request), _build_parameters(request, strict=False)
        try:
            async with aclosing(self._stream(exact)) as events:
                async for event in events:
                    yield event
        except ModelFailed as failure:
            if failure.kind is not FailureKind.INVALID or exact == plain:
                raise
            log.warning("strict_tool_refused", tool=request.forced, request=failure.reference)
        else:
            return
        async with aclosing(self._stream(plain)) as events:
            async for event in events:
                yield event

    async def _stream(self, parameters: dict[str, Any]) -> AsyncGenerator[TextDelta | Counted | ModelReply, None]:
        """Ask once.

        The read timeout of the transport does not do for a watchdog: the pings of a model that stalls satisfy it. The
        SDK keeps pings to itself, so what `_events` yields is progress.
        """
        try:
            async with aclosing(with_timeout(lambda: self._idle_seconds, self._events(parameters))) as events:
                async for event in events:
                    if event is not None:
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
        """Ask for the model's description: that proves key, address and model without a token. Raises `ModelFailed`."""
        try:
            answer = await self._client.models.with_raw_response.retrieve(model, timeout=CONNECT_SECONDS * 2)
        except APIStatusError as error:
            raise _build_failure(error) from error
        except (APIConnectionError, httpx2.HTTPError) as error:
            raise ModelFailed(FailureKind.BUSY, told=describe_no_answer(_find_origin(self._client.base_url))) from error
        if not is_description(answer.http_response.text):
            raise _build_gateway_failure(answer.http_response)

    async def _events(
        self, parameters: dict[str, Any]
    ) -> AsyncGenerator[TextDelta | Counted | ModelReply | None, None]:
        """Yield once for every event of the stream; None stands for one that has nothing to tell."""
        async with self._client.messages.stream(cache_control={"type": "ephemeral"}, **parameters) as stream:
            reference = stream.request_id or ""
            begun = False
            async for event in stream:
                begun = True
                yield _read_event(event, stream, reference)
            if not begun and not stream.response.headers.get("content-type", "").startswith(EVENTS):
                raise _build_gateway_failure(stream.response)
            message = await stream.get_final_message()
        if message.stop_reason is None:
            # The stream ended early, and the SDK does not call that an error.
            raise ModelFailed(FailureKind.CUT, reference)
        if message.stop_reason == "model_context_window_exceeded":
            raise ModelFailed(FailureKind.TOO_LONG, reference)
        # Dispatch on `type`: the SDK builds block types it does not know as some other class.
        content = [block.to_dict(mode="json") for block in message.content]
        yield ModelReply(
            # A call that was cut off looks whole, and one that was refused is not meant: only this reason counts.
            uses=_read_tool_uses(content) if message.stop_reason == "tool_use" else (),
            text="".join(str(block["text"]) for block in content if block["type"] == "text"),
            content=json.dumps(content, ensure_ascii=False, separators=(",", ":")),
            status=STATUSES.get(message.stop_reason, MessageStatus.COMPLETE),
            usage=_read_usage(message),
            model=message.model,
            reference=reference,
            stop_reason=message.stop_reason,
        )


def _build_parameters(request: ModelRequest, *, strict: bool = True) -> dict[str, Any]:
    """The request in the API's words."""
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
    """The one tool, once; where no model can be held to it, the only one that there is (design D12)."""
    named = {"type": "tool", "name": tool} if accepted.forced_tool else {"type": "auto"}
    return {**named, "disable_parallel_tool_use": True}


def _make_strict(tool: dict[str, Any]) -> dict[str, Any]:
    """The tool with a schema that the API holds the model to; as it is if the schema does not allow that."""
    schema = inline_references(tool["input_schema"])
    return {**tool, "strict": True, "input_schema": transform_schema(schema)} if can_be_strict(schema) else tool


def _read_event(event: Any, stream: AsyncMessageStream[None], reference: str) -> TextDelta | Counted | None:
    if event.type == "text":
        return TextDelta(text=event.text)
    if event.type in ("message_start", "message_delta"):
        message = stream.current_message_snapshot
        return Counted(usage=_read_usage(message), model=message.model, reference=reference)
    return None


def _read_tool_uses(content: list[dict[str, Any]]) -> tuple[ToolUse, ...]:
    calls = (block for block in content if block["type"] == "tool_use")
    return tuple(ToolUse(id=call["id"], name=call["name"], input=call["input"]) for call in calls)


def _read_usage(message: Message) -> Usage:
    usage = message.usage
    return Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_input_tokens or 0,
        cache_write_tokens=usage.cache_creation_input_tokens or 0,
    )


async def _drain_response(response: httpx2.Response) -> None:
    """Read what was answered instead of a message. If that breaks off, its status counts all the same."""
    if response.is_success:
        return
    try:
        await response.aread()
    except httpx2.HTTPError as error:
        raise APIStatusError("an answer that broke off", response=response, body=None) from error


def _build_failure(error: APIStatusError) -> ModelFailed:
    """The failure that a refusal is. One that is not the API's own is logged: people cannot know who it came from."""
    answer = _build_answer(error.response, error.body)
    if not answer.is_own:
        log.warning("gateway_answered", url=answer.address, status=answer.status, kind=answer.kind.value)
    return ModelFailed(answer.kind, error.request_id or "", read_retry_after(error.response.headers), answer.told)


def _build_answer(response: httpx2.Response, body: object = None) -> Answer:
    return Answer(address=_find_origin(response.url), status=response.status_code, body=body)


def _find_origin(url: httpx2.URL) -> str:
    """Scheme, host and port of an address; a name and a password in it are nobody's business."""
    return f"{url.scheme}://{url.netloc.decode('ascii')}"


def _build_gateway_failure(response: httpx2.Response) -> ModelFailed:
    """The failure where something says that all is well, and gives a page of its own: mostly a login."""
    answer = _build_answer(response)
    log.warning("gateway_answered", url=answer.address, status=answer.status, kind=FailureKind.MISCONFIGURED.value)
    return ModelFailed(FailureKind.MISCONFIGURED, told=answer.told)
