"""The recommendation on the wall: a mirror of what was rated, with what is not known and how firm it is."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from app.decision.firmness.firmness import Doubt, Firmness
from app.decision.layout.parts.firm_parts import describe_share, list_first_to_know
from app.decision.layout.parts.result import Result
from app.decision.layout.sheets import build_sheet, recall
from app.decision.record import DecisionRecord
from tests.unit.decision.components.worked import PLAYBOOK, TODAY, before, example, minimal, rated, remarks
from tests.unit.decision.sheets.walls import in_short, laid, plainly, titled, wall

SYNTHESIS = "Two ways are left; one is faster, the other one is cheaper, and the ratings are ours."


@pytest.mark.req("S0-185")
def test_the_recommendation_tells_what_stands_out_what_speaks_against_it_and_whose_choice_it_is() -> None:
    shown = laid("recommendation", example("recommendation"))
    told = wall(shown)
    assert told.startswith("# In short\nTwo options dropped out")
    assert titled(shown, "What stands out").startswith(
        "A4 Three part-time weekend agents [stands_out]\n  A4 Three part-time weekend agents stands out: it leads on"
    )
    assert (
        "Against A4 Three part-time weekend agents: it is the weakest of those left on O3 Keep extra cost low." in told
    )
    assert "On another reading A5 AI triage plus paid on-call is ahead" in told
    assert len(titled(shown, "Worth considering").splitlines()) == 4
    assert titled(shown, "Still unknown").splitlines()[:3] == [
        "Share of simple cases the AI triage can close",
        "  Matters a lot.",
        "  How to find out: Replay 400 old tickets with the vendor before 11 December",
    ]
    assert titled(shown, "How firm this is").startswith("A4 Three part-time weekend agents comes first in about nine")
    assert titled(shown, "Noted on that").startswith("Plain sums: part-timers 3")
    assert told.endswith("This is a mirror, not a verdict: the decision is yours.")


def test_the_reason_for_what_stood_out_before_is_not_given_for_what_stands_out_now() -> None:
    draft = {"standout_option": {"alternative_id": "A2", "rationale": "It is the quickest way"}}
    shown = {
        leader: wall(build_sheet(PLAYBOOK["recommendation"], draft, rated({"A1": [0], **ways}, "recommendation")))
        for leader, ways in {"A2": {"A2": [2], "A3": [1]}, "A3": {"A2": [1], "A3": [2]}}.items()
    }
    assert all(f"{leader} Way {leader} [stands_out]" in told for leader, told in shown.items())
    assert "It is the quickest way" in shown["A2"]
    assert "It is the quickest way" not in shown["A3"]


def recommended(rows: dict[str, list[int]], **changed: Any) -> str:
    """The recommendation after these ratings."""
    draft = {"synthesis": SYNTHESIS, "key_considerations": ["Time is short"], **changed}
    return wall(laid("recommendation", draft, rated(rows, "recommendation")))


def test_if_nothing_stands_out_the_wall_says_so_and_why() -> None:
    told = recommended({"A1": [0, 0], "A2": [1, -1], "A3": [-1, 1]})
    assert "No option stands out: A1 Way A1, A2 Way A2 and A3 Way A3 are level on the plain sum." in told
    assert "[stands_out]" not in told
    draft = {"synthesis": SYNTHESIS}
    level = rated({"A1": [0, 0], "A2": [1, -1]}, "recommendation")
    assert in_short("recommendation", draft, level) == "no option stands out"


def test_an_option_that_does_not_stand_out_is_not_named_as_if_it_did() -> None:
    claimed = {"alternative_id": "A2", "rationale": "I like it"}
    told = recommended({"A1": [0, 0], "A2": [1, -1], "A3": [-1, 1]}, standout_option=claimed)
    assert "[stands_out]" not in told
    assert "I like it" not in told


def test_staying_as_it_is_may_stand_out_and_is_said_plainly() -> None:
    told = recommended({"A1": [0, 0], "A2": [1, -2], "A3": [-2, 1]})
    assert "A1 Way A1 [stands_out]\n  The status quo stands out (A1 Way A1)" in told


def test_a_single_option_is_no_choice() -> None:
    assert "There is only one option: A1 Way A1. Consider creating more" in recommended({"A1": [0, 0]})


def test_without_any_ratings_no_option_stands_out() -> None:
    results = plainly("recommendation").results
    so_far = DecisionRecord({key: each for key, each in results.items() if key != "consequences"}, TODAY)
    assert "No option stands out." in wall(laid("recommendation", minimal("recommendation"), so_far)).splitlines()


def test_weak_information_is_told_before_everything_else() -> None:
    so_far = replace(before("recommendation"), later={"decision_quality": example("decision_quality")})
    told = wall(laid("recommendation", example("recommendation"), so_far))
    assert told.startswith("Read it with care: you scored the information behind it 60 %.")
    better = example("decision_quality")
    better["elements"][3]["score"] = 80
    so_far = replace(before("recommendation"), later={"decision_quality": better})
    assert "Read it with care" not in wall(laid("recommendation", example("recommendation"), so_far))


def test_an_unknown_without_a_way_to_find_out_is_a_gap_and_an_idea_of_the_model_is_marked() -> None:
    unknown = {"description": "The weather", "impact": "low", "about": ["A2"], "origin": "ai_suggested"}
    told = recommended({"A1": [0], "A2": [1]}, remaining_uncertainties=[unknown])
    assert (
        "The weather [gap, suggested]\n  Matters little.\n  No way named to find out.\n  By when: not said yet\n  A"
        in told
    )


@pytest.mark.req("TR-17")
@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ({"by_when": "2026-12-01"}, "1 December 2026"),
        ({"by_when": "before the board meets"}, "before the board meets"),
        ({"by_when": "2026-12-01", "resolution_path": "Ask before May"}, "1 December 2026"),
        ({}, "not said yet"),
        ({"resolution_path": "Ask Bo"}, "not said yet"),
        ({"resolution_path": "Ask Bo before the board meets"}, ""),
        ({"resolution_path": "Ask Bo on 1 December"}, ""),
    ],
)
def test_what_is_unknown_stands_with_the_day_that_people_named_or_as_open(said: dict[str, str], shown: str) -> None:
    so_far = rated({"A1": [0], "A2": [1]}, "recommendation")
    draft = {"synthesis": SYNTHESIS, "remaining_uncertainties": [{"description": "The lease", **said}]}
    sheet = laid("recommendation", draft, so_far)
    assert ("By when: " in wall(sheet)) is bool(shown)
    assert f"By when: {shown}" in wall(sheet) or not shown
    named = f"Still unknown: The lease (by when: {shown})" if "by_when" in said else "Still unknown: The lease"
    assert sheet.essence[-1] == named
    rated_on: dict[str, Any] = {
        "table": {},
        "uncertainties": [{"handle": "U1", "worth_resolving": True, "description": "Rain", **said}],
    }
    told = wall(build_sheet(PLAYBOOK["consequences"], rated_on, so_far))
    assert f"By when: {shown}" in told or not shown
    rated_on["uncertainties"][0]["worth_resolving"] = False
    told = wall(build_sheet(PLAYBOOK["consequences"], rated_on, so_far))
    assert ("By when: " in told) is ("by_when" in said), "what need not be found out has no day"


@pytest.mark.req("FA-13", "TR-18")
def test_of_what_is_unknown_as_much_as_fits_stands_whole_and_the_rest_is_counted() -> None:
    so_far = rated({"A1": [0], "A2": [1]}, "recommendation")
    unknown = [
        {"description": f"{each} comes, and for how long it would be paid"} for each in ("The grant", "Bo", "Ada")
    ]
    draft = {"synthesis": SYNTHESIS, "remaining_uncertainties": unknown}
    first, second, third = (each["description"] for each in unknown)
    assert laid("recommendation", draft, so_far).essence[-1] == f"Still unknown: {first}; {second}; {third}"
    unknown[2]["description"] += " by whoever has to"
    assert laid("recommendation", draft, so_far).essence[-1] == f"Still unknown: {first}; {second}; and 1 more"


@pytest.mark.req("TR-13", "TR-17")
def test_what_a_contender_counts_on_is_to_be_found_out_unless_it_is_noted_already() -> None:
    so_far = rated({"A1": [0, 0], "A2": [2, -1], "A3": [1, 0], "A4": [-1, 1]}, "recommendation")
    options = so_far.results["alternatives"]["alternatives"]
    for each, assumed in zip(options[1:], ("The grant comes.", "Bo agrees", "It snows"), strict=True):
        each["assumptions"] = [assumed]
    told = titled(laid("recommendation", {"synthesis": SYNTHESIS}, so_far), "What to find out first")
    assert "Whether A2 Way A2 can count on this: The grant comes" in told
    assert "It snows" not in told, "it does not contend"
    bare = replace(so_far, results=deepcopy(dict(so_far.results)))
    del bare.results["consequences"]["table"]["cells"][-1]
    told = titled(laid("recommendation", {"synthesis": SYNTHESIS}, bare), "What to find out first")
    assert told.startswith("Whether A2 Way A2 can count on this: The grant comes"), "though a rating is missing"
    known = [{"handle": "U1", "description": "Whether the grant comes", "worth_resolving": True}]
    so_far.results["consequences"]["uncertainties"] = known
    told = wall(laid("recommendation", {"synthesis": SYNTHESIS}, replace(so_far)))
    assert "Whether A2 Way A2 can count" not in told
    doubtful = doubted("recommendation", 100, 50, A2_O1="high", A2_O3="medium")
    doubtful.results["alternatives"]["alternatives"][1]["assumptions"] = ["The grant comes"]
    told = titled(laid("recommendation", {"synthesis": SYNTHESIS}, doubtful), "What to find out first").splitlines()
    assert told.index("Whether A2 Way A2 can count on this: The grant comes") < told.index("A2 Way A2 on O1 Aim O1")


def doubted(key: str, *points: int, **doubt: str) -> DecisionRecord:
    """Today against an option that is better on O1 and worse on O2, with these doubts and points."""
    so_far = rated({"A1": [0, 0, 0], "A2": [1, -1, 0]}, key, **doubt)
    given = [{"objective_id": f"O{number}", "points": each} for number, each in enumerate(points, 1)]
    return replace(so_far, results={**so_far.results, "tradeoffs": {"swing_weights": given}})


@pytest.mark.req("TR-12")
def test_how_firm_the_lead_is_stands_in_words_with_what_was_assumed() -> None:
    draft = {"synthesis": SYNTHESIS, "sensitivity_notes": "Plain sums: 0 and 0."}
    shown = laid("recommendation", draft, doubted("recommendation", 100, 50, A2_O1="high"))
    # A2 has 0, 100 or 200 points against 50.
    assert titled(shown, "How firm this is").splitlines() == [
        "A2 Way A2 comes first in about two thirds of what you call possible, A1 Way A1 in about a third.",
        "Assumed: a rating in doubt is anywhere in its range, or one step off where you gave none, each step as "
        "likely; your points hold; all 3 cases were counted.",
    ]
    assert titled(shown, "Noted on that") == "Plain sums: 0 and 0."
    tied = titled(laid("recommendation", draft, doubted("recommendation", 100, 100, A2_O1="high")), "How firm this is")
    assert tied.startswith(
        "A1 Way A1 comes first in about a third of what you call possible, A2 Way A2 in about a third"
    )
    assert "A1 and A2 are level in about a third." in tied
    vague = titled(laid("recommendation", draft, doubted("recommendation")), "How firm this is")
    assert "in about half of what you call possible" in vague
    assert vague.endswith(
        "Assumed: where you gave no points, any from 0 to 100 are as likely; 4,000 cases were drawn, so a share may be "
        "off by a point or two of a hundred."
    )
    assert "How firm this is" not in wall(laid("recommendation", draft, doubted("recommendation", 100, 50)))


@pytest.mark.req("TR-13")
def test_what_to_find_out_first_stands_in_the_recommendation_and_later_steps_say_so() -> None:
    so_far = doubted("recommendation", 100, 50, A2_O1="high", A2_O3="medium")
    so_far.results["consequences"]["table"]["cells"][3]["uncertainty"]["driver"] = "Nobody has tried it"
    so_far.results["tradeoffs"]["swing_weights"][1]["points"] = 20
    told = titled(laid("recommendation", {"synthesis": SYNTHESIS}, so_far), "What to find out first").splitlines()
    assert told[:2] == ["A2 Way A2 on O1 Aim O1", "  Another rating here alone would change who leads."]
    assert re.fullmatch(
        "  In about .* of the cases that you call possible, another rating here would change who leads.", told[2]
    )
    assert told[3] == "  In doubt: Nobody has tried it"
    assert told[4] == "A2 Way A2 on O3 Aim O3"
    so_far = replace(so_far, results={**so_far.results, "recommendation": {"synthesis": SYNTHESIS}})
    for key in ("decision_quality", "notes_next_steps"):
        sheet = recall(PLAYBOOK[key], laid(key, minimal(key), so_far), so_far)
        assert titled(sheet, "What to find out first") == ""
        assert "What to find out first: see Recommendation" in titled(sheet, "In other steps").splitlines()


@pytest.mark.req("TR-13")
def test_a_doubt_that_cannot_change_who_leads_is_said_to_be_so() -> None:
    so_far = rated({"A1": [0, 0, 0], "A2": [2, 2, -1]}, "recommendation", A2_O3="high")
    given = [{"objective_id": f"O{number}", "points": each} for number, each in enumerate((100, 50, 20), 1)]
    so_far = replace(so_far, results={**so_far.results, "tradeoffs": {"swing_weights": given}})
    told = titled(laid("recommendation", {"synthesis": SYNTHESIS}, so_far), "What to find out first")
    assert told == "Need not be found out, as it cannot change who leads: A2 Way A2 on O3 Aim O3."
    open_points = laid("recommendation", {"synthesis": SYNTHESIS}, doubted("recommendation", A2_O2="high"))
    assert "A2 Way A2 on O2 Aim O2\n  Another rating here alone" in titled(open_points, "What to find out first")


@pytest.mark.req("TR-13")
def test_the_unknowns_of_a_recommendation_are_the_doubts_that_can_change_who_leads() -> None:
    draft = {"synthesis": SYNTHESIS, "key_considerations": ["The nights"]}
    so_far = doubted("recommendation", A2_O2="high")
    assert "Also uncertain: A2 Way A2 on O2 Aim O2. How could you find out?" in remarks("recommendation", draft, so_far)
    so_far.results["consequences"]["table"]["cells"][4]["uncertainty"]["driver"] = "Vendor figures"
    so_far = replace(so_far)
    assert "Also uncertain: A2 Way A2 on O2 Aim O2 (Vendor figures). How" in remarks("recommendation", draft, so_far)
    two = rated({"A1": [0, 0], "A2": [1, -1], "A3": [-1, 1]}, "recommendation", A2_O2="high", A3_O1="high")
    both = remarks("recommendation", draft, two)
    assert "Also uncertain: A2 Way A2 on O2 Aim O2. How could you find out?" in both
    assert "Also uncertain: A3 Way A3 on O1 Aim O1. How could you find out?" in both
    idle = rated({"A1": [0, 0, 0], "A2": [2, 2, -1]}, "recommendation", A2_O3="high")
    given = [{"objective_id": f"O{number}", "points": each} for number, each in enumerate((100, 50, 20), 1)]
    idle = replace(idle, results={**idle.results, "tradeoffs": {"swing_weights": given}})
    assert "Also uncertain" not in remarks("recommendation", draft, idle)


@pytest.mark.req("TR-13")
def test_the_step_that_finds_out_first_is_asked_for_until_there_is_one() -> None:
    so_far = doubted("notes_next_steps", 100, 50, A2_O1="high")
    so_far.results["consequences"]["table"]["cells"][3]["uncertainty"]["driver"] = "Vendor figures, untested"
    asked = "What to find out first has no step yet: A2 Way A2 on O1 Aim O1. Who looks into it, and by when?"
    assert asked in remarks("notes_next_steps", {}, so_far)
    planned = {"planned_actions": [{"handle": "N1", "action": "Ask the vendor for a trial of two weeks"}]}
    assert asked not in remarks("notes_next_steps", planned, so_far)
    assert asked not in remarks("notes_next_steps", {}, doubted("notes_next_steps", 100, 50))
    # Of two doubts the one that changes the lead alone comes first.
    two = doubted("notes_next_steps", 100, 50, 20, A2_O1="high", A2_O3="medium")
    assert asked in remarks("notes_next_steps", {}, two)


@pytest.mark.req("TR-13", "FA-22")
@pytest.mark.parametrize(("about", "is_asked"), [("A2", False), ("A3", True)])
def test_a_step_on_what_is_uncertain_about_an_option_finds_out_its_doubt(about: str, is_asked: bool) -> None:
    so_far = doubted("notes_next_steps", 100, 50, A2_O1="high")
    unknown = {"description": "How right their bills are", "resolution_path": "Sam runs old ones", "about": [about]}
    so_far.results["recommendation"]["remaining_uncertainties"] = [unknown]
    planned = {"planned_actions": [{"handle": "N1", "action": "Run June", "addresses": "How right their bills are"}]}
    assert ("has no step yet" in remarks("notes_next_steps", planned, replace(so_far))) is is_asked


@pytest.mark.parametrize(
    ("share", "said"),
    [(1.0, "nearly all"), (0.48, "about half"), (0.35, "about a third"), (0.02, "hardly any"), (0.0, "hardly any")],
)
def test_a_share_is_told_as_the_nearest_plain_fraction(share: float, said: str) -> None:
    assert describe_share(share, exact=False) == said
    assert describe_share(share * 0.99, exact=True) == said


def test_who_comes_first_in_each_case_that_was_counted_is_not_said_to_do_so_in_nearly_all() -> None:
    shown = laid("recommendation", {"synthesis": SYNTHESIS}, doubted("recommendation", 100, 20, A2_O2="high"))
    assert "A2 Way A2 comes first in all of what you call possible." in titled(shown, "How firm this is")


def test_while_ratings_are_missing_nobody_says_how_firm_things_are() -> None:
    so_far = doubted("recommendation", 100, 50, A2_O1="high")
    del so_far.results["consequences"]["table"]["cells"][4]
    told = wall(laid("recommendation", {"synthesis": SYNTHESIS}, so_far))
    assert "How firm this is" not in told
    assert "What to find out first" not in told


def test_regrets_a_bad_end_and_a_leaning_stand_in_peoples_words() -> None:
    draft = example("recommendation")
    draft["user_leaning"] = "I lean to hiring."
    shown = laid("recommendation", draft)
    assert "A1 Volunteer overtime rota (today)\n  Speed and team health, two steps each\n  You could not live with" in (
        titled(shown, "What you would give up")
    )
    assert titled(shown, "If it had gone wrong").splitlines()[2:] == [
        "  Early sign: Fewer than five suitable applications by 15 January",
        "  What would help: Bridge contract with the partner for March and April",
    ]
    assert titled(shown, "Where you lean") == "I lean to hiring."


@pytest.mark.req("TR-13")
def test_a_doubt_that_turns_the_sum_alone_is_told_without_a_share() -> None:
    doubt = Doubt(("A2", "O1"), alone=True, share=0.0, by_sum=True)
    firmness = Firmness(firsts={}, level=0.0, level_ones=(), doubts=(doubt,), open=(), cases=2, exact=True)
    result = Result(PLAYBOOK["tradeoffs"], {}, rated({"A1": [0], "A2": [1]}))
    told = list_first_to_know(result, firmness)
    assert told is not None
    assert [each.notes for each in told.items] == [
        ("Another rating here alone would change who leads on the plain sum.",)
    ]
