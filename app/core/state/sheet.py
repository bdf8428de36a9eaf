"""A sheet: the result of one step, laid out for people, independent of the medium.

Cards in Slack, exported Markdown and the HTML report are renderings of the same sheet. All texts are plain: each
renderer escapes them. Handles stand beside names; there are no ids and no field names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, cast

from pydantic import Field


class Mark(StrEnum):
    """A warning on an item."""

    CHECK = "check"
    """Claimed as people's own, but no one wrote these words, so people have to check it."""
    SUGGESTED = "suggested"
    """The model's own idea."""
    BASELINE = "baseline"
    GAP = "gap"
    """Without a measure, an owner or a date."""
    SET_ASIDE = "set_aside"
    STANDS_OUT = "stands_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One item of a list.

    `notes` are short lines below it; `inner` are items that belong to it, such as means to an end.
    """

    text: str
    handle: str = ""
    notes: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    inner: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A list with its heading. `empty` is the text shown if it has no items."""

    title: str
    items: tuple[Item, ...]
    empty: str = ""
    kind: Literal["listing"] = "listing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Short answers to fixed questions, such as *Decider* and *By when*: label and value. `title` may be empty."""

    rows: tuple[tuple[str, str], ...]
    title: str = ""
    kind: Literal["facts"] = "facts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """A paragraph. `title` may be empty."""

    text: str
    title: str = ""
    kind: Literal["prose"] = "prose"


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Header of a row or column of ratings."""

    handle: str
    name: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """One cell: -2 to +2 against the status quo; None is not rated or not known, and never 0."""

    value: int | None
    doubtful: bool = False
    unknown: bool = False
    """True if people said that they do not know it; then there is no value."""
    note: str = ""
    """The reason in people's words; shown if there is room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Ratings: options as rows, objectives as columns. `cells` has a row for each row, a cell for each column."""

    title: str
    rows: tuple[Head, ...]
    columns: tuple[Head, ...]
    cells: tuple[tuple[Rating, ...], ...]
    kind: Literal["matrix"] = "matrix"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One score of 0 to 100; None while it is missing."""

    label: str
    score: int | None
    note: str = ""
    weakest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Several scores. `total` is shown below them in bold, such as *Overall: 60 %*; empty while there is none."""

    title: str
    bars: tuple[Bar, ...]
    total: str = ""
    kind: Literal["bars"] = "bars"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table of words: actions with owner and date, a strategy table. Each row is as long as `header`."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    empty: str = ""
    kind: Literal["grid"] = "grid"


Section = Annotated[Listing | Facts | Prose | Matrix | Bars | Grid, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The whole result of a step, in reading order."""

    sections: tuple[Section, ...] = ()
    essence: tuple[str, ...] = ()
    """The result in at most five lines, for a card that is read in seconds; empty if only the sections tell it."""
    to_check: str = ""
    """Items whose words nobody wrote, in a line above the essence until the result is approved.

    What was suggested is there, too, where it would push an option off the card.
    """

    @property
    def short(self) -> tuple[str, ...]:
        """Return what a card shows of a result that is not approved."""
        return (*([self.to_check] if self.to_check else []), *self.essence)


def walk_texts(shown: object) -> Iterator[str]:
    """Yield each text of a sheet or of a part of one, in reading order, handles and marks too."""
    if isinstance(shown, str):
        yield shown
    elif isinstance(shown, tuple):
        yield from (words for each in cast("tuple[Any, ...]", shown) for words in walk_texts(each))
    elif is_dataclass(shown):
        yield from (words for each in fields(shown) for words in walk_texts(getattr(shown, each.name)))
