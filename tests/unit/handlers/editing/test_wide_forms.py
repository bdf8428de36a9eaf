"""Forms of any draft, of what is computed, long, missing or many: everything is in reach, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.copy import draft_editing
from app.decision.drafts.derived import MENDS
from app.decision.drafts.draft import Accepted, read
from app.decision.schema.component import find_subschema, generalize_path
from app.decision.schema.handles import find_dangling, list_handles
from app.decision.schema.outline import is_servers_own
from app.decision.schema.paths import Draft
from handlers.views.editing import computed_fields, edits, window
from handlers.views.editing.fields import walk_fields
from handlers.views.editing.form import BYTES, Subject
from handlers.views.editing.inputs import NONE
from handlers.views.editing.path import parse_path
from handlers.views.editing.window_state import WindowCommand
from tests.properties import limit_examples
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, accepted, before, example, minimal
from tests.unit.handlers.editing.filling import METRIC, filled, names, opened
from tests.unit.handlers.editing.windows import (
    about,
    chosen,
    drafts,
    offered,
    pages,
    said,
    sent,
    subject,
    taken,
    written,
)

SAY_ALL: Final = ("issue_raising", "objectives", "alternatives", "notes_next_steps")
"""Steps in which the server writes nothing for itself."""


@pytest.mark.parametrize("key", ["consequences", "tradeoffs", "decision_quality", "problem_frame"])
def test_what_the_server_computes_is_not_offered(key: str) -> None:
    it = subject(key)
    paths = {path for view in pages(it) for order, path in offered(view) if order is not WindowCommand.PAGE}
    paths = {path.partition(".")[0] if "." not in path else path for path in paths}
    assert not paths & {"overall_score", "weakest", "acceptable", "table.alternative_ids", "table.baseline_id"}
    assert "decision_hierarchy.focal" not in paths


@pytest.mark.parametrize("key", KEYS)
def test_nothing_that_the_server_keeps_for_itself_is_shown_in_any_window(key: str) -> None:
    """Not as a section, not in the words of a row, and not as an input."""
    component, it = PLAYBOOK[key], subject(key)
    own = {place for place, schema in _walk_places(component.json_schema) if is_servers_own(schema)}
    assert own or key in SAY_ALL
    shown = {generalize_path(list(line.path)) for line in window.list_lines(component, it.draft)}
    for place in {place.rpartition(".")[0] for place in own} | {place for place in shown if place}:
        steps = tuple(0 if step == "[]" else step for step in place.replace("[]", ".[]").split(".") if step)
        fields = walk_fields(component, steps) if steps else ()
        shown |= {generalize_path([*steps, *field.name]) for field in fields}
    assert {place for place in shown if any(f"{place}.".startswith((f"{each}.", f"{each}[]")) for each in own)} == set()


def test_no_window_shows_what_a_text_or_an_amount_was_written_for() -> None:
    draft = example("recommendation")
    draft["written_for"] = [{"field": "synthesis", "words": "caed827dceb82e30", "ratings": "701f62f3f11359ff"}]
    cell = example("consequences")
    next(each for each in cell["table"]["cells"] if each["alternative_id"] == "A4")["amount_for"] = {
        "rating": 1,
        "amount": 88,
    }
    for it in (subject("recommendation", draft), subject("consequences", cell)):
        views = [*pages(it)]
        forms = [edits.build_item_form(it, *each) for view in views for each in offered(view)]
        words = "\n".join(said(view) for view in [*views, *filter(None, forms)])
        assert not any(each in words for each in ("caed827dceb82e30", "701f62f3f11359ff", "Amount for", "Written for"))
    assert edits.build_item_form(subject("recommendation", draft), WindowCommand.EDIT, "written_for.0") is None


def test_a_rating_changed_by_hand_keeps_for_which_one_its_amount_was_given() -> None:
    it = subject("consequences", accepted("consequences", example("consequences")).draft)
    index, cell = next(
        (index, each) for index, each in enumerate(it.draft["table"]["cells"]) if each["alternative_id"] == "A4"
    )
    edit = filled(it, f"table.cells.{index}", rating=chosen("1"))
    changed = edit.draft["table"]["cells"][index]
    assert changed["rating"] == 1
    assert changed["amount_for"] == {"rating": cell["rating"], "amount": cell["quant_value"]}


def test_what_a_statement_was_said_of_is_not_asked_for_beside_it() -> None:
    draft = example("tradeoffs")
    draft["headline_conflict"]["said_of"] = {"statement": "Speed.", "objectives": "O1 against O3"}
    it = subject("tradeoffs", draft)
    assert names(opened(it, WindowCommand.EDIT, "headline_conflict")) == ["statement"]


def _walk_places(schema: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Every place of a schema with what describes it."""
    yield place, schema
    for name, each in schema.get("properties", {}).items():
        yield from _walk_places(each, f"{place}.{name}".lstrip("."))
    if "items" in schema:
        yield from _walk_places(schema["items"], f"{place}[]")


