"""What a card that is shown again begins with: what changed since the last one, and nothing else."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.drafts.changes.item_names import ChangeNames
from app.decision.drafts.changes.whats_new import describe_changes
from app.decision.drafts.dated_notes import DATES
from app.decision.drafts.draft import refresh_draft
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, accepted, before, example, rated

SO_FAR = replace(before("consequences"), later={"tradeoffs": example("tradeoffs")})


def ratings(**changed: int) -> Draft:
    """The example's ratings with these changed: *A5_O3=2*."""
    draft = accepted("consequences", example("consequences")).draft
    for each in draft["table"]["cells"]:
        at = f"{each['alternative_id']}_{each['objective_id']}"
        each["rating"] = changed.get(at, each["rating"])
    return draft


def told(was: Draft, now: Draft, *, is_elsewhere: bool = False) -> tuple[str, ...]:
    return describe_changes(was, now, SO_FAR, is_elsewhere=is_elsewhere)


@pytest.mark.req("FA-13")
def test_who_is_level_now_comes_first_and_then_the_cell_that_did_it() -> None:
    assert told(ratings(), ratings(A5_O3=2)) == (
        "A5 AI triage plus paid on-call is now level with A4 Three part-time weekend agents",
        "A5 AI triage plus paid on-call on O3 Keep extra cost low: +2 instead of 0",
    )


@pytest.mark.req("FA-13")
def test_a_lead_that_is_won_shared_or_lost_is_told() -> None:
    two = ratings(A5_O3=2, A5_O4=1)
    assert (
        told(ratings(), two)[0] == "A5 AI triage plus paid on-call leads instead of A4 Three part-time weekend agents"
    )
    assert told(ratings(A5_O3=2), ratings())[0] == "A4 Three part-time weekend agents leads now"
    without = ratings()
    without["table"]["cells"] = [each for each in without["table"]["cells"] if each["alternative_id"] != "A3"]
    assert told(ratings(), without) == (
        "nobody can say now who leads",
        "6 ratings taken out: A3 on O1, O2, O3, O4, O5 and O6",
    )
    assert told(without, ratings()) == (
        "A4 Three part-time weekend agents leads now",
        "6 new ratings: A3 on O1, O2, O3, O4, O5 and O6",
    )
    both = ratings(A2_O1=2, A2_O4=1, A2_O5=1, A2_O3=2, A6_O2=2, A6_O1=2, A6_O3=2, A6_O4=1, A6_O5=1, A6_O6=0)
    assert told(ratings(), both)[0] == (
        "A2 Specialist partner with onboarding and A6 Mandatory rota for all agents lead instead of "
        "A4 Three part-time weekend agents, level with each other"
    )


@pytest.mark.req("FA-13")
def test_before_the_tradeoffs_a_card_of_ratings_says_nothing_of_who_leads() -> None:
    so_far = before("consequences")
    assert describe_changes(ratings(A5_O3=2), ratings(), so_far) == (
        "A5 AI triage plus paid on-call on O3 Keep extra cost low: 0 instead of +2",
    )
    assert describe_changes(ratings(), without(("A3", "O1")), so_far) == (
        "rating taken out: A3 Budget call centre on O1 Solve urgent off-hours…",
    )


def without(*places: tuple[str, str]) -> Draft:
    """The example's ratings, except these."""
    draft = ratings()
    cells = draft["table"]["cells"]
    draft["table"]["cells"] = [each for each in cells if (each["alternative_id"], each["objective_id"]) not in places]
    return draft


def test_a_measure_that_an_objective_got_is_told_as_added() -> None:
    bare = example("objectives")
    measure = bare["fundamental_objectives"][0].pop("performance_measure")
    whole = deepcopy(bare)
    whole["fundamental_objectives"][0]["performance_measure"] = measure
    named = "O1 Solve urgent off-hours problems quickly"
    so_far = before("objectives")
    assert describe_changes(bare, whole, so_far) == (f"changed: {named} (Measure added)",)
    assert describe_changes(whole, bare, so_far) == (f"changed: {named} (Measure taken out)",)
    whole["fundamental_objectives"][0]["description"] = "Solve them fast"
    assert describe_changes(bare, whole, so_far) == ("reworded: O1 Solve them fast (Measure added)",)


