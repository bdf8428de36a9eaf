"""The part of Markdown needed to cut a text safely: which lines are code, and what is open at its end.

Follows CommonMark with tables and strikethrough, from left to right. A result for a text stays true if more text
follows.
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass
from enum import Enum, auto

LONGEST_LABEL, LONGEST_TARGET = 400, 2_000
"""Characters; an open bracket with more after it is no link."""

LONGEST_MARK, DEEPEST_MARKS = 20, 6
"""Characters, and marks within each other.

Longer or deeper ones are ignored, so that closing the open marks stays short.
"""

LONGEST_INFO = 40
"""Characters after the mark of a fence.

A longer text names no language; it is shown as code, so that it is not lost.
"""

DEEPEST_ITEMS = 8
"""Lists within each other.

Deeper marks are text of the deepest list, so that a line of list marks alone is quick to read.
"""

# No pattern may take more than a few steps for each character, because an answer can hold anything.
_QUOTES = re.compile(r"(?: {0,3}> ?){0,10}")
_ITEM = re.compile(r"( {0,3})(?:[-*+]|\d{1,9}[.)])(?: {1,4}(?=\S)|(?=\s*$))")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*+\1){2,}+\s*+$")
_FENCE = re.compile(r"( {0,3})(`{3,80}(?=[^`\n]*$)|~{3,80}(?!~))[ \t]*([^\n]*)")
_INDENT = re.compile(r"[ \t]*")

_INLINE = re.compile(r"\\.|`+|\]\((?:[^()\s]|\([^()\s]*\))*\)|<[A-Za-z][^\s<>]*>|https?://[^\s*]*|\*+|_+|~~", re.DOTALL)
_OPEN_ADDRESS = re.compile(rf"<https?://[^\s<>]{{0,{LONGEST_TARGET}}}\Z", re.IGNORECASE)
_BRACKET = re.compile(r"\\.|\[|\](?:\((?:[^()\n]|\([^()\n]*\))*\))?", re.DOTALL)
_SCOPE = re.compile(
    r"^[ \t>]*\n|^[ \t>]*(?:\||`{3}|~{3}|#{1,6}[ \t]|(?:[-*_=][ \t]*+){3,}+$).*\n"
    r"|^(?=[ \t>]*(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t])",
    re.MULTILINE,
)


class LineKind(Enum):
    """Role of a line in code blocks."""

    TEXT = auto()
    OPENS = auto()
    CODE = auto()
    CLOSES = auto()


@dataclass(frozen=True, slots=True)
class Fence:
    """An open code block."""

    mark: str
    info: str
    """Text after the mark, of any length."""
    quotes: str
    """Quote marks with which its lines begin."""
    indent: int
    item: int
    """Column that its lines must reach to belong to its list item; 0 outside of lists."""

    @property
    def opener(self) -> str:
        """Return a line that opens the same fence elsewhere."""
        return f"{self.quotes}{self.start}"

    @property
    def start(self) -> str:
        """Return the end of every line that opens it, from its mark on."""
        return f"{self.mark}{self.info if len(self.info) <= LONGEST_INFO else ''}\n"

    def closer(self, dedent: int) -> str:
        """Return the line that closes it, in a text whose lines were moved `dedent` columns to the left."""
        return f"{self.margin(dedent)}{self.mark}\n"

    def margin(self, dedent: int) -> str:
        """Return the beginning of its lines in such a text, if they are indented like its mark."""
        return f"{self.quotes}{' ' * max(self.indent - dedent, 0)}"


class Blocks:
    """Tracker of quotes, lists and code, line by line."""

    def __init__(self) -> None:
        self.fence: Fence | None = None
        self.items: list[int] = []
        """The columns at which the text of the list items begins that the last line is in."""
        self._depth = 0

    def take(self, line: str) -> LineKind:
        """Return the kind of a line. A fence without a closing line ends with its list item or quote."""
        if self.fence and self._stays_in(self.fence, line):
            rest = line[len(self.fence.quotes) :].strip() if self.fence.quotes else line.strip()
            if not (rest.startswith(self.fence.mark) and set(rest) == {self.fence.mark[0]}):
                return LineKind.CODE
            self.fence = None
            return LineKind.CLOSES
        self.fence = None
        return self._take_text(line)

    def would_open(self, line: str) -> bool:
        """Return True if a line would open a fence here; the line is not taken."""
        ahead = copy(self)
        ahead.items = [*self.items]
        return ahead.take(line) is LineKind.OPENS

    def _stays_in(self, fence: Fence, line: str) -> bool:
        quotes = match_start(_QUOTES, line)
        if fence.quotes and quotes.count(">") < fence.quotes.count(">"):
            return False
        body = line[len(quotes) :] if fence.quotes else line
        return not body.strip() or count_indent(body) >= fence.item

    def _take_text(self, line: str) -> LineKind:
        quotes = match_start(_QUOTES, line)
        if quotes.count(">") != self._depth:
            self._depth, self.items = quotes.count(">"), []
        body = line[len(quotes) :].expandtabs(4)
        column = count_indent(body)
        if not body.strip():
            return LineKind.TEXT
        while self.items and column < self.items[-1]:
            self.items.pop()
        base = self.items[-1] if self.items else 0
        while len(self.items) < DEEPEST_ITEMS and not _RULE.match(body, base) and (item := _ITEM.match(body, base)):
            base = item.end() + (body[item.end() : item.end() + 1] == "\n")
            self.items.append(base)
        if not (opened := _FENCE.match(body, base)):
            return LineKind.TEXT
        self.fence = Fence(opened[2], opened[3].strip(), quotes, base + len(opened[1]), base if self.items else 0)
        return LineKind.OPENS


def match_start(pattern: re.Pattern[str], text: str) -> str:
    """Return the match at the beginning of the text, for a pattern that always matches."""
    found = pattern.match(text)
    assert found
    return found[0]


def count_indent(line: str) -> int:
    """Return the columns of white space before the text of a line."""
    return len(match_start(_INDENT, line).expandtabs(4))


def dedent(line: str, columns: int) -> str:
    """Remove up to that many columns of white space from the beginning of a line."""
    space = match_start(_INDENT, line)
    return space.expandtabs(4)[columns:] + line[len(space) :]


def find_paragraph(text: str) -> int:
    """Return the start of the paragraph, heading, list item or row in which the text ends."""
    return max((found.end() for found in _SCOPE.finditer(text)), default=0)


def find_open_link(text: str) -> int:
    """Return the start of a link that is open at the paragraph's end; the paragraph's length if there is none."""
    begun: list[int] = []
    bare = _OPEN_ADDRESS.search(text)
    for found in _BRACKET.finditer(text):
        if found[0] == "[":
            begun.append(found.start())
        elif found[0].startswith("]") and begun:
            start = begun.pop()
            if found[0] == "]" and _can_continue(text, found.end()):
                return min([start, *begun])
    ends = bare.start() if bare else len(text)
    return min(next((start for start in begun if len(text) - start <= LONGEST_LABEL), ends), ends)


def _can_continue(text: str, at: int) -> bool:
    """Return True if an address may still follow a closing bracket, or follows and is incomplete."""
    rest = text[at : at + LONGEST_TARGET]
    return not rest or (rest[0] == "(" and at + len(rest) == len(text) and "\n" not in rest)


def find_open_marks(text: str) -> list[str]:
    """Return the marks of emphasis and code that are open at the end of one paragraph, outermost first."""
    marks: list[str] = []
    for found in _INLINE.finditer(text):
        run = found[0]
        if marks and marks[-1].startswith("`"):
            if run.removeprefix("\\") == marks[-1]:  # a backslash is a letter in code
                marks.pop()
        elif run.startswith("`") and len(run) <= LONGEST_MARK:
            marks.append(run)
        elif run[0] in "*_~":
            _take_run(marks, run, text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1])
            del marks[:-DEEPEST_MARKS]
    return marks


def _take_run(marks: list[str], run: str, before: str, after: str) -> None:
    """Close and open marks with a run of marks, by CommonMark's rule of flanking."""
    opens, closes = _flanks(before, after), _flanks(after, before)
    if run[0] == "_":
        opens, closes = opens and not before.isalnum(), closes and not after.isalnum()
    left = len(run)
    while closes and left and (mark := next((mark for mark in reversed(marks) if mark[0] == run[0]), None)):
        del marks[len(marks) - marks[::-1].index(mark) - 1 :]
        if len(mark) > left:
            marks.append(mark[left:])
        left -= min(left, len(mark))
    if opens:
        marks += [run[0] * 2] * (left // 2) + [run[0]] * (left % 2)


def _flanks(outside: str, inside: str) -> bool:
    if not inside.strip():
        return False
    return inside.isalnum() or not outside.strip() or not outside.isalnum()
