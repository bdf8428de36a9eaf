"""A model that says what it was told to, and a draft on paper."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace
from typing import Any

from app.agent.thread_summary import SYSTEM as SUMMARY_PROMPT
from app.core.conversation.conversation import MessageStatus
from app.core.conversation.usage import Usage
from app.ports import CallBegun, Counted, ModelEvent, ModelReply, ModelRequest, TextDelta, ToolUse

REQUEST = ModelRequest(model="claude-x", system="", messages=[{"role": "user", "content": "hi"}], max_tokens=100)
ANSWER = ModelReply(
    text="Hello",
    content='[{"type":"text","text":"Hello"}]',
    status=MessageStatus.COMPLETE,
    usage=Usage(input_tokens=7, output_tokens=2),
    model="claude-x-1",
    reference="req_1",
)
MODEL = "claude-sonnet-5-5"
REMEMBERED = "They have talked at length."
"""The summary of a thread that a scripted model writes unless told otherwise."""
COST = Usage(input_tokens=10, output_tokens=2)
"""Of each answer that is made by `answers`."""

COUNTED = Counted(usage=Usage(input_tokens=7, output_tokens=1), model="claude-x-1", reference="req_1")

Part = TextDelta | Counted | CallBegun | ModelReply | Exception | asyncio.Event | Callable[[], None]


class ScriptedModel:
    """Implements `Model`: each request takes one script.

    Of a script, exceptions are raised, events are waited for, and functions are called. Requests for a summary of the
    thread take none: `remembers` answers them.
    """

    remembers: Sequence[Part] = ()

    def __init__(self, *scripts: Sequence[Part]) -> None:
        self._scripts = list(scripts)
        self.asked: list[ModelRequest] = []
        self.begun, self.closed = asyncio.Event(), asyncio.Event()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        self.asked.append(request)
        self.begun.set()
        try:
            is_summary = request.system == SUMMARY_PROMPT
            for part in (self.remembers or answers(text=REMEMBERED)) if is_summary else self._scripts.pop(0):
                match part:
                    case TextDelta() | Counted() | CallBegun() | ModelReply():
                        yield part
                    case Exception():
                        raise part
                    case asyncio.Event():
                        await part.wait()
                    case _:
                        part()
        finally:
            self.closed.set()


class PaperDraft:
    """Implements `Draft`: keeps what it was offered. `seen` is set by each offer."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.activities: list[str] = []
        self.breaks: list[int] = []
        self.seen = asyncio.Event()
        self.closings = 0

    def show(self, text: str) -> None:
        assert not self.closings
        self.shown.append(text)
        self.seen.set()

    def go_on_below(self, at: int) -> None:
        assert not self.closings
        self.breaks.append(at)

    def show_activity(self, words: str) -> None:
        assert not self.closings
        self.activities.append(words)

    async def close(self) -> tuple[str, ...]:
        self.closings += 1
        await asyncio.sleep(0)
        return ("9.1", "9.2")


def deltas(*texts: str) -> list[TextDelta]:
    return [TextDelta(text=text) for text in texts]


def answers(*uses: ToolUse, text: str = "", status: MessageStatus = MessageStatus.COMPLETE) -> list[Part]:
    """One request's end: thinking, words and calls as the API gives them."""
    blocks: list[dict[str, Any]] = [{"type": "thinking", "thinking": "", "signature": f"s{len(uses)}"}]
    blocks += [{"type": "text", "text": text}] if text else []
    blocks += [{"type": "tool_use", "id": use.id, "name": use.name, "input": use.input} for use in uses]
    end = ModelReply(
        uses=uses, text=text, content=json.dumps(blocks), status=status, usage=COST, model=MODEL, reference="r"
    )
    return [*deltas(*([text] if text else [])), end]


def cut_off(*uses: ToolUse, text: str = "", status: MessageStatus = MessageStatus.TRUNCATED) -> list[Part]:
    """The same with calls that were not meant, as in an answer that reached its longest."""
    *before, end = answers(*uses, text=text, status=status)
    assert isinstance(end, ModelReply)
    return [*before, replace(end, uses=())]
