"""A share or a multiple of an amount, and a time in other units, pass as said and are shown as worked out."""

from __future__ import annotations

from typing import Any

import pytest

from app.decision.record import DecisionRecord
from app.decision.tracing.figures import read_figures
from app.decision.tracing.said import SaidFigures, Statement
from app.decision.tracing.tracing import trace_figures
from app.decision.tracing.worked_out.shares import MOST_BASES, read_shares
from tests.unit.decision.components.worked import TODAY
from tests.unit.decision.tracing.test_sums import record


def traced(draft: Any, *said: str, so_far: DecisionRecord | None = None) -> tuple[list[str], list[str]]:
    """The figures that nobody said, and the equations of those that follow from what was said."""
    whole = {"synthesis": draft} if isinstance(draft, str) else draft
    found = trace_figures(whole, SaidFigures.of(map(Statement, said)), so_far or DecisionRecord({}, TODAY))
    return [each.text for each in found.unsaid], [*found.sums]


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("said", "drafted", "equation"),
    [
        ("Dmitri asks 95k, Anna 20 % less than Dmitri", "Anna asks 76k", "76,000 = 95,000 − 20 %"),
        ("at least 20% cheaper than the agency, which is 140k", "at most 112,000", "112,000 = 140,000 − 20 %"),
        ("The fit-out is 20 % of 180k", "36,000 euros", "36,000 = 20 % of 180,000"),
        ("19 % VAT on 50k", "9,500", "9,500 = 19 % of 50,000"),
        ("The rent is 180.000 €. They give us 12,5 % off", "157,500 euros", "157,500 = 180,000 − 12.5 %"),
        ("40k today, 10 percent more next year", "44k", "44,000 = 40,000 + 10 %"),
        ("It is at 9 hours and I want that halved", "from 9 to 4.5 hours", "4.5 = 9 ÷ 2"),
        ("9 hours today, half of that", "4.5 hours", "4.5 = half of 9"),
        ("9 hours today, Bert gets it down by a third", "6 hours", "6 = 9 − a third"),
        ("Rent is 62k, and it will double", "124k", "124,000 = 62,000 × 2"),
        ("Today 1.200,50 € rent. Nordkai wants 24,50 €, Altes Werk double", "2,401 €", "2,401 = 1,200.5 × 2"),
        ("5k, and tripled in a year", "15k", "15,000 = 5,000 × 3"),
        ("95k a year, minus a third", "95k", ""),
        ("Dmitri asks 95 kEUR, Anna 20 % less", "76,000 EUR", "76,000 = 95,000 − 20 %"),
    ],
)
def test_what_a_share_of_an_amount_comes_to_was_said_and_is_shown_with_its_terms(
    said: str, drafted: str, equation: str
) -> None:
    assert traced(drafted, said) == ([], [equation] if equation else [])


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("said", "drafted", "equation"),
    [
        ("It takes 35 to 40 days", "37.5 days", "37.5 = (35 + 40) ÷ 2"),
        ("35–40k, I guess", "37,500", "37,500 = (35,000 + 40,000) ÷ 2"),
        ("between €35k and €40k", "37.5k", "37,500 = (35,000 + 40,000) ÷ 2"),
        ("zwischen 7 und 8 Stunden", "7.5 hours", "7.5 = (7 + 8) ÷ 2"),
        ("7-10 % of the calls", "8.5 %", "8.5 = (7 + 10) ÷ 2"),
    ],
)
def test_the_middle_of_a_range_that_people_gave_is_shown_as_worked_out(said: str, drafted: str, equation: str) -> None:
    assert traced(drafted, said) == ([], [equation])


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("said", "drafted"),
    [
        ("35 and 40 days", "37.5 days"),
        ("35 days to 40 euros", "37.5 days"),
        ("40 to 35 days", "37.5 days"),
        ("35 to 40 days", "37.5 euros"),
        ("35 to 40 days", "38.5 days"),
    ],
)
def test_what_is_not_the_middle_of_one_range_was_not_said(said: str, drafted: str) -> None:
    unsaid, sums = traced(drafted, said)
    assert len(unsaid) == 1
    assert not sums


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("said", "drafted"),
    [
        ("Dmitri asks 95k, Anna 20 % less than Dmitri", "114k"),
        ("Dmitri asks 95k, and 20 % of the team knows him", "71k"),
        ("Dmitri asks 95k, there is a chance of 20 %", "76k"),
        ("20 % less than Dmitri", "76k"),
        ("9 hours, and I want that halved", "4.5 days"),
        ("Half of them know it. It takes 9 hours", "4.5 hours"),
    ],
)
def test_no_share_that_nobody_said_of_an_amount_passes(said: str, drafted: str) -> None:
    assert traced(drafted, said) == ([drafted], [])


@pytest.mark.req("FA-14")
def test_what_is_no_whole_number_may_be_rounded_and_a_whole_number_may_not() -> None:
    said = "95k, and a third less"
    assert traced("63,333 euros", said)[0] == []
    assert traced("63.3k", said)[0] == []
    assert traced("60k", said)[0] == ["60k"]
    assert traced("76,100 euros", "95k, and 20 % less")[0] == ["76,100 euros"]


@pytest.mark.req("FA-14")
def test_a_text_may_work_out_a_share_of_what_was_said_and_of_nothing_else() -> None:
    said = ("The agency takes 140k", "about 20 %")
    assert traced("112k, 20 % below the 140k of the agency", *said) == ([], ["112,000 = 140,000 − 20 %"])
    assert traced("105k, 25 % below the 140k of the agency", *said)[0] == ["105k", "25 %"]
    assert traced("105k, three quarters of the 140k", *said)[0] == ["105k", "three quarters"]
    assert traced("280k, twice the 140k of the agency", *said)[0] == []


