"""The text of blocks as mrkdwn: for screen readers, and for cards that Slack refuses to render. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.core.copy import texts
from handlers.views.kit import mrkdwn
from handlers.views.kit.blocks import Block

INDENT, BULLET = "    ", "• "


def extract_text(blocks: Iterable[Block]) -> str:
    """Return the words of blocks, one below the other. Small print and controls have none."""
    return "\n".join(filter(None, map(_extract_block, blocks)))


def _extract_block(block: Block) -> str:
    match block["type"]:
        case "section":
            return _read_text(block["text"])
        case "rich_text":
            return "\n".join(map(_extract_part, block["elements"]))
        case _:
            return ""


def _extract_part(part: Block) -> str:
    if part["type"] != "rich_text_list":
        return _extract_line(part)
    begin = INDENT * part["indent"] + BULLET
    return "\n".join(begin + _extract_line(item) for item in part["elements"])


def _extract_line(section: Block) -> str:
    return "".join(map(_extract_element, section["elements"]))


def _extract_element(element: Block) -> str:
    match element["type"]:
        case "user":
            return f"<@{element['user_id']}>"
        case "link":
            return f"<{texts.escape(element['url'])}|{_read_text(element)}>"
        case _:
            return _read_text(element)


def _read_text(shown: Mapping[str, str]) -> str:
    return shown["text"] if shown["type"] == "mrkdwn" else mrkdwn.render_verbatim(shown["text"])
