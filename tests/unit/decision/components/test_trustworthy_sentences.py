"""Sentences say exactly what was tested: about leads, ranges, amounts, ties, and what is unknown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.decision.layout.first_page import describe_firmness
from app.decision.layout.sheets import build_sheet
from app.decision.playbook.found_so_far import list_findings, render_grid
from app.decision.playbook.opening_texts import COMPUTED
from app.decision.playbook.openings import write_opening
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import PLAYBOOK, accepted, before, cell, example, ranged, rated, remarks
from tests.unit.decision.sheets.walls import laid, titled, wall

MOVED = "moved to either end of the range you gave or, without a range, by one step."


def computed(so_far: DecisionRecord, *names: str) -> str:
    """Texts that are computed, whole, as the model is told them."""
    key = "tradeoffs" if "tradeoffs" not in so_far.results else "recommendation"
    return "\n\n".join(COMPUTED[name](so_far, PLAYBOOK[key]) for name in names)


def recommended(rows: dict[str, list[int]], points: list[int] | None = None, **ranges: tuple[int, int]) -> str:
    """The opening of the recommendation, and all that the model is told about who stands out."""
    so_far = ranged(rated(rows, "recommendation"), **ranges)
    swings = [{"objective_id": f"O{n}", "points": each} for n, each in enumerate(points or [], 1)]
    tradeoffs = {**so_far.results["tradeoffs"], "swing_weights": swings}
    whole = replace(so_far, results={**so_far.results, "tradeoffs": tradeoffs})
    return "\n\n".join((write_opening(PLAYBOOK["recommendation"], whole), computed(whole, "standout", "doubts")))


ROWS = {"A1": [0, 0, 0], "A2": [2, 1, -1], "A3": [-1, 0, 1]}


@pytest.mark.req("TR-01")
def test_a_standout_says_by_which_leads_it_was_tested() -> None:
    plain = recommended(ROWS)
    assert (
        f"A2 Way A2 stands out: it leads on the plain sum. No single doubtful rating takes that lead away, {MOVED}"
        in plain
    )
    both = recommended(ROWS, [100, 50, 20])
    assert (
        f"it leads on the plain sum and by your swing points. No single doubtful rating takes either lead away, {MOVED}"
        in both
    )
    assert "stands out: it leads on the plain sum. " in recommended(ROWS, [100, 50]), "incomplete points test nothing"
    shaky = recommended(ROWS, [100, 50, 20], A2_O1=(-1, 2))
    assert "leads on the plain sum and by your points, but one doubtful rating could end one of these leads" in shaky
    today = {"A1": [0, 0], "A2": [1, -2]}
    assert "The status quo stands out (A1 Way A1): it leads on the plain sum and by your" in recommended(
        today, [50, 100]
    )


@pytest.mark.req("TR-01", "TR-05")
def test_a_range_without_a_level_of_doubt_is_a_doubt() -> None:
    told = recommended(ROWS, A2_O1=(-1, 2))
    assert "No option stands out: A2 Way A2 leads on the plain sum, but one doubtful rating" in told
    assert "(A2 Way A2 on O1 Aim O1)" in told
    both = recommended(ROWS, A2_O1=(-1, 2), A2_O2=(-2, 1))
    assert "could change that (A2 Way A2 on O1 Aim O1; A2 Way A2 on O2 Aim O2)" in both, "each that does so alone"
    assert "What to find out first, as it could change who leads:\n• A2 Way A2 on O1 Aim O1" in told
    assert "A2 Way A2 stands out" in recommended(ROWS, A2_O1=(2, 2))
    by_level = {
        level: write_opening(
            PLAYBOOK["recommendation"], ranged(rated(ROWS, "recommendation", A2_O1=level), A2_O1=(-1, 2))
        )
        for level in ("low", "medium", "high")
    }
    assert "A2 Way A2 stands out" in by_level["low"], "people called it a low doubt"
    assert "No option stands out" in by_level["medium"]
    assert "No option stands out" in by_level["high"]


@pytest.mark.req("TR-05")
def test_who_could_catch_up_or_come_back_within_all_ranges_is_named() -> None:
    told = recommended(ROWS, A2_O1=(1, 2), A3_O1=(-1, 0), A3_O2=(0, 1))
    assert "A2 Way A2 stands out" in told
    assert "Within all the ranges you gave taken together, A3 Way A3 could still draw level or lead." in told
    assert "Within all" not in recommended(ROWS, A2_O1=(1, 2))
    rows = {"A1": [0, 0], "A2": [1, 2], "A3": [0, 0]}
    told = recommended(rows, A3_O1=(-1, 2))
    assert "A2 Way A2 is the only option that is left" in told
    assert "Within all the ranges you gave, A3 Way A3 could come back." in told
    assert "could come back" not in recommended(rows, A3_O1=(-1, 1))
    page = describe_firmness(ranged(rated(rows, "recommendation"), A3_O1=(-1, 2)))
    assert "than another. Within all the ranges you gave, A3 Way A3 could come back." in page
    assert "could come back" not in describe_firmness(ranged(rated(rows, "recommendation"), A3_O1=(-1, 1)))


@pytest.mark.req("TR-05")
def test_only_an_option_that_no_other_surely_beats_is_said_to_come_back() -> None:
    rows = {"A1": [0, 0, 0], "A2": [2, 2, 2], "A3": [0, 1, 1], "A4": [1, 1, 1]}
    so_far = ranged(rated(rows, "recommendation", A2_O1="low"), A2_O1=(-1, 2))
    told = wall(laid("recommendation", {}, so_far))
    assert "Within all the ranges you gave, A4 Way A4 could come back." in told, "A4 surely beats A1 and A3"


@pytest.mark.req("TR-05")
def test_a_card_tells_apart_what_is_set_aside_for_certain_and_within_the_ranges() -> None:
    rows = {"A1": [0, 0], "A2": [2, 1], "A3": [1, 1], "A4": [1, 0]}

    def line(**spans: tuple[int, int]) -> str:
        shown = laid("tradeoffs", {}, ranged(rated(rows), **spans))
        return next(each for each in shown.essence if each.startswith("Set aside"))

    why = "(beaten by another)"
    assert line() == f"Set aside: A3 Way A3 and A4 Way A4 {why}"
    open_yet = "not certain within what you call possible: "
    assert line(A4_O2=(0, 2)) == f"Set aside: A3 Way A3 {why}; {open_yet}A4 Way A4 {why}"
    every = line(A2_O1=(-1, 2), A3_O1=(-1, 1), A4_O1=(-1, 1))
    assert every == f"Set aside: {open_yet}A3 Way A3 and A4 Way A4 {why}"
    rows |= {f"A{number}": [0, 0] for number in range(5, 25)}
    assert line() == "Set aside: A3 Way A3, A4 Way A4, A5 Way A5, A6 Way A6, A7 Way A7 and 17 more", (
        "the reasons do not fit the line"
    )


@pytest.mark.req("TR-05")
def test_a_beaten_status_quo_is_told_as_beaten_and_never_as_what_could_be_set_aside() -> None:
    rows = {"A1": [0, 0], "A2": [2, 1], "A3": [1, 1]}
    shown = laid("tradeoffs", {}, rated(rows))
    assert shown.essence[:3] == (
        "Set aside: A3 Way A3 (beaten by another)",
        "The status quo: beaten by A2 Way A2",
        "Left to weigh: A2 Way A2",
    )
    opening = write_opening(PLAYBOOK["tradeoffs"], rated(rows))
    assert "What could be set aside:\n• A3 Way A3: A2 Way A2 is never worse, and better somewhere.\n\n" in opening
    assert "The status quo, A1 Way A1, is beaten: A2 Way A2 is never worse, and better somewhere.\n" in opening
    doubted = ranged(rated(rows), A2_O1=(-1, 2), A3_O1=(-1, 1))
    beaten = laid("tradeoffs", {}, doubted).essence[1]
    assert beaten == "The status quo: beaten by A2 Way A2, not certain within the ranges you gave"
    opening = write_opening(PLAYBOOK["tradeoffs"], doubted)
    assert "better somewhere. Within the ranges you gave, this could turn out otherwise.\n" in opening
    kept = {"alternative_id": "A1", "dominated_by": "A2", "user_verdict": "keep", "all_dominators": ["A2", "A3"]}
    stays = replace(rated(rows), before={"dominated_alternatives": [kept]})
    assert "is beaten" not in write_opening(PLAYBOOK["tradeoffs"], stays)


def test_what_people_have_said_stays_or_goes_is_not_asked_about_again_when_tradeoffs_are_talked_over_anew() -> None:
    rows = {"A1": [0, 0], "A2": [2, -1], "A3": [1, -1], "A4": [0, -1], "A5": [-1, -1]}
    known = [
        {"alternative_id": "A3", "dominated_by": "A2", "user_verdict": "keep", "reason": "It is near."},
        {"alternative_id": "A4", "dominated_by": "A2", "user_verdict": "set_aside"},
        {"alternative_id": "A5", "dominated_by": "A9", "user_verdict": "set_aside"},
    ]
    so_far = replace(rated(rows), before={"dominated_alternatives": known})
    opening = write_opening(PLAYBOOK["tradeoffs"], so_far)
    assert "What could be set aside:\n• A5 Way A5: A2 Way A2 is never worse" in opening, "said beside another one"
    assert "• A3" not in opening
    assert "• A4" not in opening


@pytest.mark.req("TR-05")
def test_it_could_turn_out_otherwise_only_where_no_dominator_is_certain() -> None:
    rows = {"A1": [0, 0], "A2": [2, -1], "A3": [1, -1], "A4": [0, -1]}
    open_yet = titled(laid("tradeoffs", {}, ranged(rated(rows), A2_O1=(0, 2), A3_O1=(0, 1), A4_O1=(0, 1))), "Set aside")
    assert open_yet.count("Within the ranges you gave, this could turn out otherwise.") == 2
    certain = titled(laid("tradeoffs", {}, ranged(rated(rows), A2_O2=(-2, -1))), "Set aside")
    assert "could turn out otherwise" not in certain.split("A4 Way A4")[1]
    assert "  Whatever turns out within the ranges you gave, this holds for A1 Way A1." in certain.splitlines()
    doubted = ranged(rated(rows), A3_O1=(1, 2), A2_O1=(1, 2))
    found = computed(doubted, "dominated")
    assert "A3 Way A3 is dominated: A2 Way A2 is never worse, and better on O1 Aim O1. Within the ranges you" in found
    opening = write_opening(PLAYBOOK["tradeoffs"], doubted)
    assert "A3 Way A3: A2 Way A2 is never worse, and better somewhere. Within the ranges you" in opening


@pytest.mark.req("TR-05")
def test_what_only_ranges_leave_open_is_told_with_the_ratings_it_depends_on() -> None:
    so_far = ranged(rated({"A1": [0, 0], "A2": [2, -1]}), A2_O2=(-1, 0))
    told = titled(laid("tradeoffs", {}, so_far), "Not settled by what is known")
    assert told.splitlines() == [
        "A1 Way A1",
        "  Within the ranges you gave, A2 Way A2 could be as good or better everywhere: it depends on "
        "A2 Way A2 on O2 Aim O2.",
    ]
    so_far = ranged(rated({"A1": [0, 0], "A2": [0, 1], "A3": [-1, 1]}), A3_O1=(-1, 0), A3_O2=(1, 2))
    told = titled(laid("tradeoffs", {}, so_far), "Not settled by what is known")
    assert "it depends on A3 Way A3 on O1 Aim O1 and A3 Way A3 on O2 Aim O2." in told, "on O1 they are level at best"
    beaten = wall(laid("tradeoffs", {}, ranged(rated({"A1": [0, 0], "A2": [1, 0]}), A2_O2=(-1, 1))))
    assert "zero of the scale. Within the ranges you gave, this could turn out otherwise." in beaten


@pytest.mark.req("TR-05")
def test_a_question_of_one_step_says_if_the_ranges_leave_the_steps_open() -> None:
    rows = {"A1": [0, 0, 0], "A2": [0, 1, 1], "A3": [2, 2, 0]}
    open_yet = "Within the ranges you gave, the difference may be less than one step."
    assert open_yet not in titled(laid("tradeoffs", {}, rated(rows)), "Is one step worth it?")
    for at in ("A2_O3", "A3_O3"):
        so_far = ranged(rated(rows), **{at: (0, 1)})
        assert open_yet in titled(laid("tradeoffs", {}, so_far), "Is one step worth it?")
    so_far = ranged(rated(rows), A3_O1=(1, 2))
    assert open_yet not in titled(laid("tradeoffs", {}, so_far), "Is one step worth it?"), "the gain is open alone"


@pytest.mark.req("TR-05")
def test_ranges_on_the_objectives_of_the_gain_open_the_gain_and_not_the_one_step() -> None:
    rows = {"A1": [0, 0, 0], "A2": [0, 1, 1], "A3": [2, 2, 0]}
    told = titled(laid("tradeoffs", {}, ranged(rated(rows), A3_O1=(0, 2))), "Is one step worth it?")
    bound = "Within the ranges you gave, A3 Way A3 may bring "
    assert f"{bound}less than that." in told
    assert "than one step" not in told
    for span in ({"A2_O1": (-2, 0)}, {"A3_O2": (1, 2)}, {"A3_O2": (2, 2)}):
        told = titled(laid("tradeoffs", {}, ranged(rated(rows), **span)), "Is one step worth it?")
        assert (bound in told) is (span != {"A3_O2": (2, 2)}), span


@pytest.mark.req("TR-05")
def test_that_no_step_changes_anything_is_said_of_steps_within_the_ranges_where_these_end_before_the_scale() -> None:
    def changes(rows: dict[str, list[int]], **spans: tuple[int, int]) -> list[str]:
        return titled(laid("tradeoffs", {}, ranged(rated(rows), **spans)), "What one step would change").splitlines()

    one = {"A1": [0, 0], "A2": [1, 0]}
    assert "A1 Way A1 and A2 Way A2 would be level on the plain sum, with any one of these" in changes(one)
    assert changes(one, A2_O1=(1, 2), A2_O2=(0, 1)) == [
        "Within the ranges you gave, no rating of an option left, moved by one step, changes who leads on the plain "
        "sum or sets another aside."
    ]
    none = "No rating of an option left, moved by one step, changes who leads on the plain sum or sets another aside."
    assert changes({"A1": [0, 0], "A2": [2, 2]}, A2_O1=(1, 2)) == [none], "its range ends where the scale does"
    stays = "A3 Way A3 leads on the plain sum whichever rating is off by one step."
    rows = {"A1": [0, 0], "A2": [-2, 1], "A3": [2, 0]}
    assert changes(rows)[0] == stays
    assert changes(rows, A2_O1=(-2, -2))[0] == f"Within the ranges you gave, {stays}"


@pytest.mark.req("TR-09")
def test_a_joint_last_is_one_of_the_weakest_and_a_tie_is_called_level() -> None:
    rows = {"A1": [0, 0, 0], "A2": [2, 1, -1], "A3": [-1, 2, -1]}
    told = recommended(rows)
    assert "Against A2 Way A2: it is one of the weakest of those left on O3 Aim O3." in told
    assert "it is the weakest of those left" not in told
    opening = computed(rated(rows), "tensions")
    assert "• A3 Way A3: best on O2 Aim O2; weakest on O1 Aim O1; one of the weakest on O3 Aim O3." in opening
    opening = computed(rated({"A1": [0, 0], "A2": [1, -1], "A3": [2, -1]}), "tensions")
    assert "• A3 Way A3: best on O1 Aim O1; weakest on O2 Aim O2." in opening
    alike = {"A1": [0, 0, 0], "A2": [2, -1, 1], "A3": [0, 0, 1]}
    assert "is level with it: the largest single give-up is the same" not in recommended(alike)
    level = {"A1": [0, 0, 0], "A2": [2, -1, 1], "A3": [1, 0, 0]}
    assert "On another reading A3 Way A3 is level with it: the largest single give-up is the same." in recommended(
        level
    )


@pytest.mark.req("TR-09")
def test_counted_once_options_in_front_together_are_level() -> None:
    told = wall(laid("tradeoffs", {}, rated({"A1": [0, 0, 0], "A2": [1, 1, -1], "A3": [-1, -1, 2], "A4": [0, 0, 1]})))
    assert "Counted once, A3 Way A3 and A4 Way A4 would be level on the plain sum; now" in told
    told = wall(laid("tradeoffs", {}, rated({"A1": [0, 0, 0], "A2": [2, 2, -1], "A3": [2, 2, -1]})))
    assert "Counted once, A2 Way A2 and A3 Way A3 are still level on the plain sum." in told


def unrated(so_far: DecisionRecord, *gaps: str) -> DecisionRecord:
    """The same without these ratings."""
    table = so_far.results["consequences"]["table"]
    table["cells"] = [each for each in table["cells"] if f"{each['alternative_id']}_{each['objective_id']}" not in gaps]
    return so_far


@pytest.mark.req("TR-09")
def test_an_option_that_equals_the_best_known_is_not_called_nowhere_the_best() -> None:
    rows = {"A1": [0, 0, 0], "A2": [2, -2, 0], "A3": [1, -1, 1], "A4": [-1, 1, 0]}
    so_far = unrated(rated(rows), "A4_O3")
    told = wall(laid("tradeoffs", {}, so_far))
    assert "An all-rounder" in wall(laid("tradeoffs", {}, rated({**rows, "A3": [1, -1, 0]}))), "with nothing unknown"
    assert "An all-rounder" not in told
    assert "Where it stands on O3 Aim O3 depends on what is not known there yet: A4 Way A4." in told
    assert "these are known" not in told
    opening = computed(so_far, "tensions")
    assert "• A3 Way A3: depends on what is not known yet: A4 Way A4 on O3 Aim O3." in opening
    assert "best on nothing" not in opening


@pytest.mark.req("TR-09")
def test_missing_ratings_are_named_wherever_they_keep_something_from_being_said() -> None:
    rows = {"A1": [0, 0], "A2": [1, -1], "A3": [1, -1]}
    told = wall(laid("tradeoffs", {}, unrated(rated(rows), "A2_O2")))
    assert told.startswith(
        "Ratings are missing, so nothing here is final. Until they are filled, nobody can say who leads"
    )
    assert "one step would change: A2 Way A2 on O2 Aim O2." in told
    essence = laid("tradeoffs", {}, unrated(rated(rows), "A2_O2")).essence
    assert "Ratings are missing, so nothing here is final. Missing: A2 Way A2 on O2 Aim O2." in essence
    opening = write_opening(PLAYBOOK["recommendation"], unrated(rated(rows, "recommendation"), "A2_O2"))
    assert "These ratings are missing: A2 Way A2 on O2 Aim O2." in opening
    found = list_findings(PLAYBOOK["tradeoffs"], unrated(rated(rows), "A2_O2"))
    told = "\n".join(line for each in found for line in each.lines)
    assert "These ratings are missing, so nothing is final: A2 on O2." in told


@pytest.mark.req("TR-09")
def test_while_ratings_are_missing_no_doubt_is_said_to_shake_a_lead_on_sums_that_are_unknown() -> None:
    rows = {"A1": [0, 0], "A2": [2, 2], "A3": [-1, 1]}
    so_far = ranged(rated(rows, "recommendation", A2_O1="high"), A2_O1=(-2, 2))
    assert "A2 Way A2 leads on the plain sum, but one doubtful rating" in write_opening(
        PLAYBOOK["recommendation"], so_far
    )
    told = write_opening(PLAYBOOK["recommendation"], replace(unrated(so_far, "A3_O2")))
    assert "leads on the plain sum" not in told
    assert "Nobody can say yet whether an option stands out. These ratings are missing: A3 Way A3 on O2 Aim O2." in told


def costs(**changed: Any) -> Draft:
    """The example's ratings with other cells of O3, such as `A2={"quant_unit": "EUR"}`."""
    draft = example("consequences")
    for option, change in changed.items():
        cell(draft, option, "O3").update(change)
    return draft


