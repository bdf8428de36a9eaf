"""What of a growing answer may be shown: pages that fit one Slack message each, and a preview without raw markup.

Pure and total. Pages are decided by what has come so far alone: a page that is full never changes again, so the text
that people see only ever grows. Nothing is cut away: what does not fit is on the next page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

PARAGRAPH_AT = 3_000
LINE_AT = 3_400
WORD_AT = 3_600
HARD_AT = 3_700
"""A page ends at the first end of a paragraph, line, word or character beyond these many characters.

Slack: `chat.update` refuses text past 4,000 characters; the room above is for closing and reopening a code fence.
"""

BLOCKS_AT = 40
"""Slack: 50 blocks a message, and it counts each heading, rule, table and run of text in a markdown block as one."""

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]{0,30})")
_STRUCTURE = re.compile(r"^ {0,3}(#{1,6}(\s|$)|([-*_])(\s*\3){2,}\s*$)")
_LAST_PARAGRAPH = re.compile(r"(?:\A|\n[ \t]*\n)(?=\S)")


@dataclass
class _Page:
    """The page that is being filled, line by line."""

    done: list[str] = field(default_factory=list[str])
    text: str = ""
    fence: str = ""
    opener: str = ""
    tables: int = 0
    blocks: int = 1
    in_table: bool = False

    def turn(self) -> None:
        """Begin the next page; a fence that is open is closed on this one and opened again on that one."""
        closed = self.text.rstrip("\n")
        if self.fence:
            closed = f"{closed}\n{self.fence}"
        if closed.strip():
            self.done.append(closed)
        self.text = f"{self.opener}\n" if self.fence else ""
        self.tables, self.blocks, self.in_table = 0, 1, False

    def add(self, line: str) -> None:
        """Take one line, with its end if it has come."""
        self._watch(line)
        while line:
            room = self._room(line)
            self.text += line[:room]
            line = line[room:]
            if line:
                self.turn()
        if self.text.endswith("\n") and self._is_full():
            self.turn()

    def _watch(self, line: str) -> None:
        """Follow fences and count what Slack will count; a second table opens a new page."""
        mark = _FENCE.match(line)
        if mark and not self.fence:
            self.fence, self.opener = mark[1], line.rstrip("\n")[:60]
        elif mark and mark[1].startswith(self.fence) and not mark[2]:
            self._pass_fence()
            return
        if self.fence:
            return
        begins_table = line.lstrip(" ").startswith("|")
        if begins_table and not self.in_table:
            if self.tables:
                self.turn()
            self.tables += 1
            self.blocks += 2
        self.in_table = begins_table
        self.blocks += 2 if _STRUCTURE.match(line) else 0

    def _pass_fence(self) -> None:
        """The closing line belongs to the page it closes, however full that is."""
        self.fence = self.opener = ""
        self.blocks += 2

    def _room(self, line: str) -> int:
        """How many characters of this line belong on this page."""
        room = HARD_AT - len(self.text)
        if room >= len(line):
            return len(line)
        space = line.find(" ", max(0, WORD_AT - len(self.text)), max(0, room))
        return space + 1 if space >= 0 else max(room, 0)

    def _is_full(self) -> bool:
        size = len(self.text)
        paragraph = self.text.endswith("\n\n") and not self.fence
        return (
            size >= LINE_AT
            or (paragraph and (size >= PARAGRAPH_AT or self.blocks >= BLOCKS_AT))
            or (self.blocks >= BLOCKS_AT + 5 and not self.fence)
        )


def pages(text: str) -> tuple[str, ...]:
    """Split Markdown into pages for one Slack message each. Each is whole: its code fences are closed."""
    page = _filled(text)
    page.turn()
    return tuple(page.done)


def previews(text: str) -> tuple[str, ...]:
    """The pages of an answer that is still growing; of the last one only what is safe to show, perhaps nothing."""
    page = _filled(_without_open_table(text))
    if page.fence:
        page.text = _without_half_fence(page.text, page.fence)
    else:
        page.text = _closed(page.text)
    page.turn()
    return tuple(page.done)


def _filled(text: str) -> _Page:
    page = _Page()
    for line in text.splitlines(keepends=True):
        page.add(line)
    return page


def _without_half_fence(page: str, fence: str) -> str:
    """Hold back a last line that may become the closing fence."""
    whole, end, last = page.rpartition("\n")
    return whole + end if last and set(last.strip()) <= {fence[0]} else page


def _without_open_table(text: str) -> str:
    """Hold back a table row until it is complete, and a table until its second row says that it is one."""
    whole, _, tail = text.rpartition("\n")
    if not tail.lstrip().startswith("|"):
        return text
    lines = whole.split("\n") if whole else []
    if lines and lines[-1].lstrip().startswith("|"):
        alone = len(lines) < 2 or not lines[-2].lstrip().startswith("|")
        return "\n".join(lines[:-1]) if alone else whole
    return whole


def _closed(page: str) -> str:
    """Close what is open in the last paragraph, and hold back what cannot be closed yet."""
    start = max((m.end() for m in _LAST_PARAGRAPH.finditer(page)), default=0)
    head, tail = page[:start], page[start:]
    tail = _without_open_link(tail)
    stripped = tail.rstrip("*_~`")
    marks = tail[len(stripped) :]
    open_before = _open_marks(stripped)
    if marks and "".join(reversed(open_before)).startswith(marks):
        return head + stripped + "".join(reversed(open_before))
    body = stripped.rstrip(" ") if open_before else stripped
    return head + body + "".join(reversed(open_before))


def _without_open_link(tail: str) -> str:
    """Drop a link from its bracket on, while its address has not come to its end."""
    at = tail.rfind("[")
    if at < 0 or len(tail) - at > 400:
        return tail
    rest = tail[at:]
    label_ends = rest.find("]")
    is_open = (
        label_ends < 0 or rest[label_ends + 1 :] == "" or (rest[label_ends + 1] == "(" and ")" not in rest[label_ends:])
    )
    return tail[:at].rstrip("!") if is_open else tail


_MARK = re.compile(
    r"\\.|`+|\*\*|~~|(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])|(?<![\w_])_(?=[^\s_])|(?<=[^\s_])_(?![\w_])"
)


def _open_marks(text: str) -> list[str]:
    """The emphasis and code marks of one paragraph that are open at its end, outermost first."""
    marks: list[str] = []
    for found in _MARK.finditer(text):
        in_code = bool(marks) and marks[-1].startswith("`")
        mark = found[0].removeprefix("\\") if in_code else found[0]  # a backslash is a letter in code
        if in_code and mark == marks[-1]:
            marks.pop()
        elif in_code or mark.startswith("\\"):
            continue
        elif mark in marks:
            del marks[marks.index(mark) :]
        else:
            marks.append(mark)
    return marks
