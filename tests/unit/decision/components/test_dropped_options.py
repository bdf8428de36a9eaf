"""An option that people leave out of the choice counts nowhere, whatever its ratings, until they take it back in."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from app.core.state.sheet import Listing, Sheet
from app.decision.drafts.changes.whats_new import describe_changes
from app.decision.drafts.draft import refresh_draft
from app.decision.drafts.notebook import ItemAddress
from app.decision.layout.parts.result import Result
from app.decision.layout.sheets import build_sheet, recall, write_gist
from app.decision.playbook.found_so_far import list_findings
from app.decision.playbook.openings import write_opening
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.unit.decision.books import book, done, refused
from tests.unit.decision.components.told import find_told
from tests.unit.decision.components.worked import PLAYBOOK, accepted, before, example, rated
from tests.unit.decision.components.worked import refused as refused_draft
from tests.unit.decision.sheets.walls import titled, wall

GONE = {"alternative_id": "A5", "reason": "the vendor is out of business"}


def tradeoffs(*dropped: dict[str, Any]) -> Draft:
    return {**example("tradeoffs"), "dropped_alternatives": list(dropped)}


def decision(*dropped: dict[str, Any], key: str = "recommendation") -> DecisionRecord:
    return before(key, tradeoffs=tradeoffs(*dropped))


@pytest.mark.req("TR-06")
def test_an_option_that_people_leave_out_is_in_no_finding_and_comes_back_when_they_take_it_in() -> None:
    so_far = decision({"alternative_id": "A4"})
    found = so_far.analysis
    assert found
    assert found.dropped == ("A4",)
    assert "A4" not in found.dominance.left
    assert found.leaders == ("A2", "A5"), "A4 led before"
    assert "A4" not in {each.alternative for each in (*found.scores, *found.tensions, *found.regrets.each)}
    assert so_far.standout is None
    assert so_far.firmness
    assert "A4" not in so_far.firmness.firsts
    again = decision().analysis
    assert again
    assert again.leaders == ("A4",)
    assert again.dropped == ()


@pytest.mark.req("TR-06")
def test_what_stands_out_is_looked_for_among_the_options_that_people_did_not_leave_out() -> None:
    standout = decision({"alternative_id": "A5"}, {"alternative_id": "A2"}).standout
    assert standout
    assert standout.alternative == "A4"
    assert not {"A5", "A2"} & {*standout.other_readings, *standout.rivals}


@pytest.mark.req("TR-13")
def test_what_to_find_out_first_speaks_of_no_option_that_people_left_out() -> None:
    four = {"alternative_id": "A4"}
    assert "A4" in {option for option, _, _ in decision().doubts}
    assert decision(four).doubts
    assert "A4" not in {option for option, _, _ in decision(four).doubts}
    for key in ("recommendation", "notes_next_steps"):
        first = write_opening(PLAYBOOK[key], decision(four, key=key)).partition("What to find out first:")[2]
        assert "• A5 " in first, key
        assert "A4" not in first, key


@pytest.mark.req("FA-15")
def test_an_option_left_out_is_named_with_the_reason_in_every_later_step() -> None:
    draft, so_far = accepted("tradeoffs", tradeoffs(GONE)).draft, before("tradeoffs")
    told = "You said: it is set aside."
    sheet = build_sheet(PLAYBOOK["tradeoffs"], draft, so_far)
    (aside,) = (each for each in sheet.sections if isinstance(each, Listing) and each.title == "Set aside")
    assert ["A5", told, GONE["reason"]] in [[each.handle, *each.notes] for each in aside.items]
    assert write_gist(PLAYBOOK["tradeoffs"], draft, so_far).startswith("4 set aside, 1 left")
    (line,) = (each for each in sheet.essence if each.startswith("Set aside"))
    assert line == (
        "Set aside: A3 Budget call centre, A6 Mandatory rota for all agents, A5 AI triage plus paid on-call "
        "and A2 Specialist partner with onboarding"
    )
    told_later = recall(PLAYBOOK["recommendation"], Sheet(), decision(GONE))
    assert "What you said about the findings: see Tradeoffs" in titled(told_later, "In other steps")
    for each in (later := decision(GONE)).results["tradeoffs"]["dominated_alternatives"]:
        each.pop("user_verdict", None)
    said = {
        each.handle: each.notes for each in find_told(Result(PLAYBOOK["recommendation"], {}, later), "understanding")
    }
    assert said["A5"] == (told, GONE["reason"]), "in the windows"
    assert "A3" not in said, "nobody has said anything of it"
    model = str(list_findings(PLAYBOOK["recommendation"], decision(GONE)))
    assert "left out of the choice by them (do not ask about it), because the vendor is out of business" in model


def test_the_status_quo_stays_and_so_do_two_options() -> None:
    every = tuple({"alternative_id": f"A{number}"} for number in range(1, 7))
    found = decision(*every[1:]).analysis
    assert found
    assert found.dropped == ()
    assert refused_draft("tradeoffs", tradeoffs({"alternative_id": "A1"})) == {
        "dropped_alternatives.0.alternative_id": "cannot be left out"
    }


def test_options_left_out_count_again_when_an_option_goes_and_too_few_would_stay() -> None:
    rows = {"A1": [0, 0], "A2": [1, 0], "A3": [1, 1], "A4": [-1, 2]}
    former, so_far = rated(rows), rated({each: rows[each] for each in ("A1", "A2", "A3")})
    gone = {"dropped_alternatives": [{"alternative_id": each, "reason": "Too far"} for each in ("A2", "A3")]}
    former = with_status_quo(former)
    before = accepted("tradeoffs", gone, former).draft
    so_far = replace(with_status_quo(so_far), before=before, former={each: f"Way {each}" for each in rows})
    after = refresh_draft(PLAYBOOK["tradeoffs"], deepcopy(before), so_far).draft
    told = describe_changes(before, after, so_far, former)
    assert "A2 Way A2 and A3 Way A3, which you left out, count again: two options have to stay" in told
    assert not any("can be set aside" in each for each in told)
    shown = wall(build_sheet(PLAYBOOK["tradeoffs"], after, so_far))
    assert "You left out A2 Way A2 and A3 Way A3. That counts for nothing, because two options have to stay" in shown
    later = replace(so_far, results={**so_far.results, "tradeoffs": after})
    said = find_told(Result(PLAYBOOK["recommendation"], {}, later), "understanding")
    assert {each.handle: each.notes[-1] for each in said} == dict.fromkeys(
        ("A2", "A3"), "It counts all the same, because two options have to stay."
    )
    assert "do not ask about it" not in str(list_findings(PLAYBOOK["recommendation"], later))


def test_an_option_left_out_that_ratings_compare_with_counts_for_that_reason() -> None:
    rows = {"A1": [-1, 0], "A2": [1, 0], "A3": [0, 0], "A4": [1, 1]}
    former, so_far = with_status_quo(rated({**rows, "A1": [0, 0]})), with_status_quo(rated(rows), "A3")
    before = accepted("tradeoffs", {"dropped_alternatives": [{"alternative_id": "A3"}]}, former).draft
    so_far = replace(so_far, before=before)
    after = refresh_draft(PLAYBOOK["tradeoffs"], deepcopy(before), so_far).draft
    told = describe_changes(before, after, so_far, former)
    assert "A3 Way A3, which you left out, counts again: the others are compared with it" in told
    shown = wall(build_sheet(PLAYBOOK["tradeoffs"], after, so_far))
    assert "You left out A3 Way A3. That counts for nothing, because the others are compared with it." in shown
    later = replace(so_far, results={**so_far.results, "tradeoffs": after})
    said = find_told(Result(PLAYBOOK["recommendation"], {}, later), "understanding")
    assert [each.notes[-1] for each in said if each.handle == "A3"] == [
        "It counts all the same, because the others are compared with it."
    ]
    model = str(list_findings(PLAYBOOK["recommendation"], later))
    assert "left out by them, which counts for nothing as the others are compared with it" in model
    assert "two options have to stay" not in f"{told}{shown}{model}"


def with_status_quo(so_far: DecisionRecord, option: str = "A1") -> DecisionRecord:
    """The decision with its first option as the status quo, or another one."""
    options = {**so_far.results["alternatives"], "status_quo_id": option}
    return replace(so_far, results={**so_far.results, "alternatives": options})


@pytest.mark.req("FA-04")
def test_a_tool_notes_an_option_as_left_out_and_takes_it_back_in() -> None:
    notes = book("tradeoffs")
    draft = done(notes.note({}, "dropped_alternatives", GONE))
    assert draft["dropped_alternatives"] == [GONE]
    assert done(notes.drop(draft, ItemAddress("A5", "dropped_alternatives")))["dropped_alternatives"] == []
    said = refused(notes.note({}, "dropped_alternatives", {"alternative_id": "A1"}))
    assert said.startswith("alternative_id: cannot be left out, it has to be an option that is not the status quo")


@pytest.mark.req("FA-04")
def test_a_verdict_on_what_the_ratings_do_not_find_is_told_where_it_goes() -> None:
    verdict = {"alternative_id": "A5", "user_verdict": "set_aside"}
    assert refused(book("tradeoffs").note({}, "dominated_alternatives", verdict)) == (
        "alternative_id: the ratings do not set it aside, it has to be one that they do set aside. If people leave "
        "this option out all the same, note it in dropped_alternatives with their words; else note no verdict"
    )


@pytest.mark.req("FA-26")
def test_who_drops_an_option_in_another_step_is_told_where_that_can_be_done() -> None:
    assert refused(book("consequences").drop({}, ItemAddress("A5"))) == (
        "item: is of an earlier step, it has to be an item of this step: people can discuss Alternatives again to "
        "change it, or leave it out of the choice in Tradeoffs, not here"
    )
    told = refused(book("consequences").drop({}, ItemAddress("c1")))
    assert told.endswith("if it no longer holds, change_item it to what holds, as they said it")
    assert "or note it in dropped_alternatives here" in refused(book("tradeoffs").drop({}, ItemAddress("a5")))
    assert refused(book("consequences").drop({}, ItemAddress("O1"))).endswith("discuss Objectives again to change it")
