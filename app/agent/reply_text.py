"""The text of a turn's reply while it grows, and what people see of it."""

from __future__ import annotations

from app.core.errors import TooLong
from app.core.text.quotations import QuotationFilter
from app.core.text.sanitize import MAX_BYTES
from app.ports import LiveReply

PARAGRAPH = "\n\n"
"""Separator of the text before a tool use and the text after it."""


class ReplyText:
    """The raw text of a reply. It goes to the live reply, which shows its safe part."""

    def __init__(self, draft: LiveReply, begun: str, left: str, *, is_silent: bool) -> None:
        """Start with `begun`. `left` was shown by a process that died in this round.

        A text that is silent is shown to nobody before its end: showing notifies people, and a run may say nothing.
        """
        self._draft, self._left, self._is_silent = draft, left, is_silent
        self.whole = begun
        self.stands = begun
        """The text that people have read during a wait. It is never taken back."""
        self.quotations: QuotationFilter | None = None
        """Takes the quotation marks off what nobody has said."""
        self._size, self._gap, self._asked_at = len(begun.encode()), "", len(begun)

    @property
    def shown(self) -> str:
        """Return the visible text: the text before the restart, while that is longer."""
        return self._left if len(self._left) > len(self.whole) else self.whole

    @property
    def newest(self) -> str:
        """Return the text since the request under way."""
        return self.whole[self._asked_at :]

    def begin_paragraph(self) -> None:
        """Let the next words begin a paragraph, if there are any before."""
        self._gap = PARAGRAPH if self.whole.strip() else ""

    def hear(self, delta: str) -> None:
        """Add the next words of the model, as far as they are certain. Raises `TooLong`."""
        if certain := self.quotations.feed(delta) if self.quotations else delta:
            self._add(certain)

    def hear_out(self) -> None:
        """Add what was held back, as no more words come. Raises `TooLong`."""
        if self.quotations and (rest := self.quotations.end()):
            self._add(rest)

    def end_request(self) -> None:
        """Add what was held back, after the last words of a request. Raises `TooLong`."""
        self.hear_out()
        self._asked_at = len(self.whole)

    def add_paragraph(self, words: str) -> None:
        """Add words of ours. Raises `TooLong`."""
        self.begin_paragraph()
        self._add(words)

    def has_room(self, words: str) -> bool:
        """Return True if these words make the text not too long."""
        return self._size + len(words) < MAX_BYTES

    def show_below(self, line: str) -> None:
        """Show a line of what is done now below the text, until there are new words."""
        if line and not self._is_silent:
            self._draft.show(PARAGRAPH.join(filter(None, (self.whole, line))))

    def outgrow(self) -> None:
        """Forget what was left of a process that died: this round is whole."""
        self._left = ""

    def take_back(self) -> None:
        """Take back what people have not read."""
        self.whole = self.stands

    def _add(self, words: str) -> None:
        words, self._gap = self._gap + words, ""
        self._size += len(words.encode("utf-8", "surrogatepass"))
        if self._size > MAX_BYTES:
            raise TooLong(MAX_BYTES, self._size)
        self.whole += words
        if not self._is_silent and self.shown is self.whole:
            self._draft.show(self.whole)
