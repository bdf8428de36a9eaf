"""What only the model said, such as what an uncertainty depends on, is shown as its suggestion, not as people's."""

from __future__ import annotations

from typing import Any

import pytest

from app.decision.layout.sheets import build_sheet
from app.decision.schema.paths import find_value, merge, nest
from app.decision.tracing.unsaid_claims import (
    AUTHORITY,
    OWN_WORDS,
    find_unsaid_claims,
    list_new_words,
    mark_claims,
    remove_claims,
)
from tests.unit.decision.components.worked import PLAYBOOK, before, example, minimal


def uncertain(**facts: Any) -> dict[str, Any]:
    return {"uncertainties": [{"handle": "U1", "description": "Whether the lease is renewed", **facts}]}


def decider(authority: str) -> dict[str, Any]:
    return {"decision_maker": {"name": "Priya", "role": "Owner", "authority": authority}}


@pytest.mark.req("FA-04")
@pytest.mark.parametrize(
    ("driver", "said", "is_known"),
    [
        ("the landlord", "The landlord has to say yes", True),
        ("landlords", "Ask the landlord", True),
        ("the landlord", "I don't know whether we get it renewed", False),
        ("gas market", "gas prices", False),
        ("the price of gas", "gas prices", True),
    ],
)
def test_what_an_uncertainty_depends_on_is_peoples_only_if_they_used_its_words(
    driver: str, said: str, is_known: bool
) -> None:
    assert find_unsaid_claims(uncertain(driver=driver), [said]) == (() if is_known else ("U1.driver",))


@pytest.mark.req("FA-04")
@pytest.mark.parametrize(
    ("said", "is_known"),
    [
        ("We will know about the lease by March", True),
        ("Nobody can tell us about the renewal of the lease in time", True),
        ("no", True),
        ("The lease ends in December, no idea if we get it", False),
        ("We will hear about the subsidy by March", False),
        ("not sure what to say about all of this, it is a long story", False),
    ],
)
def test_whether_it_can_be_found_out_is_peoples_only_if_they_spoke_of_it(said: str, is_known: bool) -> None:
    assert find_unsaid_claims(uncertain(resolvable=False), [said]) == (() if is_known else ("U1.resolvable",))


@pytest.mark.req("FA-04")
@pytest.mark.parametrize(
    ("authority", "said", "is_known"),
    [
        ("sole", "I prepare it, Priya signs", False),
        ("sole", "I decide that", True),
        ("joint", "I decide that", False),
        ("joint", "We vote on it", True),
        ("needs_approval", "Priya has to sign it", True),
        ("needs_approval", "It is mine", False),
        ("recommends", "I prepare it, Priya signs", True),
        ("", "Nothing", True),
    ],
)
def test_how_far_somebody_decides_is_peoples_only_if_they_spoke_of_it(
    authority: str, said: str, is_known: bool
) -> None:
    found = find_unsaid_claims(decider(authority), [said])
    assert found == (() if is_known else ("decision_maker.authority",))


@pytest.mark.req("FA-04")
@pytest.mark.parametrize("place", OWN_WORDS)
def test_words_are_peoples_own_only_if_they_used_them(place: str) -> None:
    draft = nest({place: "Quiet nights are worth more to us than money."})
    assert find_unsaid_claims(draft, ["The nights have to be quiet.", "It is worth it, more than money."]) == ()
    assert find_unsaid_claims(draft, ["I like the part-timers."]) == (place,)
    assert find_unsaid_claims(draft, [], nest({place: "Sleep."})) == (), "written by hand"
    assert list_new_words(draft, nest({place: "Sleep."})) == ("Quiet nights are worth more to us than money.",)
    assert list_new_words(draft, draft) == ()
    assert find_value(remove_claims(draft, [place, "U1.driver"]), place) is None
    assert remove_claims(draft, ["U1.driver"]) == draft


