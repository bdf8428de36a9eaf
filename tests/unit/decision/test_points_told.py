"""Points that people gave are told wherever the step after them says who is ahead."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.state.interview import Interview, Phase
from app.decision.layout.first_page import describe_firmness
from app.decision.layout.sheets import build_sheet
from app.decision.playbook.openings import write_opening
from app.decision.playbook.step_prompt import build_block
from app.decision.playbook.weighing import describe_weighing
from app.decision.record import DecisionRecord
from tests.unit.core.interviews import PREPARED
from tests.unit.core.threads import THREAD
from tests.unit.decision.components.worked import PLAYBOOK, rated
from tests.unit.decision.sheets.walls import wall

ROWS = {"A1": [0, 0, 0], "A2": [2, -1, 0], "A3": [-1, 0, 2]}
POINTS = (60, 30, 100)
TOLD = "By your points: A3 130, A2 60 and A1 Way A1 50."


def given(*points: int) -> dict[str, Any]:
    return {"swing_weights": [{"objective_id": f"O{n}", "points": each} for n, each in enumerate(points, 1)]}


def weighed(rows: dict[str, list[int]], *points: int) -> DecisionRecord:
    so_far = rated(rows, "recommendation")
    return replace(so_far, results={**so_far.results, "tradeoffs": given(*points)})


def prompt(so_far: DecisionRecord) -> str:
    lead = Interview(decision=THREAD, component="recommendation", prepared=PREPARED)
    return build_block(PLAYBOOK["recommendation"], Phase.GATHER, lead, so_far)


def test_points_that_break_a_tie_are_told_on_card_opening_prompt_and_first_page_and_the_tie_is_not_asked() -> None:
    so_far = weighed(ROWS, *POINTS)
    opening = write_opening(PLAYBOOK["recommendation"], so_far)
    sheet = build_sheet(PLAYBOOK["recommendation"], {}, so_far)
    assert TOLD in describe_firmness(so_far)
    assert TOLD in wall(sheet)
    tie = "No option stands out: A2 Way A2 and A3 Way A3 are level on the plain sum; by your points A3 is ahead."
    assert tie in opening
    assert sheet.essence == (tie, TOLD)
    ahead = "level on the plain sum; by your points A3 is ahead. By your points: A3 130, A2 60 and A1 50."
    assert ahead in prompt(so_far)
    assert not any("What would break the tie?" in each for each in (opening, wall(sheet), prompt(so_far)))


def test_a_tie_that_points_do_not_break_is_asked_about_and_points_that_are_missing_say_nothing() -> None:
    level = rated({"A1": [0, 0], "A2": [1, -1]}, "recommendation")
    level = replace(level, results={**level.results, "tradeoffs": given(100, 100)})
    for so_far in (level, weighed(ROWS, *POINTS[1:])):
        assert "are level on the plain sum. What would break the tie?" in prompt(so_far)
    assert "By your points: A1 100 and A2 100." in prompt(level)
    assert "By your points" not in prompt(weighed(ROWS, *POINTS[1:]))


def test_points_stand_on_the_card_of_tradeoffs_and_in_what_the_model_is_told_there() -> None:
    so_far, draft = rated(ROWS), given(*POINTS)
    essence = build_sheet(PLAYBOOK["tradeoffs"], draft, so_far).essence
    assert essence[-1] == "Level on the plain sum: A2 Way A2 and A3 Way A3 · By your points: A3 130, A2 60 and A1 50"
    for each in so_far.results["alternatives"]["alternatives"][1:]:
        each["name"] += " and the evening shift of the second branch"
    lead, points = build_sheet(PLAYBOOK["tradeoffs"], draft, so_far).essence[-2:]
    assert (lead.startswith("Level on the plain sum: A2 Way A2"), points[:18]) == (True, "By your points: A3")
    assert "By your points: A3 130, A2 60 and A1 50" in describe_weighing(draft, so_far)


def test_a_card_with_long_names_still_tells_the_points() -> None:
    so_far = weighed(ROWS, *POINTS)
    long = " and the evening shift of the second branch"
    for each in so_far.results["alternatives"]["alternatives"]:
        each["name"] += long
    told = build_sheet(PLAYBOOK["recommendation"], {}, so_far).essence
    assert any(each.startswith("By your points: A3 ") and " 130, A2 " in each for each in told), told


@pytest.mark.req("TR-01")
@pytest.mark.parametrize(
    ("rows", "doubt", "points", "why"),
    [
        ({"A1": [0, 0], "A2": [2, -1]}, {"A2_O1": "high"}, (), "one doubtful rating can turn it."),
        ({"A1": [0, 0], "A2": [2, -1]}, {}, (50, 100), "by your points it is not ahead. By your points: A1 "),
        (
            {"A1": [0, 0], "A2": [2, -1]},
            {"A2_O1": "high"},
            (50, 100),
            "one doubtful rating can turn it, and by your points it is not ahead.",
        ),
        ({"A1": [0, 0], "A2": [2, -1]}, {}, (100, 100), "by your points it is level with A1 Way A1. By your points: "),
        (
            {"A1": [0, 0], "A2": [2, -1]},
            {"A2_O1": "high"},
            (100, 100),
            "one doubtful rating can turn it, and by your points it is level with A1 Way A1.",
        ),
        ({"A1": [0, 0]}, {}, (), "there is no other option."),
    ],
)
def test_the_first_page_says_what_keeps_a_leader_from_standing_out_and_nothing_else(
    rows: dict[str, list[int]], doubt: dict[str, str], points: tuple[int, ...], why: str
) -> None:
    so_far = rated(rows, "recommendation", **doubt)
    so_far = replace(so_far, results={**so_far.results, "tradeoffs": given(*points)})
    assert f"leads on the plain sum, but does not stand out: {why}" in describe_firmness(so_far)


@pytest.mark.req("TR-01")
def test_a_doubt_that_ends_the_lead_by_points_is_not_said_to_end_the_one_on_the_plain_sum() -> None:
    so_far = rated({"A1": [0, 0, 0], "A2": [2, 2, -1]}, "recommendation", A2_O1="high")
    so_far = replace(so_far, results={**so_far.results, "tradeoffs": given(60, 60, 100)})
    leads = "A2 Way A2 leads on the plain sum and by your points, but"
    assert f"{leads} one doubtful rating could end one of these leads (A2 Way A2 on O1 " in write_opening(
        PLAYBOOK["recommendation"], so_far
    )
    assert f"{leads} does not stand out: one doubtful rating can turn it." in describe_firmness(so_far)


def test_who_is_ahead_by_points_is_named_beside_another_one_that_leads_on_the_plain_sum() -> None:
    so_far = weighed({"A1": [0, 0], "A2": [2, -1]}, 50, 100)
    points = "By your points: A1 100 and A2 50."
    told = f"A2 leads on the plain sum, but not by your own swing points: there A1 is ahead. {points}"
    assert told in prompt(so_far)


def test_a_leader_that_is_level_by_points_is_not_told_as_behind() -> None:
    rows = {"A1": [0, 0], "A2": [2, -1]}
    told = prompt(weighed(rows, 100, 100))
    assert "A2 leads on the plain sum, but by your own swing points it is level with A1." in told
    assert "By your points: A1 100 and A2 100." in told


@pytest.mark.req("TR-09")
def test_points_of_an_option_name_what_nobody_can_rate_it_on() -> None:
    so_far = weighed(ROWS, *POINTS)
    for cell in so_far.results["consequences"]["table"]["cells"]:
        if (cell["alternative_id"], cell["objective_id"]) in (("A2", "O2"), ("A2", "O3")):
            cell |= {"rating_range": {"low": -2, "high": 2}, "uncertainty": {"level": "high"}}
    assert "A2 60 (O2 and O3 not known)" in describe_firmness(so_far)
    assert "A2 60 (O2 and O3 not known)" in " ".join(describe_weighing(given(*POINTS), so_far))
    assert "A3 130, " in describe_firmness(so_far), "all of it is known"
