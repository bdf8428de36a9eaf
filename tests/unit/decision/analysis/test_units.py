"""Units as people write them: what is one unit in two spellings, what converts, and what does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.analysis.amounts.collecting import Amount, collect_amounts
from app.decision.analysis.amounts.units import convert


@pytest.mark.req("TR-08")
@pytest.mark.parametrize(
    ("amount", "start", "end", "expected"),
    [
        (88_000, "EUR", "kEUR", 88),
        (1, "MEUR", "kEUR", 1_000),
        (1.2, "M€", "€", 1_200_000),
        (2, "m€", "k €", 2_000),
        (1, "TEUR", "euros", 1_000),
        (10, "Mio. €", "EUR", 10_000_000),
        (3, "thousand euro", "€", 3_000),
        (100, "EUR/month", "kEUR per year", 1.2),
        (5, "€ a year", "EUR p.a.", 5),
        (5, "US$/yr", "dollars each year", 5),
        (0.5, "h/request", "minutes per request", 30),
        (3, "hours", "min", 180),
        (2, "days", "h", 48),
        (2, "weeks", "days", 14),
        (1.5, "years", "months", 18),
        (90, "sec", "min", 1.5),
        (30, "%", "percent", 30),
        (30, "pct", "%", 30),
        (30, "Prozent", "%", 30),
        (850, "qm", "m²", 850),
        (14.5, "EUR/sqm", "EUR per m2", 14.5),
        (5, "‰", "%", 0.5),
        (18, "% of all alarms", "%", 18),
        (18, "percent of calls", "% of all calls", 18),
        (4, "k tickets/day", "tickets / week", 28_000),
        (5, "k", "M", 0.005),
        (2, "1000 EUR", "EUR", 2_000),
        (3, "Shifts/agent/month", "shifts/agent/month", 3),
        (7, "", " ", 7),
    ],
)
def test_an_amount_is_the_same_in_another_spelling_or_size_of_its_unit(
    amount: float, start: str, end: str, expected: float
) -> None:
    assert convert(amount, start, end) == pytest.approx(expected, rel=1e-12)
    assert convert(expected, end, start) == pytest.approx(amount, rel=1e-12)


@pytest.mark.req("TR-08")
@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("EUR", "USD"), ("EUR", "EUR/year"), ("FTE", "EUR"), ("h", "EUR/h"), ("days", "working days"), ("%", ""),
        ("", "k"), ("m", "k"), ("0 EUR", "EUR"), ("EUR/month", "month/EUR"),
        ("days of leave", "days"), ("a % off", "%"),
    ],
)  # fmt: skip
def test_what_is_another_kind_of_amount_has_no_conversion(start: str, end: str) -> None:
    assert convert(1, start, end) is None
    assert convert(1, end, start) is None


@given(st.text(max_size=20), st.text(max_size=20), st.floats())
def test_any_text_and_any_number_is_converted_to_a_number_or_not_at_all(start: str, end: str, amount: float) -> None:
    found = convert(amount, start, end)
    assert found is None or abs(found) < float("inf")


def test_a_number_too_large_for_the_other_unit_is_no_number() -> None:
    assert convert(1e308, "MEUR", "EUR") is None


def test_what_is_no_amount_is_none_in_any_unit() -> None:
    assert convert(float("inf"), "EUR", "EUR") is None
    assert convert(float("nan"), "EUR", "EUR") is None


AT = [(f"A{number}", "O1") for number in range(4)]


@pytest.mark.req("TR-08")
def test_one_amount_in_millions_among_thousands_is_brought_to_thousands() -> None:
    given = {AT[0]: Amount(50, "kEUR"), AT[1]: Amount(0.06, "MEUR"), AT[2]: Amount(70, ""), AT[3]: Amount(8e4, "€")}
    found = collect_amounts(given, "kEUR")
    assert (found.unit, dict(found.amounts), found.unlike) == (
        "kEUR", {AT[0]: 50, AT[1]: 60, AT[2]: 70, AT[3]: 80}, (),
    )  # fmt: skip


@pytest.mark.req("TR-08")
def test_the_unit_that_most_amounts_fit_holds_and_the_others_are_named() -> None:
    given = {AT[0]: Amount(2, "FTE"), AT[1]: Amount(50, "kEUR"), AT[2]: Amount(60, "EUR")}
    found = collect_amounts(given, "FTE")
    assert (found.unit, dict(found.amounts), found.unlike) == ("kEUR", {AT[1]: 50, AT[2]: 0.06}, ("FTE",))
    assert collect_amounts({AT[0]: Amount(0, ""), AT[1]: Amount(5, "h")}, "").unlike == ("h",)
    assert collect_amounts({}, "").amounts == {}