@pytest.mark.req("FA-13")
def test_many_changed_ratings_are_counted_by_handle_and_few_that_came_or_went_are_named() -> None:
    assert told(ratings(), ratings(A3_O1=0, A3_O2=0, A3_O6=-1))[-1] == ("3 ratings changed: A3 on O1, O2 and O6")
    many = {f"{option}_O1": -1 for option in ("A2", "A3", "A4", "A5", "A6")} | {"A2_O2": 1}
    assert told(ratings(), ratings(**many))[-1] == (
        "6 ratings changed: A2 on O1 and O2; A3 on O1; A4 on O1; A5 on O1; A6 on O1"
    )
    names = ChangeNames({}, {}, before("consequences"), before("consequences"))
    told_of = names.places((f"A{n}", f"O{m}") for n in range(1, 9) for m in range(1, 9))
    assert told_of.startswith("A1 on O1, O2, O3, O4, O5, O6 and 2 more; A2 on ")
    assert told_of.endswith("; A6 on O1, O2, O3, O4, O5, O6 and 2 more; and of 2 more")
    one, two = ("A3", "O1"), ("A3", "O3")
    named = "A3 Budget call centre on O1 Solve urgent off-hours…"
    both = f"{named} and A3 Budget call centre on O3 Keep extra cost low"
    assert told(without(one), ratings())[-1] == f"new rating: {named}"
    assert told(ratings(), without(one))[-1] == f"rating taken out: {named}"
    assert told(without(one, two), ratings())[-1] == f"new ratings: {both}"
    assert told(ratings(), without(one, two))[-1] == f"ratings taken out: {both}"


@pytest.mark.req("FA-16")
def test_the_status_quo_of_an_objective_that_came_or_went_is_no_rating() -> None:
    status_quo, rated_one = ("A1", "O1"), ("A3", "O1")
    gone = without(status_quo, rated_one)
    assert told(gone, ratings())[-1] == "new rating: A3 Budget call centre on O1 Solve urgent off-hours…"
    assert told(ratings(), gone)[-1] == "rating taken out: A3 Budget call centre on O1 Solve urgent off-hours…"
    assert "rating" not in " ".join(told(ratings(), without(status_quo)))


def measured(**amounts: float | None) -> Draft:
    """The example's ratings with these amounts: *A5_O3=104*; None takes one out."""
    draft = ratings()
    for each in draft["table"]["cells"]:
        at = f"{each['alternative_id']}_{each['objective_id']}"
        amount = amounts.get(at, each.pop("quant_value", None))
        each |= {} if amount is None else {"quant_value": amount}
    return draft


COST = "A5 AI triage plus paid on-call on O3 Keep extra cost low"


@pytest.mark.req("FA-13", "FA-21")
def test_an_amount_that_changed_is_named_and_several_are_counted() -> None:
    assert told(measured(A5_O3=54), measured(A5_O3=49.5)) == (f"{COST}: 49.5 kEUR/year instead of 54 kEUR/year",)
    assert told(measured(A5_O3=None), measured(A5_O3=49.5)) == ("1 amount new: A5 on O3",)
    assert told(measured(A5_O1=1, A5_O3=1), measured(A5_O1=None, A5_O3=None)) == (
        "2 amounts taken out: A5 on O1 and O3",
    )
    some = {"A5_O1": 1.0, "A5_O2": 1.0, "A5_O3": 1.0}
    assert told(measured(**some), measured(**dict.fromkeys(some, 2.0))) == ("3 amounts changed: A5 on O1, O2 and O3",)


@pytest.mark.req("FA-13", "FA-21")
def test_a_limit_that_a_new_amount_keeps_or_breaks_is_named_before_the_amount() -> None:
    over, under = measured(A5_O3=104), measured(A5_O3=99)
    limit, option = "the limit “At most 100,000 euro extra per year (", ": A5 AI triage plus paid on-call"
    kept, amount = told(over, under)
    assert kept.startswith(f"within {limit}")
    assert kept.endswith(f"” now{option}")
    assert amount == f"{COST}: 99 kEUR/year instead of 104 kEUR/year"
    assert told(under, over, is_elsewhere=True)[0].startswith(f"beyond {limit}")
    assert told(under, over) == (f"{COST}: 104 kEUR/year instead of 99 kEUR/year",), "the card itself says so below"
    assert "limit" not in str(told(under, measured(A5_O3=98)))


