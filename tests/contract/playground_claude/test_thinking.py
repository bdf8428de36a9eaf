"""Preserved thinking: a returned block is valid only after the very beginning it was made after."""

from typing import Any

import anthropic
import pytest
from anthropic import AsyncAnthropic

from app.playground.claude import ClaudeOptions, ClaudePlayground, Text, Thinking, Turn
from tests.contract.playground_claude.asking import OLD_HAIKU, OPUS, SONNET, Json, answered, ask, result, tool, used

STANDING: Json = {"system": "You facilitate.", "tools": [tool()]}
BOUND = "bound to a different conversation"


@pytest.fixture
async def thought(playground: ClaudePlayground, claude: AsyncAnthropic) -> list[Json]:
    """The content of a first answer that begins with thinking, as the app would store it."""
    playground.script.add(Turn(parts=[Thinking("They greet me."), Text("Hello!")]), Turn("Go on."))
    message = await answered(claude, ask("Hi", **STANDING))
    return [block.to_dict(mode="json") for block in message.content]


async def test_an_append_only_history_is_accepted(claude: AsyncAnthropic, thought: list[Json]):
    message = await answered(claude, ask("Hi", thought, "And?", **STANDING))
    assert message.stop_reason == "end_turn"


async def test_a_cache_marker_inside_a_tool_result_does_not_count_either(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    def found(**marker: Json) -> Json:
        return {**result("toolu_1"), "content": [{"type": "text", "text": "42", **marker}]}

    playground.script.add(Turn(parts=[Thinking("Hm."), Text("It is 42.")]), Turn("Go on."))
    before = ("Hi", [used("toolu_1")])
    message = await answered(claude, ask(*before, [found(cache_control={"type": "ephemeral"})], **STANDING))
    content = [block.to_dict(mode="json") for block in message.content]
    assert await answered(claude, ask(*before, [found()], content, "And?", **STANDING))


async def test_a_cache_marker_does_not_count_as_a_change(claude: AsyncAnthropic, thought: list[Json]):
    marked = {"type": "text", "text": "Hi", "cache_control": {"type": "ephemeral"}}
    assert await answered(claude, ask([marked], thought, "And?", **STANDING))


@pytest.mark.parametrize(
    ("said", "changes"),
    [
        pytest.param("Hi", {"system": "You decide."}, id="another_system"),
        pytest.param("Hi", {"tools": [tool("other")]}, id="another_tool"),
        pytest.param("Hi", {"tools": []}, id="no_tools"),
        pytest.param("Hi!", {}, id="another_first_message"),
    ],
)
async def test_a_changed_beginning_is_refused(claude: AsyncAnthropic, thought: list[Json], said: str, changes: Json):
    """`system`, `tools` and every earlier message are part of what a thinking block is bound to."""
    with pytest.raises(anthropic.BadRequestError, match=BOUND):
        await answered(claude, ask(said, thought, "And?", **{**STANDING, **changes}))


async def test_a_message_slipped_in_before_the_thinking_is_refused(claude: AsyncAnthropic, thought: list[Json]):
    with pytest.raises(anthropic.BadRequestError, match=BOUND):
        await answered(claude, ask("Earlier", "Words", "Hi", thought, "And?", **STANDING))


async def test_altered_thinking_is_refused(claude: AsyncAnthropic, thought: list[Json]):
    altered = [{**thought[0], "thinking": "They insult me."}, *thought[1:]]
    with pytest.raises(anthropic.BadRequestError, match="Invalid `signature`"):
        await answered(claude, ask("Hi", altered, "And?", **STANDING))


@pytest.mark.parametrize("signature", ["", "bm90IG91cnM=", "no base64!"])
async def test_a_signature_that_is_none_is_refused(claude: AsyncAnthropic, thought: list[Json], signature: str):
    forged = [{**thought[0], "signature": signature}, *thought[1:]]
    with pytest.raises(anthropic.BadRequestError, match="Invalid `signature`"):
        await answered(claude, ask("Hi", forged, "And?", **STANDING))


async def test_without_its_thinking_a_history_may_be_rewritten(claude: AsyncAnthropic, thought: list[Json]):
    """A new epoch: the same words without thinking blocks are bound to nothing."""
    assert await answered(claude, ask("Hi there", thought[1:], "And?", system="You decide."))


async def test_another_model_s_thinking_is_dropped_without_a_word(claude: AsyncAnthropic, thought: list[Json]):
    assert await answered(claude, ask("Hi there", thought, "And?", model=OPUS))


async def test_an_old_model_does_not_bind_its_thinking(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn(parts=[Thinking("Hm."), Text("Hello!")]), Turn("Go on."))
    old: dict[str, Any] = {
        "model": OLD_HAIKU,
        "max_tokens": 4000,
        "thinking": {"type": "enabled", "budget_tokens": 2000},
    }
    message = await answered(claude, ask("Hi", **old))
    content = [block.to_dict(mode="json") for block in message.content]
    assert content[0]["type"] == "thinking"
    assert await answered(claude, ask("Changed", content, "And?", **old))


async def test_thinking_outlives_the_server_and_is_bound_to_the_account(thought: list[Json]):
    """Signatures are checked with the account's key, so another process knows them; another account does not."""
    for key, expected in (("sk-ant-playground", None), ("another", "Invalid `signature`")):
        server = ClaudePlayground(ClaudeOptions(api_key=key))
        server.script.add(Turn("Go on."))
        await server.start()
        async with AsyncAnthropic(api_key=key, base_url=server.url, max_retries=0) as claude:
            asked = ask("Hi", thought, "And?", model=SONNET, **STANDING)
            if expected is None:
                assert await answered(claude, asked)
            else:
                with pytest.raises(anthropic.BadRequestError, match=expected):
                    await answered(claude, asked)
        await server.stop()
