"""Tradeoffs on the wall: findings are the engine's, each is told with care, and none of them is a verdict."""

from __future__ import annotations

from typing import Any

import pytest

from app.decision.layout.sheets import build_sheet, write_gist
from app.decision.record import DecisionRecord
from tests.unit.decision.components.worked import PLAYBOOK, TODAY, accepted, before, example, rated
from tests.unit.decision.sheets.walls import in_short, laid, titled, wall


@pytest.mark.req("S0-170")
def test_the_tradeoffs_of_the_example_are_those_that_were_worked_by_hand() -> None:
    shown = laid("tradeoffs", example("tradeoffs"))
    aside = titled(shown, "Set aside")
    assert "A3 Budget call centre [set_aside]\n  A2 Specialist partner with onboarding is as good or better" in aside
    assert "A6 Mandatory rota for all agents [set_aside]\n  A4 Three part-time weekend agents is as good or" in aside
    assert [line[:2] for line in aside.splitlines() if not line.startswith(" ")] == ["A3", "A6", "A2"]
    assert titled(shown, "Does not separate the options").startswith("O6 Obey working-time law\n")
    alike = titled(shown, "Tell the same story")
    assert alike.startswith("O1 Solve urgent off-hours problems quickly and O2 Protect the agents' health")
    assert "Counted once, A4 Three part-time weekend agents still leads on the plain sum." in alike
    heart = titled(shown, "The heart of it")
    theirs, computed, others = heart.splitlines()
    assert theirs == example("tradeoffs")["headline_conflict"]["statement"], "people's words come first"
    assert computed == "By your ratings: O1 Solve urgent off-hours problems quickly against O3 Keep extra cost low"
    assert others.startswith("Opposed at least as often: ")
    assert titled(shown, "Is one step worth it?").startswith(
        "A2 Specialist partner with onboarding beats A4 Three part-time weekend agents only by one step on O3 Keep"
    )
    assert "\n  In amounts: 50 kEUR/year instead of 88 kEUR/year.\n" in titled(shown, "Is one step worth it?")
    assert titled(shown, "Least to give up").splitlines() == [
        "On the worst objective: A5 AI triage plus paid on-call: 1 step",
        "All together: A4 Three part-time weekend agents: 2 steps",
    ]


def test_each_option_left_says_what_it_gains_and_gives_up_and_nothing_is_declared_the_winner() -> None:
    shown = laid("tradeoffs", example("tradeoffs"))
    told = titled(shown, "What each option gains and gives up").splitlines()
    at = told.index("A4 Three part-time weekend agents")
    assert told[at : at + 4] == [
        "A4 Three part-time weekend agents",
        "  Gains O1 Solve urgent off-hours…, O2 Protect the agents' health…, O4 Give correct and friendly answers "
        "and O5 Keep customers' personal data safe",
        "  Gives up O3 Keep extra cost low",
        "  Part-time agents: best on everything except that they cost 88,000 euro a year.",
    ]
    assert told[0] == "A1 Volunteer overtime rota (today) [baseline]"
    assert "stands_out" not in wall(shown)


@pytest.mark.req("FA-16")
def test_the_line_of_the_step_says_the_heart_of_it_in_peoples_own_words() -> None:
    tradeoffs, ratings = PLAYBOOK["tradeoffs"], rated({"A1": [0, 0], "A2": [1, -1]})
    said = accepted("tradeoffs", {"headline_conflict": {"statement": "Kids are worth the strain."}}, ratings).draft
    assert write_gist(tradeoffs, said, ratings) == "0 set aside, 1 left + status quo · Kids are worth the strain."
    bare = accepted("tradeoffs", {}, ratings).draft
    assert write_gist(tradeoffs, bare, ratings) == "0 set aside, 1 left + status quo · O1 Aim O1 against O2 Aim O2"


