"""Rich text: in it, Slack recognises only the markup, mentions and links that we set. Pure.

A text that is too long for one block continues in the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from handlers.views.kit.blocks import Block
from handlers.views.kit.packing import pack, split_text

Element = Block
"""A part of a line: words, a link, a person."""

LINE_CHARS = 2_000
"""Limit of a line; a longer one continues in another line."""

BLOCK_CHARS = 2_800
"""Limit for all lines of a block. Slack allows 3,000 for other texts, and documents no limit here."""

DEEPEST = 8
"""Slack's limit for the indent of a list."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line. `indent` is its depth in a list; None outside of lists."""

    elements: tuple[Element, ...]
    indent: int | None = None


def build_text(text: str, *styles: str) -> tuple[Element, ...]:
    """Return plain words in parts that fit a line; none for an empty text. Styles: bold, italic, code."""
    styled = {"style": dict.fromkeys(styles, True)} if styles else {}
    return tuple({"type": "text", "text": piece} | styled for piece in split_text(text, LINE_CHARS))


def build_link(address: str, label: str) -> Element:
    """Return a link. Its label must not be empty."""
    return {"type": "link", "url": address, "text": label}


def build_mention(user: str) -> Element:
    """Return a mention of a person, by Slack's id."""
    return {"type": "user", "user_id": user}


def build_quote(text: str) -> Block:
    """Return a block of plain words with a quote bar."""
    return {"type": "rich_text", "elements": [{"type": "rich_text_quote", "elements": [*build_text(text)]}]}


def build_blocks(lines: Iterable[Line]) -> tuple[Block, ...]:
    """Return lines in as many blocks as they need. Lines without words are left out."""
    fitting = [part for line in lines for part in _split_line(line)]
    return tuple(
        {"type": "rich_text", "elements": [*_group_lines(bundle)]} for bundle in pack(fitting, _weigh, (BLOCK_CHARS,))
    )


def _split_line(line: Line) -> Iterator[Line]:
    for bundle in pack(line.elements, lambda element: (_measure_length(element),), (LINE_CHARS,)):
        yield Line(tuple(bundle), line.indent)


def _group_lines(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield the parts of a block.

    Adjacent lines outside of lists share a paragraph: Slack adds no distance between two.
    """
    for indent, together in groupby(lines, key=lambda line: line.indent):
        listed = [list(line.elements) for line in together]
        if indent is None:
            joined = [part for elements in listed for part in (*build_text("\n"), *elements)][1:]
            yield {"type": "rich_text_section", "elements": joined}
        else:
            sections = [{"type": "rich_text_section", "elements": elements} for elements in listed]
            yield {
                "type": "rich_text_list",
                "style": "bullet",
                "indent": min(indent, DEEPEST),
                "elements": sections,
            }


def _weigh(line: Line) -> tuple[int]:
    return (sum(_measure_length(element) + 1 for element in line.elements),)


def _measure_length(element: Element) -> int:
    return len(element.get("text", ""))
