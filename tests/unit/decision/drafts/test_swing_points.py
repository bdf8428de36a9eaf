"""Swing points in a draft: each number stays with the range it was given for."""

from __future__ import annotations

from typing import Any

import pytest

from app.agent.extraction.submission import Unusable, judge
from app.decision.drafts.draft import Accepted, refresh_draft
from app.decision.drafts.hand_edit import HandEdit, judge_hand_edit
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from app.decision.tracing.said import SaidFigures
from tests.unit.decision.books import book, done
from tests.unit.decision.components.worked import PLAYBOOK, accepted, minimal, rated, remarks

NARROW = {"A1": [0, 0], "A2": [2, -1], "A3": [-2, 1]}
WIDE = {"A1": [0, 0], "A2": [2, -2], "A3": [-2, 1]}
"""The second objective goes from -2 instead of -1."""
O1 = {"objective_id": "O1", "worst": -2, "best": 2, "points": 100, "rank": 1}
O2 = {"objective_id": "O2", "worst": -1, "best": 1, "points": 60, "rank": 2}
FORMER = {"objective_id": "O2", "former": {"points": 60, "worst": -1, "best": 1}}


def drafted(*rows: dict[str, Any]) -> Draft:
    return {**minimal("tradeoffs"), "swing_weights": list(rows)}


