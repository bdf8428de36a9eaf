"""Windows speak plainly: names instead of ids, meanings instead of the schema's words."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.copy import draft_editing
from app.core.state.sheet import Facts
from app.decision.analysis.quality import Element
from app.decision.layout import by_schema
from app.decision.layout.parts.result import Result
from app.decision.layout.sheets import build_sheet, write_gist
from app.decision.playbook.openings import write_opening
from app.decision.schema.paths import is_list, is_object
from handlers.views.editing.fields import FieldKind, ItemNames, describe_fields, walk_fields
from handlers.views.editing.item_form import build_item_form
from handlers.views.editing.path import name_choice
from handlers.views.editing.window import build_list
from handlers.views.editing.window_state import WindowCommand
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before, example
from tests.unit.decision.sheets.walls import wall
from tests.unit.handlers.editing.windows import said as words_of
from tests.unit.handlers.editing.windows import subject, taken

PLAIN = {"high", "medium", "low"}
"""Choices that are words of everyday English already."""

ACCOUNT = "U0EDPEN1F85"


def choices(data: Any, name: str = "") -> set[str]:
    """All words that can be chosen in a schema, but for those that the server writes."""
    if is_list(data):
        return {word for each in data for word in choices(each, name)}
    if not is_object(data):
        return set()
    listed: list[object] = data.get("enum", []) if name != "origin" else []
    return {*map(str, listed)}.union(*(choices(each, key) for key, each in data.items()))


@pytest.mark.req("FA-10")
@pytest.mark.parametrize("key", KEYS)
def test_every_choice_of_a_window_has_a_meaning_in_plain_words(key: str) -> None:
    bare = {each for each in choices(dict(PLAYBOOK[key].json_schema)) if each[:1].islower()}
    assert bare - PLAIN - draft_editing.CHOICES.keys() == set()
    assert [each for each in bare if "_" in name_choice(each)] == []


@pytest.mark.req("FA-10")
def test_no_account_of_slack_is_read_in_a_window() -> None:
    frame, component = example("problem_frame"), PLAYBOOK["problem_frame"]
    frame["decision_maker"] |= {"slack_user_id": ACCOUNT, "authority": "sole"}
    names = ItemNames(frame, before("problem_frame"))
    told = dict(describe_fields(component, ("decision_maker",), frame["decision_maker"], names))
    assert told["Their account in Slack"] == draft_editing.PICKED
    assert told["How they decide"] == "decides alone"
    assert FieldKind.PERSON in {field.kind for field in walk_fields(component, ("decision_maker",))}


@pytest.mark.req("FA-10")
def test_a_result_that_is_shown_by_its_schema_alone_has_no_ids_and_no_words_of_the_code() -> None:
    component = PLAYBOOK["problem_frame"]
    draft = {"decision_maker": {"name": "Ada", "slack_user_id": ACCOUNT, "authority": "affected_party"}}
    (facts,) = by_schema.build_sections(Result(component, draft, before("problem_frame")))
    assert isinstance(facts, Facts)
    assert [said for _, said in facts.rows] == ["Ada", "somebody in Slack", "affected party"]


def test_a_measure_is_edited_by_questions_in_plain_words_and_todays_value_may_stay_empty_if_it_is_in_words() -> None:
    it = subject("objectives", example("objectives"))
    view = build_item_form(it, WindowCommand.EDIT, "fundamental_objectives.0")
    assert view is not None
    asked = {block["label"]["text"]: block for block in taken(view)["blocks"] if block["type"] == "input"}
    assert [label for label in asked if ":" in label] == []
    assert asked.keys() >= {"Measured by", "Which way is better", "What kind of measure it is", "Levels of the scale"}
    assert asked["How it is today"]["hint"]["text"].startswith("A number. Leave it empty if it is in words")


def test_a_field_inside_of_another_without_a_name_of_its_own_is_named_by_both() -> None:
    assert draft_editing.name_inner_field(("rating_range", "low")) == "Between: Low"


@pytest.mark.req("FA-10")
def test_no_element_of_quality_is_in_title_case_in_a_window_or_on_a_card() -> None:
    component, draft, so_far = PLAYBOOK["decision_quality"], example("decision_quality"), before("decision_quality")
    sheet = build_sheet(component, draft, so_far)
    it = subject("decision_quality", draft, so_far)
    form = build_item_form(it, WindowCommand.EDIT, "elements.3")
    assert form is not None
    listed, chosen = words_of(build_list(component, it.about, draft, so_far)), words_of(form)
    cards = "\n".join(
        [*sheet.essence, wall(sheet), write_gist(component, draft, so_far), write_opening(component, so_far)]
    )
    for shown in (listed, chosen, cards):
        assert "Reliable consequence information" in shown
        assert [element for element in Element if element in shown] == []


def test_no_card_holds_scores_against_a_bound_that_nobody_asked_for() -> None:
    sheet = build_sheet(PLAYBOOK["decision_quality"], example("decision_quality"), before("decision_quality"))
    assert "80 %" not in " ".join(sheet.essence)
