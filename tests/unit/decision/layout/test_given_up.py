"""An option that people gave up for one that is ahead by far counts as set aside wherever those left are spoken of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.decision.layout.first_page import build_first_page
from app.decision.layout.sheets import write_gist
from app.decision.playbook.found_so_far import list_findings
from app.decision.playbook.opening_texts import COMPUTED
from app.decision.playbook.openings import write_opening
from app.decision.record import DecisionRecord
from tests.unit.decision.components.worked import PLAYBOOK, accepted, rated
from tests.unit.decision.sheets.walls import laid, titled, wall

GIVEN_UP = {"practical_dominance": [{"alternative_id": "A2", "by": "A3", "user_verdict": "accepted"}]}


def given_up(rows: dict[str, list[int]]) -> tuple[DecisionRecord, dict[str, Any]]:
    """A decision with these ratings, and approved tradeoffs in which A2 is given up for A3."""
    so_far = rated(rows)
    return so_far, accepted("tradeoffs", GIVEN_UP, so_far).draft


def test_who_gives_up_least_is_said_of_those_left_without_the_one_that_people_gave_up() -> None:
    so_far, draft = given_up({"A1": [0] * 4, "A2": [0, 1, 1, 0], "A3": [2, 2, 0, 0], "A4": [0, 0, 0, 1]})
    told = titled(laid("tradeoffs", draft, so_far), "Least to give up")
    assert told == "On the worst objective: A3 Way A3: 1 step\nAll together: A3 Way A3: 1 step"


@pytest.mark.req("TR-06")
def test_an_option_that_people_gave_up_makes_no_other_the_weakest_of_those_left() -> None:
    so_far, draft = given_up({"A1": [0] * 3, "A2": [0, 1, 1], "A3": [2, 2, 0]})
    shown = laid("tradeoffs", draft, so_far)
    assert "A3 Way A3\n  The only one that is left." in titled(shown, "What each option gains")
    assert titled(shown, "Least to give up") == "", "there is nothing to compare it with"
    so_far = replace(so_far, results={**so_far.results, "tradeoffs": draft})
    assert "weakest of those left" not in wall(laid("recommendation", {"synthesis": "x" * 60}, so_far))
    opening = write_opening(PLAYBOOK["recommendation"], so_far)
    assert "Options left to weigh: 1. Set aside: 1. The status quo is beaten." in opening
    assert "weakest" not in opening
    told = COMPUTED["left"](so_far, PLAYBOOK["recommendation"])
    assert told == "After what was set aside, these are left: A3 Way A3."
    beaten = COMPUTED["left"](rated({"A1": [0, 0], "A2": [1, -1], "A3": [0, 1]}), PLAYBOOK["recommendation"])
    assert beaten == "These are left: A2 Way A2 and A3 Way A3.", "nobody set the status quo aside"


STATUS_QUO_UP = {"practical_dominance": [{"alternative_id": "A1", "by": "A2", "user_verdict": "accepted"}]}


def test_an_option_given_up_for_one_is_told_once_with_that_one_alone_and_asked_about_no_more() -> None:
    so_far = rated({"A1": [0, 0, 0], "A2": [2, 1, -1], "A3": [1, 2, -1]})
    draft = accepted("tradeoffs", STATUS_QUO_UP, so_far).draft
    shown = laid("tradeoffs", draft, so_far)
    told = titled(shown, "Set aside").splitlines()
    assert told == [
        "A1 Way A1 [set_aside]",
        "  You said that its one step is not worth what A2 Way A2 brings instead.",
    ]
    asked = titled(shown, "Is one step worth it?")
    assert asked.startswith("A1 Way A1 beats A2 Way A2 only by one step")
    assert "A3" not in asked, "nothing is left to ask of it"


def test_a_status_quo_that_people_gave_up_is_named_among_what_is_set_aside() -> None:
    so_far = rated({"A1": [0, 0, 0], "A2": [2, 1, -1], "A3": [1, 2, -1]})
    draft = accepted("tradeoffs", STATUS_QUO_UP, so_far).draft
    assert "Set aside: A1 Way A1 (you said: not worth it)" in laid("tradeoffs", draft, so_far).essence
    assert write_gist(PLAYBOOK["tradeoffs"], draft, so_far).startswith("1 set aside, 2 left")
    so_far = replace(so_far, results={**so_far.results, "tradeoffs": draft})
    assert "Set aside: A1 Way A1" in wall(build_first_page(PLAYBOOK["consequences"], so_far))
    opening = write_opening(PLAYBOOK["recommendation"], so_far)
    assert "Options left to weigh: 2. The status quo is set aside." in opening


@pytest.mark.req("FA-31", "TR-06")
def test_the_model_is_told_of_a_step_that_may_not_be_worth_it_until_people_answer_and_of_who_is_out_no_more() -> None:
    so_far = rated({"A1": [0, 0, 0], "A2": [2, 1, -1], "A3": [1, 2, -1]})

    def told(*answers: tuple[str, str]) -> str:
        rows = [{"alternative_id": "A1", "by": by, "user_verdict": verdict} for by, verdict in answers]
        draft = accepted("tradeoffs", {"practical_dominance": rows}, so_far).draft
        return repr(list_findings(PLAYBOOK["tradeoffs"], so_far, draft))

    asked = "A1 beats {by} only by one step on O3. Is that worth it?"
    names = {f"{each} Way {each}": each for each in ("A1", "A2", "A3")} | {"O3 Aim O3": "O3"}

    def short(words: str) -> str:
        for name, handle in names.items():
            words = words.replace(name, handle)
        return words

    assert [by in short(told()) for by in (asked.format(by="A2"), asked.format(by="A3"))] == [True, True]
    assert asked.format(by="A2") not in short(told(("A2", "rejected")))
    assert asked.format(by="A3") in short(told(("A2", "rejected")))
    out = short(told(("A2", "accepted")))
    assert "beats" not in out
    assert "A1: " not in out.split("What the ratings show")[1], "it is set aside"
    assert "A1: " in short(told()).split("What the ratings show")[1]