@pytest.mark.req("FA-13", "FA-21")
def test_a_limit_is_not_called_kept_where_the_amount_beyond_it_was_taken_out_or_came_back() -> None:
    over, open_now, under = measured(A5_O3=104), measured(A5_O3=None), measured(A5_O3=99)
    assert told(over, open_now) == ("1 amount taken out: A5 on O3",)
    assert told(open_now, under) == ("1 amount new: A5 on O3",)
    assert told(open_now, over, is_elsewhere=True)[0].startswith("beyond the limit")


@pytest.mark.req("FA-13")
def test_items_that_came_went_or_were_reworded_are_named() -> None:
    was: dict[str, Any] = {"notes": [{"handle": f"N{n}", "description": f"Do {n}"} for n in range(1, 5)]}
    now = deepcopy(was)
    now["notes"][0] |= {"description": "Do it", "evidence": []}
    now["notes"][1] |= {"evidence": [{"quote": "x", "message_id": "1.1"}]}
    del now["notes"][3]
    now["notes"] += [{"handle": f"N{n}", "description": f"Do {n}"} for n in range(5, 8)]
    assert told(was, now) == ("new: N5 Do 5, N6 Do 6 and 1 more", "taken out: N4 Do 4", "reworded: N1 Do it")


@pytest.mark.req("FA-13")
def test_a_field_that_changed_is_named_and_where_none_did_nothing_is_told() -> None:
    assert told({"synthesis": "One"}, {"synthesis": "Two"}) == ("changed: In short (Two instead of One)",)
    long = "Two words more than fit beside others"
    assert told({"synthesis": "One"}, {"synthesis": long}) == ("changed: In short",)
    many: dict[str, Any] = {"synthesis": "Two", "user_leaning": "A2", "sensitivity_notes": "x", "written_for": []}
    assert told({"synthesis": "One"}, many) == (
        "new: What you lean towards and How firm this is",
        "changed: In short (Two instead of One)",
    )
    assert told(many, {"synthesis": "One"})[0] == "taken out: What you lean towards and How firm this is"
    assert told({"synthesis": "One"}, {"synthesis": "One", "written_for": [{"field": "synthesis"}]}) == ()
    assert told({}, {"synthesis": "Two"}) == ()
    assert told({"synthesis": "One"}, {"synthesis": "One"}) == ()


@pytest.mark.req("FA-13")
def test_what_can_be_set_aside_or_is_back_and_what_stands_out_is_told() -> None:
    was, now = example("tradeoffs"), example("tradeoffs")
    now["dominated_alternatives"] = now["dominated_alternatives"][:1]
    assert "A6 Mandatory rota for all agents is back in" in told(was, now)
    assert "A6 Mandatory rota for all agents can be set aside now" in told(now, was)
    now["dominated_alternatives"] = []
    assert "A3 Budget call centre and A6 Mandatory rota for all agents are back in" in told(was, now)
    with_one, without = example("recommendation"), example("recommendation")
    del without["standout_option"]
    assert told(without, with_one) == ("A4 Three part-time weekend agents stands out now",)
    assert told(with_one, without) == ("A4 Three part-time weekend agents stands out no more",)


@pytest.mark.req("FA-13")
@given(st.sampled_from(KEYS), st.sampled_from(KEYS))
def test_equal_drafts_tell_nothing_and_others_something(one: str, other: str) -> None:
    found = describe_changes(example(one), example(other), SO_FAR)
    assert bool(found) is (one != other)


@pytest.mark.req("FA-13")
@given(st.data())
def test_a_draft_that_lacks_something_of_the_other_one_tells_it(data: st.DataObject) -> None:
    whole = example(data.draw(st.sampled_from(KEYS)))
    left_out = data.draw(st.sampled_from(sorted(name for name in whole if whole[name] and name != DATES)))
    part = {name: each for name, each in whole.items() if name != left_out}
    assert describe_changes(whole, part, SO_FAR)
    assert describe_changes(part, whole, SO_FAR)