@pytest.mark.req("FA-04")
@pytest.mark.parametrize("place", [AUTHORITY, *OWN_WORDS])
def test_where_the_model_is_told_words_that_nobody_said_they_are_marked(place: str) -> None:
    draft = nest({place: "Sleep"})
    assert find_value(mark_claims(draft, [place, "U1.driver"]), place) == "Sleep [suggested, nobody said it]"
    assert mark_claims(draft, ["U1.driver"]) == draft
    assert mark_claims({}, [place]) == {}


@pytest.mark.req("FA-04")
@pytest.mark.parametrize(
    ("key", "place", "told"),
    [
        ("tradeoffs", "headline_conflict.statement", "the heart of it"),
        ("tradeoffs", "user_understanding", "the tradeoff in your words"),
        ("recommendation", "user_leaning", "what you lean towards"),
        ("notes_next_steps", "decision.in_the_users_words", "the decision in your words"),
    ],
)
def test_a_card_gives_no_words_as_peoples_own_that_nobody_said(key: str, place: str, told: str) -> None:
    draft, own = example(key), "Peace over pence."
    draft = merge(draft, nest({place: own}))
    sheet = build_sheet(PLAYBOOK[key], draft, before(key), (place,))
    assert sheet.essence[0] == f"💡 My suggestions: {told}"
    shown = repr((sheet.essence[1:], sheet.sections))
    assert shown.count("Peace over pence") == shown.count(f"💡 {own} A suggestion: nobody said it.") > 0
    assert "💡" not in repr(build_sheet(PLAYBOOK[key], draft, before(key)))


@pytest.mark.req("FA-04")
def test_what_a_person_edits_by_hand_is_the_persons() -> None:
    edited = uncertain(driver="the landlord", resolvable=True)
    assert find_unsaid_claims(edited, [], uncertain()) == ()
    assert find_unsaid_claims(edited, [], uncertain(driver="the landlord")) == ("U1.driver",)
    assert find_unsaid_claims(decider("sole"), [], decider("joint")) == ()
    assert list_new_words(edited | decider("sole"), uncertain()) == ("the landlord",)


@pytest.mark.req("FA-04")
def test_a_card_shows_such_a_fact_as_a_suggestion_and_not_as_said() -> None:
    draft = minimal("issue_raising") | uncertain(driver="the landlord", resolvable=False)
    sheet = build_sheet(PLAYBOOK["issue_raising"], draft, before("issue_raising"), ("U1.driver", "U1.resolvable"))
    shown = repr(sheet.sections)
    assert "💡 Depends on: the landlord. A suggestion: nobody said it." in shown
    assert "💡 Cannot be found out in time. A suggestion: nobody said it." in shown
    assert sheet.essence[0] == ("💡 My suggestions: what U1 may depend on; whether U1 can be found out in time")
    plain = build_sheet(PLAYBOOK["issue_raising"], draft, before("issue_raising"))
    assert "'Depends on: the landlord'" in repr(plain.sections)
    assert "💡" not in repr(plain)
    rated: dict[str, Any] = {"table": {}, **uncertain(driver="the landlord")}
    told = build_sheet(PLAYBOOK["consequences"], rated, before("consequences"), ("U1.driver",))
    assert "💡 Depends on: the landlord." in repr(told.sections)


@pytest.mark.req("FA-04")
def test_a_decider_whose_reach_nobody_told_is_named_without_it() -> None:
    draft = minimal("problem_frame")
    draft["decision_maker"]["authority"] = "sole"
    sheet = build_sheet(PLAYBOOK["problem_frame"], draft, before("problem_frame"), ("decision_maker.authority",))
    assert "Decider: Ada" in sheet.essence
    assert sheet.essence[0] == "💡 My suggestions: how far the decider decides"
    assert "💡 decides alone. A suggestion: nobody said it." in repr(sheet.sections)
    told = build_sheet(PLAYBOOK["problem_frame"], draft, before("problem_frame"))
    assert "Decider: Ada (decides alone)" in told.essence
