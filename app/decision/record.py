"""What a decision holds: approved results, what follows from them, and which option stands out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, Final

from app.decision.analysis import analysis, swing
from app.decision.analysis.analysis import Analysis, Standout, StandoutRule
from app.decision.analysis.measures import Direction, Measure, MeasuredTable
from app.decision.analysis.ratings import BEST, WORST, At, Cell, InvalidInput, RatingTable
from app.decision.analysis.swaps import EvenSwap, ImaginedTable, imagine
from app.decision.firmness.amounts import ValueOrder, compare_orders
from app.decision.firmness.firmness import Firmness, find_firmness
from app.decision.schema.component import Component
from app.decision.schema.handles import list_handles
from app.decision.schema.paths import Draft, find_value, find_values, map_names
from app.decision.schema.similarity import normalize

DOUBTFUL: Final = ("medium", "high")

GONE: Final = "{name} (not there any more)"
"""Name of an item that its step has dropped, if a later step still refers to it."""


@dataclass(frozen=True)
class DecisionRecord:
    """Approved results by component, without the current one."""

    results: Mapping[str, Draft]
    today: date
    before: Draft = field(default_factory=dict[str, Any])
    """The last approved version of this component; empty if there is none."""
    spent: Mapping[str, int] = field(default_factory=dict[str, int])
    """Highest number of each prefix that this component gave in any version, also before a fresh start."""
    former: Mapping[str, str] = field(default_factory=dict[str, str])
    """Last name of every item that earlier steps ever had, by handle, including dropped ones."""

    later: Mapping[str, Draft] = field(default_factory=dict[str, Any])
    """Approved results of later components. Nothing refers to them or is computed from them."""

    @cached_property
    def handles(self) -> tuple[str, ...]:
        """Return all handles that can be referred to."""
        return list_handles(self.results.values())

    @cached_property
    def given(self) -> tuple[str, ...]:
        """Return the handles that a new item of this component must not get."""
        last = (f"{letter}{number}" for letter, number in self.spent.items())
        return (*self.handles, *list_handles([self.before]), *last)

    @cached_property
    def _names(self) -> dict[str, str]:
        return map_names(self.results.values())

    def name(self, handle: str) -> str:
        """Return the name of an item, also if it was dropped; empty if there was no such item."""
        if handle in self._names or handle not in self.former:
            return self._names.get(handle, "")
        return GONE.format(name=self.former[handle])

    def label(self, handle: str) -> str:
        """Return the handle with its name: people never see one without the other."""
        return f"{handle} {self.name(handle)}".strip()

    def labels(self, handles: tuple[str, ...]) -> str:
        return ", ".join(map(self.label, handles))

    @cached_property
    def alternatives(self) -> tuple[str, ...]:
        """Return the alternatives in display order."""
        return tuple(find_values(self.results.get("alternatives"), "alternatives[].handle"))

    @cached_property
    def objectives(self) -> tuple[str, ...]:
        """Return the fundamental objectives in display order; only they are rated."""
        return tuple(find_values(self.results.get("objectives"), "fundamental_objectives[].handle"))

    @cached_property
    def baseline(self) -> str | None:
        """Return the status quo."""
        return find_value(self.results.get("alternatives"), "status_quo_id")

    @cached_property
    def compared_with(self) -> str | None:
        """Return the option that the approved ratings compare with: the status quo at that time."""
        return self._compared_with(self.results.get("consequences", {}))

    def _compared_with(self, consequences: Draft) -> str | None:
        of_then = find_value(consequences, "table.baseline_id") or self.baseline
        return of_then if of_then in self.alternatives else None

    def table(self, consequences: Draft) -> RatingTable | None:
        """Return the current ratings as a table; None while there is nothing to rate."""
        cells: dict[At, Cell] = {}
        baseline = self._compared_with(consequences)
        for cell in find_values(consequences, "table.cells[]"):
            at = find_place(cell)
            if at[0] in self.alternatives and at[1] in self.objectives and at[0] != baseline:
                cells[at] = _build_cell(cell)
        try:
            return RatingTable(self.alternatives, self.objectives, cells, baseline)
        except InvalidInput:
            return None

    def measured(self, consequences: Draft) -> MeasuredTable:
        """Return the amounts of objectives with a measure; the status quo's amounts come from the measures."""
        objectives = find_values(self.results.get("objectives"), "fundamental_objectives[]")
        said: dict[str, Mapping[str, Any]] = {
            each["handle"]: each.get("performance_measure", {}) for each in objectives
        }
        known = {handle: measure for handle, each in said.items() if (measure := _build_measure(each))}
        cells = [each for each in find_values(consequences, "table.cells[]") if "quant_value" in each]
        now = self.baseline
        amounts = {
            (now, handle): float(said[handle]["baseline"])
            for handle in known
            if now and "baseline" in said[handle] and _has_unit_of(said[handle], handle, cells)
        }
        amounts |= {find_place(each): float(each["quant_value"]) for each in cells}
        return MeasuredTable(known, {at: amount for at, amount in amounts.items() if at[1] in known})

    @cached_property
    def analysis(self) -> Analysis | None:
        """Return the analysis of the approved ratings; None while there are none."""
        table = self.table(self.results.get("consequences", {}))
        return analysis.analyse(table) if table and "consequences" in self.results else None

    @cached_property
    def weighed(self) -> swing.WeighedTable | None:
        """Return the options left, valued by people's approved swing points."""
        return self.weighed_by(self.results.get("tradeoffs", {}))

    def weighed_by(self, tradeoffs: Draft) -> swing.WeighedTable | None:
        """Return the options left, valued by these swing points; None if points are missing for a range of now."""
        table = self.table(self.results.get("consequences", {}))
        if table is None or self.analysis is None:
            return None
        try:
            return swing.weigh(table.among(self.analysis.dominance.left), self.select_points(tradeoffs))
        except InvalidInput:
            return None

    def select_points(self, tradeoffs: Draft) -> dict[str, int]:
        """Return the swing points that count, by objective: those given for the ranges of the approved ratings."""
        given = (read_points(each) for each in find_values(tradeoffs, "swing_weights[]") if "points" in each)
        return swing.select_points(given, self.analysis.swings if self.analysis else ())

    @cached_property
    def standout(self) -> Standout | None:
        """Return the option that may be named first."""
        return analysis.find_standout(self.analysis, self.weighed) if self.analysis else None

    @cached_property
    def firmness(self) -> Firmness | None:
        """Return how firm the lead is, with people's approved swing points; None without a full table."""
        return self.firmness_by(self.results.get("tradeoffs", {}))

    def firmness_by(self, tradeoffs: Draft) -> Firmness | None:
        """Return how firm the lead is with these swing points; None without a full table."""
        table = self.table(self.results.get("consequences", {}))
        if table is None or self.analysis is None:
            return None
        return find_firmness(table, self.analysis.swings, self.select_points(tradeoffs))

    @cached_property
    def order(self) -> ValueOrder | None:
        """Return the order that amounts give to the options left, with people's approved swing points."""
        return self.order_by(self.results.get("tradeoffs", {}))

    def order_by(self, tradeoffs: Draft) -> ValueOrder | None:
        """Return the order that amounts give to the options left, with these swing points; None without amounts."""
        consequences = self.results.get("consequences", {})
        table = self.table(consequences)
        if table is None or self.analysis is None:
            return None
        left = table.among(self.analysis.dominance.left)
        return compare_orders(left, self.measured(consequences), self.analysis.swings, self.select_points(tradeoffs))

    def imagined_by(self, tradeoffs: Draft) -> ImaginedTable | None:
        """Return the amounts of the options left after these even swaps; None if there are none."""
        consequences = self.results.get("consequences", {})
        table, given = self.table(consequences), [read_swap(each) for each in find_values(tradeoffs, "even_swaps[]")]
        if table is None or self.analysis is None or not given:
            return None
        return imagine(table.among(self.analysis.dominance.left), self.measured(consequences), given)

    @cached_property
    def doubts(self) -> tuple[tuple[str, str, str], ...]:
        """Return the doubts that may change who leads, the most telling first: alternative, objective and cause.

        While ratings are missing, these are all doubtful ratings of options left.
        """
        cells = {find_place(each): each for each in find_values(self.results.get("consequences"), "table.cells[]")}
        causes = {at: each.get("uncertainty", {}).get("driver", "") for at, each in cells.items()}
        if self.firmness:
            places = [(each.alternative, each.objective) for each in self.firmness.doubts if not each.idle]
        else:
            left = self.analysis.dominance.left if self.analysis else ()
            levels = {at: find_value(each, "uncertainty.level") for at, each in cells.items()}
            places = [at for at in cells if levels[at] in DOUBTFUL and at[0] in left]
        return tuple((*at, causes.get(at, "")) for at in places)


