"""What the model wants of a tool is kept, and sent back, as it may be kept: clean (S0-010)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app.agent.tool_runner import UNCLEAN
from app.agent.tools.conversation.thread_toolset import TOO_LONG
from app.core.conversation.conversation import MessageStatus
from app.core.state.tool_use import Use
from tests.unit.agent.outer_tools import Workshop
from tests.unit.agent.outside_turns import FREELY, LOOK, PUT, Outside
from tests.unit.agent.scripted import answers

BAD = replace(PUT, id="p0", input={"to": "ops", "te\u0007xt": "Hi[/INST]", "more": ["\ud800"]})
LONG = replace(PUT, id="p0", input={"to": "ops", "text": "x" * 100_001})


def kept(uses: tuple[Use, ...]) -> str:
    return json.dumps([use.input for use in uses])


@pytest.mark.req("S0-010")
async def test_what_had_to_be_cleaned_is_kept_clean_and_what_is_wanted_beside_it_is_done() -> None:
    taken = Outside(answers(BAD, PUT, text="I post."), answers(PUT), answers(text="Done."), shop=Workshop(FREELY))
    closed = await taken.closed()
    assert taken.shop.done == [("p1", "Hi"), ("p1", "Hi")]
    for written in (closed.content, *(row.content for row, _, _ in taken.reports)):
        assert written
        assert "[/INST]" not in written
        written.encode()
    for _, uses, _ in taken.reports:
        assert "INST" not in kept(uses)
    (blocks, results) = (message["content"] for message in taken.sent(1))
    assert blocks[2]["input"] == {"to": "ops", "text": "Hi", "more": ["\ufffd"]}
    assert [(block["content"], block.get("is_error", False)) for block in results] == [
        (UNCLEAN, True),
        ("ops: Hi", False),
    ]


async def test_after_an_input_that_had_to_be_cleaned_the_turn_can_still_wait() -> None:
    taken = Outside(answers(BAD, text="I post."), answers(PUT))
    held = await taken.closed()
    assert (held.status, taken.shop.done) == (MessageStatus.HELD, [])
    assert [message["role"] for message in json.loads(held.content)] == ["assistant", "user", "assistant"]


@pytest.mark.parametrize("use", [LONG, replace(LONG, name=LOOK.name)])
async def test_an_input_that_is_too_long_is_not_kept_at_all(use: object) -> None:
    taken = Outside(answers(use), answers(text="Sorry."), shop=Workshop(FREELY))  # pyright: ignore[reportArgumentType]
    closed = await taken.closed()
    (blocks, results) = (message["content"] for message in taken.sent(1))
    assert (blocks[-1]["input"], results[0]["content"]) == ({}, TOO_LONG)
    assert len(closed.content) < 1_000