@pytest.mark.req("TR-07")
def test_an_option_that_was_kept_is_told_with_the_other_one_that_dominates_it_now() -> None:
    def dominated(by: str, verdict: str = "") -> Draft:
        said = {"user_verdict": verdict} if verdict else {}
        return {"dominated_alternatives": [{"alternative_id": "A3", "dominated_by": by, **said}]}

    kept = dominated("A2", "keep")
    assert told(kept, dominated("A1"))[0] == (
        "A3 Budget call centre, which you kept beside A2 Specialist partner with onboarding, is now dominated by "
        "A1 Volunteer overtime rota: say anew if it stays"
    )
    for now in (dominated("A1", "set_aside"), dominated("A1", "keep"), dominated("A2", "set_aside"), {}):
        assert not any("you kept" in each for each in told(kept, now))
    assert not any("you kept" in each for each in told(dominated("A2", "set_aside"), dominated("A1")))


@pytest.mark.req("FA-13")
def test_a_new_wording_is_shown_with_its_end_and_a_change_below_the_name_with_its_field() -> None:
    def option(name: str, **more: Any) -> Draft:
        return {"alternatives": [{"handle": "A3", "name": name, **more}]}

    was = option("Two electric ovens for the bakery in town")
    now = option("Two electric ovens for the bakery in town, only if the subsidy comes")
    assert told(was, now) == ("reworded: A3 Two electric ovens for the bakery in town, only if the subsidy comes",)
    assert told(was, option("Two electric ovens for the bakery in town", assumptions=["It comes"])) == (
        "changed: A3 Two electric ovens for the bakery in town (Assumptions added)",
    )
    one, other = ({"performance_measure": {"metric": each}} for each in ("Days", "Families served"))
    assert told(option("Gas", **one), option("Gas", **other)) == (
        "changed: A3 Gas (Measured by (Families served instead of Days))",
    )
    assert told({}, {"alternatives": []}) == ()
    (added,) = told(
        option("Gas"), {"alternatives": [*option("Gas")["alternatives"], {"handle": "A4", "name": "w " * 90}]}
    )
    assert added.startswith("new: A4 w w")
    assert len(added) <= 110


@pytest.mark.req("FA-13")
def test_a_change_inside_the_frame_is_told_by_the_field_and_not_by_the_whole() -> None:
    was = {"focal_decision": {"statement": "Which oven?", "trigger": "It fails"}, "scope": {"in_scope": ["Oven"]}}
    now = {"focal_decision": {"statement": "Which oven?", "trigger": "It breaks"}, "scope": {"in_scope": ["Oven"]}}
    assert told(was, now) == ("changed: The decision (Why now (It breaks instead of It fails))",)


@pytest.mark.req("FA-13")
def test_single_fields_that_came_or_changed_are_told_beside_the_items_that_did() -> None:
    was: dict[str, Any] = {
        "decision_maker": {"name": "Maya and Anneke", "role": "Maya leads"},
        "focal_decision": {"statement": "How to cool?", "in_scope": ["Dairy"]},
        "parties": [{"handle": "P1", "name": "Board", "role": "decision_maker"}],
    }
    now = deepcopy(was)
    now["decision_maker"]["role"] = "Anneke is the treasurer"
    now["focal_decision"] |= {"deadline": "2027-01-31"}
    del now["parties"][0]["role"]
    assert told(was, now) == (
        "new: The decision (Deadline)",
        "changed: Decision maker (Role (Anneke is the treasurer instead of Maya leads)) and P1 Board (Role taken out)",
    )
    fewer = {**was, "decision_maker": {"name": "Maya"}, "focal_decision": {"statement": "How?", "in_scope": ["Milk"]}}
    assert told(was, fewer) == (
        "taken out: Decision maker (Role)",
        "changed: Decision maker (Name (Maya instead of Maya and Anneke)) and "
        "The decision (Statement (How? instead of How to cool?) and What is in)",
    )


@pytest.mark.req("FA-13")
def test_a_question_that_is_framed_otherwise_is_told_once() -> None:
    def frame(statement: str) -> Draft:
        focal = {"handle": "H1", "statement": statement}
        return {"focal_decision": {"statement": statement}, "decision_hierarchy": {"focal": focal, "deferred": []}}

    assert told(frame("Which oven?"), frame("How do we bake?")) == (
        "changed: The decision (Statement (How do we bake? instead of Which oven?))",
    )


