"""A tool's schema is made once and sent with each request, so nothing that is told of it may change it."""

from __future__ import annotations

import json
import re

import pytest
from pydantic import Field

from app.agent.tools.conversation.thread_toolset import SPECS
from app.agent.tools.external.discovery import EXTERNAL_TOOLS
from app.agent.tools.output import ToolResult
from app.agent.tools.tool import Input, PureTool, build_schema
from app.agent.tools.trial import InterviewTrial, Trial
from app.decision.playbook.playbook import load_proact
from app.decision.schema.component import Component
from tests.unit.agent.tools.sat import Box, interviewed
from tests.unit.decision.components.worked import KEYS


class Words(Input):
    """Input of the tools here."""

    words: str = Field(description="What is said.")


def properties(component: Component) -> dict[str, dict[str, str]]:
    return {component.key: {"type": "string"}}


STEP = PureTool[InterviewTrial, Words](
    name="say",
    description="Says something.",
    input=Words,
    properties=properties,
    run=lambda _trial, given: ToolResult(given.words),
)
PLAIN = PureTool[Trial, Words](
    name="say", description="Says something.", input=Words, run=lambda _trial, given: ToolResult(given.words)
)


def test_what_one_component_tells_of_a_tool_is_told_by_no_other() -> None:
    first, second = list(load_proact().components)[:2]
    for component in (first, second, first):
        assert set(STEP.describe(component)["input_schema"]["properties"]) == {"words", component.key}
    assert set(PLAIN.describe()["input_schema"]["properties"]) == {"words"}


def test_the_schema_that_is_sent_is_that_of_the_input_without_what_tells_nothing() -> None:
    sent, whole = PLAIN.describe()["input_schema"], Words.model_json_schema()
    assert (sent["required"], [*sent["properties"]]) == (whole["required"], [*whole["properties"]])
    assert "additionalProperties" not in build_schema(Words)
    assert "title" not in json.dumps(sent)


@pytest.mark.req("FA-08")
def test_no_schema_says_that_null_stands_for_what_is_left_out() -> None:
    sent = EXTERNAL_TOOLS["read_channel"].describe()["input_schema"]["properties"]["since"]
    assert (sent["type"], sent["format"]) == ("string", "date-time")
    assert not {"anyOf", "default"} & {*sent}


def test_no_schema_that_is_sent_refers_to_something_outside_of_it() -> None:
    assert "$ref" not in json.dumps([*SPECS, *(tool.describe() for tool in EXTERNAL_TOOLS.values())])


@pytest.mark.req("FA-08")
@pytest.mark.parametrize("key", KEYS)
def test_what_describes_a_field_of_a_tool_stands_there_once(key: str) -> None:
    sent = json.dumps(Box(interviewed(component=key)).tools.specs, ensure_ascii=False)
    described = re.findall(r'"description": ("[^"]{30,}")', sent)
    assert len(described) == len({*described})
