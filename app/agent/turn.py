"""One turn with the model: from the transcript to a closed reply, shown while it grows, cut off at any moment.

Knows nothing of Slack or MongoDB, and saves nothing: it tells the draft what to show and gives the closed row back.
"""

from __future__ import annotations

import asyncio
import json
import math
import secrets
from contextlib import aclosing
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any

import structlog

from app.agent.prices import cost
from app.agent.tools.box import SPECS, Toolbox
from app.core.context import api_messages
from app.core.errors import FailureKind, ModelFailed, TooLong
from app.core.model import Conversation, Message, MessageStatus, Usage
from app.core.sanitize import MAX_BYTES, purify, sanitize
from app.ports import Counted, Draft, Model, ModelReply, ModelRequest, TextDelta

log = structlog.get_logger(__name__)

ROUNDS = 25
"""Requests of one turn (S3); a model that still uses tools then is stopped, and *Continue* begins anew."""

PARAGRAPH = "\n\n"
"""Between what is said before a tool is used and after it."""

SYSTEM = resources.files("app.agent").joinpath("prompts/free.txt").read_text("utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSettings:
    """Which model answers, how long its answers may be, and how much it is sent (tokens)."""

    model: str
    max_tokens: int
    context_tokens: int


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked: the conversation with its transcript, and the tools that may be used."""

    conversation: Conversation
    rows: tuple[Message, ...]
    tools: Toolbox


class RunningTurn:
    """A turn under way, from its making on. Its end is one row, whatever happened; the draft is closed by then.

    A round is one request; as long as the model uses tools, another one follows with what came of them. A failure of
    the model is a reply with status FAILED. The raw words go to the draft, which shows what is safe of them; what is
    kept of them in the row is sanitised (S0-026).
    """

    def __init__(self, model: Model, settings: TurnSettings, prompt: Prompt, draft: Draft) -> None:
        self._model, self._draft, self._settings, self._tools = model, draft, settings, prompt.tools
        turn = prompt.conversation.turn
        self._row = next(row for row in prompt.rows if turn and row.seq == turn.reply)
        self._told = api_messages(prompt.conversation, prompt.rows)
        self._said: list[dict[str, Any]] = []
        self._text, self._size = "", 0
        self._spent_before, self._counted = Usage(), Counted(usage=Usage(), model="")
        self._listening = asyncio.ensure_future(self._listen())
        self._ending = asyncio.ensure_future(self._end())

    @property
    def is_over(self) -> bool:
        """True when `reply` will not have to wait."""
        return self._ending.done()

    async def over(self) -> None:
        """Return when the turn has come to its end, well or badly. Giving up the wait leaves the turn alone."""
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

    async def _end(self) -> Message:
        try:
            closed = await self._listening
        except asyncio.CancelledError:
            if self._ending.cancelling():  # dropped; otherwise only the listening was cancelled: cut
                raise
            closed = self._partial(MessageStatus.CANCELLED)
        finally:
            parts = await self._draft.close()
        closed = replace(closed, parts=parts)
        _log(closed)
        return closed

    async def _listen(self) -> Message:
        try:
            for _ in range(ROUNDS):
                reply = await self._round()
                if not reply.uses:
                    return self._whole(reply.status)
                self._said.append({"role": "user", "content": [self._tools.use(wish) for wish in reply.uses]})
                if self._tools.waits:
                    return self._whole(MessageStatus.COMPLETE)
            return self._whole(MessageStatus.TRUNCATED)
        except ModelFailed as failure:
            return self._failed(failure)
        except TooLong:
            return self._failed(ModelFailed(FailureKind.OVERSIZED))

    async def _round(self) -> ModelReply:
        """Ask once, and give the reply; its words and what it cost are kept by then."""
        request = ModelRequest(
            model=self._settings.model,
            system=SYSTEM,
            messages=[*self._told, *self._said],
            max_tokens=self._settings.max_tokens,
            tools=SPECS,
        )
        self._spent_before, gap = self._counted.usage, PARAGRAPH if self._text.strip() else ""
        async with aclosing(self._model.stream(request)) as events:
            async for event in events:
                match event:
                    case TextDelta():
                        self._show(gap + event.text)
                        gap = ""
                    case Counted():
                        self._count(event)
                    case ModelReply():
                        self._count(Counted(usage=event.usage, model=event.model, reference=event.reference))
                        if meant := _meant(event):
                            self._said.append({"role": "assistant", "content": meant})
                        return event
        raise AssertionError("a model's stream ends with a reply or an error")

    def _count(self, counted: Counted) -> None:
        """A request tells what it has cost in all so far; the rounds before it have cost as well."""
        self._counted = replace(counted, usage=self._spent_before + counted.usage)

    def _show(self, delta: str) -> None:
        self._size += len(delta.encode("utf-8", "surrogatepass"))
        if self._size > MAX_BYTES:
            raise TooLong(MAX_BYTES, self._size)
        self._text += delta
        self._draft.show(self._text)

    def _whole(self, status: MessageStatus) -> Message:
        text = sanitize(self._text)
        # What was taken out of the text must not come back to the model, or stay in the store, by way of the array.
        is_kept = text == self._text and self._tools.verbatim
        content = json.dumps(self._said, ensure_ascii=False, separators=(",", ":")) if is_kept and self._said else ""
        said = replace(self._row, text=text, content=content, status=status)
        return self._spent(replace(said, acted=self._tools.used, calls=self._tools.calls))

    def _partial(self, status: MessageStatus) -> Message:
        return self._spent(replace(self._row, text=purify(self._text), status=status))

    def _failed(self, failure: ModelFailed) -> Message:
        partial = self._partial(MessageStatus.FAILED)
        reference = failure.reference or partial.reference or new_reference()
        wait = math.ceil(round(failure.after or 0, 3))  # a clock is no exact number
        return replace(partial, failure=failure.kind.value, reference=reference, wait=wait)

    def _spent(self, row: Message) -> Message:
        """The row with what the model has told of model, tokens and request; as it was if nothing was told."""
        counted = self._counted
        if not counted.model:
            return row
        return replace(
            row,
            usage=counted.usage,
            model=counted.model,
            cost=cost(counted.model, counted.usage),
            reference=counted.reference,
        )


def _meant(reply: ModelReply) -> list[dict[str, Any]]:
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


def new_reference() -> str:
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
    )
