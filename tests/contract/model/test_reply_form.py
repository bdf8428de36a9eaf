"""What a request comes to, whatever it was: content, model, tokens, why it ended, and the tools it wants used."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import SecretStr

from app.agent.claude.client import Claude
from app.core.conversation.conversation import MessageStatus
from app.core.errors import FailureKind, ModelFailed
from app.playground.claude import ClaudePlayground, Cut, Pace, Text, ToolCall, Turn
from app.ports import ModelReply, ModelRequest, ToolUse

SEARCH: dict[str, Any] = {
    "name": "search",
    "description": "Find.",
    "input_schema": {"type": "object", "properties": {}},
}
REQUEST = ModelRequest(
    model="claude-sonnet-5-5",
    system="Be brief.",
    messages=[{"role": "user", "content": "Where do we meet?"}],
    max_tokens=500,
    tools=(SEARCH,),
)


HALLS: dict[str, Any] = {"query": "halls", "near": {"places": ["Bergen", "Østerøy"], "within": 12.5}, "open": True}


async def replied(api: ClaudePlayground, turn: Turn) -> ModelReply:
    api.script.add(turn)
    claude = Claude(SecretStr(api.api_key), api.url, idle_seconds=30)
    try:
        *_, last = [event async for event in claude.stream(REQUEST)]
    finally:
        await claude.close()
    assert isinstance(last, ModelReply)
    return last


@pytest.mark.req("S4-024")
async def test_an_answer_in_words_has_its_content_model_tokens_and_reason_and_no_calls(api: ClaudePlayground) -> None:
    reply = await replied(api, Turn(text="In Bergen."))
    assert reply.text == "In Bergen."
    assert [block["text"] for block in json.loads(reply.content) if block["type"] == "text"] == ["In Bergen."]
    assert reply.model == REQUEST.model
    spent = reply.usage
    assert spent.input_tokens + spent.cache_write_tokens + spent.cache_read_tokens > 0
    assert spent.output_tokens > 0
    assert (reply.status, reply.stop_reason, reply.uses) == (MessageStatus.COMPLETE, "end_turn", ())


@pytest.mark.req("S4-024", "S4-021")
async def test_an_answer_that_wants_tools_used_has_each_call_with_id_name_and_arguments(api: ClaudePlayground) -> None:
    reply = await replied(api, Turn(parts=[Text("Wait."), ToolCall("search", {"query": "halls"})]))
    (use,) = reply.uses
    assert use == ToolUse(id=use.id, name="search", input={"query": "halls"})
    assert reply.stop_reason == "tool_use"
    assert use.id in reply.content


@pytest.mark.req("S3-042", "S3-044")
async def test_calls_that_come_letter_by_letter_are_whole_and_in_order_with_the_words_between_them(
    api: ClaudePlayground,
) -> None:
    parts = [ToolCall("search", HALLS), Text("And:"), ToolCall("search"), ToolCall("search", {"query": "boats"})]
    reply = await replied(api, Turn(parts=parts, pace=Pace(chunk=1)))
    assert [(use.name, use.input) for use in reply.uses] == [
        ("search", HALLS),
        ("search", {}),
        ("search", {"query": "boats"}),
    ]
    assert len({use.id for use in reply.uses}) == 3
    assert [block["type"] for block in json.loads(reply.content)] == ["tool_use", "text", "tool_use", "tool_use"]
    assert reply.text == "And:"


@pytest.mark.req("S3-044")
@pytest.mark.parametrize("after", [9, 30])
async def test_a_call_whose_input_never_came_to_its_end_is_no_call(api: ClaudePlayground, after: int) -> None:
    with pytest.raises(ModelFailed) as failed:
        await replied(api, Turn(parts=[ToolCall("search", HALLS)], fault=Cut("ended", after=after)))
    assert failed.value.kind is FailureKind.CUT