@pytest.mark.req("TR-19")
def test_gives_up_is_said_of_what_changes_for_the_worse_and_not_of_what_stays_like_today() -> None:
    rows = {"A1": [0, 0, 0, 0], "A2": [2, 0, -1, 1], "A3": [0, 1, 0, 2]}
    told = titled(laid("tradeoffs", {}, rated(rows)), "What each option gains and gives up")
    assert (
        "A2 Way A2\n  Gains O1 Aim O1\n  Gives up O3 Aim O3 and O4 Aim O4\n  No better than the status quo on O2 Aim O2"
        in told
    )
    assert "A3 Way A3\n  Gains O2 Aim O2, O3 Aim O3 and O4 Aim O4\n  No better than the status quo on O1 Aim O1" in told
    left = titled(laid("tradeoffs", {}, rated({"A1": [0, 0], "A2": [2, -1]})), "What each option gains and gives up")
    assert left.splitlines()[:3] == [
        "A1 Way A1 [baseline]",
        "  Gains O2 Aim O2",
        "  Weakest of those left on O1 Aim O1",
    ]
    assert left.splitlines()[-1] == "  Gives up O2 Aim O2"


def test_pairs_are_told_from_the_option_with_the_larger_sum() -> None:
    told = titled(laid("tradeoffs", example("tradeoffs")), "One instead of another").splitlines()
    assert told[0].startswith("A4 Three part-time weekend agents instead of A1")
    at = told.index("A4 Three part-time weekend agents instead of A5 AI triage plus paid on-call")
    assert told[at + 1].startswith("  +1 O1 Solve urgent off-hours…, +1 O2")
    assert told[at + 2] == "  −2 O3 Keep extra cost low"
    assert "A1 Volunteer overtime rota (today) instead of" not in "\n".join(told)


@pytest.mark.req("TR-20")
def test_single_steps_are_grouped_by_what_they_bring_about_and_the_example_has_three_such_groups() -> None:
    consequences, objectives = example("consequences"), example("objectives")
    for each in consequences["table"]["cells"]:
        each.pop("quant_value", None)
    for each in objectives["fundamental_objectives"]:
        del each["performance_measure"]
    so_far = before("tradeoffs", consequences=consequences, objectives=objectives)
    draft: dict[str, Any] = {**example("tradeoffs"), "even_swaps": []}
    told = titled(laid("tradeoffs", draft, so_far), "What one step would change").splitlines()
    groups = [line for line in told if not line.startswith(" ")]
    assert groups[0].startswith("Within the ranges you gave, A4 Three part-time weekend agents leads on the plain sum")
    assert (
        "A2 Specialist partner with onboarding, which you have set aside, would be beaten everywhere, with any one of "
        "these"
    ) in groups
    assert (
        "Another option would never be worse than A1 Volunteer overtime rota (today), with any one of these" in groups
    )
    assert len(groups) == len({*groups})
    assert "  A5 AI triage plus paid on-call on O5 Keep customers' personal data safe: 0 instead of −1" in told


@pytest.mark.req("TR-20")
def test_one_step_changes_of_leader_come_first_and_those_of_options_set_aside_only_if_they_would_lead() -> None:
    rows = {"A1": [0, 0, 0], "A2": [2, 0, 0], "A3": [1, 0, 0], "A4": [0, 1, -2], "A5": [-1, 0, -2]}
    told = titled(laid("tradeoffs", {}, rated(rows)), "What one step would change").splitlines()
    # A3 and A5 are set aside: A3 could draw level with A2, and A5 could only come back, which nobody needs to know.
    assert told[0] == "A2 Way A2 and A3 Way A3 would be level on the plain sum, with any one of these"
    assert "  A3 Way A3 on O1 Aim O1: +2 instead of +1" in told
    assert "A5 Way A5" not in "\n".join(told)
    gone = told.index("A4 Way A4 could be set aside, with any one of these")
    assert told[gone + 1 : gone + 3] == [
        "  A2 Way A2 on O2 Aim O2: +1 instead of 0",
        "  A4 Way A4 on O2 Aim O2: 0 instead of +1",
    ]
    assert all("level" in line or "lead" in line for line in told[:gone] if not line.startswith(" "))


