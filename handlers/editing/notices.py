"""A sentence at the top of a window, or in place of its content. Pure."""

from __future__ import annotations

from typing import Any, Final

from app.core import texts_editing as texts
from handlers import action_ids, blocks
from handlers.forms import MOST_CHARS, View
from handlers.payload import Payload, items, mapping

SHOWN: Final = ("type", "callback_id", "private_metadata", "title", "close", "blocks")
"""Properties of a view from Slack that can be sent back."""


def noted(sentence: str) -> list[blocks.Block]:
    """Return the sentence as a block; none if it is empty."""
    return [{**blocks.section(sentence[:MOST_CHARS]), "block_id": action_ids.NOTICE_BLOCK}] if sentence else []


def renewed(view: Payload, sentence: str) -> View:
    """Return the same window with another sentence at its top."""
    rest: list[Any] = [
        each for each in items(view.get("blocks")) if mapping(each).get("block_id") != action_ids.NOTICE_BLOCK
    ]
    return {name: view[name] for name in SHOWN if name in view} | {"blocks": [*noted(sentence), *rest]}


def alone(sentence: str) -> View:
    """Return a window that contains only a sentence."""
    return {
        "type": "modal",
        "title": blocks.plain(texts.NOTICE_TITLE),
        "close": blocks.plain(texts.LIST_CLOSE),
        "blocks": noted(sentence),
    }
