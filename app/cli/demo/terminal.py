"""A Slack message as lines of a terminal: the text of its blocks, tables as rows, buttons in brackets."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.playground.slack.values.model import Message

Block = Mapping[str, Any]

_REFERENCE = re.compile(r"<([^<>|]+)(?:\|([^<>]*))?>")
_INLINE = frozenset({"rich_text_section", "rich_text_preformatted", "rich_text_quote"})


def render_lines(message: Message, names: Mapping[str, str]) -> Iterator[str]:
    """Return the lines of a message. `names` are those of people, by id."""
    told = (_render_block(block, names) for block in message.blocks) if message.blocks else [iter([message.text])]
    yield from (
        line for part in told for text in part for line in _strip_marks(text, names).splitlines() if line.strip()
    )


def _render_block(block: Block, names: Mapping[str, str]) -> Iterator[str]:
    match block.get("type"):
        case "actions":
            yield " ".join(f"[{_find_label(each)}]" for each in block["elements"])
        case "table":
            yield from (
                " | ".join(" ".join(_render_block(cell, names)).strip() for cell in row) for row in block["rows"]
            )
        case "context":
            yield from (_read_text(each) for each in block["elements"])
        case "rich_text":
            yield from (line for each in block["elements"] for line in _render_rich_text(each, names))
        case _:
            yield _read_text(block)
            yield from (_read_text(each) for each in block.get("fields", ()))


def _render_rich_text(element: Block, names: Mapping[str, str]) -> Iterator[str]:
    if element["type"] in _INLINE:
        yield "".join(_render_inline(each, names) for each in element["elements"])
    else:
        yield from (f"• {line}" for each in element["elements"] for line in _render_rich_text(each, names))


def _render_inline(element: Block, names: Mapping[str, str]) -> str:
    if element["type"] == "user":
        return f"@{names.get(element['user_id'], element['user_id'])}"
    return _escape(element.get("text") or element.get("url", ""))


def _read_text(block: Block) -> str:
    """Return the text of a block, which may be in a text object."""
    text = block.get("text", "")
    if isinstance(text, str):
        return text
    words = str(text.get("text", ""))
    return words if text.get("type") == "mrkdwn" else _escape(words)


def _find_label(control: Block) -> str:
    placeholder: Sequence[Any] = control.get("options", ())
    return _read_text(control) or _read_text({"text": control.get("placeholder", "")}) or f"… {len(placeholder)} more"


def _strip_marks(text: str, names: Mapping[str, str]) -> str:
    """Remove Slack's markup for people and links, and its escapes."""
    return html.unescape(_REFERENCE.sub(lambda found: _render_mark(found, names), text))


def _render_mark(found: re.Match[str], names: Mapping[str, str]) -> str:
    about, label = found[1], found[2]
    if about.startswith("@"):
        return f"@{names.get(about[1:], about[1:])}"
    return label or about.partition("^")[2].partition("^")[0] or about


def _escape(words: str) -> str:
    """Escape words, so that `_strip_marks` returns them unchanged."""
    return html.escape(words, quote=False)
