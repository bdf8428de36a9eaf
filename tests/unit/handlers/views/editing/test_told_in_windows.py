"""What people told in earlier steps stands in the windows of later ones that speak of the same thing."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.copy import draft_editing
from app.decision.record import DecisionRecord
from app.decision.schema.paths import find_values
from handlers.views.editing import window
from handlers.views.editing.form import TOLD_ITEMS
from handlers.views.editing.window_state import WindowCommand
from tests.unit.decision.components.told import ASSUMED, DRIVER, KEPT, TODAY, WHY, known, verdicts
from tests.unit.decision.components.worked import example
from tests.unit.handlers.editing.filling import opened
from tests.unit.handlers.editing.windows import chosen, said, sent, subject

REASONS, ASSUMPTIONS = "Why it is rated so, as approved", "What the options assume, as approved"
FINDINGS, UNCERTAIN = "What you said about the findings", "Uncertain, as approved"


def edited(key: str, draft: dict[str, Any], path: str, *, order: WindowCommand = WindowCommand.EDIT) -> str:
    """The words of a form of a step after which everything is known."""
    so_far = DecisionRecord(verdicts(key) if key == "recommendation" else known(key), TODAY, {})
    return said(opened(subject(key, draft, so_far), order, path))


def row_of(option: str, **more: Any) -> dict[str, Any]:
    return {"dominated_alternatives": [{"alternative_id": option, "dominated_by": "A3", **more}]}


@pytest.mark.req("FA-15")
def test_the_rating_window_tells_beside_each_option_what_it_assumes_and_on_top_what_is_uncertain() -> None:
    so_far = DecisionRecord(known("consequences"), TODAY, {})
    view = opened(subject("consequences", example("consequences"), so_far), WindowCommand.RATE, "O1:0")
    (beside,) = [each["text"]["text"] for each in view["blocks"] if ASSUMED in said({"blocks": [each]})]
    assert beside.startswith("A2 ")
    assert beside.endswith(f"{ASSUMPTIONS}: {ASSUMED}")
    top = said({"blocks": view["blocks"][:4]})
    assert UNCERTAIN in top
    assert f"Depends on: {DRIVER}" in top


@pytest.mark.req("FA-15")
def test_a_reason_given_against_an_earlier_status_quo_is_in_the_box_and_not_asked_for_again() -> None:
    draft = example("consequences")
    former = {"baseline_id": "A3", "alternative_id": "A2", "objective_id": "O1", "rating": 2, "rationale": WHY}
    draft["table"]["cells"] = [
        each for each in draft["table"]["cells"] if (each["alternative_id"], each["objective_id"]) != ("A2", "O1")
    ]
    draft["table"]["former"] = [former]
    it = subject("consequences", draft, DecisionRecord(known("consequences"), TODAY, {}))
    view = opened(it, WindowCommand.RATE, "O1:0")
    (box,) = [each for each in view["blocks"] if each.get("block_id") == "A2.reason"]
    assert box["element"]["initial_value"] == WHY
    assert not sent(view, it).errors, "the box alone asks for nothing"
    edit = sent(view, it, **{"A2.rating": chosen("2")})
    assert not edit.errors
    (cell,) = [
        each
        for each in find_values(edit.draft, "table.cells[]")
        if (each["alternative_id"], each["objective_id"]) == ("A2", "O1")
    ]
    assert cell["rationale"] == WHY
    former["origin"] = "ai_suggested"
    view = opened(it, WindowCommand.RATE, "O1:0")
    (box,) = [each for each in view["blocks"] if each.get("block_id") == "A2.reason"]
    assert "initial_value" not in box["element"], "a proposal is nobody's reason"
    refused = sent(view, it, **{"A2.rating": chosen("2")})
    assert refused.errors == {"A2.reason": draft_editing.NEEDS_A_REASON}


@pytest.mark.req("FA-15")
def test_a_form_tells_why_its_options_are_rated_so_on_its_objectives_and_what_they_assume() -> None:
    words = edited("tradeoffs", row_of("A2", better_on=["O1"]), "dominated_alternatives.0")
    assert f"{REASONS}\n• A2 " in words
    assert WHY in words
    assert ASSUMED in words
    elsewhere = edited("tradeoffs", row_of("A2", better_on=["O2"]), "dominated_alternatives.0")
    assert WHY not in elsewhere
    assert ASSUMED in elsewhere
    other = edited("tradeoffs", row_of("A4", dominated_by="A5"), "dominated_alternatives.0")
    assert ASSUMED not in other


@pytest.mark.req("FA-15")
def test_a_form_of_the_recommendation_tells_what_people_said_of_the_findings() -> None:
    words = edited("recommendation", {"regret_notes": [{"alternative_id": "A4"}]}, "regret_notes.0")
    assert FINDINGS in words
    assert KEPT in words
    assert KEPT not in edited("recommendation", {"regret_notes": [{"alternative_id": "A2"}]}, "regret_notes.0")


@pytest.mark.req("FA-15")
@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("consequences", "table.cells"),
        ("consequences", "uncertainties"),
        ("recommendation", "remaining_uncertainties"),
        ("notes_next_steps", "planned_actions"),
    ],
)
def test_a_form_that_speaks_of_an_uncertainty_tells_those_that_were_named_with_what_they_depend_on(
    key: str, path: str
) -> None:
    words = edited(key, {}, path, order=WindowCommand.ADD)
    assert UNCERTAIN in words
    assert f"Depends on: {DRIVER}" in words


@pytest.mark.req("FA-15")
def test_a_new_item_recalls_what_was_said_of_all_it_can_refer_to() -> None:
    assert ASSUMED in edited("recommendation", {}, "premortem", order=WindowCommand.ADD)


def test_a_form_that_speaks_of_nothing_told_before_is_as_short_as_ever() -> None:
    words = edited("recommendation", {"key_considerations": ["x"]}, "key_considerations.0")
    assert not [title for title in (REASONS, ASSUMPTIONS, FINDINGS, UNCERTAIN) if title in words]


def test_of_much_that_was_told_a_form_shows_the_first_and_counts_the_rest() -> None:
    results = known("recommendation")
    named = [{"handle": f"U{n}", "description": f"Doubt {n}"} for n in range(1, TOLD_ITEMS + 4)]
    results["issue_raising"]["uncertainties"] = named
    it = subject("recommendation", {}, DecisionRecord(results, TODAY, {}))
    words = said(opened(it, WindowCommand.ADD, "remaining_uncertainties"))
    assert f"Doubt {TOLD_ITEMS}" in words
    assert f"Doubt {TOLD_ITEMS + 1}" not in words
    assert "• and 3 more" in words


CORRECTED = {"handle": "C1", "was": "We are about 260", "text": "We are about 240", "step": "Problem frame"}


def test_a_correction_is_offered_for_editing_once_it_was_heard_and_none_is_added_by_hand() -> None:
    so_far = DecisionRecord(known("objectives"), TODAY, {})
    bare, held = example("objectives"), {**example("objectives"), "corrections": [CORRECTED]}
    shown = [subject("objectives", draft, so_far) for draft in (bare, held)]
    before, after = [window.build_list(it) for it in shown]
    assert "Corrections" not in said(before)
    assert "We are about 240" in said(after)
    (heading,) = [each for each in after["blocks"] if "*Corrections*" in str(each.get("text"))]
    assert "accessory" not in heading
    form = said(opened(shown[1], WindowCommand.EDIT, "corrections.0"))
    assert "Text" in form
    assert not {"Was", "Step"} & set(form.split("\n"))
