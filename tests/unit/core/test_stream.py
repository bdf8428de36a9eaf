"""Pages and previews of a growing answer."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from app.core.stream import BLOCKS_AT, HARD_AT, pages, previews

WORDS = st.lists(st.text("abcdefghij äß", min_size=1, max_size=12), min_size=1, max_size=60).map(" ".join)
LINES = st.one_of(
    WORDS,
    WORDS.map("**{}**".format),
    WORDS.map("# {}".format),
    WORDS.map("- *{}* and `x`".format),
    st.just(""),
    st.just("---"),
    st.just("```python"),
    st.just("```"),
    st.just("| a | b |\n|---|---|\n| 1 | 2 |"),
    WORDS.map("see [{}](https://example.com/a_b)".format),
)
DOCUMENTS = st.lists(LINES, max_size=60).map("\n".join)


def visible(text: str) -> str:
    """What is left when the marks of Markdown and white space are taken away."""
    return re.sub(r"^```\w*$|[\s*_`~|#\-]", "", text, flags=re.MULTILINE)


@given(DOCUMENTS)
def test_no_word_is_lost_between_pages(text: str) -> None:
    assert visible("\n".join(pages(text))) == visible(text)


@given(DOCUMENTS)
def test_no_page_is_longer_than_an_update_may_be(text: str) -> None:
    assert all(len(page) <= 4_000 for page in pages(text))


@given(DOCUMENTS)
def test_each_page_closes_the_code_fences_it_opens(text: str) -> None:
    for page in pages(text):
        last = MarkdownIt().parse(f"{page}\n\nafter")[-2]
        assert last.content == "after"


@given(DOCUMENTS, st.data())
def test_a_full_page_never_changes_when_more_text_comes(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    early, late = previews(text[:cut]), pages(text)
    assert early[:-1] == late[: max(len(early) - 1, 0)]


@given(DOCUMENTS, st.data())
def test_what_people_see_only_grows(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    shown = visible("\n".join(previews(text[:cut])))
    assert visible("\n".join(pages(text))).startswith(shown)


@given(st.text(max_size=400))
def test_any_text_at_all_can_be_previewed_and_paged(text: str) -> None:
    previews(text)
    assert all(page.strip() for page in pages(text))


def test_a_short_answer_is_one_page_as_it_was_written() -> None:
    assert pages("Hello **world**.\n\nBye.") == ("Hello **world**.\n\nBye.",)


def test_the_first_word_is_shown_at_once() -> None:
    assert previews("Hel") == ("Hel",)


@pytest.mark.parametrize(
    ("so_far", "shown"),
    [
        ("a **bold", ("a **bold**",)),
        ("a **bold *both", ("a **bold *both***",)),
        ("a `code", ("a `code`",)),
        ("a **bold*", ("a **bold**",)),
        ("see [the re", ("see ",)),
        ("see [the report](https://exa", ("see ",)),
        ("see [the report](https://example.com).", ("see [the report](https://example.com).",)),
        ("![im", ()),
        ("```py\nx = 1", ("```py\nx = 1\n```",)),
        ("```py\nx = 1\n``", ("```py\nx = 1\n```",)),
        ("| a | b |", ()),
        ("| a | b |\n|---|", ()),
        ("| a | b |\n|---|---|\n| 1 |", ("| a | b |\n|---|---|",)),
        ("2 * 3 * 4 is", ("2 * 3 * 4 is",)),
        ("snake_case_name", ("snake_case_name",)),
        ("\\*not open", ("\\*not open",)),
        ("`a \\` b", ("`a \\` b",)),
        ("an [", ("an ",)),
        ("array[0] is", ("array[0] is",)),
    ],
)
def test_half_open_markup_is_closed_or_held_back(so_far: str, shown: tuple[str, ...]) -> None:
    assert previews(so_far) == shown


def test_a_page_ends_with_a_paragraph_where_there_is_one() -> None:
    text = "\n\n".join(["word " * 100] * 12)
    assert all(page.endswith(("word ", "word")) for page in pages(text))
    assert len(pages(text)) == 2


def test_a_line_without_spaces_is_cut_at_the_hard_limit() -> None:
    assert [len(page) for page in pages("x" * (HARD_AT + 10))] == [HARD_AT, 10]


def test_a_long_line_is_cut_between_words() -> None:
    first, second = pages("word " * 800)
    assert first.endswith("word ")
    assert second.startswith("word")


def test_a_code_block_over_two_pages_is_fenced_on_both_with_its_language() -> None:
    first, second = pages("```python\n" + "x = 1\n" * 700 + "```\nend")
    assert first.endswith("\n```")
    assert second.startswith("```python\n")
    assert second.endswith("```\nend")


def test_each_table_of_an_answer_has_a_message_of_its_own() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    assert len(pages(f"{table}\ntext\n\n{table}")) == 2


def test_many_headings_are_spread_over_messages() -> None:
    text = "# h\n" * 200
    assert all(page.count("# h") * 2 <= BLOCKS_AT + 6 for page in pages(text))
