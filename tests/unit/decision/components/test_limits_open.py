"""A limit that an option may break, by the range of its amount or without one, is told as open and never as kept."""

from __future__ import annotations

import pytest

from app.decision.rules.written_amounts import find_newer
from tests.unit.decision.components.test_limits_kept import A3, COSTS, decision, read_limits, record, shown


@pytest.mark.req("TR-17")
def test_the_first_page_names_a_limit_for_which_the_option_leant_to_has_no_amount() -> None:
    drafts = decision()
    cells = drafts["consequences"]["table"]["cells"]
    del cells[-1]["quant_value"], cells[-1]["quant_unit"]
    told = f"{A3}: no amount is known that tells whether it keeps the limit “{COSTS}”"
    assert read_limits(drafts) == told
    assert "no amount" not in read_limits(drafts, "A2"), "its own is known"
    assert "no amount" not in read_limits(drafts, "")


@pytest.mark.req("TR-05")
@pytest.mark.parametrize("field", ["rationale", "source", "driver"])
def test_an_amount_whose_range_crosses_a_limit_is_not_told_as_keeping_it(field: str) -> None:
    def tell(said: str) -> str:
        drafts = decision(amount=190_000)
        cell = drafts["consequences"]["table"]["cells"][-1]
        cell |= {"uncertainty": {"level": "high", "driver": said}} if field == "driver" else {field: said}
        return shown("consequences", drafts) + read_limits(drafts)

    crossing = tell("180,000 to 210,000 euros by its offer")
    named = "190,000 euros, of 180,000 to 210,000 euros"
    assert f"Kept or broken on O2 Keep the cost low, by where it lies in its range: {A3} with {named}" in crossing
    assert f"{A3}: {named} on O2 Keep the cost low may be beyond the limit “{COSTS}”" in crossing
    assert not [line for line in crossing.split("'") if line.startswith("Kept on") and A3 in line]
    assert "within the limit" not in crossing
    for sure in ("180,000 to 199,000 euros by its offer", "its offer"):
        kept = tell(sure)
        assert f"{A3} with 190,000 euros" in kept
        assert "may be beyond" not in kept


def test_an_amount_without_its_unit_has_no_range_that_could_cross_a_limit() -> None:
    drafts = decision()
    cell = drafts["consequences"]["table"]["cells"][-1]
    del cell["quant_value"]
    cell["rationale"] = "180,000 to 210,000 euros"
    assert "by where it lies" not in shown("consequences", drafts)


@pytest.mark.req("FA-16")
def test_an_option_of_140_pumps_says_nothing_against_6_pumps_out_of_service() -> None:
    def told(description: str) -> bool:
        drafts = decision(amount=6, unit="pumps")
        drafts["objectives"]["fundamental_objectives"][1] = {
            "handle": "O2",
            "description": "Few pumps out of service",
            "performance_measure": {"metric": "pumps that stand still", "direction": "minimize", "units": "pumps"},
        }
        del drafts["consequences"]["table"]["cells"][2]
        option = {**drafts["alternatives"]["alternatives"][2], "description": description}
        return bool(find_newer(option, record(drafts)))

    assert not told("Buy 140 pumps from Halden")
    assert told("Of its pumps 9 pumps are out of service")


@pytest.mark.req("FA-16")
@pytest.mark.parametrize(
    ("words", "is_newer"),
    [
        ("Leased for 3k a month", False),
        ("2-3k dearer than the gas oven", False),
        ("190,000 euros, and 3,000 euros a month", True),
    ],
)
def test_an_amount_of_a_month_or_beside_another_option_contradicts_no_whole_cost(words: str, is_newer: bool) -> None:
    option = {**decision()["alternatives"]["alternatives"][2], "description": words}
    assert bool(find_newer(option, record(decision(amount=165_500)))) is is_newer
