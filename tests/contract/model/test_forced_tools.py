"""How data is asked for over a real socket: as exactly as each model accepts, and so that the API refuses nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from app.agent.claude.client import Claude
from app.agent.extraction.submission import build_submission_tool
from app.core.errors import FailureKind, ModelFailed
from app.playground.claude import ClaudePlayground, HttpFault, ToolCall, Turn
from app.ports import ModelReply, ModelRequest
from tests.unit.decision.components.worked import KEYS, PLAYBOOK

OTHER: dict[str, Any] = {"name": "look_up", "description": "Look up.", "input_schema": {"type": "object"}}
MODELS = ("claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5", "claude-haiku-4-5", "claude-fable-5-1")


def asking(key: str = "issue_raising", model: str = "claude-sonnet-5-5") -> ModelRequest:
    step = PLAYBOOK[key]
    return ModelRequest(
        model=model,
        system="Be exact.",
        messages=[{"role": "user", "content": "Submit it."}],
        max_tokens=1_000,
        tools=(OTHER, build_submission_tool(step)),
        forced=step.tool,
    )


async def submitted(claude: Claude, request: ModelRequest) -> Any:
    async for event in claude.stream(request):
        if isinstance(event, ModelReply):
            (use,) = event.uses
            return use.input
    raise AssertionError("there was no reply")


def sent(api: ClaudePlayground, name: str) -> Any:
    return api.requests[-1].body.get(name)


@pytest.mark.req("S4-023", "S4-045")
@pytest.mark.parametrize(
    ("model", "choice", "thinking"),
    [
        ("claude-sonnet-5-5", "auto", {"type": "between_tools"}),
        ("claude-opus-5-5", "auto", None),
        ("claude-haiku-5-5", "auto", {"type": "disabled"}),
        ("claude-haiku-4-5", "tool", {"type": "disabled"}),
        ("claude-fable-5-1", "auto", None),
    ],
)
async def test_a_tool_is_forced_where_that_is_accepted_and_thinking_is_as_little_as_can_be(
    api: ClaudePlayground, claude: Claude, model: str, choice: str, thinking: dict[str, str] | None
) -> None:
    api.script.add(Turn(parts=[ToolCall("submit_issue_raising", {"x": 1})]))
    assert await submitted(claude, asking(model=model)) == {"x": 1}
    named = {"name": "submit_issue_raising"} if choice == "tool" else {}
    assert sent(api, "tool_choice") == {"type": choice, **named, "disable_parallel_tool_use": True}
    assert sent(api, "thinking") == thinking


@pytest.mark.req("S0-218")
@pytest.mark.parametrize("model", MODELS)
async def test_no_model_is_sent_a_temperature_that_it_refuses(
    api: ClaudePlayground, claude: Claude, model: str
) -> None:
    api.script.add(Turn(parts=[ToolCall("submit_issue_raising", {"x": 1})]))
    await submitted(claude, asking(model=model))
    assert sent(api, "temperature") is None
    assert api.requests[0].outcome == "answered"


@pytest.mark.parametrize("key", KEYS)
async def test_the_tool_of_every_step_is_taken_by_the_api(api: ClaudePlayground, claude: Claude, key: str) -> None:
    request = asking(key)
    api.script.add(Turn(parts=[ToolCall(request.forced, {"x": 1})]))
    await submitted(claude, request)
    other, tool = sent(api, "tools")
    assert other == OTHER
    assert tool["strict"] is True
    assert len(api.requests) == 1


async def test_what_a_strict_tool_cannot_hold_is_said_in_its_descriptions(
    api: ClaudePlayground, claude: Claude
) -> None:
    request = asking("consequences")
    api.script.add(Turn(parts=[ToolCall(request.forced, {"x": 1})]))
    await submitted(claude, request)
    cell = sent(api, "tools")[1]["input_schema"]["properties"]["table"]["properties"]["cells"]["items"]
    said = cell["properties"]["rating"]["description"]
    assert said.startswith("steps better (+) or worse (-) than the status quo")
    assert "minimum: -2" in said


async def test_a_tool_that_is_not_forced_is_sent_as_it_is(api: ClaudePlayground, claude: Claude) -> None:
    api.script.add(Turn(parts=[ToolCall("look_up", {"x": 1})]))
    request = replace(asking(), forced="")
    await submitted(claude, request)
    assert sent(api, "tools") == list(request.tools)
    assert (sent(api, "tool_choice"), sent(api, "thinking")) == (None, None)


async def test_a_grammar_that_is_too_large_is_done_without(api: ClaudePlayground, claude: Claude) -> None:
    submits = Turn(parts=[ToolCall("submit_issue_raising", {"x": 1})])
    api.script.add(Turn(text="x", fault=HttpFault(400)), submits)
    with capture_logs() as lines:
        assert await submitted(claude, asking()) == {"x": 1}
    strict, plain = (exchange.body["tools"][1] for exchange in api.requests)
    assert (strict["strict"], plain) == (True, build_submission_tool(PLAYBOOK["issue_raising"]))
    refused = api.requests[0].id
    assert lines == [
        {"event": "strict_tool_refused", "log_level": "warning", "tool": "submit_issue_raising", "request": refused}
    ]


TOO_WIDE: dict[str, Any] = {
    "name": asking().forced,
    "description": "With more optional fields than a grammar may have.",
    "input_schema": {
        "type": "object",
        "properties": {f"field_{number}": {"type": "string"} for number in range(60)},
        "additionalProperties": False,
    },
}


@pytest.mark.parametrize(
    ("request_", "status", "kind"),
    [
        (replace(asking(), tools=(TOO_WIDE,)), 400, FailureKind.INVALID),
        (replace(asking(), forced=""), 400, FailureKind.INVALID),
        (asking(), 529, FailureKind.BUSY),
    ],
    ids=["not strict anyway", "not forced", "another failure"],
)
async def test_nothing_else_is_asked_for_twice(
    api: ClaudePlayground, claude: Claude, request_: ModelRequest, status: int, kind: FailureKind
) -> None:
    api.script.add(Turn(text="x", fault=HttpFault(status)))
    with pytest.raises(ModelFailed) as failed:
        await submitted(claude, request_)
    assert (failed.value.kind, len(api.requests)) == (kind, 1)


async def test_a_request_that_is_refused_twice_is_invalid(api: ClaudePlayground, claude: Claude) -> None:
    api.script.add(*[Turn(text="x", fault=HttpFault(400))] * 2)
    with pytest.raises(ModelFailed) as failed:
        await submitted(claude, asking())
    assert (failed.value.kind, len(api.requests)) == (FailureKind.INVALID, 2)