@pytest.mark.req("FA-14")
def test_an_amount_beside_a_rating_may_be_a_share_of_another_one_on_its_objective() -> None:
    cell = {
        "alternative_id": "A3",
        "objective_id": "O5",
        "rating": 1,
        "quant_value": 155_000,
        "quant_unit": "kWh a year",
    }
    said = "It halves what we use today"
    told = {"notes": [{**cell, "rationale": said}]}
    assert traced(told, said, "today 310,000 kWh", so_far=record()) == ([], ["155,000 = 310,000 ÷ 2"])
    assert traced({"notes": [cell]}, said, "today 310,000 kWh", so_far=record())[0] == ["155,000"]
    assert traced({"notes": [{**cell, "objective_id": "O9", "rationale": said}]}, said, so_far=record())[0]


@pytest.mark.req("FA-14", "TR-08")
@pytest.mark.parametrize(
    ("said", "drafted", "equation"),
    [
        ("Anna in 3 months", "13 weeks", "13 weeks ≈ 3 months"),
        ("Anna in 3 months", "91 days", "91 days ≈ 3 months"),
        ("13 weeks from now", "3 months", "3 months ≈ 13 weeks"),
        ("90 days", "3 months", "3 months ≈ 90 days"),
        ("three months", "90 days", "90 days ≈ 3 months"),
    ],
)
def test_months_that_were_said_may_stand_as_weeks_or_days_and_the_other_way(
    said: str, drafted: str, equation: str
) -> None:
    assert traced(drafted, said) == ([], [equation])


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("said", "drafted"),
    [("3 months", "14 weeks"), ("3 months", "2 hours"), ("20 %", "13 weeks"), ("13 weeks", "4 months")],
)
def test_another_length_of_time_stays_unsaid(said: str, drafted: str) -> None:
    assert traced(drafted, said)[0] == [drafted]


def test_a_text_without_a_share_has_none() -> None:
    assert [*read_shares("95k and 76k")] == []
    assert [*read_shares("They halved it")] == [], "nobody has said what it was"


@pytest.mark.req("FA-14")
def test_options_may_be_compared_by_a_word_of_their_names() -> None:
    """Names of the baker's options: Keep repairing, Gas oven, Two electric ovens, One electric oven."""
    so_far = record()
    said = ("gas 175,000, two 168,000",)
    assert traced("The gas oven costs 65,000 euros more than today", *said, so_far=so_far) == (
        [],
        ["65,000 = 175,000 − 110,000"],
    )
    cell = {
        "alternative_id": "A3",
        "objective_id": "O4",
        "rating": 1,
        "rationale": "7,000 euros less than the gas oven",
    }
    assert traced({"notes": [cell]}, *said, so_far=so_far) == ([], ["7,000 = 175,000 − 168,000"])
    assert traced("An oven costs 7,000 euros less", *said, so_far=so_far)[0] == ["7,000 euros"], "it may be any oven"


@pytest.mark.req("FA-14")
def test_what_a_share_comes_to_may_be_worked_out_further() -> None:
    assert traced("2,401 € a month, 28,812 € a year", "1,200.50 € today, Altes Werk double") == (
        [],
        ["2,401 = 1,200.5 × 2", "28,812 = 2,401 × 12"],
    )


@pytest.mark.req("FA-14", "TR-08")
def test_a_price_for_a_square_metre_and_the_square_metres_make_a_rent() -> None:
    told = "24.50 €/m² a month, so 10,290 € a month for 420 m²"
    assert traced(told, "Nordkai wants 24,50 €/m² a month for 420 m²") == ([], ["10,290 = 24.5 × 420"])
    assert traced(told, "Nordkai wants 24,50 €/m² a month for 430 m²")[0] == ["10,290 €", "420"]
    assert [each.amounts[0].value for each in read_figures("420 m² and 3 m³")] == [420, 3], "no millions"


@pytest.mark.req("FA-14")
def test_an_amount_is_divided_by_a_number_of_things_only_where_that_is_written() -> None:
    said = "so about 54k. That would be worth 54k / 36 months more rent a month"
    assert traced("54k / 36 months: 1,500 more rent a month", said) == ([], ["1,500 = 54,000 ÷ 36"])
    assert traced("54k over 36 months, 1,500 a month", said) == ([], ["1,500 = 54,000 ÷ 36"])
    apart = "so about 54k, for 36 months"
    assert traced("54k over 36 months, 1,500 a month", apart) == ([], ["1,500 = 54,000 ÷ 36"])
    assert traced("54k in 36 months, 1,500 a month", apart)[0] == ["1,500"]
    assert traced("18 CHF for each of 38 desks: 684 CHF a day", "18 CHF per desk, 38 desks") == (
        [],
        ["684 = 18 × 38"],
    )


@pytest.mark.req("FA-14")
def test_a_share_is_of_amounts_near_it_however_many_a_text_has() -> None:
    between = ", ".join(f"{number}k" for number in range(201, 201 + MOST_BASES))
    assert traced("76k", f"95k, {between}, and 20 % less")[0] == ["76k"]
    assert traced("76k", f"95k, {between.partition(', ')[2]}, and 20 % less")[0] == []
    assert len([*read_shares("50 % of 20k " * 500)]) <= 500 * 2 * MOST_BASES
