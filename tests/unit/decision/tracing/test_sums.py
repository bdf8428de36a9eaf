"""A sum of what people said passes as said, and is shown as worked out; an invented number does not pass by chance."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from app.decision.tracing.message_uses import DRAFT, Result, find_uses
from app.decision.tracing.said import SaidFigures, Statement
from app.decision.tracing.tracing import trace_figures
from app.decision.tracing.worked_out.sums import read_sums
from tests.unit.decision.components.worked import TODAY, example

OVENS = (
    "We bake for 4 shops, 38 people. The oven is 19 years old. Last Advent we lost two mornings, 14,000 euros.",
    "Max 200k incl. installation, Priya's rule, she could lift it. Running by 1 September 2027, delivered in 5 months.",
    "Night shift: now about 30 hours a week in total. Missed mornings: 8 last year, want 1 at most.",
    "1 keep repairing. 2 new gas deck oven, 165k. 3 two electric ovens, 240k, 72k less if the subsidy comes. "
    "4 buy in the rolls, keep the old oven for bread only. 5 one electric oven and a stand-by for 150k",
    "Cost 5 yrs: today 110k repairs, gas 165k + 10k service so +1, two electrics 168k, rolls about 250k so -2, one "
    "electric 150k -1. The rent is 1,200 euros and the power 900 euros.",
    "kWh: today 310,000. gas 260,000 so +1, two electrics 190,000 +2, one electric 230,000 +1.",
)
"""What a baker said in a decision that was played through."""
SAID = SaidFigures.of(map(Statement, OVENS))


def record() -> DecisionRecord:
    """The baker's approved amounts, with the limit and the status quo."""
    measures = {"O4": ("Keep the cost low", "euros", 110_000), "O5": ("Use less energy", "kWh a year", 310_000)}
    amounts = {"A2": (175_000, 260_000), "A3": (168_000, 190_000), "A5": (150_000, 230_000)}
    names = {"A1": "Keep repairing", "A2": "Gas oven", "A3": "Two electric ovens", "A5": "One electric oven"}
    objectives = [
        {
            "handle": handle,
            "description": name,
            "performance_measure": {"direction": "minimize", "units": unit, "baseline": today},
        }
        for handle, (name, unit, today) in measures.items()
    ]
    cells = [
        {"alternative_id": option, "objective_id": objective, "rating": 1, "quant_value": amount, "quant_unit": unit}
        for option, row in amounts.items()
        for (objective, (_, unit, _)), amount in zip(measures.items(), row, strict=True)
    ]
    results: dict[str, Draft] = {
        "problem_frame": {"focal_decision": {"constraints": ["The cost is at most 200,000 euros"]}},
        "objectives": {"fundamental_objectives": objectives},
        "alternatives": {
            "alternatives": [{"handle": each, "name": name, "description": ""} for each, name in names.items()],
            "status_quo_id": "A1",
        },
        "consequences": {"table": {"cells": cells}},
    }
    return DecisionRecord(results, TODAY)


def traced(draft: dict[str, Any] | str, *said: str) -> tuple[list[str], list[str]]:
    """The figures that nobody said, and the equations of those that follow from what was said."""
    index = SaidFigures.of(map(Statement, said)) if said else SAID
    found = trace_figures({"synthesis": draft} if isinstance(draft, str) else draft, index, record())
    return [each.text for each in found.unsaid], [*found.sums]


STATED = [
    ("gas 165k + 10k service", "175,000 = 165,000 + 10,000"),
    ("gas 165k plus 10k for the service", "175,000 = 165,000 + 10,000"),
    ("165k, and another 10k", "175,000 = 165,000 + 10,000"),
    ("165k +10k", "175,000 = 165,000 + 10,000"),
    ("165k, 10k on top", "175,000 = 165,000 + 10,000"),
    ("240k, 72k less if the subsidy comes", "168,000 = 240,000 − 72,000"),
    ("240,000 euros −72,000", "168,000 = 240,000 − 72,000"),
    ("240k minus 72k", "168,000 = 240,000 − 72,000"),
    ("72k off 240k", "168,000 = 240,000 − 72,000"),
    ("72k less than 240k", "168,000 = 240,000 − 72,000"),
    ("310 − 190 thousand", "120,000 = 310,000 − 190,000"),
    ("165k plus 10k plus 5k euros", "180,000 = 165,000 + 10,000 + 5,000"),
    ("12 % plus 8 %", "20 = 12 + 8"),
]


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(("said", "equation"), STATED)
def test_arithmetic_that_people_state_is_no_invention_and_its_result_is_shown_with_its_terms(
    said: str, equation: str
) -> None:
    result = equation.partition(" ")[0] + (" %" if "%" in said else "")
    assert traced(f"Altogether {result}", said) == ([], [equation])


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    "said",
    ["gas 165k", "165k for gas. 10k for the rent", "2 hours plus 3 days", "165k, 10k", "12 % + 5k"],
)
def test_amounts_that_stand_apart_or_in_unlike_units_make_no_sum(said: str) -> None:
    assert not [each for each in read_sums(said) if not each.topics]


