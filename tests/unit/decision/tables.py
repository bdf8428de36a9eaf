"""Tables of ratings for tests: the worked example, tables written as rows, and any small table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from app.decision.analysis.measures import Direction, Measure, MeasuredTable
from app.decision.analysis.ratings import Cell, RatingTable

EXAMPLE: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "example_decision.json").read_text("utf-8")
)
COMPONENTS: dict[str, Any] = EXAMPLE["components"]
HANDLES: dict[str, str] = {
    item["id"]: item["handle"]
    for item in (
        *COMPONENTS["alternatives"]["alternatives"],
        *COMPONENTS["objectives"]["fundamental_objectives"],
    )
}


def named(value: Any) -> Any:
    """The same with handles in the place of ids."""
    if isinstance(value, dict):
        return {HANDLES.get(key, key): named(each) for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType,reportUnknownArgumentType]
    if isinstance(value, list):
        return [named(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
    return HANDLES.get(value, value) if isinstance(value, str) else value


EXPECTED: dict[str, Any] = named(EXAMPLE["expected"])
TRADEOFFS: dict[str, Any] = named(COMPONENTS["tradeoffs"])
MINI_CASES: list[dict[str, Any]] = EXAMPLE["mini_cases"]


def example() -> RatingTable:
    """The table of the worked example."""
    table: dict[str, Any] = named(COMPONENTS["consequences"]["table"])
    cells = {
        (cell["alternative_id"], cell["objective_id"]): Cell(
            cell["rating"],
            (cell["rating_range"]["low"], cell["rating_range"]["high"]) if "rating_range" in cell else None,
            cell.get("uncertainty", {}).get("level") in ("medium", "high"),
        )
        for cell in table["cells"].values()
    }
    return RatingTable(tuple(table["alternative_ids"]), tuple(table["objective_ids"]), cells, "A1")


def example_measured() -> MeasuredTable:
    """What the example's objectives are measured in, and how much of it."""
    measures: dict[str, Measure] = {}
    for objective in COMPONENTS["objectives"]["fundamental_objectives"]:
        measure = objective["performance_measure"]
        target = float(measure["target"]) if "target" in measure else None
        measures[objective["handle"]] = Measure(Direction(measure["direction"]), target)
    cells = named(COMPONENTS["consequences"]["table"]["cells"]).values()
    return MeasuredTable(
        measures, {(cell["alternative_id"], cell["objective_id"]): cell["quant_value"] for cell in cells}
    )


def rows(table: Mapping[str, Sequence[int | None]], baseline: str | None = None) -> RatingTable:
    """A table of objectives O1, O2, … written as one list of ratings for each alternative; None is a gap."""
    count = len(next(iter(table.values())))
    objectives = tuple(f"O{number + 1}" for number in range(count))
    cells = {
        (alternative, objective): Cell(rating)
        for alternative, row in table.items()
        for objective, rating in zip(objectives, row, strict=True)
        if rating is not None
    }
    return RatingTable(tuple(table), objectives, cells, baseline)


def replaced(table: RatingTable, alternative: str, objective: str, rating: int) -> RatingTable:
    """The same table with another rating in one place."""
    cells = {**table.cells, (alternative, objective): Cell(rating)}
    return RatingTable(table.alternatives, table.objectives, cells, table.baseline)


def rated_exactly(table: RatingTable) -> RatingTable:
    """The same ratings without ranges and doubts."""
    cells = {at: Cell(cell.rating) for at, cell in table.cells.items()}
    return RatingTable(table.alternatives, table.objectives, cells, table.baseline)


def contents(table: RatingTable) -> Iterator[RatingTable]:
    """Every table that this one may turn out to be, whatever is in its gaps and ranges."""
    places = [(each, objective) for each in table.alternatives for objective in table.objectives]
    ends = [table.cells[at].bounds if at in table.cells else (-2, 2) for at in places]
    for ratings in product(*(range(low, high + 1) for low, high in ends)):
        cells = {at: Cell(rating) for at, rating in zip(places, ratings, strict=True)}
        yield RatingTable(table.alternatives, table.objectives, cells, table.baseline)


def fillings(table: RatingTable, scale: range = range(-2, 3)) -> Iterator[RatingTable]:
    """Every table that this one may turn out to be once its gaps are filled."""
    for ratings in product(scale, repeat=len(table.missing)):
        cells = {at: Cell(rating) for at, rating in zip(table.missing, ratings, strict=True)}
        yield RatingTable(table.alternatives, table.objectives, {**table.cells, **cells}, table.baseline)


@st.composite
def cells_of(draw: st.DrawFn) -> Cell:
    """Any cell; ratings are few, so that ties and dominance are common."""
    rating = draw(st.integers(-2, 2))
    low, high = draw(st.integers(-2, rating)), draw(st.integers(rating, 2))
    return Cell(rating, draw(st.sampled_from([None, (low, high)])), draw(st.booleans()))


@st.composite
def tables(draw: st.DrawFn, most: int = 5, gaps: int = 3) -> RatingTable:
    """Any table up to `most` alternatives and four objectives, with at most so many gaps and perhaps a baseline."""
    alternatives = tuple(f"A{number + 1}" for number in range(draw(st.integers(1, most))))
    objectives = tuple(f"O{number + 1}" for number in range(draw(st.integers(1, 4))))
    baseline = draw(st.sampled_from([None, "A1"]))
    places = [at for at in product(alternatives, objectives) if at[0] != baseline]
    missing = draw(st.sets(st.sampled_from(places), max_size=gaps)) if places else set[tuple[str, str]]()
    return RatingTable(alternatives, objectives, {at: draw(cells_of()) for at in places if at not in missing}, baseline)
