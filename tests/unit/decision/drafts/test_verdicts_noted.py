"""A verdict is noted beside the finding it is about, or refused with where it belongs: it is never lost unsaid."""

from __future__ import annotations

import pytest

from app.decision.drafts.draft import Accepted, Rejected, read
from app.decision.drafts.notebook import DraftChange, DraftEditor, ItemAddress
from app.decision.layout.sheets import build_sheet
from app.decision.playbook.weighing import describe_weighing
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.unit.decision.books import book, done
from tests.unit.decision.components.worked import PLAYBOOK, before, rated
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
    for cell in so_far.results["consequences"]["table"]["cells"]:
        if amount := {("A2", "O3"): 1, ("A3", "O3"): 4}.get((cell["alternative_id"], cell["objective_id"])):
            cell["quant_value"] = amount
    return so_far


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