def find_place(cell: Mapping[str, Any]) -> At:
    """Return the place of a draft's cell in the table."""
    return cell["alternative_id"], cell["objective_id"]


def read_points(row: Mapping[str, Any]) -> swing.GivenPoints:
    """Return the points of a draft's row, which has some."""
    return swing.GivenPoints(row["objective_id"], row["points"], row.get("worst"), row.get("best"))


def read_swap(row: Mapping[str, Any]) -> EvenSwap:
    """Return an even swap of a draft."""
    level, paid = row["improve"], row["pay_with"]
    return EvenSwap(
        row["alternative_id"],
        level["objective_id"],
        level["from"],
        level["to"],
        paid["objective_id"],
        paid["from"],
        paid["to"],
    )


def _build_cell(cell: Mapping[str, Any]) -> Cell:
    span: Mapping[str, Any] = cell.get("rating_range", {})
    match (span.get("low"), span.get("high")):
        case (int(low), int(high)) if WORST <= low <= cell["rating"] <= high <= BEST:
            bounds = (low, high)
        case _:
            bounds = None
    return Cell(cell["rating"], bounds, doubtful=cell.get("uncertainty", {}).get("level") in DOUBTFUL)


def _has_unit_of(measure: Mapping[str, Any], objective: str, cells: Iterable[Mapping[str, Any]]) -> bool:
    """Return True if all amounts of this objective have the unit of its measure."""
    given = {
        normalize(each["quant_unit"]) for each in cells if each["objective_id"] == objective and "quant_unit" in each
    }
    return given <= {normalize(measure.get("units", ""))}


