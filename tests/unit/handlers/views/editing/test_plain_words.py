"""Windows speak plainly: names instead of ids, meanings instead of the schema's words."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.copy import draft_editing
from app.core.state.sheet import Facts
from app.decision.layout import by_schema
from app.decision.layout.parts.result import Result
from app.decision.schema.paths import is_list, is_object
from handlers.views.editing.fields import FieldKind, ItemNames, describe_fields, walk_fields
from handlers.views.editing.path import name_choice
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before, example

PLAIN = {"high", "medium", "low"}
"""Choices that are words of everyday English already, and so are the elements of quality."""

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
