"""As much of Markdown as it takes to cut a text safely: which lines are code, and what is open at its end.

Follows CommonMark with tables and strikethrough, from left to right: what is said of a text stays true when more comes.
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass
from enum import Enum, auto

LONGEST_LABEL, LONGEST_TARGET = 400, 2_000
"""Characters; a bracket that is open for longer is no link."""

LONGEST_MARK, DEEPEST_MARKS = 20, 6
"""Characters, and marks within each other. What is beyond is left as it is: closing what is open must stay short."""

LONGEST_INFO = 40
"""Characters after the mark of a fence: what is longer names no language, and is shown as code, lest it be lost."""

DEEPEST_ITEMS = 8
"""Lists within each other. What is deeper is text of the deepest: a line of list marks alone stays quick to read."""

# No pattern may take more than a few steps for each character, whatever an answer holds.
_QUOTES = re.compile(r"(?: {0,3}> ?){0,10}")
_ITEM = re.compile(r"( {0,3})(?:[-*+]|\d{1,9}[.)])(?: {1,4}(?=\S)|(?=\s*$))")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*+\1){2,}+\s*+$")
_FENCE = re.compile(r"( {0,3})(`{3,80}(?=[^`\n]*$)|~{3,80}(?!~))[ \t]*([^\n]*)")
_INDENT = re.compile(r"[ \t]*")

_INLINE = re.compile(r"\\.|`+|\]\((?:[^()\s]|\([^()\s]*\))*\)|<[A-Za-z][^\s<>]*>|https?://[^\s*]*|\*+|_+|~~", re.DOTALL)
_BRACKET = re.compile(r"\\.|\[|\](?:\((?:[^()\n]|\([^()\n]*\))*\))?", re.DOTALL)
_SCOPE = re.compile(
    r"^[ \t>]*\n|^[ \t>]*(?:\||`{3}|~{3}|#{1,6}[ \t]|(?:[-*_=][ \t]*+){3,}+$).*\n"
    r"|^(?=[ \t>]*(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t])",
    re.MULTILINE,
)


class Kind(Enum):
    """What a line is to code blocks."""

    TEXT = auto()
    OPENS = auto()
    CODE = auto()
    CLOSES = auto()


@dataclass(frozen=True, slots=True)
class Fence:
    """A code block that is open."""

    mark: str
    info: str
    """What follows the mark, at any length."""
    quotes: str
    """The signs of quotation that its lines begin with."""
    indent: int
    item: int
    """The column that its lines must reach to belong to the list item it is in; 0 outside of lists."""

    @property
    def opener(self) -> str:
        """The line that opens it again somewhere else."""
        return f"{self.quotes}{self.start}"

    @property
    def start(self) -> str:
        """The end of any line that opens it, from its mark on."""
        return f"{self.mark}{self.info if len(self.info) <= LONGEST_INFO else ''}\n"

    def closer(self, dedent: int) -> str:
        """Write the line that closes it, in a text whose lines were moved `dedent` columns to the left."""
        return f"{self.margin(dedent)}{self.mark}\n"

    def margin(self, dedent: int) -> str:
        """What its lines begin with in such a text, if they are indented as its mark is."""
        return f"{self.quotes}{' ' * max(self.indent - dedent, 0)}"


class Blocks:
    """Follows a text line by line through quotes, lists and code."""

    def __init__(self) -> None:
        self.fence: Fence | None = None
        self.items: list[int] = []
        """The columns at which the text of the list items begins that the last line is in."""
        self._depth = 0

    def take(self, line: str) -> Kind:
        """Say what a line is. A fence may also end without a line that closes it, with its list item or quote."""
        if self.fence and self._stays_in(self.fence, line):
            rest = line[len(self.fence.quotes) :].strip() if self.fence.quotes else line.strip()
            if not (rest.startswith(self.fence.mark) and set(rest) == {self.fence.mark[0]}):
                return Kind.CODE
            self.fence = None
            return Kind.CLOSES
        self.fence = None
        return self._take_text(line)

    def would_open(self, line: str) -> bool:
        """Say whether a line would open a fence here; it is not taken."""
        ahead = copy(self)
        ahead.items = [*self.items]
        return ahead.take(line) is Kind.OPENS

    def _stays_in(self, fence: Fence, line: str) -> bool:
        quotes = matched(_QUOTES, line)
        if fence.quotes and quotes.count(">") < fence.quotes.count(">"):
            return False
        body = line[len(quotes) :] if fence.quotes else line
        return not body.strip() or indent(body) >= fence.item

    def _take_text(self, line: str) -> Kind:
        quotes = matched(_QUOTES, line)
        if quotes.count(">") != self._depth:
            self._depth, self.items = quotes.count(">"), []
        body = line[len(quotes) :].expandtabs(4)
        column = indent(body)
        if not body.strip():
            return Kind.TEXT
        while self.items and column < self.items[-1]:
            self.items.pop()
        base = self.items[-1] if self.items else 0
        while len(self.items) < DEEPEST_ITEMS and not _RULE.match(body, base) and (item := _ITEM.match(body, base)):
            base = item.end() + (body[item.end() : item.end() + 1] == "\n")
            self.items.append(base)
        if not (opened := _FENCE.match(body, base)):
            return Kind.TEXT
        self.fence = Fence(opened[2], opened[3].strip(), quotes, base + len(opened[1]), base if self.items else 0)
        return Kind.OPENS


def matched(pattern: re.Pattern[str], text: str) -> str:
    """Give what a pattern that always matches has matched at the beginning."""
    found = pattern.match(text)
    assert found
    return found[0]


def indent(line: str) -> int:
    """Count the columns of white space before the text of a line."""
    return len(matched(_INDENT, line).expandtabs(4))


def moved_left(line: str, columns: int) -> str:
    """Take that many columns of white space from the beginning of a line, or as many as there are."""
    space = matched(_INDENT, line)
    return space.expandtabs(4)[columns:] + line[len(space) :]


def paragraph(text: str) -> int:
    """Find where the paragraph, heading, list item or row begins in which the text ends."""
    return max((found.end() for found in _SCOPE.finditer(text)), default=0)


def open_link(text: str) -> int:
    """Find where the link begins that a paragraph ends within; its length if it ends in none."""
    begun: list[int] = []
    for found in _BRACKET.finditer(text):
        if found[0] == "[":
            begun.append(found.start())
        elif found[0].startswith("]") and begun:
            start = begun.pop()
            if found[0] == "]" and _may_go_on(text, found.end()):
                return min([start, *begun])
    return next((start for start in begun if len(text) - start <= LONGEST_LABEL), len(text))


def _may_go_on(text: str, at: int) -> bool:
    """After a bracket that closes: say whether an address may follow, or follows and is not complete."""
    rest = text[at : at + LONGEST_TARGET]
    return not rest or (rest[0] == "(" and at + len(rest) == len(text) and "\n" not in rest)


def open_marks(text: str) -> list[str]:
    """The marks of emphasis and code of one paragraph that are open at its end, outermost first."""
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
    """Let a run of marks close what is open and open what is left, by CommonMark's rule of flanking."""
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
