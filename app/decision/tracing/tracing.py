"""Tracing of a draft's numbers and dates to somebody who said them, to an approved step, or to the server.

Ratings are cells of their own and are left out. So are values that the server computes, and quotes, which are checked
word by word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

from app.core.copy.draft_editing import name_field
from app.core.state.interview import UnsaidFigure
from app.core.text.labels import join_words
from app.decision.record import DecisionRecord
from app.decision.schema.days import format_day
from app.decision.schema.findings import Remark
from app.decision.schema.outline import GIVEN_FOR
from app.decision.schema.paths import Draft, find_value, find_values, is_list, is_object, omit, read_name, walk_lists
from app.decision.schema.terms import name_element
from app.decision.tracing.combined import CombinedFigures
from app.decision.tracing.figures import Amount, Day, Figure, find_sentence, read_figures
from app.decision.tracing.said import SaidFigures, Statement, find_currencies

_RATINGS: Final = ("rating", "rating_range", "in_a_year", "uniform_rating", "former")
_COMPUTED: Final = ("net_score", "steps", "worst", "best", "rank", "overall_score", *GIVEN_FOR)
_NAMES: Final = ("handle", "quote", "message_id", "table.baseline_id")
LEFT_OUT: Final = frozenset((*_RATINGS, *_COMPUTED, *_NAMES))
"""Fields that state no amount of their own. Those that end in `_id` or `_ids` name something, too."""

AROUND: Final = 40
"""Characters shown on each side of a figure."""
_UNITS: Final = ("quant_unit", "units", "unit")
UNITS: Final = "units"
"""The field of a measure that can name a currency without an amount."""
LEVELS: Final = "scale_levels"
"""The list of the steps of people's own scale. Those that only count on from the first to the last state nothing."""
_SCORE: Final = "score"
"""The field of an element of quality, which has a name and no handle."""
DRAWN: Final = ("synthesis", "sensitivity_notes")
"""Fields in which the model describes what other steps have found."""
_POINTS: Final = "points"
"""The field of swing points, which is their unit as well."""
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_COUNTED: Final = re.compile(
    r"[ ](?:of (?:the )?\d+ )?(?:other |remaining |open |more )?(?:points?|"
    r"(?:option|alternative|objective|uncertaint|action|question|decision|rating|element)(?:y|ies|s)?)\b"
)
_OF_POINTS: Final = re.compile(r"\bpoints\b", re.IGNORECASE)
_SIGNS: Final = "+-−±"
UNWATCHED: Final = "Your decision speaks of {day}, and no step or trigger does. Who looks at it then?"
NOT_SAID: Final = "Nobody named this date, so it was left out: {date} ({where})."


