"""Numbers and dates are read in the forms in which people write them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.tracing import figure_forms
from app.decision.tracing.figures import (
    Amount,
    Clock,
    Day,
    Figure,
    Quarter,
    Relative,
    Weekday,
    is_calendar_day,
    read_figures,
)
from app.decision.tracing.said import SaidFigures, Statement

FIFTEEN = Decimal(15_000)


def stated(text: str) -> list[str]:
    return [each.text for each in read_figures(text) if each.is_stated]


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    "text", ["15k", "15.000", "15,000", "15 000", "15’000", "15 K", "15000", "fifteen thousand", "15 thousand", "15,0k"]
)
def test_an_amount_is_the_same_in_every_form(text: str) -> None:
    (figure,) = read_figures(f"about {text} more")
    assert figure.readings == {Amount(FIFTEEN)}


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("€15k", Amount(FIFTEEN, figure_forms.MONEY)),
        ("15,000.00 euros", Amount(FIFTEEN, figure_forms.MONEY)),
        ("1.5 M", Amount(Decimal(1_500_000))),
        ("12 %", Amount(Decimal(12), figure_forms.PERCENT)),
        ("12 percent", Amount(Decimal(12), figure_forms.PERCENT)),
        ("two weeks", Amount(Decimal(2), figure_forms.SECONDS, 604_800)),
        ("a 5-day", Amount(Decimal(5), figure_forms.SECONDS, 86_400)),
        ("forty-two", Amount(Decimal(42))),
        ("twenty five people", Amount(Decimal(25))),
        ("three hundred and fifty", Amount(Decimal(350))),
        ("a hundred and one", Amount(Decimal(101))),
        ("fifteen hundred", Amount(Decimal(1_500))),
        ("one hundred and twenty thousand euros", Amount(Decimal(120_000), figure_forms.MONEY)),
        ("three million two hundred thousand", Amount(Decimal(3_200_000))),
        ("two thousand and five", Amount(Decimal(2_005))),
        ("a couple of hundred thousand", Amount(Decimal(200_000))),
        ("a couple of weeks", Amount(Decimal(2), figure_forms.SECONDS, 604_800)),
        ("two dozen", Amount(Decimal(24))),
        ("half a dozen", Amount(Decimal(6))),
        ("3 dozen", Amount(Decimal(36))),
        ("a million", Amount(Decimal(1_000_000))),
        ("half a million", Amount(Decimal(500_000))),
        ("a quarter of a million", Amount(Decimal(250_000))),
        ("three quarters of a million", Amount(Decimal(750_000))),
        ("a million and a half", Amount(Decimal(1_500_000))),
        ("three and a half grand", Amount(Decimal(3_500))),
        ("10 grand", Amount(Decimal(10_000))),
        ("two and a half years", Amount(Decimal("2.5"), figure_forms.MONTHS_LONG, 12)),
        ("2 and a half years", Amount(Decimal("2.5"), figure_forms.MONTHS_LONG, 12)),
        ("2½ days", Amount(Decimal("2.5"), figure_forms.SECONDS, 86_400)),
        ("an hour and a half", Amount(Decimal("1.5"), figure_forms.SECONDS, 3_600)),
        ("200 quid", Amount(Decimal(200), figure_forms.MONEY)),
        ("forty to fifty thousand", Amount(Decimal(40_000))),
        ("8 o'clock", Clock(20 * 60)),
        ("um 17 Uhr", Clock(17 * 60)),
        ("midnight", Clock(24 * 60)),
        ("H2 2027", Quarter(2027, 4)),
        ("the second half of next year", Quarter(0, 3)),
        ("by Christmas", Day(0, 12, 25)),
        ("KW 50", Relative("week 50")),
        ("EOY", Relative("end of year")),
        ("quarter-end", Relative("end of quarter")),
        ("half a year", Amount(Decimal("0.5"), figure_forms.MONTHS_LONG, 12)),
        ("0.125", Amount(Decimal("0.125"))),
        ("14 March", Day(0, 3, 14)),
        ("the 14th of March 2027", Day(2027, 3, 14)),
        ("March 14th, 2027", Day(2027, 3, 14)),
        ("2027-03-14", Day(2027, 3, 14)),
        ("14.03.2027", Day(2027, 3, 14)),
        ("14.3.27", Day(2027, 3, 14)),
        ("3/14", Day(0, 3, 14)),
        ("3/14/2027", Day(2027, 3, 14)),
        ("March 2027", Day(2027, 3)),
        ("by March", Day(0, 3)),
        ("by end of january", Day(0, 1)),
        ("before january", Day(0, 1)),
        ("end january", Day(0, 1)),
        ("in may", Day(0, 5)),
        ("end of jan", Day(0, 1)),
        ("am 14. März", Day(0, 3, 14)),
        ("Q3 2027", Quarter(2027, 3)),
        ("before q4 2027", Quarter(2027, 4)),
        ("ends Q3 27", Quarter(2027, 3)),
        ("ends q3 '27", Quarter(2027, 3)),
        ("Q1-Q2 27", Quarter(2027, 2)),
        ("in Q1 30 people leave", Amount(Decimal(30))),
        ("mid feb", Day(0, 2, 15)),
        ("mid-February", Day(0, 2)),
        ("end feb", Day(0, 2)),
        ("the end of march 27", Day(2027, 3)),
        ("in March '27", Day(2027, 3)),
        ("half a developer", Amount(Decimal("0.5"))),
        ("a half, none", Amount(Decimal("0.5"))),
        ("half of them", Amount(Decimal(50), figure_forms.PERCENT)),
        ("by Friday", Weekday(4)),
        ("5 pm", Clock(17 * 60)),
        ("17:00", Clock(17 * 60)),
        ("9:30 am", Clock(9 * 60 + 30)),
    ],
)
def test_each_form_of_a_figure_is_read(text: str, reading: object) -> None:
    assert reading in {each for figure in read_figures(text) for each in figure.readings}


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("Q1 30%", Quarter(2030, 1)),
        ("Q1 30,000", Quarter(2030, 1)),
        ("Q1 30k", Quarter(2030, 1)),
        ("by March 27", Day(2027, 3)),
        ("the end of March 12", Day(2012, 3)),
        ("the end of 27.3.", Day(2027, 3)),
        ("the first half", Amount(Decimal("0.5"))),
        ("half a year", Amount(Decimal("0.5"))),
    ],
)
def test_two_digits_are_no_year_and_a_half_no_number_where_people_mean_another_thing(
    text: str, reading: object
) -> None:
    assert reading not in {each for figure in read_figures(text) for each in figure.readings}


def test_what_can_mean_two_things_has_both_readings() -> None:
    assert read_figures("3/5")[0].readings == {Day(0, 3, 5), Day(0, 5, 3)}
    assert read_figures("3/4 of us")[0].readings == {
        *(Day(0, 3, 4), Day(0, 4, 3)),
        *(Amount(Decimal("0.75")), Amount(Decimal(75), figure_forms.PERCENT)),
    }
    assert read_figures("1.255")[0].readings == {Amount(Decimal(1255)), Amount(Decimal("1.255"))}
    assert read_figures("It costs 1.5.")[0].readings == {Amount(Decimal("1.5")), Day(0, 5, 1)}
    assert read_figures("50 kEUR")[0].readings == {
        Amount(Decimal(50_000), figure_forms.MONEY),
        Amount(Decimal(50), figure_forms.SCALED),
    }
    assert [each.text for each in read_figures("15–20k")] == ["15", "20k"]
    assert Amount(FIFTEEN) in read_figures("15–20k")[0].readings


def test_the_amounts_of_a_figure_stand_in_one_order() -> None:
    readings = [
        Amount(Decimal(value), unit) for value, unit in ((70_000, figure_forms.MONEY), (70, ""), (50, "%"), (0, ""))
    ]
    assert Figure("70k", 0, frozenset(readings[::-1])).amounts == tuple(readings)


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("15T€", Amount(FIFTEEN, figure_forms.MONEY)),
        ("15 TEUR", Amount(FIFTEEN, figure_forms.MONEY)),
        ("24:00", Clock(24 * 60)),
        ("23:59", Clock(23 * 60 + 59)),
    ],
)
def test_thousands_of_euros_and_the_ends_of_a_day_are_read(text: str, reading: object) -> None:
    assert reading in {each for figure in read_figures(text) for each in figure.readings}


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("€2000", {Amount(Decimal(2_000), figure_forms.MONEY)}),
        ("2000 euros", {Amount(Decimal(2_000), figure_forms.MONEY)}),
        ("2000 thousand", {Amount(Decimal(2_000_000))}),
        ("2000", {Amount(Decimal(2_000)), Day(year=2000)}),
        ("1899", {Amount(Decimal(1_899))}),
        ("2101", {Amount(Decimal(2_101))}),
        ("2100", {Amount(Decimal(2_100)), Day(year=2100)}),
        ("1900", {Amount(Decimal(1_900)), Day(year=1900)}),
        ("0.125", {Amount(Decimal("0.125"))}),
        ("1.234.567", {Amount(Decimal(1_234_567))}),
        ("1.250", {Amount(Decimal(1_250))}),
        ("1,234,567", {Amount(Decimal(1_234_567))}),
    ],
)
def test_an_amount_is_not_also_taken_for_what_it_cannot_be(text: str, readings: set[object]) -> None:
    (figure,) = read_figures(f"about {text} more")
    assert figure.readings == readings


@pytest.mark.parametrize("text", ["they march there", "it may do", "this may change", "to mar it", "sept-et", "decade"])
def test_a_word_that_is_also_a_months_name_is_no_month_in_small_letters(text: str) -> None:
    assert list(read_figures(text)) == []


@pytest.mark.parametrize(
    ("text", "figure"), [("It saves 15k.", "15k"), ("5 Mio. EUR", "5 Mio. EUR"), ("5 Mio. Then", "5 Mio")]
)
def test_the_full_stop_of_a_sentence_is_no_part_of_a_figure(text: str, figure: str) -> None:
    assert [each.text for each in read_figures(text)] == [figure]


@pytest.mark.parametrize("between", ["-", "–", "—", " – ", " to ", " or ", " and "])
def test_the_first_figure_of_a_range_has_the_scale_of_the_second(between: str) -> None:
    first, _ = read_figures(f"about 15{between}20k more")
    assert Amount(FIFTEEN) in first.readings
    assert Amount(FIFTEEN) not in read_figures("about 15, then 20k more")[0].readings


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    "text",
    [
        "A1 and A12", "GPT-4", "CO2", "1. First\n2) Second", "rated +2, then −1", "2 steps better",
        "v2 and version 3.1", "draft 4",
        "<@U0123> and <https://example.org/2026/03>", "https://example.org/15000", "open 24/7", "one of them",
        "two options", "the sun", "as Sat, so Sun", "Do so", "it may march on", "1st", "a week", "0 or 1", "1" * 20,
        "tomorrow",
    ],
)  # fmt: skip
def test_what_states_no_amount_is_left_out(text: str) -> None:
    assert stated(text) == []


@pytest.mark.parametrize("text", ["31/31", "0000-00-00", "32.13.", "99:99", "25:61 pm", "25:00", "12:60"])
def test_what_is_no_day_or_time_is_read_as_numbers(text: str) -> None:
    assert not [each for each in read_figures(text) if each.is_date]
    assert not [each for figure in read_figures(text) for each in figure.readings if isinstance(each, Clock)]
    assert not is_calendar_day(2026, 2, 29)


def test_a_small_number_with_a_unit_states_an_amount() -> None:
    assert stated("in one week, 1 day, +2 % and sub-10k, 15kg") == ["one week", "1 day", "+2 %", "10k", "15"]


@given(st.text(max_size=300))
def test_any_text_is_read_and_each_figure_stands_where_it_says(text: str) -> None:
    for figure in read_figures(text):
        assert text[figure.start : figure.end] == figure.text


@given(st.integers(2, 10**9))
def test_a_number_is_said_in_each_of_its_forms_and_another_number_is_not(number: int) -> None:
    shapes = (f"{number}", f"{number:,}", f"{number:,}".replace(",", "."), f"{number:,}".replace(",", " "))
    for said in shapes:
        index = SaidFigures.of([Statement(f"It is {said} of them")])
        for shape in shapes:
            assert index.knows(read_figures(f"with {shape} now")[0])
        assert not index.knows(read_figures(f"with {number + 1} now")[0])


@given(st.from_regex(r"[0-9]{1,17}(?:[.,][0-9]{1,4})?", fullmatch=True))
def test_a_number_on_its_own_is_read_as_between_other_lines(number: str) -> None:
    alone, between = read_figures(number), read_figures(f"\n{number}\n")
    assert [(each.text, each.readings, each.is_stated) for each in alone] == [
        (each.text, each.readings, each.is_stated) for each in between
    ]
