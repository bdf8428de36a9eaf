"""The input of presenters: the result of one component, with names for all references.

A missing value reads as empty, because a draft may be half filled and its sheet shows the filled half.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from app.core.state.sheet import Item, Listing, Mark, Prose, Section
from app.core.text.labels import join_words, remove_stop
from app.decision.analysis.ratings import At
from app.decision.drafts.dated_notes import Since, find_change, find_version
from app.decision.layout.parts import words
from app.decision.record import DecisionRecord
from app.decision.rows import SUGGESTED, name_cause
from app.decision.schema.component import Component
from app.decision.schema.paths import Draft, find_value, find_values, read_name

_SENTENCE_ENDS: Final = re.compile(r"(?<=[.?!])\s(?=[^a-z])")
DETAILED: Final = 40
"""Things of one kind that the details list one by one: all of them, unless a table is larger than anybody reads."""
RATED: Final = "consequences"
SUGGESTED_FACT: Final = "💡 {fact} (suggested by Threadwise)"
"""True of it before and after somebody approves it."""


@dataclass(frozen=True)
class Result:
    """A draft of a component in its decision."""

    component: Component
    draft: Draft
    so_far: DecisionRecord
    """The decision without this component."""
    unproven: Collection[str] = ()
    """Handles of items that people are asked to check, and places of facts that nobody said: `U1.driver`."""

    @cached_property
    def _decision(self) -> DecisionRecord:
        return replace(self.so_far, results={**self.so_far.results, self.component.key: self.draft})

    def all(self, path: str) -> list[Any]:
        """Return the values at these places of the draft."""
        return find_values(self.draft, path)

    def one(self, path: str) -> Any:
        """Return the first value; None if there is none."""
        return find_value(self.draft, path)

    def text(self, path: str) -> str:
        """Return the text at this place; empty if there is none."""
        return self.one(path) or ""

    def note(self, field: str) -> str:
        """Return people's note in this field, marked if it was written for earlier ratings; empty if there is none."""
        return next(iter(self.notes(field)), "")

    def notes(self, field: str) -> tuple[str, ...]:
        """Return people's notes at these places, each marked if it was written for earlier ratings."""
        return tuple(self.mark_note(field, text) for text in self.all(field))

    def mark_note(self, field: str, text: str) -> str:
        """Return one of people's notes in this field, marked if nobody said it or earlier ratings were meant."""
        return words.add_sentence(self.fact(field, text), describe_date(self.draft, field, text, self.so_far))

    def row(self, path: str, **at: str) -> Mapping[str, Any]:
        """Return the first row of a list with these values; an empty one if there is none."""
        return next((each for each in self.all(path) if at.items() <= each.items()), dict[str, Any]())

    def name(self, handle: str) -> str:
        """Return the item's name."""
        return self._decision.name(handle)

    def label(self, handle: str) -> str:
        """Return the handle with its name."""
        return self._decision.label(handle)

    def labels(self, handles: Iterable[str]) -> str:
        return join_words(map(self.label, handles))

    def short(self, handle: str) -> str:
        """Return the handle with its short name."""
        return self._decision.short(handle)

    def brief(self, text: str) -> str:
        """Return a text of ours, with short names if it does not fit a line."""
        return text if len(text) <= words.LINE else self.so_far.shorten(text, self.short)

    def few(self, handles: Iterable[str], most: int = words.AT_MOST) -> str:
        """Return the first handles and the number of those left out: in full if that fits a line, else short."""
        listed = tuple(handles)
        whole = join_words([*map(self.label, listed)], most)
        return whole if len(whole) <= words.FITTING else join_words([*map(self.short, listed)], most)

    def marks(self, item: Mapping[str, Any]) -> tuple[Mark, ...]:
        """Return the marks of the item's origin, if people should check it."""
        marks = {
            Mark.CHECK: item.get("handle") in self.unproven,
            Mark.SUGGESTED: item.get("origin") == SUGGESTED,
        }
        return tuple(mark for mark, holds in marks.items() if holds)

    def fact(self, place: str, text: str) -> str:
        """Return what stands at a place, as a suggestion if nobody said it; empty if nothing stands there."""
        is_suggested = text and place in self.unproven
        return SUGGESTED_FACT.format(fact=text.rstrip(".")) if is_suggested else text

    def cause(self, at: At, text: str) -> str:
        """Return a text on what the doubt of a rating comes from, of this draft or else of the approved ratings."""
        here = self if self.component.key == RATED else replace(self, unproven=self.so_far.suggested.get(RATED, ()))
        return here.fact(name_cause(at), text)

    def told(self, path: str) -> str:
        """Return the text at this place, as a suggestion if nobody said it; empty if there is none."""
        return self.fact(path, self.text(path))

    def of(self, handle: str, *notes: str, marks: tuple[Mark, ...] = ()) -> Item:
        """Return an item of any component by its handle."""
        return Item(handle=handle, text=self.name(handle), notes=select_notes(notes), marks=marks)


