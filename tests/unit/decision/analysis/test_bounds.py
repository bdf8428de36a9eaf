"""A limit is read where a word says on which side of its number an amount may be, and in no other unit."""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, gt, le, lt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.analysis.amounts.bounds import read_bounds, read_span, read_written_amounts
from app.decision.analysis.amounts.units import split_period

READ = [
    ("200,000 euros at most, including installation", "euros", True, 200_000),
    ("the cost over 5 years is at most $200,000", "$", True, 200_000),
    ("the cost over 5 years is at most EUR 200k", "euros", True, 200_000),
    ("At most 100,000 euro extra per year (approved)", "kEUR/year", True, 100),
    ("Budget: € 15.000", "EUR", True, 15_000),
    ("200k€ or less", "kEUR", True, 200),
    ("The budget is currently at most 200k€", "kEUR", True, 200),
    ("From now on no more than 3 days", "days", True, 3),
    ("no more than 3 days", "hours", True, 72),
    ("an answer within 24 hours until 2029", "h", True, 24),
    ("maximum 5.5 %", "%", True, 5.5),
    ("a cap of 1.5 million euros", "EUR", True, 1_500_000),
    ("not less than 4.0 points", "points", False, 4),
    ("we keep 12 people or more", "people", False, 12),
    ("at least 30 hours a week", "hours a week", False, 30),
    ("At most 28 volunteer hours a week", "hours a week", True, 28),
    ("at least 140 dairy families", "families", False, 140),
    ("No teacher travels more than 4 hours a week; this is firm", "hours a week", True, 4),
    ("nobody works fewer than 20 hours", "hours", False, 20),
    ("never more than 3 days", "days", True, 3),
    ("höchstens 20 Tage", "Tage", True, 20),
]
NO_LIMIT = [
    "The commute is at most 10 min longer than today",
    "Rent at most 2,000 EUR a month above the current one",
    "Höchstens 2.000 Euro mehr als heute",
    "At most 5 days longer than it is now",
    "It must not grow by more than 10 min",
    "Costs drop by at least 5,000 EUR",
    "Walking distance (10 min) to the station",
    "An alarm in 0.5 min",
    "Running by 1 September 2027; delivery takes 5 months",
    "We have 38 people",
    "The law",
    "",
    "over 8 weeks is too long",
    "under 60 seats is out of the question",
    "Anything over 60,000 EUR needs the board's approval",
    "If it costs more than 60,000 EUR we stop",
    "Under 10 or over 30 days",
    "Raise the share from 10 to 20 %",
    "Open from 2026 to 2028",
    "not between 10 and 20 days",
    "from 20 to 10 days",
    "We don't want a solution that costs more than 230,000 euros",
    "We surely don't want a solution that is more than 230,000 euros",
    "Costs over 230,000 euros are a no-go",
    "Over 150,000 euros we have to tender",
    "Purchases that cost over 230,000 euros go to the board",
    "The lease runs for more than 12 months",
    "A delay of more than 3 weeks would hurt",
    "More than 30 people want it",
    "We need someone who is over 18 years",
    "Purchases that cost under 10,000 euros do not need a tender",
    "Under 10,000 euros the manager decides",
    "We don't want a solution that will cost less than 10,000 euros",
]


@pytest.mark.req("TR-08", "FA-15")
@pytest.mark.parametrize(("text", "unit", "is_upper", "number"), READ)
def test_a_limit_is_read_with_its_side_and_its_unit(text: str, unit: str, is_upper: bool, number: float) -> None:
    found = next(iter(read_bounds(text)))
    assert found.is_upper is is_upper
    assert found.amount.read_in(unit) == pytest.approx(number)
    over = number * (1.01 if is_upper else 0.99)
    assert found.allows(number, number)
    assert found.allows(number * (0.99 if is_upper else 1.01), number)
    assert not found.allows(over, number)


