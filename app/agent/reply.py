"""A reply task: it can be cut off or dropped at any moment, and is closed exactly once.

Subclasses decide the requests. It does not know Slack or MongoDB, and saves nothing.
"""

from __future__ import annotations

import asyncio
import json
import math
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

import structlog

from app.agent.claude.prices import compute_cost
from app.core.conversation.conversation import Message, MessageStatus
from app.core.conversation.usage import Usage
from app.core.copy import texts
from app.core.errors import FailureKind, ModelFailed, TooLong
from app.core.state.interview import Stage
from app.core.turns.history import CHARS_PER_TOKEN, SHARE, THOUGHTS
from app.decision.schema.component import Component
from app.ports import CallBegun, Counted, LiveReply, Model, ModelReply, ModelRequest, TextDelta

log = structlog.get_logger(__name__)

LEAST_HISTORY = 1_000
"""Tokens of history that are always sent, however long the rest of the request is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSettings:
    """Settings of a turn: the model, the length of its replies, and the size of its input (tokens)."""

    model: str
    max_tokens: int
    context_tokens: int
    account: str = ""
    """Digest of the key: thinking that was made with another key may be refused."""
    autonomous: bool = True
    """If False, a turn that people wait for ends after each round of tools, and *Continue* starts another."""
    run_seconds: float = 300.0
    """Seconds for a whole run of a schedule."""
    extraction_tokens: int = 4_000
    """Tokens of a submission in an extraction; a larger one gets more."""

    @property
    def result_chars(self) -> int:
        """Return the characters that one result of a tool may have."""
        return self.context_tokens // SHARE * CHARS_PER_TOKEN


def apply_budget(turn: TurnSettings, component: Component) -> TurnSettings:
    """Return the settings within the component's budget: context never uses the tokens reserved for the answer."""
    return replace(turn, context_tokens=component.context_tokens - component.reserved_tokens)


def reduce_context(settings: TurnSettings, said: str) -> TurnSettings:
    """Return the settings with the context left beside the system prompt, the tools and the directive of the step."""
    left = settings.context_tokens - len(said) // CHARS_PER_TOKEN
    return replace(settings, context_tokens=max(left, LEAST_HISTORY))


def ignore(_: str) -> None:
    """Take what the model says before the end of its reply, where people are shown nothing of it."""