@pytest.mark.req("FA-13")
def test_a_figure_that_changed_is_told_with_the_one_that_it_stands_for() -> None:
    so_far = before("objectives")
    was = {"considerations": [{"handle": "C1", "text": "Old brewery: 1,900 euros a month"}]}
    now = {"considerations": [{"handle": "C1", "text": "Old brewery: 2,100 euros a month"}]}
    told = describe_changes(was, now, so_far)
    assert told == ("reworded: C1 Old brewery: 2,100 euros a month (2,100 instead of 1,900)",)
    plain = {"considerations": [{"handle": "C1", "text": "The old brewery"}]}
    assert describe_changes(was, plain, so_far) == ("reworded: C1 The old brewery",)
    by_hand = {"considerations": [{**plain["considerations"][0], "origin": "user"}]}
    assert describe_changes(was, by_hand, so_far) == ("reworded: C1 The old brewery",), "who said it is no change"

    def measured(**measure: Any) -> dict[str, Any]:
        return {"fundamental_objectives": [{"handle": "O1", "description": "Cost", "performance_measure": measure}]}

    one, other = measured(baseline=4, direction="minimize"), measured(baseline=5.5, direction="maximize")
    assert describe_changes(one, other, so_far) == (
        "changed: O1 Cost (How it is today (5.5 instead of 4) and "
        "Which way is better (more is better instead of less is better))",
    )
    assert describe_changes({"x": {"a": "yes", "b": ["9 to 5"]}}, {"x": {"a": "no", "b": ["8 to 5"]}}, so_far) == (
        "changed: X (A (no instead of yes) and B (8 instead of 9))",
    )
    assert describe_changes({"x": {"a": True}, "y": 1}, {"x": {"a": 2}, "y": 1}, so_far) == ("changed: X (A)",)
    assert describe_changes({"deadline": "2027-01-31"}, {"deadline": "2027-02-28"}, so_far) == (
        "changed: Deadline (28 February 2027 instead of 31 January 2027)",
    )


def test_a_new_option_changes_nothing_in_a_table_that_its_own_step_does_not_tell() -> None:
    rows = {"A1": [0, 0], "A2": [1, -1]}
    cells = [{"alternative_id": "A2", "objective_id": f"O{n}", "rating": each} for n, each in enumerate((1, -1), 1)]
    was = accepted("consequences", {"table": {"cells": cells}}, rated(rows, "consequences")).draft
    so_far = rated({**rows, "A3": [0, 0]}, "consequences")
    now = refresh_draft(PLAYBOOK["consequences"], was, so_far).draft
    assert now["table"]["alternative_ids"] == ["A1", "A2", "A3"]
    assert describe_changes(was, now, so_far) == ()


def test_figures_of_another_text_and_digits_of_handles_are_not_told_as_changed() -> None:
    so_far = before("recommendation")
    was = {"key_considerations": ["Is 88,000 euro a year acceptable to Jonas?", "Hiring must start soon."]}
    now = {"key_considerations": ["Hiring must start soon.", "A4 costs half since the pilot, 44,000 euro."]}
    assert describe_changes(was, now, so_far) == ("changed: Worth considering",)
    reworded = {"key_considerations": ["Is 44,000 euro a year acceptable to Jonas?", "Hiring must start soon."]}
    told = ("changed: Worth considering (44,000 instead of 88,000)",)
    assert describe_changes(was, reworded, so_far) == told
    fewer = {"key_considerations": ["Hiring must start soon."]}
    assert describe_changes(was, fewer, so_far) == ("changed: Worth considering",)
    other = describe_changes({"status_quo_id": "A4"}, {"status_quo_id": "A5"}, so_far)
    assert other == ("changed: Status quo (A5 instead of A4)",)
    assert describe_changes({"x": "A4 is near"}, {"x": "A5 is near"}, so_far) == (
        "changed: X (A5 is near instead of A4 is near)",
    )


def test_a_rating_that_nobody_knew_is_told_as_not_known_before() -> None:
    def rated_as(rating: int, **more: Any) -> dict[str, Any]:
        return {"table": {"cells": [{"alternative_id": "A5", "objective_id": "O3", "rating": rating, **more}]}}

    unknown = rated_as(0, rating_range={"low": -2, "high": 2})
    assert f"{COST}: +1 instead of not known" in describe_changes(unknown, rated_as(1), before("consequences"))
    assert f"{COST}: not known instead of 0" in describe_changes(rated_as(0), unknown, before("consequences"))


