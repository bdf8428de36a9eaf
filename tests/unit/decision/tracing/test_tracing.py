"""What nobody said stands out in a draft with its place, and a date that nobody named is left out."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from app.core.conversation.card import QuestionCard
from app.core.conversation.conversation import Message, MessageStatus, Role
from app.core.state.question import Origin, Question, QuestionKind
from app.decision.playbook import example
from app.decision.playbook.playbook import load_proact
from app.decision.record import DecisionRecord
from app.decision.tracing.said import SaidFigures, Statement
from app.decision.tracing.statements import list_said
from app.decision.tracing.tracing import (
    find_unwatched,
    list_approved,
    list_figures,
    list_statements,
    remove_unsaid_dates,
    trace_figures,
)
from tests.unit.core.threads import OTHER, OWNER, conversation
from tests.unit.decision.components.worked import before

NOTHING = SaidFigures()


def unsaid(draft: dict[str, Any], *said: str, key: str = "issue_raising") -> list[tuple[str, str]]:
    index = SaidFigures.of(map(Statement, said))
    return [(each.text, each.where) for each in trace_figures(draft, index, before(key)).unsaid]


def course(words: str) -> dict[str, Any]:
    return {"alternatives": [{"handle": "A1", "name": "Hire", "description": words, "is_status_quo": True}]}


@pytest.mark.req("FA-14")
def test_a_number_that_nobody_said_is_named_with_its_place_and_one_that_was_said_is_not() -> None:
    draft = course("It would close about 15k of the 60k hole")
    assert unsaid(draft, "We have a hole of 60,000 euro") == [
        ("15k", "A1 Hire: It would close about 15k of the 60k hole")
    ]
    assert unsaid(draft, "60k", "so 15.000") == []


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("We run 4 shops, and lose 9 mornings", False),
        ("9 mornings. 4 shops", False),
        ("4 Vormittage", True),
        ("9 days, and 4 breakfasts", True),
        ("4 % of it", False),
        ("In 4 weeks", False),
        ("We lose 4 mornings", True),
        ("4 early Mornings a year", True),
        ("Four", True),
        ("4 to 5", True),
        ("It was 4.", True),
        ("vier? 4 oder 5", True),
        ("4 shops. We lose 4 a year", True),
    ],
)
def test_a_small_amount_is_known_only_if_it_was_said_of_its_own_things(said: str, known: bool) -> None:
    cell = {"alternative_id": "A2", "objective_id": "O1", "quant_value": 4, "quant_unit": "mornings a year"}
    found = unsaid({"table": {"cells": [cell]}}, said)
    assert found == ([] if known else [("4", found[0][1])])
    assert unsaid({"table": {"cells": [{**cell, "quant_value": 40}]}}, "We run 40 shops") == []


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("A2 plus 2, 10 missed", True),
        ("A2 plus 2, 10 callers lost", True),
        ("A2 plus 2, 10 cups of tea for 50 calls", False),
        ("A2 plus 2, 10 nurses, 20 missed", False),
        ("A2 plus 2, 10 Anrufe", True),
    ],
)
def test_a_small_amount_may_be_said_in_the_words_of_its_objective_and_its_measure(said: str, known: bool) -> None:
    measure = {"metric": "missed calls out of 100", "units": "calls"}
    aim = {"handle": "O1", "name": "Let each caller get through", "performance_measure": measure}
    so_far = DecisionRecord({"objectives": {"fundamental_objectives": [aim]}}, date(2026, 1, 1))
    cell = {"alternative_id": "A2", "objective_id": "O1", "quant_value": 10, "quant_unit": "calls"}
    found = trace_figures({"table": {"cells": [cell]}}, SaidFigures.of([Statement(said)]), so_far).unsaid
    assert [each.text for each in found] == ([] if known else ["10"])


@pytest.mark.req("FA-14")
def test_a_score_that_nobody_gave_is_told_with_its_element() -> None:
    names = ("Clear Tradeoffs", "Logically Correct Reasoning")
    draft = {"elements": [{"name": name, "score": score} for name, score in zip(names, (55, 75), strict=True)]}
    assert unsaid(draft, "Tradeoffs 55", key="decision_quality") == [("75", "Logically correct reasoning")]
    draft["elements"] += [{"name": name, "score": 75} for name in ("Clear Objectives", "Creative Alternatives")]
    assert unsaid(draft, "55", key="decision_quality") == [("75", "Logically correct reasoning and 2 more")]


@pytest.mark.req("FA-14")
def test_swing_points_that_nobody_gave_are_told_as_points_and_not_in_the_unit_of_their_objective() -> None:
    points = {"swing_weights": [{"objective_id": "O1", "points": 80, "worst": "4 mornings", "best": 0}]}
    so_far = before("tradeoffs")
    (found,) = trace_figures(points, NOTHING, so_far).unsaid
    assert (found.text, found.where) == ("80", f"{so_far.label('O1')}: 80 points")


@pytest.mark.req("FA-14")
def test_what_options_are_worth_by_points_needs_nobody_where_a_sentence_speaks_of_points() -> None:
    so_far = before("recommendation")
    assert so_far.weighed
    first, second = (str(round(each)) for each in [*so_far.weighed.values.values()][:2])
    told = f"A4 leads by your points: {first} against {second}. It takes {first} people."
    found = trace_figures({"synthesis": told}, NOTHING, so_far).unsaid
    assert [(each.text, each.where.endswith(f"It takes {first} people.")) for each in found] == [(first, True)]
    invented = trace_figures({"synthesis": "By your points it is 7,777 against 9."}, NOTHING, so_far).unsaid
    assert [each.text for each in invented] == ["7,777", "9"]


SAID = ("The brewery is 2,100 EUR a month now, and heating 250 a month more.", "It takes 14 months.")
RENTED = {"alternative_id": "A2", "objective_id": "O3", "quant_value": 32_900, "quant_unit": "EUR"}


@pytest.mark.req("FA-14")
@pytest.mark.parametrize("field", ["source", "rationale"])
def test_an_amount_that_is_worked_out_beside_it_is_told_with_how_it_is(field: str) -> None:
    cell = {**RENTED, field: "2,100 plus 250 a month for 14 months"}
    traced = trace_figures({"table": {"cells": [cell]}}, SaidFigures.of(map(Statement, SAID)), before("consequences"))
    assert traced.unsaid == ()
    assert traced.sums == ("32,900 EUR = 2,100 plus 250 a month for 14 months",)


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    "words",
    ["2,100 plus 250 a month for 13 months", "2,000 plus 350 a month for 14 months", "2,100 plus 250 a month", "rent"],
)
def test_an_amount_that_follows_from_no_figures_that_were_said_stays_unsaid(words: str) -> None:
    cell = {**RENTED, "source": words}
    assert "32,900 EUR" in [text for text, _ in unsaid({"table": {"cells": [cell]}}, *SAID, key="consequences")]


@pytest.mark.req("FA-14")
def test_a_course_that_works_an_amount_out_in_its_own_words_invents_nothing() -> None:
    words = "The brewery: 2,100 plus 250 a month is 32,900 for 14 months."
    assert unsaid(course(words), *SAID, key="alternatives") == []


def test_the_place_shows_the_words_around_the_figure_whole() -> None:
    words = "We looked at many things for a long time and found that 15k would be lost in the very worst of all cases"
    ((_, where),) = unsaid(course(words))
    assert where == "A1 Hire: … things for a long time and found that 15k would be lost in the very worst of all …"


def test_each_figure_is_named_once_and_one_in_a_name_by_that_name() -> None:
    draft = {"focal_decision": {"scope": "15k"}, "notes": ["15K is much"]}
    assert unsaid(draft) == [("15k", "Scope")]
    assert unsaid({"planned_actions": [{"handle": "N1", "action": "Call 30 shops"}]}) == [("30", "N1 Call 30 shops")]


def test_amounts_have_the_unit_beside_them_or_that_of_their_objective() -> None:
    cell = {"alternative_id": "A2", "objective_id": "O1", "rating": -2, "quant_value": 50.0, "quant_unit": "kEUR"}
    assert unsaid({"table": {"cells": [cell]}}, "50k") == []
    ((text, where),) = unsaid({"table": {"cells": [cell]}}, "60k", key="consequences")
    assert (text, where.partition(" ")[0]) == ("50 kEUR", "A2")
    aim = {"handle": "O1", "performance_measure": {"units": "weeks"}}
    so_far = DecisionRecord({"objectives": {"fundamental_objectives": [aim]}}, date(2026, 1, 1))
    swap = {"even_swaps": [{"pay_with": {"objective_id": "O1", "from": 2}, "agreed": True}]}
    assert trace_figures(swap, SaidFigures.of([Statement("14 days")]), so_far).unsaid == ()
    assert [each.text for each in trace_figures(swap, NOTHING, so_far).unsaid] == ["2 weeks"]


@pytest.mark.req("FA-14")
def test_ratings_handles_and_what_the_server_computes_need_nobody() -> None:
    computed = {"net_score": 7, "rank": 3, "worst": -2, "overall_score": 60, "rating": 2, "handle": "A12"}
    assert unsaid({**computed, "alternative_ids": ["A14"], "message_id": "1770.5", "quote": "15k"}) == []
    assert unsaid({"rows": [1, 2, 3], "text": "3 options are left; 4 options are not"})[0][0] == "2"
    assert unsaid({"rows": ["a", "b", "c"], "text": "3 options are left"}) == []
    assert [text for text, _ in unsaid({"rows": ["a", "b", "c"], "text": "3 weeks, 4 options"})] == ["3 weeks", "4"]


def test_sums_of_ratings_may_be_told_with_their_sign() -> None:
    drafts, so_far = example.load_drafts(), before("recommendation")
    worked = DecisionRecord({key: drafts[key] for key in ("objectives", "alternatives", "consequences")}, so_far.today)
    assert worked.analysis is not None
    net = max(abs(each.net or 0) for each in worked.analysis.scores)
    assert trace_figures({"synthesis": f"A2 has +{net} in all"}, NOTHING, worked).unsaid == ()
    assert trace_figures({"synthesis": f"A2 has +{net + 40} in all"}, NOTHING, worked).unsaid
    assert trace_figures({"synthesis": f"A2 has +{net + 40} in all"}, NOTHING, so_far).unsaid


@pytest.mark.req("FA-14")
def test_what_an_approved_step_holds_may_be_used() -> None:
    known = SaidFigures.of(list_statements(course("It costs 15k by 2027-03-14")))
    assert trace_figures(course("15,000 euro until 14 March"), known, before("alternatives")).unsaid == ()
    assert list_figures(course("It costs 15k")) == {"15k"}


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    "so_far",
    [
        DecisionRecord({"issue_raising": course("It costs 15k")}, date(2026, 1, 1)),
        DecisionRecord({}, date(2026, 1, 1), before=course("It costs 15k")),
        DecisionRecord({}, date(2026, 1, 1), later={"tradeoffs": course("It costs 15k")}),
    ],
    ids=["an earlier step", "the step itself", "a later step"],
)
def test_a_figure_that_any_approved_result_of_the_decision_holds_was_said(so_far: DecisionRecord) -> None:
    known = SaidFigures.of(list_approved(so_far))
    found = trace_figures(course("15k now, and 16k next year"), known, so_far).unsaid
    assert [each.text for each in found] == ["16k"]


@pytest.mark.req("FA-03")
def test_a_date_that_nobody_named_is_left_out_and_said_so() -> None:
    action = {"handle": "N1", "action": "Call Jonas", "due_date": "2027-03-14"}
    given = {"planned_actions": [action], "focal_decision": {"deadline": "2027-01-31"}, "notes": ["2027-03-14"]}
    draft, remarks = remove_unsaid_dates(given, SaidFigures.of([Statement("by 31 January")]), before("problem_frame"))
    assert draft["planned_actions"] == [{"handle": "N1", "action": "Call Jonas"}]
    assert (draft["focal_decision"], draft["notes"]) == (given["focal_decision"], given["notes"])
    assert [each.text for each in remarks] == [
        "Nobody named this date, so it was left out: 14 March 2027 (N1 Call Jonas)."
    ]
    assert action["due_date"], "what was given is not changed"


@pytest.mark.parametrize("given", [None, 7, "2027-03-14", [["2027-03-14"], None], {"a": {"b": [True, 2.5, None]}}])
def test_data_of_any_shape_keeps_its_other_values(given: Any) -> None:
    assert remove_unsaid_dates(given, NOTHING, before("issue_raising")) == (given, ())


@pytest.mark.req("FA-14")
@pytest.mark.parametrize("key", [each.key for each in load_proact().components])
def test_the_worked_example_invents_nothing(key: str) -> None:
    drafts = example.load_drafts()
    earlier = {each.key: drafts[each.key] for each in load_proact().earlier(key)}
    said = [example.read_question(), *(line for each in drafts for line in example.list_said(each))]
    approved = [statement for each in earlier.values() for statement in list_statements(each)]
    index = SaidFigures.of([*map(Statement, said), *approved])
    assert trace_figures(drafts[key], index, DecisionRecord(earlier, date(2026, 11, 10))).unsaid == ()


def row(seq: int, text: str, role: Role = Role.PERSON, **fields: Any) -> Message:
    by: dict[str, Any] = {"author": OWNER} if role is Role.PERSON else {}
    return Message(seq=seq, role=role, text=text, **{**by, **fields})


def said(*rows: Message) -> list[tuple[str, date | None]]:
    return [(each.text, each.day) for each in list_said(conversation(zone="Asia/Tokyo"), rows)]


def test_people_say_it_on_their_day_and_the_assistant_says_nothing() -> None:
    late = "1795300000.000100"  # 2026-11-21 in UTC, and the next day in Tokyo
    rows = (row(1, "15k", ts=late), row(2, "20k", Role.ASSISTANT), row(3, "pressed"), row(4, "25k", author=OTHER))
    assert [text for text, _ in said(*rows)] == ["15k", "pressed", "25k"]
    assert {day for _, day in said(*rows)} == {date(2026, 11, 22)}
    assert said(row(1, "15k", status=MessageStatus.DELETED), row(2, "x", Role.NOTE), row(3, "pressed")) == [
        ("pressed", None)
    ]


def test_a_message_that_was_edited_says_only_what_it_says_now() -> None:
    rows = (row(1, "15k", ts="1.1"), row(2, "12k", Role.NOTE, ts="1.1", author=OWNER))
    assert {text for text, _ in said(*rows)} == {"12k"}


@pytest.mark.req("FA-03")
@pytest.mark.parametrize(
    ("asked", "answer", "is_said"),
    [
        ("It is 3 pm.\n\nGood. Shall I put 2027-03-14?", "yes", True),
        ("Shall I put 2027-03-14?", "Yes, that is right", True),
        ("Shall I put 2027-03-14?", "yes, but later", False),
        ("Shall I put 2027-03-14?", "no", False),
        ("I would take 2027-03-14. Is that all?", "yes", False),
        ("Shall I put 2027-03-14?\n\nWhat else?", "yes", False),
    ],
)
def test_a_yes_says_what_the_question_before_it_named(asked: str, answer: str, is_said: bool) -> None:
    texts = [text for text, _ in said(row(1, asked, Role.ASSISTANT), row(2, answer))]
    assert any("2027-03-14" in text for text in texts) is is_said


@pytest.mark.req("FA-03")
def test_a_yes_by_a_button_counts_as_well_and_that_of_others_does_not() -> None:
    question = Question(
        id="1.2", kind=QuestionKind.CONFIRMATION, prompt="Is it 14 March?", origin=Origin.MODEL, card=1, asked_at="1.0"
    )
    card = row(1, "", Role.CARD, card=QuestionCard(question=question, owner=OWNER))
    assert [text for text, _ in said(card, row(2, "Yes"))] == ["Yes", "Is it 14 March?"]
    assert [text for text, _ in said(card, row(2, "Yes", author=OTHER))] == ["Yes"]


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("said", "unknown"),
    [("Maybe 20,000 a year, not more", []), ("20k", []), ("21,000 at most", ["70 EUR"]), ("nothing", ["70 EUR"])],
)
def test_the_end_of_a_swap_was_said_if_its_step_was(said: str, unknown: list[str]) -> None:
    paid = {"objective_id": "O3", "from": 50, "to": 70, "unit": "kEUR"}
    found = unsaid(
        {"even_swaps": [{"alternative_id": "A2", "pay_with": paid}]}, said, "It costs 50 kEUR.", key="tradeoffs"
    )
    assert [text.replace("kEUR", "EUR") for text, _ in found] == unknown


@pytest.mark.parametrize(
    ("words", "more", "asked"),
    [
        ("We hire if two have signed by 31 January, otherwise the partner.", {}, True),
        ("We hire.", {}, False),
        ("We decided it on 21 November, to hire in March, as planned since January.", {}, False),
        ("We hire by 31 January.", {"revisit_triggers": ["Fewer than two on 31 January 2027"]}, False),
        ("We hire by 31 January.", {"open_questions": ["Who signs by 31 January?"]}, False),
        ("We hire by 31 January.", {"planned_actions": [{"action": "Count", "due_date": "2027-01-31"}]}, False),
        ("We hire by 31 January.", {"planned_actions": [{"action": "Count", "due_date": "2027-01-30"}]}, True),
    ],
)
def test_a_day_on_which_the_decision_depends_has_a_step_or_a_trigger(
    words: str, more: dict[str, Any], asked: bool
) -> None:
    draft = {"decision": {"status": "decided", "alternative_id": "A4", "in_the_users_words": words}, **more}
    told = [each.text for each in find_unwatched(draft, before("notes_next_steps"))]
    question = "Your decision speaks of 31 January, and no step or trigger does. Who looks at it then?"
    assert told == ([question] if asked else [])


def test_a_journey_from_a_town_to_a_day_is_no_swap() -> None:
    draft = {"even_swaps": [{"from": "Berlin", "to": "3 March 2027"}, {"from": 3, "to": "about 4,000"}]}
    assert [text for text, _ in unsaid(draft, "nothing", key="tradeoffs")] == ["3 March 2027", "3", "4,000"]


NO_STEPS = DecisionRecord({}, date(2026, 11, 28))


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("said", "units", "unsaid"),
    [
        ("Low price in pounds", "EUR", ["EUR"]),
        ("It costs £400", "kEUR per year", ["EUR"]),
        ("Low price in pounds", "GBP", []),
        ("Offers in kEUR and £", "EUR", []),
        ("It costs 400", "EUR", []),
        ("Low price in pounds", "weeks", []),
    ],
)
def test_a_measure_in_another_currency_than_people_speak_of_is_found(said: str, units: str, unsaid: list[str]) -> None:
    measure = {"metric": "price", "units": units}
    draft: dict[str, Any] = {
        "fundamental_objectives": [{"handle": "O1", "description": "Price", "performance_measure": measure}]
    }
    found = trace_figures(draft, SaidFigures.of([Statement(said)]), NO_STEPS).unsaid
    assert [each.text for each in found] == unsaid
    assert all(each.where == "O1 Price" for each in found)


@pytest.mark.req("FA-14")
def test_the_steps_between_the_ends_of_a_scale_that_people_named_are_not_asked_about() -> None:
    def trace(*levels: str) -> list[str]:
        measure = {"metric": "trial", "scale_levels": list(levels)}
        draft: dict[str, Any] = {
            "fundamental_objectives": [{"handle": "O1", "description": "x", "performance_measure": measure}]
        }
        said = SaidFigures.of([Statement("On a scale of 1 to 50 from their trial")])
        found = trace_figures(draft, said, NO_STEPS)
        assert found.sums == ()
        return [each.text for each in found.unsaid]

    assert trace("1", "24", "37", "50") == []
    assert trace("1", "24", "70") == ["70"], "where it ends, people say"
    assert trace("1", "24 clicks", "50") == ["24"], "it says what the step is"


@pytest.mark.req("FA-14", "FA-16")
def test_an_amount_that_only_the_former_summary_of_a_step_has_is_not_taken_as_said() -> None:
    before = {"synthesis": "It costs 412,000.", "key_considerations": ["The old one was 57 weeks late"]}
    told = {"synthesis": "It costs 412,000, and the old one was 57 weeks late."}

    def trace(cost: int) -> list[str]:
        cell = {"alternative_id": "A2", "objective_id": "O1", "quant_value": cost, "quant_unit": "GBP"}
        so_far = DecisionRecord({"consequences": {"table": {"cells": [cell]}}}, date(2026, 11, 28), before=before)
        return [each.text for each in trace_figures(told, SaidFigures.of(list_approved(so_far)), so_far).unsaid]

    assert trace(412_000) == []
    assert trace(418_000) == ["412,000"], "the amount has changed since"
