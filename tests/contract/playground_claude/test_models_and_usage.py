"""The model list, token counting, and what an answer is billed for."""

import anthropic
import pytest
from anthropic import AsyncAnthropic

from app.playground.claude import ClaudePlayground, Text, Thinking, Turn
from tests.contract.playground_claude.asking import OLD_HAIKU, OPUS, SONNET, Json, answered, ask, streamed


async def test_a_model_tells_its_limits_and_what_thinking_it_accepts(claude: AsyncAnthropic):
    sonnet = await claude.models.retrieve(SONNET)
    assert (sonnet.max_input_tokens, sonnet.max_tokens) == (1_000_000, 128_000)
    assert sonnet.lifecycle == "active"
    assert sonnet.capabilities is not None
    types = sonnet.capabilities.thinking.types
    assert (types.between_tools.supported, types.disabled.supported) == (True, False)
    old = await claude.models.retrieve(OLD_HAIKU)
    assert (old.max_input_tokens, old.max_tokens) == (200_000, 64_000)


async def test_the_list_has_every_model_once(claude: AsyncAnthropic):
    listed = [model.id async for model in claude.models.list()]
    assert {SONNET, OPUS, OLD_HAIKU, "claude-haiku-5-5", "claude-fable-5-1"} == set(listed)
    assert len(listed) == 5


async def test_an_unknown_model_is_not_found(claude: AsyncAnthropic):
    with pytest.raises(anthropic.NotFoundError, match="model: claude-2"):
        await claude.models.retrieve("claude-2")


async def test_counting_needs_no_turn_and_agrees_with_the_bill(playground: ClaudePlayground, claude: AsyncAnthropic):
    counted = await claude.messages.count_tokens(model=SONNET, messages=ask("Hello " * 100)["messages"])
    playground.script.add(Turn("Hi"))
    message = await answered(claude, ask("Hello " * 100))
    assert counted.input_tokens == message.usage.input_tokens
    assert counted.input_tokens >= 150


async def test_counting_is_held_to_the_rules_of_prompts(claude: AsyncAnthropic):
    with pytest.raises(anthropic.BadRequestError, match="must be non-empty"):
        await claude.messages.count_tokens(model=SONNET, messages=ask(" ")["messages"])


async def test_output_is_cumulative_and_replaces_the_one_token_of_the_start(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    """`message_start` says about 1; `message_delta` is cumulative and overwrites it."""
    playground.script.add(Turn(parts=[Thinking("x" * 40), Text("y" * 400)]))
    async with streamed(claude, ask()) as stream:
        usages = [e.message.usage.output_tokens async for e in stream if e.type == "message_start"]
        final = (await stream.get_final_message()).usage
    assert usages == [1]
    assert final.output_tokens == 111
    assert final.output_tokens_details is not None
    assert final.output_tokens_details.thinking_tokens == 11


async def cached(playground: ClaudePlayground, claude: AsyncAnthropic, params: Json) -> tuple[int, int, int]:
    playground.script.add(Turn("Hi"))
    usage = (await answered(claude, params)).usage
    return usage.input_tokens, usage.cache_creation_input_tokens or 0, usage.cache_read_input_tokens or 0


async def test_an_unchanged_beginning_is_read_from_the_cache(playground: ClaudePlayground, claude: AsyncAnthropic):
    """Prefix match: the second turn reads what the first one wrote, and writes only what is new."""
    marked = {"system": "Rules. " * 200, "cache_control": {"type": "ephemeral"}}
    first = await cached(playground, claude, ask("One", **marked))
    second = await cached(playground, claude, ask("One", "Hi", "Two", **marked))
    assert first[2] == 0
    assert first[1] > 300
    assert second[2] == first[1]
    assert 0 < second[1] < 50


async def test_a_changed_system_prompt_reads_nothing(playground: ClaudePlayground, claude: AsyncAnthropic):
    marker = {"cache_control": {"type": "ephemeral"}}
    await cached(playground, claude, ask("One", system="Rules. " * 200, **marker))
    assert (await cached(playground, claude, ask("One", system="Laws. " * 200, **marker)))[2] == 0


async def test_only_what_is_marked_is_cached(playground: ClaudePlayground, claude: AsyncAnthropic):
    system = [{"type": "text", "text": "Rules. " * 200, "cache_control": {"type": "ephemeral"}}]
    plain, written, _ = await cached(playground, claude, ask("Hello " * 100, system=system))
    assert plain > 100
    assert written > 300
    message = [{"type": "text", "text": "One", "cache_control": {"type": "ephemeral"}}]
    assert (await cached(playground, claude, ask(message, "Hi", "Two" * 50)))[0] > 20
    assert (await cached(playground, claude, ask("Hello " * 100, system="Rules. " * 200)))[1:] == (0, 0)
