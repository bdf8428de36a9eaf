"""An extraction with what its owner writes while it is under way."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from app.agent.extraction.extraction import Extraction
from app.core.conversation.conversation import Conversation, Message
from app.runtime.record.step_context import StepContext


async def hear_more(
    find_ground: Callable[[Conversation, tuple[Message, ...]], Awaitable[StepContext]],
    read_news: Callable[[int], Awaitable[tuple[Message, ...]]],
    before: Extraction,
) -> Extraction | None:
    """Return the extraction with what was written since, from which it may quote; None if nothing was.

    `find_ground` returns the full context of a transcript, `read_news` what came after the row with this `seq`.
    """
    now = before.conversation
    assert now.turn is not None, "an extraction is a turn"
    news = await read_news(max((now.turn.reply, *(row.seq for row in before.heard))))
    if not news:
        return None
    heard = (*before.heard, *news)
    ground = await find_ground(now, (*before.rows, *heard))
    return replace(
        before,
        heard=heard,
        so_far=ground.so_far,
        judge=ground.judge_submitted,
        said=lambda: ground.figures,
        unquote=partial(_unquote, ground),
    )


def _unquote(ground: StepContext, text: str) -> str:
    return ground.quotable.unquote(text)