def describe_date(draft: Mapping[str, Any], field: str, text: str, so_far: DecisionRecord) -> str:
    """Return that a note was written for earlier ratings, and for which version if that is known; empty otherwise."""
    change = find_change(draft, field, text, so_far)
    if change is None:
        return ""
    version, newest = find_version(draft, field, text), so_far.numbers.get("consequences", 0)
    is_former = version and version < newest  # an erased step counts its versions anew
    which = words.RATINGS_OF_VERSION.format(version=version) if is_former else words.EARLIER_RATINGS
    return words.WRITTEN_FOR.format(which=which, what=words.SINCE[change is Since.RATINGS].format(what=change.value))


def drop_said(text: str, said: str) -> str:
    """Return a text without the sentences that stand in another one word for word, where they are read before."""
    own, told = (_SENTENCE_ENDS.split(" ".join(each.split())) for each in (text, said))
    fresh = [each for each in own if each not in told]
    return text if fresh == own else " ".join(fresh)


def build_item(each: Mapping[str, Any], *notes: str, marks: tuple[Mark, ...] = (), inner: Iterable[Item] = ()) -> Item:
    """Return an item of the draft, without empty notes."""
    handle = each.get("handle", "")
    return Item(text=read_name(each), handle=handle, notes=select_notes(notes), marks=marks, inner=tuple(inner))


def describe_uncertainty(result: Result, each: Mapping[str, Any]) -> tuple[str, str]:
    """Return what an uncertainty depends on and whether it can be found out; empty texts if that is not noted."""
    depends = words.DEPENDS_ON.format(driver=each["driver"]) if "driver" in each else ""
    handle = each.get("handle", "")
    return (
        result.fact(f"{handle}.driver", depends),
        result.fact(f"{handle}.resolvable", words.RESOLVABLE[each.get("resolvable")]),
    )


def select_notes(notes: Iterable[str]) -> tuple[str, ...]:
    """Return the notes that are not empty."""
    return tuple(filter(None, notes))


def limit_items(items: Sequence[Item], most: int = DETAILED) -> tuple[Item, ...]:
    """Return the first items, and the number of those left out."""
    rest = len(items) - most
    return (*items[:most], *([Item(text=words.AND_MORE.format(count=rest))] if rest > 0 else []))


def build_listing(title: str, items: Iterable[Item], empty: str = "") -> Listing | None:
    """Return a list; None if it is empty and has no text for that case."""
    found = tuple(items)
    return Listing(title=title, items=found, empty=empty) if found or empty else None


def build_texts(title: str, said: Iterable[str]) -> Listing | None:
    """Return a list of texts."""
    return build_listing(title, (Item(text=each) for each in said))


def build_prose(text: str, title: str = "") -> Prose | None:
    """Return a paragraph; None if it is empty."""
    return Prose(text=text, title=title) if text else None


def build_line(title: str, items: str) -> str:
    """Return a line of the essence; empty if it has no items."""
    return words.LISTED.format(title=title, items=items) if items else ""


def join_items(texts: Iterable[str]) -> str:
    """Return the texts of a list on one line. None keeps its full stop."""
    return "; ".join(map(remove_stop, texts))


def build_whole_line(title: str, texts: Sequence[str], most: int = words.LINE) -> str:
    """Return a line of at most so many characters with the first texts that fit whole, and the number of the others.

    The first text is there in any case. None keeps its full stop.
    """
    texts = [*map(remove_stop, texts)]
    room = most - len(words.LISTED.format(title=title, items=""))
    for count in range(len(texts), 1, -1):
        told = "; ".join(words.cut_list(texts, count))
        if len(told) <= room:
            return build_line(title, told)
    first = [words.cut_sentences(each, room - words.MORE_ROOM * (len(texts) > 1)) for each in texts[:1]]
    return build_line(title, "; ".join(words.cut_list([*first, *texts[1:]], 1)))


def pack_lines(texts: Sequence[str], most: int, room: int = words.LINE) -> tuple[str, ...]:
    """Return the texts in at most `most` lines, one or several in each, and the number of those left out.

    `room` are the characters of a line.
    """
    if len(texts) <= most:
        return tuple(texts)
    rows = _fill_rows(texts, room)
    if len(rows) <= most:
        return tuple(map("; ".join, rows))
    shown, last = rows[: most - 1], rows[most - 1]
    while len(last) > 1 and len("; ".join(last)) > room - words.MORE_ROOM:
        last = last[:-1]
    more = words.AND_MORE.format(count=len(texts) - sum(map(len, shown)) - len(last))
    return (*map("; ".join, shown), f"{words.cut_sentences('; '.join(last), room - words.MORE_ROOM)}; {more}")


def fits_lines(texts: Sequence[str], most: int) -> bool:
    """Return True if `pack_lines` leaves none of the texts out."""
    return len(texts) <= most or len(_fill_rows(texts)) <= most


def _fill_rows(texts: Iterable[str], room: int = words.LINE) -> list[list[str]]:
    """Return the texts in rows, as many in each as fit a line."""
    rows: list[list[str]] = [[]]
    for each in texts:
        if len("; ".join([*rows[-1], each])) > room:
            rows.append([])
        rows[-1].append(each)
    return [row for row in rows if row]


def select_sections(*sections: Section | None) -> tuple[Section, ...]:
    """Return the sections that are not None."""
    return tuple(each for each in sections if each)
