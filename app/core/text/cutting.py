"""Cuts of texts for people: at the end of a word, and between two characters as people see them."""

from __future__ import annotations

import re
from typing import Final

import regex

CUT: Final = "…"

SHORT: Final = 28
"""Characters of a short name."""

SPARE: Final = 6
"""Characters more with which a name stays whole: a cut would save less than it hides."""

_QUOTED = re.compile(r"“([^“”]*)”")
_QUOTED_CHARS: Final = (60, 40, 24)
"""Characters of a quotation in a text without room, as many of them as it takes."""
_ALL_BUT_LAST = re.compile(r".*[.?!]”?\s+(?=[^a-z\s])", re.DOTALL)
"""All sentences but the last one: no small letter begins it, as it does after *p.m.*"""
_CHARACTER = regex.compile(r"\X")
_OWN_END = regex.compile(r"\s*[:;(–—]|\s-\s")
"""What ends the part of a name that people would say."""
_CLAUSE_END = regex.compile(r"[;:,]\s|\s[–—-]\s|\s\(")
_CLAUSE = regex.compile(r",\s")
"""What comes before a condition, whose cut is marked: without it the name would promise more."""


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


def cut_clause(text: str, most: int) -> str:
    """Return the text if it has at most `most` characters, else its first clauses with `CUT`.

    If they fill less than half of the room, it ends with a word.
    """
    room = most - len(CUT) - 1
    ends = [found.start() for found in _CLAUSE_END.finditer(text, 0, room + 2) if room // 2 <= found.start() <= room]
    return f"{text[: ends[-1]]} {CUT}" if ends and len(text) > most else cut(text, most)


def cut_before_end(text: str, most: int) -> str:
    """Return the text in at most `most` characters, its last sentence whole if that has room: it says what is asked.

    Quotations are shortened first, and then what stands before that sentence is cut.
    """
    for room in _QUOTED_CHARS:
        text = text if len(text) <= most else _QUOTED.sub(lambda found, room=room: f"“{cut(found[1], room)}”", text)
    before = _ALL_BUT_LAST.match(_QUOTED.sub(_mask, text))
    end = text[before.end() :] if before else ""
    if len(text) <= most or not end or len(end) + len(CUT) >= most:
        return cut(text, most)
    return f"{cut(text[: -len(end)].rstrip(), most - len(end) - 1)} {end}"


def _mask(quoted: re.Match[str]) -> str:
    """Return as many characters without the ends of sentences inside a quotation, apart from one at its own end."""
    return f"“{'x' * len(quoted[1][1:])}{quoted[1][-1:]}”"


def shorten_name(name: str) -> str:
    """Return a name in at most `SHORT` characters, or whole if it is hardly longer.

    It ends before a colon or a bracket, or after its first clause or words with `CUT`.
    """
    if len(name) <= SHORT:
        return name
    own = _OWN_END.split(name, maxsplit=1)[0] or name
    if len(own) <= SHORT + SPARE:
        return own
    first = _CLAUSE.split(own, maxsplit=1)[0]
    return f"{first}{CUT}" if 0 < len(first) < SHORT else cut(own, SHORT)
