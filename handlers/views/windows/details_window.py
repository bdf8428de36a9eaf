"""The window that shows the whole result of a step, of which its card says the essence. Pure.

Windows cannot contain tables, so these become lists. A result that exceeds a window's limits has several pages.
"""

from __future__ import annotations

import json
from typing import Final

from app.core.conversation.card import ReviewCard, StepCard
from app.core.copy import decision_steps
from app.core.text.cutting import cut
from app.core.thread import ThreadKey
from handlers.slack import action_ids
from handlers.views.cards.sheet_pages import render_sections
from handlers.views.cards.step_card import list_whole
from handlers.views.kit import blocks
from handlers.views.kit.blocks import Block
from handlers.views.kit.packing import pack
from handlers.views.windows.forms import View, build_page_buttons, build_read_only_window
from handlers.views.windows.record_window import flatten_tables

TITLE_CHARS: Final = 24
"""Slack's limit for a modal's title."""

PAGE_BLOCKS, PAGE_BYTES = 90, 100_000
"""Limits of a page's content. Slack's are 100 blocks and 250 KB."""


def build_window(card: StepCard | ReviewCard, thread: ThreadKey, seq: int, page: int = 0) -> View:
    """Return a page of the result on the card with this `seq`. A number too high gives the last page."""
    shown = list_whole(card) if isinstance(card, StepCard) else card.sheet.sections
    content = (block for group in render_sections(map(flatten_tables, shown)) for block in group)
    pages = pack(content, _weigh, (PAGE_BLOCKS, PAGE_BYTES)) or [[blocks.build_context(decision_steps.NOTHING)]]
    at = min(page, len(pages) - 1)
    turns = build_page_buttons(action_ids.SHOW_ALL_PAGE_PREFIX, at, len(pages))
    return {
        **build_read_only_window(cut(card.title, TITLE_CHARS), *pages[at], *turns),
        "callback_id": action_ids.SHOW_ALL_WINDOW,
        "private_metadata": json.dumps({"address": blocks.format_address(thread), "card": seq}),
    }


def _weigh(block: Block) -> tuple[int, int]:
    return 1, len(json.dumps(block))
