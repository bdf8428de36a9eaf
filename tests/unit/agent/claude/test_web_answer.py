"""What the server tools of a search bring: its words, the pages that they cite, and what is left out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.claude.web_answer import (
    MOST_SOURCES,
    WebAnswer,
    WebSettings,
    WebSource,
    build_search_request,
    read_answer,
)

SETTINGS = WebSettings(model="claude-sonnet-5-5", uses=3)
ASKED: list[dict[str, Any]] = [{"role": "user", "content": [{"type": "text", "text": "How much?"}]}]


def page(name: str, title: str = "A page") -> dict[str, Any]:
    url = name if ":" in name else f"https://{name}.example.org/x"
    return {"type": "web_search_result", "url": url, "title": title, "encrypted_content": "e", "page_age": None}


def found(*pages: dict[str, Any]) -> dict[str, Any]:
    return {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": list(pages)}


def opened(url: str) -> dict[str, Any]:
    content = {"type": "web_fetch_result", "url": url, "content": {"type": "document"}}
    return {"type": "web_fetch_tool_result", "tool_use_id": "srvtoolu_2", "content": content}


def failed(code: str, kind: str = "web_search") -> dict[str, Any]:
    content = {"type": f"{kind}_tool_result_error", "error_code": code}
    return {"type": f"{kind}_tool_result", "tool_use_id": "srvtoolu_3", "content": content}


def says(text: str, *cites: dict[str, Any]) -> dict[str, Any]:
    return {"type": "text", "text": text, "citations": list(cites) or None}


def cites(url: str, title: str = "A page") -> dict[str, Any]:
    return {"type": "web_search_result_location", "cited_text": "x", "url": url, "title": title}


def in_document(place: Any, title: str | None = "Opened") -> dict[str, Any]:
    return {"type": "char_location", "cited_text": "x", "document_index": place, "document_title": title}


def read(*blocks: dict[str, Any], settings: WebSettings = SETTINGS) -> WebAnswer:
    return read_answer(settings, blocks)


A, B = "https://a.example.org/x", "https://b.example.org/x"


@pytest.mark.req("IN-08")
def test_words_carry_the_numbers_of_the_pages_that_they_cite_each_page_once() -> None:
    blocks = [says("I look."), found(page("a"), page("b")), says("Dear", cites(B, "Bee")), says(". "), says("Yes")]
    answer = read(*blocks, says("!", cites(A, "Ay"), cites(B), cites(B)))
    assert answer.text == "Dear [1]. Yes! [2] [1]"
    assert answer.sources == (WebSource(title="Bee", url=B), WebSource(title="Ay", url=A))
    assert answer.faults == ()


def test_a_search_that_was_begun_and_never_answered_is_no_words_of_the_answer() -> None:
    begun = {"type": "server_tool_use", "id": "srvtoolu_9", "name": "web_search", "input": {"query": "x"}}
    answer = read(found(page("a")), says("So far", cites(A)), begun, {"type": "thinking", "thinking": "hm"})
    assert (answer.text, [source.url for source in answer.sources]) == ("So far [1]", [A])


@pytest.mark.req("IN-08")
def test_an_opened_page_is_cited_by_its_place_among_those_that_were_opened() -> None:
    blocks = [found(page("a")), opened(A), failed("url_not_accessible", "web_fetch"), opened(B)]
    answer = read(*blocks, says("So", in_document(1), in_document(0, None), in_document(2), in_document("no")))
    assert answer.text == "So [1] [2]"
    assert answer.sources == (WebSource(title="Opened", url=B), WebSource(title="", url=A))
    assert answer.faults == ("url_not_accessible",)


@pytest.mark.req("IN-08")
def test_what_was_found_stands_in_for_citations_and_each_error_is_told_once() -> None:
    answer = read(failed("unavailable"), failed("unavailable"), found(page("a", "Ay"), page("b"), page("a", "Ay")))
    assert answer == WebAnswer(
        text="",
        sources=(WebSource(title="Ay", url=A), WebSource(title="A page", url=B)),
        faults=("unavailable",),
    )


@pytest.mark.req("IN-08")
def test_a_page_outside_of_the_domains_or_with_an_unsafe_address_is_no_source() -> None:
    blocks = [found(page("a"), page("javascript:alert(1)")), says("So", cites(A), cites(B), cites("javascript:x"))]
    assert [each.url for each in read(*blocks).sources] == [A, B]
    only = WebSettings(allowed=("b.example.org",))
    assert [each.url for each in read(*blocks, settings=only).sources] == [B]
    never = WebSettings(denied=("example.org",))
    assert read(*blocks, settings=never).sources == ()
    assert read(found(page("javascript:alert(1)"))).sources == ()


@pytest.mark.req("IN-08")
@given(st.integers(0, 30), st.integers(0, 30))
def test_an_answer_has_a_bounded_number_of_sources_and_no_number_without_one(pages: int, cited: int) -> None:
    urls = [f"https://p{number}.example.org/x" for number in range(max(pages, cited))]
    answer = read(found(*(page(url) for url in urls[:pages])), *(says("w", cites(url)) for url in urls[:cited]))
    assert len(answer.sources) == min(cited or pages, MOST_SOURCES)
    numbers = [int(each.rstrip("]w")) for each in answer.text.split(" [")[1:]]
    assert numbers == list(range(1, min(cited, MOST_SOURCES) + 1))


@pytest.mark.req("IN-08")
def test_a_request_offers_only_the_web_within_bounds_and_code_cannot_call_it() -> None:
    request = build_search_request(WebSettings(model="m", max_tokens=9, uses=3, denied=("evil.example",)), ASKED)
    assert (request.model, request.max_tokens, request.messages, request.forced) == ("m", 9, ASKED, "")
    assert [tool["name"] for tool in request.tools] == ["web_search", "web_fetch"]
    for tool in request.tools:
        assert (tool["max_uses"], tool["allowed_callers"]) == (3, ["direct"])
        assert (tool.get("allowed_domains"), tool["blocked_domains"]) == (None, ["evil.example"])
    assert request.tools[1]["url_sources"] == {
        "user_input": {"type": "none"},
        "client_tool_results": {"type": "none"},
        "server_tool_results": {"type": "only", "tools": [{"type": "tool_reference", "name": "web_search"}]},
    }


@pytest.mark.req("IN-08")
def test_where_only_some_domains_are_allowed_both_tools_are_bound_to_them() -> None:
    request = build_search_request(WebSettings(model="m", allowed=("a.example", "b.example")), ASKED)
    for tool in request.tools:
        assert (tool["allowed_domains"], tool.get("blocked_domains")) == (["a.example", "b.example"], None)
