"""The text of blocks as mrkdwn: for screen readers, and for cards that Slack refuses to render. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.core.copy import texts
from handlers.views.kit import mrkdwn
from handlers.views.kit.blocks import Block

INDENT, BULLET, BETWEEN = "    ", "• ", " | "


def spoken(blocks: Iterable[Block]) -> str:
    """Return the words of blocks, one below the other. Small print and controls have none."""
    return "\n".join(filter(None, map(_block, blocks)))


def _block(block: Block) -> str:
    match block["type"]:
        case "section":
            return _text(block["text"])
        case "rich_text":
            return "\n".join(map(_part, block["elements"]))
        case "table":
            return "\n".join(BETWEEN.join(map(_text, row)) for row in block["rows"])
        case _:
            return ""


def _part(part: Block) -> str:
    if part["type"] != "rich_text_list":
        return _line(part)
    begin = INDENT * part["indent"] + BULLET
    return "\n".join(begin + _line(item) for item in part["elements"])


def _line(section: Block) -> str:
    return "".join(map(_element, section["elements"]))


def _element(element: Block) -> str:
    match element["type"]:
        case "user":
            return f"<@{element['user_id']}>"
        case "link":
            return f"<{texts.escape(element['url'])}|{_text(element)}>"
        case _:
            return _text(element)


def _text(shown: Mapping[str, str]) -> str:
    return shown["text"] if shown["type"] == "mrkdwn" else mrkdwn.verbatim(shown["text"])
