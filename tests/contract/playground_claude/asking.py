"""Requests in the words of the tests: a valid one, and what a test changes in it."""

from typing import Any, cast

from anthropic import AsyncAnthropic
from anthropic.lib.streaming import AsyncMessageStreamManager
from anthropic.types import Message

Json = dict[str, Any]

SONNET = "claude-sonnet-5-5"
OPUS = "claude-opus-5-5"
OLD_HAIKU = "claude-haiku-4-5"


def ask(*said: str | list[Json], **changes: Any) -> Json:
    """Parameters for the SDK: user and assistant by turns, the user first."""
    roles = ("user", "assistant")
    messages = [{"role": roles[n % 2], "content": content} for n, content in enumerate(said or ("Hello",))]
    return {"model": SONNET, "max_tokens": 1024, "messages": messages, **changes}


def tool(name: str = "look_up", **changes: Any) -> Json:
    """A tool definition."""
    schema = {"type": "object", "properties": {"word": {"type": "string"}}}
    return {"name": name, "description": "Look a word up.", "input_schema": schema, **changes}


def used(tool_id: str, name: str = "look_up") -> Json:
    """A call, as an assistant message carries it."""
    return {"type": "tool_use", "id": tool_id, "name": name, "input": {}}


def result(tool_id: str) -> Json:
    """The answer to a call."""
    return {"type": "tool_result", "tool_use_id": tool_id, "content": "found"}


def text(words: str) -> Json:
    """A text block."""
    return {"type": "text", "text": words}


async def answered(claude: AsyncAnthropic, params: Json) -> Message:
    """Ask without streaming."""
    create: Any = claude.messages.create
    return cast(Message, await create(**params))


def streamed(claude: AsyncAnthropic, params: Json) -> AsyncMessageStreamManager[None]:
    """Ask for a stream; the request is sent on entering it."""
    stream: Any = claude.messages.stream
    return stream(**params)
