"""Numbers and dates of a stored text, and the words that they can be traced to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.analysis.ratings import Cell, RatingTable
from app.evaluation.number_trace import is_date_said, is_traced, list_computed, list_numbers, read_said
from tests.unit.evaluation.plays import TODAY


def traced(stored: str, *said: str) -> bool:
    known = read_said(said, TODAY).numbers
    return all(is_traced(values, known, TODAY) for _, values in list_numbers(stored))


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ("88,000 euro", "88k"),
        ("88.000 euro", "88 000 euro"),
        ("88 kEUR", "88k a year"),
        ("3 part-timers", "three part-timers"),
        ("25 hours", "twenty-five hours"),
        ("300 euro", "three hundred euro"),
        ("1500 euro", "1.5 thousand"),
        ("1.5 days", "1,5 days"),
        ("the 9", "by the 9th"),
        ("12 eggs", "a dozen eggs"),
        ("100 %", "a hundred per cent"),
        ("24", "24/7 plan"),
        ("−5", "-5 degrees"),
        ("2 m", "2 metres"),
        ("from 2026 to 2027", "next year"),
        ("A2 and O14", "nothing"),
    ],
)
def test_a_number_is_traced_to_each_way_of_saying_it(stored: str, said: str) -> None:
    assert traced(stored, said)


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ("15k", "60k and 45"),
        ("88,001", "88k"),
        ("1.6", "1.5"),
        ("2031", "next year"),
        ("30", "three"),
        ("8", "88"),
    ],
)
def test_another_number_is_not(stored: str, said: str) -> None:
    assert not traced(stored, said)


@given(st.integers(0, 10**7))
def test_each_number_is_traced_to_itself_however_it_is_grouped(number: int) -> None:
    forms = (str(number), f"{number:,}", f"{number:,}".replace(",", "."), f"{number:,}".replace(",", " "))
    for one in forms:
        for other in forms:
            assert traced(f"It is {one} euro.", f"We pay {other}, I think."), (one, other)


@given(st.integers(13, 10**6), st.integers(13, 10**6))
def test_two_different_whole_numbers_are_not_traced_to_each_other(one: int, other: int) -> None:
    far = one != other and one not in (TODAY.year, TODAY.year + 1) and one * 1000 != other and other * 1000 != one
    if far:
        assert not traced(str(one), str(other))


SOON = date(2026, 12, 11)


@pytest.mark.parametrize(
    ("day", "said"),
    [
        (SOON, "by 2026-12-11"),
        (SOON, "until 11 December"),
        (SOON, "Dec 11th"),
        (SOON, "on the 11th"),
        (SOON, "11.12. at noon"),
        (SOON, "12/11"),
        (date(2026, 11, 27), "next Friday"),
        (date(2026, 11, 23), "tomorrow"),
        (TODAY, "today"),
        (date(2026, 11, 30), "at the end of the month"),
        (date(2027, 3, 31), "until the end of March"),
        (date(2027, 3, 1), "from March on"),
        (date(2026, 12, 6), "in two weeks"),
        (date(2027, 2, 22), "within 3 months"),
        (date(2026, 11, 29), "some time next week"),
    ],
)
def test_a_date_is_traced_to_words_that_mean_it(day: date, said: str) -> None:
    assert is_date_said(day, read_said([said], TODAY))


@pytest.mark.parametrize(
    ("day", "said"),
    [
        (SOON, "I won't guess the date"),
        (SOON, "in December"),
        (SOON, "11 of them"),
        (SOON, "11 November"),
        (date(2027, 6, 11), "on the 11th"),
        (date(2026, 12, 25), "next Friday"),
        (date(2026, 11, 24), "tomorrow"),
        (date(2026, 12, 7), "in two weeks"),
        (date(2027, 5, 20), "within 3 months"),
        (date(2026, 12, 31), "at the end of the month"),
    ],
)
def test_another_date_is_not(day: date, said: str) -> None:
    assert not is_date_said(day, read_said([said], TODAY))


@given(st.integers(1, 700))
def test_each_date_is_traced_to_itself_in_words(days: int) -> None:
    day = TODAY + timedelta(days=days)
    assert is_date_said(day, read_said([f"By {day.day} {day:%B} {day.year}, please."], TODAY))


@dataclass(frozen=True)
class Found:
    """A finding, and the ratings that it is of."""

    table: RatingTable
    net: int


def test_computed_figures_are_known_with_their_size_sign_percentage_and_number() -> None:
    found = list_computed([{"share": 0.25, "net": -3, "names": ["a", "b"], "flag": True, "none": None}])
    assert {0.25, 25.0, -3.0, 3.0, 2.0} <= found
    assert 1.0 in found, "one finding"
    assert list_computed(Fraction(1, 2)) == frozenset()


def test_of_findings_with_the_ratings_they_are_of_only_what_was_found_is_computed() -> None:
    table = RatingTable(("A1", "A2"), ("O1",), {("A1", "O1"): Cell(-2), ("A2", "O1"): Cell(-2)})
    found = list_computed(Found(table, net=7))
    assert 7.0 in found
    assert -2.0 not in found
