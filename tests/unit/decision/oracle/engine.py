"""What the engine says of a decision: the one module of the oracle that knows it."""

from __future__ import annotations

from app.decision.analysis.analysis import Analysis, analyse
from app.decision.analysis.measures import Direction, Measure, MeasuredTable
from app.decision.analysis.ratings import Cell, RatingTable, Steps
from app.decision.analysis.standing.verdicts import Kept, NotWorth, SetAside, Verdicts
from app.decision.analysis.swing import WeighedTable, weigh
from app.decision.firmness.firmness import Firmness
from app.decision.firmness.firmness import find_firmness as find_firmness_of
from tests.unit.decision.oracle import enumeration
from tests.unit.decision.oracle.decisions import Decision


def build_table(decision: Decision) -> RatingTable:
    cells = {at: Cell(each.rating, each.span, each.doubtful) for at, each in decision.rated.items()}
    return RatingTable(decision.options, decision.objectives, cells, decision.today, decision.scales)


def build_measured(decision: Decision) -> MeasuredTable:
    measures = {
        each: Measure(Direction(decision.directions[each]), decision.targets.get(each))
        for each in decision.objectives
        if each in decision.directions
    }
    return MeasuredTable(measures, decision.amounts)


def analyse_ratings(decision: Decision) -> Analysis:
    """The findings from the ratings alone."""
    return analyse(build_table(decision))


def analyse_whole(decision: Decision) -> Analysis:
    """The findings with amounts and verdicts."""
    return analyse(build_table(decision), build_measured(decision), build_verdicts(decision))


def build_verdicts(decision: Decision) -> Verdicts:
    counted = enumeration.counted(decision)
    among = enumeration.among(counted, [each for each in counted.options if not enumeration.drops(counted, each)])
    not_worth = set[NotWorth]()
    known = enumeration.known(among)
    for option, by in enumeration.practical(known) if decision.gives_up else ():
        ahead = enumeration.steps_between(known, by, option)
        lost = frozenset(Steps(each, -steps) for each, steps in ahead.items() if steps < 0)
        gained = frozenset(Steps(each, steps) for each, steps in ahead.items() if steps > 0)
        not_worth.add(NotWorth(option, by, lost, gained))
    return Verdicts(
        kept=frozenset(Kept(option, shown, frozenset(then)) for option, shown, then in decision.kept),
        set_aside=frozenset(SetAside(option, shown) for option, shown in decision.agreed),
        counts_on=decision.counts_on,
        left_out=decision.left_out,
        not_worth=frozenset(not_worth),
    )


def weigh_left(decision: Decision, left: tuple[str, ...]) -> WeighedTable | None:
    """The options left by the points; None if no swing has 100, or a cell is missing."""
    table = build_table(decision).among(left)
    part = enumeration.among(decision, left)
    given = dict(zip(decision.objectives, decision.points, strict=True))
    points = {each: given[each] for each in enumeration.varying(part)}
    return weigh(table, points) if points and max(points.values()) == 100 and not table.missing else None


def find_firmness(decision: Decision, analysis: Analysis, points: dict[str, int]) -> Firmness | None:
    """How often each option comes first."""
    return find_firmness_of(build_table(decision), analysis.swings, points)
