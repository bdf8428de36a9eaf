"""What the engine says of a decision: the one module of the oracle that knows it.

What the engine does not offer yet is None, and the comparisons that need it are skipped.
"""

from __future__ import annotations

from dataclasses import fields
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from app.decision.analysis.analysis import Analysis, analyse
from app.decision.analysis.dominance import DominatedOption
from app.decision.analysis.measures import Direction, Measure, MeasuredTable
from app.decision.analysis.ratings import Cell, RatingTable
from app.decision.analysis.swing import WeighedTable, weigh
from tests.unit.decision.oracle import enumeration
from tests.unit.decision.oracle.decisions import Decision

STANDING = "app.decision.analysis.standing"
FIRMNESS = "app.decision.firmness"


def offers(package: str) -> bool:
    """True if the engine has this package."""
    return find_spec(package) is not None


RANGES_COUNT = "certain_by" in {each.name for each in fields(DominatedOption)}
VERDICTS_COUNT = offers(STANDING)


def build_table(decision: Decision) -> RatingTable:
    cells = {at: Cell(each.rating, each.span, each.doubtful) for at, each in decision.rated.items()}
    return RatingTable(decision.options, decision.objectives, cells, decision.today)


def build_measured(decision: Decision) -> MeasuredTable:
    measures = {
        each: Measure(Direction(direction), decision.targets.get(each))
        for each, direction in decision.directions.items()
    }
    return MeasuredTable(measures, decision.amounts)


def compare_amounts(measured: MeasuredTable, one: str, other: str) -> Any:
    """The objectives with a worse amount of `one`; from an older engine, whether it dominates by all amounts."""
    find_worse: Any = getattr(measured, "find_worse", None)
    if find_worse:
        return find_worse(one, other)
    older: Any = import_module("app.decision.analysis.measures")
    return older.dominates_by_measures(measured, one, other)


def analyse_ratings(decision: Decision) -> Analysis:
    """The findings from the ratings alone."""
    return analyse(build_table(decision))


def analyse_whole(decision: Decision) -> Any:
    """The findings with amounts and verdicts."""
    judge: Any = analyse
    return judge(build_table(decision), build_measured(decision), build_verdicts(decision))


def build_verdicts(decision: Decision) -> Any:
    known = import_module(f"{STANDING}.verdicts")
    ratings: Any = import_module("app.decision.analysis.ratings")
    counted = enumeration.counted(decision)
    left = enumeration.undominated(counted, amounts=True)
    left = [each for each in counted.options if each in left or each in decision.kept]
    among = enumeration.among(counted, left)
    not_worth = set[Any]()
    for option, by in enumeration.practical(among) if decision.gives_up else ():
        ahead = enumeration.steps_between(among, by, option)
        lost = frozenset(ratings.Steps(each, -steps) for each, steps in ahead.items() if steps < 0)
        gained = frozenset(ratings.Steps(each, steps) for each, steps in ahead.items() if steps > 0)
        not_worth.add(known.NotWorth(option, by, lost, gained))
    return known.Verdicts(kept=decision.kept, left_out=decision.left_out, not_worth=frozenset(not_worth))


def weigh_left(decision: Decision, left: tuple[str, ...]) -> WeighedTable | None:
    """The options left by the points; None if no swing has 100, or a cell is missing."""
    table = build_table(decision).among(left)
    part = enumeration.among(decision, left)
    given = dict(zip(decision.objectives, decision.points, strict=True))
    points = {each: given[each] for each in enumeration.varying(part)}
    return weigh(table, points) if points and max(points.values()) == 100 and not table.missing else None


def find_standing(decision: Decision, analysis: Any, weighed: WeighedTable | None) -> Any:
    """Who stands out, and what shakes the lead."""
    module: Any = import_module("app.decision.analysis.analysis")
    return module.find_standing(build_table(decision), analysis, weighed)


def find_firmness(decision: Decision, analysis: Analysis, points: dict[str, int]) -> Any:
    """How often each option comes first."""
    return import_module(f"{FIRMNESS}.firmness").find_firmness(build_table(decision), analysis.swings, points)
