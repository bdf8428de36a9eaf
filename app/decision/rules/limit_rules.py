"""Limits of the frame against the newest amounts: which options are beyond one, and whether that is certain.

A limit is compared with the amounts of an objective if both have one unit. That it speaks of that objective is certain
if they share a word, if the objective is the only one with such a unit and the limit names nothing else but people, or
if people said so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Final, TypeAlias

from app.core.text.labels import join_words
from app.decision.analysis.amounts.bounds import Bound, WrittenAmount, read_bounds, read_written_amounts
from app.decision.analysis.amounts.collecting import Collected
from app.decision.analysis.amounts.units import convert, find_kind, split_period
from app.decision.analysis.ratings import At
from app.decision.record import DecisionRecord
from app.decision.rows import find_place
from app.decision.rules.written_amounts import find_range, find_rated, find_subjects, name_objective
from app.decision.schema.findings import Finding, Remark
from app.decision.schema.paths import Draft, find_value, find_values
from app.decision.schema.similarity import normalize
from app.decision.schema.terms import format_amount

CONSTRAINTS: Final = "focal_decision.constraints[]"
GIVES_WAY: Final = "Which gives way: the limit “{limit}” on {objective}, or {options}?"
"""The question about a limit that is surely broken. The card says so itself, as long as it is."""
ALLOWED: Final = MappingProxyType(
    {
        (True, False): "at most {amount}",
        (True, True): "must be under {amount}",
        (False, False): "at least {amount}",
        (False, True): "must be over {amount}",
    }
)
"""What a limit allows, by whether it is an upper one, and whether it is strict."""
CHECK: Final = "Does the limit “{limit}” speak of {objective}? Then {options} {verb} it."

UNLIKE: Final = (
    "The limit “{limit}” cannot be compared with the amounts on {objective}, which are in {unit}. What does it allow "
    "in {unit}? Say it in Problem frame, or give the amounts in its unit."
)

_SECOND: Final = "second"
WITHIN: Final = "{amount}, of {low} to {high}"
"""An amount with the range in which people said that it lies."""
_REASONS: Final = ("rationale", "uncertainty.driver", "source")
"""Fields of a rating that may name the range of its amount."""
_NAME: Final = re.compile(r"[^\W\d_]\w*")


@dataclass(frozen=True, slots=True)
class BeyondLimit:
    """The options whose amounts on an objective are beyond a limit."""

    limit: str
    objective: str
    options: tuple[tuple[str, str], ...]
    """The handle of each, and its amount with the unit."""
    is_certain: bool
    """False if the limit may speak of another thing."""
    allowed: str
    """What it allows, in the unit of the amounts: at most 30,000 EUR."""


@dataclass(frozen=True, slots=True)
class CheckedLimit:
    """A limit with the options that certainly keep it and break it: handle, objective, and amount with the unit."""

    limit: str
    kept: tuple[tuple[str, str, str], ...]
    broken: tuple[tuple[str, str, str], ...]
    open: tuple[tuple[str, str, str], ...]
    """The options whose amount keeps it, and whose range does not: 23 weeks of "20 to 26", with both in place of it."""
    unknown: tuple[str, ...]
    """The options whose amount is not known in this unit, where others' are. Nothing was checked if these four are
    empty.
    """
    noted: tuple[str, ...]
    """The options of which people said that they break it. They are in none of the others."""


def find_beyond(so_far: DecisionRecord, consequences: Draft | None = None) -> tuple[BeyondLimit, ...]:
    """Return what the newest approved amounts are beyond, or those of a draft, limit by limit."""
    compared = _build_comparison(so_far, find_rated(so_far) if consequences is None else consequences)
    return tuple(compared.list_beyond())


def list_kept(so_far: DecisionRecord, option: str) -> Iterator[tuple[str, str, str]]:
    """Yield each limit that an option keeps by its newest approved amount, with the objective and that amount.

    It keeps all that the limit allows there. No other objective fits such a limit, though whether it speaks of this one
    may be open. A limit that people said the option breaks is left out.
    """
    compared = _build_comparison(so_far, find_rated(so_far))
    doubted = compared.list_doubted()
    for limit in find_values(so_far.results.get("problem_frame"), CONSTRAINTS):
        for objective, bounds in compared.list_exact(limit):
            amount = compared.find_kept(option, limit, objective, bounds)
            if amount and (option, limit, objective) not in doubted:
                yield limit, objective, amount


def check_limits(so_far: DecisionRecord, consequences: Draft | None = None) -> Iterator[CheckedLimit]:
    """Yield each limit of the frame with what amounts certainly say of the options: approved ones, or a draft's.

    The status quo is left out. What people said of an option stands in place of what its amount says.
    """
    compared = _build_comparison(so_far, find_rated(so_far) if consequences is None else consequences)
    doubted = compared.list_doubted()
    for limit in find_values(so_far.results.get("problem_frame"), CONSTRAINTS):
        rated = [each for each in so_far.alternatives if each != so_far.baseline]
        options = [each for each in rated if not compared.is_settled(each, limit)]
        certain = [each for each in compared.list_exact(limit) if compared.fits(limit, *each)]
        found = (
            (option, objective, compared.judge(option, objective, bounds))
            for objective, bounds in certain
            for option in options
        )
        judged = [(option, objective, *each) for option, objective, each in found if each]
        sure = [each for each in judged if not (each[2] and (each[0], limit, each[1]) in doubted)]
        kept, broken, unclear = (
            tuple((option, objective, amount) for option, objective, is_kept, amount in sure if is_kept is told)
            for told in (True, False, None)
        )
        yield CheckedLimit(
            limit,
            kept,
            broken,
            unclear,
            tuple(each for each in options if certain and each not in {option for option, *_ in judged}),
            tuple(each for each in rated if each not in options),
        )


def is_same_limit(one: str, other: str) -> bool:
    """Return True if two texts word the same limit: they are alike, or name the same number."""
    numbers = [{each.number for each in read_written_amounts(text)} for text in (one, other)]
    return normalize(one) == normalize(other) or not numbers[0].isdisjoint(numbers[1])


def limits_kept(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about an amount beyond a limit: if the option or the limit gives way, or if the limit speaks of it at all.

    Ask what a limit allows that is in another currency or unit.
    """
    for each in find_beyond(so_far, draft):
        options = join_words([f"{so_far.label(option)} ({amount})" for option, amount in each.options])
        verb = "breaks" if len(each.options) == 1 else "break"
        form = GIVES_WAY if each.is_certain else CHECK
        yield Remark(
            form.format(options=options, verb=verb, limit=each.limit, objective=so_far.label(each.objective)),
            about=[(normalize(each.limit), each.objective, *option) for option in each.options],
        )
    compared = _build_comparison(so_far, draft)
    for limit, objective in dict.fromkeys(compared.list_unlike()):
        unit = compared.amounts[objective].unit
        text = UNLIKE.format(limit=limit, objective=so_far.label(objective), unit=unit)
        yield Remark(text, about=[(normalize(limit), objective, unit)])