@pytest.mark.req("TR-08")
def test_one_cell_in_another_size_of_the_unit_is_no_contradiction() -> None:
    amount = cell(costs(), "A4", "O3")
    in_millions = {"quant_value": amount["quant_value"] / 1_000, "quant_unit": "MEUR/year"}
    draft = costs(A4=in_millions)
    assert not accepted("consequences", draft).blocked
    assert titled(laid("consequences", draft), "Ratings that speak against their measures") == ""
    assert accepted("consequences", costs(A4={**in_millions, "quant_unit": "kEUR/year"})).blocked


@pytest.mark.req("TR-08")
def test_amounts_that_cannot_be_converted_are_asked_about_and_contradict_nothing() -> None:
    draft = costs(A4={"quant_value": 1, "quant_unit": "full-time staff"})
    assert (
        "Amounts on O3 Keep extra cost low are given in kEUR/year and in full-time staff, which cannot be compared. "
        "In which one unit shall they stand?" in remarks("consequences", draft)
    )
    assert not accepted("consequences", draft).blocked


@pytest.mark.req("TR-04")
def test_equal_ratings_of_amounts_far_apart_are_asked_about_with_both_amounts() -> None:
    told = remarks("consequences", costs(A3={"quant_value": 20}))
    assert "On O3 Keep extra cost low equal ratings hide a large difference: A2 Specialist partner with" in told
    assert "A3 Budget call centre 20 kEUR/year. Shall they differ?" in told