def _build_measure(measure: Mapping[str, Any]) -> Measure | None:
    """Return None if there is no measure, or its target is no number."""
    try:
        direction = Direction(measure.get("direction", ""))
        return Measure(direction, float(measure["target"]) if direction is Direction.TARGET else None)
    except (ValueError, KeyError):
        return None


def describe_standing(component: Component, so_far: DecisionRecord) -> tuple[str, ...]:
    """Return which option stands out and why, or why none does, followed by the arguments against it.

    Empty while nothing is rated. `component.texts` has the sentences.
    """
    analysis = so_far.analysis
    if analysis is None:
        return ()
    names = (so_far.standout.alternative,) if so_far.standout else analysis.leaders
    doubts = "; ".join(
        f"{so_far.label(each.nudge.alternative)} on {so_far.label(each.nudge.objective)}"
        for each in analysis.sensitivity.leaders
        if each.nudge.doubtful
    )
    sentence = component.texts[_name_reason(so_far, bool(doubts))].format(options=so_far.labels(names), doubts=doubts)
    return (sentence, *_list_counter_arguments(component, so_far))


def _list_counter_arguments(component: Component, so_far: DecisionRecord) -> list[str]:
    """Return the best argument against the standout, and the leaders by other measures."""
    found = so_far.standout
    named = [("weakest", found.weakest_on), ("other_reading", found.other_readings)] if found else []
    return [component.texts[name].format(items=so_far.labels(items)) for name, items in named if items]


def _name_reason(so_far: DecisionRecord, shaky: bool) -> str:
    """Return the key of the sentence in the component's texts."""
    analysis, found = so_far.analysis, so_far.standout
    assert analysis is not None, "whoever asks has looked"
    if found:
        if found.rule is StandoutRule.ONLY_ONE_LEFT:
            return "alone"
        return "leads_baseline" if found.alternative == so_far.compared_with else "leads"
    if len(analysis.scores) == 1:
        return "single"
    if len(analysis.leaders) != 1:
        return "tie" if analysis.leaders else "unknown"
    return "shaky" if shaky else "weighed"
