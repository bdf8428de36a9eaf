"""What only the model said, such as what an uncertainty depends on, is shown as its suggestion, not as people's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.state.interview import Interview, JudgedDraft
from app.core.state.sheet import Item, Listing, Matrix, Sheet
from app.decision.layout.sheets import build_sheet, recall
from app.decision.record import DecisionRecord
from app.decision.schema.paths import find_value, merge, nest
from app.decision.tracing.unsaid_claims import (
    AUTHORITY,
    OWN_WORDS,
    UNSAID,
    find_kept_claims,
    find_unsaid_claims,
    find_unsaid_names,
    list_known_doubts,
    list_new_words,
    mark_claims,
    remove_claims,
    select_marked,
)
from tests.unit.core.interviews import PREPARED
from tests.unit.core.threads import THREAD
from tests.unit.decision.components.worked import PLAYBOOK, TODAY, accepted, before, example, minimal


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


def ranked(priority: str = "high") -> dict[str, Any]:
    items = [{"handle": "D1", "description": "Whether to hire a nurse", "priority": priority}]
    return {"potential_decisions": [*items, {"handle": "D2", "description": "Where to meet"}]}


@pytest.mark.req("FA-14", "FA-04")
@pytest.mark.parametrize(
    ("said", "is_known"),
    [
        ("We have to settle whether to hire a nurse before the winter starts", False),
        ("Hiring a nurse is what matters to all of us here", True),
        ("The most urgent of all these things that I told you is where to meet", False),
        ("The most urgent of all these things that I told you is D1", True),
        ("The first one", True),
        ("high", True),
        ("I don't know", False),
    ],
)
def test_a_priority_is_peoples_only_if_they_spoke_of_what_counts_most(said: str, is_known: bool) -> None:
    assert find_unsaid_claims(ranked(), [said]) == (() if is_known else ("D1.priority",))
    assert find_unsaid_claims(ranked(), [said], {}) == (), "who has chosen it in a window has said it"


@pytest.mark.req("FA-14", "FA-04")
def test_a_priority_that_nobody_gave_is_shown_as_a_suggestion_and_is_in_no_record() -> None:
    draft = minimal("issue_raising") | ranked()
    sheet = build_sheet(PLAYBOOK["issue_raising"], draft, before("issue_raising"), ("D1.priority",))
    assert "💡 High priority (suggested by Threadwise)" in repr(sheet.sections)
    assert sheet.essence[0] == "💡 My suggestions: the priority of D1"
    bare = remove_claims(draft, ("D1.priority",))["potential_decisions"]
    assert bare == [{"handle": "D1", "description": "Whether to hire a nurse"}, ranked()["potential_decisions"][1]]
    (entered,) = list_new_words(ranked(), ranked("low"))
    assert find_unsaid_claims(ranked(), [entered]) == (), "what was chosen in a window is known from then on"


@pytest.mark.req("FA-04")
@pytest.mark.parametrize(
    ("said", "is_known"),
    [
        ("We will know about the lease by March", True),
        ("Nobody can tell us about the renewal of the lease in time", True),
        ("We can find it out from whoever grants the lease", True),
        ("no", True),
        ("Few of us find the terms of the lease easy to read", False),
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
    found = find_unsaid_claims(decider(authority), [said, "Priya?"])
    assert found == (() if is_known else ("decision_maker.authority",))


@pytest.mark.req("FA-04")
@pytest.mark.parametrize(("others", "is_known"), [(2, True), (3, False)])
def test_words_that_stand_far_apart_in_a_long_talk_say_no_cause(others: int, is_known: bool) -> None:
    said = ["The vendor called.", *["Sam prefers Mondays."] * others, "Our figures look fine on the tickets."]
    assert find_unsaid_claims(uncertain(driver="vendor figures"), said) == (() if is_known else ("U1.driver",))


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
    item, plain = uncertain(driver="the landlord", resolvable=False), uncertain()
    assert remove_claims({**item, **draft}, ["U1.driver", "U1.resolvable", "U2.driver"]) == {**plain, **draft}


@pytest.mark.req("FA-04")
@pytest.mark.parametrize("place", [AUTHORITY, *OWN_WORDS])
def test_where_the_model_is_told_words_that_nobody_said_they_are_marked(place: str) -> None:
    draft = nest({place: "Sleep"})
    assert find_value(mark_claims(draft, [place, "U1.driver"]), place) == "Sleep [suggested, nobody said it]"
    assert mark_claims(draft, ["U1.driver"]) == draft
    assert mark_claims({}, [place]) == {}


@pytest.mark.req("FA-04")
def test_where_the_model_is_told_a_fact_of_an_item_that_nobody_said_it_is_marked_and_the_next_ones_are_not() -> None:
    facts: dict[str, Any] = {"driver": "the landlord", "resolvable": False}
    two = [*uncertain(**facts)["uncertainties"], {"handle": "U2", "description": "Gas", "driver": "the market"}]
    first, second = mark_claims({"uncertainties": two}, ["U1.driver", "U1.resolvable"])["uncertainties"]
    assert first == {**two[0], "driver": f"the landlord{UNSAID}", "resolvable": f"False{UNSAID}"}
    assert second == two[1]
    assert mark_claims(uncertain(), ["U1.driver"]) == uncertain()


def kept(draft: dict[str, Any], *said: str, so_far: DecisionRecord, drafted: JudgedDraft | None = None) -> Any:
    lead = Interview(decision=THREAD, component="issue_raising", prepared=PREPARED, drafted=drafted)
    return find_kept_claims(draft, lead, so_far, said)


@pytest.mark.req("FA-04")
def test_what_was_approved_though_nobody_said_it_is_a_suggestion_until_it_is_said_or_changed() -> None:
    draft = uncertain(driver="the landlord", resolvable=True)
    so_far = DecisionRecord(
        {}, TODAY, draft, suggested={"issue_raising": ("U1.driver",), "objectives": ("U1.resolvable",)}
    )
    assert kept(draft, so_far=so_far) == ("U1.driver",)
    assert kept(draft, "The landlord has to say yes", so_far=so_far) == ()
    assert kept(uncertain(driver="the market"), so_far=so_far) == (), "it is judged anew on its card"
    assert kept(draft, so_far=DecisionRecord({}, TODAY, draft)) == ()


@pytest.mark.req("FA-04")
def test_what_the_last_card_gave_as_a_suggestion_is_one_in_the_notes_as_well() -> None:
    draft = uncertain(driver="the landlord")
    drafted = JudgedDraft(draft=draft, sheet=Sheet(), suggested=("U1.driver",))
    assert kept(draft, so_far=DecisionRecord({}, TODAY), drafted=drafted) == ("U1.driver",)


@pytest.mark.req("FA-04")
def test_only_a_text_that_has_told_the_mark_has_told_it() -> None:
    draft = uncertain(driver="the landlord", resolvable=True)
    places, told = ("U1.driver", "U1.resolvable"), f"- U1 driver: the landlord{UNSAID}; resolvable: True"
    assert select_marked(draft, places, told) == ("U1.driver",)
    assert select_marked(draft, (), told) == ()


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
    assert shown.count("Peace over pence") == shown.count(f"💡 {own[:-1]} (suggested by Threadwise)") > 0
    assert "💡" not in repr(build_sheet(PLAYBOOK[key], draft, before(key)))


@pytest.mark.req("FA-04")
def test_what_a_person_edits_by_hand_is_the_persons() -> None:
    edited = uncertain(driver="the landlord", resolvable=True)
    assert find_unsaid_claims(edited, [], uncertain()) == ()
    assert find_unsaid_claims(edited, [], uncertain(driver="the landlord")) == ("U1.driver",)
    assert find_unsaid_claims(decider("sole"), ["Priya?"], decider("joint")) == ()
    assert list_new_words(edited | decider("sole"), uncertain()) == ("the landlord", "Priya")


@pytest.mark.req("FA-04")
def test_a_card_shows_such_a_fact_as_a_suggestion_and_not_as_said() -> None:
    draft = minimal("issue_raising") | uncertain(driver="the landlord", resolvable=False)
    sheet = build_sheet(PLAYBOOK["issue_raising"], draft, before("issue_raising"), ("U1.driver", "U1.resolvable"))
    shown = repr(sheet.sections)
    assert "💡 Depends on: the landlord (suggested by Threadwise)" in shown
    assert "💡 Cannot be found out in time (suggested by Threadwise)" in shown
    assert sheet.essence[0] == ("💡 My suggestions: what U1 may depend on; whether U1 can be found out in time")
    plain = build_sheet(PLAYBOOK["issue_raising"], draft, before("issue_raising"))
    assert "'Depends on: the landlord'" in repr(plain.sections)
    assert "💡" not in repr(plain)
    rated: dict[str, Any] = {"table": {}, **uncertain(driver="the landlord")}
    told = build_sheet(PLAYBOOK["consequences"], rated, before("consequences"), ("U1.driver",))
    assert "💡 Depends on: the landlord (suggested by Threadwise)" in repr(told.sections)


@pytest.mark.req("FA-04")
def test_how_far_somebody_decides_is_marked_on_the_card_if_nobody_told() -> None:
    draft = minimal("problem_frame")
    draft["decision_maker"]["authority"] = "sole"
    sheet = build_sheet(PLAYBOOK["problem_frame"], draft, before("problem_frame"), ("decision_maker.authority",))
    assert "Decider: Ada (💡 decides alone)" in sheet.essence
    assert sheet.essence[0] == "💡 My suggestions: how far the decider decides"
    assert "💡 decides alone (suggested by Threadwise)" in repr(sheet.sections)
    told = build_sheet(PLAYBOOK["problem_frame"], draft, before("problem_frame"))
    assert "Decider: Ada (decides alone)" in told.essence


@pytest.mark.req("FA-03", "FA-04")
@pytest.mark.parametrize(
    ("name", "said", "is_known"),
    [
        ("Mrs. Whitfield, Birch Street school", "the annex of the Birch Street school", False),
        ("Mrs. Whitfield of the Birch Street school", "the annex of the Birch Street school", False),
        ("Mrs. Whitfield", "ask Jane Whitfield", True),
        ("Jonas (finance)", "Jonas says what it costs", True),
        ("Jonas Weber", "Jonas says what it costs", True),
        ("Jonas Weber (COO)", "Jonas says what it costs", True),
        ("Jonas (Whitfield)", "Jonas says what it costs", False),
        ("The mayor's office", "the mayor approves", True),
        ("Town council", "they decide in February", True),
        ("Neighbours", "what about the neighbours", True),
        ("Neighbours", "what about the parking", False),
        ("the council of the Birch Street school", "Birch street", True),
        ("finance", "nobody", True),
    ],
)
def test_a_name_that_nobody_said_is_a_suggestion_and_told_when_it_is_noted(
    name: str, said: str, is_known: bool
) -> None:
    drafts = {
        "P1.name": {"parties": [{"handle": "P1", "name": name}, {"handle": "P2", "name": "Priya"}]},
        "N1.owner": {"planned_actions": [{"handle": "N1", "action": "Ask", "owner": name}, {"handle": "N2"}]},
        "decision_maker.name": {"decision_maker": {"name": name}},
    }
    for place, draft in drafts.items():
        assert find_unsaid_claims(draft, [said, "Priya"]) == (() if is_known else (place,))
        assert find_unsaid_names(draft, [said, "Priya"]) == (() if is_known else (name,))
    edited = drafts["P1.name"]
    assert find_unsaid_claims(edited, ["Priya"], {"parties": [{"handle": "P1", "name": "Ada"}]}) == ()


@pytest.mark.req("FA-04")
def test_a_card_marks_names_that_nobody_said() -> None:
    draft = minimal("problem_frame")
    draft["parties"] = [{"handle": "P1", "name": "Jonas"}, {"handle": "P2", "name": "Mrs. Whitfield"}]
    sheet = build_sheet(PLAYBOOK["problem_frame"], draft, before("problem_frame"), ("P2.name", "decision_maker.name"))
    assert sheet.essence[0] == "💡 My suggestions: P2 Mrs. Whitfield; who decides"
    assert "People: Jonas and 💡 Mrs. Whitfield" in sheet.essence
    assert "💡 Ada (suggested by Threadwise)" in repr(sheet.sections)
    marked = {item.handle for each in sheet.sections if isinstance(each, Listing) for item in each.items if item.marks}
    assert marked == {"P2"}
    actions = minimal("notes_next_steps")
    actions["planned_actions"] = [{"handle": "N1", "action": "Ask the school", "owner": "Mrs. Whitfield"}]
    told = build_sheet(PLAYBOOK["notes_next_steps"], actions, before("notes_next_steps"), ("N1.owner",))
    assert told.essence[0] == "💡 My suggestions: who does N1"
    assert "💡 Mrs. Whitfield (suggested by Threadwise)" in repr(told.sections)


PLAN = (
    "Sam gets 2 quotes by 10 December. If power is above 45 cents or the city says no, repair and order the compressor."
)
ORDER = "If power is above 45 cents or the city says no: repair, order the compressor"


@pytest.mark.req("FA-04")
@pytest.mark.parametrize(
    ("said", "is_assigned"),
    [
        ((PLAN,), False),
        (("Sam would rather repair", PLAN), False),
        ((PLAN, "fine"), False),
        ((PLAN, "Priya asks. He is quick, and the landlord does not mind that at all, so far as we know."), False),
        ((PLAN, "Sam"), True),
        ((PLAN, "me"), True),
        ((PLAN, "Sam does the compressor, Priya the letters to all of the others in the whole of the street"), True),
        ((PLAN, "Let us ask Sam, the only one who was there. He orders the compressor, if nobody minds it."), True),
        (("Sam repairs it and orders the compressor if the city says no or power is above 45 cents",), True),
        (("Order it",), True),
    ],
)
def test_an_owner_whom_nobody_named_for_a_next_step_is_a_suggestion_and_told_when_it_is_noted(
    said: tuple[str, ...], is_assigned: bool
) -> None:
    actions = [{"handle": "N2", "action": "Get 2 quotes", "owner": "Sam"}, {"handle": "N4", "action": ORDER}]
    draft = {"planned_actions": [actions[0], {**actions[1], "owner": "Sam"}]}
    people = ("Sam", "Maya")
    assert find_unsaid_claims(draft, said, None, people) == (() if is_assigned else ("N4.owner",))
    assert find_unsaid_names(draft, said, people) == (() if is_assigned else ("Sam (N4.owner)",))
    assert find_unsaid_names({"planned_actions": actions}, said, people) == ()


@pytest.mark.req("FA-04", "FA-15")
def test_what_an_uncertainty_depends_on_is_no_suggestion_where_an_approved_step_has_it_as_said() -> None:
    driver, draft = "the landlord of the barn", uncertain(driver="the landlord of that barn")
    so_far = before("consequences", issue_raising=minimal("issue_raising") | uncertain(driver=driver))
    assert find_unsaid_claims(draft, [], None, (), list_known_doubts(so_far)) == ()
    assert find_unsaid_claims(uncertain(driver="the weather"), [], None, (), list_known_doubts(so_far)) == (
        "U1.driver",
    )
    guessed = replace(so_far, suggested={"issue_raising": ("U1.driver",)})
    assert find_unsaid_claims(draft, [], None, (), list_known_doubts(guessed)) == ("U1.driver",)


def doubted(cause: str) -> dict[str, Any]:
    """One rating whose doubt comes from this."""
    cell = {"alternative_id": "A2", "objective_id": "O1", "rating": 1}
    return {"table": {"cells": [{**cell, "uncertainty": {"level": "high", "driver": cause}}]}}


@pytest.mark.req("FA-04")
def test_what_the_doubt_of_a_rating_comes_from_is_a_suggestion_unless_somebody_said_it() -> None:
    draft, place = doubted("the vendor's figures"), "A2:O1.driver"
    assert find_unsaid_claims(draft, ["A2 +1, not sure"]) == (place,)
    assert find_unsaid_claims(draft, ["I do not trust the vendor's figures"]) == ()
    assert find_unsaid_claims(draft, [], None, (), {"U1": ("The vendor has no tested figures",)}) == ()
    assert find_unsaid_claims(draft, [], doubted("")) == (), "typed by hand"
    assert list_new_words(draft, doubted("")) == ("the vendor's figures",)
    marked, bare = mark_claims(draft, [place]), remove_claims(draft, [place])
    assert find_value(marked, "table.cells[].uncertainty.driver") == f"the vendor's figures{UNSAID}"
    assert find_value(bare, "table.cells[].uncertainty") == {"level": "high"}
    assert mark_claims(draft, ["A3:O1.driver"]) == draft


@pytest.mark.req("FA-04")
def test_such_a_cause_is_marked_in_its_cell_among_the_doubts_on_the_card_and_in_later_steps() -> None:
    so_far = before("consequences")
    draft = accepted("consequences", doubted("the vendor's figures"), so_far).draft
    sheet = build_sheet(PLAYBOOK["consequences"], draft, so_far, ("A2:O1.driver",))
    (matrix,) = [each for each in sheet.sections if isinstance(each, Matrix)]
    (note,) = {each.note for row in matrix.cells for each in row if each.note}
    assert note == "💡 In doubt: the vendor's figures (suggested by Threadwise)"
    assert repr(sheet.sections).count("💡 the vendor's figures (suggested by Threadwise)") == 1
    assert "💡 My suggestions: what A2 on O1 may depend on" in sheet.essence
    assert "💡" not in repr(build_sheet(PLAYBOOK["consequences"], draft, so_far))
    later = replace(before("recommendation", consequences=draft), suggested={"consequences": ("A2:O1.driver",)})
    about = Sheet(sections=(Listing(title="Left", items=(Item(handle="A2", text="Specialist partner"),)),))
    told = repr(recall(PLAYBOOK["recommendation"], about, later).sections)
    assert "💡 In doubt: the vendor's figures (suggested by Threadwise)" in told