def test_equal_ratings_are_not_asked_about_within_what_people_defined_them_to_mean_and_outside_they_are() -> None:
    def told(meaning: str) -> str:
        draft = costs(A3={"quant_value": 20})
        anchors = next(each for each in draft["table"]["anchors"] if each["objective_id"] == "O3")
        anchors["-1"] = meaning
        return remarks("consequences", draft)

    hidden = "On O3 Keep extra cost low equal ratings hide a large difference"
    assert hidden in told("costs 10 to 60 more"), "a difference to today is no amount"
    assert hidden not in told("10 to 60 kEUR a year")
    left = (
        "Shall they differ? You defined −1 there as “30 to 60 kEUR a year”: A3 Budget call centre is outside of that."
    )
    assert left in told("30 to 60 kEUR a year")
    assert "A3 Budget call centre are outside of that." in told("60 to 90 kEUR a year")


@pytest.mark.req("TR-04")
def test_different_ratings_of_equal_amounts_are_asked_about_with_both_amounts() -> None:
    told = remarks("consequences", costs(A3={"rating": -2, "rationale": "It is dear"}))
    assert "On O3 Keep extra cost low equally good amounts have different ratings: A2 Specialist partner with" in told
    assert "A3 Budget call centre 50 kEUR/year. Which holds?" in told
    assert "have different ratings" not in remarks("consequences", example("consequences"), before("consequences"))


