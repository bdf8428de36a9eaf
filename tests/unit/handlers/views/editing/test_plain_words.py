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
from handlers.views.editing.edits import build_item_form
from handlers.views.editing.fields import FieldKind, ItemNames, describe_fields, describe_row, walk_fields
from handlers.views.editing.inputs import NONE, STEP_LABELS
from handlers.views.editing.path import get_value, name_choice
from handlers.views.editing.window import build_list
from handlers.views.editing.window_state import WindowCommand
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before, example
from tests.unit.decision.sheets.walls import wall
from tests.unit.handlers.editing.filling import filled
from tests.unit.handlers.editing.windows import chosen, subject, taken
from tests.unit.handlers.editing.windows import said as words_of

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


def described(key: str, *path: str | int, **more: Any) -> str:
    """A row of the example's draft in words, or one with these fields besides."""
    draft = example(key)
    row = {**get_value(draft, path), **more}
    return describe_row(PLAYBOOK[key], path, row, ItemNames(draft, before(key)))


RATED = "A4 Three part-time weekend agents · O3 Keep extra cost low"


@pytest.mark.req("FA-10")
@pytest.mark.parametrize(
    ("key", "path", "words"),
    [
        ("consequences", ("table", "anchors", 0), "+2: 3 h or less · −2: over 18 h"),
        (
            "tradeoffs",
            ("dominated_alternatives", 0),
            "matched or beaten by A2 Specialist partner with onboarding · s",
        ),
        ("tradeoffs", ("irrelevant_objectives", 0), "O6 Obey working-time law · all options are rated alike"),
        ("tradeoffs", ("tensions", 0), "A1 Volunteer overtime rota (today) · Stay as today: keep the money"),
        ("tradeoffs", ("practical_dominance", 0), "onboarding · against A4 Three part-time weekend agents · it is not"),
        ("tradeoffs", ("practical_dominance", 0, "gives_up", 0), "O3 Keep extra cost low · 1 step"),
        ("tradeoffs", ("practical_dominance", 0, "gains", 0), "O4 Give correct and friendly answers · 2 steps"),
        ("tradeoffs", ("swing_weights", 1), "O2 Protect the agents' health and private life · 80 points"),
        ("tradeoffs", ("even_swaps", 0), "O4 Give correct and friendly answers from 3.8 to 4.4 points · O3 Keep extra"),
        (
            "recommendation",
            ("remaining_uncertainties", 0),
            "cases the AI triage can close · impact: high",
        ),
        (
            "recommendation",
            ("regret_notes", 0),
            "weekend agents · Cost, two steps · Acceptable: Yes",
        ),
        ("decision_quality", ("elements", 0), "Helpful problem frame · 90 %"),
        ("notes_next_steps", ("planned_actions", 0), "with the triage vendor · Lena Fischer · 11 December 2026"),
        ("alternatives", ("alternatives", 0), "A1 Volunteer overtime rota (today)"),
    ],
)
def test_a_row_says_what_it_is_about_and_the_facts_that_matter(
    key: str, path: tuple[str | int, ...], words: str
) -> None:
    assert words in described(key, *path)


@pytest.mark.req("FA-10")
def test_a_row_of_a_rating_has_its_amount_with_the_unit_and_nothing_else() -> None:
    index = next(
        index
        for index, each in enumerate(example("consequences")["table"]["cells"])
        if (each["alternative_id"], each["objective_id"]) == ("A4", "O3")
    )
    cell = ("table", "cells", index)
    assert described("consequences", *cell) == f"{RATED} · −2 · 88 kEUR/year"
    given_for = {"amount_for": {"rating": -2, "amount": 88}}
    assert described("consequences", *cell, **given_for) == described("consequences", *cell)
    unknown = {"rating": 0, "rating_range": {"low": -2, "high": 2}}
    assert described("consequences", *cell, **unknown) == f"{RATED} · don't know · 88 kEUR/year"
    assert described("consequences", *cell, origin="ai_suggested").startswith(f"{RATED} · proposal: −2")
    bare = {"alternative_id": "A4", "objective_id": "O3", "rating": 1}
    names = ItemNames({}, before("consequences"))
    assert describe_row(PLAYBOOK["consequences"], cell, bare, names) == f"{RATED} · +1"


def test_a_row_on_which_nobody_said_anything_has_what_was_worked_out_and_names_no_single_one_as_one_of_many() -> None:
    row = {"alternative_id": "A4", "gains": ["O1"], "losses": ["O3"]}
    names = ItemNames({}, before("tradeoffs"))
    assert describe_row(PLAYBOOK["tradeoffs"], ("tensions", 0), row, names) == (
        "A4 Three part-time weekend agents · best or among the best on O1 Solve urgent off-hours problems quickly"
        " · weakest or among the weakest on O3 Keep extra cost low"
    )
    assert describe_row(PLAYBOOK["tradeoffs"], ("tensions", 0), {"alternative_id": "A4"}, names) == (
        "A4 Three part-time weekend agents"
    )


def test_a_list_that_stands_in_a_row_is_titled_by_the_name_of_the_row_alone() -> None:
    shown = words_of(build_list(subject("tradeoffs")))
    assert "weekend… · Gives up* (1)" in shown
    assert "it is not worth it · Gives up" not in shown


@pytest.mark.req("FA-10")
def test_a_rating_is_chosen_by_its_meaning_and_not_typed() -> None:
    it = subject("consequences", example("consequences"))
    form = build_item_form(it, WindowCommand.EDIT, "table.cells.6")
    assert form is not None
    (rating,) = [block["element"] for block in taken(form)["blocks"] if block.get("block_id") == "rating"]
    assert [option["text"]["text"] for option in rating["options"]] == [*STEP_LABELS.values()]
    assert rating["initial_option"]["value"] == "2"
    edit = filled(
        it, "table.cells.6", rating=chosen("-1"), rating_range__low=chosen("-2"), rating_range__high=chosen("0")
    )
    cell = edit.draft["table"]["cells"][6]
    assert (cell["rating"], cell["rating_range"]) == (-1, {"low": -2, "high": 0})
    it = subject("consequences", edit.draft)
    taken_out = filled(it, "table.cells.6", rating_range__low=chosen(NONE), rating_range__high=chosen(NONE))
    assert "rating_range" not in taken_out.draft["table"]["cells"][6]


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
    listed, chosen = words_of(build_list(it)), words_of(form)
    cards = "\n".join(
        [*sheet.essence, wall(sheet), write_gist(component, draft, so_far), write_opening(component, so_far)]
    )
    for shown in (listed, chosen, cards):
        assert "Reliable consequence information" in shown
        assert [element for element in Element if element in shown] == []


def test_no_card_holds_scores_against_a_bound_that_nobody_asked_for() -> None:
    sheet = build_sheet(PLAYBOOK["decision_quality"], example("decision_quality"), before("decision_quality"))
    assert "80 %" not in " ".join(sheet.essence)