@pytest.mark.parametrize(
    ("text", "is_upper", "is_equal_allowed"),
    [
        ("Cost under 60,000 EUR", True, False),
        ("Cost below: 60,000 EUR", True, False),
        ("We want a solution that costs less than 60,000 EUR in the first year", True, False),
        ("Less than 60,000 EUR, and we must begin in May", True, False),
        ("Income of more than 60,000 EUR a year", False, False),
        ("Not under 60,000 EUR or over 90,000 EUR", False, True),
        ("Less than about 60,000 EUR", True, False),
        ("Budget: fewer than 60,000 EUR", True, False),
        ("Cost < 60,000 EUR", True, False),
        ("Cost <= 60,000 EUR", True, True),
        ("Income > 60,000 EUR", False, False),
        ("Income >= 60,000 EUR", False, True),
        ("Not under 60,000 EUR", False, True),
        ("No less than 60,000 EUR", False, True),
        ("Not more than 60,000 EUR", True, True),
        ("Up to 60,000 EUR", True, True),
        ("60,000 EUR or less", True, True),
        ("60,000 EUR or below", True, True),
        ("Less than or equal to 60,000 EUR", True, True),
        ("Lower than 60,000 EUR", True, False),
        ("It must not go over 60,000 EUR", True, True),
        ("It must not exceed 60,000 EUR", True, True),
        ("We can't pay above 60,000 EUR", True, True),
        ("Nothing over 60,000 EUR", True, True),
        ("Over 60,000 EUR", False, False),
        ("It must be above 60,000 EUR", False, False),
        ("More than 60,000 EUR", False, False),
        ("More than about 60,000 EUR", False, False),
        ("It has to exceed 60,000 EUR", False, False),
        ("Higher than 60,000 EUR", False, False),
        ("60,000 EUR or above", False, True),
        ("60,000 EUR upwards", False, True),
        ("No lower than 60,000 EUR", False, True),
        ("It may never fall below 60,000 EUR", False, True),
        ("A budget of at least 60,000 EUR", False, True),
    ],
)
def test_an_amount_equal_to_a_limit_breaks_one_that_says_under_or_over_and_keeps_one_that_says_at_most_or_at_least(
    text: str, is_upper: bool, is_equal_allowed: bool
) -> None:
    (bound,) = read_bounds(text)
    assert bound.is_upper is is_upper
    assert bound.allows(60_000, 60_000) is is_equal_allowed
    assert bound.allows(0.1 + 0.2, 0.3) is is_equal_allowed, "in spite of last digits"
    assert bound.allows(59_999 if is_upper else 60_001, 60_000)
    assert not bound.allows(60_001 if is_upper else 59_999, 60_000)


BOTH_SIDES = [
    ("from 10 to 20 days", (10, 20), (9.9, 20.1)),
    ("From about 10 days to 20 days", (10, 20), (9.9, 20.1)),
    ("between 10 and 20 days", (10, 20), (9.9, 20.1)),
    ("between 2 weeks and 20 days", (14, 20), (13.9, 20.1)),
    ("at least 10 and at most 20 days", (10, 20), (9.9, 20.1)),
    ("at most 20 and at least 10 days", (10, 20), (9.9, 20.1)),
    ("more than 10 days but fewer than 20 days", (10.1, 19.9), (10, 20)),
    ("over 10 to 20 days", (10.1, 20), (10, 20.1)),
    ("within 10 to 20 days", (0, 20), (20.1, 99)),
    ("a limit of 10 to 20 days", (0, 20), (20.1, 99)),
    ("at least 10 to 20 days", (10, 99), (0, 9.9)),
]


@pytest.mark.req("TR-08")
@pytest.mark.parametrize(("text", "kept", "broken"), BOTH_SIDES)
def test_both_ends_of_a_limit_hold_and_of_a_rough_number_the_end_that_its_word_speaks_of(
    text: str, kept: tuple[float, float], broken: tuple[float, float]
) -> None:
    assert [_keeps(text, "days", each) for each in (*kept, *broken)] == [True, True, False, False]


def _keeps(text: str, unit: str, amount: float) -> bool:
    bounds = [(each, each.amount.read_in(unit)) for each in read_bounds(text)]
    read = [(each, number) for each, number in bounds if number is not None]
    assert len(read) == len(bounds) > 0, "each limit names its unit"
    return all(each.allows(amount, number) for each, number in read)


SIDES: dict[str, Callable[[int, int], bool]] = {
    "over {}": gt,
    "above {}": gt,
    "more than {}": gt,
    "at least {}": ge,
    "no less than {}": ge,
    "not under {}": ge,
    "{} or more": ge,
    "under {}": lt,
    "below {}": lt,
    "less than {}": lt,
    "at most {}": le,
    "no more than {}": le,
    "not over {}": le,
    "{} or less": le,
}


@given(
    st.sampled_from([*SIDES]), st.sampled_from(["", "Cost: ", "The cost has to be "]), st.integers(2, 10**6), st.data()
)
def test_a_lower_limit_is_read_as_strictly_as_an_upper_one(
    form: str, begun: str, number: int, data: st.DataObject
) -> None:
    amount = data.draw(st.one_of(st.integers(number - 1, number + 1), st.integers(0, 2 * 10**6)))
    text = f"{begun}{form.format(f'{number:,} EUR')}"
    assert _keeps(text, "EUR", amount) is SIDES[form](amount, number), text


@given(
    st.sampled_from(
        ["from {} to {}", "between {} and {}", "at least {} and at most {}", "at most {1} and at least {0}"]
    ),
    st.integers(2, 1_000),
    st.integers(1, 1_000),
    st.integers(0, 2_500),
)
def test_a_limit_with_both_ends_is_kept_exactly_from_the_one_to_the_other(
    form: str, low: int, more: int, amount: int
) -> None:
    text = form.format(f"{low} EUR", f"{low + more} EUR")
    assert _keeps(text, "EUR", amount) is (low <= amount <= low + more), text


@pytest.mark.parametrize("text", NO_LIMIT)
def test_a_number_without_a_side_sets_no_limit(text: str) -> None:
    assert not list(read_bounds(text))


