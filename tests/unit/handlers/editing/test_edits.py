"""Editing by clicks: what a form, a move or a removal makes of a draft, and what it says when it cannot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core import texts_editing as texts
from app.decision.component import subschema
from app.decision.draft import BY_HAND
from app.decision.mends import MENDS
from handlers.editing import asking, computed, edits, window
from handlers.editing.edits import Edit
from handlers.editing.form import BOX, Subject
from handlers.editing.inputs import NONE
from handlers.editing.orders import Order
from handlers.editing.path import read as path_of
from handlers.forms import View
from tests.unit.decision.components.worked import PLAYBOOK, before, example, minimal
from tests.unit.handlers.editing.windows import about, chosen, offered, pages, said, sent, subject, taken, written

METRIC = "performance_measure.metric"


def opened(it: Subject, order: Order, path: str) -> View:
    form = asking.form_of(it, order, path)
    assert form is not None
    return taken(form)


def filled(it: Subject, path: str, order: Order = Order.EDIT, **changed: Any) -> Edit:
    """What becomes of the draft when somebody fills in these fields."""
    return sent(opened(it, order, path), it, **{name.replace("__", "."): each for name, each in changed.items()})


def names(view: View) -> list[str]:
    return [block["block_id"] for block in view["blocks"] if block["type"] == "input"]


def test_an_item_is_added_at_the_end_with_the_next_handle_as_the_persons_own() -> None:
    it = subject("issue_raising", minimal("issue_raising"))
    edit = filled(it, "uncertainties", Order.ADD, description=written("Will it rain?"))
    words = "Will it rain?"
    assert edit.draft["uncertainties"] == [
        {"handle": "U1", "description": words, "origin": "user", "evidence": [{"message_id": BY_HAND, "quote": words}]}
    ]
    assert edit.is_change


def test_an_item_of_a_step_that_is_begun_anew_gets_a_handle_that_nothing_had_before() -> None:
    so_far = replace(before("issue_raising"), spent={"U": 6})
    it = subject("issue_raising", minimal("issue_raising"), so_far)
    edit = filled(it, "uncertainties", Order.ADD, description=written("Will it rain?"))
    assert [each["handle"] for each in edit.draft["uncertainties"]] == ["U7"]


def test_words_that_were_changed_are_quoted_anew_and_all_else_of_the_item_stays() -> None:
    draft = minimal("issue_raising")
    draft["potential_decisions"] = [
        {"handle": "D1", "description": "Where", "notes": "x", "origin": "ai_suggested", "evidence": [{"quote": "w"}]}
    ]
    it = subject("issue_raising", draft)
    (changed,) = filled(it, "potential_decisions.0", description=written("When")).draft["potential_decisions"]
    assert changed == {
        "handle": "D1",
        "description": "When",
        "notes": "x",
        "origin": "user",
        "evidence": [{"message_id": BY_HAND, "quote": "When"}],
    }
    (kept,) = filled(it, "potential_decisions.0", priority=chosen("high")).draft["potential_decisions"]
    assert (kept["origin"], kept["evidence"], kept["priority"]) == ("user", [{"quote": "w"}], "high")


def test_what_is_chosen_can_be_taken_away_again() -> None:
    it = subject("issue_raising")
    assert "focal_candidate_id" in it.draft
    edit = filled(it, "focal_candidate_id", value=chosen(NONE))
    assert "focal_candidate_id" not in edit.draft


def test_objects_are_filled_in_field_by_field_and_an_optional_one_goes_with_its_last_field() -> None:
    it = subject("problem_frame")
    edit = filled(
        it, "focal_decision", constraints=written("Under 9 k\n\n  No night shifts "), deadline=date("2027-01-31")
    )
    assert edit.draft["focal_decision"]["constraints"] == ["Under 9 k", "No night shifts"]
    assert edit.draft["focal_decision"]["deadline"] == "2027-01-31"
    it = subject("notes_next_steps")
    edit = filled(it, "decision", status=chosen(NONE), alternative_id=chosen(NONE), in_the_users_words=written(""))
    assert "decision" not in edit.draft


def date(day: str | None) -> dict[str, Any]:
    return {"selected_date": day}


def test_a_whole_object_that_nobody_has_begun_is_begun_by_its_form() -> None:
    it = subject("notes_next_steps", {})
    edit = filled(it, "decision", status=chosen("decided"), alternative_id=chosen("A2"))
    assert edit.draft == {"decision": {"status": "decided", "alternative_id": "A2"}}


def test_numbers_flags_people_and_several_references_are_read_as_what_they_are() -> None:
    it = subject("objectives")
    edit = filled(it, "fundamental_objectives.0", performance_measure__baseline=written("4.5"))
    assert edit.draft["fundamental_objectives"][0]["performance_measure"]["baseline"] == 4.5
    options = {"selected_options": [{"value": "O3"}, {"value": "O1"}]}
    edit = filled(it, "means_objectives.0", supports=options)
    assert edit.draft["means_objectives"][0]["supports"] == ["O1", "O3"]
    flag = {"selected_options": [{"value": "true"}]}
    edit = filled(subject("issue_raising"), "uncertainties.0", resolvable=flag)
    assert edit.draft["uncertainties"][0]["resolvable"] is True
    edit = filled(subject("problem_frame"), "decision_maker", slack_user_id={"selected_user": "U0MAYA"})
    assert edit.draft["decision_maker"]["slack_user_id"] == "U0MAYA"
    edit = filled(subject("decision_quality"), "elements.0", score=written("55"))
    assert edit.draft["elements"][0]["score"] == 55


@pytest.mark.parametrize(
    ("key", "path", "changed", "field", "words"),
    [
        ("objectives", "fundamental_objectives.0", {"weight": written("many")}, "weight", "number from 0 to 1"),
        ("objectives", "fundamental_objectives.0", {METRIC: written("")}, "performance_measure.metric", "needed"),
        ("issue_raising", "potential_decisions.0", {}, "description", "not in the list yet"),
        ("problem_frame", "focal_decision", {"constraints": written("x" * 501)}, "constraints", "1 to 500"),
        ("notes_next_steps", "planned_actions.0", {"due_date": date("2020-01-01")}, "due_date", "2026-11-21 or later"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_at_its_field_and_nothing_is_taken_in(
    key: str, path: str, changed: dict[str, Any], field: str, words: str
) -> None:
    it = subject(key)
    if key == "issue_raising":
        changed = {"description": written(it.draft["potential_decisions"][1]["description"])}
    edit = filled(it, path, **changed)
    assert list(edit.errors) == [field]
    assert words in edit.errors[field]
    assert not edit.is_change


def test_a_draft_that_is_half_noted_can_be_edited_all_the_same() -> None:
    it = subject("problem_frame", {"decision_maker": {"name": "Ada"}})
    edit = filled(it, "parties", Order.ADD, name=written("Bo"), role=chosen("advisor"))
    assert (dict(edit.errors), edit.draft["parties"][0]["handle"]) == ({}, "P1")
    edit = filled(it, "decision_maker", name=written("Bea"), role=written(""))
    assert edit.draft["decision_maker"] == {"name": "Bea"}


def test_an_item_moves_to_another_box_under_a_handle_of_that_box() -> None:
    it = subject("issue_raising")
    moved = it.draft["potential_decisions"][0]
    edit = sent(opened(it, Order.MOVE, "potential_decisions.0"), it, **{BOX: chosen("considerations")})
    assert edit.draft["considerations"][-1]["text"] == moved["description"]
    assert edit.draft["considerations"][-1]["handle"] == f"C{len(it.draft['considerations']) + 1}"
    assert moved not in edit.draft["potential_decisions"]
    assert moved["description"] in edit.notice


def test_moving_says_what_there_is_no_place_for_and_what_referred_to_it() -> None:
    it = subject("objectives")
    edit = edits.done(it, Order.MOVE, "fundamental_objectives.0")
    assert "Performance measure" in edit.notice
    assert "Left out what referred to O1" in edit.notice
    assert all("O1" not in each.get("supports", []) for each in edit.draft["means_objectives"])


def test_a_move_between_tiers_keeps_the_handle_because_both_have_the_same_letter() -> None:
    it = subject("problem_frame")
    item = it.draft["decision_hierarchy"]["already_made"][0]
    edit = edits.done(it, Order.MOVE, "decision_hierarchy.already_made.0")
    assert edit.draft["decision_hierarchy"]["deferred"][-1]["handle"] == item["handle"]


def test_a_move_that_would_say_something_twice_is_refused_with_the_reason() -> None:
    draft = minimal("issue_raising")
    draft["objectives"] = [{"handle": "IO1", "description": "Where to meet"}]
    it = subject("issue_raising", draft)
    edit = sent(opened(it, Order.MOVE, "potential_decisions.0"), it, **{BOX: chosen("objectives")})
    assert "There twice" in edit.errors[BOX]
    nowhere = sent(opened(it, Order.MOVE, "potential_decisions.0"), it, **{BOX: chosen("fridge")})
    assert not nowhere.is_change


def test_items_are_moved_up_and_down_and_the_ends_stay() -> None:
    it = subject("issue_raising")
    handles = [each["handle"] for each in it.draft["objectives"]]
    up = edits.done(it, Order.UP, "objectives.1").draft["objectives"]
    assert [each["handle"] for each in up][:2] == [handles[1], handles[0]]
    down = edits.done(it, Order.DOWN, "objectives.0").draft["objectives"]
    assert down == up
    assert edits.done(it, Order.UP, "objectives.0").problem == texts.UNDONE


def test_with_an_item_goes_all_that_referred_to_it() -> None:
    it = subject("alternatives")
    removed = it.draft["alternatives"][1]["handle"]
    edit = edits.done(it, Order.REMOVE, "alternatives.1")
    assert f"Left out what referred to {removed}" in edit.notice
    assert removed not in str(edit.draft)


def test_the_last_column_takes_the_strategy_table_along_only_if_nothing_else_is_in_it() -> None:
    draft = minimal("alternatives")
    draft["strategy_table"] = {
        "decision_columns": [{"handle": "S1", "name": "City", "options": ["x"]}],
        "strategies": [],
    }
    edit = edits.done(subject("alternatives", draft), Order.REMOVE, "strategy_table.decision_columns.0")
    assert "strategy_table" not in edit.draft
    draft["strategy_table"]["strategies"] = [{"alternative_id": "A1", "selections": []}]
    edit = edits.done(subject("alternatives", draft), Order.REMOVE, "strategy_table.decision_columns.0")
    assert "Too few" in edit.problem


def test_what_is_not_there_any_more_is_neither_opened_nor_removed() -> None:
    it = subject("issue_raising")
    assert not edits.done(it, Order.REMOVE, "objectives.99").is_change
    assert not edits.done(it, Order.REMOVE, "songs.1").is_change
    assert asking.form_of(it, Order.EDIT, "songs") is None


@pytest.mark.parametrize("key", ["consequences", "tradeoffs", "decision_quality", "problem_frame"])
def test_what_the_server_computes_is_not_offered(key: str) -> None:
    it = subject(key)
    paths = {path for view in pages(it) for order, path in offered(view) if order is not Order.PAGE}
    paths = {path.partition(".")[0] if "." not in path else path for path in paths}
    assert not paths & {"overall_score", "weakest", "acceptable", "table.alternative_ids", "table.baseline_id"}
    assert "decision_hierarchy.focal" not in paths


def test_a_computed_row_shows_what_it_is_and_offers_only_what_people_say_to_it() -> None:
    it = subject("tradeoffs")
    assert names(opened(it, Order.EDIT, "dominated_alternatives.0")) == ["explanation", "user_verdict", "reason"]
    assert (Order.ADD, "dominated_alternatives") not in offered(next(pages(it)))
    assert (Order.REMOVE, "dominated_alternatives.0") not in offered(next(pages(it)))
    baseline = [each["alternative_id"] for each in subject("consequences").draft["table"]["cells"]].index("A1")
    shown = [each for view in pages(subject("consequences")) for each in offered(view)]
    assert (Order.EDIT, f"table.cells.{baseline}") not in shown
    assert any(texts.COMPUTED_ROW in said(view) for view in pages(subject("consequences")))


def test_what_is_worked_out_again_is_said_to_stay() -> None:
    it = subject("tradeoffs")
    edit = filled(it, "irrelevant_objectives", Order.ADD, objective_id=chosen("O2"), reason=written("x"))
    assert dict(edit.errors) == {"objective_id": texts.UNDONE}
    assert not edit.is_change


@pytest.mark.parametrize("mend", MENDS)
def test_each_place_that_is_said_to_be_computed_is_one_of_a_component_that_has_the_mend(mend: str) -> None:
    holders = [each for each in PLAYBOOK.components if mend in each.mends]
    places = [*computed.FIELDS.get(mend, ()), *computed.ROWS.get(mend, {})]
    for place in places:
        steps: list[Any] = place.replace("[]", ".[]").split(".")
        assert all(subschema(each.json_schema, steps) is not None for each in holders)


def test_a_field_too_long_for_slack_is_named_and_keeps_what_it_says() -> None:
    it = subject("recommendation", {**example("recommendation"), "synthesis": "x" * 3_001})
    assert asking.form_of(it, Order.EDIT, "synthesis") is None
    draft = example("problem_frame")
    draft["focal_decision"]["constraints"] = ["x" * 3_001]
    it = subject("problem_frame", draft)
    view = opened(it, Order.EDIT, "focal_decision")
    assert texts.TOO_LARGE.format(fields="Constraints") in said(view)
    assert sent(view, it).draft == draft


def test_a_long_list_has_several_inputs_and_loses_no_line() -> None:
    draft = example("problem_frame")
    draft["focal_decision"]["constraints"] = [f"{number} {'x' * 480}" for number in range(20)]
    it = subject("problem_frame", draft)
    view = opened(it, Order.EDIT, "focal_decision")
    assert [name for name in names(view) if name.startswith("constraints")] == [
        "constraints", "constraints#1", "constraints#2", "constraints#3"
    ]  # fmt: skip
    edit = sent(view, it, **{"constraints#3": written("the last one")})
    assert edit.draft["focal_decision"]["constraints"] == [*draft["focal_decision"]["constraints"][:15], "the last one"]


def test_where_there_is_nothing_to_choose_from_there_is_no_form() -> None:
    empty = before("issue_raising")
    it = Subject(component=PLAYBOOK["consequences"], draft={}, so_far=empty, about=about({}))
    assert asking.form_of(it, Order.ADD, "table.cells") is None


def test_more_than_a_hundred_choices_stand_in_groups() -> None:
    draft = minimal("issue_raising")
    draft["potential_decisions"] = [{"handle": f"D{n}", "description": f"x{n}"} for n in range(1, 121)]
    view = opened(subject("issue_raising", draft), Order.EDIT, "focal_candidate_id")
    groups = view["blocks"][0]["element"]["option_groups"]
    assert [len(each["options"]) for each in groups] == [100, 21]


def test_pages_turn_and_say_what_they_continue() -> None:
    draft = minimal("issue_raising")
    draft["considerations"] = [{"handle": f"C{n}", "text": f"fact {n}"} for n in range(1, 51)]
    it = subject("issue_raising", draft)
    first, last = pages(it)
    assert {f"C{n}" for n in range(1, 51)} <= set(f"{said(first)}\n{said(last)}".split())
    assert (Order.PAGE, "1") in offered(first)
    assert (Order.PAGE, "0") in offered(last)
    assert texts.CONTINUED.format(title="Considerations") in said(last)
    beyond = window.listed(it.component, about(draft, page=9), draft, it.so_far)
    assert said(beyond) == said(last)


def test_paths_are_read_as_they_were_written() -> None:
    component = PLAYBOOK["consequences"]
    assert path_of("table.anchors.0.2", component) == ("table", "anchors", 0, "2")
    assert path_of("table.anchors.x.2", component) == ()


def test_an_inner_object_goes_with_the_last_of_its_fields() -> None:
    draft = minimal("objectives")
    draft["fundamental_objectives"][0]["performance_measure"] = {"metric": "hours", "direction": "minimize"}
    it = subject("objectives", draft)
    cleared = {METRIC: written(""), "performance_measure.direction": chosen(NONE)}
    edit = filled(it, "fundamental_objectives.0", Order.EDIT, **cleared)
    assert "performance_measure" not in edit.draft["fundamental_objectives"][0]