@pytest.mark.req("FA-14")
def test_a_text_may_add_up_what_was_said_and_nothing_else() -> None:
    assert traced("165,000 + 14,000 = 179,000 euros") == ([], ["179,000 = 165,000 + 14,000"])
    assert traced("179,000 euros, that is 165k plus 14k") == ([], ["179,000 = 165,000 + 14,000"])
    assert traced("165,000 + 15,000 = 180,000 euros")[0] == ["15,000", "180,000 euros"]
    assert traced("165,000 + 14,000 = 180,000 euros")[0] == ["180,000 euros"]


@pytest.mark.req("FA-14")
def test_two_amounts_of_one_sentence_count_only_for_what_it_names() -> None:
    said = "The rent is 1,200 euros and the power 900 euros."
    assert traced("Rent and power: 2,100 euros", said) == ([], ["2,100 = 1,200 + 900"])
    assert traced("The power is 300 euros below the rent", said) == ([], ["300 = 1,200 − 900"])
    assert traced("The new shop takes 2,100 euros", said) == (["2,100 euros"], [])
    three = "The rent is 1,200 euros, the power 900 euros and the water 400 euros"
    assert traced("Rent and water: 1,600 euros", three) == (["1,600 euros"], [])
    assert traced("Of the small ones: rent 50 euros", "The rent is 30 euros and the power 20 euros")[0]


@pytest.mark.req("FA-14")
def test_the_difference_of_two_amounts_is_known_where_a_sentence_compares_their_options() -> None:
    saved = ["120,000 = 310,000 − 190,000"]
    assert traced("A3 Two electric ovens leads. It uses 120,000 kWh a year less than today.") == ([], saved)
    assert traced("A3 Two electric ovens uses 120,000 kWh a year less. It exists only with the subsidy.") == ([], saved)
    assert traced("A2 costs 7,000 euros more than A3") == ([], ["7,000 = 175,000 − 168,000"])
    assert traced("A3 stays 32,000 euros below the limit") == ([], ["32,000 = 200,000 − 168,000"])
    cell = {"alternative_id": "A3", "objective_id": "O5", "rating": 2, "rationale": "Saves 120,000 kWh a year"}
    assert traced({"notes": [cell]}) == ([], saved)
    rated = {"table": {"cells": [{**cell, "quant_value": 190_000, "quant_unit": "kWh a year"}]}}
    assert traced(rated) == ([], saved), "a draft is read by its own amounts"
    for other in (
        "It uses 120,000 kWh a year less",
        "A3 costs 120,000 euros less than today",
        "A3 uses 120,000 kWh a year",
        "A2 costs 58,000 euros more than A3",
        "A2 costs 25,000 euros less. Much follows. It is 25,000 euros more.",
        "A3 costs 32,000 euros more than A5",
    ):
        assert traced(other)[0], other
    amount = {"alternative_id": "A3", "objective_id": "O4", "rating": 1, "quant_value": 58_000, "quant_unit": "euros"}
    assert traced({"notes": [amount]})[0] == ["58,000 euros"], "an amount of its own is no difference"


