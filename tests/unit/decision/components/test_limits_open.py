"""A limit that the option leant to has no amount for is told as open where a board reads first."""

from __future__ import annotations

import pytest

from tests.unit.decision.components.test_limits_kept import A3, COSTS, decision, read_limits


@pytest.mark.req("TR-17")
def test_the_first_page_names_a_limit_for_which_the_option_leant_to_has_no_amount() -> None:
    drafts = decision()
    cells = drafts["consequences"]["table"]["cells"]
    del cells[-1]["quant_value"], cells[-1]["quant_unit"]
    told = f"{A3}: no amount is known that tells whether it keeps the limit “{COSTS}”"
    assert read_limits(drafts) == told
    assert "no amount" not in read_limits(drafts, "A2"), "its own is known"
    assert "no amount" not in read_limits(drafts, "")
