"""The first message of each component holds what the decision holds, and no more than that."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.decision.analysis.quality import Element
from app.decision.layout.parts.words import FEW
from app.decision.playbook.example import list_questions, load_drafts
from app.decision.playbook.opening_texts import COMPUTED
from app.decision.playbook.openings import write_opening
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, TODAY, accepted, before, example, minimal, rated


def text(key: str, so_far: DecisionRecord | None = None) -> str:
    """The opening in the worked example, or in another decision."""
    return write_opening(PLAYBOOK[key], so_far or before(key))


BARE = {
    "issue_raising": (
        "Welcome! Before we judge or choose anything, let us get everything out",
        "four boxes:\n• decision: ", "\n• objective: ", "\n• uncertainty: ", "\n• consideration: ",
        "What situation are you thinking about?",
    ),
    "problem_frame": (
        "Now we frame the decision", "\n• frame: ", "\n• limit: ",
        "No decision has been named", "Which decision should we focus on?",
    ),
    "objectives": (
        "Now for what matters.", "\n• fundamental objective: ", "\n• means objective: ",
        "The decision has not been framed yet.", "Nothing wanted has been named",
        "What outcomes matter most to you in this decision?",
    ),
    "alternatives": (
        "Now we look for options", "\n• option: ", "\n• status quo: ", "\n• baseline: ",
        "The decision has not been framed yet.", "No objectives are approved yet.",
        "What options do you see, and what happens if nobody decides?",
    ),
    "consequences": (
        "The scale has five steps:", "• +2: much better", "• −2: much worse",
        "No objectives are approved yet", "No options are approved yet", "No status quo is named yet.",
        "\"I don't know\" is a good answer", "Which options do you want to compare, and on which objectives?",
    ),
    "tradeoffs": ("Shall we rate the options first, in Consequences?", "There are no ratings yet"),
    "recommendation": (
        "I'll summarize what we've found, but the decision is yours.", "Nothing is rated yet",
        "The tradeoff has not been put in words yet.", "**Show details**", "What else would help you decide?",
    ),
    "decision_quality": (
        "Last check: how good is the way you got here?", "as strong as its weakest link",
        *(f"\n• {element.capitalize()}" for element in Element),
        "The recommendation is not approved yet.", "**Show details**", "Where would you put this first one",
    ),
    "notes_next_steps": (
        "Let us wrap up.", "\n• trigger: ", "The quality of the decision has not been scored yet.",
        "What questions or thoughts remain?", "And what are you planning to do next?",
    ),
}  # fmt: skip
"""What each opening says with nothing to quote, in its order: what the step is for, its words, what is missing, and
what it asks."""


@pytest.mark.req("S0-274")
@pytest.mark.parametrize("key", KEYS)
def test_with_nothing_at_all_an_opening_is_still_whole(key: str) -> None:
    bare = text(key, DecisionRecord({}, TODAY))
    said = "".join(f"{re.escape(each)}.*" for each in BARE[key])
    assert re.match(said, bare, re.DOTALL), bare
    assert not [part for part in ("{", "}", "None", "• \n") if part in bare]
    assert "\n\n\n" not in bare


@pytest.mark.parametrize("key", KEYS)
def test_with_the_least_results_an_opening_is_whole(key: str) -> None:
    drafts = {each: minimal(each) for each in KEYS}
    drafts["decision_quality"] = accepted("decision_quality", minimal("decision_quality")).draft
    told = text(key, before(key, drafts))
    assert "{" not in told
    assert "None" not in told


@pytest.mark.req("S0-084", "S0-085", "S0-086")
def test_issue_raising_welcomes_says_what_is_collected_and_asks() -> None:
    told = text("issue_raising")
    assert told.startswith("Welcome!")
    assert (
        "Tell me whatever comes to mind, in any order. I will sort it into four boxes:\n"
        "• decision: something that somebody here can choose, with at least two courses\n• objective: "
    ) in told
    assert told.endswith("What situation are you thinking about?")


@pytest.mark.req("S0-098", "S0-099")
def test_the_frame_goes_through_the_decisions_and_asks_which_one() -> None:
    issues = example("issue_raising")
    del issues["focal_candidate_id"]
    told = text("problem_frame", before("problem_frame", issue_raising=issues))
    assert "• D2 Whether to sell a paid 24/7 service plan\n• D3 Which shift-planning tool to use" in told
    assert told.endswith("Which decision should we focus on?")
    assert "So far you have named" not in text("problem_frame", DecisionRecord({}, TODAY))


@pytest.mark.req("S0-115", "S0-116")
def test_objectives_quote_the_focal_decision_and_what_was_wanted() -> None:
    told = text("objectives")
    assert told.startswith("You are deciding: How should we cover urgent 'no heat' requests")
    assert "• IO2 The team does not burn out" in told
    assert told.endswith("What outcomes matter most to you in this decision?")


@pytest.mark.req("S0-129", "S0-130")
def test_alternatives_quote_the_objectives_and_ask_for_the_status_quo() -> None:
    told = text("alternatives")
    assert "• O3 Keep extra cost low" in told
    assert "Doing nothing is an option as well" in told
    assert "status quo" in told
    assert told.endswith("What options do you see, and what happens if nobody decides?")


@pytest.mark.req("S0-145", "S0-146", "S0-147")
def test_consequences_explain_the_scale_and_begin_with_the_first_objective() -> None:
    told = text("consequences")
    assert "• +2: much better\n• +1: better\n• 0: about the same\n• −1: worse\n• −2: much worse" in told
    assert "the baseline: A1 Volunteer overtime rota (today)." in told
    assert "• A6 Mandatory rota for all agents" in told
    assert "• A1" not in told
    assert "First: O1 Solve urgent off-hours problems quickly (Median hours" in told
    assert told.endswith("compare to the status quo on O1 Solve urgent off-hours problems quickly?")


def test_a_first_objective_without_a_measure_is_named_alone() -> None:
    told = text("consequences", before("consequences", {each: minimal(each) for each in KEYS}))
    assert "First: O1 Shorten the way\n" in told


@pytest.mark.req("S0-160", "S0-161", "S0-162")
def test_tradeoffs_show_the_findings_at_once() -> None:
    told = text("tradeoffs")
    assert (
        "• A3 Budget call centre: A2 Specialist partner with onboarding is never worse, and better somewhere." in told
    )
    assert "• A6 Mandatory rota for all agents: A4" in told
    assert "All options do the same on O6 Obey working-time law." in told
    assert (
        "By your ratings, the heart of it is O1 Solve urgent off-hours problems quickly against O3 Keep extra cost low."
        in told
    )
    assert "missing" not in told
    assert told.endswith("Does this analysis surprise you?")


@pytest.mark.req("S0-161")
def test_of_several_pairs_that_are_opposed_as_often_none_is_told_as_the_only_heart() -> None:
    rows = {"A1": [0, 0, 0], "A2": [2, -1, 0], "A3": [1, 1, -1], "A4": [-1, 0, 2]}
    assert ("the heart of it is O1 Aim O1 against O3 Aim O3. 2 other pairs are opposed at least as often.\n") in text(
        "tradeoffs", rated(rows)
    )
    rows = {"A1": [0, 0, 0], "A2": [2, -1, 0], "A3": [-1, 2, 0]}
    assert "the heart of it is O1 Aim O1 against O2 Aim O2.\n" in text("tradeoffs", rated(rows))


def test_an_objective_on_which_only_the_options_left_do_the_same_is_not_said_to_be_the_same_for_all() -> None:
    so_far = rated({"A1": [0, 0, 0, 0], "A2": [2, -1, 0, 0], "A3": [1, -1, -1, 0], "A4": [-1, 1, 0, 0]})
    same = "All options do the same on O4 Aim O4. The options that are left do the same on O3 Aim O3.\n"
    assert same in text("tradeoffs", so_far)


def test_an_all_rounder_is_best_and_weakest_on_nothing() -> None:
    so_far = rated({"A1": [0, 0], "A2": [1, -1], "A3": [-1, 1]})
    told = COMPUTED["tensions"](so_far, PLAYBOOK["tradeoffs"])
    assert "• A1 Way A1: best on nothing; weakest on nothing." in told


def test_tradeoffs_of_an_unfinished_table_say_what_is_missing() -> None:
    so_far = rated({"A1": [0, 0], "A2": [1, -1]})
    del so_far.results["consequences"]["table"]["cells"][-1]
    assert "These ratings are missing, so nothing is final: A2 Way A2 on O2 Aim O2." in text("tradeoffs", so_far)
    assert "There are no ratings yet" in text("tradeoffs", DecisionRecord({}, TODAY))


@pytest.mark.req("S0-175", "S0-176")
def test_the_recommendation_retraces_the_path_and_says_whose_decision_it_is() -> None:
    told = text("recommendation")
    assert told.startswith("I'll summarize what we've found, but the decision is yours.")
    assert "Options left to weigh: 2 and the status quo. Set aside: 3." in told
    assert "A4 Three part-time weekend agents stands out: it leads on the plain sum and by your swing points. " in told
    assert "• A5 AI triage plus paid on-call on O1 Solve urgent off-hours problems quickly: Vendor figures" in told


@pytest.mark.parametrize("question", list_questions())
@pytest.mark.parametrize("key", ["tradeoffs", "recommendation", "decision_quality", "notes_next_steps"])
def test_the_openings_that_tell_findings_are_read_at_a_glance_and_lead_to_the_rest(key: str, question: str) -> None:
    drafts = load_drafts(question)
    results = {each.key: drafts[each.key] for each in PLAYBOOK.earlier(key)}
    told = text(key, DecisionRecord(results, TODAY, question=question))
    assert len(told.split()) <= 150
    assert "**Show details**" in told
    assert not [each for each in ("drawn", "assumed", "a point or two", "each step as likely") if each in told.lower()]


@pytest.mark.req("TR-18")
@pytest.mark.parametrize("key", ["tradeoffs", "recommendation"])
def test_in_an_opening_a_name_is_in_full_once(key: str) -> None:
    so_far = before(key)
    names = [so_far.name(each) for each in (*so_far.alternatives, *so_far.objectives) if len(so_far.name(each)) > 33]
    counts = [text(key).count(each) for each in names]
    assert 1 in counts
    assert max(counts) == 1


def test_an_opening_names_the_first_findings_and_counts_the_rest() -> None:
    rows = {"A1": [0, 1], "A2": [2, 2], **{f"A{n}": [1, 0] for n in range(3, 8)}}
    told = text("tradeoffs", rated(rows))
    assert told.count("• A") == FEW
    assert "• and 2 more\n" in told
    doubts = {f"A{n}_O1": "high" for n in (3, 4, 5)}
    close = {"A1": [0, 0], "A2": [1, 1], **{f"A{n}": [2, -1] for n in (3, 4, 5)}}
    told = text("recommendation", rated(close, "recommendation", **doubts))
    assert "What to find out first:\n• A" in told
    assert "• and 1 more" in told


@pytest.mark.parametrize(
    ("rows", "more", "said"),
    [
        ({"A1": [0, 0], "A2": [2, -1], "A3": [1, -2]}, {}, "A2 Way A2 stands out: it leads on the plain sum"),
        ({"A1": [0, 0], "A2": [1, 0]}, {}, "A2 Way A2 is the only option that is left"),
        ({"A1": [0, 0], "A2": [1, -2]}, {}, "The status quo stands out (A1 Way A1)"),
        ({"A1": [0, 0], "A2": [1, -1]}, {}, "No option stands out: A1 Way A1 and A2 Way A2 are level"),
        ({"A1": [0, 0], "A2": [2, -1]}, {"A2_O1": "high"}, "one doubtful rating could change that (A2 Way A2 on O1"),
        ({"A1": [0, 0], "A2": [2, -1]}, {"points": [10, 100]}, "but not by your own swing points"),
        ({"A1": [0, 0]}, {}, "There is only one option: A1 Way A1. Consider creating more"),
    ],
)  # fmt: skip
def test_the_recommendation_says_whether_an_option_stands_out_and_why_not(
    rows: dict[str, list[int]], more: dict[str, Any], said: str
) -> None:
    points = more.pop("points", [])
    so_far = rated(rows, "recommendation", **more)
    swings = [{"objective_id": f"O{n}", "points": each} for n, each in enumerate(points, 1)]
    so_far.results["tradeoffs"]["swing_weights"] = swings
    assert said in text("recommendation", so_far)


def test_beside_what_stands_out_there_is_what_speaks_against_it() -> None:
    told = text("recommendation")
    assert (
        "Against A4 Three part-time weekend agents: it is the weakest of those left on O3 Keep extra cost low." in told
    )
    assert "On another reading" not in told, "the details have more"


def test_while_ratings_are_missing_nobody_can_say_what_stands_out() -> None:
    so_far = rated({"A1": [0, 0], "A2": [1, -1]}, "recommendation")
    del so_far.results["consequences"]["table"]["cells"][-1]
    assert "Nobody can say yet whether an option stands out" in text("recommendation", so_far)


@pytest.mark.req("S0-190", "S0-191")
def test_quality_names_all_seven_elements_and_the_chain() -> None:
    told = text("decision_quality")
    assert all(f"• {element.capitalize()}" in told for element in Element)
    assert "You give each of these seven elements a score from 0 to 100 %. The lowest counts, because" in told
    assert "as strong as its weakest link" in told
    assert "**Show details** below says what each of them means." in told
    assert "• 6 of 6 objectives have a measure\n• 6 options, the status quo among them\n• 6 of 30 ratings" in told


@pytest.mark.req("S0-202", "S0-203")
def test_notes_ask_what_remains_and_what_is_planned() -> None:
    told = text("notes_next_steps")
    assert "The weakest link so far: Reliable consequence information (60 %)" in told
    assert "• Can three part-time agents be hired by March?" in told
    assert "What questions or thoughts remain?" in told
    assert told.endswith("And what are you planning to do next?")


def test_a_list_that_was_left_empty_is_left_out() -> None:
    issues: Draft = {**example("issue_raising"), "objectives": []}
    assert "You have already mentioned" not in text("objectives", before("objectives", issue_raising=issues))
