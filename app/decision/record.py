"""Record of a decision: its approved results, what follows from them, and which option stands out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import permutations
from typing import Any, Final

from app.core.text.cutting import CUT, shorten_name
from app.core.text.labels import join_words
from app.decision.analysis import analysis, swing
from app.decision.analysis.amounts.collecting import Amount, Collected, collect_amounts
from app.decision.analysis.analysis import Analysis, Standing, Standout
from app.decision.analysis.conflict import compare_pair
from app.decision.analysis.measures import Measure, MeasuredTable
from app.decision.analysis.ratings import At, Cell, InvalidInput, RatingTable
from app.decision.analysis.standing.verdicts import Verdicts, is_conditional
from app.decision.analysis.swaps import ImaginedTable, apply_swap, imagine
from app.decision.firmness.amounts import ValueOrder, compare_orders
from app.decision.firmness.firmness import Firmness, find_firmness
from app.decision.rows import (
    build_cell,
    build_measure,
    drifts,
    find_place,
    is_doubtful,
    is_of_before,
    map_cells,
    read_points,
    read_scales,
    read_swap,
    read_verdicts,
)
from app.decision.schema.corrections import WORDS, find_correction, mark_corrected
from app.decision.schema.handles import list_handles
from app.decision.schema.paths import Draft, find_value, find_values, map_names, read_name
from app.decision.schema.similarity import normalize
from app.decision.schema.terms import format_amount

CORRECTED: Final = "corrected in {step}: {words}"
GONE: Final = "{name} (not there any more)"
"""Name of an item that its step has dropped, if a later step still refers to it."""


@dataclass(frozen=True, slots=True)
class StandingStep:
    """An earlier step that is approved."""

    title: str
    version: int
    gist: str
    """Its result in a few words."""
    is_outdated: bool = False
    """True if a step that it builds on has changed since."""


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
    question: str = ""
    """What people typed when the decision began; empty if that is not known."""
    steps: tuple[StandingStep, ...] = ()
    """The earlier components that are approved, in their order."""
    changes: tuple[str, ...] = ()
    """What has changed in earlier components since this one was approved, a line each."""
    suggested: Mapping[str, Collection[str]] = field(default_factory=dict[str, Collection[str]])
    """Places of facts and words in any approved result that nobody said, by component: `U1.driver`."""
    numbers: Mapping[str, int] = field(default_factory=dict[str, int])
    """The version of each of the results, by component."""
    noted: Draft = field(default_factory=dict[str, Any])
    """Notes of this component; of them only what they correct in earlier results counts here."""

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

    def tell_correction(self, fact: Mapping[str, Any]) -> str:
        """Return where an approved fact was corrected and what holds now; empty if its words hold."""
        found = find_correction((*self.results.values(), *self.later.values(), self.noted), fact)
        return CORRECTED.format(step=found["step"], words=found[WORDS]) if found else ""

    def tell_fact(self, fact: Mapping[str, Any]) -> str:
        """Return an approved fact with its handle, and what holds now if it was corrected since."""
        told = f"{fact['handle']} {read_name(fact)}"
        corrected = self.tell_correction(fact)
        return f"{told} – {corrected}" if corrected else told

    def mark_corrected(self, result: Draft) -> Draft:
        """Return an approved result with a mark on the facts that were corrected since."""
        return mark_corrected(result, self.tell_correction)

    def shorten(self, text: str, name: Callable[[str], str] = str) -> str:
        """Return a text of ours with other names, or handles alone for a reader that was told the names before."""
        for handle in (*self.alternatives, *self.objectives):
            text = text.replace(self.label(handle), name(handle))
        return text.replace(f"{CUT}.", CUT)

    def short(self, handle: str) -> str:
        """Return the handle with a short name."""
        return f"{handle} {shorten_name(self.name(handle))}".strip()

    def labels(self, handles: Iterable[str]) -> str:
        return join_words(map(self.label, handles))

    def label_place(self, at: At) -> str:
        """Return the place of a rating in words."""
        return f"{self.label(at[0])} on {self.label(at[1])}"

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
        return self._find_baseline(self.results.get("consequences", {}))

    @property
    def zero(self) -> str:
        """Return how to call the option that ratings compare with; by its name if it was the status quo before."""
        of_before = self.compared_with if self.compared_with != self.baseline else None
        return self.label(of_before) if of_before else "the status quo"

    def _find_baseline(self, consequences: Draft) -> str | None:
        of_then = find_value(consequences, "table.baseline_id") or self.baseline
        return of_then if of_then in self.alternatives else None

    def table(self, consequences: Draft) -> RatingTable | None:
        """Return the current ratings as a table; None while there is nothing to rate."""
        return self.rated if consequences is self.results.get("consequences") else self._build_table(consequences)

    def _build_table(self, consequences: Draft) -> RatingTable | None:
        cells: dict[At, Cell] = {}
        baseline = self._find_baseline(consequences)
        for cell in find_values(consequences, "table.cells[]"):
            at = find_place(cell)
            is_todays = at[0] == baseline
            if at[0] in self.alternatives and at[1] in self.objectives and (not is_todays or drifts(cell)):
                cells[at] = build_cell(cell)
        try:
            return RatingTable(self.alternatives, self.objectives, cells, baseline, read_scales(consequences))
        except InvalidInput:
            return None

    @cached_property
    def rated(self) -> RatingTable | None:
        """Return the approved ratings: nearly everything here asks for them."""
        return self._build_table(self.results.get("consequences", {}))

    def measure(self, consequences: Draft) -> MeasuredTable:
        """Return the amounts of objectives with a measure; the status quo's amounts come from the measures."""
        is_approved = consequences is self.results.get("consequences")
        return self.measured if is_approved else self._build_measured(consequences)

    def _build_measured(self, consequences: Draft) -> MeasuredTable:
        known, collected = self._measures, self.collect(consequences)
        return MeasuredTable(
            known,
            {at: amount for each in known for at, amount in collected[each].amounts.items()},
            {each: collected[each].unit for each in known},
        )

    def describe_amount(self, at: At, consequences: Draft | None = None) -> str:
        """Return an amount with its unit, in the unit in which it is compared; empty if it is unknown.

        It is an approved one, unless a draft is given.
        """
        measured = self.measured if consequences is None else self.measure(consequences)
        amount, unit = measured.amounts.get(at), measured.units.get(at[1], "")
        return "" if amount is None else format_amount(amount, unit)

    def name_unit(self, objective: str) -> str:
        """Return the unit in which the approved amounts are compared, which need not be the measure's."""
        return self.measured.units.get(objective, "")

    def list_apart(self, group: Sequence[str]) -> dict[str, tuple[str, str]]:
        """Return the first two of these options whose approved amounts differ, for each objective with such two."""
        found: dict[str, tuple[str, str]] = {}
        for one, other in permutations(group, 2):
            for objective in self.measured.find_worse(one, other):
                found.setdefault(objective, (one, other))
        return {each: found[each] for each in self.objectives if each in found}

    def find_objective(self, handle: str) -> Mapping[str, Any]:
        """Return an objective as it is approved; empty if there is none with this handle."""
        return next((each for each in self._fundamental if each["handle"] == handle), dict[str, Any]())

    def list_assumptions(self, handle: str) -> tuple[str, ...]:
        """Return what an option counts on, as people said it, without stops at the end."""
        options = find_values(self.results.get("alternatives"), "alternatives[]")
        told = next((each.get("assumptions", ()) for each in options if each["handle"] == handle), ())
        return tuple(each.rstrip(".") for each in told)

    def counts_on_more(self, one: str, other: str) -> bool:
        """Return True if one option counts on something that the other one does not count on."""
        return is_conditional(Verdicts(counts_on=self._counts_on), one, other)

    def list_better(self, one: str, other: str, tradeoffs: Draft) -> tuple[str, ...]:
        """Return the objectives that people left out and on which `one` is better by its rating or by its amount."""
        table, found = self.rated, self.analyse_by(tradeoffs)
        rated = [each.objective for each in compare_pair(table, one, other).better] if table else []
        measured = self.measured.find_worse(other, one)
        return tuple(each for each in (found.left_out if found else ()) if each in rated or each in measured)

    @cached_property
    def measured(self) -> MeasuredTable:
        """Return the approved amounts."""
        return self._build_measured(self.results.get("consequences", {}))

    def collect(self, consequences: Draft) -> dict[str, Collected]:
        """Return the amounts of each objective, in one unit where they can be converted.

        An amount of before is left out: whether it still holds is unknown.
        """
        said = {each["handle"]: each.get("performance_measure", {}) for each in self._fundamental}
        given: dict[str, dict[At, Amount]] = {each: {} for each in said}
        for handle, measure in said.items():
            if self.baseline and "baseline" in measure:
                given[handle][self.baseline, handle] = Amount(float(measure["baseline"]), measure.get("units", ""))
        for each in find_values(consequences, "table.cells[]"):
            at = find_place(each)
            if "quant_value" in each and at[1] in given and not is_of_before(each):
                given[at[1]][at] = Amount(float(each["quant_value"]), each.get("quant_unit", ""))
        return {handle: collect_amounts(given[handle], measure.get("units", "")) for handle, measure in said.items()}

    @cached_property
    def _fundamental(self) -> list[Mapping[str, Any]]:
        return find_values(self.results.get("objectives"), "fundamental_objectives[]")

    @cached_property
    def _measures(self) -> dict[str, Measure]:
        found = ((each["handle"], build_measure(each.get("performance_measure", {}))) for each in self._fundamental)
        return {handle: measure for handle, measure in found if measure}

    @cached_property
    def analysis(self) -> Analysis | None:
        """Return the analysis of the approved ratings by the approved verdicts; None while there are none."""
        return self.analyse_by(self.results.get("tradeoffs", {}))

    def analyse_by(self, tradeoffs: Draft) -> Analysis | None:
        """Return the analysis of the approved ratings by these verdicts."""
        table = self.rated
        if table is None or "consequences" not in self.results:
            return None
        verdicts = replace(read_verdicts(tradeoffs), counts_on=self._counts_on)
        if verdicts not in self._analyses:
            self._analyses[verdicts] = analysis.analyse(table, self.measured, verdicts)
        return self._analyses[verdicts]

    def map_counted(self, tradeoffs: Draft) -> dict[str, bool]:
        """Return the options that people left out and that count all the same, each with why.

        It is True for the one that ratings compare with. The others count because too few would stay.
        """
        found, named = self.analyse_by(tradeoffs), find_values(tradeoffs, "dropped_alternatives[].alternative_id")
        counted = (each for each in self.alternatives if found and each in named and each not in found.dropped)
        return {each: each == self.compared_with for each in counted}

    @cached_property
    def _counts_on(self) -> frozenset[tuple[str, str]]:
        options = find_values(self.results.get("alternatives"), "alternatives[]")
        return frozenset((each["handle"], normalize(text)) for each in options for text in each.get("assumptions", ()))

    @cached_property
    def _analyses(self) -> dict[Verdicts, Analysis]:
        """Hold what was computed: a sheet, its rules and its draft ask for the same analysis."""
        return {}

    @cached_property
    def weighed(self) -> swing.WeighedTable | None:
        """Return the options left, valued by people's approved swing points."""
        return self.weigh(self.results.get("tradeoffs", {}))

    def weigh(self, tradeoffs: Draft) -> swing.WeighedTable | None:
        """Return the options left, valued by these swing points; None if points are missing for a range of now."""
        found = self.analyse_by(tradeoffs)
        if found is None:
            return None
        try:
            return swing.weigh(found.left, self.select_points(tradeoffs), found.given_up)
        except InvalidInput:
            return None

    def select_points(self, tradeoffs: Draft) -> dict[str, int]:
        """Return the swing points that count, by objective: those given for the ranges of the approved ratings."""
        given = (read_points(each) for each in find_values(tradeoffs, "swing_weights[]") if "points" in each)
        found = self.analyse_by(tradeoffs)
        return swing.select_points(given, found.swings if found else ())

    @cached_property
    def standing(self) -> Standing:
        """Return which option stands out, or what keeps the leader from it."""
        return analysis.find_standing(self.analysis, self.weighed) if self.analysis else Standing(None)

    @property
    def standout(self) -> Standout | None:
        """Return the option that may be named first."""
        return self.standing.standout

    @cached_property
    def firmness(self) -> Firmness | None:
        """Return how firm the lead is, with people's approved swing points; None without a full table."""
        return self.firmness_by(self.results.get("tradeoffs", {}))

    def firmness_by(self, tradeoffs: Draft) -> Firmness | None:
        """Return how firm the lead is with these swing points and verdicts; None without a full table."""
        found = self.analyse_by(tradeoffs)
        if found is None:
            return None
        points = self.select_points(tradeoffs)
        asked = read_verdicts(tradeoffs), tuple(sorted(points.items()))
        if asked not in self._firmnesses:
            self._firmnesses[asked] = find_firmness(found.included, found.swings, points)
        return self._firmnesses[asked]

    @cached_property
    def _firmnesses(self) -> dict[tuple[Verdicts, tuple[tuple[str, int], ...]], Firmness | None]:
        """Hold what was computed, as with the analyses. Two threads at worst compute the same twice."""
        return {}

    def order_by(self, tradeoffs: Draft) -> ValueOrder | None:
        """Return the order that amounts give to the options left, with these swing points; None without amounts."""
        found = self.analyse_by(tradeoffs)
        if found is None:
            return None
        measured = self.measured.regarding(found.table.objectives)
        return compare_orders(found.left, measured, found.swings, self.select_points(tradeoffs))

    def imagined_by(self, tradeoffs: Draft) -> ImaginedTable | None:
        """Return the amounts of the options left after these even swaps; None if there are none."""
        found, given = self.analyse_by(tradeoffs), [read_swap(each) for each in find_values(tradeoffs, "even_swaps[]")]
        return imagine(found.left, self.measured.regarding(found.table.objectives), given) if found and given else None

    def check_swaps(self, tradeoffs: Draft) -> Iterator[tuple[Mapping[str, Any], bool]]:
        """Yield each even swap, and whether it starts from the amounts that the table and the swaps before it give."""
        measured = self.measured
        for each in find_values(tradeoffs, "even_swaps[]"):
            try:
                measured = apply_swap(measured, read_swap(each))
            except InvalidInput:
                yield each, False
            else:
                yield each, True

    @cached_property
    def doubts(self) -> tuple[tuple[str, str, str], ...]:
        """Return the doubts that may change who leads, the most telling first: alternative, objective and cause.

        While ratings are missing, these are all doubtful ratings of options left.
        """
        cells = map_cells(self.results.get("consequences", {}))
        causes = {at: find_value(each, "uncertainty.driver") or "" for at, each in cells.items()}
        if self.firmness:
            places = [each.at for each in self.firmness.doubts if not each.idle]
        else:
            left = self.analysis.dominance.left if self.analysis else ()
            places = [at for at, each in cells.items() if is_doubtful(each) and at[0] in left]
        return tuple((*at, causes.get(at, "")) for at in places)


def list_rated(so_far: DecisionRecord) -> list[Mapping[str, Any]]:
    """Return the approved ratings of options and objectives that are still there, without the status quo's."""
    cells = find_values(so_far.results.get("consequences"), "table.cells[]")
    options = {*so_far.alternatives} - {so_far.compared_with}
    return [each for each in cells if each["alternative_id"] in options and each["objective_id"] in so_far.objectives]
