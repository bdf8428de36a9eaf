"""Words in quotation marks: which of them are given as somebody's own, and what becomes of those that nobody wrote."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.text.quotations import AFTER, LONGEST, QuotationFilter, find_quotations, remove_marks

MIRA = ("Mira Stern", "Mira")


def quoted(text: str, people: Collection[str] = MIRA) -> list[str]:
    return [each.words for each in find_quotations(text, people)]


@pytest.mark.req("FA-09")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('You said "the roof leaks".', "the roof leaks"),
        ("You have just said that “it leaks.”", "it leaks"),
        ("Mira wrote: „it leaks“", "it leaks"),
        ("Jonas told us in the first step: «it leaks»", "it leaks"),
        ("<@U1> asked, »does it leak?«", "does it leak?"),
        ('**Mira** said **"it leaks"**', "it leaks"),
        ('You said you want "a roof that never leaks"', "a roof that never leaks"),
        ('"It leaks," said Mira.', "It leaks"),
        ('"It leaks", as you put it', "It leaks"),
        ('In your own words: "it leaks"', "it leaks"),
        ('Mira: "it leaks"', "it leaks"),
        ('- **Mira Stern**: "it leaks"', "it leaks"),
        ('"It leaks" – Mira', "It leaks"),
        ('"It leaks" (Mira)', "It leaks"),
        ('You said:\n\n  - "it leaks"', "it leaks"),
        ('She was cross, and then wrote: "it leaks"', "it leaks"),
        ('Du sagtest: "es ist undicht"', "es ist undicht"),
        ('Mira fears that "nobody older will ever use it"', "nobody older will ever use it"),
        ('the roof (Mira worries that "it leaks")', "it leaks"),
        ('You are afraid that "it leaks every winter"', "it leaks every winter"),
        ('"It leaks", Mira complained', "It leaks"),
        ('Mira befürchtet: "es ist undicht"', "es ist undicht"),
    ],
)
def test_words_that_stand_with_a_person_are_given_as_theirs(text: str, words: str) -> None:
    assert quoted(text) == [words]


@pytest.mark.req("FA-09")
@pytest.mark.parametrize(
    "text",
    [
        'The option "Plan B" is cheaper.',
        'You said you want "Plan B" next week.',
        'You said it is dear. The "red line" is 15k.',
        'You called it "Plan B".',
        'Write "yes", or say "stop" to end.',
        'The card says "Approved".',
        'I asked "how many?", and it said "four"',
        'Nobody said "never".',
        'You think of "Plan B".',
        'I was afraid that "Plan B and all that" is dear',
        'You said `print("it leaks")`',
        'You said `print("it has leaked since last winter")`',
        'You said:\n```\n"it leaks"\n```\n"Plan B"',
        'You said:\n- one thing\n\nThe rest is "Plan B"',
        'You said: it is 12" long and 13" wide',
        'You said " it leaks " or " "',
        'You said "it\nleaks"',
        'Mira\'s "Plan B"',
        f'You said "{"x" * (LONGEST + 1)}"',
        "You said `it leaks",
    ],
)
def test_titles_terms_and_code_are_nobodys_words(text: str) -> None:
    assert quoted(text) == []


@pytest.mark.req("FA-09")
def test_a_name_without_a_verb_speaks_only_if_it_is_known() -> None:
    assert quoted('Report: "Plan B" (Bern)', ()) == []
    assert quoted('Report: "Plan B" (Bern)') == []


@pytest.mark.req("FA-09")
def test_marks_go_and_words_stay_where_nobody_wrote_them() -> None:
    text = 'You said "it leaks" and Mira said "we go". The "red line" holds; "we stay," said Mira.'
    said = {"it leaks"}
    assert remove_marks(text, said.__contains__, MIRA) == (
        'You said "it leaks" and Mira said we go. The "red line" holds; we stay, said Mira.'
    )


WHOLE = (
    'You said "we go"',
    "Mira: “it leaks”",
    "„we go“, said Mira",
    'The "Plan B"',
    'You said:\n- "we go, then"',
    '"we go" (Mira)',
)
LOOSE = (
    "You said ",
    "Mira: ",
    " said Mira",
    "- ",
    '"',
    "“",
    "”",
    "«",
    "»",
    "`",
    "```",
    "\n",
    " ",
    ". ",
    "it leaks",
    "**",
)
PIECES = st.lists(st.sampled_from((*WHOLE, *WHOLE, *LOOSE, "x" * LONGEST, "y" * AFTER)), max_size=12)
TEXTS = PIECES.map("".join)


def is_said(words: str) -> bool:
    return "leaks" in words


@pytest.mark.req("FA-09")
@given(TEXTS)
def test_nothing_but_marks_is_taken_off_and_no_false_quotation_is_left(text: str) -> None:
    after = remove_marks(text, is_said, MIRA)
    marks = dict.fromkeys(map(ord, '"“”„«»'))
    assert after.translate(marks) == text.translate(marks)
    taken = [each for each in find_quotations(text, MIRA) if not is_said(each.words)]
    assert len(text) - len(after) == 2 * len(taken)
    assert all(text[each.start] in '"“„«»' and text[each.end - 1] in '"”“«»' for each in taken)


@pytest.mark.req("FA-09")
@given(TEXTS)
def test_what_people_wrote_keeps_its_marks(text: str) -> None:
    assert remove_marks(text, lambda _: True, MIRA) == text


@pytest.mark.req("FA-09")
@given(TEXTS, st.data())
def test_a_text_that_comes_in_pieces_ends_as_the_whole_one(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12)))
    sieve, given = QuotationFilter(is_said, MIRA), list[str]()
    for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        given.append(sieve.feed(text[begin:end]))
    given.append(sieve.end())
    assert "".join(given) == remove_marks(text, is_said, MIRA)


def test_what_somebody_said_keeps_its_marks_in_a_text_that_comes_in_pieces() -> None:
    sieve = QuotationFilter(is_said, MIRA)
    given = [sieve.feed('Mira said "it le'), sieve.feed('aks" and Mira said "we go".\n'), sieve.end()]
    assert "".join(given) == 'Mira said "it leaks" and Mira said we go.\n'


def test_words_without_marks_are_not_held_back() -> None:
    sieve = QuotationFilter(is_said)
    assert sieve.feed("Hello there") == "Hello there"
    assert sieve.feed(", you said ") == ", you said "
    assert sieve.feed('"we go"') == ""
    assert sieve.feed(" " * (AFTER - 1)) == ""
    assert sieve.feed(" and") == "we go" + " " * (AFTER - 1) + " and"
    assert sieve.end() == ""