@pytest.mark.req("TR-20")
def test_no_step_of_an_option_set_aside_is_told_where_only_ratings_would_set_another_aside() -> None:
    so_far = rated({"A1": [0, 0, 0], "A2": [-2, -2, -2], "A3": [2, 1, -1], "A4": [1, 1, -1]})
    for each in so_far.results["consequences"]["table"]["cells"]:
        if each["objective_id"] == "O1":
            each["quant_value"] = 30 if each["alternative_id"] in ("A3", "A4") else 20
    [costly, *_] = so_far.results["objectives"]["fundamental_objectives"]
    costly["performance_measure"] = {"metric": "Cost", "units": "kEUR", "direction": "minimize"}
    told = titled(laid("tradeoffs", {}, so_far), "What one step would change")
    # A4 is set aside by A3; with one step up it would lead A1 by ratings alone, too.
    assert told.partition("If ratings counted and amounts did not: ")[2].splitlines() == [
        "Another option would never be worse than A1 Way A1, with any one of these",
        "  A3 Way A3 on O3 Aim O3: 0 instead of −1",
    ]


@pytest.mark.req("TR-03")
def test_no_step_is_said_to_set_an_option_aside_whose_amount_speaks_for_it() -> None:
    told = titled(laid("tradeoffs", example("tradeoffs")), "What one step would change")
    assert told.startswith("Within the ranges you gave, A4 Three part-time weekend agents leads on the plain sum which")
    assert told.splitlines()[1:] == [
        "If ratings counted and amounts did not: A2 Specialist partner with onboarding, "
        "which you have set aside, would be beaten everywhere, with any one of these",  # it costs 38,000 less than A4
        "  A2 Specialist partner with onboarding on O3 Keep extra cost low: −2 instead of −1",
        "  A4 Three part-time weekend agents on O3 Keep extra cost low: −1 instead of −2",
        "If ratings counted and amounts did not: Another option would never be worse "
        "than A1 Volunteer overtime rota (today), with any one of these",  # it costs 4,000 less than A5
        "  A5 AI triage plus paid on-call on O5 Keep customers' personal data safe: 0 instead of −1",
    ]


def told_of(rows: dict[str, list[int]], draft: dict[str, Any] | None = None, **doubt: str) -> str:
    """The tradeoffs of these ratings."""
    return wall(laid("tradeoffs", draft or {}, rated(rows, **doubt)))


def test_what_was_said_to_findings_that_are_no_findings_any_more_is_not_shown_with_those_of_now() -> None:
    draft, now = example("tradeoffs"), rated({"A1": [0, 0], "A2": [1, -1], "A3": [1, -2], "A4": [2, -2]})
    draft["irrelevant_objectives"] = [
        {"objective_id": "O2", "reason": "All obey the law", "kind": "no_variation", "uniform_rating": 0}
    ]
    told = wall(build_sheet(PLAYBOOK["tradeoffs"], draft, now))
    assert "A2 Way A2 is as good or better everywhere" in told
    assert draft["dominated_alternatives"][0]["explanation"] in told, "A2 still beats A3"
    assert "\nBy your ratings: O1 Aim O1 against O2 Aim O2" in told
    said = [each["statement"] for each in draft["tensions"] if f"A{each['alternative_id'][1:]} Way" in told]
    assert [each for each in said if f"{each} (Said when the ratings spoke of " not in told] == []
    assert "All obey the law" not in told


def test_an_option_that_people_keep_is_not_set_aside() -> None:
    kept = {"alternative_id": "A3", "user_verdict": "keep", "reason": "It is good for morale"}
    told = told_of({"A1": [0, 0], "A2": [2, -1], "A3": [1, -1]}, {"dominated_alternatives": [kept]})
    assert "# Kept all the same\nA3 Way A3\n  A2 Way A2 is as good or better everywhere, better on O1 Aim O1." in told
    assert "  You keep it: It is good for morale" in told
    assert "# Set aside" not in told


@pytest.mark.req("FA-03")
def test_a_reason_that_nobody_gave_for_a_verdict_stands_open() -> None:
    rows = {"A1": [0, 0], "A2": [2, -1], "A3": [1, -1]}
    kept = {"alternative_id": "A3", "user_verdict": "keep"}
    assert "  You keep it: reason not said yet" in told_of(rows, {"dominated_alternatives": [kept]})
    set_aside = {"alternative_id": "A3", "user_verdict": "set_aside"}
    assert "not said yet" not in told_of(rows, {"dominated_alternatives": [set_aside]})
    out = {"objective_id": "O1", "kind": "user_dismissed"}
    assert "You dismissed it.\n  reason not said yet" in told_of(rows, {"irrelevant_objectives": [out]})


