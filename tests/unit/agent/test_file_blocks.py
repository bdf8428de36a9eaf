"""Files as the API gets them: which go as they are, which as their words, what they cost, and how many fit."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest

from app.agent.attachments import (
    CHARS_PER_TOKEN,
    CUT,
    DOCUMENT,
    IMAGE_TOKENS,
    PAGE_TOKENS,
    PICTURE,
    build_blocks,
    estimate_tokens,
)
from app.core.conversation.conversation import Turn
from app.core.errors import FetchFault, OutOfReach
from app.core.file_content import FileContent, FileKind
from tests.unit.agent.test_attachments import WINDOW, Reader, sent

ROOMY = 100_000
IMAGE = FileContent(kind=FileKind.IMAGE, media_type="image/png", title="plan", data=b"\x89PNG")
PDF = FileContent(
    kind=FileKind.PDF, media_type="application/pdf", title="offer", text="Offer " * 20, pages=("a", "b"), data=b"%PDF"
)
TEXT = FileContent(kind=FileKind.TEXT, media_type="text/plain", title="memo", text="Hello", data=b"Hello")
NEEDED = len(PDF.text) // CHARS_PER_TOKEN + 2 * PAGE_TOKENS


CITED = {"citations": {"enabled": True}, "title": "x"}


@pytest.mark.req("IN-02")
@pytest.mark.parametrize(
    ("content", "kind", "said", "cited"), [(IMAGE, "image", PICTURE, {}), (PDF, "document", DOCUMENT, CITED)]
)
def test_a_picture_and_a_short_pdf_go_to_the_model_as_they_are(
    content: FileContent, kind: str, said: str, cited: dict[str, object]
) -> None:
    named, source = build_blocks("x", content, ROOMY, 2)
    assert said in named["text"]
    data = base64.b64encode(content.data).decode()
    assert source == {
        "type": kind,
        "source": {"type": "base64", "media_type": content.media_type, "data": data},
        **cited,
    }


@pytest.mark.req("IN-02")
@pytest.mark.parametrize(
    ("content", "tokens", "pages"),
    [(PDF, ROOMY, 1), (PDF, NEEDED - 1, 2), (replace(PDF, data=b""), ROOMY, 2), (TEXT, ROOMY, 2)],
)
def test_of_a_longer_pdf_and_of_any_other_file_the_words_go(content: FileContent, tokens: int, pages: int) -> None:
    (block,) = build_blocks("x", content, tokens, pages)
    assert content.text.strip() in block["text"]
    assert len(build_blocks("x", PDF, NEEDED, 2)) == 2, "with just enough room it goes as it is"


@pytest.mark.req("IN-02")
def test_words_that_do_not_fit_are_cut_and_the_model_is_told_so_and_what_was_left_out_by_the_reader() -> None:
    most = 10 * CHARS_PER_TOKEN
    (whole,) = build_blocks("x", replace(TEXT, text="a" * most), 10, 2)
    (cut,) = build_blocks("x", replace(TEXT, text="a" * most + "b", left_out="the comments"), 10, 2)
    assert CUT not in whole["text"]
    assert CUT in cut["text"]
    assert "b" not in cut["text"].partition(CUT)[0].partition("a" * most)[2]
    assert "without the comments" in cut["text"]


@pytest.mark.req("IN-06")
def test_what_a_file_costs_is_counted_with_its_pictures_and_pages() -> None:
    words = [{"type": "text", "text": "a" * CHARS_PER_TOKEN * 3}]
    assert estimate_tokens(words, TEXT) == 3
    assert estimate_tokens([*words, {"type": "image"}], IMAGE) == 3 + IMAGE_TOKENS
    assert estimate_tokens([*words, {"type": "document"}], PDF) == 3 + NEEDED


@pytest.mark.req("IN-02")
async def test_one_file_takes_a_share_of_the_window_and_all_that_are_read_together_two() -> None:
    big = b"q" * WINDOW * CHARS_PER_TOKEN
    at = Reader(big, big.replace(b"q", b"y"), big.replace(b"q", b"z"))
    first, second, third = sent(await at.attachments.read(await at.begins(), at.rows, WINDOW))
    share = WINDOW // 4 * CHARS_PER_TOKEN
    assert first.count("q") == share
    assert share - 1_000 < second.count("y") <= share
    assert third.count("z") < 100


@pytest.mark.req("IN-04")
async def test_in_a_turn_that_has_begun_no_round_yet_what_slack_did_not_give_is_fetched_again() -> None:
    at = Reader(FetchFault.UNAVAILABLE)
    now = await at.begins()
    await at.attachments.read(now, at.rows, WINDOW)
    at.source.holds["F1"] = b"Berlin 1200"
    begun = replace(now, turn=Turn(id="9.1", reply=9))
    assert (await at.attachments.read(begun, at.rows, WINDOW)).is_renewed


async def test_a_file_is_known_by_the_name_that_it_has_now_and_one_that_is_hidden_by_that_which_it_had() -> None:
    at = Reader(b"Berlin 1200", FetchFault.HIDDEN)
    now = await at.begins()
    old = replace(now.files[0], name="old.csv")
    assert (await at.attachments.read_again(old)).name == "F1.csv"
    with pytest.raises(OutOfReach, match=r"`F2\.csv`"):
        await at.attachments.read_again(now.files[1])