def test_a_computed_row_shows_what_it_is_and_offers_only_what_people_say_to_it() -> None:
    it = subject("tradeoffs")
    assert names(opened(it, WindowCommand.EDIT, "dominated_alternatives.0")) == [
        "explanation",
        "user_verdict",
        "reason",
    ]
    assert (WindowCommand.ADD, "dominated_alternatives") not in offered(next(pages(it)))
    assert (WindowCommand.REMOVE, "dominated_alternatives.0") not in offered(next(pages(it)))
    baseline = [each["alternative_id"] for each in subject("consequences").draft["table"]["cells"]].index("A1")
    shown = [each for view in pages(subject("consequences")) for each in offered(view)]
    assert (WindowCommand.EDIT, f"table.cells.{baseline}") not in shown
    told = " ".join(said(view) for view in pages(subject("consequences")))
    assert draft_editing.BASELINE_ROW in told
    assert draft_editing.COMPUTED_ROW not in told, "people said the amounts that stand in the rows of the status quo"


def test_nothing_is_offered_to_add_where_every_row_is_worked_out() -> None:
    it = subject("tradeoffs")
    it = replace(it, draft=accepted("tradeoffs", it.draft).draft)
    shown = [each for view in pages(it) for each in offered(view)]
    inner = ("practical_dominance.0.gives_up", "practical_dominance.0.gains")
    assert [
        path
        for line in window.list_lines(it.component, it.draft)
        for path in inner
        if line.path == parse_path(path, it.component)
    ]
    assert [path for _, path in shown if path.startswith(inner)] == []
    assert (WindowCommand.EDIT, "practical_dominance.0") in shown


def test_what_is_worked_out_again_is_said_to_stay() -> None:
    it = subject("tradeoffs")
    it = replace(it, draft=accepted("tradeoffs", it.draft).draft)
    edit = filled(it, "irrelevant_objectives", WindowCommand.ADD, objective_id=chosen("O2"), reason=written("x"))
    assert dict(edit.errors) == {"objective_id": draft_editing.UNDONE}
    assert not edit.is_change


@pytest.mark.parametrize("mend", MENDS)
def test_each_place_that_is_said_to_be_computed_is_one_of_a_component_that_has_the_mend(mend: str) -> None:
    holders = [each for each in PLAYBOOK.components if mend in each.mends]
    places = [*computed_fields.FIELDS.get(mend, ()), *computed_fields.ROWS.get(mend, {})]
    for place in places:
        steps: list[Any] = place.replace("[]", ".[]").split(".")
        assert all(find_subschema(each.json_schema, steps) is not None for each in holders)


def test_a_field_too_long_for_slack_is_named_and_keeps_what_it_says() -> None:
    it = subject("recommendation", {**example("recommendation"), "synthesis": "x" * 3_001})
    assert edits.build_item_form(it, WindowCommand.EDIT, "synthesis") is None
    draft = example("problem_frame")
    draft["focal_decision"]["constraints"] = ["x" * 3_001]
    it = subject("problem_frame", draft)
    view = opened(it, WindowCommand.EDIT, "focal_decision")
    assert draft_editing.TOO_LARGE.format(fields="Limits") in said(view)
    assert sent(view, it).draft == draft


def test_a_long_list_has_several_inputs_and_loses_no_line() -> None:
    draft = example("problem_frame")
    draft["focal_decision"]["constraints"] = [f"{number} {'x' * 480}" for number in range(20)]
    it = subject("problem_frame", draft)
    view = opened(it, WindowCommand.EDIT, "focal_decision")
    assert [name for name in names(view) if name.startswith("constraints")] == [
        "constraints", "constraints#1", "constraints#2", "constraints#3"
    ]  # fmt: skip
    edit = sent(view, it, **{"constraints#3": written("the last one")})
    assert edit.draft["focal_decision"]["constraints"] == [*draft["focal_decision"]["constraints"][:15], "the last one"]


def test_where_there_is_nothing_to_choose_from_there_is_no_form() -> None:
    empty = before("issue_raising")
    it = Subject(component=PLAYBOOK["consequences"], draft={}, so_far=empty, about=about({}))
    assert edits.build_item_form(it, WindowCommand.ADD, "table.cells") is None


def test_a_title_that_has_no_room_beside_edit_stands_alone_instead_of_being_cut() -> None:
    view = opened(subject("issue_raising"), WindowCommand.EDIT, "focal_candidate_id")
    assert view["title"]["text"] == "Decision to focus on"
    short = opened(subject("issue_raising"), WindowCommand.EDIT, "potential_decisions.0")
    assert short["title"]["text"] == "Edit · Decisions"


