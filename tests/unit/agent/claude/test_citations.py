"""Citations of documents: words of the answer that name the document and its pages."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.claude.received import ReceivedMessage, append_pages, name_pages
from app.ports import TextDelta
from tests.unit.agent.claude.test_received import START, begun, piece

END = {"type": "content_block_stop", "index": 0}


def page(first: int, last: int = 0, title: str | None = "offer.pdf") -> dict[str, Any]:
    return {
        "type": "page_location",
        "cited_text": "some words",
        "document_index": 0,
        "document_title": title,
        "start_page_number": first,
        "end_page_number": (last or first) + 1,
    }


@pytest.mark.req("IN-02")
@pytest.mark.parametrize(
    ("citations", "places"),
    [
        ([], ""),
        ([page(3)], "offer.pdf, page 3"),
        ([page(3), page(3)], "offer.pdf, page 3"),
        ([page(2, 4), page(9)], "offer.pdf, pages 2 to 4; offer.pdf, page 9"),
        ([page(1), page(1, title="plan.pdf")], "offer.pdf, page 1; plan.pdf, page 1"),
        ([page(1, title=None)], "page 1"),
        ([page(1, title="*my*_[offer_2](x)\u202e.pdf")], "my _ offer_2 (x).pdf, page 1"),
        ([{"type": "char_location", "document_title": "notes.txt"}], ""),
    ],
)
def test_a_citation_names_its_document_and_pages_once(citations: list[dict[str, Any]], places: str) -> None:
    assert name_pages(citations) == places


@pytest.mark.req("IN-02")
@given(st.text(max_size=30), st.sampled_from(["", "offer.pdf, page 3"]))
def test_the_pages_stand_behind_the_words_and_white_space_stays_at_the_end(text: str, places: str) -> None:
    whole = text + append_pages(text, places)
    assert whole.startswith(text)
    assert places in whole
    assert append_pages(whole, places) == "", "a model that names the page itself is not made to repeat it"


def test_a_line_goes_on_and_a_paragraph_stays_one() -> None:
    assert append_pages("It costs 12.", "page 3") == " (page 3)"
    assert append_pages("It costs 12.\n\n", "page 3") == "(page 3)\n\n"


@pytest.mark.req("IN-02")
def test_an_answer_from_a_document_ends_its_words_with_the_page_and_sends_no_citation_again() -> None:
    message = ReceivedMessage("req_1", names_pages=True)
    words = piece({"type": "text_delta", "text": "It costs 12."})
    cited = piece({"type": "citations_delta", "citation": page(3)})
    events = (START, begun({"type": "text", "text": "", "citations": []}), words, cited, END)
    told = [message.add(each) for each in events]
    assert told[-1] == TextDelta(text=" (offer.pdf, page 3)")
    assert message.list_content() == [{"type": "text", "text": "It costs 12. (offer.pdf, page 3)"}]


@pytest.mark.parametrize(
    "block",
    [{"type": "text", "text": "Hello", "citations": None}, {"type": "thinking", "thinking": "hm", "signature": "s"}],
)
def test_what_cites_nothing_stays_as_it_is(block: dict[str, Any]) -> None:
    message = ReceivedMessage("req_1", names_pages=True)
    told = [message.add(each) for each in (START, begun(block), END)]
    assert told[-1] is None
    assert message.list_content() == [{name: each for name, each in block.items() if name != "citations"}]
