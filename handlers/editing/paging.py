"""Pages of a window whose content exceeds Slack's limits (100 blocks, 250 KB). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from app.core import texts_editing as texts
from handlers import action_ids, blocks
from handlers.editing.orders import Order, value

PAGE: Final = 45
"""Lines of a page: few enough to read, and far below Slack's limits."""

T = TypeVar("T")


def page(lines: Sequence[T], number: int) -> tuple[Sequence[T], int, int]:
    """Return the lines of a page, its number, counted from 0, and the number of pages.

    A number too high gives the last one.
    """
    pages = max(-(-len(lines) // PAGE), 1)
    number = min(number, pages - 1)
    return lines[number * PAGE : (number + 1) * PAGE], number, pages


def turning(number: int, pages: int) -> list[blocks.Block]:
    """Return the buttons that turn the pages; none for a single page."""
    if pages == 1:
        return []
    ways = ((number - 1, "previous", texts.PREVIOUS), (number + 1, "next", texts.NEXT))
    turns = [
        blocks.button(f"{action_ids.EDITING_PREFIX}{way}", label, value(Order.PAGE, str(to)))
        for to, way, label in ways
        if 0 <= to < pages
    ]
    return [blocks.actions(*turns), blocks.context(texts.PAGE.format(page=number + 1, pages=pages))]