def points(so_far: DecisionRecord, *rows: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of an accepted submission."""
    return accepted("tradeoffs", drafted(*rows), so_far).draft["swing_weights"]


@pytest.mark.req("TR-02")
def test_points_of_an_approved_step_are_put_aside_when_a_new_rating_moves_their_range_and_come_back_with_it() -> None:
    refreshed = refresh_draft(PLAYBOOK["tradeoffs"], drafted(O1, O2), rated(WIDE))
    assert refreshed.draft["swing_weights"] == [O1, FORMER]
    again = refresh_draft(PLAYBOOK["tradeoffs"], refreshed.draft, rated(NARROW))
    assert again.draft["swing_weights"] == [O1, O2]


@pytest.mark.req("TR-02")
def test_points_put_aside_are_asked_for_again_with_both_ranges() -> None:
    told = remarks("tradeoffs", drafted(O1, FORMER), rated(WIDE))
    assert (
        "On O2 Aim O2, 60 points were given for going from −1 to +1, but your ratings go from −2 to +1. "
        "How many points is that worth?" in told
    )
    assert "points were given" not in remarks("tradeoffs", drafted(O1, O2), rated(NARROW))


@pytest.mark.req("TR-11")
def test_points_that_put_nothing_in_order_yet_are_told_of_with_what_they_lack() -> None:
    lacking = remarks("tradeoffs", drafted(O1), rated(NARROW))
    assert (
        "Your points put the options in no order yet: O2 Aim O2 has none, where the options differ as well." in lacking
    )
    low = remarks("tradeoffs", drafted({**O1, "points": 90}, O2), rated(NARROW))
    assert (
        "Your points put the options in no order yet: the change that matters most gets 100, and none has that." in low
    )
    for rows in ((O1, O2), (), (O1, FORMER)):
        told = remarks("tradeoffs", drafted(*rows), rated(WIDE if FORMER in rows else NARROW))
        assert "in no order yet" not in told


@pytest.mark.req("TR-02")
def test_nothing_of_value_is_computed_from_points_for_another_range() -> None:
    assert rated(NARROW).weigh(drafted(O1, O2)) is not None
    assert rated(WIDE).weigh(drafted(O1, O2)) is None
    assert rated(WIDE).select_points(drafted(O1, O2)) == {"O1": 100}
    assert rated(WIDE).select_points(drafted(O1, FORMER)) == {"O1": 100}


@pytest.mark.req("TR-02")
def test_a_number_that_is_only_repeated_keeps_its_range_but_one_with_the_range_of_now_counts() -> None:
    so_far = rated(WIDE)
    so_far.before.update(drafted(O1, O2))
    bare = {"objective_id": "O2", "points": 60}
    assert points(so_far, O1, bare) == [O1, FORMER]
    so_far.before.update(drafted(O1, FORMER))
    assert points(so_far, O1, bare) == [O1, FORMER]
    fresh = {**bare, "worst": -2, "best": 1}
    assert points(so_far, O1, fresh) == [O1, {**fresh, "rank": 2}]
    assert points(so_far, O1, {**bare, "points": 70}) == [O1, {**fresh, "points": 70, "rank": 2}]


def submitted(draft: Draft, *rows: dict[str, Any], so_far: DecisionRecord | None = None) -> list[dict[str, Any]]:
    """The rows after a model has written the draft again with these; its tool has no place for former points."""
    judged = judge(PLAYBOOK["tradeoffs"], drafted(*rows), so_far or rated(WIDE), SaidFigures.of([]), draft)
    assert isinstance(judged, Accepted)
    return judged.draft["swing_weights"]


@pytest.mark.req("TR-02")
def test_points_put_aside_outlast_a_step_that_is_written_up_again_until_they_are_said_anew_or_dropped() -> None:
    for held in (FORMER, O2):  # those of the draft, or of the version before the ratings changed
        assert submitted(drafted(O1, held), O1) == [O1, FORMER]
        assert submitted(drafted(O1, held), O1, {"objective_id": "O2"}) == [O1, FORMER]
        assert submitted(drafted(O1, held), O1, {"objective_id": "O2", "points": 60}) == [O1, FORMER]
    anew = {**O2, "worst": -2, "points": 70}
    assert submitted(drafted(O1, FORMER), O1, {"objective_id": "O2", "points": 70}) == [O1, anew]
    assert submitted(drafted(O1, {**anew, "points": 60}), O1, {"objective_id": "O2", "points": 60}) == [
        O1,
        {**anew, "points": 60},
    ]
    assert submitted(drafted(O1), O1) == [O1]


@pytest.mark.req("TR-02")
def test_points_said_anew_for_the_range_of_now_count_also_if_an_approved_version_had_the_same_number() -> None:
    so_far = rated(WIDE)
    so_far.before.update(drafted(O1, O2))
    anew, bare = {**O2, "worst": -2}, {"objective_id": "O2", "points": 60}
    assert submitted(drafted(O1, anew), O1, bare, so_far=so_far) == [O1, anew]
    assert submitted(drafted(O1, O2), O1, bare, so_far=so_far) == [O1, FORMER], "nobody has said it anew"


@pytest.mark.parametrize("broken", [[], {"handle": "O2"}, 2, None])
def test_points_for_something_that_is_no_handle_are_refused_while_others_are_put_aside(broken: Any) -> None:
    rows = drafted(O1, {"objective_id": broken, "points": 60})
    judged = judge(PLAYBOOK["tradeoffs"], rows, rated(WIDE), SaidFigures.of([]), drafted(O1, FORMER))
    assert isinstance(judged, Unusable)


@pytest.mark.req("TR-02")
def test_points_noted_in_the_talk_get_the_range_of_that_moment() -> None:
    notes = book("tradeoffs", rated(WIDE))
    draft = done(notes.note(drafted(O1, FORMER), "swing_weights", {"objective_id": "O2", "points": 60}))
    assert draft["swing_weights"] == [
        O1,
        {"objective_id": "O2", "points": 60, "worst": -2, "best": 1},
    ]
    unrated = book("tradeoffs", DecisionRecord({"objectives": rated(WIDE).results["objectives"]}, rated(WIDE).today))
    noted = done(unrated.note({}, "swing_weights", {"objective_id": "O2", "points": 60, "worst": 0, "best": 1}))
    assert noted["swing_weights"] == [{"objective_id": "O2", "points": 60}]


def test_points_typed_beside_former_ones_in_a_window_are_for_the_range_of_now() -> None:
    before = drafted(O1, FORMER)
    judged = judge_hand_edit(PLAYBOOK["tradeoffs"], before, drafted(O1, {**FORMER, "points": 60}), rated(WIDE))
    assert isinstance(judged, HandEdit)
    assert judged.draft["swing_weights"][1] == {**O2, "worst": -2}


def test_points_of_an_objective_that_nobody_was_asked_about_are_dropped_unless_their_range_is_known() -> None:
    so_far = rated({"A1": [0, 0], "A2": [2, 0], "A3": [-2, 0]}, A2_O1="low")
    assert points(so_far, {"objective_id": "O2", "points": 60}, {"objective_id": "O1"}) == []
    assert points(so_far, O2) == [FORMER]
