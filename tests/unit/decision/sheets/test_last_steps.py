"""Quality and next steps on the wall: a weakest link, and nobody's step is a gap."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.core.state.sheet import Bars, Facts, Grid
from app.decision.layout.first_page import build_first_page
from app.decision.layout.sheets import build_sheet
from app.decision.playbook.openings import write_opening
from tests.unit.decision.components.worked import PLAYBOOK, before, example, minimal, rated, remarks
from tests.unit.decision.sheets.walls import in_short, laid, of_type, plainly, titled, wall

# --- decision quality


def scored(*scores: int | None) -> dict[str, Any]:
    """The example's elements with these scores; None leaves one out."""
    elements = zip(example("decision_quality")["elements"], scores, strict=True)
    return {"elements": [{"name": each["name"], "score": score} for each, score in elements if score is not None]}


@pytest.mark.req("S0-197")
def test_the_scorecard_has_seven_bars_and_is_as_good_as_the_weakest() -> None:
    shown = laid("decision_quality", example("decision_quality"))
    (card,) = of_type(shown, Bars)
    assert [bar.score for bar in card.bars] == [90, 85, 80, 60, 85, 75, 70]
    assert [bar.label for bar in card.bars if bar.weakest] == ["Reliable consequence information"]
    assert card.bars[3].note == "AI figures are the vendor's; one reference customer for the partner."
    assert card.total == "Overall: 60 % (the weakest link)"


def test_what_would_raise_it_begins_with_the_lowest_and_leaves_out_what_is_full() -> None:
    draft = example("decision_quality")
    draft["elements"][0]["score"] = 100
    told = titled(laid("decision_quality", draft), "What would raise it").splitlines()
    assert told[:2] == [
        "Reliable consequence information · 60 %",
        "  Replay 400 tickets; call two more partner references.",
    ]
    assert "Helpful problem frame" not in "\n".join(told)


def test_all_that_tie_for_the_weakest_are_named() -> None:
    (card,) = of_type(laid("decision_quality", scored(80, 90, 80, 90, 90, 90, 90)), Bars)
    assert [bar.label for bar in card.bars if bar.weakest] == ["Helpful problem frame", "Creative alternatives"]


def test_while_a_score_is_missing_there_is_no_overall_one() -> None:
    draft = scored(90, 80, None, 60, 85, 75, None)
    shown = laid("decision_quality", draft)
    (card,) = of_type(shown, Bars)
    assert card.total == ""
    assert [bar.score for bar in card.bars] == [90, 80, None, 60, 85, 75, None]
    assert "Not scored yet: Creative alternatives and Commitment to follow through" in wall(shown)
    assert in_short("decision_quality", draft) == "5 of 7 scored"


def test_a_score_without_a_way_to_raise_it_is_a_gap() -> None:
    told = titled(laid("decision_quality", scored(90, 100, 100, 100, 100, 100, 100)), "What would raise it")
    assert told == "Helpful problem frame · 90 % [gap]\n  Nothing named yet."


def test_when_all_is_full_the_decision_may_be_affirmed() -> None:
    told = wall(laid("decision_quality", scored(*[100] * 7)))
    assert "More effort would not be worth its cost: you may affirm the decision." in told
    assert "What would raise it" not in told


# --- notes and next steps


@pytest.mark.req("S0-211")
def test_the_wrap_up_tells_where_the_decision_stands_and_who_does_what_by_when() -> None:
    shown = laid("notes_next_steps", example("notes_next_steps"))
    told = wall(shown)
    assert told.startswith("Decision: A4 Three part-time weekend agents · leaning\nIn your own words: If the replay")
    (steps,) = of_type(shown, Grid)
    assert steps.header == ("What", "Who", "By when", "Status", "Works on")
    assert steps.rows[2] == (
        "N3 Ask Jonas for a two-year budget commitment",
        "Maya Okafor",
        "9 December 2026",
        "planned",
        "Commitment to follow through",
    )
    assert len(titled(shown, "Open questions").splitlines()) == 2
    assert len(titled(shown, "Notes").splitlines()) == 2
    assert len(titled(shown, "What would reopen the decision").splitlines()) == 3
    assert "Still to settle" not in told


def test_a_step_without_an_owner_or_a_day_is_a_gap_unless_it_is_done() -> None:
    actions = [
        {"handle": "N1", "action": "Call Jonas"},
        {"handle": "N2", "action": "Book a room", "owner": "Ada"},
        {"handle": "N3", "action": "Ask the team", "due_date": "2026-12-01"},
        {"handle": "N4", "action": "Count tickets", "status": "completed"},
        {"handle": "N5", "action": "Replay", "owner": "Lena", "due_date": "2026-12-02", "status": "in_progress"},
    ]
    shown = laid("notes_next_steps", {"planned_actions": actions})
    assert titled(shown, "Still to settle").splitlines() == [
        "N1 Call Jonas [gap]",
        "  Who does it? By when?",
        "N2 Book a room [gap]",
        "  By when?",
        "N3 Ask the team [gap]",
        "  Who does it?",
    ]
    (steps,) = of_type(shown, Grid)
    assert steps.header == ("What", "Who", "By when", "Status")
    assert [row[1:] for row in steps.rows] == [
        ("nobody yet", "no date yet", "planned"),
        ("Ada", "no date yet", "planned"),
        ("nobody yet", "1 December 2026", "planned"),
        ("nobody yet", "no date yet", "done"),
        ("Lena", "2 December 2026", "in progress"),
    ]


