"""Packing: a text into pieces, blocks into messages. Order is kept, and nothing is lost. Pure.

Knows Slack's limits of a whole message, but not the content of its blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import add, le
from typing import Any, TypeVar, cast

from handlers.views.kit.blocks import Block

BLOCKS = 50
"""Slack's limit for a message."""

CHARS = 12_000
"""Limit for all texts of a message; Slack has refused some 13,200 characters with `msg_blocks_too_long`."""

Group = tuple[Block, ...]
"""Blocks that must be in the same message."""

Thing = TypeVar("Thing")


def pack(
    things: Iterable[Thing], weigh: Callable[[Thing], tuple[int, ...]], most: tuple[int, ...]
) -> list[list[Thing]]:
    """Put things into as few bundles as their order allows. No total weight of a bundle exceeds `most`.

    A thing that is too heavy by itself gets a bundle of its own.
    """
    bundles: list[list[Thing]] = []
    weight = most
    for thing in things:
        own = weigh(thing)
        together = tuple(map(add, weight, own))
        if bundles and all(map(le, together, most)):
            bundles[-1].append(thing)
            weight = together
        else:
            bundles.append([thing])
            weight = own
    return bundles


def split_text(text: str, most: int) -> Iterator[str]:
    """Yield pieces of at most `most` characters, cut after a line or a word that ends in the second half."""
    while len(text) > most:
        at = max(text.rfind(end, most // 2, most) for end in "\n ") + 1 or most
        yield text[:at]
        text = text[at:]
    if text:
        yield text


def pack_messages(groups: Iterable[Group]) -> tuple[Group, ...]:
    """Return the blocks of each message."""
    bundles = pack(filter(None, groups), _weigh, (BLOCKS, CHARS))
    return tuple(tuple(block for group in bundle for block in group) for bundle in bundles)


def count_characters(shown: Any) -> int:
    """Count the characters of blocks as Slack does: all texts in them, at any depth."""
    if isinstance(shown, (list, tuple)):
        return sum(map(count_characters, cast(list[Any], shown)))
    if not isinstance(shown, dict):
        return 0
    fields = cast(Block, shown).items()
    return sum(
        len(value) if name == "text" and isinstance(value, str) else count_characters(value) for name, value in fields
    )


def _weigh(group: Group) -> tuple[int, int]:
    return len(group), count_characters(group)
