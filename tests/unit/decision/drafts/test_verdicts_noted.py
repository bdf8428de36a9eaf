"""A verdict is noted or submitted beside the finding it is about, or refused with where it belongs: never lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.decision.drafts.draft import Accepted, Rejected, read
from app.decision.drafts.notebook import DraftChange, DraftEditor, ItemAddress
from app.decision.layout.sheets import build_sheet
from app.decision.playbook.openings import write_opening
from app.decision.playbook.weighing import describe_weighing
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.unit.decision.books import book, done
from tests.unit.decision.components.worked import PLAYBOOK, accepted, amounting, before, minimal, rated
from tests.unit.decision.sheets.walls import wall

ROWS = {"A1": [0, 0, 0], "A2": [2, 1, 1], "A3": [1, 1, 0], "A4": [2, -2, 2], "A5": [2, 2, 0]}
"""A2 dominates A3; A5 gives up a step against A2 or the other way round."""


def note(path: str, given: Draft, so_far: DecisionRecord) -> DraftChange | Rejected:
    return DraftEditor(PLAYBOOK["tradeoffs"], so_far).note({}, path, given)


def problem(path: str, given: Draft, so_far: DecisionRecord) -> str:
    made = note(path, given, so_far)
    assert isinstance(made, Rejected)
    return " ".join(f"{each.field}: {each.requirement}; {each.problem}" for each in made.issues)


@pytest.mark.req("FA-04")
def test_a_verdict_on_a_finding_of_the_list_is_noted_and_another_one_is_sent_there() -> None:
    so_far = rated(ROWS, "tradeoffs")
    kept = {"alternative_id": "A3", "user_verdict": "keep", "reason": "It is near"}
    assert isinstance(note("dominated_alternatives", kept, so_far), DraftChange)
    in_practice = {"alternative_id": "A3", "by": "A2", "user_verdict": "rejected", "reason": "It is near"}
    assert "a verdict in dominated_alternatives" in problem("practical_dominance", in_practice, so_far)
    nowhere = {"alternative_id": "A4", "user_verdict": "keep", "reason": "It is near"}
    assert "the ratings do not set it aside" in problem("dominated_alternatives", nowhere, so_far)
    unfound = {**in_practice, "alternative_id": "A4"}
    assert "the ratings do not set it aside" in problem("practical_dominance", unfound, so_far)


@pytest.mark.req("FA-04")
def test_a_verdict_on_what_holds_in_practice_is_noted_there_alone() -> None:
    so_far = rated({"A1": [0, 0, 0], "A2": [2, 2, 0], "A3": [-2, -2, 1], "A4": [0, 1, 1]}, "tradeoffs")
    assert so_far.analysis is not None
    (found, *_) = so_far.analysis.practical_dominance
    about = {"alternative_id": found.alternative, "by": found.by}
    accepted = {**about, "user_verdict": "accepted"}
    assert isinstance(note("practical_dominance", accepted, so_far), DraftChange)
    misplaced = {"alternative_id": found.alternative, "user_verdict": "set_aside"}
    assert "a verdict in practical_dominance" in problem("dominated_alternatives", misplaced, so_far)


def test_without_ratings_nothing_is_refused_for_it() -> None:
    so_far = before("tradeoffs")
    del so_far.results["consequences"]  # pyright: ignore[reportIndexIssue]
    given = {"alternative_id": "A4", "user_verdict": "set_aside"}
    assert isinstance(note("dominated_alternatives", given, so_far), DraftChange)


DISPUTED = {"A1": [0, 0, 0], "A2": [2, -2, 1], "A3": [2, -1, 1], "A4": [-1, 0, 2]}
"""A3 dominates A2 by these ratings; on O3 A2 measures better."""


def disputed() -> DecisionRecord:
    so_far = rated(DISPUTED)
    aim = so_far.results["objectives"]["fundamental_objectives"][2]
    aim["performance_measure"] = {"metric": "hours", "units": "hours", "direction": "minimize"}
    return amounting(so_far, A2_O3=1, A3_O3=4)


def test_a_verdict_that_sets_an_option_aside_despite_its_amount_counts_as_soon_as_it_is_noted() -> None:
    so_far, aside = (
        disputed(),
        {"alternative_id": "A2", "user_verdict": "set_aside", "explanation": "1 or 4, no matter"},
    )
    notes = book("tradeoffs", so_far)
    draft = done(notes.note({}, "dominated_alternatives", aside))
    sheet = build_sheet(PLAYBOOK["tradeoffs"], draft, so_far)
    assert "Left to weigh: A1 Way A1, A3 Way A3 and A4 Way A4" in sheet.essence
    assert "You set it aside knowing that." in wall(sheet)
    assert "shall a rating change" not in wall(sheet).lower()
    assert "- O2: from −1 on the scale to 0 on the scale" in describe_weighing(draft, so_far)
    draft = done(notes.note(draft, "swing_weights", {"objective_id": "O2", "points": 60}))
    judged = read(PLAYBOOK["tradeoffs"], {**draft, "user_understanding": "We lose nothing by it."}, so_far)
    assert isinstance(judged, Accepted)
    assert judged.draft["swing_weights"] == [{"objective_id": "O2", "points": 60, "worst": -1, "best": 0, "rank": 1}]


def test_such_a_verdict_is_about_the_amounts_of_its_time_and_can_be_said_later_than_its_explanation() -> None:
    so_far = disputed()
    notes = book("tradeoffs", so_far)
    draft = done(notes.note({}, "dominated_alternatives", {"alternative_id": "A2", "explanation": "no matter"}))
    assert "disputed_on" not in draft["dominated_alternatives"][0]
    said = {"user_verdict": "set_aside"}
    draft = done(notes.change(draft, ItemAddress("A2", "dominated_alternatives"), said))
    found = so_far.analyse_by(draft)
    assert found is not None
    assert found.dominance.set_aside == ("A2",)
    more = {"explanation": "no matter at all"}
    changed = done(notes.change(draft, ItemAddress("A2", "dominated_alternatives"), more))
    assert changed["dominated_alternatives"][0]["disputed_on"] == ["O3"]
    kept = done(notes.change(draft, ItemAddress("A2", "dominated_alternatives"), {"user_verdict": "keep"}))
    found = so_far.analyse_by(kept)
    assert found is not None
    assert "A2" in found.dominance.left


@pytest.mark.req("TR-07")
def test_what_people_said_beside_one_option_is_not_told_of_another_that_comes_to_dominate_it_too() -> None:
    said = {"alternative_id": "A2", "dominated_by": "A3", "user_verdict": "set_aside", "reason": "3 hours, no matter"}
    submitted: Draft = {"dominated_alternatives": [said]}
    later = rated({**DISPUTED, "A5": [2, 0, 2]})
    later.results["objectives"]["fundamental_objectives"][2]["performance_measure"] = {
        "metric": "hours", "units": "hours", "direction": "minimize"
    }  # fmt: skip
    for so_far in (disputed(), amounting(later, A2_O3=1, A3_O3=4, A5_O3=9)):
        judged = read(PLAYBOOK["tradeoffs"], submitted, so_far)
        assert isinstance(judged, Accepted)
        row = next(each for each in judged.draft["dominated_alternatives"] if each["alternative_id"] == "A2")
        assert (row["dominated_by"], row["user_verdict"], row["disputed_on"]) == ("A3", "set_aside", ["O3"])
        told = wall(build_sheet(PLAYBOOK["tradeoffs"], judged.draft, so_far))
        assert "You set it aside knowing that.\n  You said: 3 hours, no matter" in told
        assert "You keep it" not in told


@pytest.mark.req("TR-03", "FA-15")
def test_who_has_kept_an_option_for_which_an_amount_speaks_is_not_asked_again_whether_it_stays() -> None:
    so_far, kept = disputed(), {"alternative_id": "A2", "user_verdict": "keep", "reason": "The hours are a guess"}
    submitted: Draft = {"dominated_alternatives": [kept]}
    judged = read(PLAYBOOK["tradeoffs"], submitted, so_far)
    assert isinstance(judged, Accepted)
    told = wall(build_sheet(PLAYBOOK["tradeoffs"], judged.draft, so_far))
    assert (
        "On your ratings A3 Way A3 would be as good or better everywhere.\n  You keep it: The hours are a guess" in told
    )
    asked = (told, *(each.text for each in judged.remarks), write_opening(PLAYBOOK["tradeoffs"], again(judged.draft)))
    assert [each for each in asked if "shall a rating change" in each.lower()] == []


def again(draft: Draft) -> DecisionRecord:
    """The same decision once the step that held this draft is led again."""
    return replace(disputed(), before=draft)


NEVER_WORSE = {"A1": [0, 0], "A2": [2, 1], "A3": [2, 0]}
"""A2 is never worse than A3, so nothing is given up between them."""
ONE_STEP = {"A1": [0, 0, 0], "A2": [2, 2, 0], "A3": [-2, -2, 1], "A4": [0, 1, 1]}
"""A4 is a step ahead of A2, which is far ahead of it."""


def submitted(rows: dict[str, list[int]], path: str, **row: str) -> list[tuple[str, str]]:
    """The fields that are refused, with what is wanted there; empty if nothing is refused."""
    draft: Any = {**minimal("tradeoffs"), path: [row]}
    judged = read(PLAYBOOK["tradeoffs"], draft, rated(rows))
    return [(each.field, each.requirement) for each in judged.issues] if isinstance(judged, Rejected) else []


@pytest.mark.parametrize("verdict", ["accepted", "rejected"])
@pytest.mark.req("FA-04")
def test_a_verdict_on_a_dominance_is_refused_among_the_practical_ones_with_where_it_belongs(verdict: str) -> None:
    row = {"alternative_id": "A3", "by": "A2", "user_verdict": verdict}
    assert submitted(NEVER_WORSE, "practical_dominance", **row) == [
        ("practical_dominance.0.alternative_id", "a verdict in dominated_alternatives, where the ratings find it")
    ]


@pytest.mark.req("FA-04")
def test_a_verdict_on_a_practical_dominance_is_refused_among_the_others_with_where_it_belongs() -> None:
    row = {"alternative_id": "A4", "user_verdict": "set_aside"}
    assert submitted(ONE_STEP, "dominated_alternatives", **row) == [
        ("dominated_alternatives.0.alternative_id", "a verdict in practical_dominance, where the ratings find it")
    ]


def test_where_it_belongs_a_verdict_is_taken_and_a_claim_without_one_is_no_verdict() -> None:
    given: dict[str, Any] = {"alternative_id": "A3", "user_verdict": "set_aside"}
    draft = accepted("tradeoffs", {**minimal("tradeoffs"), "dominated_alternatives": [given]}, rated(NEVER_WORSE)).draft
    row = next(each for each in draft["dominated_alternatives"] if each["alternative_id"] == "A3")
    assert row["user_verdict"] == "set_aside"
    assert submitted(NEVER_WORSE, "practical_dominance", alternative_id="A3", by="A2") == []


def test_a_verdict_on_what_the_ratings_find_nowhere_is_dropped_with_the_claim() -> None:
    assert submitted(NEVER_WORSE, "dominated_alternatives", alternative_id="A2", user_verdict="set_aside") == []