_Bounds: TypeAlias = tuple[tuple[Bound, float], ...]
"""What a limit allows in the unit of one objective, each with its number in that unit; never empty."""


@dataclass(frozen=True)
class _Comparison:
    """Limits against amounts."""

    so_far: DecisionRecord
    rated: Draft
    amounts: Mapping[str, Collected]
    meant: Mapping[tuple[str, str], bool]
    """What people said of a limit and an objective."""

    @cached_property
    def ranges(self) -> Mapping[At, tuple[float, float]]:
        """Return the ranges in which people said that amounts lie."""
        return dict(_list_ranges(self.rated, self.amounts))

    def list_pairs(self) -> Iterator[tuple[str, Bound, str]]:
        """Yield each limit of the frame and what it allows, with each objective."""
        for limit in find_values(self.so_far.results.get("problem_frame"), CONSTRAINTS):
            for bound in read_bounds(limit):
                yield from ((limit, bound, objective) for objective in self.amounts)

    def list_exact(self, limit: str) -> Iterator[tuple[str, _Bounds]]:
        """Yield each objective whose unit a limit names, with all that it allows there, in that unit."""
        bounds = tuple(read_bounds(limit))
        for objective in self.amounts:
            found = ((each, self._read(each, objective)) for each in bounds)
            if exact := tuple((each, most) for each, most in found if most is not None):
                yield objective, exact

    def list_beyond(self) -> Iterator[BeyondLimit]:
        """Yield what is beyond a limit, or may be."""
        yield from filter(None, (self.compare(*each) for each in self.list_pairs()))

    def list_unlike(self) -> Iterator[tuple[str, str]]:
        """Yield each limit with the objective that it speaks of, if it is in another currency or unit than all amounts.

        That is a unit of the same kind: a limit in weeks on what costs money speaks of another thing.
        """
        for limit, bound, objective in self.list_pairs():
            unit, is_meant = self.amounts[objective].unit, self.meant.get((normalize(limit), objective))
            is_one_kind = bound.amount.has_unit and bound.amount.kind == find_kind(unit)
            is_read = bound.amount.read_loosely(unit) is not None or any(self.list_exact(limit))
            is_about = self._is_about(limit, bound, objective) if is_meant is None else is_meant
            if is_about and is_one_kind and not is_read and self.amounts[objective].amounts:
                yield limit, objective

    def list_doubted(self) -> frozenset[tuple[str, str, str]]:
        """Return the options that break a limit on an objective, or may break it: option, limit and objective."""
        beyond = [*self.list_beyond()]
        return frozenset((option, each.limit, each.objective) for each in beyond for option, _ in each.options)

    def find_kept(self, option: str, limit: str, objective: str, bounds: _Bounds) -> str:
        """Return the option's amount if the limit fits this objective and allows it; empty otherwise."""
        is_meant, judged = self.meant.get((normalize(limit), objective)), self.judge(option, objective, bounds)
        if judged is None or is_meant is False or not judged[0]:
            return ""
        is_time = convert(1, self.amounts[objective].unit, _SECOND) is not None  # hours of work are not of waiting
        is_alone = self._is_alone(bounds[0][0], objective) and not is_time
        is_fit = is_meant or is_alone or self._is_about(limit, bounds[0][0], objective)
        return judged[1] if is_fit and not self.is_settled(option, limit) else ""

    def fits(self, limit: str, objective: str, bounds: _Bounds) -> bool:
        """Return True if it is certain that the limit speaks of this objective."""
        is_meant = self.meant.get((normalize(limit), objective))
        return self._is_about(limit, bounds[0][0], objective) if is_meant is None else is_meant

    def judge(self, option: str, objective: str, bounds: _Bounds) -> tuple[bool | None, str] | None:
        """Return whether the option's amount keeps all of these bounds, and the amount; None if that is unknown.

        Whether it keeps them is None, and its range stands with the amount, if an end of that does not.
        """
        unit, amount = self.amounts[objective].unit, self.amounts[objective].amounts.get((option, objective))
        if amount is None:
            return None
        told, (low, high) = format_amount(amount, unit), self.ranges.get((option, objective), (amount, amount))
        is_kept, *ends = (all(bound.allows(each, most) for bound, most in bounds) for each in (amount, low, high))
        if is_kept and not all(ends):
            return None, WITHIN.format(amount=told, low=format_amount(low), high=format_amount(high, unit))
        return is_kept, told

    def compare(self, limit: str, bound: Bound, objective: str) -> BeyondLimit | None:
        """Return the options beyond the limit on this objective; None if there are none, or the units are unlike."""
        unit, is_meant = self.amounts[objective].unit, self.meant.get((normalize(limit), objective))
        exact = self._read(bound, objective)
        most = exact if exact is not None else bound.amount.read_loosely(unit)
        if most is None or is_meant is False:
            return None
        is_certain = is_meant or (exact is not None and self._is_about(limit, bound, objective))
        if not is_certain and _is_other_time(bound.amount, unit, most):
            return None
        beyond = {
            at[0]: format_amount(amount, unit)
            for at, amount in self.amounts[objective].amounts.items()
            if not bound.allows(amount, most)
        }
        if not is_certain:
            beyond = {each: amount for each, amount in beyond.items() if not self.is_settled(each, limit)}
        allowed = ALLOWED[bound.is_upper, bound.is_strict].format(amount=format_amount(most, unit))
        return BeyondLimit(limit, objective, tuple(beyond.items()), is_certain, allowed) if beyond else None

    def _is_about(self, limit: str, bound: Bound, objective: str) -> bool:
        """Return True if both share a word, or the limit names nothing and no other objective has such a unit."""
        people = {word for name in _list_people(self.so_far) for word in _find_proper(name)}
        topics = find_subjects(_NAME.sub(lambda word: "" if word[0] in people else word[0], limit))
        name, metric = name_objective(objective, self.so_far)
        named = find_subjects(f"{name} {metric}")
        return bool(topics & named) or (not topics and self._is_alone(bound, objective))

    def _read(self, bound: Bound, objective: str) -> float | None:
        """Return what a limit allows in the unit of the amounts, whose period the measure may tell: "cost a year"."""
        unit = self.amounts[objective].unit
        period = split_period(name_objective(objective, self.so_far)[1])[1].rpartition("/")[2]
        is_told = not split_period(unit)[1] and convert(1, period, _SECOND) is not None
        exact = bound.amount.read_in(unit)
        return bound.amount.read_in(f"{unit} per {period}") if exact is None and is_told else exact

    def _is_alone(self, bound: Bound, objective: str) -> bool:
        """Return True if no other objective has the unit of the limit."""
        alike = [each for each in self.amounts if self._read(bound, each) is not None]
        return alike == [objective]

    def is_settled(self, option: str, limit: str) -> bool:
        """Return True for the status quo, and if people noted that the option breaks the limit."""
        options = find_values(self.so_far.results.get("alternatives"), "alternatives[]")
        noted = (text for each in options if each["handle"] == option for text in each.get("broken_limits", ()))
        return option == self.so_far.baseline or any(is_same_limit(text, limit) for text in noted)


