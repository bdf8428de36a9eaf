"""A reply under way, from its making on: cut off or dropped at any moment, and closed once, whatever happened.

What is asked stands in those who inherit. Knows nothing of Slack or MongoDB, and saves nothing.
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
from app.core.errors import FailureKind, ModelFailed, TooLong
from app.core.state.interview import Stage
from app.ports import Counted, Draft, Model, ModelReply, ModelRequest, TextDelta

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSettings:
    """Which model answers, how long its answers may be, and how much it is sent (tokens)."""

    model: str
    max_tokens: int
    context_tokens: int
    autonomous: bool = True
    """False: a turn for which people wait ends after each round of tools, and *Continue* goes on (S3-070, C-29)."""
    turn_seconds: float = 120.0
    """How long a turn for which people wait may take in all (T7); after it has waited for one it begins anew."""
    run_seconds: float = 300.0
    """How long a run of a schedule may take in all (requirements part 5)."""
    extraction_tokens: int = 4_000
    """Of a submission in an extraction (S0-219); more where there is more to submit."""


class Running(ABC):
    """A reply under way. Its end is one row; the draft is closed by then. A failure of the model is a FAILED row."""

    def __init__(self, model: Model, row: Message, draft: Draft) -> None:
        """Begin at once. Whoever inherits is made by then: this comes last."""
        self._model, self._row, self._draft = model, row, draft
        # What it had cost before it waited for somebody.
        self._spent_before, self._counted = Usage(), Counted(usage=row.usage, model=row.model, reference=row.reference)
        self._listening = asyncio.ensure_future(self._listen())
        self._ending = asyncio.ensure_future(self._end())

    @property
    def is_over(self) -> bool:
        """True when `reply` will not have to wait."""
        return self._ending.done()

    async def over(self) -> None:
        """Return when it has come to its end, well or badly. Giving up the wait leaves the reply alone."""
        await asyncio.wait({self._ending})

    async def reply(self) -> Message:
        """Wait for the end and give the reply's row, closed; any number of times. Raises what a bug raised."""
        await self.over()
        return self._ending.result()

    def cut(self) -> None:
        """Close the model's stream at once: the reply is CANCELLED with the words so far. Too late it does nothing."""
        self._listening.cancel()

    async def drop(self) -> None:
        """Close stream and draft without an end: the process goes, and somebody else will take the turn over."""
        # A task that is cancelled before its first step does nothing at all, and would leave the draft open.
        await asyncio.sleep(0)
        self._ending.cancel()
        await asyncio.gather(self._ending, return_exceptions=True)

    @abstractmethod
    async def _run(self) -> Message:
        """Ask until there is a reply, and give its row. May raise `ModelFailed` and `TooLong`."""

    @abstractmethod
    async def _partial(self, status: MessageStatus) -> Message:
        """Give the row as it is if it ends here: with what there is so far."""

    async def _ask(self, request: ModelRequest, heard: Callable[[str], object]) -> ModelReply:
        """Ask once; `heard` gets the words as they come. What it cost is counted, however it ends."""
        self._spent_before = self._counted.usage
        log.info("model_asked", roles=_list_roles(request))
        async with aclosing(self._model.stream(request)) as events:
            async for event in events:
                match event:
                    case TextDelta():
                        heard(event.text)
                    case Counted():
                        self._count(event)
                    case ModelReply():
                        self._count(Counted(usage=event.usage, model=event.model, reference=event.reference))
                        log.info("model_answered", reference=event.reference, tools=_list_called_tools(event, request))
                        return event
        raise AssertionError("a model's stream ends with a reply or an error")

    def spent(self, row: Message) -> Message:
        """Give the row with what the model has told of model, tokens and request; as it was if nothing was told."""
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
            return await self._failed(failure)
        except TooLong:
            return await self._failed(ModelFailed(FailureKind.OVERSIZED))

    async def _end(self) -> Message:
        try:
            closed = await self._listening
        except asyncio.CancelledError:
            if self._ending.cancelling():  # dropped; otherwise only the listening was cancelled: cut
                raise
            closed = await self._partial(MessageStatus.CANCELLED)
        finally:
            parts = await self._draft.close()
        closed = replace(closed, parts=parts)
        _log(closed)
        return closed

    def _count(self, counted: Counted) -> None:
        """A request tells what it has cost in all so far; those before it have cost as well."""
        self._counted = replace(counted, usage=self._spent_before + counted.usage)

    async def _failed(self, failure: ModelFailed) -> Message:
        partial = await self._partial(MessageStatus.FAILED)
        reference = failure.reference or partial.reference or create_reference()
        wait = math.ceil(round(failure.after or 0, 3))  # a clock is no exact number
        return replace(partial, failure=failure.kind.value, reference=reference, wait=wait)


def select_resendable(reply: ModelReply) -> list[dict[str, Any]]:
    """Of what the model wrote what it may be sent again; nothing if that is neither words nor a call.

    The API refuses a call without its result, and text without a character, though it has itself made either.
    """
    blocks: list[dict[str, Any]] = json.loads(reply.content)
    used = {use.id for use in reply.uses}
    kept = [
        block
        for block in blocks
        if (block["type"] != "tool_use" or block["id"] in used) and (block["type"] != "text" or block["text"].strip())
    ]
    return kept if any(block["type"] in ("text", "tool_use") for block in kept) else []


def create_reference() -> str:
    """Make a number under which people and the log speak of the same failure."""
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
    """Whose the messages of a request are, by their initials and in order: all that a log tells of them (S3-069)."""
    return "".join(message["role"][0] for message in request.messages)


def _list_called_tools(reply: ModelReply, request: ModelRequest) -> str:
    """The tools that are used, by the names that were offered: any other name would be the model's own words."""
    offered = {tool["name"] for tool in request.tools}
    return ",".join(use.name if use.name in offered else "other" for use in reply.uses)


def _find_stage(row: Message) -> dict[str, str]:
    return {} if row.stage is Stage.NONE else {"stage": row.stage.value}
