"""An amount belongs to the rating that it was given for: once that changes, it is of before until people confirm it."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from app.core.state.sheet import Facts, Matrix
from app.decision.drafts.draft import refresh_draft
from app.decision.drafts.hand_edit import HandEdit, judge_hand_edit
from app.decision.drafts.rating_edits import restore_chosen
from app.decision.layout.first_page import build_first_page
from app.decision.layout.sheets import build_sheet
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import PLAYBOOK, accepted, before, cell, example, remarks
from tests.unit.decision.sheets.walls import laid, of_type, titled, wall

ASKED = "A5 AI triage plus paid on-call on O3 Keep extra cost low is rated anew. Is 4 kEUR/year beside it still right?"


def cost(draft: Draft) -> dict[str, Any]:
    """The cell of A5 on O3, which is rated 0 at 4 kEUR a year."""
    return cell(draft, "A5", "O3")


def given() -> Draft:
    """The example's ratings, as the server completes them."""
    return accepted("consequences", example("consequences")).draft


def rated_anew(**changed: Any) -> Draft:
    draft = given()
    cost(draft).update({"rating": -1, **changed})
    return draft


@pytest.mark.req("TR-07")
def test_an_amount_beside_a_changed_rating_is_of_before_and_asked_about() -> None:
    draft = rated_anew()
    assert ASKED not in remarks("consequences", given())
    assert ASKED in remarks("consequences", draft)
    unknown = rated_anew(rating=0, rating_range={"low": -2, "high": 2}, amount_for={"rating": -1, "amount": 4})
    assert "is not known now. Is 4 kEUR/year beside it still right?" in str(remarks("consequences", unknown))
    shown = laid("consequences", draft)
    (table,) = of_type(shown, Matrix)
    assert "4 kEUR/year (from before: given for 0)" in table.cells[4][2].note
    assert titled(shown, "Amounts from before").splitlines() == [
        "A5 AI triage plus paid on-call on O3 Keep extra cost low", "  4 kEUR/year (from before: given for 0)",
    ]  # fmt: skip
    assert "from before" not in of_type(laid("consequences", given()), Matrix)[0].cells[4][2].note


@pytest.mark.req("TR-07")
@pytest.mark.parametrize(
    "settled",
    [{"quant_value": 30}, {"amount_for": {"rating": -1, "amount": 4}}, {"rating": 0}],
    ids=["another amount", "confirmed", "the rating of before"],
)
def test_an_amount_that_is_changed_or_confirmed_is_of_now(settled: dict[str, Any]) -> None:
    draft = accepted("consequences", rated_anew()).draft
    cost(draft).update(settled)
    assert "is rated anew" not in remarks("consequences", draft)
    assert titled(laid("consequences", draft), "Amounts from before") == ""


@pytest.mark.req("TR-07")
def test_an_amount_of_before_is_compared_with_nothing() -> None:
    assert accepted("consequences", rated_anew(rating=1, amount_for={"rating": 1, "amount": 4})).blocked
    assert not accepted("consequences", rated_anew(rating=1)).blocked, "whether it still holds is unknown"


@pytest.mark.req("TR-07")
def test_an_approved_rating_without_the_note_is_remembered_when_it_is_changed() -> None:
    so_far = replace(before("consequences"), before=example("consequences"))
    draft = example("consequences")
    cost(draft)["rating"] = -1
    assert ASKED in remarks("consequences", draft, so_far)
    again = refresh_draft(PLAYBOOK["consequences"], draft, so_far).draft
    assert cost(again)["amount_for"] == {"rating": 0, "amount": 4}


@pytest.mark.req("TR-07")
def test_a_model_that_writes_the_ratings_anew_does_not_confirm_an_amount_by_silence() -> None:
    so_far: DecisionRecord = before("consequences")
    again = example("consequences")
    cost(again)["rating"] = -1
    submitted = restore_chosen(again, given(), so_far)
    assert ASKED in remarks("consequences", submitted, so_far)
    cost(again)["amount_for"] = {"rating": -1, "amount": 4}
    assert ASKED not in remarks("consequences", restore_chosen(again, given(), so_far), so_far)


@pytest.mark.req("TR-07")
def test_an_amount_beside_a_rating_that_nobody_knew_is_of_the_first_one_that_somebody_does() -> None:
    so_far, draft = before("consequences"), example("consequences")
    cost(draft).update({"rating": 0, "rating_range": {"low": -2, "high": 2}})
    unknown = accepted("consequences", draft, so_far).draft
    assert "amount_for" not in cost(unknown)
    later = replace(so_far, before=unknown)
    known = deepcopy(unknown)
    cost(known).update({"rating": -1})
    del cost(known)["rating_range"]
    assert ASKED not in remarks("consequences", known, later)
    dated = refresh_draft(PLAYBOOK["consequences"], known, later).draft
    assert cost(dated)["amount_for"] == {"rating": -1, "amount": 4}


@pytest.mark.req("TR-07")
def test_who_changes_a_rating_by_hand_is_asked_at_once() -> None:
    made = judge_hand_edit(PLAYBOOK["consequences"], given(), rated_anew(), before("consequences"))
    assert isinstance(made, HandEdit)
    assert ASKED in [each.text for each in made.news]


def rerated_record(key: str, rating: int) -> DecisionRecord:
    """The decision with another rating of A5 on O3."""
    consequences = example("consequences")
    cost(consequences)["rating"] = rating
    return before(key, consequences=consequences)