def test_with_nothing_to_note_the_wall_still_says_where_the_decision_stands() -> None:
    told = wall(laid("notes_next_steps", {}, plainly("notes_next_steps")))
    assert told == "Decision: not said yet\n# Next steps\nWhat | Who | By when | Status\nNo next step planned."


def test_an_affirmation_and_a_deferred_decision_are_shown() -> None:
    draft = {"decision": {"status": "deferred"}, "decision_affirmation": "It was good at the time."}
    told = wall(build_sheet(PLAYBOOK["notes_next_steps"], draft, before("notes_next_steps")))
    assert told.startswith("Decision: deferred\n")
    assert told.endswith("# Your affirmation\nIt was good at the time.")
    assert in_short("notes_next_steps", {"decision": {"status": "deferred"}}) == "0 actions, deferred"


@pytest.mark.req("FA-03")
def test_whether_an_option_is_decided_stays_open_on_card_and_first_page_and_is_asked_if_nobody_said_it() -> None:
    draft = example("notes_next_steps")
    del draft["decision"]["status"]
    assert "Where does the decision stand: decided, leaning or deferred?" in remarks("notes_next_steps", draft)
    shown = laid("notes_next_steps", draft)
    told = "Decision: A4 Three part-time weekend agents · not said yet if that is decided"
    assert told in wall(shown).splitlines()
    assert shown.essence[0] == told
    page = build_first_page(PLAYBOOK["consequences"], before("notes_next_steps", notes_next_steps=draft), "").sections[
        0
    ]
    assert isinstance(page, Facts)
    assert page.rows[0][0] == "Decision", "neither decided nor a leaning"
    assert page.rows[0][1].startswith("A4 Three part-time weekend agents · If the replay")
    assert page.rows[0][1].endswith(" · not said yet if that is decided")
    del draft["decision"]["alternative_id"]
    assert laid("notes_next_steps", draft).essence[0] == "Decision: not said yet"
    assert "Decision: not said yet" in wall(laid("notes_next_steps", draft)).splitlines()


@pytest.mark.req("TR-17")
def test_elements_of_which_nothing_was_named_stand_together_and_say_so_once() -> None:
    draft = minimal("decision_quality")
    for each in draft["elements"][:3]:
        each["score"] = 40
    draft["elements"][1]["improvement_path"] = "Ask Ada."
    told = titled(laid("decision_quality", draft, plainly("decision_quality")), "What would raise it")
    assert told.count("Nothing named yet.") == 1
    assert told.splitlines()[:2] == ["Clear objectives · 40 %", "  Ask Ada."]
    assert "Helpful problem frame · 40 %; Creative alternatives · 40 %" in told


def test_an_unknown_that_is_known_after_the_decision_is_due_says_so() -> None:
    draft = {**example("recommendation")}
    draft["remaining_uncertainties"] = [{"description": "Who applies", "by_when": "2027-01-15"}]
    told = titled(laid("recommendation", draft), "Still unknown")
    assert told.splitlines()[-2:] == [
        "  By when: 15 January 2027",
        "  That is after the decision is due (18 December 2026).",
    ]


@pytest.mark.parametrize("rows", [{"A1": [0, 0], "A2": [2, 1], "A3": [1, 2]}, {"A1": [0, 0], "A2": [2, 2]}])
def test_a_sentence_of_the_app_that_the_summary_repeats_is_told_once(rows: dict[str, list[int]]) -> None:
    so_far = rated(rows, "recommendation")
    findings = "\n".join(laid("recommendation", {}, so_far).essence)
    draft: Any = {"synthesis": f"{' '.join(findings.split())} The choice is yours."}
    draft |= {"standout_option": {"alternative_id": "A2", "rationale": findings}}
    shown = laid("recommendation", draft, so_far)
    for told in (wall(shown), "\n".join(shown.essence)):
        sentences = [each for line in told.splitlines() for each in re.split(r"(?<=[.?])\s", line.strip()) if each]
        assert [each for each in sentences if sentences.count(each) > 1] == []


def test_many_elements_that_are_equally_weak_are_counted_on_card_page_opening_and_in_the_question() -> None:
    quality = scored(60, 60, 60, 60, 60, 80, 60)
    for each, way in zip(quality["elements"], "abcd", strict=False):
        each["improvement_path"] = f"Ask {way}."
    shown = laid("decision_quality", quality)
    assert shown.essence[0] == "Overall: 60 % (the weakest link) · Weakest: 6 elements alike"
    assert in_short("decision_quality", quality) == "60 % · weakest: 6 elements alike"
    (card,) = of_type(shown, Bars)
    assert not any(each.weakest for each in card.bars)
    quality |= {"overall_score": 60, "weakest": [each["name"] for each in quality["elements"] if each["score"] == 60]}
    so_far = before("notes_next_steps", decision_quality=quality)
    page = dict(of_type(build_first_page(PLAYBOOK["consequences"], so_far), Facts)[0].rows)
    assert page["Weakest link"] == "6 elements alike, 60 %: Ask a; Ask b; Ask c; and 1 more"
    assert "The weakest link so far: 6 elements alike (60 %)" in write_opening(PLAYBOOK["notes_next_steps"], so_far)
    asked = remarks("notes_next_steps", {"planned_actions": []}, so_far)
    assert asked.count("weakest element") == 1
    weakest = "Helpful problem frame, Clear objectives, Creative alternatives and 3 more"
    assert f"No step works on the weakest elements: {weakest}. Which one comes first?" in asked
