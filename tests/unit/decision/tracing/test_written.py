"""Arithmetic that people or a draft write out passes, is shown with its terms, and explains nothing else."""

from __future__ import annotations

from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.tracing.said import SaidFigures, Statement
from app.decision.tracing.tracing import trace_figures
from tests.unit.decision.components.worked import before


def traced(text: str, *said: str) -> tuple[list[str], list[str]]:
    """The figures of a text that nobody said, and the equations of those that follow from what was said."""
    found = trace_figures({"synthesis": text}, SaidFigures.of(map(Statement, said)), before("recommendation"))
    return [each.text for each in found.unsaid], [*found.sums]


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("said", "result", "equation"),
    [
        ("2 FTE at 70k", "140k", "140,000 = 2 × 70,000"),
        ("12 desks at 350 each", "4,200 €", "4,200 = 12 × 350"),
        ("12 desks, 350 each", "4,200 €", "4,200 = 12 × 350"),
        ("12 desks, about 350 a head", "4,200", "4,200 = 12 × 350"),
        ("18 euro per square metre for 300 sqm", "5,400 euros", "5,400 = 18 × 300"),
        ("18 euros per sqm, 300 sqm", "5,400 euros", "5,400 = 18 × 300"),
        ("40 hours a week at 50 euros", "2,000 euros a week", "2,000 = 40 × 50"),
        ("8 hours a day, 5 days a week", "40 hours a week", "40 = 8 × 5"),
        ("saves 5k a month over two years", "120k", "120,000 = 5,000 × 24"),
        ("60k a year, 3 years", "180k", "180,000 = 60,000 × 3"),
        ("10k plus 24 × 2k", "58k", "58,000 = 10,000 + 24 × 2,000"),
        ("24 × 2k less 10k", "38k", "38,000 = 24 × 2,000 − 10,000"),
        ("90k divided by 12 people", "7.5k", "7,500 = 90,000 ÷ 12"),
        ("100k split by 3 teams", "33.3k", "33,333.33333 = 100,000 ÷ 3"),
        ("50k plus 10% for what we forget", "55k", "55,000 = 50,000 + 10 %"),
        ("60,000 euros minus 5 %", "57,000 euros", "57,000 = 60,000 − 5 %"),
        ("50k × 19 %", "9,500", "9,500 = 50,000 × 19 %"),
        ("3 people at €90", "270", "270 = 3 × 90"),
        ("45 people at 80 each", "3,600", "3,600 = 45 × 80"),
        ("30 min per ticket, 40 tickets", "20 hours", "1,200 = 30 × 40"),
        ("7 out of 10 customers", "70 %", "70 % = 7 of 10"),
        ("1 in 5 leaves", "20 %", "20 % = 1 of 5"),
        ("we lost 3 of our 12 clients", "25 %", "25 % = 3 of 12"),
        ("it grew from 120k to 150k", "30k", "30,000 = 150,000 − 120,000"),
        ("it grew from 120k to 150k", "25 %", "25 % = 30,000 of 120,000"),
        ("it fell from €150k to €120k", "20 %", "20 % = 30,000 of 150,000"),
        ("from 34 days to 18", "16 days", "16 = 34 − 18"),
        ("from 34 days to 18", "47 %", "47.1 % = 16 of 34"),
        ("it went from 0 to 45 people", "45 people", ""),
    ],
)
def test_what_people_write_out_is_shown_with_its_terms(said: str, result: str, equation: str) -> None:
    assert traced(f"That makes {result}", said) == ([], [equation] if equation else [])


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("42k a year (12 × 3.5k)", "we pay 3.5k a month"),
        ("34k in the first year (10k + 12 × 2k)", "10k once and 2k a month"),
        ("120k in all (24 × 5k)", "5k a month for two years"),
        ("24,000 € a year (5 people × 400 € × 12 months)", "for 5 people 400 € a month each"),
        ("52k a year (52 × 1k)", "1k a week"),
        ("30 of them (2/3 of 45)", "of our 45 people, 2/3 are at home"),
        ("140k (2 × 70k)", "two people. 70k for one"),
        ("25 % (3 of 12)", "3 left. There were 12"),
        ("1,000 a week (52k / 52)", "52k a year"),
    ],
)
def test_a_draft_may_write_out_what_was_said_and_the_months_of_a_year_need_nobody(words: str, said: str) -> None:
    unsaid, sums = traced(words, said)
    assert (unsaid, len(sums)) == ([], 1)


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("words", "said", "left"),
    [
        ("150k (2 × 75k)", "2 people at 70k", ["150k", "75k"]),
        ("150k (2 × 70k)", "2 people, 70k for one", ["150k"]),
        ("210k (3 × 70k)", "2 people, 70k for one", ["210k", "3"]),
        ("84 (7 × 12)", "it is dear", ["84", "7", "12"]),
        ("30 % (3 of 12)", "3 of 12", ["30 %"]),
        ("That makes 40", "We meet at 9, with 4 people at 10", ["40"]),
        ("That makes 140", "2 people at 70k", ["140"]),
        ("That makes 60k", "it costs 20k a year and 3 people", ["60k"]),
        ("That makes 36k", "it costs 12k a year, 3 people", ["36k"]),
        ("That makes 5,400", "18 euros per sqm, 300 desks", ["5,400"]),
        ("That makes 30", "from 50 % to 20 days", ["30"]),
        ("That makes 15", "between 30 and 45 people", ["15"]),
        ("That makes 140k", f"2 people of {'very ' * 12}good will at 70k", ["140k"]),
        ("That makes 25 %", f"3 people of {'very ' * 12}good will of 12", ["25 %"]),
        ("That makes 600 %", "12 of 2", ["600 %"]),
        ("That makes 40 weeks", "8 hours a day, 5 days a week", ["40 weeks"]),
        ("That makes 40 days", "8 hours a day, 5 days a week", ["40 days"]),
        ("That makes 135", "We are 45 people at 3 sites", ["135"]),
        ("That makes 50 %", "20 people in 40 rooms", ["50 %"]),
        ("That makes 67 %", "we launch 2 in 3 weeks", ["67 %"]),
        ("That makes 25 %", "We open from 8:00 to 6 pm", ["25 %"]),
        ("That makes 20 weeks", "30 min per ticket, 40 tickets", ["20 weeks"]),
        ("That makes 120", "120k divided by 0 people", ["120"]),
        ("It is 12 months", "for 5 people", ["12 months"]),
    ],
)
def test_what_no_arithmetic_makes_stays_unsaid(words: str, said: str, left: list[str]) -> None:
    assert traced(words, said)[0] == left