@pytest.mark.req("TR-01")
def test_doubts_that_turn_the_lead_only_together_are_not_said_to_do_it_alone() -> None:
    rows = {"A1": [0, 0, 0], "A2": [0, 0, 1], "A3": [2, -1, -1]}
    together = recommended(rows, A3_O1=(1, 2))
    assert "No single doubtful rating takes that lead away" in together
    assert "What to find out first, as together with what else is open it could change who leads:\n• " in together
    assert "as it could change who leads:\n• " in recommended(ROWS, A2_O1=(-1, 2))


@pytest.mark.req("TR-01")
def test_an_option_that_could_catch_up_on_the_plain_sum_has_no_doubt_that_need_not_be_found_out() -> None:
    so_far = rated({"A1": [0, 0, 0], "A2": [-2, -2, 1]}, "recommendation", A2_O2="high")
    points = [{"objective_id": f"O{number}", "points": each} for number, each in enumerate((100, 40, 40), 1)]
    so_far = replace(so_far, results={**so_far.results, "tradeoffs": {"swing_weights": points}})
    told = wall(laid("recommendation", {}, ranged(so_far, A2_O2=(-2, 0), A2_O3=(0, 2))))
    assert "Within all the ranges you gave taken together, A2 Way A2 could still draw level or lead." in told
    assert "Need not be found out" not in told
    effect = "Together with other doubts, another rating here could change who leads on the plain sum."
    assert f"A2 Way A2 on O2 Aim O2\n  {effect}\nA2 Way A2 on O3 Aim O3\n  {effect}" in told


