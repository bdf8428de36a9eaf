"""Whatever a draft holds, it can be laid out, no item of it is lost, and nothing that people approve is hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.state.sheet import Grid, Matrix
from app.decision.analysis.quality import FULL
from app.decision.analysis.ratings import RatingTable
from app.decision.drafts.draft import Rejected, read
from app.decision.layout.sheets import PRESENTERS, build_sheet, write_gist
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component, find_subschema
from app.decision.schema.handles import list_handles
from app.decision.schema.paths import Draft, find_values
from app.decision.schema.terms import name_element
from tests.properties import limit_examples
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, TODAY, before, example, minimal
from tests.unit.decision.sheets.walls import of_type, wall
from tests.unit.decision.tables import tables

ITSELF = "decision_hierarchy.focal"
"""The decision that the frame is about: its words stand on top, and its handle would say nothing there."""
COMPUTED = ("tradeoffs", "consequences", "recommendation")
"""Here findings and ratings are told that are there by now; the rest of a draft may be about what is gone."""
ODD = ("", "{", "}", "{0}", "%s", "<!channel> ", "“", "*_`", "\n", "|", "·", "日本 ", "x" * 100)
"""What texts are made of."""
UNSEEN = re.compile(
    r"evidence|weakest|handle|_ids?$|slack|^(name|role|origin|authority|status|direction|kind|level|impact|step)$"
)
"""Fields with no words of people, or in words of ours; names are looked for as labels."""


class Drawn:
    """Values that a schema allows, drawn by a seed: quick enough to draw whole drafts."""

    def __init__(self, component: Component, seed: int) -> None:
        self._component = component
        self._random = Random(seed)

    def draft(self) -> Draft:
        """A draft; what a criterion asks for may be missing at its top."""
        return self._value([])

    def _value(self, path: list[str]) -> Any:
        node = find_subschema(self._component.json_schema, path) or {}
        if "enum" in node:
            return self._random.choice(node["enum"])
        match node["type"]:
            case "object":
                return {
                    name: self._value([*path, name]) for name in node["properties"] if self._is_there(node, path, name)
                }
            case "array":
                return [self._value([*path, "[]"]) for _ in range(self._random.randrange(4))]
            case "string":
                return self._text(node)
            case "boolean":
                return self._random.random() < 0.5
            case _:
                return self._random.randint(node.get("minimum", -9), node.get("maximum", 9))

    def _is_there(self, node: dict[str, Any], path: list[str], name: str) -> bool:
        asked = [each.path for each in self._component.criteria]
        return (
            name in node.get("required", []) and ".".join([*path, name]) not in asked
        ) or self._random.random() < 0.7

    def _text(self, node: dict[str, Any]) -> str:
        if "pattern" in node:
            return f"{re.sub(r'[^A-Z].*', '', node['pattern'][1:]) or 'U0'}{self._random.randint(1, 4)}"
        if node.get("format") == "date":
            return date.fromordinal(self._random.randint(700_000, 740_000)).isoformat()
        return f"words {self._random.choice(ODD)}{self._random.randrange(1000)}"


def acceptable(component: Component, draft: Draft, so_far: DecisionRecord) -> Draft:
    """The draft as it is accepted, once what is refused in it is left out."""
    while isinstance(judged := read(component, draft, so_far), Rejected):
        _leave_out(draft, judged.issues[0].field.split("."))
    return judged.draft


def _leave_out(draft: Any, steps: list[str]) -> None:
    """What is at the place; if nothing is, what it is missing in."""
    holders = [draft]
    for step in steps[:-1]:
        holders.append(holders[-1][int(step) if step.isdigit() else step])
    key: Any = int(steps[-1]) if steps[-1].isdigit() else steps[-1]
    if isinstance(key, int) or key in holders[-1]:
        del holders[-1][key]
    else:
        _leave_out(draft, steps[:-1])


def decided(table: RatingTable) -> DecisionRecord:
    """A decision with these ratings, and nothing else but a judged quality."""
    drafts: dict[str, Draft] = {key: minimal(key) for key in KEYS}
    drafts["objectives"]["fundamental_objectives"] = [
        {"handle": each, "description": f"Aim {each}"} for each in table.objectives
    ]
    drafts["alternatives"] = {
        "alternatives": [{"handle": each, "name": f"Way {each}", "description": each} for each in table.alternatives],
        **({"status_quo_id": table.baseline} if table.baseline else {}),
    }
    drafts["consequences"] = {
        "table": {
            "cells": [
                {"alternative_id": at[0], "objective_id": at[1], "rating": cell.rating, "uncertainty": {"level": level}}
                for at, cell in table.cells.items()
                for level in ["medium" if cell.doubtful else "low"]
            ]
        }
    }
    return DecisionRecord(drafts, TODAY)


def without(so_far: DecisionRecord, key: str) -> DecisionRecord:
    """The decision without the component that is looked at."""
    return replace(so_far, results={each: draft for each, draft in so_far.results.items() if each != key})


def shown_handles(key: str, draft: Draft) -> set[str]:
    """The handles of all items that people can point at."""
    paths = [path for path in PLAYBOOK[key].handles if path != ITSELF]
    return {handle for path in paths for handle in find_values(draft, f"{path}.handle")}


def said(data: Any, field: str = "") -> Iterator[str]:
    """All texts of people in a draft."""
    if isinstance(data, dict):
        for name, each in data.items():  # pyright: ignore[reportUnknownVariableType]
            if not UNSEEN.search(str(name)):  # pyright: ignore[reportUnknownArgumentType]
                yield from said(each, str(name))  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(data, list):
        for each in data:  # pyright: ignore[reportUnknownVariableType]
            yield from said(each, field)
    elif isinstance(data, str) and " " in data:
        yield data


@pytest.mark.parametrize("presenter", ["lists", ""])
@pytest.mark.parametrize("key", KEYS)
@limit_examples(10)
@given(table=tables(most=4), seed=st.integers(0, 2**32))
def test_any_draft_can_be_laid_out_and_loses_no_item(key: str, presenter: str, table: RatingTable, seed: int) -> None:
    shipped = PLAYBOOK[key]
    component = shipped.model_copy(update={"sheet": presenter or shipped.sheet})
    so_far, any_draft = without(decided(table), key), Drawn(shipped, seed).draft()
    build_sheet(component, any_draft, so_far)
    draft = acceptable(shipped, any_draft, so_far)
    for full in (each for each in draft.get("elements", ()) if each.get("score") == FULL):
        full.pop("improvement_path", None)  # nothing can raise it, so nothing is said to
    laid = build_sheet(component, draft, so_far, list_handles([draft])[:2])
    told = wall(laid)
    assert presenter or not re.search(r"(?<![\w-])-\d", told), "a minus is written as −"
    assert shown_handles(key, draft) <= set(re.findall(r"\b[A-Z]{1,2}\d+\b", told))
    if key not in COMPUTED:
        assert [text for text in said(draft) if not tells(told, text)] == []
    for grid in of_type(laid, Grid):
        assert {len(row) for row in grid.rows} <= {len(grid.header)}
    for matrix in of_type(laid, Matrix):
        assert [len(row) for row in matrix.cells] == [len(matrix.columns)] * len(matrix.rows)
    short = write_gist(component, draft, so_far)
    assert len(short) <= 80
    assert "\n" not in short


def tells(shown: str, text: str) -> bool:
    """Elements of quality are shown in plain writing; what begins a line may begin with a capital letter."""
    begun = f"{text[:1].upper()}{text[1:]}"
    return text in shown or begun in shown or name_element(text) in shown


@pytest.mark.parametrize("presenter", ["lists", ""])
@pytest.mark.parametrize("key", KEYS)
def test_nothing_that_people_approve_of_the_example_is_hidden(key: str, presenter: str) -> None:
    component = PLAYBOOK[key].model_copy(update={"sheet": presenter or key})
    told = wall(build_sheet(component, example(key), before(key)))
    assert [text for text in said(example(key)) if not tells(told, text)] == []


@pytest.mark.parametrize("presenter", PRESENTERS)
def test_with_nothing_at_all_a_sheet_is_still_there(presenter: str) -> None:
    component = PLAYBOOK["recommendation"].model_copy(update={"sheet": presenter})
    empty = DecisionRecord({}, TODAY)
    for told in (wall(build_sheet(component, {}, empty)), write_gist(component, {}, empty)):
        assert not [part for part in ("{", "}", "None,", "()", "_id") if part in told]


@pytest.mark.parametrize("key", KEYS)
def test_people_see_no_ids_no_field_names_and_no_json(key: str) -> None:
    told = wall(build_sheet(PLAYBOOK[key], example(key), before(key)))
    assert not re.findall(r"[0-9a-f]{8}-[0-9a-f]{4}|[a-z]_[a-z]|[{}\[\]]\"", re.sub(r"\[\w+\]", "", told))
