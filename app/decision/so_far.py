"""What a decision holds when one of its components is looked at: approved results, and what was computed from them.

Results are drafts: items by handle. A component that has no approved result is simply not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, Final

from app.decision import analysis as engine
from app.decision import swing
from app.decision.comparing import plain
from app.decision.handles import handles_of
from app.decision.measures import Direction, Measure, Measured
from app.decision.paths import Draft, objects, value, values
from app.decision.ratings import BEST, WORST, At, Cell, InvalidInput, RatingTable

DOUBTFUL: Final = ("medium", "high")
_NAMES: Final = ("name", "description", "statement", "text", "action")
"""Where the words of an item stand."""

GONE: Final = "{name} (not there any more)"
"""What an item is called that its step has dropped, where a later one still refers to it."""


def name_of(item: Mapping[str, Any]) -> str:
    """What people call an item; empty if it has no words."""
    return next((str(item[each]) for each in _NAMES if each in item), "")


def names_in(data: Iterable[Any]) -> dict[str, str]:
    """What people call the items, by handle; what comes later counts."""
    items = (item for each in data for item in objects(each) if "handle" in item)
    return {item["handle"]: name_of(item) for item in items}


@dataclass(frozen=True)
class SoFar:
    """Approved results by component, without the one that is looked at."""

    results: Mapping[str, Draft]
    today: date
    before: Draft = field(default_factory=dict[str, Any])
    """The version of this component that was approved last; empty if there is none."""
    spent: Mapping[str, int] = field(default_factory=dict[str, int])
    """The highest number that this component gave with each letter, in any version and before it was begun anew."""
    former: Mapping[str, str] = field(default_factory=dict[str, str])
    """What all items that earlier steps ever had were called last, by handle: some may have been dropped."""

    later: Mapping[str, Draft] = field(default_factory=dict[str, Any])
    """Approved results of the components after this one: nothing refers to them, and nothing is computed from them."""

    @cached_property
    def handles(self) -> tuple[str, ...]:
        """Everything that can be referred to."""
        return handles_of(self.results.values())

    @cached_property
    def given(self) -> tuple[str, ...]:
        """The handles that a new item of this component does not get."""
        last = (f"{letter}{number}" for letter, number in self.spent.items())
        return (*self.handles, *handles_of([self.before]), *last)

    @cached_property
    def _names(self) -> dict[str, str]:
        return names_in(self.results.values())

    def name(self, handle: str) -> str:
        """What people call it, also if it was dropped; empty if there was no such item."""
        if handle in self._names or handle not in self.former:
            return self._names.get(handle, "")
        return GONE.format(name=self.former[handle])

    def label(self, handle: str) -> str:
        """The handle with its name: people never see one without the other."""
        return f"{handle} {self.name(handle)}".strip()

    def labels(self, handles: tuple[str, ...]) -> str:
        """Several labels."""
        return ", ".join(map(self.label, handles))

    @cached_property
    def alternatives(self) -> tuple[str, ...]:
        """In display order."""
        return tuple(values(self.results.get("alternatives"), "alternatives[].handle"))

    @cached_property
    def objectives(self) -> tuple[str, ...]:
        """The fundamental ones, in display order: only they are rated."""
        return tuple(values(self.results.get("objectives"), "fundamental_objectives[].handle"))

    @cached_property
    def baseline(self) -> str | None:
        """The status quo."""
        return value(self.results.get("alternatives"), "status_quo_id")

    @cached_property
    def compared_with(self) -> str | None:
        """What the approved ratings compare with: the status quo of then, until they are given anew (X4)."""
        return self._compared_with(self.results.get("consequences", {}))

    def _compared_with(self, consequences: Draft) -> str | None:
        of_then = value(consequences, "table.baseline_id") or self.baseline
        return of_then if of_then in self.alternatives else None

    def table(self, consequences: Draft) -> RatingTable | None:
        """The ratings, without those of what is not there any more; None while there is nothing to rate."""
        cells: dict[At, Cell] = {}
        baseline = self._compared_with(consequences)
        for cell in values(consequences, "table.cells[]"):
            at = place_of(cell)
            if at[0] in self.alternatives and at[1] in self.objectives and at[0] != baseline:
                cells[at] = _cell(cell)
        try:
            return RatingTable(self.alternatives, self.objectives, cells, baseline)
        except InvalidInput:
            return None

    def measured(self, consequences: Draft) -> Measured:
        """The amounts that were given, of objectives with a measure; the status quo has that of the measure itself."""
        objectives = values(self.results.get("objectives"), "fundamental_objectives[]")
        said: dict[str, Mapping[str, Any]] = {
            each["handle"]: each.get("performance_measure", {}) for each in objectives
        }
        known = {handle: measure for handle, each in said.items() if (measure := _measure(each))}
        cells = [each for each in values(consequences, "table.cells[]") if "quant_value" in each]
        now = self.baseline
        amounts = {
            (now, handle): float(said[handle]["baseline"])
            for handle in known
            if now and "baseline" in said[handle] and _is_in_unit_of(said[handle], handle, cells)
        }
        amounts |= {place_of(each): float(each["quant_value"]) for each in cells}
        return Measured(known, {at: amount for at, amount in amounts.items() if at[1] in known})

    @cached_property
    def analysis(self) -> engine.Analysis | None:
        """What follows from the approved ratings; None while there are none."""
        table = self.table(self.results.get("consequences", {}))
        return engine.analyse(table) if table and "consequences" in self.results else None

    @cached_property
    def weighed(self) -> swing.Weighed | None:
        """The options that are left by people's approved swing points."""
        return self.weighed_by(self.results.get("tradeoffs", {}))

    def weighed_by(self, tradeoffs: Draft) -> swing.Weighed | None:
        """The options that are left by these swing points; None if they are not there or do not fit any more."""
        table = self.table(self.results.get("consequences", {}))
        given = values(tradeoffs, "swing_weights[]")
        try:
            points = {each["objective_id"]: each["points"] for each in given}
            return swing.weigh(table.among(self.analysis.dominance.left), points) if table and self.analysis else None
        except InvalidInput:
            return None

    @cached_property
    def standout(self) -> engine.Standout | None:
        """The option that may be named first (S0-179)."""
        return engine.standout(self.analysis, self.weighed) if self.analysis else None

    @cached_property
    def doubts(self) -> tuple[tuple[str, str, str], ...]:
        """The doubtful ratings of options that are left: alternative, objective and what the doubt comes from."""
        left = self.analysis.dominance.left if self.analysis else ()
        return tuple(
            (each["alternative_id"], each["objective_id"], each["uncertainty"].get("driver", ""))
            for each in values(self.results.get("consequences"), "table.cells[]")
            if value(each, "uncertainty.level") in DOUBTFUL and each["alternative_id"] in left
        )


