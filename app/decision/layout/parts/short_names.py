"""Names in full once in a section, and short from then on: people know by then what A2 is.

So is the mark on notes that were written for one earlier table of ratings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, assert_never

from app.core.state.sheet import Bars, Facts, Grid, Head, Item, Listing, Matrix, Prose, Section
from app.core.text.cutting import CUT, shorten_name
from app.decision.layout.parts import words

NameOf = Callable[[str], str]
"""Returns the full name of a handle; empty if there is no such item."""

_HANDLE: Final = re.compile(r"(?<!\w)([A-Z]{1,2}\d{1,4}) ")
_DATED: Final = re.compile(r"Written for (version \d+|earlier ratings)[^.]*\.$")


def shorten_repeats(section: Section, name_of: NameOf) -> Section:
    """Return the section with each name in full where it stands first, and short after that."""
    return _Reader(name_of).shorten(section)


def shorten_lines(lines: Iterable[str], name_of: NameOf) -> tuple[str, ...]:
    """Return the lines, in which each name is in full once."""
    return tuple(map(_Reader(name_of).shorten_text, lines))


class _Reader:
    """Reads one section from top to bottom, and knows which names it has met."""

    def __init__(self, name_of: NameOf) -> None:
        self._name_of, self._met = name_of, set[str]()

    def shorten(self, section: Section) -> Section:
        """Return the section with short names where its reader has met the full ones."""
        section = replace(section, title=self.shorten_text(section.title))
        match section:
            case Listing():
                return replace(section, items=tuple(map(self._shorten_item, section.items)))
            case Facts():
                return replace(section, rows=tuple((name, self.shorten_text(said)) for name, said in section.rows))
            case Prose():
                return replace(section, text=self.shorten_text(section.text))
            case Matrix():
                rows, columns = (tuple(map(self._shorten_head, each)) for each in (section.rows, section.columns))
                return replace(section, rows=rows, columns=columns)
            case Grid():
                header = tuple(map(self.shorten_text, section.header))
                return replace(
                    section, header=header, rows=tuple(tuple(map(self.shorten_text, row)) for row in section.rows)
                )
            case Bars():
                return section
            case _:
                assert_never(section)

    def shorten_text(self, text: str) -> str:
        """Return a text with short names where its reader has met the full ones."""
        done, at = list[str](), 0
        for found in _HANDLE.finditer(text):
            handle = found[1]
            name = self._name_of(handle)
            if not name or found.start() < at or not text.startswith(name, found.end()):
                continue
            told = self._name(handle, name)
            done += [text[at : found.end()], told]
            at = found.end() + len(name)
            at += told.endswith(CUT) and text.startswith(".", at)  # the cut ends the sentence
        return "".join((*done, text[at:]))

    def _shorten_note(self, text: str) -> str:
        return _DATED.sub(self._date, self.shorten_text(text))

    def _date(self, mark: re.Match[str]) -> str:
        if mark[0] in self._met:
            return words.DATED_TOO.format(table=mark[1])
        self._met.add(mark[0])
        return mark[0]

    def _name(self, handle: str, name: str) -> str:
        if handle in self._met:
            return shorten_name(name)
        self._met.add(handle)
        return name

    def _shorten_item(self, item: Item) -> Item:
        name = self._name_of(item.handle) if item.handle else ""
        own = name and item.text == name
        text = self._name(item.handle, name) if own else self._shorten_note(item.text)
        notes = tuple(map(self._shorten_note, item.notes))
        return replace(item, text=text, notes=notes, inner=tuple(map(self._shorten_item, item.inner)))

    def _shorten_head(self, head: Head) -> Head:
        return replace(head, name=self._name(head.handle, head.name))
