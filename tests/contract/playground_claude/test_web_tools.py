"""The server tools for the web, as the real SDK sees them: their blocks, their bounds, and what is sent back."""

from typing import Any

import anthropic
import pytest
from anthropic import AsyncAnthropic
from anthropic.types import Message

from app.playground.claude import Cited, ClaudePlayground, Page, Text, Turn, WebFetch, WebSearch
from tests.contract.playground_claude.asking import answered, ask, streamed

ONE, TWO = Page("https://one.example.org/x", "One", "First words."), Page("https://two.example.com/y", "Two", "Second.")
LONG = Page(f"https://one.example.org/{'x' * 300}")


def offering(*said: Any, search: dict[str, Any] | None = None, fetch: dict[str, Any] | None = None) -> dict[str, Any]:
    tools = [
        {"type": "web_search_20260318", "name": "web_search", **(search or {})},
        {"type": "web_fetch_20260318", "name": "web_fetch", **(fetch or {})},
    ]
    return ask(*said, tools=tools)


def errors(message: Message) -> list[str]:
    contents: list[Any] = [block.to_dict().get("content") for block in message.content]
    return [each["error_code"] for each in contents if isinstance(each, dict) and "error_code" in each]


async def test_a_search_and_an_opened_page_stream_as_they_are_sent_whole(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    parts = [WebSearch("what", (ONE, TWO)), WebFetch(ONE), Cited("So.", (ONE, TWO)), Text(" Yes.")]
    playground.script.add(Turn(parts=parts), Turn(parts=parts))
    async with streamed(claude, offering()) as stream:
        message = await stream.get_final_message()
    whole = await answered(claude, offering())
    assert [block.type for block in message.content] == [block.type for block in whole.content]
    blocks: list[dict[str, Any]] = [block.to_dict() for block in message.content]
    use, found, _, opened, cited, _ = blocks
    assert (use["name"], use["input"], use["id"][:9]) == ("web_search", {"query": "what"}, "srvtoolu_")
    assert [each["url"] for each in found["content"]] == [ONE.url, TWO.url]
    assert found["tool_use_id"] == use["id"]
    assert opened["content"]["url"] == ONE.url  # type: ignore[index]
    page, location = cited["citations"]  # type: ignore[misc]
    assert (page["type"], page["document_index"], page["cited_text"]) == ("char_location", 0, "First words.")
    assert (location["type"], location["url"]) == ("web_search_result_location", TWO.url)
    for each in (message, whole):
        assert each.usage.server_tool_use is not None
        assert (each.usage.server_tool_use.web_search_requests, each.usage.server_tool_use.web_fetch_requests) == (1, 1)


async def test_what_was_received_may_be_sent_back_and_opened_pages_are_counted_on(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    playground.script.add(
        Turn(parts=[WebSearch("what", (ONE, TWO)), WebFetch(ONE), Cited("So.", (ONE,))]),
        Turn(parts=[WebFetch(TWO), Cited("And so.", (TWO,))]),
    )
    first = await answered(claude, offering())
    second = await answered(claude, offering("Hello", [block.to_dict() for block in first.content], "More?"))
    cited = second.content[-1].to_dict()
    assert cited["citations"][0]["document_index"] == 1  # type: ignore[index]


async def test_a_paused_search_may_still_be_under_way_when_it_is_sent_back(
    playground: ClaudePlayground, claude: AsyncAnthropic
):
    playground.script.add(
        Turn(parts=[Text("I look."), WebSearch("what", (ONE,))], stop_reason="pause_turn"), Turn("Found.")
    )
    paused = await answered(claude, offering())
    assert (await answered(claude, offering("Hello", [block.to_dict() for block in paused.content]))).content


@pytest.mark.parametrize(
    ("search", "fetch", "parts", "codes"),
    [
        ({"max_uses": 1}, {}, [WebSearch("a", (ONE,)), WebSearch("b", (ONE,))], ["max_uses_exceeded"]),
        ({}, {"max_uses": 1}, [WebSearch("a", (ONE,)), WebFetch(ONE), WebFetch(ONE)], ["max_uses_exceeded"]),
        ({}, {"allowed_domains": ["example.com"]}, [WebSearch("a", (ONE,)), WebFetch(ONE)], ["url_not_allowed"]),
        ({}, {"blocked_domains": ["example.org"]}, [WebSearch("a", (ONE,)), WebFetch(ONE)], ["url_not_allowed"]),
        ({}, {}, [WebFetch(ONE)], ["url_not_in_prior_context"]),
        ({}, {}, [WebSearch("a", (LONG,)), WebFetch(LONG)], ["url_too_long"]),
        ({}, {}, [WebSearch("a", error="unavailable"), WebFetch(TWO, error="unavailable")], 2 * ["unavailable"]),
        (
            {},
            {"url_sources": {"server_tool_results": {"type": "none"}}},
            [WebSearch("a", (ONE,)), WebFetch(ONE)],
            ["url_not_in_prior_context"],
        ),
    ],
    ids=["searches", "pages", "allowed", "blocked", "unknown", "long", "scripted", "no results"],
)
async def test_a_use_beyond_the_bounds_is_an_error_and_is_not_billed(
    playground: ClaudePlayground,
    claude: AsyncAnthropic,
    search: dict[str, Any],
    fetch: dict[str, Any],
    parts: list[Any],
    codes: list[str],
):
    if codes == 2 * ["unavailable"]:
        parts = [WebSearch("a", (TWO,)), *parts]
    playground.script.add(Turn(parts=[*parts, Text("So.")]))
    message = await answered(claude, offering(search=search, fetch=fetch))
    assert errors(message) == codes
    usage = message.usage.server_tool_use
    billed = (usage.web_search_requests + usage.web_fetch_requests) if usage else 0
    assert billed == len(parts) - len(codes)


async def test_a_search_leaves_out_what_its_domains_do_not_allow(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn(parts=[WebSearch("a", (ONE, TWO))]))
    message = await answered(claude, offering(search={"allowed_domains": ["example.com"]}))
    assert [each["url"] for each in message.content[1].to_dict()["content"]] == [TWO.url]  # type: ignore[index,union-attr]


@pytest.mark.parametrize(("source", "opens"), [({"type": "all"}, True), ({"type": "none"}, False)])
async def test_an_address_of_the_person_is_opened_unless_the_request_forbids_it(
    playground: ClaudePlayground, claude: AsyncAnthropic, source: dict[str, str], opens: bool
):
    playground.script.add(Turn(parts=[WebFetch(ONE)]))
    asked = offering(f"Read {ONE.url} please", fetch={"url_sources": {"user_input": source}})
    assert (errors(await answered(claude, asked)) == []) is opens


async def test_a_turn_cannot_use_what_is_not_offered(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.add(Turn(parts=[WebSearch("a", (ONE,))]))
    with pytest.raises(anthropic.BadRequestError, match="does not offer"):
        await answered(claude, ask())
