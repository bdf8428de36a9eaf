"""Texts are cut where a word ends, and between two characters as people see them where a word is too long."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from app.core.text.cutting import CUT, SHORT, SPARE, cut, cut_before_end, cut_clause, shorten_name

WORDS = st.lists(st.text("abcdé ,;:", min_size=1, max_size=8), min_size=1, max_size=12).map(" ".join)


@pytest.mark.req("FA-10")
@given(WORDS, st.integers(12, 60))
def test_no_text_is_cut_within_a_word_that_fits(text: str, most: int) -> None:
    made = cut(text, most)
    assert len(made) <= most
    if made == text:
        return
    kept = made.removesuffix(CUT)
    assert text.startswith(kept)
    longest = max(map(len, text.split()), default=0)
    rest = text[len(kept) :]
    assert longest > most // 2 - 2 or not rest[:1].isalnum() or not kept[-1:].isalnum()


@pytest.mark.req("FA-10")
@pytest.mark.parametrize(
    ("text", "most", "made"),
    [
        ("A bridge to nowhere", 19, "A bridge to nowhere"),
        ("A bridge to nowhere", 16, "A bridge to…"),
        ("A bridge to, nowhere", 15, "A bridge to…"),
        ("Unquestionably", 8, "Unquest…"),
        ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 10, "👩‍👩‍👧‍👦…"),
        ("word", 1, "…"),
    ],
)
def test_a_text_ends_with_a_word_or_else_with_a_whole_character(text: str, most: int, made: str) -> None:
    assert cut(text, most) == made
    assert regex.findall(r"\X", made)


@pytest.mark.req("TR-18", "FA-10")
@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Oslo", "Oslo"),
        ("Volunteer overtime rota (today)", "Volunteer overtime rota"),
        ("Bergen: by the sea, in the old hall", "Bergen"),
        ("Hire three people – in spring or so", "Hire three people"),
        ("Three part-time weekend agents for us", "Three part-time weekend…"),
        ("Keep the bread as good as today", "Keep the bread as good as today"),
        ("Two electric ovens, only if the subsidy comes", "Two electric ovens…"),
        (", and so on, and so on, and so on, and so on", ", and so on, and so on, and…"),
        (": nothing before the colon of this name", ": nothing before the colon…"),
    ],
)
def test_a_short_name_is_what_people_would_say_or_its_first_words(name: str, short: str) -> None:
    assert shorten_name(name) == short
    assert len(short) <= SHORT + SPARE


@pytest.mark.req("FA-10")
@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("Short, as it is", 40, "Short, as it is"),
        ("Ask the lab; then call two more partners of theirs", 30, "Ask the lab; then call two…"),
        ("Ask the lab once more; then call two partners", 30, "Ask the lab once more …"),
        ("Replay the tickets of last winter, in May", 36, "Replay the tickets of last winter …"),
        ("Hire three people (as the board agreed in May)", 30, "Hire three people …"),
        ("One very long beginning without any clause", 20, "One very long…"),
    ],
)
def test_a_text_ends_with_a_clause_where_one_fills_half_of_the_room(text: str, most: int, shown: str) -> None:
    assert cut_clause(text, most) == shown


@given(st.text(alphabet="ab ,;:-(", max_size=60), st.integers(4, 40))
def test_a_text_cut_at_a_clause_is_its_beginning_and_no_longer_than_the_room(text: str, most: int) -> None:
    short = cut_clause(text, most)
    assert len(short) <= most
    assert short == text or text.startswith(short.removesuffix(CUT).rstrip())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("A1 Oslo is level. What else differs?", "A1 Oslo is level. What else differs?"),
        (
            "Which open point is this for: “Ask the town about the yard and its gates”? Or for something else?",
            "Which open point is this for: “Ask the town about the…”? Or for something else?",
        ),
        (
            "Also uncertain: A1 Oslo with a branch in Bergen on O1 Grow in the north by 2030. How could you find out?",
            "Also uncertain: A1 Oslo with a branch in Bergen on O1… How could you find out?",
        ),
        (
            f"“Is it so? {'Yes, it is so. ' * 9}” stands in two lists of yours as of today. Where does it belong?",
            "“Is it so? Yes, it is…” stands in two lists of yours as… Where does it belong?",
        ),
        (f"Why? {'word ' * 20}", f"Why? {'word ' * 14}word…"),
    ],
)
def test_a_sentence_that_asks_something_is_cut_in_its_quotations_and_before_what_it_asks(text: str, told: str) -> None:
    assert cut_before_end(text, 80) == told


@given(st.text(alphabet="aB .?!“”\n", max_size=90), st.integers(1, 90))
def test_a_text_cut_before_its_end_fits_its_room(text: str, most: int) -> None:
    assert len(cut_before_end(text, most)) <= most
