"""A whole extraction over a real socket, with the real SDK, the retries and the breaker, in both modes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from app.agent.extraction.extraction import ATTEMPTS, Extraction, ExtractionTask
from app.agent.reply import TurnSettings
from app.core.conversation.call import DraftExtracted, ExtractionExhausted
from app.core.conversation.conversation import Message, MessageStatus
from app.core.state.interview import Mode, Stage
from app.decision.tracing.said import SaidFigures
from app.playground.claude import ClaudePlayground, Cut, Gate, HttpFault, Text, Thinking, ToolCall, Turn
from tests.contract.model.speaking import Speaker, speaking
from tests.unit.agent.extracted import (
    ISSUES,
    ROWS,
    Research,
    hears_nothing,
    invalid,
    judge,
    keeps_nothing,
    leading,
    valid,
)
from tests.unit.agent.scripted import PaperDraft
from tests.unit.decision.components.worked import before

BOTH = pytest.mark.parametrize("mode", Mode)
MODELS = ("claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5", "claude-haiku-4-5", "claude-fable-5-1")
SUMMARY = Turn(parts=[Thinking("Well."), Text("Decisions: D1, a driver or a van.")])


class Extracting:
    """An extraction under way. `reached` keeps the stages that were said to begin."""

    def __init__(self, speaker: Speaker, mode: Mode, model: str = "claude-sonnet-5-5") -> None:
        self.api, self.tools, self.draft = speaker.api, Research(), PaperDraft()
        self.reached: list[Stage] = []
        settings = TurnSettings(model=model, max_tokens=1_000, context_tokens=32_000)
        extraction = Extraction(
            conversation=leading(),
            rows=ROWS,
            component=ISSUES,
            so_far=before(ISSUES.key),
            mode=mode,
            judge=judge,
            said=SaidFigures,
            unquote=str,
            tools=self.tools,
            reached=self._reach,
            hear=hears_nothing,
            keep=keeps_nothing,
        )
        self.run = ExtractionTask(speaker.model, settings, extraction, self.draft)

    async def _reach(self, stage: Stage) -> None:
        self.reached.append(stage)

    def feedback(self) -> list[dict[str, Any]]:
        """What the model was told of its submissions, one after the other."""
        results = [block for message in self.api.requests[-1].prompt.messages for block in message.of("tool_result")]
        return [json.loads(block["content"]) for block in results]


async def extracted(
    api: ClaudePlayground, mode: Mode, *turns: Turn, model: str = MODELS[0]
) -> tuple[Message, Extracting]:
    """Run an extraction to its end; direct mode begins with a discussion that asks the web once."""
    if mode is Mode.DIRECT:
        api.script.add(Turn(parts=[Thinking("Hm."), ToolCall("search_web", {"query": "vans"})]), Turn(text="A van."))
    api.script.add(*turns)
    async with speaking(api) as speaker:
        running = Extracting(speaker, mode, model)
        return await running.run.reply(), running


def submits(data: Any, tool: str = ISSUES.tool, **values: Any) -> Turn:
    return Turn(parts=[Thinking("Now."), ToolCall(tool, data)], **values)


@BOTH
@pytest.mark.req("S4-059", "S4-002", "S0-214")
@pytest.mark.parametrize("model", MODELS)
async def test_what_was_said_becomes_a_draft_with_every_model_in_both_modes(
    api: ClaudePlayground, mode: Mode, model: str
) -> None:
    closed, running = await extracted(api, mode, SUMMARY, submits(valid()), model=model)
    (call,) = closed.calls
    assert isinstance(call, DraftExtracted)
    assert call.drafted.draft["potential_decisions"][0]["handle"] == "D1"
    assert (closed.status, closed.stage, closed.model) == (MessageStatus.COMPLETE, Stage.SERIALIZE, model)
    assert (running.reached, len(running.tools.wishes)) == (
        [Stage.SUMMARIZE, Stage.SERIALIZE],
        int(mode is Mode.DIRECT),
    )
    assert [exchange.outcome for exchange in api.requests] == ["answered"] * (4 if mode is Mode.DIRECT else 2)
    assert closed.usage.output_tokens > 0


@pytest.mark.req("S0-229")
async def test_on_the_wire_the_schema_goes_first_then_the_transcript_and_last_the_request(
    api: ClaudePlayground,
) -> None:
    await extracted(api, Mode.INTERACTIVE, SUMMARY, submits(valid()))
    body = api.requests[-1].body
    assert [tool["name"] for tool in body["tools"]] == ["submit_issue_raising"]
    said = body["messages"][0]["content"]
    assert (
        0 < said.index("Do we hire or rent?") < said.index("Put what was said in this step into submit_issue_raising()")
    )


@BOTH
@pytest.mark.req("S4-007", "S4-028")
@pytest.mark.parametrize("model", MODELS)
async def test_two_that_are_wrong_and_one_that_is_right(api: ClaudePlayground, mode: Mode, model: str) -> None:
    turns = (submits(invalid(mood="glad")), submits(invalid()), submits(valid()))
    closed, running = await extracted(api, mode, SUMMARY, *turns, model=model)
    assert isinstance(closed.calls[0], DraftExtracted)
    assert closed.calls[0].attempts == 3
    first, second = running.feedback()
    assert (list(first), first["issues"]["unknown"], second["issue_count"]) == (
        ["result", "issues", "issue_count", "action"],
        ["mood"],
        1,
    )


@BOTH
@pytest.mark.req("S4-049")
async def test_four_that_are_wrong_come_to_nothing(api: ClaudePlayground, mode: Mode) -> None:
    closed, _ = await extracted(api, mode, SUMMARY, *[submits(invalid())] * ATTEMPTS)
    assert isinstance(closed.calls[0], ExtractionExhausted)
    assert api.script.pending == ()


@pytest.mark.req("S4-008", "S4-050")
@pytest.mark.parametrize(
    ("turn", "asked"),
    [
        (Turn(text="It is all clear."), 2),
        (submits(valid(), tool="submit_all"), 2),
        (submits(valid(), stop_reason="refusal"), 1),
    ],
    ids=["words alone", "another tool", "a refusal"],
)
async def test_without_a_submission_it_is_asked_for_once_more_and_a_refusal_stands(
    api: ClaudePlayground, turn: Turn, asked: int
) -> None:
    closed, _ = await extracted(api, Mode.INTERACTIVE, SUMMARY, *[turn] * asked)
    assert (closed.status, closed.failure, closed.reference) == (
        MessageStatus.FAILED,
        "unfinished",
        api.requests[-1].id,
    )
    assert len(api.requests) == 1 + asked


async def test_without_a_summary_nothing_is_submitted(api: ClaudePlayground) -> None:
    closed, _ = await extracted(api, Mode.INTERACTIVE, Turn(parts=[Thinking("Hm.")]))
    assert (closed.failure, closed.stage, len(api.requests)) == ("unfinished", Stage.SUMMARIZE, 1)


async def test_a_submission_that_broke_off_is_asked_for_again_with_more_room(api: ClaudePlayground) -> None:
    half = submits(valid(), stop_reason="max_tokens")
    closed, _ = await extracted(api, Mode.INTERACTIVE, SUMMARY, half, submits(valid()))
    assert isinstance(closed.calls[0], DraftExtracted)
    assert [exchange.body["max_tokens"] for exchange in api.requests[1:]] == [4_000, 8_000]


@pytest.mark.req("S0-033")
async def test_data_that_is_too_deep_is_refused_before_it_is_read(api: ClaudePlayground) -> None:
    deep: Any = []
    for _ in range(40):
        deep = [deep]
    _, running = await extracted(api, Mode.INTERACTIVE, SUMMARY, submits({**valid(), "x": deep}), submits(valid()))
    assert [told["result"] for told in running.feedback()] == ["tool_error"]


@pytest.mark.req("S0-220", "S0-034")
async def test_json_that_is_none_is_a_cut_stream_and_asked_for_again(api: ClaudePlayground) -> None:
    broken = Turn(parts=[ToolCall(ISSUES.tool, valid(), raw='{"objectives": nothing}')])
    closed, _ = await extracted(api, Mode.INTERACTIVE, SUMMARY, broken, submits(valid()))
    assert isinstance(closed.calls[0], DraftExtracted)
    assert closed.calls[0].attempts == 1
    assert len(api.requests) == 3


DISCUSSED = (Turn(text="A van."),)
AT: dict[Stage, tuple[Turn, ...]] = {
    Stage.DISCUSS: (),
    Stage.SUMMARIZE: DISCUSSED,
    Stage.SERIALIZE: (*DISCUSSED, SUMMARY),
}


@pytest.mark.parametrize("stage", AT)
async def test_the_api_may_fail_in_any_stage(api: ClaudePlayground, stage: Stage) -> None:
    api.script.add(*AT[stage], Turn(text="x", fault=HttpFault(401)))
    async with speaking(api) as speaker:
        running = Extracting(speaker, Mode.DIRECT)
        closed = await running.run.reply()
    assert (closed.status, closed.failure, closed.stage) == (MessageStatus.FAILED, "misconfigured", stage)
    assert (closed.reference, running.draft.closings) == (api.requests[-1].id, 1)


@pytest.mark.parametrize("stage", AT)
async def test_an_overload_passes_unseen_in_any_stage(api: ClaudePlayground, stage: Stage) -> None:
    overloaded = Turn(text="x", fault=Cut("overloaded"))
    rest = (*DISCUSSED, SUMMARY, submits(valid()))[len(AT[stage]) :]
    api.script.add(*AT[stage], overloaded, *rest)
    async with speaking(api) as speaker:
        closed = await Extracting(speaker, Mode.DIRECT).run.reply()
    assert isinstance(closed.calls[0], DraftExtracted)
    assert len(api.requests) == 4


@pytest.mark.parametrize("stage", AT)
async def test_cut_in_any_stage_the_connection_is_closed(api: ClaudePlayground, stage: Stage) -> None:
    api.script.add(*AT[stage], Turn(text="A long answer", gates=[Gate(4, asyncio.Event())]))
    async with speaking(api) as speaker:
        running = Extracting(speaker, Mode.DIRECT)
        exchange = await api.arrival(len(AT[stage]) + 1)
        running.run.cut()
        closed = await running.run.reply()
        await exchange.ended.wait()
    assert (closed.status, closed.stage, exchange.outcome) == (MessageStatus.CANCELLED, stage, "aborted")
