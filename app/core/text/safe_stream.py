"""The part of a growing answer that may be shown: pages of one Slack message each, and a preview without raw markup.

Pure and total. Pages depend only on the text so far. A full page never changes again, so the visible text only grows.
No text is lost: the rest goes to the next page.
"""

from __future__ import annotations

import re

from app.core.text.markdown import (
    LONGEST_INFO,
    Blocks,
    Fence,
    LineKind,
    count_indent,
    dedent,
    find_open_link,
    find_open_marks,
    find_paragraph,
)

PARAGRAPH_AT = 3_000
LINE_AT = 3_400
WORD_AT = 3_600
HARD_AT = 3_700
"""Length after which a page ends: at the next end of a paragraph, line, word or character.

Slack: `chat.update` refuses text past 4,000 characters. The rest is room for closing open marks.
"""

BLOCKS_AT = 40
"""Slack: 50 blocks a message, and it counts each heading, rule, table and run of text in a markdown block as one."""

ROWS_AT = 90
"""Slack: 100 rows a table."""

LONGEST_HEADER = 1_000
"""Characters; a longer header is not repeated on the next page when its table continues."""

LONGEST_CHARACTER = 40
"""Code points of one user-perceived character.

A longer pile of marks is cut like other text, so that pages stay few.
"""

LINE_MARKS = "#>|+-=*_~`0123456789"
NO_MARK = "\u2060"
"""Invisible; keeps the middle of a line from becoming a heading or an item at the top of a page."""

# Possessive repetition: an answer can hold anything, and each character may take only a step or two.
_STRUCTURE = re.compile(r"[ >]{0,12}(?:#{1,6}(?:\s|$)|([-*_=])(?:[ \t]*+\1)*+\s*+$)")
_DELIMITER = re.compile(r"[ >]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-*+:?[ \t]*+)*+$")
_UNDECIDED = re.compile(r"[\s>]*+(?:(?:[-*+]|\d{1,9}[.)])\s++)*+(?:[-*+=_#~`|\\]++|\d{1,9}[.)]?)?\s*+$")
_HALF = re.compile(r"(?:&#?\w{0,31}|<(?:[A-Za-z][^\s<>]{0,300})?|(?<!\\)(?:\\\\)*\\)\Z")
_EXTENDS = re.compile(r"[\u0300-\u036f\u200d\ufe00-\ufe0f\u20d0-\u20ff\U0001f3fb-\U0001f3ff]")


