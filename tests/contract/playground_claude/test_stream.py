"""What the real SDK makes of the playground's stream: every kind of event, block and stop reason."""

import asyncio
from typing import Any

import pytest
from anthropic import AsyncAnthropic

from app.playground.claude import Block, ClaudePlayground, Event, Gate, Pace, Text, Thinking, ToolCall, Turn
from tests.contract.playground_claude.asking import OLD_HAIKU, OPUS, SONNET, answered, ask, streamed, tool


async def test_events_come_in_the_order_of_the_api(playground: ClaudePlayground, claude: AsyncAnthropic):
    """The SDK sees start, block start, deltas, block stop, message delta, stop; it drops the ping itself."""
    playground.script.add(Turn("one two three", pace=Pace(chunk=4)))
    async with streamed(claude, ask()) as stream:
        kinds = [event.type async for event in stream if event.type != "text"]
    assert kinds == [
        "message_start",
        "content_block_start",
        *["content_block_delta"] * 4,
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]


async def test_text_arrives_whole_and_unbroken_with_its_emoji(playground: ClaudePlayground, claude: AsyncAnthropic):
    said = "Grüße 👩‍👩‍👧 – “fine”\n```py\nx = 1\n```"
    playground.script.add(Turn(said, pace=Pace(chunk=1)))
    async with streamed(claude, ask()) as stream:
        assert await stream.get_final_text() == said


