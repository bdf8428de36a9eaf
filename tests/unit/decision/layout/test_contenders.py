"""What the first page says for and against a contender is true of the ratings and amounts that the reader sees."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.state.sheet import Facts, Matrix
from app.decision.layout.first_page import build_first_page
from app.decision.layout.sheets import build_sheet, write_gist
from app.decision.playbook.found_so_far import list_findings
from app.decision.playbook.opening_texts import COMPUTED
from app.decision.playbook.openings import write_opening
from app.decision.record import DecisionRecord
from app.decision.rows import find_place
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, accepted, amounting, before, minimal, rated
from tests.unit.decision.sheets.walls import laid, titled, wall

Ratings = dict[str, tuple[int, ...]]
Amounts = dict[tuple[str, str], float]

ON = re.compile(r"\bO\d\b")


def decided(ratings: Ratings, amounts: Amounts | None = None, leaning: str = "") -> DecisionRecord:
    """A decision with these ratings and amounts, of which less is better; the first option is the status quo."""
    objectives = [f"O{n}" for n in range(1, len(next(iter(ratings.values()))) + 1)]
    measure = {"metric": "cost", "direction": "minimize", "units": "euro a year"}
    drafts: dict[str, Draft] = {key: minimal(key) for key in KEYS}
    drafts["objectives"]["fundamental_objectives"] = [
        {"handle": each, "description": f"Aim {each}", "performance_measure": measure} for each in objectives
    ]
    drafts["alternatives"] = {
        "alternatives": [{"handle": each, "name": f"Way {each}", "description": each} for each in ratings],
        "status_quo_id": next(iter(ratings)),
    }
    cells: list[dict[str, Any]] = [
        {"alternative_id": option, "objective_id": objective, "rating": rating}
        for option, row in ratings.items()
        for objective, rating in zip(objectives, row, strict=True)
    ]
    drafts["consequences"] = {"table": {"cells": cells}}
    notes: Draft = {"decision": {"status": "leaning", "alternative_id": leaning}} if leaning else {}
    so_far = before("notes_next_steps", drafts, notes_next_steps=notes)
    return amounting(so_far, **{"_".join(at): amount for at, amount in (amounts or {}).items()})


def read_page(record: DecisionRecord) -> tuple[list[tuple[str, str]], Matrix]:
    """The answers of the page, and its table."""
    facts, matrix = build_first_page(PLAYBOOK["consequences"], record).sections
    assert isinstance(facts, Facts)
    assert isinstance(matrix, Matrix)
    return [*facts.rows], matrix


@st.composite
def decisions(draw: st.DrawFn) -> DecisionRecord:
    options, objectives = [f"A{n}" for n in range(1, draw(st.integers(3, 5)) + 1)], draw(st.integers(2, 4))
    others = st.tuples(*[st.integers(-2, 2)] * objectives)
    ratings = {"A1": (0,) * objectives} | {each: draw(others) for each in options[1:]}
    places = st.tuples(st.sampled_from(options), st.sampled_from([f"O{n}" for n in range(1, objectives + 1)]))
    amounts = draw(st.dictionaries(places, st.sampled_from([50_000.0, 90_000.0, 150_000.0]), max_size=10))
    return decided(ratings, amounts, draw(st.sampled_from(["", *options])))


@pytest.mark.req("TR-17")
@given(decisions())
def test_each_sentence_for_or_against_a_contender_is_true_of_the_table_below_it(record: DecisionRecord) -> None:
    told, matrix = read_page(record)
    rated = {
        (row.handle, column.handle): cell.value or 0
        for row, cells in zip(matrix.rows, matrix.cells, strict=True)
        for column, cell in zip(matrix.columns, cells, strict=True)
    }
    aside = re.findall(r"\bA\d\b", dict(told).get("Set aside", ""))
    aside += ["A1"] if "The status quo" in dict(told) else []
    left = [row.handle for row in matrix.rows if row.handle not in aside]
    measured = record.measure(record.results["consequences"])
    for said in (said for label, said in told if label == "Contender"):
        option = said.split(" ")[0]
        assert option in left
        for line in said.splitlines()[1:]:
            for objective in ON.findall(line.split(" on ")[1].replace("Aim O", "Aim ")):
                column = [rated[each, objective] for each in left]
                better = [rated[each, objective] > rated[option, objective] for each in left]
                ahead = [objective in measured.find_worse(option, each) for each in left]
                behind = [objective in measured.find_worse(each, option) for each in left]
                is_true = {
                    "For: best or among the best of those left": rated[option, objective] == max(column)
                    and not any(ahead),
                    "For: better than the status quo": rated[option, objective] > 0,
                    "Against: worst or among the worst of those left": rated[option, objective] == min(column)
                    and not any(behind),
                    "Against: worse than the status quo": rated[option, objective] < 0,
                    "Against: other options are better": any((*better, *ahead)),
                }
                assert is_true[line.split(" on ")[0]], line


@pytest.mark.req("TR-17")
def test_the_cheaper_of_two_that_are_rated_alike_is_not_among_the_worst_and_what_was_set_aside_is_named() -> None:
    ratings = {"A1": (0, 0, 0), "A2": (2, -1, -1), "A3": (1, -1, 0), "A4": (2, -2, -2)}
    amounts = {("A2", "O2"): 152_000.0, ("A3", "O2"): 60_000.0, ("A4", "O2"): 209_000.0}
    of_annex, of_closing = (read_page(decided(ratings, amounts, each))[0] for each in ("A2", "A3"))
    assert dict(of_annex)["Set aside"] == "A4 Way A4"
    worst = "Against: worst or among the worst of those left on O2 Aim O2"
    assert f"{worst} (152,000 euro a year) and O3 Aim O3" in repr(of_annex), "A4, which was set aside, is worse still"
    assert "worst" not in next(said for label, said in of_closing if label == "Contender")
    assert worst in repr(read_page(decided(ratings, {}, "A3"))[0]), "rated alike, and measured by nobody"


def not_known(record: DecisionRecord, option: str, objective: str) -> DecisionRecord:
    """The decision, of which nobody knows this rating."""
    for each in record.results["consequences"]["table"]["cells"]:
        if find_place(each) == (option, objective):
            each |= {"rating": 0, "rating_range": {"low": -2, "high": 2}, "uncertainty": {"level": "high"}}
    return record


COULD_LEAD: Ratings = {"A1": (0, 0, 0), "A2": (2, 2, -1), "A3": (0, 0, 0), "A4": (1, 0, 0)}


@pytest.mark.req("TR-01")
def test_an_option_that_may_lead_by_what_nobody_knows_is_said_to_be_one_that_could_still_lead() -> None:
    record = not_known(decided(COULD_LEAD), "A3", "O3")
    assert record.standout
    assert record.standout.alternative == "A2", "on the plain sum the answer changes nothing"
    told = dict(read_page(record)[0])
    assert told["Could still lead"] == "A3 Way A3: nobody knows yet how it does on O3 Aim O3"
    firm = told["How firm this is"]
    assert firm.startswith("A2 Way A2 stands out on the plain sum. A2 Way A2 comes first in about ")
    assert "A3 Way A3 in" in firm
    sure = dict(read_page(decided(COULD_LEAD))[0])
    assert "Could still lead" not in sure
    tested = "stands out on the plain sum: it leads, and no single doubt takes the lead away. "
    assert tested in sure["How firm this is"], "it says what was tested"


@pytest.mark.req("TR-01")
def test_the_card_says_who_could_still_lead_in_place_of_what_was_tried() -> None:
    component = PLAYBOOK["recommendation"]
    so_far = not_known(decided(COULD_LEAD), "A3", "O3")
    for each in so_far.results["consequences"]["table"]["cells"]:
        if find_place(each) == ("A2", "O1"):
            each["rating_range"] = {"low": 1, "high": 2}
    could_lead = "A3 Way A3 could still lead: nobody knows yet how it does on O3 Aim O3."
    told = COMPUTED["standout"](so_far, component)
    assert told.startswith(f"A2 Way A2 stands out: it leads on the plain sum. {could_lead}")
    assert "No single doubtful rating" not in told
    assert "Within all" not in told, "it is not named again as one that could catch up"
    assert any(each.startswith(could_lead) for each in build_sheet(component, {}, so_far).essence)
    sure = COMPUTED["standout"](decided(COULD_LEAD), component)
    assert "No single doubtful rating takes that lead away" in sure
    level = not_known(decided({**COULD_LEAD, "A4": (1, 1, 1)}), "A3", "O3")
    assert not level.standout
    assert could_lead in COMPUTED["standout"](level, component)


def test_an_option_that_a_range_could_bring_back_is_not_set_aside_like_the_others() -> None:
    record = decided({"A1": (0, 0), "A2": (2, 1), "A3": (1, 1), "A4": (1, 0)})
    assert dict(read_page(record)[0])["Set aside"] == "A3 Way A3 and A4 Way A4"
    for each in record.results["consequences"]["table"]["cells"]:
        if find_place(each) == ("A3", "O2"):
            each["rating_range"] = {"low": 1, "high": 2}
    told = dict(read_page(replace(record))[0])["Set aside"]
    assert told == "A4 Way A4; not certain within what you call possible: A3 Way A3"


def test_a_beaten_status_quo_is_told_as_such_on_the_first_page_and_not_as_set_aside() -> None:
    record = decided({"A1": (0, 0), "A2": (2, 1), "A3": (1, 2)})
    page = dict(read_page(record)[0])
    assert "Set aside" not in page
    assert page["The status quo"] == "beaten by A2 Way A2"
    tradeoffs = PLAYBOOK["tradeoffs"]
    assert "The status quo: beaten by A2 Way A2" in build_sheet(tradeoffs, {}, record).essence
    assert write_gist(tradeoffs, {}, record).startswith("0 set aside, 2 left")


@pytest.mark.req("TR-17")
def test_the_dearer_of_two_that_are_rated_alike_is_not_among_the_best() -> None:
    ratings = {"A1": (0, 0), "A2": (2, -1), "A3": (2, -1)}
    amounts = {("A2", "O1"): 40.0, ("A3", "O1"): 20.0}
    told = [said for label, said in read_page(decided(ratings, amounts, "A2"))[0] if label == "Contender"]
    assert told[0].splitlines()[1] == "For: better than the status quo on O1 Aim O1 (40 euro a year)"


@pytest.mark.req("TR-17")
@pytest.mark.parametrize("last", ["A3", "A4"])
def test_of_two_that_are_level_on_the_plain_sum_the_one_that_comes_first_more_often_is_the_contender(last: str) -> None:
    level = {"A3": (2, -1, 0), "A4": (0, -1, 2)}
    rows = {"A1": (0, 0, 0), "A2": (1, 1, 1), **dict(sorted(level.items(), key=lambda each: each[0] == last))}
    record = decided({**rows, "A5": (2, -2, -2)}, leaning="A2")
    assert record.firmness
    shares = record.firmness.firsts
    assert shares["A3"] != shares["A4"]
    named = [text.splitlines()[0][:2] for label, text in read_page(record)[0] if label == "Contender"]
    assert named == ["A2", max(("A3", "A4"), key=lambda each: shares[each])]


@pytest.mark.req("TR-05", "TR-17")
def test_what_speaks_for_a_contender_says_where_its_rating_is_in_doubt() -> None:
    record = decided({"A1": (0, 0), "A2": (2, 1), "A3": (-1, 2)}, {("A2", "O1"): 5}, leaning="A2")
    cells = {find_place(each): each for each in record.results["consequences"]["table"]["cells"]}
    for at in (("A2", "O1"), ("A3", "O2")):
        cells[at]["uncertainty"] = {"level": "high", "driver": "a guess"}
    told = "\n".join(text for label, text in read_page(record)[0] if label == "Contender")
    assert "left on O1 Aim O1 (5 euro a year, in doubt)" in told
    assert "left on O2 Aim O2 (in doubt)" in told
    assert told.count("in doubt") == 2


@pytest.mark.req("TR-09", "TR-17")
def test_against_a_contender_that_is_nowhere_worse_stands_what_nobody_knows_of_it() -> None:
    record = decided({"A1": (0, 0, 0), "A2": (1, 0, 1), "A3": (0, 1, 0)}, {}, leaning="A2")
    cells = {find_place(each): each for each in record.results["consequences"]["table"]["cells"]}
    cells["A2", "O2"] |= {"rating_range": {"low": -2, "high": 2}, "uncertainty": {"level": "high"}}
    told = next(text for label, text in read_page(record)[0] if label == "Contender")
    assert told.splitlines()[-1] == "Against: nobody knows yet how it does on O2 Aim O2"


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
