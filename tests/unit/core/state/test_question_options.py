"""Labels of options: fit for buttons, and found again in what people type."""

from __future__ import annotations

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.core.text import labels, replies
from app.core.text.labels import MAX_LABEL, are_distinct, find_by_label, find_by_name, fit_labels, join_words
from app.core.text.replies import fold

DECISIONS = ("D1 Evening cover", "D2 Hiring", "D10 Something")

WORDS = st.text(alphabet=string.ascii_letters + string.digits + " -.,:#()'&<>*_~é東京👍", min_size=1, max_size=20)
ANYTHING = st.text(min_size=1, max_size=2 * MAX_LABEL)


def labels_of(texts: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    """Labels as they are shown."""
    lines = texts.map(lambda text: " ".join(text.split()))
    sets = st.lists(lines, min_size=2, max_size=5).filter(labels.are_distinct)
    return sets.map(labels.fit_labels)


LABELS = labels_of(WORDS | st.text(min_size=1, max_size=20))


@given(LABELS)
@example(("2", "1"))
@pytest.mark.req("S2-040")
def test_a_whole_label_gives_its_option_however_odd_the_labels_are(labels: tuple[str, ...]) -> None:
    for place, label in enumerate(labels):
        assert find_by_name(labels, label) == place
        assert find_by_name(labels, f"  {label.swapcase() if label.isascii() else label}\n") == place
        assert find_by_label(labels, label) == place


@given(LABELS)
@pytest.mark.req("S2-040")
def test_the_number_of_an_option_gives_it_and_another_only_by_its_name(labels: tuple[str, ...]) -> None:
    forms = [replies.trim(fold(label)) for label in labels]
    for number in map(str, range(1, 12)):
        found = find_by_name(labels, number)
        assert found is None or found == int(number) - 1 or number in forms[found]
        if int(number) <= len(labels) and not any(form.startswith(number) for form in forms):
            assert found == find_by_name(labels, f"{number}.") == int(number) - 1


@given(LABELS, st.integers(2, MAX_LABEL))
@example(("10 people", *"abcdefghi"), 2)
@pytest.mark.req("S2-040")
def test_a_beginning_that_one_label_has_gives_that_option_and_never_another(labels: tuple[str, ...], cut: int) -> None:
    forms = [fold(label) for label in labels]
    for place, label in enumerate(labels):
        said = fold(label[:cut])
        having = [other for other, form in enumerate(forms) if replies.begins_with(form, said)]
        if having == [place] and len(said) >= 2:
            bare = replies.strip_politeness(said)
            told = replies.read_place(bare) or any(replies.trim(form) in (replies.trim(said), bare) for form in forms)
            assert find_by_name(labels, label[:cut]) in ((place, None) if told else (place,))


@given(LABELS, st.text())
def test_finding_is_total_and_finds_at_most_one(labels: tuple[str, ...], text: str) -> None:
    assert find_by_name(labels, text) in (None, *range(len(labels)))
    assert find_by_label(labels, text) in (None, *range(len(labels)))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("d1", 0),
        ("D2 please", 1),
        ("D2, thanks!", 1),
        ("*D2 Hiring*", 1),
        ("d2 HIRING", 1),
        ("D1 evening", 0),
        ("2", 1),
        ("2.", 1),
        ("(2)", 1),
        ("2️⃣", 1),
        ("option 2, please", 1),
        ("the second one please", 1),
        ("number two", 1),
        ("the last one", 2),
        ("D10", 2),
    ],
)
def test_an_option_is_found_by_what_people_call_it(text: str, place: int) -> None:
    assert labels.find_by_name(DECISIONS, text) == place


@pytest.mark.parametrize(
    "text", ["", "d", "D", "D1 Eve", "D3", "4", "0", "-2", "fourth", "not D2", "D2 or D1", "the one", "please"]
)
def test_what_names_no_option_finds_none(text: str) -> None:
    assert labels.find_by_name(DECISIONS, text) is None


def test_a_label_that_is_a_number_beats_the_place() -> None:
    assert labels.find_by_name(("3", "2", "1"), "1") == labels.find_by_name(("3", "2", "1"), "1.") == 2