class _Page:
    """The page being filled, line by line, and the finished pages."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.text = ""
        self._code = Blocks()
        self._pending = ""
        """Prefix of the next text: a fence, the header of a table, or marks that are open."""
        self._is_new = False
        """True while that is a fence which is on no page yet."""
        self._dedent: int | None = 0
        """The columns by which lines move left: a list that goes on is not indented code. None: the next line tells."""
        self._blocks, self._tables, self._rows = 1, 0, 0
        self._header = ""

    def add(self, line: str) -> None:
        """Add one line, with its end if that has arrived."""
        before = self._code.fence
        kind = self._code.take(line)
        if before and kind is not LineKind.CODE:
            self._close(before)
        if kind is LineKind.OPENS:
            self._open(line)
        elif kind is LineKind.CODE:
            self._write(dedent(line, self._dedent or 0))
        elif kind is LineKind.TEXT:
            self._watch(line)
            self._write(self._outdent(line))

    def turn(self) -> None:
        """Start the next page; close an open fence on this page and open it again on the next."""
        fence = self._code.fence
        closed = self.text.rstrip("\n")
        if fence and closed and not self._pending:
            closed = f"{closed}\n{fence.closer(self._dedent or 0)}".rstrip("\n")
        if closed.strip():
            self.done.append(closed)
        self.text = ""
        self._pending, self._is_new = fence.opener if fence else "", False
        self._dedent = fence.indent if fence else None
        self._blocks, self._tables, self._rows = 1, 0, min(self._rows, 2)

    def end(self) -> tuple[str, ...]:
        """Return the pages of a complete text."""
        if self._pending and (self._is_new or not self.done):
            self.text += self._pending
            self._pending = ""
        self.turn()
        return tuple(self.done)

    def preview(self, last: str) -> tuple[str, ...]:
        """Return the pages with the safe part of the last line, which is incomplete."""
        is_row = _is_row(last)
        if self._rows == 1 and (is_row or not last.strip()):
            self.text = self.text[: self.text.rstrip("\n").rfind("\n") + 1]
        if not is_row and not self._may_turn(last):
            self.add(last)
        if not self._code.fence:
            self.text = _close_marks(self.text)
        self.turn()
        return tuple(self.done)

    def _may_turn(self, last: str) -> bool:
        """Return True if a line may still become a fence, a rule or a list item."""
        fence = self._code.fence
        if not last.strip() or self._code.would_open(last):
            return True
        if fence:
            return set(last.strip(" \t>\n")) <= {fence.mark[0]}
        return bool(_UNDECIDED.match(last))

    def _open(self, line: str) -> None:
        fence = self._code.fence
        assert fence
        begins = self._outdent(line)
        self._pending += begins[: begins.index(fence.mark)] + fence.start
        self._rows, self._is_new = 0, True
        if len(fence.info) > LONGEST_INFO:
            mark = NO_MARK if fence.info[0] == fence.mark[0] else ""
            self._write(f"{fence.margin(self._dedent or 0)}{mark}{fence.info}\n")

    def _close(self, fence: Fence) -> None:
        """Close a fence. The closing line belongs to the same page, even if that is full."""
        if self._pending and not self._is_new and not self.text and self.done:
            self._pending = ""
            return
        self.text += f"{self._pending}{fence.closer(self._dedent or 0)}"
        self._pending = ""
        self._turn_if_full()

    def _watch(self, line: str) -> None:
        """Count Slack's blocks and rows; a second table starts a new page."""
        self._blocks += 2 if _STRUCTURE.match(line) else 0
        if not _is_row(line):
            self._rows, self._header = 0, ""
            return
        if not self._rows and (self._tables or len(self.text) > PARAGRAPH_AT):
            self.turn()
        if not self._tables:
            self._tables, self._blocks = 1, self._blocks + 2
        self._rows += 1
        if not self.text and self._rows > 2:
            self._pending = self._header
        if self._rows == 1:
            self._header = line
        elif self._rows == 2:
            is_table = len(self._header) + len(line) <= LONGEST_HEADER and _DELIMITER.match(line)
            self._header = self._header + line if is_table else ""

    def _outdent(self, line: str) -> str:
        """Move a line to the left by as much as the first line of the page."""
        column = count_indent(line)
        if line.strip() and (self._dedent is None or column < self._dedent):
            self._dedent = column if self._code.items else 0
        return dedent(line, self._dedent or 0)

    def _write(self, line: str) -> None:
        while line:
            self.text += self._pending
            self._pending, self._is_new = "", False
            room = self._room(line)
            self.text += line[:room]
            line = line[room:]
            if line:
                line = self._break(line)
        self._turn_if_full()

    def _break(self, rest: str) -> str:
        """Start a new page within a line; close its open marks on this page and open them again on the next."""
        if fence := self._code.fence:
            self.turn()
            self._pending += fence.quotes
            return rest
        marks = find_open_marks(self.text[find_paragraph(self.text) :])
        if marks:
            self.text = self.text.rstrip() + "".join(reversed(marks))
        self.turn()
        self._dedent = self._dedent or 0
        rest = rest.lstrip(" ")
        is_like_a_mark = marks[0].startswith("```") if marks else rest[:1] in LINE_MARKS
        self._pending = (NO_MARK if is_like_a_mark else "") + "".join(marks)
        return rest

    def _room(self, line: str) -> int:
        """Return the number of characters of this line that belong on this page."""
        size = len(self.text)
        hard = max(HARD_AT - size, 1)
        space = line.find(" ", max(WORD_AT - size, 0), hard)
        if space < 0 and len(line) <= hard:
            return len(line)
        before = self.text[find_paragraph(self.text) :]
        while space >= 0 and self._link_begins(before, line[:space]) is not None:
            space = line.find(" ", space + 1, hard)
        if space >= 0 or len(line) <= hard:
            return space + 1 or len(line)
        hard = _find_character_end(line, hard)
        return self._link_begins(before, line[:hard]) or hard

    def _link_begins(self, before: str, line: str) -> int | None:
        """Return the start of a link that is open at the line's end, after the text `before` it; None without one."""
        if self._code.fence:
            return None
        at = find_open_link(before + line)
        return max(at - len(before), 0) if at < len(before) + len(line) else None

    def _turn_if_full(self) -> None:
        if self.text.endswith("\n") and self._is_full():
            self.turn()

    def _is_full(self) -> bool:
        size, in_code = len(self.text), self._code.fence is not None
        paragraph_ends = self.text.endswith("\n\n") and not in_code
        return (
            (size >= LINE_AT and self._rows not in (1, 2))
            or (paragraph_ends and (size >= PARAGRAPH_AT or self._blocks >= BLOCKS_AT))
            or (self._blocks >= BLOCKS_AT + 4 and not in_code)
            or self._rows >= ROWS_AT
        )


def split_pages(text: str) -> tuple[str, ...]:
    """Split Markdown into pages of one Slack message each. Each is complete: its code fences are closed."""
    page, last = _fill_pages(text)
    if last:
        page.add(last)
    return page.end()


def preview_pages(text: str) -> tuple[str, ...]:
    """Return the pages of a growing answer. The last has only the safe part, which may be empty."""
    page, last = _fill_pages(text)
    return page.preview(last)


def _fill_pages(text: str) -> tuple[_Page, str]:
    """Fill pages with all complete lines; return them with the incomplete last line."""
    page = _Page()
    *lines, last = text.split("\n")
    for line in lines:
        page.add(f"{line}\n")
    return page, last


def _find_character_end(line: str, at: int) -> int:
    """Return the last place up to this one that separates no mark from its base; this one if that is far."""
    places = range(at, max(at - LONGEST_CHARACTER, 0), -1)
    return next((place for place in places if not _EXTENDS.match(line[place])), at)


def _is_row(line: str) -> bool:
    return line.lstrip(" >").startswith("|")


def _close_marks(page: str) -> str:
    """Close the open marks of the last paragraph, and hold back what cannot be closed yet."""
    start = find_paragraph(page)
    tail = page[start:]
    whole = tail[: find_open_link(tail)]
    shown = _HALF.sub("", whole if whole == tail else whole.removesuffix("!"))
    shown = shown.rstrip("*_~`")
    marks = find_open_marks(shown)
    if marks:
        shown = shown.rstrip(" \n`" if marks[-1].startswith("`") else " \n")
    return page[:start] + shown + "".join(reversed(marks))
