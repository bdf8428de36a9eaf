"""Another status quo and other ratings (X4, X5): no rating is lost, and no words pass to what they were not said of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.drafts.draft import refresh_draft
from app.decision.drafts.rating_edits import CarriedRating, find_carried, propose_shifted
from app.decision.layout.sheets import build_sheet
from app.decision.record import DecisionRecord
from app.decision.rows import find_place
from app.decision.rules.checks import list_missing
from app.decision.schema.paths import Draft, find_values
from tests.unit.decision.components.worked import (
    A5_LEADS,
    PLAYBOOK,
    accepted,
    before,
    cell,
    example,
    rated,
    rerated,
    undated,
)
from tests.unit.decision.sheets.walls import titled


def against(baseline: str) -> DecisionRecord:
    """What is approved before the consequences, with this option as the status quo."""
    return before("consequences", alternatives={**example("alternatives"), "status_quo_id": baseline})


def test_x4_the_row_of_the_status_quo_is_0_and_the_server_writes_it() -> None:
    draft = example("consequences")
    draft["table"]["cells"] = [each for each in draft["table"]["cells"] if each["alternative_id"] != "A1"]
    assert accepted("consequences", draft).missing == ()
    draft["table"]["cells"].append({"alternative_id": "A1", "objective_id": "O1", "rating": 1})
    judged = accepted("consequences", draft)
    own = [each["rating"] for each in judged.draft["table"]["cells"] if each["alternative_id"] == "A1"]
    assert own == [0] * 6
    assert "its ratings were set to 0" in judged.remarks[0].text


def test_x4_another_status_quo_asks_for_all_ratings_anew_and_offers_the_shifted_ones() -> None:
    rated = accepted("consequences", example("consequences")).draft
    alternatives = example("alternatives")
    alternatives["status_quo_id"] = "A2"
    changed = before("consequences", alternatives=alternatives)
    after = refresh_draft(PLAYBOOK["consequences"], rated, changed)
    assert after.blocked
    assert "The ratings compared with A1 Volunteer overtime rota, but A2" in after.remarks[0].text
    assert {each["alternative_id"] for each in after.draft["table"]["cells"]} == {"A2"}
    assert [each.partition(":")[0] for each in after.missing] == ["ratings on O1, O2, O3, O4, O5 and O6"]
    proposal = propose_shifted(rated["table"]["cells"], "A2")
    assert proposal["A1", "O1"] == -2
    assert proposal["A2", "O1"] == 0
    assert proposal["A6", "O3"] == -1
    assert ("A6", "O2") not in proposal, "-4 is off the scale: it is to be asked"
    again = accepted("consequences", example("consequences"), changed)
    assert not again.blocked, "new ratings are against the new status quo"


def test_x4_of_the_ratings_that_return_with_their_status_quo_those_on_what_is_gone_do_not() -> None:
    draft = accepted("consequences", example("consequences")).draft
    draft = refresh_draft(PLAYBOOK["consequences"], draft, against("A2")).draft
    objectives, alternatives = example("objectives"), example("alternatives")
    del objectives["fundamental_objectives"][-1], alternatives["alternatives"][-1]
    so_far = before("consequences", objectives=objectives, alternatives=alternatives)
    after = refresh_draft(PLAYBOOK["consequences"], draft, so_far)
    places = {find_place(each) for each in after.draft["table"]["cells"]}
    assert places == {*product(so_far.alternatives, so_far.objectives)}
    assert any("is the status quo again: 20 ratings given against it" in each.text for each in after.remarks)


CELL = st.fixed_dictionaries(
    {"rating": st.integers(-2, 2), "rationale": st.just("They said so")},
    optional={"origin": st.sampled_from(["user", "ai_suggested"]), "quant_value": st.integers(1, 9)},
)


@given(
    st.dictionaries(st.sampled_from([(f"A{n}", f"O{m}") for n in range(2, 7) for m in range(1, 7)]), CELL), st.data()
)
def test_x4_however_often_the_status_quo_changes_no_rating_is_lost_and_with_it_they_return_as_they_were(
    cells: dict[tuple[str, str], dict[str, Any]], data: st.DataObject
) -> None:
    table = {"cells": [{"alternative_id": at[0], "objective_id": at[1], **cell} for at, cell in cells.items()]}
    start = refresh_draft(PLAYBOOK["consequences"], {"table": table}, against("A1")).draft
    after, said = start, list[Any]()
    for baseline in data.draw(st.lists(st.sampled_from(["A2", "A3", "A6"]), min_size=1, max_size=3)):
        after = refresh_draft(PLAYBOOK["consequences"], after, against(baseline)).draft
        judged = accepted("consequences", after, against(baseline))
        assert judged.draft == after, "what is kept is valid, and judging it again changes nothing"
        assert judged.missing != ()
        rows = {each["alternative_id"] for each in after["table"]["cells"] if each["rating"]}
        assert baseline not in rows
        said.append(find_carried(after, against(baseline)))
    back = refresh_draft(PLAYBOOK["consequences"], after, against("A1"))
    assert back.draft["table"]["cells"] == start["table"]["cells"]
    assert back.missing == list_missing(PLAYBOOK["consequences"], start, against("A1"))
    for at, each in said[-1].items():
        assert each.rating == (0 if at[0] == "A1" else cells[at]["rating"])


def test_x4_what_ratings_come_to_is_proposed_and_counts_only_when_it_is_given() -> None:
    rated_ = accepted("consequences", example("consequences")).draft
    after = refresh_draft(PLAYBOOK["consequences"], rated_, against("A2")).draft
    proposed = find_carried(after, against("A2"))
    assert (proposed["A1", "O1"].proposed, proposed["A4", "O3"].proposed) == (-2, -1)
    assert proposed["A6", "O2"] == CarriedRating(
        rating=-2, against="A1", proposed=None, reason="Every agent has about six off-hours shifts a month."
    ), "-4 leaves the scale: it is asked"
    after["table"]["cells"].append({"alternative_id": "A4", "objective_id": "O3", "rating": -1})
    given = accepted("consequences", after, against("A2"))
    assert ("A4", "O3") not in find_carried(given.draft, against("A2"))
    assert "A4 Three" not in next(each for each in given.missing if each.startswith("ratings on O3"))
    there = refresh_draft(PLAYBOOK["consequences"], given.draft, against("A1")).draft
    again = refresh_draft(PLAYBOOK["consequences"], there, against("A2")).draft
    assert {"alternative_id": "A4", "objective_id": "O3", "rating": -1} in again["table"]["cells"]


def test_x5_findings_are_those_of_the_ratings_whatever_was_claimed() -> None:
    draft = example("tradeoffs")
    draft["dominated_alternatives"][0]["dominated_by"] = "A4"
    draft["dominated_alternatives"].append({"alternative_id": "A5", "explanation": "lower sum"})
    draft["tensions"][0]["gains"] = ["O1"]
    draft["irrelevant_objectives"].append({"objective_id": "O5", "reason": "it is minor", "kind": "no_variation"})
    judged = accepted("tradeoffs", draft)
    assert undated(judged.draft) == example("tradeoffs")
    assert [each.text for each in judged.remarks] == ["Findings were set to what your ratings say."]


def test_x5_what_people_said_to_a_finding_stays() -> None:
    said = {"alternative_id": "A3", "user_verdict": "keep", "reason": "A friend works there"}
    dismissed = {"objective_id": "O5", "kind": "user_dismissed", "reason": "We accept any partner"}
    judged = accepted("tradeoffs", {"dominated_alternatives": [said], "irrelevant_objectives": [dismissed]})
    first = judged.draft["dominated_alternatives"][0]
    assert first.items() >= {**said, "dominated_by": "A2", "kind": "weak"}.items()
    assert judged.draft["irrelevant_objectives"] == [
        {"objective_id": "O6", "kind": "no_variation", "uniform_rating": 0, "reason": "Every option is rated 0."},
        dismissed,
    ]
    assert any("You keep A3 Budget call centre" in each.text for each in judged.remarks)


def test_x5_a_change_of_ratings_changes_the_findings() -> None:
    consequences = example("consequences")
    cell(consequences, "A3", "O4")["rating"] = 2
    after = refresh_draft(PLAYBOOK["tradeoffs"], example("tradeoffs"), before("tradeoffs", consequences=consequences))
    assert [each["alternative_id"] for each in after.draft["dominated_alternatives"]] == ["A6"]
    assert "Findings were set" in after.remarks[0].text
    assert after.draft["user_understanding"] == example("tradeoffs")["user_understanding"]


def test_x5_words_about_a_finding_do_not_pass_to_another_one() -> None:
    draft = example("tradeoffs")
    draft["dominated_alternatives"][1] |= {"user_verdict": "keep", "reason": "It is cheap to try"}
    draft["irrelevant_objectives"][0]["reason"] = "Every option obeys the law."
    changed = rerated(**A5_LEADS, **{f"A{n}_O6": 1 for n in range(2, 7)})
    after = refresh_draft(PLAYBOOK["tradeoffs"], draft, before("tradeoffs", consequences=changed)).draft
    aside = {each["alternative_id"]: each for each in after["dominated_alternatives"]}
    was = {each["alternative_id"]: each for each in draft["dominated_alternatives"]}
    assert (aside["A3"]["dominated_by"], aside["A6"]["dominated_by"]) == ("A2", "A5")
    assert aside["A3"]["explanation"] == was["A3"]["explanation"]
    assert not {"explanation", "user_verdict", "reason"} & aside["A6"].keys(), "that told of A4"


@pytest.mark.req("FA-03", "FA-16")
def test_what_people_say_that_an_option_wins_and_gives_up_stays_and_says_what_it_was_said_of() -> None:
    was = rated({"A1": [0, 0], "A2": [2, -1], "A3": [1, -2]})
    said = [{"alternative_id": "A2", "statement": "Worth it"}, {"alternative_id": "A3", "statement": "Not worth it"}]
    first = accepted("tradeoffs", {"tensions": said}, was).draft
    assert first["tensions"][-1] == said[1], "A3 is set aside, and what was said of it is no finding"
    changed = rated({"A1": [0, 0], "A2": [-1, 2], "A3": [1, -1]})
    after = refresh_draft(PLAYBOOK["tradeoffs"], first, changed).draft
    assert [each.get("statement") for each in after["tensions"]] == [None, "Worth it", "Not worth it"]
    told = titled(build_sheet(PLAYBOOK["tradeoffs"], after, changed), "What each option gains").splitlines()
    assert "  Worth it (Said when the ratings spoke of O1 Aim O1 for it and O2 Aim O2 against it.)" in told
    assert "  Not worth it" in told
    back = refresh_draft(PLAYBOOK["tradeoffs"], after, was).draft
    assert "said_of" not in str(back["tensions"][:2]), "it is about these ratings again"
    after["tensions"][1]["statement"] = "Worth all of it"
    assert "said_of" not in str(accepted("tradeoffs", after, changed).draft["tensions"][1]), "these are words of now"


@pytest.mark.req("FA-04")
def test_a_verdict_that_changes_the_findings_takes_nothing_that_was_said_with_it() -> None:
    rows = {"A1": [0] * 5, "A2": [2, 2, -1, -1, -1], "A3": [2, 2, -1, -1, -2], "A4": [0, 1, 0, 0, -1]}
    so_far = rated(rows)
    for option, hours in (("A2", 20), ("A3", 24)):
        cell(so_far, option, "O2").update(quant_value=hours, quant_unit="hours")
    hours = {"metric": "Hours", "units": "hours", "direction": "maximize"}
    so_far.results["objectives"]["fundamental_objectives"][1]["performance_measure"] = hours
    words = {"A2": "Kids are worth the strain", "A3": "Four hours more are not worth 38,000"}
    given = [{"alternative_id": option, "statement": said} for option, said in words.items()]
    aside = [{"alternative_id": "A3", "user_verdict": "set_aside"}]
    judged = accepted("tradeoffs", {"tensions": given, "dominated_alternatives": aside}, so_far)
    assert judged.draft["dominated_alternatives"][0]["user_verdict"] == "set_aside"
    kept = {each["alternative_id"]: each["statement"] for each in judged.draft["tensions"] if "statement" in each}
    assert kept == words
    assert judged.remarks == ()
    told = titled(build_sheet(PLAYBOOK["tradeoffs"], judged.draft, so_far), "What each option gains")
    assert f"A3 Way A3\n  {words['A3']}" in told
    assert "Said when" not in told


RATINGS = st.lists(st.lists(st.integers(-2, 2), min_size=3, max_size=3), min_size=3, max_size=3)
TOLD_BY = {
    "dominated_alternatives": ("explanation", ("alternative_id", "dominated_by")),
    "practical_dominance": ("reason", ("alternative_id", "by", "gives_up", "gains")),
    "irrelevant_objectives": ("reason", ("objective_id", "kind", "uniform_rating")),
}
"""Where people's words on a finding stand, and what makes it this finding."""


