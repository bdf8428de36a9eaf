"""Pages and previews of a growing answer."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from app.core.text.safe_stream import (
    BLOCKS_AT,
    HARD_AT,
    LONGEST_HEADER,
    NO_MARK,
    ROWS_AT,
    WORD_AT,
    preview_pages,
    split_pages,
)

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
    assert visible("\n".join(split_pages(text))) == visible(text)


@given(DOCUMENTS)
def test_no_page_is_longer_than_an_update_may_be(text: str) -> None:
    assert all(len(page) <= 4_000 for page in split_pages(text))


@given(DOCUMENTS)
def test_each_page_closes_the_code_fences_it_opens(text: str) -> None:
    for page in split_pages(text):
        last = MarkdownIt().parse(f"{page}\n\nafter")[-2]
        assert last.content == "after"


@given(DOCUMENTS, st.data())
def test_a_full_page_never_changes_when_more_text_comes(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    early, late = preview_pages(text[:cut]), split_pages(text)
    assert early[:-1] == late[: max(len(early) - 1, 0)]


@given(DOCUMENTS, st.data())
def test_what_people_see_only_grows(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    shown = visible("\n".join(preview_pages(text[:cut])))
    assert visible("\n".join(split_pages(text))).startswith(shown)


@given(st.text(max_size=400))
def test_any_text_at_all_can_be_previewed_and_paged(text: str) -> None:
    preview_pages(text)
    assert all(page.strip() for page in split_pages(text))


def test_a_short_answer_is_one_page_as_it_was_written() -> None:
    assert split_pages("Hello **world**.\n\nBye.") == ("Hello **world**.\n\nBye.",)


def test_the_first_word_is_shown_at_once() -> None:
    assert preview_pages("Hel") == ("Hel",)


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
        ("see [a](https://b.example)", ("see [a](https://b.example)",)),
        ("array[0] is", ("array[0] is",)),
        ("```py", ()),
        ("``", ()),
        ("a\n\n-", ("a",)),
        ("12", ()),
        ("12.", ()),
        ("12. a", ("12. a",)),
        ("Tom &am", ("Tom ",)),
        ("see <https://exa", ("see ",)),
        ("a \\", ("a ",)),
        ("wow ![im", ("wow ",)),
        ("``a ` ", ("``a``",)),
        ("- a *b\n- c", ("- a *b\n- c",)),
        ("- a\n  ```\n  x", ("- a\n  ```\n  x\n  ```",)),
        ("- a\n  ```\n  x\nend", ("- a\n  ```\n  x\n  ```\nend",)),
        ("| a |\n", ()),
        ("| a |\nb", ("| a |\nb",)),
    ],
)
def test_half_open_markup_is_closed_or_held_back(so_far: str, shown: tuple[str, ...]) -> None:
    assert preview_pages(so_far) == shown


def test_a_page_ends_with_a_paragraph_where_there_is_one() -> None:
    text = "\n\n".join(["word " * 100] * 12)
    assert all(page.endswith(("word ", "word")) for page in split_pages(text))
    assert len(split_pages(text)) == 2


def test_a_line_without_spaces_is_cut_at_the_hard_limit() -> None:
    assert [len(page) for page in split_pages("x" * (HARD_AT + 10))] == [HARD_AT, 10]


def test_a_long_line_is_cut_between_words() -> None:
    first, second = split_pages("word " * 800)
    assert first.endswith("word ")
    assert second.startswith("word")


def test_a_code_block_over_two_pages_is_fenced_on_both_with_its_language() -> None:
    first, second = split_pages("```python\n" + "x = 1\n" * 700 + "```\nend")
    assert first.endswith("\n```")
    assert second.startswith("```python\n")
    assert second.endswith("```\nend")


def test_each_table_of_an_answer_has_a_message_of_its_own() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    assert len(split_pages(f"{table}\ntext\n\n{table}")) == 2


def test_many_headings_are_spread_over_messages() -> None:
    text = "# h\n" * 200
    assert all(page.count("# h") * 2 <= BLOCKS_AT + 6 for page in split_pages(text))


def test_a_table_over_two_pages_has_its_header_on_both() -> None:
    header = "| item | price |\n|---|---|\n"
    first, second = split_pages(header + "| an apple | 1 |\n" * 300)[:2]
    assert first.startswith(header)
    assert second.startswith(header)
    assert first.count("\n") <= ROWS_AT + 2


def test_a_header_as_long_as_a_page_is_not_repeated() -> None:
    header = f"| {'x' * LONGEST_HEADER} |\n|---|\n"
    assert split_pages(header + "| apple |\n" * 300)[1].startswith("| apple |")


def test_a_table_begins_on_a_page_where_there_is_room_for_it() -> None:
    first, second = split_pages("word " * 630 + "\n| a |\n|---|\n| 1 |\n")
    assert first.endswith("word ")
    assert second == "| a |\n|---|\n| 1 |"


def test_the_header_of_a_table_is_not_given_to_the_next_one() -> None:
    table = "| a |\n|---|\n| 1 |"
    assert split_pages(f"{table}\n```\n```\n{table}")[1] == table


def test_bold_over_two_pages_is_bold_on_both() -> None:
    first, second = split_pages(f"**{'word ' * 800}end**")
    assert first.endswith("word**")
    assert second.startswith("**word")
    assert second.endswith("end**")


@pytest.mark.parametrize(
    "link",
    [
        f"[{'a label ' * 30}](https://example.com)",
        pytest.param(f"<https://example.com/?{'q' * 800}>", marks=pytest.mark.req("IN-08"), id="its own address"),
    ],
)
def test_a_link_is_not_cut(link: str) -> None:
    assert split_pages(f"{'x' * (WORD_AT - 50)} {link} end")[1] == f"{link} end"


def test_a_link_that_fills_a_page_is_cut_all_the_same() -> None:
    assert "".join(split_pages(f"[{'a' * 300}]({'x' * 5_000})")).count("x") == 5_000


def test_a_page_does_not_shrink_when_its_last_line_grows_beyond_it() -> None:
    text = "word " * 745
    shown = [preview_pages(text[:cut])[0] for cut in range(WORD_AT - 5, len(text))]
    assert all(later.startswith(earlier.rstrip()) for earlier, later in pairwise(shown))


def test_what_people_take_for_one_character_is_not_cut() -> None:
    assert split_pages("x" * (HARD_AT - 1) + "e\u0301\u0323")[1] == "e\u0301\u0323"


def test_a_pile_of_marks_on_one_letter_is_cut_like_all_else() -> None:
    assert [len(page) for page in split_pages("e" + "\u0301" * 2 * HARD_AT)] == [HARD_AT, HARD_AT, 1]


def test_a_list_that_goes_on_is_not_taken_for_code() -> None:
    text = "- top\n" + "    - nested item of a list\n" * 150 + "- top\n  - nested\n"
    assert split_pages(text)[1].startswith("- nested item of a list\n- nested")
    assert split_pages(text)[1].endswith("- top\n  - nested")


def test_code_in_a_list_over_two_pages_is_code_on_both() -> None:
    text = "- a\n\n  - b\n\n    ```py\n" + "    x = 1\n" * 400 + "    ```\n    after"
    first, second = split_pages(text)
    assert first.endswith("    x = 1\n    ```")
    assert second.startswith("```py\nx = 1\n")
    assert second.endswith("x = 1\n```\nafter")


def test_indented_code_at_the_top_of_a_page_stays_code() -> None:
    assert split_pages(f"{'word ' * 600}\n\n    x = 1\n")[1] == "    x = 1"


def test_code_that_ends_with_its_page_leaves_no_empty_block_on_the_next() -> None:
    text = "```\n" + "x = 1\n" * 566
    assert split_pages(f"{text}```\nend")[1] == "end"


@pytest.mark.parametrize(
    ("mark", "margin"), [("```", ""), ("- ~~~", "  "), ("> ```", "> "), ("> 1. ~~~", ">    "), ("- - ```", "    ")]
)
def test_words_after_the_mark_of_a_fence_that_name_no_language_are_shown_as_code(mark: str, margin: str) -> None:
    said = "lorem ipsum " * 290
    first, *others = split_pages(f"\n{mark}{said}")
    assert first.startswith(f"\n{mark}\n{margin}lorem")
    assert "".join([first, *others]).count("lorem ipsum") == 290


def test_words_that_would_close_the_fence_they_stand_after_are_no_mark() -> None:
    assert split_pages(f"~~~ {'~' * 50}\ncode") == (f"~~~\n{NO_MARK}{'~' * 50}\ncode\n~~~",)


@pytest.mark.parametrize("end", ["", "\n", "\n```"])
def test_a_fence_that_begins_on_a_full_page_keeps_what_follows_its_mark(end: str) -> None:
    assert "py lorem" in split_pages("word\n\n" * 600 + f"```py lorem{end}")[-1]


def test_code_indented_by_tabs_keeps_its_letters_on_the_next_page() -> None:
    assert "".join(split_pages("- a\n  ```\n" + "\tword\n" * 2_000)).count("word") == 2_000


def test_a_long_line_of_code_in_a_quote_stays_in_it_on_the_next_page() -> None:
    assert split_pages(f"> ```\n> {'word ' * 1_000}")[1].startswith("> ```\n> word ")


@pytest.mark.parametrize("text", ["```", "```py\n", "```py\n```", "**", "1."])
def test_an_answer_of_marks_alone_is_still_an_answer(text: str) -> None:
    assert split_pages(text)


def test_the_middle_of_a_line_is_no_item_or_heading_at_the_top_of_a_page() -> None:
    for mark in ("- ", "1. ", "# ", "> ", "``` "):
        second = split_pages(f"{'word ' * 721}{mark}and so on")[1]
        assert second == f"{NO_MARK}{mark}and so on"
    assert split_pages(f"a ```{'word ' * 719}word end``` x")[1] == f"{NO_MARK}```end``` x"
