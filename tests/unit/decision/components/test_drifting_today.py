"""The status quo may not last: where people gave a range for it, or said where it will be, it is in doubt."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.state.sheet import Matrix
from app.decision.analysis.ratings import Cell, Flaw, InvalidInput, RatingTable
from app.decision.playbook.openings import write_opening
from app.decision.record import DecisionRecord
from tests.unit.decision.components.worked import PLAYBOOK, accepted, before, example, minimal, rated
from tests.unit.decision.sheets.walls import laid, of_type, plainly, titled


def drifting(rows: dict[str, list[int]], key: str = "tradeoffs", **drift: Any) -> DecisionRecord:
    """A decision whose status quo may not last on O1."""
    so_far = rated(rows, key)
    so_far.results["consequences"]["table"]["cells"][0] |= drift
    return so_far


DRIFTS: list[dict[str, Any]] = [{"rating_range": {"low": -2, "high": 0}}, {"in_a_year": -2}]


@pytest.mark.req("TR-14")
@pytest.mark.parametrize("drift", DRIFTS, ids=["range", "in a year"])
def test_a_status_quo_that_may_get_worse_could_be_beaten(drift: dict[str, Any]) -> None:
    rows = {"A1": [0, 0], "A2": [-1, 1]}
    assert titled(laid("tradeoffs", {}, rated(rows)), "Not settled") == ""
    told = titled(laid("tradeoffs", {}, drifting(rows, **drift)), "Not settled")
    assert "A2 Way A2 could be as good or better everywhere: it depends on A1 Way A1 on O1 Aim O1." in told


@pytest.mark.req("TR-14")
@pytest.mark.parametrize("drift", DRIFTS, ids=["range", "in a year"])
def test_a_status_quo_that_may_get_worse_does_not_stand_out_by_a_lead_that_this_ends(drift: dict[str, Any]) -> None:
    rows = {"A1": [0, 0], "A2": [-2, 1]}
    assert "The status quo stands out" in write_opening(PLAYBOOK["recommendation"], rated(rows, "recommendation"))
    told = write_opening(PLAYBOOK["recommendation"], drifting(rows, "recommendation", **drift))
    assert "No option stands out: A1 Way A1 leads on the plain sum, but one doubtful rating" in told
    assert "What to find out first:\n• A1 Way A1 on O1 Aim O1" in told


@pytest.mark.req("TR-14")
def test_the_drift_of_today_stands_in_the_table_and_among_the_doubts() -> None:
    draft = minimal("consequences")
    today = {"alternative_id": "A1", "objective_id": "O1", "rating": 0, "in_a_year": -1}
    draft["table"]["cells"].append(today)
    shown = laid("consequences", draft, plainly("consequences"))
    (table,) = of_type(shown, Matrix)
    assert (table.cells[0][0].value, table.cells[0][0].doubtful, table.cells[0][0].note) == (0, True, "in a year −1")
    assert titled(shown, "Doubtful ratings (1)") == "A1 Oslo on O1 Shorten the way"
    assert today in accepted("consequences", draft, plainly("consequences")).draft["table"]["cells"]
    (table,) = of_type(laid("consequences", example("consequences"), before("consequences")), Matrix)
    assert not any(rating.doubtful for rating in table.cells[0])


@pytest.mark.req("TR-14")
def test_where_today_will_be_in_a_year_widens_the_range_of_now() -> None:
    rows = {"A1": [0, 0], "A2": [-2, 1]}
    soon: dict[str, Any] = {"rating_range": {"low": -1, "high": 0}}
    assert titled(laid("tradeoffs", {}, drifting(rows, **soon)), "Not settled") == ""
    told = titled(laid("tradeoffs", {}, drifting(rows, **soon, in_a_year=-2)), "Not settled")
    assert "A2 Way A2 could be as good or better everywhere" in told


def test_the_baseline_is_0_also_where_it_has_a_range() -> None:
    table = RatingTable(("A", "B"), ("O1",), {("A", "O1"): Cell(0, (-1, 0), doubtful=True)}, "A")
    assert (table.rating("A", "O1"), table.cells["A", "O1"].bounds) == (0, (-1, 0))
    with pytest.raises(InvalidInput) as refused:
        RatingTable(("A", "B"), ("O1",), {("A", "O1"): Cell(-1, (-1, 0))}, "A")
    assert refused.value.flaw is Flaw.BASELINE
