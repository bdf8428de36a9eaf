"""What each model accepts, and what a schema becomes for a strict tool: nothing that it says is lost."""

from __future__ import annotations

import pytest

from app.agent.claude.capabilities import (
    MODELS,
    MOST_OPTIONAL,
    Capabilities,
    can_be_strict,
    find_capabilities,
    find_window,
    inline_references,
)
from app.agent.extraction.submission import build_submission_tool
from tests.unit.decision.components.worked import KEYS, PLAYBOOK


def test_a_model_that_is_not_listed_is_asked_for_least() -> None:
    assert find_capabilities("claude-opus-5-7") == find_capabilities("") == Capabilities(is_wide=False)


def test_a_date_does_not_make_another_model() -> None:
    assert find_capabilities("claude-haiku-4-5-20251001") is MODELS["claude-haiku-4-5"]


def test_no_model_is_forced_that_cannot_stop_thinking() -> None:
    assert all(each.least_thinking == "disabled" for each in MODELS.values() if each.forced_tool)


def test_what_stands_beside_a_reference_goes_before_what_it_refers_to() -> None:
    schema = {
        "$defs": {
            "text": {"type": "string", "maxLength": 5, "description": "a text"},
            "same": {"$ref": "#/$defs/text"},
        },
        "type": "object",
        "properties": {"why": {"type": "array", "items": {"$ref": "#/$defs/same", "description": "the reason"}}},
    }
    assert inline_references(schema) == {
        "type": "object",
        "properties": {
            "why": {"type": "array", "items": {"type": "string", "maxLength": 5, "description": "the reason"}}
        },
    }


def test_a_schema_is_too_wide_from_the_25th_field_that_need_not_be_there() -> None:
    def schema(count: int) -> dict[str, object]:
        inner = {
            "type": "object",
            "required": ["x0"],
            "properties": {f"x{n}": {"type": "string"} for n in range(count)},
        }
        return {"type": "object", "properties": {"rows": {"type": "array", "items": inner}}}

    assert can_be_strict(schema(MOST_OPTIONAL))
    assert not can_be_strict(schema(MOST_OPTIONAL + 1))


@pytest.mark.parametrize("key", KEYS)
def test_no_step_has_a_reference_left(key: str) -> None:
    assert "$ref" not in str(inline_references(PLAYBOOK[key].json_schema))


def test_no_step_is_so_wide_that_it_is_submitted_without_a_grammar() -> None:
    schemas = {key: build_submission_tool(PLAYBOOK[key])["input_schema"] for key in KEYS}
    assert [key for key, schema in schemas.items() if not can_be_strict(inline_references(schema))] == []


@pytest.mark.req("AG-05")
def test_the_models_that_are_known_have_a_wide_window_and_others_a_narrow_one() -> None:
    assert {find_window(model) for model in MODELS} == {100_000}
    assert find_window("claude-sonnet-5-5-20260701") == 100_000
    assert find_window("some-gateway/model") == 32_000