def _build_comparison(so_far: DecisionRecord, rated: Draft) -> _Comparison:
    limits, amounts = find_values(so_far.results.get("problem_frame"), CONSTRAINTS), so_far.collect(rated)
    return _Comparison(so_far, rated, amounts, _read_checks(rated, limits))


def _list_ranges(rated: Draft, amounts: Mapping[str, Collected]) -> Iterator[tuple[At, tuple[float, float]]]:
    """Yield the range of each amount whose reason, doubt or source gives one that holds it: "20 to 26 weeks"."""
    for cell in find_values(rated, "table.cells[]"):
        collected, at = amounts.get(cell["objective_id"]), find_place(cell)
        amount = collected.amounts.get(at) if collected else None
        for text in (find_value(cell, name) for name in _REASONS):
            if collected and amount is not None and text and (found := find_range(amount, text, collected.unit)):
                yield at, found


def _is_other_time(amount: WrittenAmount, unit: str, most: float) -> bool:
    """Return True for times in unlike units: months until a start, and hours of a shift."""
    return convert(1, unit, _SECOND) is not None and most != amount.number


def _list_people(so_far: DecisionRecord) -> Iterator[str]:
    """Yield the names of the people whom the frame names: one of them stands behind a limit who has set it."""
    frame = so_far.results.get("problem_frame")
    yield from (each["name"] for each in find_values(frame, "parties[]"))
    yield find_value(frame, "decision_maker.name") or ""


def _find_proper(name: str) -> list[str]:
    """Return the words of a name that are written large, but for one that only begins it: *Works council*."""
    words = _NAME.findall(name)
    begins = len(words) > 1 and not words[1][0].isupper()
    return [each for each in words[begins:] if each[0].isupper()]


def _read_checks(consequences: Draft, limits: Iterable[str]) -> dict[tuple[str, str], bool]:
    """Return what people said about which objective a limit speaks of.

    A limit may be noted in other words than the frame's if only one limit can be meant.
    """
    known, meant = [*dict.fromkeys(map(normalize, limits))], dict[tuple[str, str], bool]()
    for each in find_values(consequences, "limit_checks[]"):
        exact = [limit for limit in known if limit == normalize(each["limit"])]
        alike = exact or [limit for limit in known if is_same_limit(limit, each["limit"])]
        if len(alike) == 1:
            meant[alike[0], each["objective_id"]] = each["applies"]
    return meant
