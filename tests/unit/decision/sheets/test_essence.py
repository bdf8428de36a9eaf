"""A card shows what it asks about, in five lines of whole things, and nothing twice."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from app.core.text.cutting import CUT
from app.decision.layout.first_page import build_first_page
from app.decision.layout.parts.result import pack_lines
from app.decision.layout.parts.words import LINE, SUMMARY
from app.decision.layout.sheets import build_sheet, write_gist
from app.decision.playbook.example import list_questions, load_drafts
from app.decision.playbook.openings import write_opening
from app.decision.record import DecisionRecord
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, TODAY, before, cell, example, rated
from tests.unit.decision.sheets.walls import essence, wall

# --- issue raising


@pytest.mark.req("FA-13")
def test_no_list_of_issues_is_missing_beside_the_decision_that_comes_first() -> None:
    told = essence("issue_raising", example("issue_raising"))
    assert [each.split(":")[0] for each in told] == [
        "Decisions (3)",
        "Objectives (3)",
        "Uncertainties (3)",
        "Considerations (3)",
    ]
    assert " ".join(told).count("D1 ") == 1, "named once"


def test_the_first_of_all_decisions_is_named_first_and_the_only_one_needs_no_rank() -> None:
    draft = example("issue_raising") | {"focal_candidate_id": "D2"}
    assert essence("issue_raising", draft)[0].startswith("Decisions (3): first D2 Whether")
    draft["potential_decisions"] = draft["potential_decisions"][1:2]
    assert essence("issue_raising", draft)[0].startswith("Decisions (1): D2 Whether")


# --- objectives


@pytest.mark.req("FA-13")
def test_objectives_are_shown_with_their_measures_amounts_and_targets() -> None:
    told = essence("objectives", example("objectives"))
    assert "O1 Solve urgent off-hours problems quickly (now 9.5 h · less is better)" in told[0]
    assert "O4 Give correct and friendly answers (now 4.1 points · more is better)" in told[1]
    assert "O6 Obey working-time law (now 0 breaches/year · target 0 · the nearer to the target the better)" in told[2]
    assert told[3:] == ("Means that serve them: 3",)


def test_an_objective_alone_in_its_line_has_the_unit_of_its_measure_if_nothing_else_tells_it() -> None:
    measure = {"metric": "commute", "units": "minutes", "direction": "minimize"}
    row = {"handle": "O1", "description": "Come quickly", "performance_measure": measure}
    (told,) = essence("objectives", {"fundamental_objectives": [row]})
    assert told == "O1 Come quickly (Commute in minutes · less is better)"
    measure["metric"] = "Minutes on the way"
    (told,) = essence("objectives", {"fundamental_objectives": [row]})
    assert told == "O1 Come quickly (Minutes on the way · less is better)"


def test_of_a_date_the_earlier_one_is_called_better_and_not_the_less() -> None:
    measure = {"metric": "opening date", "direction": "minimize"}
    row = {"handle": "O1", "description": "Open soon", "performance_measure": measure}
    assert essence("objectives", {"fundamental_objectives": [row]}) == (
        "O1 Open soon (Opening date · the earlier the better)",
    )
    sheet = build_sheet(PLAYBOOK["objectives"], {"fundamental_objectives": [row]}, before("objectives"))
    assert "Opening date, the earlier the better" in wall(sheet)
    measure["direction"] = "maximize"
    assert "the later the better" in essence("objectives", {"fundamental_objectives": [row]})[0]
    measure["units"] = "dates"
    assert "more is better" in essence("objectives", {"fundamental_objectives": [row]})[0]


@pytest.mark.req("TR-08")
def test_a_unit_beside_an_objective_is_written_as_it_is() -> None:
    units = {"O1": "m²", "O2": "min", "O3": "km", "O4": "€", "O5": "mW", "O6": "t", "O7": "g"}
    rows = [
        {"handle": each, "description": "Aim", "performance_measure": {"metric": "size", "units": unit}}
        for each, unit in units.items()
    ]
    told = " ".join(essence("objectives", {"fundamental_objectives": rows}))
    assert [unit for unit in units.values() if f"({unit} · " not in told] == []


def test_of_a_few_objectives_each_has_its_line_and_says_what_has_no_measure() -> None:
    draft = example("objectives")
    draft["fundamental_objectives"] = draft["fundamental_objectives"][:2]
    del draft["fundamental_objectives"][1]["performance_measure"]
    for each in draft["means_objectives"]:
        each["supports"] = []
    told = essence("objectives", draft)
    assert told[0].startswith("O1 Solve urgent off-hours problems quickly (Median hours from first message to heat")
    assert told[0].endswith(" · now 9.5 h · less is better)")
    assert told[1] == "O2 Protect the agents' health and private life (no measure yet)"
    assert told[2].startswith("Means that serve nothing yet: M1 ")
    assert essence("objectives", {"fundamental_objectives": []}) == (
        "Nothing named yet that matters for its own sake.",
    )


@pytest.mark.req("TR-18")
def test_an_objective_alone_in_its_line_keeps_its_point_unless_the_line_would_be_too_long() -> None:
    draft = {"fundamental_objectives": [{"handle": "O1", "description": "Have fewer people who do not turn up"}]}
    assert essence("objectives", draft) == ("O1 Have fewer people who do not turn up (no measure yet)",)
    draft["fundamental_objectives"][0]["description"] += f", {'and who say nothing of it ' * 6}"
    assert essence("objectives", draft) == ("O1 Have fewer people who do… (no measure yet)",)


# --- alternatives


@pytest.mark.req("FA-13")
def test_an_option_says_in_its_place_that_it_breaks_a_limit_or_is_the_status_quo() -> None:
    draft = example("alternatives")
    draft["alternatives"][2]["broken_limits"] = ["Works council"]
    told = essence("alternatives", draft)
    assert told[0].startswith("Options (5 + status quo): A1 Volunteer overtime rota (status quo)")
    assert "A3 Budget call centre (breaks a limit)" in " ".join(told)
    whole = " ".join(told)
    assert [whole.count(f"A{number} ") for number in range(1, 7)] == [1] * 6
    assert essence("alternatives", {"alternatives": []}) == ("No option named yet.",)


@pytest.mark.req("FA-13")
def test_options_that_have_a_line_each_are_all_of_one_level() -> None:
    draft = example("alternatives")
    draft["alternatives"] = draft["alternatives"][:5]
    assert [each[:3] for each in essence("alternatives", draft)] == [f"A{number} " for number in range(1, 6)]


@pytest.mark.req("FA-13")
def test_what_an_option_counts_on_stands_beside_its_name_or_is_said_to_be_there() -> None:
    option: dict[str, Any] = {"handle": "A2", "name": "Praxo", "description": "", "assumptions": ["We get the grant."]}
    draft = {"alternatives": [option]}
    assert essence("alternatives", draft) == ("A2 Praxo (counts on: We get the grant)",)
    option["assumptions"].append("nobody asks for more " * 6)
    assert essence("alternatives", draft) == ("A2 Praxo (on a condition)",)
    option |= {"assumptions": [], "name": "Praxo " + "as a suite " * 12}
    assert "(" not in essence("alternatives", draft)[0]


@pytest.mark.req("FA-13")
@pytest.mark.parametrize("condition", ["If Kessler kicks us out, this one is dead", "Unless Kessler kicks us out"])
def test_a_condition_that_is_worded_as_one_is_not_said_to_be_counted_on(condition: str) -> None:
    option: dict[str, Any] = {"handle": "A3", "name": "Store", "description": "", "assumptions": [condition]}
    told = essence("alternatives", {"alternatives": [option]})[0]
    assert told.endswith(f"A3 Store ({condition[0].lower()}{condition[1:]})")


# --- recommendation


@pytest.mark.req("FA-13")
def test_a_card_that_asks_about_a_summary_shows_it_in_whole_sentences() -> None:
    draft = example("recommendation")
    first, *rest = essence("recommendation", draft)
    assert first.startswith("In short: Two options dropped out")
    assert SUMMARY // 2 < len(first) <= SUMMARY + len(f" {CUT}")
    assert first.endswith(f". {CUT}")
    assert first.removeprefix("In short: ").removesuffix(f" {CUT}") in " ".join(draft["synthesis"].split())
    assert "the decision is yours" not in " ".join(rest), "the question says so"
    assert all(len(each) <= LINE + len(f" {CUT}") for each in rest)


@pytest.mark.req("FA-13")
def test_no_level_option_is_cut_off_the_card_and_one_that_counts_on_something_says_so() -> None:
    so_far = rated({"A1": [0, 0], "A2": [2, -1], "A3": [1, 0], "A4": [2, -1]}, "recommendation")
    draft = {"synthesis": "Three are level."}
    assert (
        "No option stands out: A2 Way A2, A3 Way A3 and A4 Way A4 are level"
        in essence("recommendation", draft, so_far)[1]
    )
    options = so_far.results["alternatives"]["alternatives"]
    options[1]["assumptions"] = [
        "The region gives the grant of 6,000 euros before the order has to be signed in spring"
    ]
    options[3]["name"] = "Termly as an add-on, with what we have"
    told = essence("recommendation", draft, replace(so_far, results={**so_far.results}))
    assert told[1] == (
        "No option stands out. Level on the plain sum: A2 Way A2, on a condition; A3 Way A3; A4 Termly as an add-on…"
    )


@pytest.mark.req("TR-18")
@pytest.mark.parametrize(("assumed", "where"), [([], "A3 Way A3 on O2 Aim O2"), (["A grant"], "see the details")])
def test_why_the_one_that_leads_does_not_stand_out_is_not_cut_off_the_card(assumed: list[str], where: str) -> None:
    so_far = rated({"A1": [0, 0], "A2": [1, 1], "A3": [1, 0]}, "recommendation", A3_O2="high")
    option = so_far.results["alternatives"]["alternatives"][1]
    option |= {"name": "A print shop that addresses and mails each copy by itself, from abroad", "assumptions": assumed}
    told = essence("recommendation", {"synthesis": "One leads."}, replace(so_far, results={**so_far.results}))
    named = f"A2 A print shop that addresses…{' (on a condition)' if assumed else ''}"
    assert told[1] == (
        f"No option stands out: {named} leads on the plain sum, but one doubtful rating could change that ({where})."
    )


@pytest.mark.req("TR-18")
def test_what_speaks_against_the_one_that_leads_is_whole_however_long_the_names() -> None:
    rows = {"A1": [0, 0], "A2": [2, 0], "A3": [1, 0]}
    so_far = rated(rows, "recommendation")
    cell(so_far, "A3", "O2").update({"rating_range": {"low": -2, "high": 2}, "uncertainty": {"level": "high"}})
    so_far.results["alternatives"]["alternatives"][2]["name"] = (
        "One print run with the association next door in Leipzig"
    )
    aim = "Keep older members who do not read on screens a part of all that we do"
    so_far.results["objectives"]["fundamental_objectives"][1]["description"] = aim
    told = essence("recommendation", {"synthesis": "One leads."}, replace(so_far, results={**so_far.results}))
    assert told[2] == (
        "A3 One print run with the… could still lead: nobody knows yet how it does on O2 Keep older members who do…"
    )


def test_weak_information_is_warned_of_before_the_summary() -> None:
    so_far = before("recommendation")
    quality = {"elements": [{"name": "Reliable Consequence Information", "score": 40}]}
    so_far = replace(so_far, later={"decision_quality": quality})
    first = essence("recommendation", example("recommendation"), so_far)[0]
    assert first.startswith("Read it with care: you scored the information behind it 40 %. In short: Two options")


@pytest.mark.req("FA-13")
def test_what_is_to_check_takes_no_line_from_what_is_asked_about() -> None:
    draft = example("issue_raising")
    draft["objectives"][0]["origin"] = "ai_suggested"
    shown = build_sheet(PLAYBOOK["issue_raising"], draft, before("issue_raising"), ("D1",))
    assert "Please check" in shown.to_check
    assert len(shown.essence) == 5
    assert shown.essence[4].startswith("Considerations (3)")


# --- decision quality


@pytest.mark.req("FA-13")
def test_a_card_that_asks_about_scores_shows_all_seven() -> None:
    draft = example("decision_quality")
    told = " ".join(essence("decision_quality", draft))
    for each in draft["elements"]:
        assert f"{each['name'].capitalize()} {each['score']}" in told
    del draft["elements"][2]["score"]
    assert "Creative alternatives –" in " ".join(essence("decision_quality", draft))


@pytest.mark.req("FA-13")
def test_the_card_says_what_would_raise_each_of_the_weakest_elements() -> None:
    draft = example("decision_quality")
    for each in draft["elements"]:
        each["score"], each["improvement_path"] = 90, f"Work on {each['name']}"
    for each, path in zip(draft["elements"][-2:], ("2 quotes.", "A talk with Anneke"), strict=True):
        each["score"], each["improvement_path"] = 40, path
    assert "Raised by: 2 quotes; A talk with Anneke" in essence("decision_quality", draft)


@pytest.mark.req("TR-17")
def test_a_score_that_is_missing_is_named_once_on_the_card() -> None:
    draft = example("decision_quality")
    draft["elements"].pop()
    assert " ".join(essence("decision_quality", draft)).count("Commitment to follow through") == 1


def test_where_all_seven_are_full_nothing_is_called_the_weakest() -> None:
    elements = [each | {"score": 100} for each in example("decision_quality")["elements"]]
    quality = {"elements": elements, "overall_score": 100, "weakest": [each["name"] for each in elements]}
    card = build_sheet(PLAYBOOK["decision_quality"], quality, before("decision_quality"))
    assert card.essence[0] == "Overall: 100 % on all seven elements"
    so_far = before("notes_next_steps", decision_quality=quality)
    told = (
        *card.essence,
        wall(card),
        write_gist(PLAYBOOK["decision_quality"], quality, so_far),
        write_opening(PLAYBOOK["notes_next_steps"], so_far),
        repr(build_first_page(PLAYBOOK["consequences"], so_far)),
    )
    assert not [each for each in told if "elements alike" in each or "100 % (the weakest" in each]
    assert "The weakest link so far: none, all seven elements are at 100 %" in told[-2]
    assert "('Weakest link', 'none, all seven elements are at 100 %')" in told[-1]


# --- notes and next steps


@pytest.mark.req("FA-23")
def test_every_next_step_is_shown_with_its_owner_and_day_or_counted() -> None:
    draft = example("notes_next_steps")
    told = " ".join(essence("notes_next_steps", draft))
    for number in range(1, 5):
        assert f"2026: N{number} " in told
    draft["planned_actions"] += [
        {"handle": f"N{number}", "action": f"Call supplier number {number} again", "owner": "Lena"}
        for number in range(5, 10)
    ]
    told = essence("notes_next_steps", draft)
    assert len([each for each in told if "N5" in each or each.endswith(" more")]) == 1
    shown = sum(" ".join(told).count(f" N{number} ") for number in range(1, 10))
    assert f"and {9 - shown} more" in told[3]
    assert "No next step planned." in essence("notes_next_steps", draft | {"planned_actions": []})


# --- lines


@pytest.mark.req("FA-13")
def test_a_leaning_to_an_option_beyond_a_limit_says_so() -> None:
    options, draft = example("alternatives"), example("notes_next_steps")
    options["alternatives"][2]["broken_limits"] = ["Works council"]
    noted = before("notes_next_steps", alternatives=options)
    assert essence("notes_next_steps", draft, noted)[0] == "Decision: A4 Three part-time weekend agents · leaning"
    next(each for each in options["alternatives"] if each["handle"] == "A4")["broken_limits"] = ["At most 100,000 euro"]
    noted = before("notes_next_steps", alternatives=options)
    told = essence("notes_next_steps", draft, noted)[0]
    assert told == "Decision: A4 Three part-time weekend agents (breaks a limit) · leaning"


def test_what_does_not_fit_its_lines_is_counted_and_no_line_is_too_long() -> None:
    texts = [f"{number} {'word ' * 8}" for number in range(10)]
    packed = pack_lines(texts, 2)
    assert len(packed) == 2
    assert packed[1].endswith("; and 4 more")
    assert all(len(each) <= LINE for each in packed)
    assert pack_lines(texts[:2], 2) == tuple(texts[:2])
    assert pack_lines(["short"] * 3, 2) == ("short; short; short",)


def test_a_text_longer_than_a_line_is_cut_and_the_others_are_counted() -> None:
    long = "word " * 60
    (only,) = pack_lines([long, long], 1)
    assert only.endswith(f"word{CUT}; and 1 more")
    assert len(only) <= LINE


@pytest.mark.req("TR-18", "FA-13")
@pytest.mark.parametrize("question", list_questions())
@pytest.mark.parametrize("key", KEYS)
def test_the_cards_of_the_examples_have_at_most_120_words_and_no_sentence_twice(key: str, question: str) -> None:
    drafts = load_drafts(question)
    so_far = DecisionRecord({each.key: drafts[each.key] for each in PLAYBOOK.earlier(key)}, TODAY, question=question)
    sheet = build_sheet(PLAYBOOK[key], drafts[key], so_far)
    told = " ".join((sheet.to_check, *sheet.essence))
    assert len(told.split()) <= 120
    sentences = [each for line in sheet.essence for each in re.split(r"[.;] ", line) if each != CUT]
    assert len(sentences) == len({*sentences})
