"""What presenters look at: the result of one component, with names for all that it refers to.

Asking for what is not there gives nothing: a draft may be half filled, and its sheet says what there is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from app.core.sheet import Item, Listing, Mark, Prose, Section
from app.decision.component import Component
from app.decision.paths import Draft, value, values
from app.decision.sheets import words
from app.decision.so_far import SoFar, name_of

SUGGESTED: Final = "ai_suggested"
"""The origin of what is the model's own idea."""


@dataclass(frozen=True)
class Result:
    """A draft of a component, in its decision."""

    component: Component
    draft: Draft
    so_far: SoFar
    """Without this component."""
    unproven: Collection[str] = ()
    """Handles of items that people are asked to look at (S0-228)."""

    @cached_property
    def _decision(self) -> SoFar:
        return replace(self.so_far, results={**self.so_far.results, self.component.key: self.draft})

    def all(self, path: str) -> list[Any]:
        """What is at these places of the draft."""
        return values(self.draft, path)

    def one(self, path: str) -> Any:
        """What is there; None if there is nothing."""
        return value(self.draft, path)

    def text(self, path: str) -> str:
        """The text that is there; empty if there is none."""
        return self.one(path) or ""

    def row(self, path: str, **at: str) -> Mapping[str, Any]:
        """The first row of a list that has these values; an empty one if none has."""
        return next((each for each in self.all(path) if at.items() <= each.items()), dict[str, Any]())

    def name(self, handle: str) -> str:
        """What people call it."""
        return self._decision.name(handle)

    def label(self, handle: str) -> str:
        """The handle with its name."""
        return self._decision.label(handle)

    def labels(self, handles: Iterable[str]) -> str:
        """Several labels."""
        return ", ".join(map(self.label, handles))

    def marks(self, item: Mapping[str, Any]) -> tuple[Mark, ...]:
        """Where its words come from, if people should look."""
        marks = {
            Mark.CHECK: item.get("handle") in self.unproven,
            Mark.SUGGESTED: item.get("origin") == SUGGESTED,
        }
        return tuple(mark for mark, holds in marks.items() if holds)

    def of(self, handle: str, *notes: str, marks: tuple[Mark, ...] = ()) -> Item:
        """An item of any component, by its handle."""
        return Item(handle=handle, text=self.name(handle), notes=told(notes), marks=marks)


def item(each: Mapping[str, Any], *notes: str, marks: tuple[Mark, ...] = (), inner: Iterable[Item] = ()) -> Item:
    """An item of the draft, with the notes that say something."""
    handle = each.get("handle", "")
    return Item(text=name_of(each), handle=handle, notes=told(notes), marks=marks, inner=tuple(inner))


def told(notes: Iterable[str]) -> tuple[str, ...]:
    """The notes that say something."""
    return tuple(filter(None, notes))


def at_most(items: Sequence[Item], most: int = words.AT_MOST) -> tuple[Item, ...]:
    """The first ones, and how many more there are."""
    rest = len(items) - most
    return (*items[:most], *([Item(text=words.AND_MORE.format(count=rest))] if rest > 0 else []))


def listing(title: str, items: Iterable[Item], empty: str = "") -> Listing | None:
    """A list; None if there is nothing in it and nothing to be said of that."""
    found = tuple(items)
    return Listing(title=title, items=found, empty=empty) if found or empty else None


def texts(title: str, said: Iterable[str]) -> Listing | None:
    """A list of texts."""
    return listing(title, (Item(text=each) for each in said))


def prose(text: str, title: str = "") -> Prose | None:
    """A paragraph; None if it says nothing."""
    return Prose(text=text, title=title) if text else None


def laid_out(*sections: Section | None) -> tuple[Section, ...]:
    """The sections that say something."""
    return tuple(each for each in sections if each)
