"""Claude: the only module that speaks Anthropic. One request, its stream, and every failure as a `ModelFailed`.

The SDK's own retries are off: a retry that it does alone could be billed twice and waits as long as the server says.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

import httpx2
from anthropic import APIConnectionError, APIStatusError, APITimeoutError, AsyncAnthropic
from pydantic import SecretStr

from app.core.errors import FailureKind, ModelFailed
from app.core.model import MessageStatus, Usage
from app.ports import ModelReply, ModelRequest, TextDelta

CONNECT_SECONDS, READ_SECONDS = 5.0, 180.0

STATUSES: dict[str | None, MessageStatus] = {
    "end_turn": MessageStatus.COMPLETE,
    "stop_sequence": MessageStatus.COMPLETE,
    "max_tokens": MessageStatus.TRUNCATED,
    "refusal": MessageStatus.REFUSED,
}
"""What becomes of a reply by its stop reason; a reason that is not here ends it as complete."""

KINDS: dict[str, FailureKind] = {
    "authentication_error": FailureKind.MISCONFIGURED,
    "permission_error": FailureKind.MISCONFIGURED,
    "not_found_error": FailureKind.MISCONFIGURED,
    "billing_error": FailureKind.SPENT,
    "enforced_spend_limit_reached": FailureKind.SPENT,
    "contract_spend_limit_reached": FailureKind.SPENT,
    "rate_limit_error": FailureKind.LIMITED,
    "request_too_large": FailureKind.TOO_LONG,
    "invalid_request_error": FailureKind.INVALID,
    "overloaded_error": FailureKind.BUSY,
    "api_error": FailureKind.BUSY,
    "timeout_error": FailureKind.BUSY,
}
"""Anthropic's error types and codes. Codes come first: a spend limit also calls itself a rate limit."""


class Claude:
    """Implements `app.ports.Model`."""

    def __init__(self, api_key: SecretStr, base_url: str | None, seconds: float) -> None:
        """`seconds` is how long one answer may take in all; `base_url` None means Anthropic's own."""
        self._seconds = seconds
        self._client = AsyncAnthropic(
            api_key=api_key.get_secret_value(),
            base_url=base_url,
            max_retries=0,
            timeout=httpx2.Timeout(seconds, connect=CONNECT_SECONDS, read=min(READ_SECONDS, seconds)),
        )

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | ModelReply]:
        """Yield the text as it comes and the whole reply at last. Raises `ModelFailed`."""
        try:
            async with asyncio.timeout(self._seconds), aclosing(self._events(request)) as events:
                async for event in events:
                    yield event
        except APITimeoutError as error:
            raise ModelFailed(FailureKind.TIMEOUT) from error
        except APIConnectionError as error:
            raise ModelFailed(FailureKind.BUSY) from error
        except APIStatusError as error:
            raise ModelFailed(_kind(error), error.request_id or "") from error
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise ModelFailed(FailureKind.TIMEOUT) from error
        except (httpx2.TransportError, ValueError) as error:
            # After the headers the SDK passes on what its transport or its JSON parser raises.
            raise ModelFailed(FailureKind.CUT) from error

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def check(self, model: str) -> None:
        """Ask for the model's description: that proves key, address and model without a token. Raises `ModelFailed`."""
        try:
            await self._client.models.retrieve(model, timeout=CONNECT_SECONDS * 2)
        except APIStatusError as error:
            raise ModelFailed(_kind(error), error.request_id or "") from error
        except APIConnectionError as error:
            raise ModelFailed(FailureKind.BUSY) from error

    async def _events(self, request: ModelRequest) -> AsyncGenerator[TextDelta | ModelReply, None]:
        messages: Any = list(request.messages)
        parameters: dict[str, Any] = {"model": request.model, "max_tokens": request.max_tokens, "messages": messages}
        async with self._client.messages.stream(system=request.system, **parameters) as stream:
            async for event in stream:
                if event.type == "text":
                    yield TextDelta(text=event.text)
            message = await stream.get_final_message()
        if message.stop_reason is None:
            # The stream ended early, and the SDK does not call that an error.
            raise ModelFailed(FailureKind.CUT, stream.request_id or "")
        if message.stop_reason == "model_context_window_exceeded":
            raise ModelFailed(FailureKind.TOO_LONG, stream.request_id or "")
        # Dispatch on `type`: the SDK builds block types it does not know as some other class.
        content = [block.to_dict(mode="json") for block in message.content]
        usage = message.usage
        yield ModelReply(
            text="".join(str(block["text"]) for block in content if block["type"] == "text"),
            content=json.dumps(content, ensure_ascii=False, separators=(",", ":")),
            status=STATUSES.get(message.stop_reason, MessageStatus.COMPLETE),
            usage=Usage(
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cache_read_tokens=usage.cache_read_input_tokens or 0,
                cache_write_tokens=usage.cache_creation_input_tokens or 0,
            ),
            model=message.model,
            reference=stream.request_id or "",
        )


def _kind(error: APIStatusError) -> FailureKind:
    if error.status_code in (402, 413):
        return FailureKind.SPENT if error.status_code == 402 else FailureKind.TOO_LONG
    for name in (error.error_code, error.type):
        if name in KINDS:
            return KINDS[name]
    return FailureKind.BUSY if error.status_code >= 500 else FailureKind.INVALID
