"""What options are compared with is what happens if nobody decides: it need not be how things are today, nor last."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.core.state.interview import Phase
from app.core.state.sheet import Matrix
from app.decision.analysis.ratings import Cell, Flaw, InvalidInput, RatingTable
from app.decision.layout.sheets import build_sheet, write_gist
from app.decision.playbook.openings import write_opening
from app.decision.record import DecisionRecord
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, accepted, before, example, minimal, rated
from tests.unit.decision.sheets.walls import laid, of_type, plainly, titled, wall

UNTRUE = re.compile(r"\btoday\b|\bcarrying on\b|\bas you are\b|\bdoing nothing\b", re.IGNORECASE)
LEADS = {"A1": [0, 0], "A2": [1, -2], "A3": [-1, 0]}
BEATEN = {"A1": [0, 0], "A2": [1, 0], "A3": [0, 0]}


def ended(rows: dict[str, list[int]]) -> DecisionRecord:
    """A branch whose lease ends: there is no going on as before, only an end if nobody decides."""
    so_far = rated(rows, "notes_next_steps")
    options = so_far.results["alternatives"]["alternatives"]
    options[0] |= {"name": "Nobody decides", "description": "The lease ends and the branch is gone"}
    return so_far


def tell(key: str, rows: dict[str, list[int]]) -> str:
    """All that a step's card and its line at the hub say in this decision, after the step's opening."""
    step, whole = PLAYBOOK[key], ended(rows)
    so_far = before(key, dict(whole.results))
    draft = accepted(key, whole.results[key], so_far).draft
    sheet = build_sheet(step, draft, so_far)
    opening = write_opening(step, so_far).replace("Doing nothing is an option as well", "")
    return "\n".join([opening, *sheet.essence, wall(sheet), write_gist(step, draft, so_far)])


@pytest.mark.parametrize("rows", [LEADS, BEATEN], ids=["it leads", "it is beaten"])
@pytest.mark.parametrize("key", KEYS[3:8])
def test_no_step_calls_the_end_that_comes_if_nobody_decides_today(key: str, rows: dict[str, list[int]]) -> None:
    assert UNTRUE.findall(tell(key, rows)) == []


def test_options_are_counted_beside_the_status_quo_by_its_name() -> None:
    told = tell("alternatives", LEADS)
    assert "A1 Nobody decides (status quo)" in told
    assert told.endswith("2 options + status quo")
    assert "Options left to weigh: 1 and the status quo. Set aside: 1." in tell("recommendation", LEADS)


@pytest.mark.req("TR-15")
def test_wins_and_losses_of_each_option_are_counted_against_the_status_quo() -> None:
    assert "# Sums\nOption | Plain sum | Better than the status quo on | Worse than it on" in tell("tradeoffs", LEADS)


def test_the_model_asks_for_the_status_quos_own_amounts_where_today_does_not_go_on() -> None:
    told = PLAYBOOK["consequences"].guidance[Phase.GATHER]
    assert "where today will not last (a lease ends), ask for it" in told
    assert "than today" not in told


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
