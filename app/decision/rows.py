"""Rows of drafts as the analysis reads them: cells of the table, measures, points, swaps, verdicts and scores."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from app.decision.analysis import swing
from app.decision.analysis.amounts.bounds import read_target
from app.decision.analysis.measures import Direction, Measure
from app.decision.analysis.quality import Element, Quality, judge_quality
from app.decision.analysis.ratings import BEST, WHOLE, WORST, At, Cell, Span, Steps
from app.decision.analysis.standing.verdicts import Kept, NotWorth, SetAside, Verdicts
from app.decision.analysis.swaps import EvenSwap
from app.decision.schema.paths import Draft, find_value, find_values
from app.decision.schema.terms import format_amount

SUGGESTED: Final = "ai_suggested"
"""Origin of the model's own ideas."""
DOUBTFUL: Final = ("medium", "high")
BY_PEOPLE: Final = ("redundant", "user_dismissed")
"""Reasons of people to leave out an objective although it varies."""


def find_place(cell: Mapping[str, Any]) -> At:
    """Return the place of a draft's cell in the table."""
    return cell["alternative_id"], cell["objective_id"]


def map_cells(consequences: Draft) -> dict[At, Mapping[str, Any]]:
    """Return the cells of a draft's table by their places."""
    return {find_place(each): each for each in find_values(consequences, "table.cells[]")}


def name_cause(at: At) -> str:
    """Return the place of what the doubt of a rating comes from, by handles: `A2:O1.driver`."""
    return f"{':'.join(at)}.driver"


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


WHOLE_SCALE: Final[Mapping[str, int]] = MappingProxyType({"low": WORST, "high": BEST})
"""The range of a rating that nobody knows."""


def is_doubtful(cell: Mapping[str, Any]) -> bool:
    """Return True if the doubt is medium or high, nobody knows the rating, or a range of several has no level."""
    level, span = find_value(cell, "uncertainty.level"), find_range(cell)
    return level in DOUBTFUL or is_unknown(cell) or (level is None and span is not None and span[0] < span[1])


def read_span(cell: Mapping[str, Any]) -> Mapping[str, int]:
    """Return the lowest and highest rating that people gave, in steps; empty without either or if they are one."""
    span: Mapping[str, int] = cell.get("rating_range", {})
    return span if {"low", "high"} <= span.keys() and span["low"] < span["high"] else {}


def is_unknown(cell: Mapping[str, Any]) -> bool:
    """Return True if nobody knows the rating: each step is possible, and the one given only holds its place."""
    return cell.get("rating_range") == WHOLE_SCALE


def is_of_before(cell: Mapping[str, Any]) -> bool:
    """Return True if the rating has changed since the amount beside it was given or confirmed."""
    given_for = cell.get("amount_for", {})
    is_same = given_for.get("amount") == cell.get("quant_value")
    return "quant_value" in cell and is_same and given_for.get("rating") not in (None, cell["rating"])


def note_amount(cell: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return that the amount of a cell was given for its rating; None if nobody knows that rating."""
    return None if is_unknown(cell) else {"rating": cell["rating"], "amount": cell["quant_value"]}


def describe_amount(cell: Mapping[str, Any]) -> str:
    """Return the amount of a draft's cell with its unit; empty if there is none."""
    amount = cell.get("quant_value")
    return "" if amount is None else format_amount(amount, cell.get("quant_unit", ""))


def drifts(cell: Mapping[str, Any]) -> bool:
    """Return True if today's state has a range: it may not last while nobody decides."""
    span = find_range(cell)
    return not cell["rating"] and span is not None and span[0] < span[1]


def find_range(cell: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the range of a draft's cell, up to where it will be in a year; None if there is none with the rating."""
    span: Mapping[str, Any] = cell.get("rating_range", {})
    later = cell.get("in_a_year", cell["rating"])
    match (span.get("low"), span.get("high")):
        case (int(low), int(high)) if WORST <= low <= cell["rating"] <= high <= BEST:
            return min(low, later), max(high, later)
        case _:
            return (min(later, cell["rating"]), max(later, cell["rating"])) if later != cell["rating"] else None


def read_verdicts(tradeoffs: Draft) -> Verdicts:
    """Return what people decided about the findings in a draft of the tradeoffs."""
    beaten = find_values(tradeoffs, "dominated_alternatives[]")
    return Verdicts(
        kept=frozenset(
            Kept(
                each.get("alternative_id", ""), each.get("dominated_by", ""), frozenset(each.get("all_dominators", ()))
            )
            for each in beaten
            if each.get("user_verdict") == "keep"
        ),
        kept_before=frozenset(
            (each.get("alternative_id", ""), by) for each in beaten for by in each.get("kept_beside", ())
        ),
        set_aside=frozenset(
            SetAside(
                each.get("alternative_id", ""), each.get("dominated_by", ""), frozenset(each.get("disputed_on", ()))
            )
            for each in beaten
            if each.get("user_verdict") == "set_aside"
        ),
        left_out=frozenset(
            each["objective_id"]
            for each in find_values(tradeoffs, "irrelevant_objectives[]")
            if each.get("kind") in BY_PEOPLE
        ),
        dropped=frozenset(each["alternative_id"] for each in find_values(tradeoffs, "dropped_alternatives[]")),
        not_worth=frozenset(
            NotWorth(
                each.get("alternative_id", ""),
                each.get("by", ""),
                _read_steps(each, "gives_up"),
                _read_steps(each, "gains"),
            )
            for each in find_values(tradeoffs, "practical_dominance[]")
            if each.get("user_verdict") == "accepted"
        ),
    )


def _read_steps(row: Mapping[str, Any], name: str) -> frozenset[Steps]:
    return frozenset(Steps(each["objective_id"], each["steps"]) for each in row.get(name, ()))


def build_cell(cell: Mapping[str, Any]) -> Cell:
    """Return the rating of a draft's cell for the analysis."""
    span = find_range(cell)
    return Cell(cell["rating"], span, is_doubtful(cell), is_given=span == WHOLE and not is_unknown(cell))


def read_scales(consequences: Draft) -> dict[str, Span]:
    """Return the lowest and highest step by objective, where people gave steps a meaning; 0 always has one.

    An objective of which only 0 has a meaning is left out: that says nothing of the others.
    """
    steps = {
        each["objective_id"]: [step for step in range(WORST, BEST + 1) if str(step) in each or not step]
        for each in find_values(consequences, "table.anchors[]")
    }
    return {objective: (min(found), max(found)) for objective, found in steps.items() if len(found) > 1}


def read_quality(quality: Draft) -> Quality:
    """Return the scorecard of a draft of the quality, in which elements may have no score yet."""
    given = find_values(quality, "elements[]")
    return judge_quality({Element(each["name"]): each["score"] for each in given if "score" in each})


def build_measure(measure: Mapping[str, Any]) -> Measure | None:
    """Return the measure of an objective; None if there is none, or its target is no amount in its unit."""
    way = measure.get("direction", "")
    if way != Direction.TARGET:
        return Measure(Direction(way)) if way in {*Direction} else None
    target = read_target(measure.get("target", ""), measure.get("units", ""))
    return None if target is None else Measure(Direction.TARGET, target)
