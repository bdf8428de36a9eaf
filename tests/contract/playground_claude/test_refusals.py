"""Every rule of the API that the playground keeps, broken by the real SDK."""

from typing import Any

import anthropic
import pytest
from anthropic import AsyncAnthropic

from app.playground.claude import ClaudePlayground, Turn
from tests.contract.playground_claude.asking import OLD_HAIKU, answered, ask, result, streamed, text, tool, used
from tests.contract.playground_claude.refused_requests import PAGE, PIXEL, REFUSED, STRICT, Refused, media, optional


@pytest.mark.parametrize("refused", REFUSED, ids=[case.claim for case in REFUSED])
async def test_it_is_refused(playground: ClaudePlayground, claude: AsyncAnthropic, refused: Refused):
    playground.script.add(Turn("An answer to everything."))
    with pytest.raises(anthropic.APIStatusError) as raised:
        await answered(claude, refused.params)
    assert raised.value.status_code == refused.status
    assert refused.says in raised.value.message
    assert raised.value.request_id is not None
    assert len(playground.script.pending) == 1, "a refused request takes no turn from the script"
    assert playground.requests[0].outcome == "refused"


ACCEPTED = {
    "pictures_and_documents_beside_words": ask(
        [media("image", "image/png", PIXEL), media("document", "application/pdf", PAGE), text("What is it?")]
    ),
    "an_old_model_lets_a_tool_be_forced": ask(
        model=OLD_HAIKU, tools=[tool()], tool_choice={"type": "tool", "name": "look_up"}
    ),
    "calls_answered_first_then_words": ask(
        "Hi",
        [text("Wait."), used("toolu_1"), used("toolu_2")],
        [result("toolu_2"), result("toolu_1"), text("And now?")],
    ),
    "sonnet_thinks_between_tools": ask(thinking={"type": "between_tools"}, output_config={"effort": "high"}),
    "haiku_5_5_stops_thinking": ask(model="claude-haiku-5-5", thinking={"type": "disabled"}),
    "max_tokens_up_to_the_model_s": ask(max_tokens=128_000),
    "a_server_tool_needs_no_schema": ask(tools=[{"type": "web_search_20260318", "name": "web_search"}]),
    "strict_tools_have_up_to_24_optional_parameters": ask(tools=[optional(20), optional(4, name="other")]),
    "what_must_be_there_is_not_optional": ask(
        tools=[
            tool(
                strict=True,
                input_schema={
                    **STRICT,
                    "properties": {f"word_{number}": {"type": "string"} for number in range(30)},
                    "required": [f"word_{number}" for number in range(30)],
                },
            )
        ]
    ),
    "a_strict_schema_within_the_subset": ask(
        tools=[
            tool(
                strict=True,
                input_schema={
                    **STRICT,
                    "properties": {"minimum": {"type": "array", "minItems": 1}},
                },
            )
        ]
    ),
}


@pytest.mark.parametrize("params", ACCEPTED.values(), ids=ACCEPTED.keys())
async def test_what_the_api_accepts_is_not_refused(
    playground: ClaudePlayground, claude: AsyncAnthropic, params: dict[str, Any]
):
    playground.script.add(Turn("Fine."))
    async with streamed(claude, params) as stream:
        assert await stream.get_final_text() == "Fine."
    assert playground.requests[0].outcome == "answered"


async def test_a_wrong_key_is_401(playground: ClaudePlayground):
    async with AsyncAnthropic(api_key="wrong", base_url=playground.url, max_retries=0) as claude:
        with pytest.raises(anthropic.AuthenticationError):
            await answered(claude, ask())


async def test_a_body_over_32_megabytes_is_413(playground: ClaudePlayground, claude: AsyncAnthropic):
    """The SDK hears the refusal, although it was still sending."""
    with pytest.raises(anthropic.APIStatusError) as raised:
        await answered(claude, ask("x" * (32 * 1024 * 1024)))
    assert raised.value.status_code == 413
    assert raised.value.type == "request_too_large"
    assert len(playground.requests) == 0
