"""How a request finds its turn, and what the playground remembers of it."""

import json
from pathlib import Path

import anthropic
import pytest
from anthropic import AsyncAnthropic

from app.playground.claude import ClaudeOptions, ClaudePlayground, Prompt, Text, ToolCall, Turn
from tests.contract.playground_claude.asking import Json, answered, ask, result, tool


def said(message: anthropic.types.Message) -> str:
    return "".join(block.text for block in message.content if block.type == "text")


async def test_turns_are_said_in_the_order_they_were_added(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn("One"), Turn("Two"))
    assert [said(await answered(claude, ask())) for _ in range(2)] == ["One", "Two"]


async def test_a_turn_waits_for_the_words_it_answers(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(
        Turn("About cats", when="cats"),
        Turn("With tools", when=lambda prompt: bool(prompt.tools)),
        Turn("Anything"),
    )
    assert said(await answered(claude, ask("dogs"))) == "Anything"
    assert said(await answered(claude, ask("birds", tools=[tool()]))) == "With tools"
    assert said(await answered(claude, ask("all about cats"))) == "About cats"
    assert playground.script.pending == ()


async def test_a_request_without_a_turn_fails_at_once_and_names_the_words(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    """400 is not retried, whatever the SDK's settings: the test that forgot a turn fails now, not in a minute."""
    playground.script.add(Turn("About cats", when="cats"))
    asked = ask("dogs are what I ask about here and now, please")
    with pytest.raises(anthropic.BadRequestError, match="'dogs are what I ask about here and'"):
        await answered(claude.with_options(max_retries=2), asked)
    assert len(playground.requests) == 1
    assert len(playground.script.pending) == 1


async def test_the_words_before_a_tool_round_still_match_after_it(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn(parts=[ToolCall("look_up")], when="weather"), Turn("Sunny", when="weather"))
    called = await answered(claude, ask("The weather?", tools=[tool()]))
    call = called.content[0]
    assert call.type == "tool_use"
    asked = ask("The weather?", [call.to_dict()], [result(call.id)], tools=[tool()])
    assert said(await answered(claude, asked)) == "Sunny"


async def test_answer_always_answers_what_no_turn_was_added_for(playground: ClaudePlayground, claude: AsyncAnthropic):
    def echo(prompt: Prompt) -> Turn:
        return Turn(f"You said {prompt.last_user_text}")

    playground.script.answer_always(echo)
    playground.script.add(Turn("First"))
    assert [said(await answered(claude, ask("Ho"))) for _ in range(2)] == ["First", "You said Ho"]


def test_a_turn_has_text_or_parts_but_not_both():
    with pytest.raises(ValueError, match="either text or parts"):
        Turn("Hello", parts=[Text("world")])


async def test_an_answer_that_raises_fails_the_request_and_ends_it(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    def broken(prompt: Prompt) -> Turn:
        raise LookupError(prompt.last_user_text)

    playground.script.answer_always(broken)
    with pytest.raises(anthropic.InternalServerError):
        await answered(claude, ask())
    await playground.requests[0].ended.wait()
    assert playground.requests[0].outcome == "failed"


async def test_requests_are_kept_with_body_headers_and_time(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn("Hello"))
    await answered(claude, ask("Hi", system="Be kind."))
    exchange = await playground.arrival(1)
    assert exchange.body["messages"] == [{"role": "user", "content": "Hi"}]
    assert exchange.prompt.system == ({"type": "text", "text": "Be kind."},)
    assert exchange.headers["anthropic-version"] == "2026-10-21"
    assert exchange.at > 0


async def test_a_playground_that_never_started_can_be_stopped():
    await ClaudePlayground().stop()


async def test_the_journal_tells_each_request_and_its_end(tmp_path: Path):
    path = tmp_path / "claude.jsonl"
    server = ClaudePlayground(ClaudeOptions(journal=path))
    server.script.add(Turn("Hello"))
    await server.start()
    async with AsyncAnthropic(api_key=server.api_key, base_url=server.url, max_retries=0) as claude:
        await answered(claude, ask())
        with pytest.raises(anthropic.BadRequestError):
            await answered(claude, ask())
    await server.stop()
    kinds = [entry["kind"] for entry in server.journal.entries]
    assert kinds == ["request", "answered", "request", "refused", "refusal"]
    lines: list[Json] = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["kind"] for line in lines] == kinds