@dataclass(frozen=True, slots=True)
class _Names:
    """The names by which people know items, and the units of objectives."""

    so_far: DecisionRecord | None = None

    def find_name(self, item: Mapping[str, Any]) -> str:
        """Return the name of an item, or of what it is about; empty if it has neither."""
        if "handle" in item:
            return f"{item['handle']} {read_name(item)}".strip()
        if _SCORE in item:
            return name_element(read_name(item))
        about = [str(item[name]) for name in ("alternative_id", "objective_id") if name in item]
        return ", ".join(map(self.so_far.label, about) if self.so_far else about)

    def find_unit(self, holder: Mapping[str, Any], key: Any) -> str:
        """Return the unit that stands beside an amount, or that of its objective's measure."""
        if key == _POINTS:
            return _POINTS
        given = next((str(holder[name]) for name in _UNITS if name in holder), "")
        return given or find_value(self._find_objective(holder), "performance_measure.units") or ""

    def name_things(self, holder: Mapping[str, Any], unit: str) -> str:
        """Return the words in which people may say what an amount of this unit counts: "missed", of calls."""
        objective = self._find_objective(holder if unit != _POINTS else {})
        return f"{unit} {find_value(objective, 'performance_measure.metric') or ''} {read_name(objective)}".strip()

    def _find_objective(self, holder: Mapping[str, Any]) -> Mapping[str, Any]:
        if self.so_far is None or "objective_id" not in holder:
            return {}
        return self.so_far.find_objective(holder["objective_id"])


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value of a draft that can hold figures, and the name of what it belongs to."""

    holder: Any
    key: Any
    about: str
    text: str
    unit: str = ""
    """What an amount counts, if it has a unit."""
    things: str = ""
    """The same with other words for it: those of the objective and its measure."""

    def is_amount(self, figure: Figure) -> bool:
        """Return True if a figure is the whole value, and not one within words."""
        return figure.text == self.text or not isinstance(self.holder[self.key], str)


Rule = Callable[[Figure, Leaf], bool]


@dataclass(frozen=True, slots=True)
class TracedFigures:
    """The figures of a draft that nobody said as they stand there."""

    unsaid: tuple[UnsaidFigure, ...]
    """Those that follow from nothing that was said, each once."""
    sums: tuple[str, ...]
    """Equations of the others, each once."""


def trace_figures(
    draft: Mapping[str, Any], said: SaidFigures, so_far: DecisionRecord, rule: Rule | None = None, files: str = ""
) -> TracedFigures:
    """Return the figures of a draft that are not in `said` and that the server did not compute, and other currencies.

    For a draft from files alone, its own `rule` says which figures are known, and `files` names them.
    """
    computed, combined = _list_computed(draft, so_far), CombinedFigures(draft, said, so_far)
    unsaid, sums = dict[tuple[str, str], UnsaidFigure](), list[str]()
    scored = dict[tuple[str, str], list[str]]()
    for leaf in _walk(draft, "", _Names(so_far)):
        for currency in find_currencies(leaf.text) if leaf.key == UNITS and not rule else ():
            if said.speaks_of_other_money(currency):
                unsaid.setdefault((currency.casefold(), ""), UnsaidFigure(text=currency, where=leaf.about))
        for figure in read_figures(leaf.text):
            is_known = rule(figure, leaf) if rule else said.knows(figure, leaf.things) or _is_step_said(leaf, said)
            if not figure.is_stated or is_known or _is_computed(figure, leaf.text, computed):
                continue
            if combined.is_factor(figure, leaf.text):
                continue
            if equation := "" if rule and leaf.is_amount(figure) else _find_equation(combined, figure, leaf):
                sums.append(equation)
            else:
                found = UnsaidFigure(text=figure.text, where=_describe_place(leaf, figure), files=files)
                key = found.text.casefold(), found.where if files else ""
                unsaid.setdefault(key, found)
                scored.setdefault(key, []).extend([leaf.about] if leaf.key == _SCORE else [])
    told = (
        replace(each, where=join_words(scored[key], 1)) if scored.get(key, ())[1:] else each
        for key, each in unsaid.items()
    )
    return TracedFigures(tuple(told), tuple(dict.fromkeys(sums)))


def _is_step_said(leaf: Leaf, said: SaidFigures) -> bool:
    """Return True for the end of a swap whose step was said: with "20,000 a year", 50 kEUR become 70."""
    ends = [leaf.holder.get(name) for name in ("from", "to")] if leaf.key == "to" else []
    if not ends or not all(isinstance(each, int | float) for each in ends):
        return False
    step = abs(Decimal(str(ends[1])) - Decimal(str(ends[0])))
    as_told = read_figures(f"{step} {leaf.unit}")
    whole = [each for figure in as_told for amount in figure.amounts for each in read_figures(str(amount.total[1]))]
    return any(said.knows(each, leaf.things) for each in (*as_told, *whole))


def _find_equation(combined: CombinedFigures, figure: Figure, leaf: Leaf) -> str:
    """Return what a figure is made of; an amount beside a rating is no difference of others."""
    told = combined.find_said(figure, leaf.text, leaf.about)
    is_text = isinstance(leaf.holder[leaf.key], str)
    told = told or (combined.find_difference(figure, leaf.text, leaf.holder) if is_text else "")
    return told or combined.find_product(figure, leaf.text, leaf.holder)


def list_figures(data: Any) -> frozenset[str]:
    """Return the figures of a draft as they stand there."""
    leaves = _walk(data, "", _Names())
    return frozenset(figure.text for leaf in leaves for figure in read_figures(leaf.text) if figure.is_stated)


def list_statements(data: Any) -> Iterator[Statement]:
    """Yield the texts and amounts of an approved result, which count as said."""
    yield from (Statement(leaf.text) for leaf in _walk(data, "", _Names()))


def list_approved(so_far: DecisionRecord) -> Iterator[Statement]:
    """Yield the same of all approved results of the decision.

    What the step's own version before drew from the others counts only as far as they still hold it.
    """
    for each in (*so_far.results.values(), omit(so_far.before, *DRAWN), *so_far.later.values()):
        yield from list_statements(each)


def find_unwatched(draft: Mapping[str, Any], so_far: DecisionRecord) -> Iterator[Remark]:
    """Ask who looks at a day that the decision depends on, unless a step, a trigger or something open names it.

    A month without its year is no day, and today needs nobody: "we decided it on 28 November, to move in March".
    """
    words = find_value(draft, "decision.in_the_users_words") or ""
    named = [
        *(f"{each['action']} {each.get('due_date', '')}" for each in find_values(draft, "planned_actions[]")),
        *(each for path in ("revisit_triggers[]", "open_questions[]") for each in find_values(draft, path)),
        *find_values(so_far.results.get("recommendation"), "remaining_uncertainties[].by_when"),
        find_value(so_far.results.get("problem_frame"), "focal_decision.deadline") or "",
        so_far.today,
    ]
    known = SaidFigures.of(Statement(str(each)) for each in named)
    for figure in read_figures(words):
        day = figure.text.rstrip(".")
        is_day = any(isinstance(each, Day) and each.month and (each.day or each.year) for each in figure.readings)
        if is_day and not known.knows(figure):
            yield Remark(UNWATCHED.format(day=day), about=[(day.casefold(),)], rule="unwatched")


def remove_unsaid_dates(draft: Draft, said: SaidFigures, so_far: DecisionRecord) -> tuple[Draft, tuple[Remark, ...]]:
    """Return the draft without fields that hold a date which nobody named, and a remark on each.

    A date is never invented: its field stays open, and people are asked.
    """
    draft, remarks = deepcopy(draft), list[Remark]()
    for leaf in list(_walk(draft, "", _Names(so_far))):
        is_date = is_object(leaf.holder) and _DATE.fullmatch(leaf.text)
        if is_date and not all(map(said.knows, read_figures(leaf.text))):
            del leaf.holder[leaf.key]
            remarks.append(Remark(NOT_SAID.format(date=format_day(leaf.text), where=leaf.about)))
    return draft, tuple(remarks)


def walk_leaves(data: Any, so_far: DecisionRecord) -> Iterator[Leaf]:
    """Yield the texts and amounts of a draft in order."""
    yield from _walk(data, "", _Names(so_far))


def _walk(data: Any, about: str, names: _Names, key: Any = "", holder: Any = None) -> Iterator[Leaf]:
    if is_object(data):
        about = names.find_name(data) or about
        for name, each in data.items():
            if name not in LEFT_OUT and not name.endswith(("_id", "_ids")):
                yield from _walk(each, about, names, name, data)
    elif is_list(data):
        for place, each in _list_stating(data, key):
            yield from _walk(each, about or name_field(str(key)), names, place, data)
    elif isinstance(data, str):
        yield Leaf(holder, key, about or name_field(str(key)), data)
    elif isinstance(data, int | float) and not isinstance(data, bool):
        unit = names.find_unit(holder, key) if is_object(holder) else ""
        things = names.name_things(holder, unit) if unit else ""
        amount = f"{abs(Decimal(str(data))).normalize():,f} {unit}".strip()
        yield Leaf(holder, key, about or name_field(str(key)), amount, unit, things)


def _list_stating(data: Sequence[Any], key: Any) -> Iterator[tuple[int, Any]]:
    """Yield the places of a list and what stands there, without the bare steps between the ends of a scale."""
    between = range(1, len(data) - 1) if key == LEVELS else ()
    yield from ((place, each) for place, each in enumerate(data) if place not in between or not str(each).isdecimal())


def _describe_place(leaf: Leaf, figure: Figure) -> str:
    start, end = max(0, figure.start - AROUND), min(len(leaf.text), figure.end + AROUND)
    begun = leaf.text.find(" ", start, figure.start) + 1 if start else 0
    ended = leaf.text.rfind(" ", figure.end, end) if end < len(leaf.text) else end
    words = leaf.text[begun or start : ended if ended > 0 else end].strip()
    if words == figure.text or words in leaf.about:
        return leaf.about
    return f"{leaf.about}: {'… ' if start else ''}{words}{' …' if end < len(leaf.text) else ''}"


def _list_computed(draft: Mapping[str, Any], so_far: DecisionRecord) -> Mapping[str, frozenset[Decimal]]:
    """Return the numbers that the server knows: sums of ratings, sizes of lists, and values in points."""
    results = (draft, so_far.before, *so_far.results.values())
    sizes = {Decimal(len(listed)) for each in results for _, listed in walk_lists(each)}
    scores = so_far.analysis.scores if so_far.analysis else ()
    nets = {Decimal(abs(each.net)) for each in scores if each.net is not None}
    weighed = so_far.weighed.values.values() if so_far.analysis and so_far.weighed else ()
    points = {Decimal(str(round(each))) for each in weighed}
    return {"counted": frozenset(sizes | points), "signed": frozenset(nets), "points": frozenset(points)}


def _is_computed(figure: Figure, text: str, computed: Mapping[str, frozenset[Decimal]]) -> bool:
    values = {each.value for each in figure.readings if isinstance(each, Amount) and not each.unit}
    if figure.text[0] in _SIGNS:
        return not values.isdisjoint(computed["signed"])
    if not values.isdisjoint(computed["points"]) and _OF_POINTS.search(find_sentence(text, figure)):
        return True
    return not values.isdisjoint(computed["counted"]) and _COUNTED.match(text, figure.end) is not None