def test_a_beaten_status_quo_is_told_with_care_and_stays() -> None:
    kept = {"alternative_id": "A1", "user_verdict": "keep", "reason": "Nobody has to move"}
    told = told_of({"A1": [0, 0], "A2": [1, 0], "A3": [0, -1]}, {"dominated_alternatives": [kept]})
    assert "# The status quo\nOn your own ratings, A2 Way A2 is never worse than A1 Way A1" in told
    assert "A1 Way A1 stays in the table, as the zero of the scale." in told
    assert told.index("You keep it: Nobody has to move") > told.index("# The status quo")
    assert "A1 Way A1 [set_aside]" not in told
    assert "# Kept all the same" not in told
    assert "A3 Way A3" in told


def test_ties_are_asked_what_differs_and_an_idle_option_is_named() -> None:
    told = told_of({"A1": [0, 0], "A2": [1, -1], "A3": [1, -1], "A4": [0, 0]})
    assert (
        "# Rated alike\nA1 Way A1 and A4 Way A4\n  On your ratings A4 Way A4 is no different from the status quo."
        in told
    )
    assert "A2 Way A2 and A3 Way A3\n  What else differs, or are they the same?" in told
    several = told_of({"A1": [0, 0], "A2": [0, 0], "A3": [0, 0]})
    assert "On your ratings A2 Way A2 and A3 Way A3 are no different from the status quo." in several


def test_if_nothing_tells_the_options_apart_the_wall_asks_what_is_missing() -> None:
    told = told_of({"A1": [0, 0], "A2": [0, 0]})
    assert "No objective tells the options apart. What matters that is not on the list?" in told


def test_an_objective_may_say_nothing_only_about_what_is_left() -> None:
    told = told_of({"A1": [0, 0, 0], "A2": [1, 1, 0], "A3": [2, 0, 0], "A4": [-1, -1, -1]})
    assert "O3 Aim O3\n  All options that are left are rated 0." in told


def test_what_people_leave_out_themselves_is_shown_with_their_reason() -> None:
    dismissed = {"objective_id": "O2", "reason": "Same as speed", "kind": "redundant"}
    told = told_of({"A1": [0, 0], "A2": [1, -1]}, {"irrelevant_objectives": [dismissed]})
    assert "# Left out by you\nO2 Aim O2\n  You called it redundant.\n  Same as speed" in told


def test_a_finding_that_is_out_of_date_is_not_told_as_a_reason() -> None:
    old = {"objective_id": "O1", "reason": "Every option is rated 0.", "kind": "no_variation", "uniform_rating": 0}
    told = told_of({"A1": [0, 0, 0], "A2": [1, 2, 0], "A3": [1, 0, 2]}, {"irrelevant_objectives": [old]})
    assert "# Does not separate the options\nO1 Aim O1\n  All options that are left are rated +1." in told
    assert "Every option is rated 0." not in told


def test_a_reason_that_was_stored_with_a_hyphen_has_the_minus_of_now() -> None:
    so_far = rated({"A1": [-1, 0, 0], "A2": [-1, 2, 0], "A3": [-1, 0, 2]})
    del so_far.results["alternatives"]["status_quo_id"]
    row = {"objective_id": "O1", "kind": "no_variation", "uniform_rating": -1}
    for reason, told in (
        ("Every option is rated -1.", "Every option is rated −1."),
        ("It takes -1 day: people's words", "It takes -1 day: people's words"),
    ):
        shown = wall(laid("tradeoffs", {"irrelevant_objectives": [{**row, "reason": reason}]}, so_far))
        assert f"O1 Aim O1\n  {told}" in shown


def test_the_heart_counts_the_pairs_of_options_in_the_running_and_not_of_the_status_quo() -> None:
    rows = {"A1": [0, 0, 0], "A2": [2, -1, 0], "A3": [1, 1, -1], "A4": [-1, 0, 2]}
    assert titled(laid("tradeoffs", {}, rated(rows)), "The heart of it") == (
        "By your ratings: O1 Aim O1 against O3 Aim O3: in 2 of 3 pairs of options in the running (A2 Way A2, A3 Way "
        "A3 and A4 Way A4), what wins on one loses on the other.\n"
        "Opposed at least as often: O1 Aim O1 against O2 Aim O2 and O2 Aim O2 against O3 Aim O3."
    )


