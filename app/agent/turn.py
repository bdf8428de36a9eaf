"""One turn with the model: from the transcript to a closed reply, shown while it grows, cut off at any moment.

Knows nothing of Slack or MongoDB, and saves nothing: it tells the draft what to show and gives the closed row back.
"""

from __future__ import annotations

import asyncio
import math
import secrets
from contextlib import aclosing
from dataclasses import dataclass, replace
from importlib import resources

import structlog

from app.agent.prices import cost
from app.core.context import api_messages
from app.core.errors import FailureKind, ModelFailed, TooLong
from app.core.model import Conversation, Message, MessageStatus
from app.core.sanitize import MAX_BYTES, purify, sanitize
from app.ports import Counted, Draft, Model, ModelReply, ModelRequest, TextDelta

log = structlog.get_logger(__name__)

SYSTEM = resources.files("app.agent").joinpath("prompts/free.txt").read_text("utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSettings:
    """Which model answers, how long its answers may be, and how much it is sent (tokens)."""

    model: str
    max_tokens: int
    context_tokens: int


class RunningTurn:
    """A turn under way, from its making on. Its end is one row, whatever happened; the draft is closed by then.

    A failure of the model is a reply with status FAILED. The raw words go to the draft, which shows what is safe of
    them; what is kept of them in the row is sanitised (S0-026).
    """

    def __init__(
        self, model: Model, settings: TurnSettings, conversation: Conversation, rows: tuple[Message, ...], draft: Draft
    ) -> None:
        self._model, self._draft = model, draft
        self._row = next(row for row in rows if conversation.turn and row.seq == conversation.turn.reply)
        self._request = ModelRequest(
            model=settings.model,
            system=SYSTEM,
            messages=api_messages(conversation, rows),
            max_tokens=settings.max_tokens,
        )
        self._text, self._size = "", 0
        self._counted: Counted | None = None
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
            async with aclosing(self._model.stream(self._request)) as events:
                async for event in events:
                    match event:
                        case TextDelta():
                            self._show(event.text)
                        case Counted():
                            self._counted = event
                        case ModelReply():
                            return self._whole(event)
        except ModelFailed as failure:
            return self._failed(failure)
        except TooLong:
            return self._failed(ModelFailed(FailureKind.OVERSIZED))
        raise AssertionError("a model's stream ends with a reply or an error")

    def _show(self, delta: str) -> None:
        self._size += len(delta.encode("utf-8", "surrogatepass"))
        if self._size > MAX_BYTES:
            raise TooLong(MAX_BYTES, self._size)
        self._text += delta
        self._draft.show(self._text)

    def _whole(self, reply: ModelReply) -> Message:
        self._counted = Counted(usage=reply.usage, model=reply.model, reference=reply.reference)
        text = sanitize(reply.text)
        # What was taken out of the text must not come back to the model, or stay in the store, by way of the array.
        content = reply.content if text == reply.text else ""
        return self._spent(replace(self._row, text=text, content=content, status=reply.status))

    def _partial(self, status: MessageStatus) -> Message:
        return self._spent(replace(self._row, text=purify(self._text), status=status))

    def _failed(self, failure: ModelFailed) -> Message:
        partial = self._partial(MessageStatus.FAILED)
        reference = failure.reference or partial.reference or new_reference()
        wait = math.ceil(round(failure.after or 0, 3))  # a clock is no exact number
        return replace(partial, failure=failure.kind.value, reference=reference, wait=wait)

    def _spent(self, row: Message) -> Message:
        """The row with what the model has told of model, tokens and request; as it was if nothing was told."""
        if self._counted is None:
            return row
        usage, model = self._counted.usage, self._counted.model
        return replace(row, usage=usage, model=model, cost=cost(model, usage), reference=self._counted.reference)


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