BILLING = (
    "Finbpo: 22k per month all in. Chargely is 8k/mo plus 60k setup.",
    "To run it costs 90k a year, 12k each quarter",
)


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("words", "equations"),
    [
        ("22k a month all in: 264k a year, they do it all", ["264,000 = 22,000 × 12"]),
        ("8k a month plus 60k setup: 156k in the first year", ["156,000 = 8,000 × 12 + 60,000"]),
        ("90k a year is 7.5k/month", ["7,500 = 90,000 ÷ 12"]),
        ("12k a quarter, 48k yearly", ["48,000 = 12,000 × 4"]),
        ("12k a quarter, 4k monthly", ["4,000 = 12,000 ÷ 3"]),
        ("Finbpo is 264k a year. It ends soon", ["264,000 = 22,000 × 12"]),
        ("Chargely comes to 24k each quarter", ["24,000 = 8,000 × 3"]),
        ("7,500 a month keeps it running", ["7,500 = 90,000 ÷ 12"]),
    ],
)
def test_an_amount_for_another_period_is_worked_out_from_the_one_that_was_said(
    words: str, equations: list[str]
) -> None:
    assert traced(words, *BILLING) == ([], equations)


@pytest.mark.req("FA-14")
@pytest.mark.parametrize("source", ["22k a month", "the offer"])
def test_an_amount_beside_a_rating_is_worked_out_from_one_for_another_period(source: str) -> None:
    cell = {"alternative_id": "A2", "objective_id": "O4", "rating": 1, "quant_value": 264, "quant_unit": "kEUR/year"}
    assert traced({"notes": [{**cell, "source": source}]}, *BILLING) == ([], ["264,000 = 22,000 × 12"])


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    "words",
    [
        "22k a month: 265k a year",
        "22k a month: 264k",
        "22k a month: 264k a month",
        "264k in a year",
        "22k a day: 8,030k a year",
        "23k a month: 276k a year",
    ],
)
def test_an_amount_that_no_other_period_makes_stays_unsaid(words: str) -> None:
    assert traced(words, *BILLING)[0]


@pytest.mark.req("FA-14")
@given(st.integers(100, 900_000), st.integers(100, 900_000), st.integers(100, 900_000))
def test_of_two_amounts_that_are_added_only_the_sum_passes(one: int, two: int, other: int) -> None:
    said = f"gas {one:,} euros plus {two:,} euros for the service"
    assert traced(f"The gas oven comes to {one + two:,} euros", said)[0] == []
    if other not in (one, two, one + two):
        assert traced(f"The gas oven comes to {other:,} euros", said)[0]


FORMS = (
    "{one} costs {number} euros in all.",
    "{one} costs {number} euros more than {other}.",
    "The bakery pays {number} euros for the service of its ovens, the repairs and the rolls with the subsidy",
    "{one}: {number}, with the power and the rent",
)


@pytest.mark.req("FA-14")
@pytest.mark.parametrize("form", FORMS)
def test_hardly_any_invented_number_passes_by_chance(form: str) -> None:
    """Tries every number of two leading digits as large as those that were said, with other options in turn."""
    so_far = record()
    numbers = [lead * scale for lead in range(10, 100) for scale in (100, 1_000, 10_000) if lead * scale <= 300_000]
    pairs = cycle([("A2", "A3"), ("A3", "A5"), ("A5", "A2")])
    texts = [
        form.format(one=one, other=other, number=f"{number:,}")
        for number, (one, other) in zip(numbers, pairs, strict=False)
    ]
    passed = [each for each in texts if trace_figures({"synthesis": each}, SAID, so_far).sums]
    assert len(passed) / len(texts) < 0.02, passed


@pytest.mark.req("FA-14")
def test_a_message_is_in_use_while_only_a_sum_rests_on_it() -> None:
    draft = example("recommendation") | {"synthesis": "The gas oven comes to 175,000 euros with its service."}
    used = find_uses(
        [Result("recommendation", 1, draft)], "1.1", [Statement("gas 165k + 10k service")], [Statement("gas")]
    )
    assert [each.figures for each in used] == [("175,000 euros",)]


@pytest.mark.req("FA-20")
def test_a_draft_that_waits_uses_a_message_as_an_approved_version_does_and_each_is_named() -> None:
    approved, draft = {"synthesis": "It saves 15k."}, {"synthesis": "It saves 15k and 3 weeks."}
    results = [Result("recommendation", 1, approved), Result("recommendation", DRAFT, draft)]
    used = find_uses(results, "1.1", [Statement("15k saved, 3 weeks less")], [Statement("saved")])
    assert [(each.result.number, each.figures, each.current) for each in used] == [
        (DRAFT, ("15k", "3 weeks"), 0),
        (1, ("15k",), 1),
    ]