@pytest.mark.req("TR-05")
def test_a_finding_says_what_the_option_that_dominates_counts_on() -> None:
    so_far = before("tradeoffs")
    options = so_far.results["alternatives"]["alternatives"]
    next(each for each in options if each["handle"] == "A2")["assumptions"] = ["The subsidy comes.", "We hire two"]
    told = f"{write_opening(PLAYBOOK['tradeoffs'], so_far)}\n{computed(so_far, 'dominated')}"
    lines = [each for each in told.splitlines() if each.startswith("• A3 Budget call centre")]
    assert [" A2 counts on: The subsidy comes; We hire two. " in line for line in lines] == [True, True]
    draft = accepted("tradeoffs", example("tradeoffs"), so_far).draft
    assert "A2 counts on: The subsidy comes; We hire two" in str(laid("tradeoffs", draft, so_far))


@pytest.mark.req("TR-07", "TR-08")
def test_the_model_reads_each_amount_with_its_unit_and_knows_which_are_of_before() -> None:
    def rates(option: str, amount: float, unit: str, rating: int = 1, given_for: int = 1) -> Draft:
        return {
            "alternative_id": option,
            "objective_id": "O3",
            "rating": rating,
            "quant_value": amount,
            "quant_unit": unit,
            "amount_for": {"rating": given_for, "amount": amount},
        }

    alike = [rates("A4", 1_800_000, "EUR"), rates("A2", 50, "EUR"), {**rates("A3", 0, ""), "quant_value": 7}]
    del alike[2]["quant_value"]
    assert render_grid(alike, before("tradeoffs")) == ("O3: A2 +1 [50 EUR], A3 +1, A4 +1 [1,800,000]",)
    open_cell = {"alternative_id": "A2", "objective_id": "O3", "rating": 0, "rating_range": {"low": -2, "high": 2}}
    assert render_grid([open_cell], before("tradeoffs")) == ("O3: A2 not known",)
    unlike = [rates("A2", 50, "kEUR"), rates("A4", 2, "MEUR", -1)]
    assert render_grid(unlike, before("tradeoffs")) == (
        "O3: A2 +1 [50 kEUR], A4 -1 [2 MEUR from before its rating changed]",
    )


