"""Rating a column: what stands in the window, what is never chosen beforehand, and what becomes of what is sent."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

import pytest

from app.core.copy import draft_editing
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft, find_values
from app.playground.slack.values.surfaces import Json
from handlers.views.editing import edits, rating, window_state
from handlers.views.editing.edits import Edit
from handlers.views.editing.form import Subject
from handlers.views.editing.inputs import NONE
from handlers.views.editing.window_state import WindowCommand
from tests.unit.decision.components.worked import accepted, before, minimal
from tests.unit.handlers.editing.windows import about, chosen, offered, said, sent, subject, taken, written

ALTERNATIVES: Draft = {
    "alternatives": [{"handle": f"A{n}", "name": f"Way {n}", "description": f"x{n}"} for n in range(1, 4)],
    "status_quo_id": "A1",
}
OBJECTIVES: Draft = {
    "fundamental_objectives": [{"handle": f"O{n}", "description": f"Aim {n}"} for n in range(1, 3)],
    "means_objectives": [],
}
SO_FAR = before("consequences", objectives=OBJECTIVES, alternatives=ALTERNATIVES)


def cells(*given: dict[str, Any]) -> Draft:
    return {"table": {"cells": [{"alternative_id": "A2", "objective_id": "O1", **each} for each in given]}}


def rated(*given: dict[str, Any], so_far: DecisionRecord = SO_FAR) -> Subject:
    """A draft with these ratings of Way 2 on Aim 1, and what the server adds to it."""
    return subject("consequences", accepted("consequences", cells(*given), so_far).draft, so_far)


def column(it: Subject, about: str = "O1:0") -> Json:
    form = edits.build_item_form(it, WindowCommand.RATE, about)
    assert form is not None
    return taken(form)


def initial(view: Json, name: str) -> Any:
    """What an input begins with."""
    (element,) = [block["element"] for block in view["blocks"] if block.get("block_id") == name]
    return element.get("initial_value") or element.get("initial_option", {}).get("value")


def cell(edit: Edit, option: str = "A2") -> dict[str, Any] | None:
    found = find_values(edit.draft, "table.cells[]")
    return next((each for each in found if (each["alternative_id"], each["objective_id"]) == (option, "O1")), None)


def test_what_was_rated_against_an_earlier_status_quo_is_proposed_and_not_chosen() -> None:
    before_now = [
        {"baseline_id": "A3", "alternative_id": option, "objective_id": "O1", "rating": rating}
        for option, rating in (("A1", 1), ("A2", 2))
    ]
    draft = rated().draft
    draft["table"]["former"] = before_now
    it = subject("consequences", draft, SO_FAR)
    view = column(it)
    assert f"proposal, by subtraction: {rating.STEPS['1']}; it was {rating.STEPS['2']} against A3 Way 3" in said(view)
    assert initial(view, "A2.rating") is None


def test_what_leaves_the_scale_by_subtraction_is_told_as_it_was_and_not_proposed() -> None:
    draft = rated().draft
    draft["table"]["former"] = [
        {"baseline_id": "A3", "alternative_id": option, "objective_id": "O1", "rating": rating}
        for option, rating in (("A1", -1), ("A2", 2))
    ]
    shown = said(column(subject("consequences", draft, SO_FAR)))
    assert f"A2 Way 2\nit was {rating.STEPS['2']} against A3 Way 3, which cannot be carried over" in shown


def test_the_columns_are_listed_with_how_far_each_is_rated_and_the_status_quo_is_no_option() -> None:
    it = rated({"rating": 1})
    view = taken(rating.build_picker(it, "*Hello*"))
    assert "O1 Aim 1\n1 of 2 rated" in said(view)
    assert "O2 Aim 2\n0 of 2 rated" in said(view)
    assert offered(view) == [(WindowCommand.RATE, "O1:0"), (WindowCommand.RATE, "O2:0")]
    assert said(view).startswith("*Hello*")
    asked = [block["block_id"] for block in column(it)["blocks"] if block["type"] == "input"]
    assert asked == ["A2.rating", "A2.reason", "A2.doubt", "A3.rating", "A3.reason", "A3.doubt"]


def test_what_nobody_knows_is_counted_as_such() -> None:
    it = rated(OPEN)
    assert "0 of 2 rated, 1 not known" in said(taken(rating.build_picker(it)))


def test_a_proposal_is_said_and_neither_chosen_nor_counted() -> None:
    it = rated({"rating": 2, "origin": "ai_suggested", "rationale": "cheap", "uncertainty": {"level": "high"}})
    view = column(it)
    words = "+2 · much better (high doubt) – because cheap"
    assert f"A2 Way 2\n{draft_editing.PROPOSAL.format(rating=words)}" in said(view)
    assert [initial(view, f"A2.{name}") for name in ("rating", "reason", "doubt")] == [None, None, None]
    assert "0 of 2 rated" in said(taken(rating.build_picker(it)))
    assert not sent(view, it).is_change


def test_what_people_said_in_the_talk_is_chosen_already_and_becomes_nobodys_own_choice_unless_it_is_changed() -> None:
    it = rated({"rating": -2, "rationale": "shorter"})
    view = column(it)
    assert (initial(view, "A2.rating"), initial(view, "A2.reason")) == ("-2", "shorter")
    edit = sent(view, it)
    assert not edit.is_change
    assert "origin" not in (cell(edit) or {})
    edit = sent(view, it, **{"A2.rating": chosen("-1")})
    assert cell(edit) == {
        "alternative_id": "A2", "objective_id": "O1", "rating": -1, "rationale": "shorter", "origin": "user"
    }  # fmt: skip


def test_what_was_chosen_here_is_chosen_already() -> None:
    it = rated({"rating": -1, "origin": "user", "uncertainty": {"level": "low"}})
    view = column(it)
    assert (initial(view, "A2.rating"), initial(view, "A2.doubt")) == ("-1", "low")
    assert not sent(view, it).is_change


def test_anchors_stand_on_top() -> None:
    draft: Draft = {"table": {"cells": [], "anchors": [{"objective_id": "O1", "2": "the same day", "-1": "a week"}]}}
    view = column(subject("consequences", draft, SO_FAR))
    assert view["blocks"][1]["text"]["text"] == ("+2 · much better: the same day\n−1 · worse: a week")


@pytest.mark.req("FA-15")
def test_a_scale_in_words_stands_on_top_and_asks_for_no_number() -> None:
    levels = {"metric": "who would follow", "direction": "maximize", "scale_levels": ["nobody", "some", "all"]}
    ends = [{**each, "performance_measure": levels} for each in OBJECTIVES["fundamental_objectives"]]
    so_far = before(
        "consequences", objectives={**OBJECTIVES, "fundamental_objectives": ends}, alternatives=ALTERNATIVES
    )
    view = column(subject("consequences", {}, so_far))
    told = "O1 Aim 1\nWho would follow, more is better\nLevels: nobody · some · all"
    assert view["blocks"][0]["text"]["text"] == told
    assert "A2.number" not in str(view)
    measured = rated({"rating": 1, "quant_value": 3}, so_far=so_far)
    assert initial(column(measured), "A2.number") == "3"


def test_what_is_chosen_becomes_the_persons_rating_and_is_said_in_words() -> None:
    it = subject("consequences", {}, SO_FAR)
    changed = {"A2.rating": chosen("2"), "A2.reason": written(" much nearer "), "A3.rating": chosen("?")}
    edit = sent(column(it), it, **changed)
    assert cell(edit) == {
        "alternative_id": "A2", "objective_id": "O1", "rating": 2, "rationale": "much nearer", "origin": "user"
    }  # fmt: skip
    assert edit.said == "O1 Aim 1: A2 Way 2 +2 – because much nearer; A3 Way 3 don't know"
    assert edit.is_change


@pytest.mark.parametrize("extreme", ["-2", "2"])
def test_an_extreme_needs_a_reason(extreme: str) -> None:
    it = rated({"rating": 1})
    edit = sent(column(it), it, **{"A2.rating": chosen(extreme)})
    assert (dict(edit.errors), edit.is_change) == ({"A2.reason": draft_editing.NEEDS_A_REASON}, False)


def test_a_reason_alone_needs_a_rating_unless_people_gave_one_before() -> None:
    it = rated({"rating": 1, "origin": "ai_suggested"})
    edit = sent(column(it), it, **{"A2.reason": written("near")})
    assert dict(edit.errors) == {"A2.rating": draft_editing.NEEDS_A_RATING}
    it = rated({"rating": 1})
    edit = sent(column(it), it, **{"A2.reason": written("near")})
    assert (cell(edit) or {})["rationale"] == "near"
    assert edit.said == "O1 Aim 1: A2 Way 2 +1 – because near"


CLEARED = {"selected_option": None}


def test_a_rating_that_is_cleared_is_taken_out_and_said_to_be() -> None:
    it = rated({"rating": -2, "rationale": "shorter", "origin": "user"})
    for reason in ({}, {"A2.reason": written("")}):
        edit = sent(column(it), it, **{"A2.rating": CLEARED}, **reason)
        assert (cell(edit), dict(edit.errors), edit.is_change) == (None, {}, True)
        assert edit.said == "O1 Aim 1: A2 Way 2 rating taken out"


def test_a_rating_that_is_cleared_beside_new_words_is_asked_for() -> None:
    it = rated({"rating": -2, "rationale": "shorter", "origin": "user"})
    for more in ({"A2.reason": written("near")}, {"A2.doubt": chosen("high")}):
        edit = sent(column(it), it, **{"A2.rating": CLEARED}, **more)
        assert dict(edit.errors) == {"A2.rating": draft_editing.NEEDS_A_RATING}


def test_a_rating_with_an_amount_is_not_cleared_with_the_amount_unseen() -> None:
    it = rated({"rating": 1, "quant_value": 4000, "quant_unit": "EUR", "origin": "user"})
    edit = sent(column(it), it, **{"A2.rating": CLEARED})
    assert edit.errors["A2.rating"].startswith("4,000 EUR is noted with this rating")
    assert not edit.is_change


def test_a_rating_that_the_window_did_not_show_stays_beside_a_reason() -> None:
    it = rated({"rating": 1, "origin": "user"})
    given = {"A2.reason": {"A2.reason": written("near")}}
    read = rating.read(rating.Column(replace(it, about=replace(it.about, path="O1"))), given)
    assert (read.said, dict(read.errors)) == ("O1 Aim 1: A2 Way 2 +1 – because near", {})


def test_a_reason_keeps_its_words_in_angle_brackets() -> None:
    it = rated({"rating": 1, "origin": "user"})
    edit = sent(column(it), it, **{"A2.reason": written("a<b>c")})
    assert (cell(edit) or {})["rationale"] == "a‹b>c"
    assert edit.said.endswith("because a‹b>c")


OPEN = {"rating": 0, "rating_range": {"low": -2, "high": 2}, "uncertainty": {"level": "high"}, "origin": "user"}


@pytest.mark.parametrize("before", [None, {"rating": 1, "origin": "user"}, {"rating": 1, "origin": "ai_suggested"}])
def test_who_does_not_know_leaves_the_rating_open_over_the_whole_scale(
    before: Draft | None,
) -> None:
    it = rated(before) if before else subject("consequences", {}, SO_FAR)
    edit = sent(column(it), it, **{"A2.rating": chosen("?")})
    assert cell(edit) == {"alternative_id": "A2", "objective_id": "O1", **OPEN}
    assert edit.said == "O1 Aim 1: A2 Way 2 don't know"


def test_a_rating_that_nobody_knows_is_chosen_already_and_gives_way_to_one_that_somebody_knows() -> None:
    it = rated({**OPEN, "uncertainty": DRIVEN})
    view = column(it)
    assert (initial(view, "A2.rating"), initial(view, "A2.doubt")) == ("?", "medium")
    assert not sent(view, it).is_change
    made = cell(sent(view, it, **{"A2.rating": chosen("0"), "A2.doubt": chosen("low")})) or {}
    assert (made["rating"], made["uncertainty"]) == (0, {"level": "low", "driver": "weather"})
    assert "rating_range" not in made


def test_a_range_that_people_gave_stands_above_its_rating() -> None:
    shown = str(column(rated({"rating": 1, "rating_range": {"low": 0, "high": 1}}))["blocks"])
    assert "given: 0 to +1" in shown
    assert "given:" not in str(column(rated(OPEN))["blocks"])


def test_an_option_is_named_once_by_its_rating_and_above_it_only_with_more_to_tell() -> None:
    def above(**cell: Any) -> list[str]:
        shown = column(rated(cell))["blocks"]
        at = next(number for number, each in enumerate(shown) if each.get("block_id") == "A2.rating")
        return [shown[at - 1]["type"], shown[at - 1].get("text", {}).get("text", "")]

    assert above(**OPEN) == ["divider", ""]
    kind, told = above(rating=1, rating_range={"low": 0, "high": 1})
    assert (kind, told.splitlines()[0]) == ("section", "A2 Way 2")


def test_of_a_rating_that_is_changed_stays_what_still_holds() -> None:
    span = {"rating": 1, "rating_range": {"low": 0, "high": 1}, "quant_value": 4, "uncertainty": DRIVEN}
    it = rated(span)
    made = cell(sent(column(it), it, **{"A2.rating": chosen("-1"), "A2.doubt": chosen("high")})) or {}
    assert "rating_range" not in made
    assert (made["quant_value"], made["uncertainty"]) == (4, {"level": "high", "driver": "weather"})
    made = cell(sent(column(it), it, **{"A2.rating": chosen("0"), "A2.doubt": chosen(NONE)})) or {}
    assert (made["rating_range"], "uncertainty" in made) == ({"low": 0, "high": 1}, False)


DRIVEN = {"level": "medium", "driver": "weather"}


def test_nothing_of_a_proposal_becomes_the_persons_own_unless_they_say_so() -> None:
    it = rated({"rating": 1, "origin": "ai_suggested", "rationale": "cheap", "quant_value": 4, "uncertainty": DRIVEN})
    edit = sent(column(it), it, **{"A2.rating": chosen("1")})
    assert cell(edit) == {"alternative_id": "A2", "objective_id": "O1", "rating": 1, "origin": "user"}


def test_more_options_than_a_window_holds_are_rated_in_parts() -> None:
    options = {**ALTERNATIVES, "alternatives": [{**ALTERNATIVES["alternatives"][0], "handle": f"A{n}", "name": f"Way {n}", "description": f"x{n}"} for n in range(1, 51)]}  # fmt: skip  # noqa: E501
    so_far = before("consequences", objectives=OBJECTIVES, alternatives=options)
    it = subject("consequences", {}, so_far)
    view = taken(rating.build_picker(it))
    assert [each for each in offered(view) if each[1].startswith("O1")] == [
        (WindowCommand.RATE, "O1:0"), (WindowCommand.RATE, "O1:1"), (WindowCommand.RATE, "O1:2")
    ]  # fmt: skip
    assert draft_editing.RATE_PART.format(label="O1 Aim 1", part=3, parts=3) in said(view)
    last = column(it, "O1:2")
    edit = sent(last, it, **{"A50.rating": chosen("1")})
    assert cell(edit, "A50") is not None
    shown = [block["block_id"] for part in range(3) for block in column(it, f"O1:{part}")["blocks"] if block["type"] == "input"]  # fmt: skip  # noqa: E501
    assert len(shown) == 3 * 49


def test_without_a_named_status_quo_options_are_still_compared_with_the_status_quo() -> None:
    so_far = before("consequences", objectives=OBJECTIVES, alternatives={**ALTERNATIVES, "status_quo_id": ""})
    assert f"compare with {draft_editing.STATUS_QUO}?" in said(column(subject("consequences", {}, so_far)))


def test_there_is_something_to_rate_once_there_are_objectives_and_options() -> None:
    assert rating.can_rate(SO_FAR)
    assert not rating.can_rate(before("objectives"))
    alone = {"alternatives": [ALTERNATIVES["alternatives"][0]], "status_quo_id": "A1"}
    assert not rating.can_rate(before("consequences", objectives=OBJECTIVES, alternatives=alone))


def test_a_window_says_what_it_is_about_and_another_one_says_nothing() -> None:
    draft = minimal("consequences")
    here = about(draft, path="O1", part=2, page=1, adds=True)
    kept = json.dumps(asdict(here))
    assert window_state.read_state({"private_metadata": kept}) == here
    for broken in ("", "{}", kept.replace('"edition": 3', '"edition": -3'), kept.replace(here.thread.channel, "")):
        assert window_state.read_state({"private_metadata": broken}) is None


@pytest.mark.req("TR-07")
def test_an_amount_of_before_is_asked_about_in_the_window_and_holds_once_a_person_says_so() -> None:
    it = rated({"rating": 1, "quant_value": 4000, "quant_unit": "EUR", "origin": "user"})
    assert not [block for block in column(it)["blocks"] if block.get("block_id") == "A2.amount"]
    anew = sent(column(it), it, **{"A2.rating": chosen("-1")})
    assert (cell(anew) or {})["amount_for"] == {"rating": 1, "amount": 4000}
    it = subject("consequences", anew.draft, SO_FAR)
    (asked,) = [block for block in column(it)["blocks"] if block.get("block_id") == "A2.amount"]
    assert asked["label"]["text"].startswith("4,000 EUR was given for +1")
    edit = sent(column(it), it, **{"A2.amount": chosen(draft_editing.STILL_RIGHT)})
    assert (cell(edit) or {})["amount_for"] == {"rating": -1, "amount": 4000}
    assert "and 4,000 EUR is still right" in str(edit.said)
    both = sent(column(it), it, **{"A2.rating": chosen("0"), "A2.amount": chosen(draft_editing.STILL_RIGHT)})
    assert (cell(both) or {})["amount_for"] == {"rating": 0, "amount": 4000}
    later = column(subject("consequences", edit.draft, SO_FAR))
    assert not [block for block in later["blocks"] if block.get("block_id") == "A2.amount"]
    open_one = {"A2.rating": chosen(draft_editing.DONT_KNOW), "A2.amount": chosen(draft_editing.STILL_RIGHT)}
    assert "amount_for" not in (cell(sent(column(it), it, **open_one)) or {}), "it was given for no rating"


def test_an_amount_beside_a_rating_that_nobody_knows_is_of_no_rating_before_somebody_does() -> None:
    it = rated({"rating": 1, "quant_value": 4000, "quant_unit": "EUR", "origin": "user"})
    open_one = sent(column(it), it, **{"A2.rating": chosen(draft_editing.DONT_KNOW), "A2.number": {"value": "35"}})
    assert (cell(open_one) or {})["quant_value"] == 35
    assert "amount_for" not in (cell(open_one) or {})
    it = subject("consequences", open_one.draft, SO_FAR)
    known = sent(column(it), it, **{"A2.rating": chosen("-1")})
    assert (cell(known) or {})["amount_for"] == {"rating": -1, "amount": 35}


def test_a_rating_that_nobody_knows_any_more_has_a_high_doubt_unless_another_one_was_chosen() -> None:
    it = rated({"rating": 1, "uncertainty": {"level": "low", "driver": "One offer"}, "origin": "user"})
    former = sent(column(it), it, **{"A2.rating": chosen(draft_editing.DONT_KNOW)})
    assert (cell(former) or {})["uncertainty"] == {"level": "high", "driver": "One offer"}
    changed = sent(column(it), it, **{"A2.rating": chosen(draft_editing.DONT_KNOW), "A2.doubt": chosen("medium")})
    assert (cell(changed) or {})["uncertainty"]["level"] == "medium"


def test_an_old_cell_remembers_what_its_amount_was_given_for() -> None:
    it = subject("consequences", cells({"rating": 1, "quant_value": 4, "origin": "user"}), SO_FAR)
    anew = sent(column(it), it, **{"A2.rating": chosen("0")})
    assert (cell(anew) or {})["amount_for"] == {"rating": 1, "amount": 4}


def test_a_full_window_with_amounts_of_before_stays_within_slacks_limit() -> None:
    many = {"alternatives": [{"handle": f"A{n}", "name": f"Way {n}", "description": f"x{n}"} for n in range(1, 30)]}
    so_far = before("consequences", objectives=OBJECTIVES, alternatives={**many, "status_quo_id": "A1"})
    stale = {"rating": 1, "quant_value": 4, "amount_for": {"rating": 0, "amount": 4}, "objective_id": "O1"}
    draft: Draft = {"table": {"cells": [{**stale, "alternative_id": f"A{n}"} for n in range(2, 30)]}}
    view = column(subject("consequences", draft, so_far))
    assert len(view["blocks"]) <= 100
    assert len([block for block in view["blocks"] if str(block.get("block_id")).endswith(".amount")]) == 10


MEASURED = before(
    "consequences",
    alternatives=ALTERNATIVES,
    objectives={
        **OBJECTIVES,
        "fundamental_objectives": [
            {
                "handle": "O1",
                "description": "Aim 1",
                "performance_measure": {"metric": "Cost", "units": "kEUR/year", "direction": "minimize"},
            },
            {"handle": "O2", "description": "Aim 2"},
        ],
    },
)


def test_an_amount_is_asked_for_where_there_is_a_measure_in_its_unit_and_nowhere_else() -> None:
    it = rated(so_far=MEASURED)
    view = column(it)
    (asked,) = [block for block in view["blocks"] if block.get("block_id") == "A2.number"]
    assert asked["label"]["text"] == "How much, in kEUR/year?"
    assert not [block for block in column(it, "O2:0")["blocks"] if str(block.get("block_id")).endswith(".number")]
    edit = sent(view, it, **{"A2.rating": chosen("1"), "A2.number": written("30.5")})
    assert cell(edit) == {
        "alternative_id": "A2",
        "objective_id": "O1",
        "rating": 1,
        "origin": "user",
        "quant_value": 30.5,
        "quant_unit": "kEUR/year",
        "amount_for": {"rating": 1, "amount": 30.5},
    }
    assert "A2 Way 2 +1 (30.5 kEUR/year)" in str(edit.said)
    alone = sent(view, it, **{"A2.number": written("30.5")})
    assert (alone.errors, cell(alone)) == ({"A2.rating": draft_editing.NEEDS_A_RATING}, None)


def test_an_amount_that_is_changed_is_of_the_rating_beside_it_and_one_that_is_taken_out_is_gone() -> None:
    given = {"rating": 1, "quant_value": 20, "quant_unit": "EUR", "source": "an offer", "origin": "user"}
    it = rated(given, so_far=MEASURED)
    assert initial(column(it), "A2.number") == "20"
    assert not sent(column(it), it).said, "nothing was changed"
    anew = sent(column(it), it, **{"A2.rating": chosen("-1"), "A2.number": written("35")})
    now = cell(anew) or {}
    assert (now["quant_value"], now["quant_unit"]) == (35, "EUR")
    assert now["amount_for"] == {"rating": -1, "amount": 35}
    assert "source" not in now, "it was the source of another amount"
    without = sent(column(it), it, **{"A2.number": written(None)})
    assert {"quant_value", "quant_unit", "amount_for", "source"}.isdisjoint(cell(without) or {"quant_value": 0})
    assert "A2 Way 2 +1 (without an amount)" in str(without.said)
    kept = sent(column(it), it, **{"A2.rating": chosen(NONE)})
    assert "20 EUR is noted with this rating" in kept.errors["A2.rating"]
    assert cell(sent(column(it), it, **{"A2.rating": chosen(NONE), "A2.number": written(None)})) is None


def test_an_amount_that_the_window_cannot_write_stays_and_the_one_of_a_proposal_is_nobodys() -> None:
    huge = {"rating": 1, "quant_value": 10**20, "quant_unit": "EUR", "origin": "user"}
    it = rated(huge, so_far=MEASURED)
    assert (cell(sent(column(it), it, **{"A2.rating": chosen("0")})) or {})["quant_value"] == 10**20
    it = rated({**huge, "origin": "ai_suggested"}, so_far=MEASURED)
    assert initial(column(it), "A2.number") is None
    wrong = sent(column(it), it, **{"A2.rating": chosen("0"), "A2.number": written("about 5")})
    assert wrong.errors == {"A2.number": draft_editing.NOT_A_NUMBER}


@pytest.mark.parametrize(
    ("entered", "told"),
    [
        ("9" * 15, None),
        ("9" * 16, draft_editing.LONG_NUMBER),
        ("-" + "9" * 400, draft_editing.LONG_NUMBER),
        ("0." + "1" * 16, draft_editing.LONG_NUMBER),
        ("1.500,5", draft_editing.NOT_A_NUMBER),
    ],
)
def test_an_amount_that_is_a_number_but_too_long_is_not_called_no_number(entered: str, told: str | None) -> None:
    it = rated({"rating": 1, "origin": "user"}, so_far=MEASURED)
    edit = sent(column(it), it, **{"A2.number": written(entered)})
    assert edit.errors == ({"A2.number": told} if told else {})


def test_an_amount_with_space_around_it_is_taken_and_space_alone_is_none() -> None:
    it = rated({"rating": 1, "origin": "user"}, so_far=MEASURED)
    assert (cell(sent(column(it), it, **{"A2.number": written(" 20 ")})) or {})["quant_value"] == 20
    assert not sent(column(it), it, **{"A2.number": written("  ")}).is_change


def many(count: int) -> DecisionRecord:
    """A decision with so many options beside the status quo."""
    named = [{"handle": f"A{n}", "name": f"Way {n}", "description": f"x{n}"} for n in range(1, count + 2)]
    options = {"alternatives": named, "status_quo_id": "A1"}
    return before("consequences", objectives=OBJECTIVES, alternatives=options)


def test_a_window_that_was_opened_with_more_options_than_one_shows_now_is_read_whole() -> None:
    it = rated({"rating": 1, "origin": "user"}, so_far=many(25))
    first, second = column(it, "O1:0"), column(it, "O1:1")
    more = [each for each in second["blocks"] if each["block_id"].startswith(("A24.", "A25.", "A26."))]
    shown = {**first, "blocks": [*first["blocks"], *more]}
    edit = sent(shown, it, **{"A3.rating": chosen("1"), "A26.rating": chosen("-1")})
    assert [(cell(edit, each) or {}).get("rating") for each in ("A2", "A3", "A26")] == [1, 1, -1]
    assert edit.said.endswith("Way 3 +1; A26 Way 26 −1")


def test_a_rating_of_an_option_that_is_no_longer_rated_is_refused_and_not_dropped() -> None:
    it = rated({"rating": 1, "origin": "user"}, so_far=many(3))
    shown = column(it)
    now = replace(it, so_far=many(2))
    assert sent(shown, now, **{"A3.rating": chosen("1")}).said, "what was not touched is not in the way"
    edit = sent(shown, now, **{"A3.rating": chosen("1"), "A4.rating": chosen("1")})
    assert (edit.errors, edit.is_change) == ({"A4.rating": draft_editing.CHANGED_BELOW}, False)


@pytest.mark.parametrize("count", [17, 29])
def test_a_full_window_that_asks_for_amounts_stays_within_slacks_limit(count: int) -> None:
    many = {"alternatives": [{"handle": f"A{n}", "name": f"Way {n}", "description": f"x{n}"} for n in range(1, count)]}
    so_far = before(
        "consequences",
        objectives=MEASURED.results["objectives"],
        alternatives={**many, "status_quo_id": "A1"},
    )
    stale = {"rating": 1, "quant_value": 4, "amount_for": {"rating": 0, "amount": 4}, "objective_id": "O1"}
    anchors = [{"objective_id": "O1", "0": "as now", "1": "better"}]
    draft: Draft = {
        "table": {"anchors": anchors, "cells": [{**stale, "alternative_id": f"A{n}"} for n in range(2, count)]}
    }
    view = column(subject("consequences", draft, so_far))
    assert len(view["blocks"]) <= 100
