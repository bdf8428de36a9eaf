"""Pages and previews of whole documents, held to what an independent judge of Markdown and Slack's own limits say."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.core.text.safe_stream import preview_pages, split_pages
from app.playground.slack.blocks.blocks import check_blocks
from tests.properties import limit_examples
from tests.unit.documents import DOCUMENTS, FENCED, SOUP, ends_outside_of_code, is_within, raw_words, seen, words

MARKUP = set("*_~[]|`#")
SLOWLY = limit_examples(20)


def cuts(text: str, data: st.DataObject) -> Iterable[int]:
    """All places in a short text, some in a long one."""
    return range(len(text)) if len(text) < 150 else sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))


@SLOWLY
@given(DOCUMENTS | SOUP, st.data())
def test_the_words_that_people_see_only_ever_grow(text: str, data: st.DataObject) -> None:
    seen_so_far = [words("\n\n".join(preview_pages(text[:cut]))) for cut in cuts(text, data)]
    for earlier, later in pairwise(seen_so_far):
        assert later.startswith(earlier)


@SLOWLY
@given(DOCUMENTS, st.data())
def test_all_words_are_there_in_the_end(text: str, data: st.DataObject) -> None:
    complete = words("\n\n".join(split_pages(text)))
    assert is_within(words(text), complete)
    assert all(complete.startswith(words("\n\n".join(preview_pages(text[:cut])))) for cut in cuts(text, data))


@SLOWLY
@given(DOCUMENTS, st.data())
def test_no_raw_markup_is_seen_in_a_preview(text: str, data: st.DataObject) -> None:
    for cut in cuts(text, data):
        assert not any(MARKUP & set(seen(page)) for page in preview_pages(text[:cut]))


@SLOWLY
@given(DOCUMENTS)
def test_no_markup_is_broken_between_pages(text: str) -> None:
    assert not any(MARKUP & set(seen(page)) for page in split_pages(text))


@SLOWLY
@given(DOCUMENTS | SOUP, st.data())
def test_every_page_is_a_message_that_slack_takes(text: str, data: st.DataObject) -> None:
    for page in (
        page
        for cut in [*cuts(text, data), len(text)]
        for page in (*preview_pages(text[:cut]), *split_pages(text[:cut]))
    ):
        assert len(page) <= 3_900
        check_blocks([{"type": "markdown", "text": page}])
        assert ends_outside_of_code(page)


@SLOWLY
@given(DOCUMENTS | SOUP, st.data())
def test_a_full_page_never_changes(text: str, data: st.DataObject) -> None:
    complete = split_pages(text)
    for cut in cuts(text, data):
        shown = preview_pages(text[:cut])
        assert shown[:-1] == complete[: max(len(shown) - 1, 0)]


@SLOWLY
@given(SOUP | FENCED)
def test_nothing_is_lost_of_a_text_that_is_no_good_markdown(text: str) -> None:
    assert is_within(raw_words(text), raw_words("".join(split_pages(text))))


@SLOWLY
@given(FENCED, st.data())
def test_a_full_page_never_changes_however_its_code_begins(text: str, data: st.DataObject) -> None:
    complete = split_pages(text)
    assert all(len(page) <= 3_900 for page in complete)
    for cut in cuts(text, data):
        shown = preview_pages(text[:cut])
        assert shown[:-1] == complete[: max(len(shown) - 1, 0)]