def words_on_findings(draft: Draft) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Each finding, where words on it stand, and words that are about nothing else."""
    for name, (field, telling) in TOLD_BY.items():
        for each in find_values(draft, f"{name}[]"):
            yield each, field, f"Said to {[each[part] for part in telling]}"


@given(RATINGS, RATINGS)
def test_x5_whatever_the_ratings_become_words_stand_only_with_the_finding_they_were_said_to(
    one: list[list[int]], other: list[list[int]]
) -> None:
    first, second = (rated({"A1": [0] * 3} | {f"A{n}": row for n, row in enumerate(rows, 2)}) for rows in (one, other))
    draft = accepted("tradeoffs", {}, first).draft
    for each, field, words in words_on_findings(draft):
        each[field] = words
    assert refresh_draft(PLAYBOOK["tradeoffs"], draft, first).draft == draft, "as long as nothing changes, nothing goes"
    after = refresh_draft(PLAYBOOK["tradeoffs"], draft, second).draft
    stayed = [(each[field], words) for each, field, words in words_on_findings(after) if "Said to" in str(each)]
    assert all(said == words for said, words in stayed)


@pytest.mark.req("FA-16")
@given(RATINGS, RATINGS)
def test_whatever_the_ratings_become_what_people_said_of_an_option_stays_and_is_marked_if_it_wins_otherwise(
    one: list[list[int]], other: list[list[int]]
) -> None:
    first, second = (rated({"A1": [0] * 3} | {f"A{n}": row for n, row in enumerate(rows, 2)}) for rows in (one, other))
    draft = accepted("tradeoffs", {}, first).draft
    for each in draft["tensions"]:
        each["statement"] = f"On {each['alternative_id']}"
    was = {each["alternative_id"]: each for each in draft["tensions"]}
    after = refresh_draft(PLAYBOOK["tradeoffs"], draft, second).draft
    assert refresh_draft(PLAYBOOK["tradeoffs"], after, second).draft == after
    now = {each["alternative_id"]: each for each in after["tensions"] if "statement" in each}
    assert {option: each["statement"] for option, each in now.items()} == {each: f"On {each}" for each in was}
    for option, each in now.items():
        is_same = all(set(each.get(side, ["gone"])) == set(was[option][side]) for side in ("gains", "losses"))
        assert ("said_of" in each) is not is_same


def test_x5_without_ratings_nothing_is_computed_and_nothing_can_be_approved() -> None:
    so_far = before("tradeoffs")
    del so_far.results["consequences"]  # pyright: ignore[reportIndexIssue]
    judged = accepted("tradeoffs", example("tradeoffs"), so_far)
    assert judged.draft == example("tradeoffs")
    assert judged.missing == ("a full table of ratings (Consequences)",)
    assert refresh_draft(PLAYBOOK["tradeoffs"], example("tradeoffs"), so_far).draft == example("tradeoffs")
