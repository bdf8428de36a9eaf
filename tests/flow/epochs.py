"""Whether requests go on from each other: within an epoch, each begins byte for byte with the former one's words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.playground.claude.api.prompt import Prompt
    from tests.flow.chat import Chat

MADE = frozenset({"thinking", "redacted_thinking", "tool_use", "tool_result"})
"""Blocks that an epoch begins without, since the API binds them to what was sent before them."""


def find_broken(chat: Chat) -> list[str]:
    """Find requests that neither go on from an earlier one nor begin an epoch, by their roles and kinds of blocks."""
    return list(_find_broken(chat))


def _find_broken(chat: Chat) -> Iterator[str]:
    asked = set[bytes]()
    for request in chat.claude.requests:
        prompt = request.prompt
        if not _begins_anew(prompt) and prompt.prefixes[-3].digest not in asked:
            yield " ".join(f"{each.role}({','.join(str(b['type']) for b in each.blocks)})" for each in prompt.messages)
        asked.add(prompt.prefixes[-1].digest)


def _begins_anew(prompt: Prompt) -> bool:
    blocks = chain.from_iterable(message.blocks for message in prompt.messages)
    return len(prompt.messages) < 3 or not any(block["type"] in MADE for block in blocks)
