"""A card that asks about ratings, and what follows from them, shows them in five lines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.decision.layout.parts.words import SUMMARY
from app.decision.layout.sheets import build_sheet
from tests.unit.decision.components.worked import PLAYBOOK, before, example, rated
from tests.unit.decision.sheets.walls import essence


def table(rows: dict[str, list[int]], **cell: Any) -> tuple[str, ...]:
    """The essence of ratings; `cell` is added to the first one that people give."""
    so_far = rated(rows, "tradeoffs")
    draft = so_far.results["consequences"]
    draft["table"]["cells"][len(rows["A1"])] |= cell
    return essence("consequences", draft, so_far)


@pytest.mark.req("FA-13")
def test_a_card_that_asks_about_ratings_shows_the_ratings_of_each_option() -> None:
    told = table({"A1": [0, 0], "A2": [2, -1], "A3": [0, 1]}, uncertainty={"level": "high"})
    assert told[0] == "4 of 4 ratings given, against A1 Way A1 · Objectives: O1 Aim O1 and O2 Aim O2"
    assert told[1:3] == ("A2 Way A2: O1 +2? · O2 −1", "A3 Way A3: O1 0 · O2 +1")
    assert told[3] == "Doubtful ratings (1): A2 Way A2 on O1"


@pytest.mark.req("TR-18")
def test_an_option_beside_its_ratings_keeps_its_condition_unless_the_line_would_be_too_long() -> None:
    so_far = rated({"A1": [0, 0], "A2": [2, -1]}, "tradeoffs")
    option = so_far.results["alternatives"]["alternatives"][1]
    option["name"] = "Praxo as a full suite, if the grant comes"
    (line,) = essence("consequences", so_far.results["consequences"], so_far)[1:]
    assert line == "A2 Praxo as a full suite, if the grant comes: O1 +2 · O2 −1"
    option["name"] += f" {'in spring ' * 13}"
    so_far = replace(so_far, results={**so_far.results})
    (line,) = essence("consequences", so_far.results["consequences"], so_far)[1:]
    assert line == "A2 Praxo as a full suite…: O1 +2 · O2 −1"


@pytest.mark.req("FA-13")
def test_eight_objectives_with_long_names_are_all_named_on_the_card() -> None:
    so_far = rated({f"A{number}": [0] * 8 for number in range(1, 6)}, "tradeoffs")
    for each in so_far.results["objectives"]["fundamental_objectives"]:
        each["name"] = f"Keep the cost of it over {'the years ' * 5}"
    told = essence("consequences", so_far.results["consequences"], replace(so_far, results={**so_far.results}))
    assert [told[0].count(f"O{number} Keep the cost") for number in range(1, 9)] == [1] * 8
    assert len(told[0]) <= SUMMARY


@pytest.mark.req("FA-13")
def test_a_card_shows_a_rating_with_the_range_that_people_gave_beside_it() -> None:
    span = {"low": 0, "high": 1}
    told = table({"A1": [0, 0], "A2": [1, -1]}, rating_range=span, uncertainty={"level": "high"})
    assert told[1] == "A2 Way A2: O1 +1 (0…+1) · O2 −1"


@pytest.mark.req("FA-13")
def test_of_eight_ratings_with_ranges_each_is_shown_whole_beside_an_option_with_a_long_name() -> None:
    so_far = rated({"A1": [0] * 8, "A2": [-1] * 8}, "tradeoffs")
    so_far.results["alternatives"]["alternatives"][1]["name"] = "Praxo as a full suite with all of its modules"
    for each in so_far.results["consequences"]["table"]["cells"]:
        each["rating_range"] = {"low": -2, "high": 1}
    told = essence("consequences", so_far.results["consequences"], replace(so_far, results={**so_far.results}))
    ratings = " · ".join(f"O{number} −1 (−2…+1)" for number in range(1, 9))
    assert told[1] == f"A2 Praxo as a full suite with…: {ratings}"


def test_a_proposal_and_a_gap_are_seen_among_the_ratings() -> None:
    so_far = rated({"A1": [0, 0], "A2": [2, -1], "A3": [0, 1]}, "tradeoffs")
    draft = so_far.results["consequences"]
    draft["table"]["cells"][2]["origin"] = "ai_suggested"
    del draft["table"]["cells"][4]
    told = essence("consequences", draft, so_far)
    assert told[1:3] == ("A2 Way A2: O1 +2💡 · O2 −1", "A3 Way A3: O1 – · O2 +1")
    assert not any("Missing" in each for each in told), "the card names it above, and it is seen"


@pytest.mark.req("FA-13")
def test_beside_four_options_the_finding_stands_in_the_first_line() -> None:
    rows = {f"A{number}": [0, number - 3] for number in range(1, 6)}
    rows["A1"] = [0, 0]
    told = table(rows, uncertainty={"level": "high"})
    doubt = "Doubtful ratings (1): A2 Way A2 on O1"
    assert told[0] == f"8 of 8 ratings given, against A1 Way A1 · {doubt} · Objectives: O1 Aim O1 and O2 Aim O2"
    assert [each[:2] for each in told[1:]] == ["A2", "A3", "A4", "A5"]


def test_my_suggestions_push_no_option_off_the_card() -> None:
    so_far = rated({f"A{each}": [0, 0] for each in range(1, 6)}, "tradeoffs")
    draft = so_far.results["consequences"]
    draft["table"]["cells"][2] |= {"uncertainty": {"level": "high", "driver": "nobody here knows him"}}
    sheet = build_sheet(PLAYBOOK["consequences"], draft, so_far, ["A2:O1.driver"])
    assert [line[:3] for line in sheet.essence[1:]] == ["A2 ", "A3 ", "A4 ", "A5 "]
    assert sheet.to_check == "💡 My suggestions: what A2 on O1 may depend on"
    shown = build_sheet(PLAYBOOK["issue_raising"], example("issue_raising"), before("issue_raising"), ["U1.driver"])
    assert shown.essence[0].startswith("💡 My suggestions"), "where there is room, it stays"


def test_a_sign_of_doubt_in_the_ratings_of_a_card_is_explained_there() -> None:
    rows = {f"A{number}": [0, min(number - 3, 2)] for number in range(1, 6)}
    told = table(rows | {"A1": [0, 0]}, uncertainty={"level": "high"})
    assert "Doubtful ratings (1)" in told[0], "that tells what it means"
    assert "in doubt" not in told[0]
    rows = {"A1": [0, 0], "A2": [0, 1], "A3": [0, 1], "A4": [0, 1], "A5": [0, 0]}
    so_far = rated(rows, "tradeoffs", A2_O1="high")
    draft = so_far.results["consequences"]
    draft["table"]["cells"][-1]["origin"] = "ai_suggested"
    told = essence("consequences", draft, so_far)
    assert "O1 0?" in "".join(told)
    assert told[0].endswith(" · ? in doubt"), "what is proposed comes first and the doubt is not told"


def test_a_rating_that_nobody_knows_is_said_to_be_not_known_beside_its_option() -> None:
    whole = {"low": -2, "high": 2}
    told = table({"A1": [0, 0], "A2": [0, 1]}, rating_range=whole, uncertainty={"level": "high"})
    assert told[1] == "A2 Way A2: O1 not known · O2 +1"


@pytest.mark.req("FA-13")
def test_of_a_large_table_the_best_and_the_worst_of_each_objective_are_shown() -> None:
    told = essence("consequences", example("consequences"))
    assert told[1].startswith("O1 Solve urgent off-hours…: best A2 and A4 (+2), worst A1 (0); O2 ")
    assert told[3].endswith("O6 Obey working-time law: all 0")
    assert told[4].startswith("Doubtful ratings (6): ")


def test_an_objective_on_which_nothing_is_rated_has_no_best() -> None:
    so_far = rated({f"A{number}": [number - 3, 0] for number in range(1, 7)}, "tradeoffs")
    draft: dict[str, Any] = {"table": {"cells": []}}
    so_far.results["alternatives"].pop("status_quo_id", None)
    assert "O1 Aim O1: –" in " ".join(essence("consequences", draft, so_far))


@pytest.mark.req("FA-13", "FA-05", "S0-170")
def test_the_heart_is_told_once_in_peoples_words_unless_they_were_said_of_other_objectives() -> None:
    draft = example("tradeoffs")
    opposed = "By your ratings: O1"
    assert not any(each.startswith(opposed) for each in essence("tradeoffs", draft))
    draft["headline_conflict"]["said_of"] = {"objectives": "O4 Care against O5 Privacy"}
    assert essence("tradeoffs", draft)[1].startswith(opposed)
    del draft["headline_conflict"]
    assert essence("tradeoffs", draft)[0] == f"In your own words: {draft['user_understanding']}"
    del draft["user_understanding"]
    assert essence("tradeoffs", draft)[0].startswith(opposed)


@pytest.mark.req("TR-02")
def test_points_whose_range_changed_are_named_on_each_card_right_below_the_heart() -> None:
    rows = {"A1": [0, 0, 0], "A2": [2, -2, 1], "A3": [-2, 1, 0]}
    points = [{"objective_id": each, "points": 60, "worst": -1, "best": 1} for each in ("O1", "O2")]
    draft: Any = {"headline_conflict": {"statement": "Care or cost."}, "swing_weights": points}
    told = "Points that count for nothing until you say them anew, as their range changed: "
    assert essence("tradeoffs", draft, rated(rows))[1] == f"{told}O1 Aim O1 (60) and O2 Aim O2 (60)"
    aside = {"objective_id": "O2", "former": {"points": 60, "worst": -1, "best": 1}}
    assert essence("tradeoffs", {**draft, "swing_weights": [aside]}, rated(rows))[1] == f"{told}O2 Aim O2 (60)"
    anew = {"objective_id": "O2", "points": 60, "worst": -2, "best": 1}
    assert told not in "".join(essence("tradeoffs", {**draft, "swing_weights": [anew]}, rated(rows)))
    wide = {option: each * 3 for option, each in rows.items()}
    many = [{**points[0], "objective_id": f"O{number}"} for number in range(1, 7)]
    (line,) = [each for each in essence("tradeoffs", {"swing_weights": many}, rated(wide)) if told in each]
    assert line == told + "O1 Aim O1 (60), O2 Aim O2 (60), O3 Aim O3 (60) and 3 more"