@pytest.mark.req("FA-14")
@given(st.integers(2, 60), st.integers(100, 90_000), st.integers(100, 5_000_000))
def test_of_two_numbers_that_are_multiplied_only_the_product_passes(count: int, price: int, other: int) -> None:
    said = f"{count} desks at {price:,} euros each"
    assert traced(f"The desks come to {count * price:,} euros", said)[0] == []
    if other not in (count, price, count * price):
        assert traced(f"The desks come to {other:,} euros", said)[0]


TALK = (
    "We are 45 people at 3 sites, 12 desks at 350 each, 18 euro per square metre for 300 sqm.",
    "It went from 120k to 150k. 7 out of 10 stay. 50k plus 10 % for what we forget. 2 FTE at 70k.",
    "We open from 8:00 to 6 pm, five days a week, and meet at noon; 3 of the 12 left.",
)

MADE = {
    "4,200 = 12 × 350",
    "5,400 = 18 × 300",
    "30,000 = 150,000 − 120,000",
    "25 % = 30,000 of 120,000",
    "25 % = 3 of 12",
    "70 % = 7 of 10",
    "55,000 = 50,000 + 10 %",
    "140,000 = 2 × 70,000",
}
"""All that these words come to."""


@pytest.mark.req("FA-14")
@pytest.mark.parametrize("form", ["It costs {number} euros in all.", "{number} of them", "That is {number} %"])
def test_hardly_any_invented_number_passes_for_arithmetic(form: str) -> None:
    """Tries every number of two leading digits as large as those that were said."""
    said = SaidFigures.of(map(Statement, TALK))
    numbers = [lead * scale for lead, scale in zip(range(10, 100), cycle((1, 10, 100, 1_000, 10_000)), strict=False)]
    numbers += [lead * scale for lead in range(10, 100) for scale in (100, 1_000)]
    texts = [form.format(number=f"{number:,}") for number in numbers]
    told = [one for each in texts for one in trace_figures({"synthesis": each}, said, before("recommendation")).sums]
    assert {*told} <= MADE
