"""Whether a text asks its reader something, and whether it is what was asked before.

Question marks in code, quotations and links do not count. Every pattern is linear in the length of the text.
"""

from __future__ import annotations

import re
from typing import Final

_MARKS: Final = "?\uff1f\u061f\u055e\u037e\u2047\u2048\u2049\u203d\u2e2e\u1367\u1945\ua60f\ua6f7\u2cfa\u2cfb\U0001e95f"
"""Question marks: Latin and CJK, Arabic, Armenian, Greek, doubled and mixed ones, mirrored, Ethiopic, Limbu, Vai,
Bamum, Old Nubian, Adlam."""

_ASKS = re.compile(rf"[{_MARKS}]|[\u0370-\u03ff\u1f00-\u1fff]\s?;")
"""A question mark, or the semicolon after a Greek word, which Unicode makes of the Greek question mark."""

_ENDS = re.compile(rf"(?:{_ASKS.pattern})\Z")

_FENCE = re.compile(r"^ {0,3}(```|~~~)[^\n]*$.*?(?:^ {0,3}\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"``[^`]*``|`[^`\n]*`")
_LINK = re.compile(r"\]\([^()\s]*\)|<[^<>\s]*>|https?://[^\s<>()]*")
_QUOTE = re.compile(r'"[^"\n]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|»[^«»]*«|‹[^‹›]*›|「[^「」]*」|『[^『』]*』')
_QUOTED_LINE = re.compile(r"^ {0,3}>.*$", re.MULTILINE)
_GAP = re.compile(r"\n\s*\n")
_MAIN = re.compile(r"\w{5,}")
"""A word that may tell what is asked: shorter ones stand in any question."""
FEWEST: Final = 3
"""Such words that a question needs to be known again."""
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)]|[A-Za-z][.)])\s")


def asks(text: str) -> bool:
    """Return True if the last paragraph holds a question mark; a list counts with the paragraph before it."""
    paragraphs = [each for each in _GAP.split(_remove_quoted(text)) if each.strip()]
    while paragraphs:
        last = paragraphs.pop()
        if _ASKS.search(last):
            return True
        if not all(_ITEM.match(line) for line in last.splitlines() if line.strip()):
            return False
    return False


def ends_asking(text: str) -> bool:
    """Return True if the text ends with a question: only signs that say nothing come after its mark."""
    plain = _remove_quoted(text)
    end = len(plain)
    while end and not (plain[end - 1].isalnum() or plain[end - 1] in _MARKS or plain[end - 1] == ";"):
        end -= 1
    return bool(_ENDS.search(plain[max(end - 3, 0) : end]))


def _remove_quoted(text: str) -> str:
    for pattern in (_FENCE, _CODE, _LINK, _QUOTED_LINE, _QUOTE):
        text = pattern.sub(" ", text)
    return text


def repeats(text: str, question: str) -> bool:
    """Return True if the last paragraph of the text asks something with at least half of the question's main words."""
    last, meant = _GAP.split(text.strip())[-1], set(_MAIN.findall(question.casefold()))
    shared = meant.intersection(_MAIN.findall(last.casefold()))
    return len(meant) >= FEWEST and 2 * len(shared) >= len(meant) and asks(last)
