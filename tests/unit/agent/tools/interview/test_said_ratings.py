"""A rating that nobody gave stays a suggestion, one that people gave is never called so; points keep their ranges."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.extraction.submission import judge, remove_unsaid_ranges
from app.agent.tools.interview.said_ratings import SpokenRatings
from app.core.conversation.conversation import Message, Role
from app.core.state.interview import Mode
from app.decision.drafts.draft import Accepted
from app.decision.layout.sheets import build_sheet
from app.decision.playbook.found_so_far import render_grid
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from app.decision.tracing.said import SaidFigures
from tests.unit.agent.tools.sat import Box, interviewed
from tests.unit.core.threads import said
from tests.unit.decision.components.worked import PLAYBOOK, TODAY, rated

OPTIONS = {"A1": "Carry on as today", "A2": "Repair the old van", "A3": "Lease a truck", "A4": "Buy a cargo bike"}
OBJECTIVES = {"O1": "Cost", "O2": "Less noise", "O3": "Safety of the riders"}
SO_FAR = DecisionRecord(
    {
        "objectives": {"fundamental_objectives": [{"handle": h, "description": n} for h, n in OBJECTIVES.items()]},
        "alternatives": {
            "alternatives": [{"handle": h, "name": n} for h, n in OPTIONS.items()],
            "status_quo_id": "A1",
        },
    },
    TODAY,
)
ABOUT = "How do they compare on O1 Cost?"


def thread(*turns: str, **more: Any) -> tuple[Message, ...]:
    """The assistant and a person in turns, the assistant first."""
    roles = (Role.ASSISTANT, Role.PERSON)
    rows = (
        replace(said(seq, text), role=roles[(seq - 1) % 2], author="" if seq % 2 else "UOWNER")
        for seq, text in enumerate(turns, 1)
    )
    return tuple(replace(each, **more) for each in rows)


def knows(option: str, objective: str, *turns: str) -> bool:
    return SpokenRatings(thread(*turns), SO_FAR).knows(option, objective)


def box(*turns: str, **more: Any) -> Box:
    return Box(interviewed(component="consequences", **more), thread(*turns), so_far=SO_FAR)


@pytest.mark.req("FA-04", "FA-14")
@pytest.mark.parametrize(
    "answer",
    [
        "all of them are zero on cost except the truck", "same as repair", "A4 +1", "the bike is dearer", "1, 0, -2",
        "+1, I'd say", "no difference", "yes", "hm, the two-wheeled thing is a bit cheaper I guess", "A4 | -1",
        "between 0 and +1", "repair +1, lease -1, the others 0", "cheaper than repair", "no idea, maybe -1",
        "Who knows. I talked to Bo for an hour about it and he thinks it is a little better than today",
        "A2, A3 and A4: one step better",
        "They all cost the same in the end, once you count insurance, tax and so on",
    ],
)  # fmt: skip
def test_what_people_answer_in_words_of_their_own_is_their_rating(answer: str) -> None:
    assert knows("A4", "O1", ABOUT, answer)


@pytest.mark.req("FA-04", "FA-14")
@pytest.mark.parametrize(
    ("option", "objective", "turns"),
    [
        ("A4", "O1", (ABOUT,)),
        ("A4", "O1", (ABOUT, "A2 is +1, A3 is -1")),
        ("A4", "O1", (ABOUT, "repair +1, lease -1, no idea about the bike")),
        ("A4", "O1", (ABOUT, "repair +1, lease -1, bike weiß ich nicht")),
        ("A4", "O1", (ABOUT, "repair +1, lease -1, nobody knows about the bike")),
        ("A4", "O1", (ABOUT, "repair +1, bike no idea, lease -1 as the lot is closed, and that is all of it from me")),
        ("A4", "O1", (ABOUT, "I don't know")),
        ("A4", "O2", (ABOUT, "A4 is +1")),
        ("A4", "O3", (ABOUT, "A4 is +1", "And on noise?", "the bike is +2", "Good. What else?", "done")),
        ("A4", "O1", (ABOUT, "Repair +1, but Bo says 0 as it leaks anyway. Lease +2. Bike don't know")),
        ("A4", "O1", (ABOUT, "Cost: repair +1, lease +2. Noise: bike +1, and all the others are as they are now")),
        ("A4", "O1", (ABOUT, "We had a long talk with the whole team yesterday evening about the garden")),
    ],
)
def test_a_rating_of_which_nobody_spoke_is_known_as_such(option: str, objective: str, turns: tuple[str, ...]) -> None:
    assert not knows(option, objective, *turns)


def test_a_word_that_says_nothing_names_no_option() -> None:
    options = [{"handle": "A1", "name": "Ammann"}, {"handle": "A2", "name": "Balto"}]
    options.append({"handle": "A3", "name": "Zwei bei Ammann und zwei bei Balto"})
    so_far = DecisionRecord({**SO_FAR.results, "alternatives": {"alternatives": options, "status_quo_id": "A1"}}, TODAY)
    spoken = SpokenRatings(
        thread(ABOUT, "Balto ist bei den Kosten eher -1, weil sie so weit weg sitzen und so"), so_far
    )
    assert [spoken.knows(each, "O1") for each in ("A2", "A3")] == [True, False]


@pytest.mark.parametrize("answer", ["bike no idea, maybe -1", "Bike not sure. The bike is a bit better"])
def test_who_names_a_step_after_saying_that_they_do_not_know_has_given_it(answer: str) -> None:
    assert knows("A4", "O1", ABOUT, answer)


@pytest.mark.req("FA-14")
def test_of_a_message_on_several_objectives_the_range_is_that_of_the_right_one() -> None:
    said = "Cost: repair +1, bike between 0 and +1. noise: repair 22 once so -1, bike 58 -2\nSafety: bike +1 or +2"
    spoken = SpokenRatings(thread(ABOUT, said), SO_FAR)
    assert [spoken.find_range("A4", each) for each in OBJECTIVES] == [(0, 1), None, (1, 2)]
    assert spoken.find_range("A2", "O1") is None
    german = SpokenRatings(thread(ABOUT, "repair zwischen 0 und +1, bike -1 bis +2"), SO_FAR)
    assert [german.find_range(each, "O1") for each in ("A2", "A4")] == [(0, 1), (-1, 2)]


def test_a_question_in_other_words_than_the_objective_is_answered_all_the_same() -> None:
    assert knows("A4", "O2", "And how quiet are they?", "the bike +2")
    assert knows("A4", "O2", "And how quiet are they?", "the bike +2", "Noted. Why?", "no engine", "And now?")
    assert knows("A4", "O2", ABOUT, "On O2 the bike is +2")
    assert not knows("A4", "O2", "And how quiet are they?", "the bike +2 on O1")


def test_an_answer_by_a_button_counts_and_the_words_of_the_app_do_not() -> None:
    asked, answer = thread(ABOUT, "A4: +1")
    chosen = replace(answer, role=Role.NOTE, author="UOWNER")
    assert SpokenRatings((asked, chosen), SO_FAR).knows("A4", "O1")
    assert not SpokenRatings((asked, replace(chosen, author="")), SO_FAR).knows("A4", "O1")
    assert not SpokenRatings((asked, replace(answer, role=Role.ASSISTANT)), SO_FAR).knows("A4", "O1")


@pytest.mark.parametrize("more", [{"activity": "Looked at #ops"}, {"drafts_from": ("F1",)}])
def test_where_something_was_read_elsewhere_nothing_is_called_unsaid(more: dict[str, Any]) -> None:
    assert SpokenRatings(thread(ABOUT, **more), SO_FAR).knows("A4", "O1")


@pytest.mark.req("FA-04", "FA-14")
def test_a_rating_that_nobody_gave_is_kept_as_a_suggestion_until_somebody_gives_it() -> None:
    at = box(ABOUT, "A2 +1, A3 -1")
    ratings = [{"option": each, "rating": 1} for each in ("A2", "A4")]
    told = at.does("rate", objective="O1", ratings=ratings)
    assert told["suggested"].startswith("nobody rated A4 on it")
    cells = {each["alternative_id"]: each for each in at.draft["table"]["cells"]}
    assert ("origin" in cells["A2"], cells["A4"]["origin"]) == (False, "ai_suggested")
    assert render_grid(cells.values(), SO_FAR) == ("O1: A2 +1, A4 +1 (suggested, nobody said it)",)
    sheet = build_sheet(PLAYBOOK["consequences"], at.draft, SO_FAR)
    assert "A4 Buy a cargo bike" in str([each for each in sheet.sections if "ugges" in str(each)])
    assert "nobody wrote these words" in at.fails("rate", objective="O1", quote="a bike is cheap", ratings=ratings)
    given = at.does("rate", objective="O1", quote="A2 +1", ratings=[{"option": "A4", "rating": 1}])
    assert "suggested" not in given
    assert not any("origin" in each for each in at.draft["table"]["cells"])
    later = box(ABOUT, "A2 +1", draft=at.draft)
    again = later.does("rate", objective="O1", ratings=[{"option": "A4", "rating": 1, "doubt": "high"}])
    assert "suggested" not in again, "it was given before"


@pytest.mark.req("FA-04")
def test_nothing_is_blocked_and_without_people_nothing_is_judged() -> None:
    alone = box(ABOUT, "A2 +1", mode=Mode.DIRECT)
    assert "suggested" not in alone.does("rate", objective="O1", ratings=[{"option": "A4", "rating": 1}])
    at = box(ABOUT, "no idea")
    told = at.does("rate", objective="O1", ratings=[{"option": "A1", "rating": 0, "amount": 9}])
    assert "suggested" not in told, "today is what the others are compared with"
    assert "O1, O2, O3" in at.fails("rate", objective="O9", ratings=[{"option": "A2", "rating": 0}])


@pytest.mark.req("FA-04", "TR-05")
@pytest.mark.parametrize(
    ("answer", "span"),
    [
        ("the bike is between 0 and +1", "+0 to +1"), ("A4: 0 to +1", "+0 to +1"), ("A4: +1 or +2", "+1 to +2"),
        ("A4 −1/+1, A2 0", "-1 to +1"), ("A4 +1", ""), ("A4 from -1 to +1", ""), ("A4: 0 to +1. No, A4 is +1", ""),
        ("A2 0 to +1, A4 +1", ""), ("+1/0/+1", ""), ("A4 takes 1 or 2 weeks more", ""), ("A4 better", ""),
    ],
)  # fmt: skip
def test_a_single_step_within_a_range_that_people_gave_is_told_to_be_a_range(answer: str, span: str) -> None:
    at = box(ABOUT, answer)
    told = at.does("rate", objective="O1", ratings=[{"option": "A4", "rating": 1}])
    assert ("ranges" in told) == bool(span)
    assert not span or f"A4: people said {span}" in told["ranges"][0]
    assert "ranges" not in at.does("rate", objective="O1", ratings=[{"option": "A4", "rating": 1, "low": 0}])


def test_a_rating_outside_of_a_range_that_people_gave_is_not_asked_to_be_one() -> None:
    told = box(ABOUT, "A4: 0 to +1").does("rate", objective="O1", ratings=[{"option": "A4", "rating": 2}])
    assert "ranges" not in told


def submitted(low: int, high: int, *turns: str, **noted: Any) -> tuple[dict[str, Any], list[str]]:
    """What is left of a submitted rating of +1 with this range, and what people are told."""
    cell = {"alternative_id": "A4", "objective_id": "O1", "rating": 1, "rating_range": {"low": low, "high": high}}
    before = {"table": {"cells": [{**cell, **noted}]}} if noted else {}
    spoken = SpokenRatings(thread(*turns), SO_FAR)
    left, remarks = remove_unsaid_ranges({"table": {"cells": [cell]}}, before, spoken)
    return left["table"]["cells"][0], [each.text for each in remarks]


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("answer", "is_said"),
    [
        ("the bike is +1", False), ("better", False), ("A4 +1, A2 0", False), ("the truck is between 0 and +2", False),
        ("A4: 0 to +2", True), ("A4 +1, maybe 0", True), ("A4: at worst 0, at best +2", True), ("A4 0 oder +2", True),
        ("A4 is 0 on paper. In truth A4 is +2", True), ("the same, or much better", True), ("no idea", True),
        ("much better if they pay, else the same", True), ("0, unless the clause goes", True), ("clearly +2", False),
        ("keine Ahnung, gleich oder viel besser", True), ("better, though the clause is unclear", True),
    ],
)  # fmt: skip
def test_a_range_of_a_submission_that_nobody_gave_is_left_out_and_told(answer: str, is_said: bool) -> None:
    cell, told = submitted(0, 2, ABOUT, answer)
    assert ("rating_range" in cell) == is_said
    where = "A4 Buy a cargo bike on O1 Cost"
    assert told == ([] if is_said else [f"Nobody gave this range, so it was left out: 0 to +2 ({where})."])


@pytest.mark.req("FA-14")
def test_a_range_that_was_noted_or_proposed_or_may_stand_in_a_file_is_kept() -> None:
    assert "rating_range" in submitted(0, 2, ABOUT, "the bike is +1", rating=1)[0]
    other = {"rating_range": {"low": -1, "high": 2}}
    assert "rating_range" not in submitted(0, 2, ABOUT, "the bike is +1", **other)[0], "another one was noted"
    assert "rating_range" in submitted(0, 2, "Is the bike 0 to +2 there?", "yes")[0]
    read = SpokenRatings(thread(ABOUT, "the bike is +1", drafts_from=("F1",)), SO_FAR)
    assert read.knows_range("A4", "O1", (0, 2))


@pytest.mark.parametrize(
    "cell",
    [
        {"rating_range": {"low": 0, "high": 2}},
        {"alternative_id": "A9", "objective_id": "O1", "rating_range": {"low": 0, "high": 2}},
        {"alternative_id": ["A4"], "objective_id": "O1", "rating_range": {"low": 0, "high": 2}},
        {"alternative_id": "A4", "objective_id": "O1", "rating_range": "0 to 2"},
        {"alternative_id": "A4", "objective_id": "O1", "rating_range": {"low": "0", "high": 2}},
        {"alternative_id": "A4", "objective_id": "O1", "rating_range": {"low": 1, "high": 1}},
        "A4",
    ],
)
def test_what_is_no_range_of_a_known_option_is_left_to_the_judge(cell: Any) -> None:
    given = {"table": {"cells": [cell]}}
    assert remove_unsaid_ranges(given, {}, SpokenRatings(thread(ABOUT), SO_FAR)) == (given, ())
    assert remove_unsaid_ranges("x", {}, SpokenRatings(thread(ABOUT), SO_FAR)) == ("x", ())


@pytest.mark.req("FA-14")
def test_what_is_written_up_of_a_suggested_rating_stays_a_suggestion_unless_it_is_another_rating() -> None:
    noted = {"alternative_id": "A4", "objective_id": "O1", "rating": 1, "origin": "ai_suggested"}
    bare = {name: each for name, each in noted.items() if name != "origin"}
    for cell, origin in ((bare, "ai_suggested"), ({**bare, "rating": 0}, None)):
        submitted = {"table": {"cells": [cell]}}
        before = {"table": {"cells": [noted]}}
        judged = judge(PLAYBOOK["consequences"], submitted, SO_FAR, SaidFigures.of(()), before)
        assert isinstance(judged, Accepted)
        assert judged.draft["table"]["cells"][-1].get("origin") == origin


@pytest.mark.req("FA-04", "FA-14")
@given(
    option=st.sampled_from(["A2", "A3", "A4"]),
    objective=st.sampled_from([*OBJECTIVES]),
    step=st.integers(-2, 2),
    form=st.sampled_from(
        ["{o}: {s:+d}", "{n} {s:+d}", "I'd give {n} {s:+d} there", "{o} is {s}", "put {o} at {s:+d}, please"]
    ),
    noise=st.lists(st.sampled_from(["hello", "A2 +1", "no idea about the truck", "what is a step?", "on noise too"])),
    is_by_handle=st.booleans(),
)
def test_a_rating_that_stands_in_an_answer_about_its_objective_is_never_called_unsaid(
    option: str, objective: str, step: int, form: str, noise: list[str], *, is_by_handle: bool
) -> None:
    asked = f"And on {objective if is_by_handle else OBJECTIVES[objective]}?"
    words = form.format(o=option, n=OPTIONS[option].lower(), s=step)
    turns = [text for each in noise for text in ("Well?", each)]
    assert knows(option, objective, *turns, asked, words)
    assert knows(option, objective, asked, words, *turns)


@pytest.mark.parametrize(
    "said",
    [
        "Cost: repair +1, lease -1. Noise, decibels a day: repair 60, bike 30. So 0 for the repair, +2 for the bike.",
        "Cost: repair +1, lease -1. About the noise now. Repair 60, the bike 30. So 0 for the repair, +2 for the bike.",
    ],
)
def test_ratings_stand_sentences_after_the_name_of_their_objective(said: str) -> None:
    assert knows("A4", "O2", ABOUT, said)
    assert not knows("A4", "O3", ABOUT, said)


@pytest.mark.req("FA-04")
def test_an_amount_that_nobody_gave_can_be_taken_out() -> None:
    at = box(ABOUT, "A2 +1")
    at.does("rate", objective="O1", ratings=[{"option": "A2", "rating": 1, "amount": 5, "source": "guess"}])
    at.does("change_item", item="A2:O1", fields={"quant_value": None, "source": None})
    (cell,) = (each for each in at.draft["table"]["cells"] if each["alternative_id"] == "A2")
    assert {"quant_value", "amount_for", "source"}.isdisjoint(cell)


@pytest.mark.req("FA-04")
def test_a_field_that_does_not_exist_cannot_be_taken_out_and_the_right_one_is_named() -> None:
    at = box(ABOUT, "A2 +1")
    at.does("rate", objective="O1", ratings=[{"option": "A2", "rating": 1, "reason": "cheap", "amount": 5}])
    told = at.fails("change_item", item="A2:O1", fields={"why": None})
    assert "`rationale`" in told
    assert "`quant_value`" in told
    assert at.draft["table"]["cells"][0]["rationale"] == "cheap"
    at.does("change_item", item="A2:O1", fields={"rationale": None})
    assert "rationale" not in at.draft["table"]["cells"][0]


def test_a_rating_is_changed_by_the_names_with_which_it_was_given() -> None:
    at = box(ABOUT, "A2 +1")
    at.does("rate", objective="O1", ratings=[{"option": "A2", "rating": 1, "reason": "cheap", "amount": 5}])
    at.does("change_item", item="A2:O1", fields={"reason": "cheaper", "amount": None})
    (cell,) = (each for each in at.draft["table"]["cells"] if each["alternative_id"] == "A2")
    assert (cell["rationale"], "quant_value" in cell) == ("cheaper", False)


WIDE = {"A1": [0, 0], "A2": [2, -2], "A3": [-2, 1]}
"""The second objective goes from -2; points were given while it went from -1."""


GIVEN: list[dict[str, Any]] = [{"objective_id": "O2", "worst": -1, "best": 1, "points": 60, "rank": 1}]


def weighing(*texts: str, **more: Any) -> Box:
    """The step in which points were given for a former range, and what was said there by a person and the app."""
    roles = ((Role.ASSISTANT, ""), (Role.PERSON, "UOWNER"))
    sides = (roles[seq % 2] for seq in range(1, len(texts) + 1))
    rows = tuple(
        replace(said(seq, text), role=role, author=author)
        for (seq, text), (role, author) in zip(enumerate(texts, 1), sides, strict=True)
    )
    draft = {"swing_weights": GIVEN}
    return Box(interviewed(component="tradeoffs", draft=draft, **more), rows, so_far=rated(WIDE))


OLD = ("60 on O2", "Noted.", "ok")


@pytest.mark.req("TR-02")
@pytest.mark.parametrize(
    ("talk", "is_said"),
    [
        ((*OLD, "The range on O2 changed. What now?", "go on"), False),
        ((*OLD, "The range on O2 changed. What now?", "60"), True),
        ((*OLD, "The range on O2 changed. What now?", "sixty, as I said"), True),
        ((*OLD, "The range on O2 changed. What now?", "the same"), True),
        ((*OLD, "Does O2 count 60 points from -2 to +1?", "yes"), True),
        ((*OLD, "Does O2 count 60 points from -2 to +1?", "no"), False),
    ],
)
def test_points_of_a_former_range_are_noted_again_only_if_people_have_just_said_them(
    talk: tuple[str, ...], *, is_said: bool
) -> None:
    fields = {"objective_id": "O2", "points": 60}
    calls: tuple[tuple[str, Draft], ...] = (
        ("note_item", {"list": "swing_weights", "fields": fields}),
        ("change_item", {"item": "o2", "fields": {"points": 60}}),
    )
    for name, put in calls:
        told, failed = weighing(*talk).sends(name, put)
        assert failed != is_said
        assert is_said or "60 were given on O2 Aim O2 for another range" in str(told)
    weighing(*talk).does("note_item", list="swing_weights", fields={**fields, "points": 70})
    weighing(*talk, mode=Mode.DIRECT).does("note_item", list="swing_weights", fields=fields)