@pytest.mark.req("TR-15")
def test_the_sums_name_the_ratings_that_nobody_knows_and_that_count_as_zero() -> None:
    so_far = rated({"A1": [0, 0], "A2": [2, 0], "A3": [0, 1]})
    assert "nobody knows" not in titled(laid("tradeoffs", {}, so_far), "How to read the sums")
    told = titled(laid("tradeoffs", {}, replace(ranged(so_far, A2_O2=(-2, 2)))), "How to read the sums")
    assert told == "Counted as 0, though nobody knows them: A2 Way A2 on O2 Aim O2."


@pytest.mark.req("TR-15")
def test_a_rating_that_nobody_knows_is_said_to_count_as_it_is_rated_and_only_where_it_counts() -> None:
    rows = {"A1": [0, 0], "A2": [1, 1], "A3": [-1, 1]}
    so_far = ranged(rated(rows), A2_O1=(-2, 2), A3_O2=(-2, 2))
    told = titled(laid("tradeoffs", {}, so_far), "How to read the sums")
    assert told == "Counted as +1, though nobody knows them: A2 Way A2 on O1 Aim O1 and A3 Way A3 on O2 Aim O2."
    left_out = {"irrelevant_objectives": [{"objective_id": "O2", "kind": "user_dismissed", "reason": "Not ours"}]}
    told = titled(laid("tradeoffs", left_out, so_far), "How to read the sums")
    assert told == "Counted as +1, though nobody knows them: A2 Way A2 on O1 Aim O1."
    so_far.results["objectives"]["fundamental_objectives"].pop()
    assert titled(laid("tradeoffs", {}, replace(so_far)), "How to read the sums") == told, "O2 is not there any more"
    so_far.results["objectives"]["fundamental_objectives"].append({"handle": "O2", "description": "Aim O2"})
    dropped = {"dropped_alternatives": [{"alternative_id": "A3", "reason": "Too risky"}]}
    told = titled(laid("tradeoffs", dropped, replace(so_far)), "How to read the sums")
    assert told == "Counted as +1, though nobody knows them: A2 Way A2 on O1 Aim O1."


@pytest.mark.req("TR-12")
def test_the_card_names_the_option_that_comes_first_notably_more_often_than_the_one_that_leads() -> None:
    component = PLAYBOOK["recommendation"]

    def told(rows: dict[str, list[int]]) -> list[str]:
        lines = build_sheet(component, {}, rated(rows, component.key)).essence
        return [each for each in lines if "more often" in each]

    assert told({"A1": [0, 0, 0], "A2": [0, 2, -1], "A3": [-1, 1, 2]}) == [
        "A2 Way A2 comes first more often: in about two thirds of what you call possible."
    ], "A3 leads on the plain sum"
    assert told({"A1": [0, 0, 0], "A2": [1, 1, 1], "A3": [2, 1, -1]}) == [], "of 100 cases, 51 against 49"
    assert told({"A1": [0, 0, 0], "A2": [2, 1, 1], "A3": [1, 0, 2]}) == [], "it leads and comes first"