async def test_a_tool_call_arrives_in_awkward_pieces_the_first_of_them_empty(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    """The first input delta is usually "", and JSON is cut anywhere; the SDK puts it together again."""
    wanted = {"title": 'A "quoted" line\n', "options": ["ä", 1.5, None, {"deep": True}]}
    playground.script.add(Turn(parts=[Text("Moment."), ToolCall("look_up", wanted)]))
    async with streamed(claude, ask(tools=[tool()])) as stream:
        pieces = [e.partial_json async for e in stream if e.type == "input_json"]
        message = await stream.get_final_message()
    assert pieces[0] == ""
    assert len(pieces) > 10
    assert min(map(len, pieces[1:])) == 1
    call = message.content[1]
    assert call.type == "tool_use"
    assert call.id.startswith("toolu_01")
    assert call.input == wanted
    assert message.stop_reason == "tool_use"


async def test_empty_tool_input_stays_an_empty_object(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn(parts=[ToolCall("look_up"), ToolCall("look_up")]))
    async with streamed(claude, ask(tools=[tool()])) as stream:
        first, second = (await stream.get_final_message()).content
    assert first.type == "tool_use"
    assert second.type == "tool_use"
    assert first.input == second.input == {}
    assert first.id != second.id


async def test_thinking_comes_with_a_signature(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn(parts=[Thinking("They want a frame."), Text("Let us begin.")]))
    async with streamed(claude, ask(thinking={"type": "adaptive", "display": "summarized"})) as stream:
        kinds = {event.type async for event in stream}
        thinking, words = (await stream.get_final_message()).content
    assert {"thinking", "signature"} <= kinds
    assert thinking.type == "thinking"
    assert thinking.thinking == "They want a frame."
    assert len(thinking.signature) > 100
    assert words.type == "text"


@pytest.mark.parametrize("model", [SONNET, OPUS, "claude-haiku-5-5", "claude-fable-5-1"])
async def test_a_model_leaves_its_thinking_empty_unless_summaries_are_asked_for(
    playground: ClaudePlayground, claude: AsyncAnthropic, model: str
):
    """Since Opus 4.7 the default display is `omitted`: an empty thinking block that is signed all the same."""
    playground.script.add(*(Turn(parts=[Thinking("Hm."), Text("Yes.")]) for _ in range(2)))
    shown = {"type": "adaptive", "display": "summarized"}
    for changes, expected in (({}, ""), ({"thinking": shown}, "Hm.")):
        message = await answered(claude, ask(model=model, **changes))
        block = message.content[0]
        assert block.type == "thinking"
        assert (block.thinking, bool(block.signature)) == (expected, True)


async def test_a_model_whose_thinking_is_off_does_not_think(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn(parts=[Thinking("Hm."), Text("Yes.")]))
    message = await answered(claude, ask(model=OLD_HAIKU))
    assert [block.type for block in message.content] == ["text"]


@pytest.mark.parametrize(
    "reason",
    [
        "end_turn",
        "max_tokens",
        "stop_sequence",
        "tool_use",
        "pause_turn",
        "refusal",
        "model_context_window_exceeded",
        "a_reason_of_next_year",
        None,
    ],
)
async def test_every_stop_reason_passes_the_sdk_unchanged(
    playground: ClaudePlayground, claude: AsyncAnthropic, reason: str | None
):
    """All seven of API 2026-10-21; unknown ones are passed through, and null is what a cut leaves."""
    playground.script.add(Turn("So.", stop_reason=reason))
    async with streamed(claude, ask()) as stream:
        assert (await stream.get_final_message()).stop_reason == reason


async def test_a_refusal_says_its_category_and_a_stop_sequence_which_one(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    details = {"type": "refusal", "category": "cyber", "explanation": "No."}
    playground.script.add(
        Turn("Some words", stop_reason="refusal", stop_details=details),
        Turn("Some words", stop_reason="stop_sequence", stop_sequence="END"),
    )
    async with streamed(claude, ask()) as stream:
        refused = await stream.get_final_message()
    async with streamed(claude, ask()) as stream:
        stopped = await stream.get_final_message()
    assert refused.stop_details is not None
    assert refused.stop_details.category == "cyber"
    assert stopped.stop_sequence == "END"


async def test_events_deltas_and_blocks_of_next_year_reach_the_app(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    """The SDK passes unknown events, deltas and blocks on; an app must dispatch on `.type`."""
    citation = {"type": "page_location", "cited_text": "so", "document_index": 0}
    playground.script.add(
        Turn(
            parts=[
                Block({"type": "future_block", "text": ""}, [{"type": "future_delta", "x": 1}]),
                Event("future_event", {"type": "future_event"}),
                Block(
                    {"type": "text", "text": "As written."},
                    [{"type": "citations_delta", "citation": citation}],
                ),
            ]
        )
    )
    async with streamed(claude, ask()) as stream:
        events: list[Any] = [event async for event in stream]
        message = await stream.get_final_message()
    kinds = [event.type for event in events]
    assert "future_event" in kinds
    assert "citation" in kinds
    assert [block.type for block in message.content] == ["future_block", "text"]


async def test_without_streaming_the_same_turn_comes_as_one_message(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    playground.script.add(Turn(parts=[Text("Moment."), ToolCall("look_up", {"word": "x"})]))
    message = await answered(claude, ask(tools=[tool()]))
    words, call = message.content
    assert words.type == "text"
    assert call.type == "tool_use"
    assert call.input == {"word": "x"}
    assert message.stop_reason == "tool_use"
    assert message.usage.output_tokens > 1


async def test_a_gate_holds_the_stream_exactly_where_it_stands(playground: ClaudePlayground, claude: AsyncAnthropic):
    """The seventh character is not sent before the test says so, whatever the chunks are."""
    opened = asyncio.Event()
    playground.script.add(Turn("Hello world", gates=[Gate(6, opened)], pace=Pace(chunk=4)))
    async with streamed(claude, ask()) as stream:
        words = ""
        async for event in stream:
            if event.type == "text":
                words = event.snapshot
            if words == "Hello " and not opened.is_set():
                assert playground.requests[0].sent == 6
                opened.set()
    assert opened.is_set()
    assert words == "Hello world"


async def test_a_gate_holds_an_answer_that_is_not_streamed(playground: ClaudePlayground, claude: AsyncAnthropic):
    opened = asyncio.Event()
    playground.script.add(Turn("Hello", gates=[Gate(3, opened)]))
    asking = asyncio.create_task(answered(claude, ask()))
    exchange = await playground.arrival(1)
    assert not exchange.ended.is_set()
    opened.set()
    await asking
    assert exchange.outcome == "answered"


async def test_pause_turn_goes_on_when_its_content_is_sent_back_unchanged(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    """`pause_turn`: the one case in which the assistant may have the last word."""
    playground.script.add(Turn("Searching", stop_reason="pause_turn"), Turn("Found."), Turn("Yes."))
    paused = await answered(claude, ask())
    content = [block.to_dict() for block in paused.content]
    resumed = ask("Hello", content)
    found = await answered(claude, resumed)
    followed = ask("Hello", content)
    followed["messages"] += [
        {"role": "assistant", "content": [block.to_dict() for block in found.content]},
        {"role": "user", "content": "Sure?"},
    ]
    answer = await answered(claude, followed)
    assert answer.content[0].to_dict() == {"type": "text", "text": "Yes."}
