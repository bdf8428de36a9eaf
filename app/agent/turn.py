"""One turn with the model: from the transcript to a closed reply, shown while it grows.

Knows nothing of Slack or MongoDB, and saves nothing: it tells the draft what to show and gives the closed row back.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from importlib import resources

import structlog

from app.core.context import api_messages
from app.core.errors import FailureKind, ModelFailed
from app.core.model import Conversation, Message, MessageStatus
from app.ports import Draft, Model, ModelRequest, TextDelta

log = structlog.get_logger(__name__)

SYSTEM = resources.files("app.agent").joinpath("prompts/free.txt").read_text("utf-8")

MAX_REPLY_BYTES = 100_000
"""S0-028: a longer answer is refused; the stream stops at the limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSettings:
    """Which model answers, how long its answers may be, and how much it is sent (tokens)."""

    model: str
    max_tokens: int
    context_tokens: int


async def take_turn(
    model: Model, settings: TurnSettings, conversation: Conversation, rows: tuple[Message, ...], draft: Draft
) -> Message:
    """Ask the model and show its answer. Returns the reply's row, closed; the draft is closed too.

    Raises nothing for a failure of the model: that is a reply with status FAILED, which keeps the text that came.
    """
    reply = next(row for row in rows if conversation.turn and row.seq == conversation.turn.reply)
    request = ModelRequest(
        model=settings.model,
        system=SYSTEM,
        messages=api_messages(conversation, rows),
        max_tokens=settings.max_tokens,
    )
    try:
        closed = await _listen(model, request, reply, draft)
    finally:
        parts = await draft.close()
    return replace(closed, parts=parts)


async def _listen(model: Model, request: ModelRequest, reply: Message, draft: Draft) -> Message:
    text, size = "", 0
    try:
        async for event in model.stream(request):
            if not isinstance(event, TextDelta):
                return replace(
                    reply,
                    text=event.text,
                    content=event.content,
                    status=event.status,
                    usage=event.usage,
                    model=event.model,
                    reference=event.reference,
                )
            text += event.text
            size += len(event.text.encode())
            if size > MAX_REPLY_BYTES:
                raise ModelFailed(FailureKind.OVERSIZED)
            draft.show(text)
    except ModelFailed as failure:
        reference = failure.reference or new_reference()
        log.warning("turn_failed", kind=failure.kind.value, reference=reference)
        return replace(reply, text=text, status=MessageStatus.FAILED, failure=failure.kind.value, reference=reference)
    raise AssertionError("a model's stream ends with a reply or an error")


def new_reference() -> str:
    """Make a number under which people and the log speak of the same failure."""
    return f"tw-{secrets.token_hex(4)}"
