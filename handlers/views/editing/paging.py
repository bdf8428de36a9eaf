"""Pages of a window that holds more than Slack shows in one (100 blocks, 250 KB), and a sentence on top of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from app.core.copy import draft_editing, texts
from app.core.text.cutting import cut
from handlers.slack import action_ids
from handlers.slack.payload import Payload, read_list, read_mapping
from handlers.views.editing.window_state import WindowCommand, write_window_command
from handlers.views.kit import blocks
from handlers.views.windows.forms import MOST_CHARS, View

SHOWN: Final = ("type", "callback_id", "private_metadata", "title", "close", "blocks")
"""Properties of a view from Slack that can be sent back."""


def build_notice(sentence: str) -> list[blocks.Block]:
    """Return the sentence as a block; none if it is empty."""
    return (
        [{**blocks.build_section(cut(sentence, MOST_CHARS)), "block_id": action_ids.NOTICE_BLOCK}] if sentence else []
    )


def replace_notice(view: Payload, sentence: str) -> View:
    """Return the same window with another sentence at its top."""
    rest: list[Any] = [
        each for each in read_list(view.get("blocks")) if read_mapping(each).get("block_id") != action_ids.NOTICE_BLOCK
    ]
    return {name: view[name] for name in SHOWN if name in view} | {"blocks": [*build_notice(sentence), *rest]}


def build_notice_window(sentence: str) -> View:
    """Return a window that contains only a sentence."""
    return {
        "type": "modal",
        "title": blocks.build_plain_text(draft_editing.NOTICE_TITLE),
        "close": blocks.build_plain_text(draft_editing.LIST_CLOSE),
        "blocks": build_notice(sentence),
    }


PAGE: Final = 45
"""Lines of a page: few enough to read, and far below Slack's limits."""

T = TypeVar("T")


def cut_page(lines: Sequence[T], number: int) -> tuple[Sequence[T], int, int]:
    """Return the lines of a page, its number, counted from 0, and the number of pages.

    A number too high gives the last one.
    """
    pages = max(-(-len(lines) // PAGE), 1)
    number = min(number, pages - 1)
    return lines[number * PAGE : (number + 1) * PAGE], number, pages


def build_page_buttons(number: int, pages: int) -> list[blocks.Block]:
    """Return the buttons that turn the pages; none for a single page."""
    if pages == 1:
        return []
    ways = ((number - 1, "previous", draft_editing.PREVIOUS), (number + 1, "next", draft_editing.NEXT))
    turns = [
        blocks.build_button(
            f"{action_ids.EDITING_PREFIX}{way}", label, write_window_command(WindowCommand.PAGE, str(to))
        )
        for to, way, label in ways
        if 0 <= to < pages
    ]
    return [blocks.build_actions(*turns), blocks.build_context(texts.PAGE_OF.format(page=number + 1, pages=pages))]
