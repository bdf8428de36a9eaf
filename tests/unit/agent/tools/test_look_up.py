"""One tool in place of many: what the model calls becomes a use of the tool itself, and goes back as it was called."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.tool_runner import ToolRunner
from app.agent.tools.context import Offer
from app.agent.tools.external.discovery import EXTERNAL_TOOLS, select_tools
from app.agent.tools.look_up import NAME, fold_messages, unfold_reply
from app.agent.tools.tool import build_schema
from app.ports import ModelReply, ToolUse
from tests.unit.agent.scripted import ANSWER

STEPS = select_tools(EXTERNAL_TOOLS, Offer.STEPS)
NAMES = frozenset(STEPS)
RUNNER = ToolRunner(tools=STEPS).fold_lookups()


def replied(name: str, given: Any) -> ModelReply:
    """A reply with words and one call."""
    block = {"id": "t1", "input": given, "name": name, "type": "tool_use"}
    content = [{"type": "thinking", "thinking": "…", "signature": "s"}, {"type": "text", "text": "I look."}, block]
    return replace(ANSWER, content=json.dumps(content), uses=(ToolUse(id="t1", name=name, input=given),))


def said(reply: ModelReply) -> list[dict[str, Any]]:
    return [{"role": "assistant", "content": json.loads(reply.content)}]


@given(name=st.sampled_from(sorted(NAMES)), fields=st.dictionaries(st.text(max_size=5), st.text(max_size=5)))
@pytest.mark.req("FA-08", "AG-07", "AG-19")
def test_a_look_is_a_use_of_its_tool_and_goes_back_as_the_model_made_it(name: str, fields: dict[str, str]) -> None:
    called = replied(NAME, {"tool": name, "input": fields})
    unfolded = RUNNER.unfold(called)
    assert unfolded.uses == (ToolUse(id="t1", name=name, input=fields),)
    kept = said(unfolded)
    assert [each["name"] for each in kept[0]["content"] if each["type"] == "tool_use"] == [name]
    assert RUNNER.fold(kept) == said(called)
    assert fold_messages(RUNNER.fold(kept), NAMES) == said(called), "a second time changes nothing"


@pytest.mark.req("FA-08", "AG-07")
def test_every_tool_that_a_step_may_use_stands_in_the_list_with_all_of_its_fields() -> None:
    (spec,) = RUNNER.specs
    lines = {line.partition("(")[0].removeprefix("- "): line for line in spec["description"].split("\n")[1:]}
    assert lines.keys() == STEPS.keys()
    for name, tool in STEPS.items():
        schema = build_schema(tool.input)
        fields = lines[name].partition("(")[2].partition(")")[0].split(", ")
        assert [each.rstrip("?").removesuffix("[]") for each in fields if each] == [*schema["properties"]]
        assert [each for each in fields if each and not each.endswith("?")] == [
            f"{each}[]" if schema["properties"][each].get("type") == "array" else each
            for each in schema["properties"]
            if each in schema.get("required", ())
        ]
        assert 20 < len(tool.brief) < 110


def test_a_tool_without_a_brief_is_offered_whole_beside_the_list() -> None:
    tools = {**STEPS, "list_work": replace(STEPS["list_work"], brief="")}
    listed, whole = ToolRunner(tools=tools).fold_lookups().specs
    assert (listed["name"], whole["name"]) == (NAME, "list_work")
    assert "list_work" not in listed["description"]


def test_a_runner_that_folds_nothing_leaves_all_as_it_is() -> None:
    plain, called = ToolRunner(tools=STEPS), replied(NAME, {"tool": "list_work", "input": {}})
    assert plain.unfold(called) is called
    assert plain.refuse_lookup(called.uses[0]) is None
    assert not plain.takes(NAME)
    assert [each["name"] for each in plain.specs] == [*STEPS]
    assert plain.fold(said(replied("list_work", {})))[0]["content"][2]["name"] == "list_work"


@pytest.mark.req("AG-07")
@pytest.mark.parametrize(
    "odd", [{}, {"tool": "post_message"}, {"tool": "list_work", "input": "now"}, {"tool": 4}, {"tool": "x", "y": 1}]
)
def test_a_look_that_names_no_tool_is_refused_with_those_that_there_are(odd: dict[str, Any]) -> None:
    called = replied(NAME, odd)
    assert unfold_reply(called, NAMES).uses == called.uses
    assert said(unfold_reply(called, NAMES)) == said(called)
    use = RUNNER.refuse_lookup(called.uses[0])
    assert use
    assert use.failed
    assert all(name in use.result for name in NAMES)
    assert RUNNER.takes(NAME)
    assert RUNNER.refuse_lookup(ToolUse(id="t2", name="list_work", input={})) is None


def test_what_is_no_look_stays_as_it_came() -> None:
    other = replied("note_item", {"list": "notes"})
    assert unfold_reply(other, NAMES) is other
    plain: list[dict[str, Any]] = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello"},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "x"}]},
        *said(other),
    ]
    assert all(left is right for left, right in zip(fold_messages(plain, NAMES), plain, strict=True))