class ReplyTask(ABC):
    """A reply in progress. It ends as one row, with the live reply closed. If the model fails, the row is FAILED."""

    def __init__(self, model: Model, row: Message, draft: LiveReply) -> None:
        """Start at once. A subclass calls this last, when its own fields are set."""
        self._model, self._row, self._draft = model, row, draft
        # Cost before the turn waited for a person.
        self._counted = Counted(usage=row.usage, model=row.model, reference=row.reference)
        self._listening = asyncio.ensure_future(self._listen())
        self._ending = asyncio.ensure_future(self._end())

    @property
    def is_over(self) -> bool:
        """Return True if `reply` returns without waiting."""
        return self._ending.done()

    async def over(self) -> None:
        """Wait until the reply has ended, well or badly. Cancelling the wait does not affect the reply."""
        await asyncio.wait({self._ending})

    async def reply(self) -> Message:
        """Wait for the end and return the closed row, any number of times. Raises what a bug raised."""
        await self.over()
        return self._ending.result()

    def cut(self) -> None:
        """Close the model's stream at once: the reply is CANCELLED with the words so far. No effect after the end."""
        self._listening.cancel()

    async def drop(self) -> None:
        """Close stream and live reply without an end, because the process stops and another one takes the turn over."""
        # A task that is cancelled before it first runs does nothing, and would leave the live reply open.
        await asyncio.sleep(0)
        self._ending.cancel()
        await asyncio.gather(self._ending, return_exceptions=True)

    @abstractmethod
    async def _run(self) -> Message:
        """Ask until there is a reply, and return its row. Raises `ModelFailed` and `TooLong`."""

    @abstractmethod
    async def _partial(self, status: MessageStatus) -> Message:
        """Return the row as it is if the reply ends here, with the words so far."""

    def _tell_activity(self, tool: str) -> None:
        """Say in the thread's status what a call of this tool is about."""
        self._draft.show_activity(texts.ACTIVITIES.get(tool, texts.AT_WORK))

    async def _ask(
        self,
        request: ModelRequest,
        heard: Callable[[str], object] = ignore,
        begun: Callable[[str], object] | None = None,
    ) -> ModelReply:
        """Ask once; `heard` gets the words as they come, and `begun` the names of calls, which are shown without it.

        The cost is counted even if the request fails. Several may be under way.
        """
        counted, begun = Usage(), begun or self._tell_activity
        log.info("model_asked", roles=_list_roles(request))
        async with aclosing(self._model.stream(request)) as events:
            async for event in events:
                match event:
                    case TextDelta():
                        heard(event.text)
                    case CallBegun():
                        begun(event.tool)
                    case Counted():
                        self._count(event, counted)
                        counted = event.usage
                    case ModelReply():
                        self._count(Counted(usage=event.usage, model=event.model, reference=event.reference), counted)
                        log.info("model_answered", reference=event.reference, tools=_list_called_tools(event, request))
                        return event
        raise AssertionError("a model's stream ends with a reply or an error")

    def spent(self, row: Message) -> Message:
        """Return the row with the model, tokens and request reported so far; unchanged if none were."""
        counted = self._counted
        if not counted.model:
            return row
        return replace(
            row,
            usage=counted.usage,
            model=counted.model,
            cost=compute_cost(counted.model, counted.usage),
            reference=counted.reference,
        )

    async def _listen(self) -> Message:
        log.info("turn_began", status=self._row.status.value, **_find_stage(self._row))
        try:
            return await self._run()
        except ModelFailed as failure:
            return await self._fail(failure)
        except TooLong:
            return await self._fail(ModelFailed(FailureKind.OVERSIZED))

    async def _end(self) -> Message:
        try:
            closed = await self._listening
        except asyncio.CancelledError:
            if self._ending.cancelling():  # dropped; a cut cancels only the listening
                raise
            closed = await self._partial(MessageStatus.CANCELLED)
        finally:
            parts = await self._draft.close()
        closed = replace(closed, parts=parts)
        _log(closed)
        return closed

    def _count(self, counted: Counted, before: Usage) -> None:
        """Add what the running total of a request has grown by since it was `before`."""
        self._counted = replace(counted, usage=self._counted.usage + (counted.usage - before))

    async def _fail(self, failure: ModelFailed) -> Message:
        partial = await self._partial(MessageStatus.FAILED)
        reference = failure.reference or partial.reference or create_reference()
        wait = math.ceil(round(failure.after or 0, 3))  # the clock's difference has rounding errors
        return replace(partial, failure=failure.kind.value, reference=reference, wait=wait)


def select_resendable(reply: ModelReply) -> list[dict[str, Any]]:
    """Return the blocks that may be sent again; empty if none of them is text or a tool call.

    The API refuses a call without its result, empty text, and thinking at the end, although it produces all of them.
    """
    blocks: list[dict[str, Any]] = json.loads(reply.content)
    used = {use.id for use in reply.uses}
    kept = [
        block
        for block in blocks
        if (block["type"] != "tool_use" or block["id"] in used) and (block["type"] != "text" or block["text"].strip())
    ]
    while kept and kept[-1]["type"] in THOUGHTS:
        kept.pop()
    return kept if any(block["type"] in ("text", "tool_use") for block in kept) else []


def create_reference() -> str:
    """Return a new number that identifies a failure both to people and in the log."""
    return f"tw-{secrets.token_hex(4)}"


def _log(row: Message) -> None:
    usage, say = row.usage, log.warning if row.failure else log.info
    say(
        "turn_ended",
        status=row.status.value,
        kind=row.failure,
        reference=row.reference,
        tokens=usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens + usage.output_tokens,
        cost=row.cost,
        rounds=row.rounds,
        **_find_stage(row),
    )


def _list_roles(request: ModelRequest) -> str:
    """Return the initials of the messages' roles in order: the only part of them that is logged."""
    return "".join(message["role"][0] for message in request.messages)


def _list_called_tools(reply: ModelReply, request: ModelRequest) -> str:
    """Return the names of the called tools, limited to offered ones: another name is the model's content."""
    offered = {tool["name"] for tool in request.tools}
    return ",".join(use.name if use.name in offered else "other" for use in reply.uses)


def _find_stage(row: Message) -> dict[str, str]:
    return {} if row.stage is Stage.NONE else {"stage": row.stage.value}