@pytest.mark.parametrize(
    ("text", "unclear", "clear", "place"),
    [
        *((text, ("2 people", "3 people"), ("3 people", "2 people"), 1) for text in ("2", "option 2", "#2")),
        pytest.param(
            "second", ("Second floor", "First floor"), ("First floor", "Second floor"), 1, id="a word: place or name"
        ),
        pytest.param("new", ("New York", "New Delhi"), ("New", "New Delhi"), 0, id="a beginning that two labels have"),
        pytest.param("a", ("A plan", "B plan"), ("A", "B plan"), 0, id="a beginning of one character"),
    ],
)
def test_what_could_be_two_options_or_a_place_and_a_name_finds_none(
    text: str, unclear: tuple[str, ...], clear: tuple[str, ...], place: int
) -> None:
    assert labels.find_by_name(unclear, text) is None
    assert labels.find_by_name(clear, text) == place


def test_labels_that_differ_by_marks_alone_are_found_only_by_these() -> None:
    labels = ("C", "C#", "C++", "C!")
    assert [find_by_name(labels, text) for text in ("c", "c#", "C++", "c!", "c.")] == [0, 1, 2, 3, None]


def test_only_a_whole_label_is_labelled() -> None:
    assert labels.find_by_label(("Approve", "Change it"), "change it, please") == 1
    assert labels.find_by_label(("Approve", "Change it"), "change") is None
    assert labels.find_by_label(("Approve", "Change it"), "2") is None
    assert labels.find_by_label(("!", "?"), "...") is None


@given(labels_of(ANYTHING))
@pytest.mark.req("S2-040")
def test_labels_fit_a_button_and_still_differ(labels: tuple[str, ...]) -> None:
    assert all(1 <= len(label) <= MAX_LABEL for label in labels)
    assert are_distinct(labels)
    assert fit_labels(labels) == labels


def test_long_labels_that_become_the_same_are_numbered() -> None:
    long = "x" * MAX_LABEL
    cut = "x" * (MAX_LABEL - 1) + "…"
    fit = labels.fit_labels((long + "a", long + "b", cut))
    assert fit == ("x" * (MAX_LABEL - 5) + "… (2)", "x" * (MAX_LABEL - 5) + "… (3)", cut)


def test_a_label_is_cut_between_characters_as_people_see_them() -> None:
    family = "👨‍👩‍👧‍👦"
    assert labels.shorten("x" * 70 + family + "y") == "x" * 70 + "…"
    assert labels.shorten("x" * 74 + " " + "y") == "x" * 74 + "…"
    assert labels.shorten("a" + "\u0301" * 100) == "a" + "\u0301" * 73 + "…"
    assert labels.shorten("x" * MAX_LABEL) == "x" * MAX_LABEL


@pytest.mark.parametrize("labels", [("a", "A"), ("a b", "a\u00a0 b"), ("a", ""), ("\u200b", "a"), ("👍", "👍🏽")])
def test_labels_that_look_the_same_do_not_differ(labels: tuple[str, ...]) -> None:
    assert not are_distinct(labels)


@pytest.mark.parametrize(
    ("yes", "no", "crossed"),
    [
        ("Yes", "No", False),
        ("Approve", "Change it", False),
        ("Go on", "Go back", False),
        ("No", "Yes", True),
        ("No, keep it", "Delete it", True),
        ("Keep it", "Yes, delete it", True),
        ("Keep it", "OK", True),
    ],
)
def test_a_no_in_the_place_of_the_yes_is_noticed(yes: str, no: str, crossed: bool) -> None:
    assert labels.are_crossed(yes, no) is crossed


@pytest.mark.parametrize(
    ("words", "told"),
    [((), ""), (("A",), "A"), (("A", "B"), "A and B"), (("A", "", "B", "C"), "A, B and C")],
)
def test_words_in_a_sentence_are_a_list_that_ends_with_and(words: tuple[str, ...], told: str) -> None:
    assert join_words(words) == told


@pytest.mark.parametrize(
    ("most", "told"), [(1, "A and 3 more"), (2, "A, B and 2 more"), (3, "A, B, C and 1 more"), (4, "A, B, C and D")]
)
def test_a_long_list_in_a_sentence_ends_with_the_number_of_those_left_out(most: int, told: str) -> None:
    assert join_words(["A.", "", "B", "C", "D."], most) == told
