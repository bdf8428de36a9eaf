"""The result of one group as a table: our figure, the bare loop's, the design's target, and whether it is met."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from typing import Generic, TypeVar

from rich.table import Table

Unit = Callable[[float], str]
Sample = TypeVar("Sample")


def milliseconds(seconds: float) -> str:
    """Write seconds as milliseconds."""
    return f"{seconds * 1_000:,.0f} ms"


def fine_milliseconds(seconds: float) -> str:
    """Write seconds as milliseconds with a decimal."""
    return f"{seconds * 1_000:,.1f} ms"


def seconds(value: float) -> str:
    """Write seconds."""
    return f"{value:,.1f} s"


def megabytes(size: float) -> str:
    """Write bytes as MB (10^6)."""
    return f"{size / 1e6:,.1f} MB"


def kilobytes(size: float) -> str:
    """Write bytes as KB (10^3)."""
    return f"{size / 1e3:,.0f} KB"


def times(factor: float) -> str:
    """Write a factor."""
    return f"{factor:.2f} ×"


def number(value: float) -> str:
    """Write a count."""
    return f"{value:,.0f}"


@dataclass(frozen=True)
class Figure(Generic[Sample]):
    """What is read off each sample. `limit` is the design's target for the median."""

    what: str
    unit: Unit
    of: Callable[[Sample], float]
    limit: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of both bots."""

    case: str
    what: str
    unit: Unit
    ours: Sequence[float]
    bare: Sequence[float]
    limit: float | None

    @property
    def met(self) -> bool | None:
        """Whether our median keeps the target; None if there is none, or nothing could be measured."""
        if self.limit is None or not self.ours or math.isnan(self.ours[0]):
            return None
        return median(self.ours) <= self.limit

    def cells(self) -> tuple[str, ...]:
        """The row as the table shows it."""
        target = "" if self.limit is None else f"≤ {self.unit(self.limit)}"
        met = {True: "[green]✓[/]", False: "[red]✗[/]", None: ""}[self.met]
        return self.what, self._shown(self.ours), self._shown(self.bare), target, met

    def _shown(self, samples: Sequence[float]) -> str:
        if not samples or math.isnan(samples[0]):
            return "–"
        middle, worst = self.unit(median(samples)), self.unit(max(samples))
        return middle if worst == middle else f"{middle} [dim]({worst})[/]"


def compared(
    case: str, figures: Sequence[Figure[Sample]], ours: Sequence[Sample], bare: Sequence[Sample] = ()
) -> list[Row]:
    """Read the figures off the samples of both bots."""
    return [
        Row(case, each.what, each.unit, [each.of(s) for s in ours], [each.of(s) for s in bare], each.limit)
        for each in figures
    ]


def drawn(title: str, rows: Sequence[Row], note: str) -> Table:
    """Draw the table of one group, a section for each case: the medians and, in brackets, the worst."""
    table = Table(title=title, caption=note, title_justify="left", caption_justify="left", min_width=100)
    table.add_column("median (worst)")
    for heading in ("Threadwise", "bare loop", "target"):
        table.add_column(heading, justify="right")
    table.add_column("met", justify="center")
    for case, section in groupby(rows, key=lambda row: row.case):
        table.add_section()
        if case:
            table.add_row(f"[bold]{case}[/]")
        for row in section:
            table.add_row(*row.cells())
    return table
