"""Rich text: words in which Slack reads no markup, no mention and no link but those that we put there. Pure.

A text that is too long for one block goes on in the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from handlers.blocks import Block
from handlers.packing import packed, pieces

Element = Block
"""A piece of a line: words, a link, a person."""

LINE_CHARS = 2_000
"""Of a line; what is longer goes on in another one."""

BLOCK_CHARS = 2_800
"""Of all lines of a block; Slack takes 3,000 of other texts, and names no limit here."""

DEEPEST = 8
"""Slack: the furthest that a list is indented."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `indent` is how deep it stands in a list; None if it is in none."""

    elements: tuple[Element, ...]
    indent: int | None = None


def words(text: str, *styles: str) -> tuple[Element, ...]:
    """Words as they are, in pieces that fit a line; none if there are none. Styles: bold, italic, code."""
    styled = {"style": dict.fromkeys(styles, True)} if styles else {}
    return tuple({"type": "text", "text": piece} | styled for piece in pieces(text, LINE_CHARS))


def link(address: str, label: str) -> Element:
    """A link. Its label must not be empty."""
    return {"type": "link", "url": address, "text": label}


def person(user: str) -> Element:
    """Somebody, by Slack's id."""
    return {"type": "user", "user_id": user}


def quote(text: str) -> Block:
    """Words as they are, with a bar beside them."""
    return {"type": "rich_text", "elements": [{"type": "rich_text_quote", "elements": [*words(text)]}]}


def blocks(lines: Iterable[Line]) -> tuple[Block, ...]:
    """Show lines in as many blocks as they need. Lines without words are left out."""
    fitting = [part for line in lines for part in _fitting(line)]
    return tuple(
        {"type": "rich_text", "elements": [*_parts(bundle)]} for bundle in packed(fitting, _weight, (BLOCK_CHARS,))
    )


def _fitting(line: Line) -> Iterator[Line]:
    for bundle in packed(line.elements, lambda element: (_length(element),), (LINE_CHARS,)):
        yield Line(tuple(bundle), line.indent)


def _parts(lines: Sequence[Line]) -> Iterator[Block]:
    """Lines beside each other that are no list are one paragraph: Slack puts no distance between two."""
    for indent, together in groupby(lines, key=lambda line: line.indent):
        listed = [list(line.elements) for line in together]
        if indent is None:
            joined = [part for elements in listed for part in (*words("\n"), *elements)][1:]
            yield {"type": "rich_text_section", "elements": joined}
        else:
            sections = [{"type": "rich_text_section", "elements": elements} for elements in listed]
            yield {
                "type": "rich_text_list",
                "style": "bullet",
                "indent": min(indent, DEEPEST),
                "elements": sections,
            }


def _weight(line: Line) -> tuple[int]:
    return (sum(_length(element) + 1 for element in line.elements),)


def _length(element: Element) -> int:
    return len(element.get("text", ""))
