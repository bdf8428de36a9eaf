"""A sheet: what one step of a decision holds, laid out for people, before anybody knows where it will be shown.

Cards in Slack, exported Markdown and the HTML report are three renderings of the same sheet. All texts are plain words:
whoever renders them escapes them. Handles stand beside names; no ids, no field names.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field


class Mark(StrEnum):
    """What people should know of an item at a glance."""

    CHECK = "check"
    """Said to be people's own, but nobody wrote it in these words: please check."""
    SUGGESTED = "suggested"
    """The model's own idea."""
    BASELINE = "baseline"
    GAP = "gap"
    """Something is missing in it: a measure, an owner, a date."""
    SET_ASIDE = "set_aside"
    STANDS_OUT = "stands_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One item of a list. `notes` are short lines below it; `inner` are items that belong to it, as means to an end."""

    text: str
    handle: str = ""
    notes: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    inner: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A list with its heading. `empty` is what is said where there is nothing in it."""

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
    """What a row or column of ratings stands for."""

    handle: str
    name: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """One cell: -2 to +2 against the status quo; None is unknown, and never 0."""

    value: int | None
    doubtful: bool = False
    note: str = ""
    """Why, in people's words; shown where there is room."""


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
    """Scores beside each other. `total` is said below them in bold, as *Overall: 60 %*; empty while there is none."""

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
    """All of one step, in the order in which it is read."""

    sections: tuple[Section, ...] = ()
