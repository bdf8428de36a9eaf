"""Pages of a window that holds more than Slack shows in one (100 blocks, 250 KB). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from app.core import texts_editing as texts
from handlers import action_ids, blocks
from handlers.editing.orders import Order, value

PAGE: Final = 45
"""Lines of a page: what people can look over, and far below what Slack takes."""

T = TypeVar("T")


def page(lines: Sequence[T], number: int) -> tuple[Sequence[T], int, int]:
    """The lines of a page, its number, counted from 0, and how many there are. Behind the last one is the last one."""
    pages = max(-(-len(lines) // PAGE), 1)
    number = min(number, pages - 1)
    return lines[number * PAGE : (number + 1) * PAGE], number, pages


def turning(number: int, pages: int) -> list[blocks.Block]:
    """The buttons that turn the pages; nothing if there is one."""
    if pages == 1:
        return []
    ways = ((number - 1, "previous", texts.PREVIOUS), (number + 1, "next", texts.NEXT))
    turns = [
        blocks.button(f"{action_ids.EDITING_PREFIX}{way}", label, value(Order.PAGE, str(to)))
        for to, way, label in ways
        if 0 <= to < pages
    ]
    return [blocks.actions(*turns), blocks.context(texts.PAGE.format(page=number + 1, pages=pages))]