def test_counting_once_what_is_counted_twice_may_change_who_leads() -> None:
    told = told_of({"A1": [0, 0, 0], "A2": [1, 1, -1], "A3": [-1, -1, 2], "A4": [0, 0, 1]})
    assert (
        "Counted once, A3 Way A3 and A4 Way A4 would be level on the plain sum; now A2 Way A2 and A4 Way A4 are level."
        in told
    )


def test_counting_once_says_who_alone_is_ahead_now() -> None:
    """As in a table where two objectives tell the same story, of which one option gains twice."""
    told = told_of({"A1": [0, 0, 0, 0], "A2": [1, 1, -1, 0], "A3": [0, 0, 0, 0]})
    assert "would be level on the plain sum; now A2 Way A2 alone is ahead." in told


def test_while_a_sum_is_unknown_nobody_leads_it_by_counting_once_either() -> None:
    so_far = rated({"A1": [0, 0, 0], "A2": [1, 1, -1], "A3": [-1, -1, 2]})
    del so_far.results["consequences"]["table"]["cells"][5]
    told = titled(laid("tradeoffs", {}, so_far), "Tell the same story")
    assert told.startswith("O1 Aim O1 and O2 Aim O2\n")
    assert "Counted once" not in told


def test_an_all_rounder_and_an_only_one_are_called_so() -> None:
    told = told_of({"A1": [0, 0], "A2": [2, -2], "A3": [1, -1], "A4": [-1, 1]})
    assert "A3 Way A3\n  An all-rounder: nowhere the best, nowhere the worst." in told
    assert "A2 Way A2\n  The only one that is left." in told_of({"A1": [0, 0], "A2": [1, 1]})


def test_more_pairs_than_six_options_have_are_counted() -> None:
    rows = {"A1": [0, 0], **{f"A{n}": [2, -2] if n % 2 else [-2, 2] for n in range(2, 9)}}
    told = titled(laid("tradeoffs", {}, rated(rows)), "One instead of another").splitlines()
    heads = [line for line in told if not line.startswith(" ")]
    assert len(heads) == 16
    assert heads[-1].startswith("and ")


def test_a_question_of_one_step_shows_what_people_answered() -> None:
    row = {"alternative_id": "A2", "by": "A3", "user_verdict": "rejected", "reason": "Money is tight"}
    told = told_of({"A1": [0, 0, 0], "A2": [0, 1, 1], "A3": [2, 2, 0]}, {"practical_dominance": [row]})
    assert "  You said: its one step is worth it. Money is tight" in told


def test_a_lead_that_a_doubtful_rating_takes_away_is_told_first() -> None:
    rows = {"A1": [0, 0], "A2": [2, -1], "A3": [-1, 1]}
    told = titled(laid("tradeoffs", {}, rated(rows, A2_O2="high")), "What one step would change").splitlines()
    assert told[:2] == [
        "A1 Way A1, A2 Way A2 and A3 Way A3 would be level on the plain sum, with any one of these",
        "  A2 Way A2 on O2 Aim O2: −2 instead of −1, a rating you doubt",
    ]
    rows = {"A1": [0, 0], "A2": [2, -1], "A3": [-1, 2]}
    assert "\nA2 Way A2 would lead on the plain sum, with any one of these" in told_of(rows)


def test_a_table_that_no_single_step_changes_says_so() -> None:
    told = told_of({"A1": [0, 0], "A2": [2, 2]})
    told = told.partition("# What one step would change\n")[2]
    none = "No rating of an option left, moved by one step, changes who leads on the plain sum or sets another aside."
    assert told == none


