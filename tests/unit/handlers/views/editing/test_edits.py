"""Editing by clicks: what a form, a move or a removal makes of a draft, and what it says when it cannot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.copy import draft_editing
from app.decision.drafts.hand_edit import HandEdit, judge_hand_edit
from app.decision.schema.paths import BY_HAND, Draft
from handlers.slack import action_ids
from handlers.views.editing import edits
from handlers.views.editing.inputs import NONE
from handlers.views.editing.window_state import WindowCommand
from handlers.views.windows.forms import View
from tests.unit.decision.components.worked import PLAYBOOK, before, example, minimal
from tests.unit.handlers.editing.filling import METRIC, filled, opened
from tests.unit.handlers.editing.windows import chosen, sent, subject, written


def test_an_item_is_added_at_the_end_with_the_next_handle_as_the_persons_own() -> None:
    it = subject("issue_raising", minimal("issue_raising"))
    edit = filled(it, "uncertainties", WindowCommand.ADD, description=written("Will it rain?"))
    words = "Will it rain?"
    assert edit.draft["uncertainties"] == [
        {"handle": "U1", "description": words, "origin": "user", "evidence": [{"message_id": BY_HAND, "quote": words}]}
    ]
    assert edit.is_change


def test_an_item_of_a_step_that_is_begun_anew_gets_a_handle_that_nothing_had_before() -> None:
    so_far = replace(before("issue_raising"), spent={"U": 6})
    it = subject("issue_raising", minimal("issue_raising"), so_far)
    edit = filled(it, "uncertainties", WindowCommand.ADD, description=written("Will it rain?"))
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


def test_the_last_line_of_a_list_that_may_be_empty_can_be_taken_out() -> None:
    draft = example("problem_frame")
    draft["focal_decision"]["constraints"] = ["Under 9 k"]
    it = subject("problem_frame", draft)
    limits = input_of(opened(it, WindowCommand.EDIT, "focal_decision"), "constraints")
    assert limits["optional"] is True
    edit = filled(it, "focal_decision", constraints=written(""))
    assert (edit.is_change, dict(edit.errors), edit.draft["focal_decision"]["constraints"]) == (True, {}, [])
    column = opened(subject("alternatives"), WindowCommand.EDIT, "strategy_table.decision_columns.0")
    assert input_of(column, "options")["optional"] is False


def test_what_an_approval_needs_says_so_where_it_can_be_left_empty() -> None:
    form = opened(subject("problem_frame"), WindowCommand.EDIT, "focal_decision")
    for name, needed in (("statement", True), ("scope", True), ("trigger", False), ("constraints", False)):
        asked = input_of(form, name)
        assert asked["optional"] is True
        assert (draft_editing.FOR_APPROVAL in asked.get("hint", {}).get("text", "")) is needed
    considered = opened(subject("recommendation", {}), WindowCommand.EDIT, "synthesis")
    assert input_of(considered, "value")["hint"]["text"] == draft_editing.FOR_APPROVAL


def test_words_in_angle_brackets_that_people_type_are_kept_in_a_visible_form() -> None:
    draft = example("problem_frame")
    draft["focal_decision"]["constraints"] = ["1 < 2"]
    given: dict[str, Any] = {"constraints": written("1 < 2\nUnder <b> 9 k"), "scope": written("If costs <a or b> 3")}
    edit = filled(subject("problem_frame", draft), "focal_decision", **given)
    assert edit.draft["focal_decision"]["constraints"] == ["1 < 2", "Under ‹b> 9 k"]
    assert edit.draft["focal_decision"]["scope"] == "If costs ‹a or b> 3"
    again = subject("problem_frame", edit.draft)
    assert not sent(opened(again, WindowCommand.EDIT, "focal_decision"), again).is_change


def input_of(form: View, name: str) -> dict[str, Any]:
    return next(each for each in form["blocks"] if each.get("block_id") == name)


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
        ("objectives", "fundamental_objectives.0", {"weight": written("0." + "1" * 16)}, "weight", "15 digits"),
        ("objectives", "fundamental_objectives.0", {METRIC: written("")}, "performance_measure.metric", "needed"),
        ("issue_raising", "potential_decisions.0", {}, "description", "not in the list yet"),
        ("problem_frame", "focal_decision", {"constraints": written("x" * 501)}, "constraints", "at most 500"),
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
    edit = filled(it, "parties", WindowCommand.ADD, name=written("Bo"), role=chosen("advisor"))
    assert (dict(edit.errors), edit.draft["parties"][0]["handle"]) == ({}, "P1")
    edit = filled(it, "decision_maker", name=written("Bea"), role=written(""))
    assert edit.draft["decision_maker"] == {"name": "Bea"}


def test_an_item_moves_to_another_box_under_a_handle_of_that_box() -> None:
    it = subject("issue_raising")
    moved = it.draft["potential_decisions"][0]
    edit = sent(
        opened(it, WindowCommand.MOVE, "potential_decisions.0"),
        it,
        **{action_ids.EDIT_MOVE_FIELD: chosen("considerations")},
    )
    assert edit.draft["considerations"][-1]["text"] == moved["description"]
    assert edit.draft["considerations"][-1]["handle"] == f"C{len(it.draft['considerations']) + 1}"
    assert moved not in edit.draft["potential_decisions"]
    assert moved["description"] in edit.notice


def test_moving_says_what_there_is_no_place_for_and_what_referred_to_it() -> None:
    it = subject("objectives")
    edit = edits.apply_click(it, WindowCommand.MOVE, "fundamental_objectives.0")
    assert "Measure and Taken from" in edit.notice
    assert "Left out what referred to O1" in edit.notice
    assert all("O1" not in each.get("supports", []) for each in edit.draft["means_objectives"])


def test_the_form_that_moves_an_item_names_it() -> None:
    it = subject("issue_raising")
    item = it.draft["potential_decisions"][0]
    told = str(opened(it, WindowCommand.MOVE, "potential_decisions.0")["blocks"][0])
    assert f"D1 {item['description']}" in told.replace("\\", "")


def test_a_move_between_tiers_keeps_the_handle_because_both_have_the_same_letter() -> None:
    it = subject("problem_frame")
    item = it.draft["decision_hierarchy"]["already_made"][0]
    edit = edits.apply_click(it, WindowCommand.MOVE, "decision_hierarchy.already_made.0")
    assert edit.draft["decision_hierarchy"]["deferred"][-1]["handle"] == item["handle"]


def test_a_move_that_would_say_something_twice_is_refused_with_the_reason() -> None:
    draft = minimal("issue_raising")
    draft["objectives"] = [{"handle": "IO1", "description": "Where to meet"}]
    it = subject("issue_raising", draft)
    edit = sent(
        opened(it, WindowCommand.MOVE, "potential_decisions.0"),
        it,
        **{action_ids.EDIT_MOVE_FIELD: chosen("objectives")},
    )
    assert "There twice" in edit.errors[action_ids.EDIT_MOVE_FIELD]
    nowhere = sent(
        opened(it, WindowCommand.MOVE, "potential_decisions.0"), it, **{action_ids.EDIT_MOVE_FIELD: chosen("fridge")}
    )
    assert not nowhere.is_change


def test_items_are_moved_up_and_down_and_the_ends_stay() -> None:
    it = subject("issue_raising")
    handles = [each["handle"] for each in it.draft["objectives"]]
    up = edits.apply_click(it, WindowCommand.UP, "objectives.1").draft["objectives"]
    assert [each["handle"] for each in up][:2] == [handles[1], handles[0]]
    down = edits.apply_click(it, WindowCommand.DOWN, "objectives.0").draft["objectives"]
    assert down == up
    assert edits.apply_click(it, WindowCommand.UP, "objectives.0").problem == draft_editing.UNDONE


def test_with_an_item_goes_all_that_referred_to_it() -> None:
    it = subject("alternatives")
    removed = it.draft["alternatives"][1]["handle"]
    edit = edits.apply_click(it, WindowCommand.REMOVE, "alternatives.1")
    assert f"Left out what referred to {removed}" in edit.notice
    assert removed not in str(edit.draft)


def test_the_last_column_takes_the_strategy_table_along_only_if_nothing_else_is_in_it() -> None:
    draft = minimal("alternatives")
    draft["strategy_table"] = {
        "decision_columns": [{"handle": "S1", "name": "City", "options": ["x"]}],
        "strategies": [],
    }
    edit = edits.apply_click(subject("alternatives", draft), WindowCommand.REMOVE, "strategy_table.decision_columns.0")
    assert "strategy_table" not in edit.draft
    draft["strategy_table"]["strategies"] = [{"alternative_id": "A1", "selections": []}]
    edit = edits.apply_click(subject("alternatives", draft), WindowCommand.REMOVE, "strategy_table.decision_columns.0")
    assert "Too few" in edit.problem


def test_a_strategy_table_is_built_click_by_click_and_what_it_lacks_is_asked_for_at_the_end() -> None:
    rows, columns, draft = "strategy_table.strategies", "strategy_table.decision_columns", minimal("alternatives")
    early = filled(subject("alternatives", draft), rows, WindowCommand.ADD, alternative_id=chosen("A1"))
    assert early.errors["alternative_id"].startswith("What strategies are made of. Too few")
    for path, given in (
        (columns, {"name": written("Where"), "options": written("here\nthere")}),
        (rows, {"alternative_id": chosen("A1")}),
        (rows, {"alternative_id": chosen("A2")}),
        (columns, {"name": written("When"), "options": written("now\nlater")}),
    ):
        draft = added("alternatives", draft, path, **given)
    assert [need.split(":")[0] for need in needed("alternatives", draft)] == ["selections for A1 and A2"]
    for column, option in (("S1", "here"), ("S2", "now")):
        for row in (0, 1):
            given = {"column_id": chosen(column), "option": written("later" if row and column == "S2" else option)}
            draft = added("alternatives", draft, f"{rows}.{row}.selections", **given)
    assert needed("alternatives", draft) == ()


def test_a_choice_is_not_taken_out_of_a_strategy_that_has_one_in_each_column() -> None:
    edit = edits.apply_click(subject("alternatives"), WindowCommand.REMOVE, "strategy_table.strategies.0.selections.0")
    assert (edit.is_change, "one selection for each of" in edit.problem) == (False, True)


def test_two_strategies_may_not_come_to_the_same() -> None:
    draft = example("alternatives")
    table = draft["strategy_table"]
    table["strategies"][1]["selections"] = table["strategies"][0]["selections"][:-1]
    last = table["strategies"][0]["selections"][-1]
    given = {"column_id": chosen(last["column_id"]), "option": written(last["option"])}
    edit = filled(subject("alternatives", draft), "strategy_table.strategies.1.selections", WindowCommand.ADD, **given)
    assert not edit.is_change
    assert any("Same as another row" in told for told in edit.errors.values())


def test_another_option_becomes_the_status_quo_by_one_choice() -> None:
    edit = filled(subject("alternatives"), "status_quo_id", value=chosen("A2"))
    assert dict(edit.errors) == {}
    assert [each["handle"] for each in edit.draft["alternatives"] if each["is_status_quo"]] == ["A2"]


def added(key: str, draft: Draft, path: str, **given: Any) -> Draft:
    """The draft once an item was added in a form."""
    edit = filled(subject(key, draft), path, WindowCommand.ADD, **given)
    assert dict(edit.errors) == {}
    return edit.draft


def needed(key: str, draft: Draft) -> tuple[str, ...]:
    """What keeps the draft from being approved."""
    made = judge_hand_edit(PLAYBOOK[key], draft, draft, before(key))
    assert isinstance(made, HandEdit)
    return made.missing


def test_what_is_not_there_any_more_is_neither_opened_nor_removed() -> None:
    it = subject("issue_raising")
    assert not edits.apply_click(it, WindowCommand.REMOVE, "objectives.99").is_change
    assert not edits.apply_click(it, WindowCommand.REMOVE, "songs.1").is_change
    assert edits.build_item_form(it, WindowCommand.EDIT, "songs") is None
