"""What options are compared with is what happens if nobody decides. That need not be how things are today."""

from __future__ import annotations

import re

import pytest

from app.core.state.interview import Phase
from app.decision.layout.sheets import build_sheet, write_gist
from app.decision.playbook.openings import write_opening
from app.decision.record import DecisionRecord
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, accepted, before, rated
from tests.unit.decision.sheets.walls import wall

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
