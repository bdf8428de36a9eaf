"""What the model is told for weighing: amounts where there are any, one swap at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.state.interview import Interview, JudgedDraft, Phase
from app.core.state.sheet import Sheet
from app.decision.layout.sheets import build_sheet
from app.decision.playbook.step_prompt import TalkSoFar, build_block
from app.decision.playbook.weighing import describe_weighing
from app.decision.record import DecisionRecord
from app.decision.rules.rating_rules import units_agree
from app.decision.rules.tradeoff_rules import even_swaps
from app.decision.schema.findings import Issue, Remark
from tests.unit.decision.books import book, done, refused
from tests.unit.decision.components.worked import (
    PLAYBOOK,
    TODAY,
    accepted,
    amounting,
    before,
    cell,
    example,
    rated,
    remarks,
)
from tests.unit.decision.components.worked import refused as submitted
from tests.unit.decision.playbook.test_step_prompt import PREPARED, THREAD, block
from tests.unit.decision.sheets.walls import laid, titled


def measured() -> DecisionRecord:
    """Three options; the wait is measured in days and the cost in euro, the third objective in nothing."""
    so_far = rated({"A1": [0, 0, 0], "A2": [2, -1, -1], "A3": [1, -2, 1]})
    objectives = so_far.results["objectives"]["fundamental_objectives"]
    objectives[0]["performance_measure"] = {"metric": "wait", "units": "days", "direction": "minimize", "baseline": 34}
    objectives[1]["performance_measure"] = {"metric": "cost", "units": "euro", "direction": "minimize", "baseline": 0}
    return amounting(so_far, A2_O1=18, A3_O1=20, A2_O2=9000, A3_O2=20000)


@pytest.mark.req("TR-11")
def test_swings_are_asked_in_amounts_where_there_are_any_and_in_steps_elsewhere() -> None:
    told = describe_weighing({}, measured())
    assert told[0].startswith("Swings for points: ask which of these changes matters most: it gets 100. Then ask")
    assert told[1:4] == (
        "- O1: from 34 days to 18 days",
        "- O2: from 20,000 euro to 0 euro",
        "- O3: from −1 on the scale to +1 on the scale",
    )


@pytest.mark.req("TR-11")
def test_the_largest_swing_comes_first_once_there_are_points() -> None:
    given = [
        {"objective_id": "O3", "points": 100, "worst": -1, "best": 1},
        {"objective_id": "O2", "points": 40, "worst": -2, "best": 0},
    ]
    told = describe_weighing({"swing_weights": given}, measured())
    assert told[1:4] == (
        "- O3: from −1 on the scale to +1 on the scale (100 points)",
        "- O2: from 20,000 euro to 0 euro (40 points)",
        "- O1: from 34 days to 18 days",
    )


@pytest.mark.req("TR-10", "TR-11")
def test_while_it_gathers_the_step_is_told_what_to_swap_and_what_to_weigh_next() -> None:
    told = block("tradeoffs", Phase.GATHER, measured())
    assert (
        "Next even swap, if people want one: A1 Way A1 has 34 days on O1 Aim O1, A2 Way A2 has 18 days. Ask: what "
        "would 18 days instead of 34 days be worth to you, in euro? On O2 Aim O2, A1 Way A1 has 0 euro." in told
    )
    assert "- O1: from 34 days to 18 days" in told
    assert "Even swaps: lead one at a time, and in amounts" in told
    assert "Next even swap" not in block("tradeoffs", Phase.INTRO, measured())


@pytest.mark.req("TR-02")
def test_while_a_draft_waits_for_its_ok_the_model_knows_its_swings_and_what_the_card_asks() -> None:
    rows = {"A1": [0, 0], "A2": [2, -1], "A3": [-1, -2]}
    before_it = {"swing_weights": [{"objective_id": "O1", "points": 100, "worst": -1, "best": 2}]}
    noted = {"swing_weights": [{"objective_id": "O1", "former": {"points": 100, "worst": -1, "best": 2}}]}
    first = block("tradeoffs", Phase.GATHER, rated(rows), draft=before_it)
    asked = "On O1 Aim O1, 100 points were given for going from −1 to +2. How many points is that worth?"
    drafted = JudgedDraft(draft=noted, sheet=Sheet(), remarks=(asked,))
    lead = Interview(decision=THREAD, component="tradeoffs", prepared=PREPARED, draft=noted, drafted=drafted)
    then = build_block(PLAYBOOK["tradeoffs"], Phase.CONFIRM, lead, rated(rows), TalkSoFar(earlier=(first,)))
    assert "Noticed on the card:\nOn O1, 100 points were given for going from −1 to +2. How many" in then
    assert "(nothing any more)" not in then
    assert "Next even swap" not in then
    again = build_block(PLAYBOOK["tradeoffs"], Phase.GATHER, lead, rated(rows))
    assert "Noticed on the card" not in again


@pytest.mark.req("TR-10")
def test_the_next_swap_starts_from_what_the_last_one_left() -> None:
    swap = {
        "alternative_id": "A1",
        "improve": {"objective_id": "O1", "from": 34, "to": 19},
        "pay_with": {"objective_id": "O2", "from": 0, "to": 8000},
    }
    told = describe_weighing({"even_swaps": [swap]}, measured())[-1]
    assert "A1 Way A1 has 19 days on O1 Aim O1, A2 Way A2 has 18 days" in told
    assert told.endswith("On O2 Aim O2, A1 Way A1 has 8,000 euro. Note the swap from these amounts.")


@pytest.mark.req("TR-10")
def test_a_swap_from_another_amount_than_the_known_one_is_refused_with_the_amount() -> None:
    swap = example("tradeoffs")["even_swaps"][0]
    wrong = {**swap, "improve": {**swap["improve"], "from": 3.5}}
    assert "the known amount of A2 Specialist partner with onboarding on O4" in refused(
        book("tradeoffs").note({}, "even_swaps", wrong)
    )
    assert submitted("tradeoffs", {**example("tradeoffs"), "even_swaps": [wrong]}) == {
        "even_swaps.0.improve.from": "another amount is known"
    }
    unknown = {**swap, "pay_with": {**swap["pay_with"], "objective_id": "O99"}}
    assert refused(book("tradeoffs").note({}, "even_swaps", unknown))
    both = {**swap, "pay_with": {**swap["pay_with"], "to": 40}}
    assert submitted("tradeoffs", {**example("tradeoffs"), "even_swaps": [both]}) == {
        "even_swaps.0.pay_with.to": "nothing is paid"
    }
    assert done(book("tradeoffs").note({}, "even_swaps", swap)).get("even_swaps") == [swap]


def test_a_swap_without_a_known_amount_is_refused() -> None:
    swap = {
        "alternative_id": "A2",
        "improve": {"objective_id": "O3", "from": 1, "to": 2},
        "pay_with": {"objective_id": "O2", "from": 9000, "to": 9500},
    }
    assert submitted("tradeoffs", {"even_swaps": [swap]}, measured()) == {
        "even_swaps.0.improve.from": "no amount is known"
    }


def test_without_ratings_or_with_one_objective_there_is_nothing_to_weigh() -> None:
    assert describe_weighing({}, DecisionRecord({}, TODAY)) == ()
    assert describe_weighing({}, rated({"A1": [0], "A2": [1]})) == ()
    assert len(describe_weighing({}, rated({"A1": [0, 0], "A2": [1, -1]}))) == 3
    assert before("tradeoffs").analysis


@pytest.mark.req("TR-11")
def test_where_ratings_differ_and_amounts_do_not_a_swing_is_asked_in_steps() -> None:
    so_far = amounting(measured(), A1_O1=34, A2_O1=34, A3_O1=34)
    told = describe_weighing({}, so_far)
    assert "- O1: from 0 on the scale to +2 on the scale" in told


@pytest.mark.req("TR-11")
def test_where_an_amount_of_an_option_left_is_unknown_its_swing_is_asked_in_steps() -> None:
    so_far = measured()
    del cell(so_far, "A2", "O1")["quant_value"]  # 18 days, the best of all: those known say nothing of the best
    told = describe_weighing({}, so_far)
    assert "- O1: from 0 on the scale to +2 on the scale" in told
    assert "- O2: from 20,000 euro to 0 euro" in told


def test_without_ratings_amounts_give_no_order() -> None:
    assert DecisionRecord({}, TODAY).order_by({}) is None


@pytest.mark.req("FA-08")
def test_of_the_swings_only_that_which_got_points_is_told_again() -> None:
    so_far, given = measured(), [{"objective_id": "O2", "points": 100, "worst": -2, "best": 0}]
    first = block("tradeoffs", Phase.GATHER, so_far)
    lead = Interview(decision=THREAD, component="tradeoffs", prepared=PREPARED, draft={"swing_weights": given})
    then = build_block(PLAYBOOK["tradeoffs"], Phase.GATHER, lead, so_far, TalkSoFar(earlier=(first,)))
    assert "- O2: from 20,000 euro to 0 euro (100 points)" in then
    assert "- O1: from" in first
    assert "- O1: from" not in then
    assert "Gone: " not in then


@pytest.mark.req("TR-06", "TR-11")
def test_what_is_asked_follows_the_verdicts_that_were_noted_just_now() -> None:
    left_out = {"irrelevant_objectives": [{"objective_id": "O1", "reason": "No matter", "kind": "user_dismissed"}]}
    told = "\n".join(describe_weighing(left_out, measured()))
    assert "- O2: from 20,000 euro to 0 euro" in told
    assert "O1" not in told
    rows = {"A1": [0, 0], "A2": [2, -1], "A3": [-1, -2]}
    assert "- O1: from 0 on the scale to +2 on the scale" in describe_weighing({}, rated(rows))
    kept = {"dominated_alternatives": [{"alternative_id": "A3", "user_verdict": "keep", "reason": "It is near"}]}
    assert "- O1: from −1 on the scale to +2 on the scale" in describe_weighing(kept, rated(rows))


@pytest.mark.req("TR-02", "TR-06")
def test_points_for_a_range_that_a_verdict_moved_are_asked_for_again() -> None:
    rows = {"A1": [0, 0], "A2": [2, -1], "A3": [-1, -2]}
    points = [{"objective_id": "O1", "points": 100, "worst": 0, "best": 2}, {"objective_id": "O2", "points": 50}]
    kept = {"dominated_alternatives": [{"alternative_id": "A3", "user_verdict": "keep", "reason": "It is near"}]}
    asked = "On O1 Aim O1, 100 points were given for going from 0 to +2, but your ratings go from −1 to +2."
    assert asked in remarks("tradeoffs", {"swing_weights": points, **kept}, rated(rows))
    assert "points were given" not in remarks("tradeoffs", {"swing_weights": points}, rated(rows))


@pytest.mark.req("TR-06", "TR-10")
def test_an_option_that_was_given_up_is_in_no_swap_and_one_that_is_kept_stands_in_the_imagined_table() -> None:
    so_far = measured()
    pair = {"alternative_id": "A1", "by": "A2", "user_verdict": "accepted"}
    for at, rating in (("A1", [0, 0, 0]), ("A2", [2, -1, 1])):
        for each in so_far.results["consequences"]["table"]["cells"]:
            if each["alternative_id"] == at:
                each["rating"] = rating[int(each["objective_id"][1]) - 1]
    assert "A1 Way A1 has" in describe_weighing({}, so_far)[-1]
    draft = accepted("tradeoffs", {"practical_dominance": [pair]}, so_far).draft
    assert "Next even swap" not in "\n".join(describe_weighing(draft, so_far))


@pytest.mark.req("TR-06", "TR-10")
def test_a_kept_option_stands_in_the_imagined_table() -> None:
    so_far = measured()
    for each in so_far.results["consequences"]["table"]["cells"]:
        if each["alternative_id"] == "A3":
            each["rating"] = {"O1": 1, "O2": -2, "O3": -2}[each["objective_id"]]
    swap = {
        "alternative_id": "A1",
        "improve": {"objective_id": "O1", "from": 34, "to": 19},
        "pay_with": {"objective_id": "O2", "from": 0, "to": 8000},
    }
    kept = [{"alternative_id": "A3", "user_verdict": "keep", "reason": "It is near"}]
    table = "The table after these swaps"
    assert "A3" not in titled(laid("tradeoffs", {"even_swaps": [swap]}, so_far), table)
    draft = {"even_swaps": [swap], "dominated_alternatives": kept}
    assert "A3 Way A3 | 20 | 20,000" in titled(laid("tradeoffs", draft, so_far), table)


@pytest.mark.req("TR-10")
def test_a_swap_is_asked_for_in_money_rather_than_on_a_scale_of_ones_own() -> None:
    so_far = measured()
    objectives = so_far.results["objectives"]["fundamental_objectives"]
    own = {"metric": "access", "units": "level", "direction": "minimize", "baseline": 0}
    objectives[2]["performance_measure"] = own
    so_far = amounting(so_far, A1_O3=0, A2_O3=1, A3_O3=0)
    assert "be worth to you, in euro?" in describe_weighing({}, so_far)[-1]
    objectives[1]["performance_measure"]["units"] = "kEUR/year"
    assert "be worth to you, in kEUR/year?" in describe_weighing({}, replace(so_far))[-1]
    objectives[1]["performance_measure"]["units"] = "points"
    assert "be worth to you, in level?" in describe_weighing({}, replace(so_far))[-1]


@pytest.mark.req("TR-10")
def test_a_swap_whose_amounts_are_others_now_is_told_as_one_that_counts_for_nothing() -> None:
    swap = {
        "alternative_id": "A2",
        "improve": {"objective_id": "O1", "from": 18, "to": 10},
        "pay_with": {"objective_id": "O2", "from": 9000, "to": 9500},
    }
    older = "These amounts are others now: it counts for nothing until you say it anew."
    so_far = measured()
    now = titled(laid("tradeoffs", {"even_swaps": [swap]}, so_far), "Even swaps")
    assert older not in now
    assert "O2 Aim O2 from 9,000 to 9,500 euro" in now
    cell(so_far, "A2", "O2")["quant_value"] = 9900
    then = titled(build_sheet(PLAYBOOK["tradeoffs"], {"even_swaps": [swap]}, replace(so_far)), "Even swaps")
    assert older in then
    assert "euro" not in then, "the amounts of before may have been in another unit"


def in_other_units() -> DecisionRecord:
    """The cost is measured in euro and given in kEUR a year; the wait is measured in no unit and given in hours."""
    so_far = measured()
    for row in so_far.results["objectives"]["fundamental_objectives"][:2]:
        row["performance_measure"].pop("baseline")
    so_far.results["objectives"]["fundamental_objectives"][0]["performance_measure"].pop("units")
    amounts = {"O1": ("hours", {"A1": 816, "A2": 240, "A3": 400}), "O2": ("kEUR/year", {"A1": 40, "A2": 95, "A3": 60})}
    cells = so_far.results["consequences"]["table"]["cells"]
    for each in (some for some in cells if some["objective_id"] in amounts):
        unit, given = amounts[each["objective_id"]]
        each |= {"quant_value": given[each["alternative_id"]], "quant_unit": unit}
    return so_far


@pytest.mark.req("TR-08", "TR-11")
def test_swings_and_swaps_name_the_unit_that_the_amounts_are_in_and_not_that_of_the_measure() -> None:
    told = describe_weighing({}, in_other_units())
    assert told[1:3] == ("- O1: from 816 hours to 240 hours", "- O2: from 95 kEUR/year to 40 kEUR/year")
    assert (
        "A1 Way A1 has 816 hours on O1 Aim O1, A2 Way A2 has 240 hours. Ask: what would 240 hours instead of 816 "
        "hours be worth to you, in kEUR/year? On O2 Aim O2, A1 Way A1 has 40 kEUR/year." in told[-1]
    )


@pytest.mark.req("TR-08", "TR-10")
def test_swaps_their_table_and_their_known_amounts_stand_in_the_unit_that_the_amounts_are_in() -> None:
    swap = {
        "alternative_id": "A1",
        "improve": {"objective_id": "O1", "from": 816, "to": 300},
        "pay_with": {"objective_id": "O2", "from": 40, "to": 50},
    }
    shown = laid("tradeoffs", {"even_swaps": [swap]}, in_other_units())
    assert (
        "  O1 Aim O1 from 816 to 300 hours, paid for with O2 Aim O2 from 40 to 50 kEUR/year"
        in titled(shown, "Even swaps").splitlines()
    )
    table = titled(shown, "The table after these swaps").splitlines()
    assert table[0] == "Option | O1 Aim O1 (hours) | O2 Aim O2 (kEUR/year)"
    wrong = {**swap, "pay_with": {"objective_id": "O2", "from": 45, "to": 50}}
    (issue,) = even_swaps({"even_swaps": [wrong]}, in_other_units())
    assert isinstance(issue, Issue)
    assert issue.requirement == "the known amount of A1 Way A1 on O2 Aim O2, 40 kEUR/year"
    (second,) = even_swaps({"even_swaps": [swap, wrong]}, in_other_units())
    assert isinstance(second, Issue)
    assert second.requirement.endswith(", 300 hours"), "also after a swap"


@pytest.mark.req("TR-10")
def test_a_swapped_objective_without_a_unit_stands_in_the_table_by_its_name_alone() -> None:
    so_far = in_other_units()
    for each in so_far.results["consequences"]["table"]["cells"]:
        each.pop("quant_unit", None)
    so_far.results["objectives"]["fundamental_objectives"][1]["performance_measure"].pop("units")
    swap = {
        "alternative_id": "A1",
        "improve": {"objective_id": "O1", "from": 816, "to": 300},
        "pay_with": {"objective_id": "O2", "from": 40, "to": 50},
    }
    table = titled(laid("tradeoffs", {"even_swaps": [swap]}, so_far), "The table after these swaps")
    assert table.startswith("Option | O1 Aim O1 | O2 Aim O2\n")


@pytest.mark.req("TR-08")
def test_amounts_that_are_all_in_a_unit_unlike_the_measures_are_asked_about_once() -> None:
    def asked(so_far: DecisionRecord) -> list[str]:
        return [each.text for each in units_agree(so_far.results["consequences"], so_far) if isinstance(each, Remark)]

    question = "On O2 Aim O2 the measure is in euro, but all amounts are in kEUR/year. Which unit is right?"
    so_far = in_other_units()
    assert asked(so_far) == [question], "and nothing of the wait, whose measure has no unit"
    for each in so_far.results["consequences"]["table"]["cells"]:
        each |= {"quant_unit": "kEUR"} if each["objective_id"] == "O2" else {}
    assert asked(so_far) == [], "these can be brought to euro"


@pytest.mark.req("TR-10")
def test_an_amount_that_nobody_knows_is_a_dash_beside_swapped_ones_and_is_compared_with_none() -> None:
    so_far = in_other_units()
    del cell(so_far, "A3", "O1")["quant_value"]
    swap = {
        "alternative_id": "A1",
        "improve": {"objective_id": "O1", "from": 816, "to": 300},
        "pay_with": {"objective_id": "O2", "from": 40, "to": 60},
    }
    shown = laid("tradeoffs", {"even_swaps": [swap]}, so_far)
    assert "A3 Way A3 | – | 60" in titled(shown, "The table after these swaps").splitlines()
    assert titled(shown, "What the swaps bring about").splitlines() == [
        "O2 Aim O2 drops out between A1 Way A1 and A3 Way A3: they are level there."
    ]