@pytest.mark.req("FA-13")
def test_an_option_that_amounts_speak_for_stays_until_people_set_it_aside_all_the_same() -> None:
    without, disputed = example("tradeoffs"), example("tradeoffs")
    beaten = disputed["dominated_alternatives"][1]
    without["dominated_alternatives"] = without["dominated_alternatives"][:1]
    beaten.pop("user_verdict", None)
    beaten["disputed_on"] = ["O3"]
    assert not [each for each in told(without, disputed) if "can be set aside" in each]
    assert "A6 Mandatory rota for all agents is back in" in told(example("tradeoffs"), disputed)
    all_the_same = deepcopy(disputed)
    all_the_same["dominated_alternatives"][1]["user_verdict"] = "set_aside"
    assert "A6 Mandatory rota for all agents can be set aside now" in told(disputed, all_the_same)


def test_points_that_count_no_longer_are_named_and_others_that_changed_are_told_as_before() -> None:
    range_ = {"worst": 0, "best": 1}
    was: Draft = {
        "swing_weights": [
            {"objective_id": "O1", "points": 100, "rank": 1, **range_},
            {"objective_id": "O2", "points": 80, "rank": 2, **range_},
            {"objective_id": "O3", "points": 50, "rank": 3, **range_},
        ]
    }
    one, _, three = deepcopy(was["swing_weights"])
    lapsed = {"objective_id": "O2", "former": {"points": 80, **range_}}
    line = "your points on O2 Protect the agents' health… count no longer: they were given for another range"
    assert told(was, {"swing_weights": [one, lapsed, {**three, "rank": 2}]}) == (line,)
    changed = told(was, {"swing_weights": [one, lapsed, {**three, "points": 60, "rank": 2}]})
    assert changed[0] == line
    assert "What going from worst to best is worth" in changed[1]
    assert told({"swing_weights": [one, lapsed]}, {"swing_weights": [one, lapsed]}) == ()
    assert told({"swing_weights": [one, lapsed]}, was)[0].startswith("changed: What going from worst to best is worth")


@pytest.mark.req("FA-13", "TR-18")
def test_a_rating_and_its_amount_that_changed_are_told_together() -> None:
    def table(rating: int, amount: float) -> Draft:
        cell = {
            "alternative_id": "A2",
            "objective_id": "O3",
            "rating": rating,
            "quant_value": amount,
            "quant_unit": "h",
        }
        return {"table": {"cells": [cell]}}

    (line,) = [each for each in told(table(2, 5), table(1, 4)) if "instead of" in each]
    assert line.endswith(": +1 instead of +2 (4 h instead of 5 h)")
    assert [each[-17:] for each in told(table(2, 5), table(2, 4))] == ["4 h instead of 5 h"[-17:]]
    assert [each[-16:] for each in told(table(2, 5), table(1, 5)) if "instead" in each] == ["+1 instead of +2"]


@pytest.mark.req("FA-13")
def test_a_score_that_changed_is_told_with_the_former_one() -> None:
    before, after = example("decision_quality"), example("decision_quality")
    after["elements"][4]["score"] = 80
    assert told(before, after)[-1] == "changed: Scores (Logically correct reasoning (80 instead of 85))"
    after["elements"][4]["rationale"] = "We checked it"
    assert "(80 instead of 85)" in told(before, after)[-1]


@pytest.mark.req("FA-13")
def test_amounts_that_only_have_another_unit_are_not_told_as_changed_beside_one_that_did() -> None:
    one = {"alternative_id": "A5", "objective_id": "O1", "rating": 1, "quant_value": 9, "quant_unit": "%"}
    other = {"alternative_id": "A6", "objective_id": "O1", "rating": 1, "quant_value": 9, "quant_unit": "%"}
    unit = {"quant_unit": "% of all calls"}
    before: Draft = {"table": {"cells": [one, other]}}
    after: Draft = {"table": {"cells": [one | unit, other | unit | {"quant_value": 10}]}}
    changed, units = told(before, after)
    assert changed.endswith(": 10 % of all calls instead of 9 %")
    assert units.startswith("another unit on O1 ")
