"""Tool that finds messages of the thread of a step by their words, for quotes that are true to the letter."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from pydantic import Field

from app.agent.tools.context import Access, Offer, TurnContext
from app.agent.tools.external import excerpts
from app.agent.tools.output import ToolResult, count_items, report_findings
from app.agent.tools.tool import ExternalTool, Input
from app.core.conversation.conversation import Message, Role
from app.core.conversation.transition import parse_ts
from app.core.text.cutting import cut
from app.core.text.marks import clean_name
from app.decision.schema.similarity import normalize

HITS: Final = 10
"""Messages of one search, the newest ones."""

EXCERPT: Final = 200
"""Characters of a message: as many as a quote may have."""

SPOKEN: Final = (Role.PERSON, Role.ASSISTANT)
FOUND: Final = "Quote it letter for letter where you use it."
NOTHING: Final = "Nobody has written that here: ask people about it."


class Search(Input):
    """Input of `search_thread`."""

    words: str = Field(min_length=1, max_length=200, description="Words that all have to be in one message.")


async def _run(context: TurnContext, given: Search) -> ToolResult:
    found = await asyncio.to_thread(_find_hits, context.trial.messages, normalize(given.words).split())
    return ToolResult(report_findings(given.model_dump(), FOUND if found else NOTHING, found=found))


def _find_hits(messages: Sequence[Message], wanted: list[str]) -> list[dict[str, str]]:
    """Return the newest messages with all of these words. It can take long."""
    spoken = [each for each in messages if each.role in SPOKEN and each.is_sendable and each.text]
    hits = [each for each in spoken if all(word in normalize(each.text) for word in wanted)]
    names = {each.author: each.author_name for each in messages if each.author_name}
    return [_render_hit(each, wanted, names.get(each.author, "")) for each in hits[-HITS:]]


def _render_hit(message: Message, wanted: list[str], name: str) -> dict[str, str]:
    ts = message.ts or next(iter(message.parts), "")
    return {
        "who": clean_name(message.author_name or name) if message.role is Role.PERSON else excerpts.US,
        **({"user": message.author} if message.role is Role.PERSON else {}),
        "when": parse_ts(ts).isoformat(" ", "minutes") if ts else "",
        "quote": _cut_excerpt(message.text, wanted),
    }


def _cut_excerpt(text: str, wanted: list[str]) -> str:
    """Return whole words around the first of the wanted ones, letter for letter."""
    at = max(text.casefold().find(wanted[0]) if wanted else 0, 0)
    begin = max(min(at - EXCERPT // 4, len(text) - EXCERPT), 0)
    if begin and not text[begin - 1].isspace():
        begin += next((place for place, each in enumerate(text[begin:at]) if each.isspace()), 0)
    return cut(text[begin:].strip(), EXCERPT, end="")


TOOL = ExternalTool(
    name="search_thread",
    description="Find messages of this thread that contain words: who wrote them, and when.",
    brief="messages of this thread with all these words",
    input=Search,
    access=Access.READ,
    offered=Offer.STEPS,
    run=_run,
    working=lambda _: "searching this thread",
    trace=lambda _: "this thread",
    tell=lambda result: f"Searched this thread: {count_items(len(result['found']), 'message')}.",
)