def test_more_than_a_hundred_choices_stand_in_groups() -> None:
    draft = minimal("issue_raising")
    draft["potential_decisions"] = [{"handle": f"D{n}", "description": f"x{n}"} for n in range(1, 121)]
    view = opened(subject("issue_raising", draft), WindowCommand.EDIT, "focal_candidate_id")
    groups = view["blocks"][0]["element"]["option_groups"]
    assert [len(each["options"]) for each in groups] == [100, 21]


def test_pages_turn_and_say_what_they_continue() -> None:
    draft = minimal("issue_raising")
    draft["considerations"] = [{"handle": f"C{n}", "text": f"fact {n}"} for n in range(1, 51)]
    it = subject("issue_raising", draft)
    first, last = pages(it)
    assert {f"C{n}" for n in range(1, 51)} <= set(f"{said(first)}\n{said(last)}".split())
    assert (WindowCommand.PAGE, "1") in offered(first)
    assert (WindowCommand.PAGE, "0") in offered(last)
    assert draft_editing.CONTINUED.format(title="Considerations") in said(last)
    beyond = window.build_list(replace(it, about=about(draft, page=9)))
    assert said(beyond) == said(last)


def test_paths_are_read_as_they_were_written() -> None:
    component = PLAYBOOK["consequences"]
    assert parse_path("table.anchors.0.2", component) == ("table", "anchors", 0, "2")
    assert parse_path("table.anchors.x.2", component) == ()


def test_an_inner_object_goes_with_the_last_of_its_fields() -> None:
    draft = minimal("objectives")
    draft["fundamental_objectives"][0]["performance_measure"] = {"metric": "hours", "direction": "minimize"}
    it = subject("objectives", draft)
    cleared = {METRIC: written(""), "performance_measure.direction": chosen(NONE)}
    edit = filled(it, "fundamental_objectives.0", WindowCommand.EDIT, **cleared)
    assert "performance_measure" not in edit.draft["fundamental_objectives"][0]


SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
CHANGING = (WindowCommand.UP, WindowCommand.DOWN, WindowCommand.MOVE, WindowCommand.REMOVE)
few = settings(limit_examples(20), suppress_health_check=SLOW)


@few
@given(drafts())
def test_every_item_is_reached_by_the_pages_and_slack_shows_each_page(case: tuple[str, Draft]) -> None:
    it = subject(*case)
    views = [taken(view) for view in pages(it)]
    words = "\n".join(map(said, views))
    assert all(handle in words for handle in list_handles([it.draft]) if handle != hidden(it.draft))


def hidden(draft: Draft) -> str:
    """The focal decision of the tiers is the server's."""
    tiers: dict[str, Any] = draft.get("decision_hierarchy", {})
    return tiers.get("focal", {}).get("handle", "")


@few
@given(drafts(), st.data())
def test_a_form_that_is_opened_and_sent_unchanged_changes_nothing(case: tuple[str, Draft], data: st.DataObject) -> None:
    it = subject(*case)
    presses = [each for view in pages(it) for each in offered(view) if each[0] is WindowCommand.EDIT]
    for order, path in data.draw(st.lists(st.sampled_from(presses), max_size=4)) if presses else ():
        form = edits.build_item_form(it, order, path)
        if form:  # else there is nothing to choose from
            edit = sent(form, it)
            assert (edit.is_change, dict(edit.errors)) == (False, {})
            assert edit.draft == it.draft


@few
@given(drafts(), st.data())
def test_nothing_that_is_pressed_leaves_anything_dangling_or_a_draft_that_is_refused(
    case: tuple[str, Draft], data: st.DataObject
) -> None:
    key, draft = case
    it, component = subject(key, draft), PLAYBOOK[key]
    presses = [each for view in pages(it) for each in offered(view) if each[0] in CHANGING]
    for order, path in data.draw(st.lists(st.sampled_from(presses), max_size=3)) if presses else ():
        edit = edits.apply_click(it, order, path)
        assert find_dangling(component, edit.draft, it.so_far.handles) == ()
        assert isinstance(read(component, edit.draft, it.so_far), Accepted)
        assert bool(edit.problem) is not edit.is_change


@pytest.mark.parametrize("key", KEYS)
def test_every_form_of_the_example_is_one_that_slack_shows(key: str) -> None:
    it = subject(key)
    for order, path in (each for view in pages(it) for each in offered(view)):
        form = edits.build_item_form(it, order, path)
        assert form is None or len(str(taken(form))) < BYTES


@pytest.mark.parametrize("key", KEYS)
def test_an_empty_draft_has_everything_to_add(key: str) -> None:
    it = replace(subject(key, {}), so_far=before(key))
    for order, path in (each for view in pages(it) for each in offered(view)):
        form = edits.build_item_form(it, order, path)
        assert form is None or taken(form)