@pytest.mark.req("TR-07")
@pytest.mark.parametrize(
    ("key", "title"),
    [("tradeoffs", "In your own words"), ("recommendation", "In short"), ("recommendation", "Noted on that")],
)
def test_a_note_on_earlier_ratings_is_marked_until_it_is_written_anew(key: str, title: str) -> None:
    mark = "Written for earlier ratings; some have changed since."
    draft = accepted(
        key, {**example(key), **({"sensitivity_notes": "Nothing turns it"} if key == "recommendation" else {})}
    ).draft
    assert mark not in titled(laid(key, draft), title)
    now = rerated_record(key, -1)
    after = refresh_draft(PLAYBOOK[key], draft, now)
    (asked,) = [each.text for each in after.remarks if each.text.startswith("Written for earlier ratings: “")]
    assert asked.endswith(("Do they still hold?", "Does it still hold?"))
    assert titled(build_sheet(PLAYBOOK[key], after.draft, now), title).endswith(mark)
    assert mark in titled(build_sheet(PLAYBOOK[key], draft, now), title), "also where nobody opened the step again"
    field = {"In your own words": "user_understanding", "In short": "synthesis"}.get(title, "sensitivity_notes")
    anew = accepted(key, {**after.draft, field: f"{after.draft[field]} Seen again."}, now).draft
    assert mark not in titled(build_sheet(PLAYBOOK[key], anew, now), title)
    back = before(key)
    assert mark not in titled(build_sheet(PLAYBOOK[key], after.draft, back), title), "the ratings of then are back"
    silent = {name: each for name, each in draft.items() if name != "written_for"}
    same = accepted(key, silent, replace(now, before=draft)).draft
    assert titled(build_sheet(PLAYBOOK[key], same, now), title).endswith(mark), "a repeated text is no new one"


@pytest.mark.req("TR-07", "FA-16")
@pytest.mark.parametrize(
    ("key", "title"),
    [("tradeoffs", "In your own words"), ("recommendation", "In short"), ("recommendation", "Noted on that")],
)
def test_a_note_on_earlier_ratings_names_the_version_of_them_if_that_is_known(key: str, title: str) -> None:
    of_then = replace(before(key), numbers={"consequences": 1})
    now = replace(rerated_record(key, -1), numbers={"consequences": 3})
    notes = {"sensitivity_notes": "Nothing turns it"} if key == "recommendation" else {}
    draft = accepted(key, {**example(key), **notes}, of_then).draft
    bare = [{name: said for name, said in each.items() if name != "version"} for each in draft["written_for"]]

    def shown(noted: Draft, so_far: DecisionRecord) -> str:
        return titled(build_sheet(PLAYBOOK[key], noted, so_far), title)

    mark, unknown = "Written for version 1 of the ratings;", "Written for earlier ratings;"
    again = refresh_draft(PLAYBOOK[key], draft, now).draft
    assert shown(draft, now).endswith(f"{mark} some have changed since.")
    assert mark in shown(again, now), "the text is the same"
    assert "Written for" not in shown(draft, of_then)
    old = refresh_draft(PLAYBOOK[key], {**draft, "written_for": bare}, now).draft
    assert unknown in shown(old, now), "it was stored without its version"
    assert unknown in shown(draft, replace(now, numbers={"consequences": 1})), "an erased step counts anew"
    assert "written_for" not in PLAYBOOK[key].asked_schema["properties"], "the model does not say it"


@pytest.mark.req("TR-07")
def test_each_consideration_and_each_regret_on_earlier_ratings_is_marked_until_it_is_written_anew() -> None:
    mark = "Written for earlier ratings; some have changed since."
    regrets = [{"alternative_id": each, "worst_give_up": f"The nights of {each}"} for each in ("A4", "A5")]
    notes = {"key_considerations": ["A4 is two steps ahead", "Nobody is sure"], "regret_notes": regrets}
    draft = accepted("recommendation", {**example("recommendation"), **notes}).draft
    now = rerated_record("recommendation", -1)
    assert mark not in wall(build_sheet(PLAYBOOK["recommendation"], draft, before("recommendation")))
    considered = f"A4 is two steps ahead. {mark}\nNobody is sure. Also written for earlier ratings."
    assert titled(build_sheet(PLAYBOOK["recommendation"], draft, now), "Worth considering") == considered
    anew = {**draft, "key_considerations": ["A4 is three steps ahead", "Nobody is sure"], "regret_notes": regrets[1:]}
    shown = build_sheet(PLAYBOOK["recommendation"], accepted("recommendation", anew, now).draft, now)
    assert titled(shown, "Worth considering") == f"A4 is three steps ahead\nNobody is sure. {mark}"
    assert f"  The nights of A5. {mark}" in titled(shown, "What you would give up"), "what was said of A4 is gone"


@pytest.mark.req("TR-07", "TR-17")
def test_the_first_page_marks_what_was_written_for_earlier_ratings() -> None:
    mark = "Written for earlier ratings; some have changed since."
    draft = accepted("recommendation", {**example("recommendation"), "user_leaning": "To A4."}).draft

    def page(so_far: DecisionRecord) -> dict[str, str]:
        whole = replace(so_far, results={**so_far.results, "recommendation": draft})
        found = [each for each in build_first_page(PLAYBOOK["consequences"], whole).sections if isinstance(each, Facts)]
        return dict(found[0].rows)

    assert mark not in str(page(before("recommendation")))
    now = page(rerated_record("recommendation", -1))
    assert now["Where you lean"] == f"To A4. {mark}"
    assert now["In short"].endswith(mark)