@pytest.mark.req("TR-08")
def test_an_unlike_unit_is_not_compared_and_an_unlike_period_only_loosely() -> None:
    (money,) = read_bounds("at most 200,000 euros")
    assert money.amount.read_in("hours") is None
    assert money.amount.read_in("euros a year") is None
    assert money.amount.read_loosely("kEUR/year") == 200
    assert money.amount.read_loosely("hours") is None
    (bare,) = read_bounds("Max 200k incl. installation")
    assert (bare.amount.read_in("USD"), bare.amount.read_loosely("kUSD a year")) == (None, 200)
    assert bare.amount.read_loosely("people") is None
    (monthly,) = read_bounds("Max 15k a month")
    assert monthly.amount.read_loosely("kEUR a year") == 180, "its own period is known"
    (time,) = read_bounds("at most 5 months")
    assert time.amount.read_loosely("hours a week") is None
    assert split_period("k EUR per month") == ("k EUR", "month")
    assert split_period("people") == ("people", "")


@pytest.mark.req("TR-08")
@given(
    st.integers(1, 900), st.sampled_from(["k euros", "euros", "million euros"]), st.integers(1, 10**9), st.booleans()
)
def test_an_amount_breaks_a_limit_exactly_if_it_is_on_the_wrong_side_in_any_unit(
    number: int, unit: str, amount: int, is_upper: bool
) -> None:
    text = f"{'at most' if is_upper else 'at least'} {number} {unit} for all"
    euros = number * {"k euros": 1_000, "euros": 1, "million euros": 1_000_000}[unit]
    (bound,) = read_bounds(text)
    assert bound.amount.read_in("EUR") == pytest.approx(euros)
    assert bound.allows(amount, euros) is (amount <= euros if is_upper else amount >= euros)


def test_the_numbers_of_a_text_are_read_with_what_can_be_their_units() -> None:
    one, other = read_written_amounts("240,000 euros, 72k less a year")
    assert (one.number, one.tail, one.period) == (240_000, ("euros",), "")
    assert (other.number, other.tail, other.period, other.is_scaled) == (72_000, ("less",), "a year", True)


SPANS = [
    ("10 to 30 days", "days", (10, 30), (9, 31)),
    ("10 days to 30 days", "days", (10, 30), (9, 31)),
    ("2 weeks to 30 days", "days", (14, 30), (13, 31)),
    ("between 10 and 30", "days", (10, 30), (9, 31)),
    ("10–30 kEUR", "EUR", (10_000, 30_000), (9_999, 30_001)),
    ("10k–30k EUR", "kEUR", (10, 30), (9.9, 30.1)),
    ("€10–30 a year", "EUR/year", (10, 30), (9, 31)),
    ("from €10 to €30k", "EUR", (10_000, 30_000), (9_999, 30_001)),
    ("10-30", "points", (10, 30), (9, 31)),
    ("EUR 10 to EUR 30", "EUR", (10, 30), (9, 31)),
    ("10 – $30k", "USD", (10_000, 30_000), (9_999, 30_001)),
    ("over 3 to 7 h", "hours", (3.1, 7), (3, 7.1)),
    ("over 12", "hours", (12.1, 50), (12, 11)),
    ("more than 12 hours", "hours", (12.1, 50), (12, 11)),
    ("no more than 12 hours", "hours", (0, 12), (12.1, 50)),
    ("3 h or less", "hours", (0, 3), (3.1, 50)),
    ("0.5 or fewer", "breaches", (0, 0.5), (0.6, 50)),
    ("under 3.5", "points", (0, 3.4), (3.5, 50)),
    ("4.7 or more", "points", (4.7, 50), (4.6, 0)),
    ("over 10, at most 30 days", "days", (10.1, 30), (10, 31)),
    ("15-19k", "EUR", (15_000, 19_000), (14_900, 19_100)),
    ("3 to 4 min", "min", (3, 4), (2.9, 4.1)),
]
NO_SPAN = [
    "10 bis 12 Tage länger",
    "saves 40 or more",
    "costs 10 to 60 more",
    "costs over 60 more",
    "within plus or minus 10",
    "10 days faster",
    "10 to 30 days less than today",
    "-5 to 5",
    "level 1",
    "10 and 30",
    "under 10 or over 30",
    "10 to 30 people",
    "within 10 to 30 days",
    "much the same",
]


@pytest.mark.parametrize(("text", "unit", "within", "outside"), SPANS)
def test_a_defined_span_is_read_with_both_ends_in_the_unit_of_the_amounts(
    text: str, unit: str, within: tuple[float, float], outside: tuple[float, float]
) -> None:
    def is_within(amount: float) -> bool:
        return all(bound.allows(amount, end) for bound, end in read_span(text, unit))

    assert read_span(text, unit)
    assert [is_within(each) for each in (*within, *outside)] == [True, True, False, False]


@pytest.mark.parametrize("text", NO_SPAN)
def test_a_difference_a_number_without_a_side_and_what_no_amount_can_keep_define_no_span(text: str) -> None:
    assert read_span(text, "days") == ()


def test_without_a_unit_a_span_is_read_in_none() -> None:
    assert [end for _, end in read_span("10 to 30", "")] == [10, 30]
    assert read_span("10 to 30 days", "") == ()
