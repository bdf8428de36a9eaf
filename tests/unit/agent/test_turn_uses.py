"""How much one turn may do with tools that reach outside."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app.agent.prompt import TurnPrompt
from app.agent.tool_runner import TOO_MANY, USES
from app.agent.tools.conversation.thread_toolset import TOO_LONG, ThreadToolset
from app.agent.turn import TurnTask
from app.core.conversation.conversation import Message, MessageStatus, Turn
from app.core.state.tool_use import UseState
from app.core.text.sanitize import MAX_BYTES
from app.ports import ToolUse
from tests.unit.agent.outer_tools import Workshop
from tests.unit.agent.outside_turns import FREELY, ROW, RUNNING, SETTINGS
from tests.unit.agent.scripted import PaperDraft, Part, ScriptedModel, answers
from tests.unit.core.threads import said


def turn(shop: Workshop, *scripts: list[Part], row: Message = ROW, under_way: Turn | None = None) -> TurnTask:
    now = replace(RUNNING, turn=under_way or RUNNING.turn)
    tools = ThreadToolset(now, (), lambda: "1770000000.000001")
    prompt = TurnPrompt(now, (said(1, "Hi"), row), tools, outside=shop.hands)
    return TurnTask(ScriptedModel(*scripts), SETTINGS, prompt, PaperDraft())


def puts(begin: int, end: int) -> tuple[ToolUse, ...]:
    return tuple(ToolUse(id=f"p{n}", name="put", input={"text": str(n)}) for n in range(begin, end))


def results(row: Message) -> list[tuple[str, str, bool]]:
    told = [message for message in json.loads(row.content) if message["role"] == "user"]
    blocks = [block for message in told for block in message["content"]]
    return [(block["tool_use_id"], block["content"], bool(block.get("is_error"))) for block in blocks]


async def test_of_the_uses_of_one_round_no_more_are_done_than_a_turn_may_have() -> None:
    shop = Workshop(FREELY)
    closed = await turn(shop, answers(*puts(0, 1_000)), answers(text="Done.")).reply()
    assert len(shop.done) == USES
    assert results(closed)[USES - 1 :][:2] == [
        (f"p{USES - 1}", f"ops: {USES - 1}", False),
        (f"p{USES}", TOO_MANY, True),
    ]


async def test_uses_are_counted_over_all_rounds_of_a_turn_also_those_before_it_had_to_wait() -> None:
    shop = Workshop()
    begun = turn(shop, answers(*puts(0, 1)))
    held = await begun.reply()
    assert held.status is MessageStatus.HELD
    allowed = tuple(replace(use, state=UseState.ALLOWED) for use in begun.uses)
    shop.verdicts = FREELY
    rest = [answers(*puts(1, USES)), answers(*puts(USES, USES + 2)), answers(text="Done.")]
    waited = Turn(id="2.1", reply=2, uses=allowed, rounds=begun.rounds)
    closed = await turn(shop, *rest, row=held, under_way=waited).reply()
    assert [key for key, _ in shop.done] == [f"p{n}" for n in range(USES)]
    assert [words for _, words, failed in results(closed) if failed] == [TOO_MANY] * 2


@pytest.mark.parametrize("text", ["x" * (MAX_BYTES + 1), ["x", "x" * (MAX_BYTES + 1)]])
async def test_an_input_that_is_too_long_is_told_to_the_model_and_the_turn_goes_on(text: object) -> None:
    shop = Workshop(FREELY)
    long = ToolUse(id="p1", name="put", input={"text": text})
    closed = await turn(shop, answers(long), answers(text="I cut it short.")).reply()
    assert (closed.status, closed.text, shop.done) == (MessageStatus.COMPLETE, "I cut it short.", [])
    assert results(closed) == [("p1", TOO_LONG, True)]
