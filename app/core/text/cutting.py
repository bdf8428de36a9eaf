"""Cuts of texts for people: at the end of a word, and between two characters as people see them."""

from __future__ import annotations

from typing import Final

import regex

CUT: Final = "…"

SHORT: Final = 28
"""Characters of a short name."""

_CHARACTER = regex.compile(r"\X")
_OWN_END = regex.compile(r"\s*[:;(–—]|,\s|\s-\s")
"""What ends the part of a name that people would say."""


def cut(text: str, most: int, end: str = CUT) -> str:
    """Return the text if it has at most `most` characters, else its first words with `end`.

    A word longer than half of the room is cut between two characters.
    """
    if len(text) <= most:
        return text
    room = max(most - len(end), 0)
    space = max(text.rfind(blank, room // 2, room + 1) for blank in " \n\t")
    if space > 0:
        return text[:space].rstrip(" \n\t,;:–-") + end
    borders = (character.end() for character in _CHARACTER.finditer(text, endpos=most))
    return text[: max((border for border in borders if border <= room), default=room)].rstrip() + end


def shorten_name(name: str) -> str:
    """Return a name in at most `SHORT` characters: its part before a colon or a bracket, or its first words."""
    if len(name) <= SHORT:
        return name
    own = _OWN_END.split(name, maxsplit=1)[0]
    return own if own and len(own) <= SHORT else cut(name, SHORT)