def place_of(cell: Mapping[str, Any]) -> At:
    """Where a cell of a draft stands in the table."""
    return cell["alternative_id"], cell["objective_id"]


def _cell(cell: Mapping[str, Any]) -> Cell:
    span: Mapping[str, Any] = cell.get("rating_range", {})
    match (span.get("low"), span.get("high")):
        case (int(low), int(high)) if WORST <= low <= cell["rating"] <= high <= BEST:
            bounds = (low, high)
        case _:
            bounds = None
    return Cell(cell["rating"], bounds, doubtful=cell.get("uncertainty", {}).get("level") in DOUBTFUL)


def _is_in_unit_of(measure: Mapping[str, Any], objective: str, cells: Iterable[Mapping[str, Any]]) -> bool:
    """True if no amount of this objective was given in another unit than that of its measure."""
    given = {plain(each["quant_unit"]) for each in cells if each["objective_id"] == objective and "quant_unit" in each}
    return given <= {plain(measure.get("units", ""))}


def _measure(measure: Mapping[str, Any]) -> Measure | None:
    """None if there is none, or a target that is no number."""
    try:
        direction = Direction(measure.get("direction", ""))
        return Measure(direction, float(measure["target"]) if direction is Direction.TARGET else None)
    except (ValueError, KeyError):
        return None