def test_within_the_ranges_that_were_given_a_finding_may_not_hold() -> None:
    so_far = rated({"A1": [0, 0], "A2": [1, -1], "A3": [0, -1]})
    so_far.results["consequences"]["table"]["cells"][4]["rating_range"] = {"low": -1, "high": 2}
    told = wall(laid("tradeoffs", {}, so_far))
    assert "  Within the ranges you gave, this could turn out otherwise." in told
    assert "turn out otherwise" not in told_of({"A1": [0, 0], "A2": [1, -1], "A3": [0, -1]})


def test_while_ratings_are_missing_nothing_is_final_and_what_could_be_names_the_gaps() -> None:
    so_far = rated({"A1": [0, 0], "A2": [1, -1], "A3": [1, -1]})
    del so_far.results["consequences"]["table"]["cells"][3]
    shown = laid("tradeoffs", {}, so_far)
    assert wall(shown).startswith("Ratings are missing, so nothing here is final.")
    told = titled(shown, "Not settled by what is known")
    assert "A1 Way A1 [gap]\n  A2 Way A2 could be as good or better everywhere. Fill A2 Way A2 on O2 Aim O2." in told
    assert titled(shown, "What one step would change") == ""
    assert titled(shown, "Least to give up") == ""


def test_without_ratings_there_is_nothing_to_compare() -> None:
    nothing = DecisionRecord({}, TODAY)
    told = wall(laid("tradeoffs", {"user_understanding": "Speed or money."}, nothing))
    assert told.startswith("# In your own words\nSpeed or money.\n")
    assert "There are no ratings yet, so there is nothing to compare." in told
    assert in_short("tradeoffs", {}, nothing) == "no ratings yet"


@pytest.mark.req("TR-06")
def test_an_option_given_up_for_one_far_ahead_is_set_aside_on_the_card_and_in_every_list() -> None:
    shown = laid("tradeoffs", example("tradeoffs"))
    assert shown.essence[1:3] == (
        "Set aside: A3 Budget call centre and A6 Mandatory rota for all agents (beaten by another); "
        "A2 Specialist partner with onboarding (you said: not worth it)",
        "Left to weigh: A1 Volunteer overtime rota (today), A4 Three part-time weekend agents and "
        "A5 AI triage plus paid on-call",
    )
    assert "A2 Specialist partner with onboarding [set_aside]" in titled(shown, "What each option gains")
    assert "A2 Specialist partner with onboarding | +1 | 2 | 3 | – | –" in titled(shown, "Sums")
    recommended = wall(laid("recommendation", example("recommendation")))
    assert "taken together, A5 AI triage plus paid on-call could still draw level or lead" in recommended


@pytest.mark.req("TR-15")
def test_beside_the_sums_stands_what_points_and_amounts_are_and_why_an_option_has_none() -> None:
    told = titled(laid("tradeoffs", example("tradeoffs")), "How to read the sums").splitlines()
    assert [each.split(":")[0] for each in told] == ["By your points", "By amounts", "–"]
    assert told[1].endswith("half-way between the worst and the best amount brings half of the points.")
    assert told[2] == "–: it is set aside and not weighed."
    bare: dict[str, Any] = {**example("tradeoffs"), "swing_weights": [], "practical_dominance": []}
    assert (
        titled(laid("tradeoffs", bare), "How to read the sums").splitlines()[0].startswith("By amounts: as the plain")
    )
    gap = rated({"A1": [0, 0], "A2": [2, -1]})
    assert titled(laid("tradeoffs", {}, gap), "How to read the sums") == ""
    gap = rated({"A1": [0, 0], "A2": [2, -1]})
    del gap.results["consequences"]["table"]["cells"][3]
    assert titled(laid("tradeoffs", {}, gap), "How to read the sums") == "–: a rating of it is missing."


def test_an_objective_that_separates_no_options_names_the_doubts_that_could_make_it() -> None:
    told = titled(laid("tradeoffs", example("tradeoffs")), "Does not separate the options")
    assert told.splitlines()[-1] == (
        "  In doubt, so this may change: A6 Mandatory rota for all agents on O6 Obey working-time law "
        "(Works-council agreement)"
    )
    bare = titled(laid("tradeoffs", {}, rated({"A1": [0, 0], "A2": [1, 0]}, A2_O2="high")), "Does not separate")
    assert bare.endswith("In doubt, so this may change: A2 Way A2 on O2 Aim O2")
