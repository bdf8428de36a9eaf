"""What a tool says that became of a call: taken, taken with a change, or refused with what would be taken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.agent.tools.trial import FORMER
from app.core.conversation.call import DraftNoted
from app.core.state.interview import Mode, VouchedFigure
from app.decision.rules.rating_rules import amounts_of_before
from tests.unit.agent.tools.sat import QUOTABLE, Box, interviewed
from tests.unit.core.threads import OTHER, said
from tests.unit.decision.components.worked import before


@pytest.mark.req("FA-04")
@pytest.mark.parametrize("quote", ["We lost FOUR families", "will not see that  again", "By a button"])
def test_a_quote_that_a_person_wrote_is_taken(quote: str) -> None:
    box = Box(rows=QUOTABLE)
    box.does("note_item", list="objectives", fields={"description": "Safe"}, quote=quote)
    assert box.draft["objectives"][0]["evidence"][0]["quote"]


@pytest.mark.req("FA-04")
@pytest.mark.parametrize("quote", ["keep all four families", "Where should our school move"])
def test_a_quote_of_an_earlier_step_or_of_the_question_that_was_typed_is_taken(quote: str) -> None:
    vision = {"handle": "D1", "description": "Move", "evidence": [{"quote": "I must keep all four families"}]}
    so_far = replace(
        before("problem_frame"),
        results={"issue_raising": {"potential_decisions": [vision]}},
        question="Where should our school move?",
    )
    box = Box(rows=QUOTABLE, so_far=so_far)
    box.does("note_item", list="objectives", fields={"description": "Safe"}, quote=quote)
    assert box.draft["objectives"][0]["evidence"][0]["quote"] == quote
    assert "nobody wrote" in box.fails("note_item", list="objectives", fields={"description": "Calm"}, quote="Money")


@pytest.mark.req("FA-04")
def test_a_misquote_is_refused_with_the_nearest_wording_and_nothing_is_stored() -> None:
    box = Box(rows=QUOTABLE)
    given = {"list": "objectives", "fields": {"description": "Safe"}}
    assert '"lost four families last"' in box.fails("note_item", **given, quote="lost five families last")
    for foreign in ("The assistant wrote this itself.", "Money is everything here", "Last year nobody came here"):
        assert "nobody wrote these words or similar ones" in box.fails("note_item", **given, quote=foreign)
    box.does("note_item", **given)
    assert '"see that again."' in box.fails("change_item", item="IO1", fields={}, quote="that anew again.")
    assert "evidence" not in box.draft["objectives"][0]


@pytest.mark.req("FA-04")
def test_what_a_person_writes_while_a_reply_is_written_can_be_quoted_in_it_from_then_on() -> None:
    box = Box(rows=QUOTABLE)
    given = {"list": "objectives", "fields": {"description": "Safe"}, "quote": "the roof leaks"}
    assert "nobody wrote" in box.fails("note_item", **given)
    box.tools.hear((said(5, "And the roof leaks."),))
    box.does("note_item", **given)
    assert box.draft["objectives"][0]["evidence"][0]["quote"] == "the roof leaks"
    box.does("note_item", list="objectives", fields={"description": 'They said "the roof leaks"'})


MISQUOTE = 'They said "we lost five families last winter"'


@pytest.mark.req("FA-04", "FA-09")
@pytest.mark.parametrize(
    ("component", "tool", "given"),
    [
        ("issue_raising", "note_item", {"list": "objectives", "fields": {"description": MISQUOTE}}),
        ("issue_raising", "change_item", {"item": "IO1", "fields": {"description": MISQUOTE}}),
        ("issue_raising", "move_item", {"item": "IO1", "to": "considerations", "fields": {"text": MISQUOTE}}),
        ("problem_frame", "set_fields", {"fields": {"focal_decision": {"statement": MISQUOTE}}}),
        *(
            ("consequences", "rate", {"objective": "O1", "ratings": [{"option": "A2", "rating": 1, **words}]})
            for words in (
                {"reason": MISQUOTE},
                {"doubt": "high", "doubt_from": MISQUOTE},
                {"amount": 3, "source": MISQUOTE},
            )
        ),
        ("issue_raising", "flag_inconsistency", {"about": "x", "statement_a": MISQUOTE, "statement_b": "y"}),
        ("issue_raising", "ask_user", {"type": "input", "prompt": MISQUOTE}),
    ],
)
def test_words_in_a_note_that_nobody_wrote_are_refused_with_the_nearest(
    component: str, tool: str, given: dict[str, object]
) -> None:
    told = Box(interviewed(component=component), rows=QUOTABLE).fails(tool, **given)
    assert 'nobody wrote "we lost five families last winter"' in told
    assert 'The nearest in the thread: "We lost four families last"' in told


@pytest.mark.req("FA-09")
def test_words_in_a_note_that_a_person_wrote_and_a_title_are_taken() -> None:
    box = Box(rows=QUOTABLE)
    for words in ('They said "we lost four families last winter"', 'The "red line" holds'):
        box.does("note_item", list="objectives", fields={"description": words})
    assert "nobody wrote" in box.fails(
        "note_item", list="objectives", fields={"description": 'They said "money, all of it, or none"'}
    )


@pytest.mark.req("FA-04", "FA-09")
def test_a_suggestion_that_was_approved_is_no_persons_words_in_a_note_or_a_reply() -> None:
    issues = {"uncertainties": [{"handle": "U1", "description": "The lease", "driver": "the landlord"}]}
    so_far = replace(before("problem_frame"), results={"issue_raising": issues})
    fields = {"fields": {"focal_decision": {"statement": 'Maya said "the landlord" decides'}}}
    now = interviewed(component="problem_frame")
    assert "result" in Box(now, rows=QUOTABLE, so_far=so_far).does("set_fields", **fields)
    box = Box(now, rows=QUOTABLE, so_far=replace(so_far, suggested={"issue_raising": ("U1.driver",)}))
    assert 'nobody wrote "the landlord"' in box.fails("set_fields", **fields)
    assert box.tools.trial.quotable.unquote('You said "the landlord"') == "You said the landlord"


@pytest.mark.req("FA-04")
def test_what_was_noted_in_another_form_is_told_and_what_was_taken_as_given_is_not() -> None:
    box = Box(rows=QUOTABLE)
    told = box.does("note_item", list="objectives", fields={"description": "  Safe ", "handle": "IO9"})
    assert told["taken_as"] == {"description": "Safe", "handle": "IO1"}
    told = box.does("change_item", item="IO1", fields={"description": "Safe and warm"})
    assert "taken_as" not in told
    told = box.does("note_item", list="objectives", fields={"description": "Calm", "handle": "IO2"})
    assert "taken_as" not in told, "the next handle is the one that was given"


@pytest.mark.req("FA-03", "FA-04")
def test_a_date_or_number_that_nobody_said_is_told_once_and_one_that_was_said_is_not() -> None:
    box, quote = Box(rows=(*QUOTABLE, said(4, "Or 9k in May?"))), "lost four families"
    told = box.does("note_item", list="objectives", fields={"description": "Safe by 2031-03-14 for 15k"}, quote=quote)
    assert told["not_said"].startswith("nobody in this thread said 2031-03-14, 15k: ")
    assert "not_said" not in box.does("change_item", item="IO1", fields={"description": "Safe by 2031-03-14"})
    assert "not_said" not in box.does("note_item", list="objectives", fields={"description": "Calm for 9k"})
    box.tools.hear((said(5, "And 22k at most."),))
    assert "not_said" not in box.does("note_item", list="objectives", fields={"description": "Warm for 22k"})
    assert "23k" in box.does("note_item", list="objectives", fields={"description": "Dry for 23k"})["not_said"]


@pytest.mark.req("FA-03", "FA-04")
def test_a_person_whom_nobody_named_is_told_when_noted() -> None:
    box = Box(
        interviewed(component="problem_frame"), rows=(*QUOTABLE, said(4, "Jonas pays, and the school has a council."))
    )
    party = {"list": "parties", "fields": {"name": "Jonas (finance)"}}
    assert "not_said" not in box.does("note_item", **party)
    told = box.does("note_item", list="parties", fields={"name": "Mrs. Whitfield, the school"})
    assert told["not_said"].startswith("nobody in this thread said Mrs. Whitfield, the school: ")
    so_far = replace(before("objectives"), results={"problem_frame": {"parties": [{"handle": "P1", "name": "Ilse"}]}})
    box = Box(interviewed(component="notes_next_steps"), rows=QUOTABLE, so_far=so_far)
    fields = {"action": "Ask the school", "owner": "Ilse"}
    assert "not_said" not in box.does("note_item", list="planned_actions", fields=fields)
    fields = {"action": "Ask the bus company", "owner": "Otto"}
    assert "said Otto:" in box.does("note_item", list="planned_actions", fields=fields)["not_said"]


@pytest.mark.req("FA-04", "FA-14")
def test_a_figure_that_the_owner_stands_for_or_that_an_earlier_step_holds_is_not_told_as_nobodys() -> None:
    so_far = replace(
        before("problem_frame"),
        results={"issue_raising": {"potential_decisions": [{"handle": "D1", "description": "Move for 31k"}]}},
        question="Do we move for 42k?",
    )
    now = interviewed(vouched=(VouchedFigure(text="53k", by="U1", at="1"),))
    box = Box(now, rows=QUOTABLE, so_far=so_far)
    for figure in ("31k", "42k", "53k"):
        assert "not_said" not in box.does("note_item", list="objectives", fields={"description": f"Costs {figure}"})
    assert "64k" in box.does("note_item", list="objectives", fields={"description": "Costs 64k"})["not_said"]


@pytest.mark.req("FA-04")
def test_a_figure_in_words_that_are_given_for_it_was_said_and_one_beside_them_was_not() -> None:
    rows = (*QUOTABLE, said(4, "30 mornings: A2 +2, 10 would be hit, A3 +1, 9 would, A4 12 maybe", author=OTHER))
    box = Box(interviewed(component="consequences"), rows=rows)
    given = {"objective": "O1", "unit": "mornings", "ratings": [{"option": "A2", "rating": 1, "amount": 10}]}
    assert box.does("rate", **given)["not_said"].startswith("nobody in this thread said 10: ")
    box.does("rate", **given, quote="A2 +2, 10 would be hit")
    (noted,) = [each for each in box.calls if isinstance(each, DraftNoted)]
    assert noted.vouched == (VouchedFigure(text="10", by=OTHER, at=rows[-1].ts),)
    other = {**given, "ratings": [{"option": "A3", "rating": 1, "amount": 9}]}
    assert "said 9: " in box.does("rate", **other, quote="A4 12 maybe")["not_said"]
    (noted,) = [each for each in box.calls if isinstance(each, DraftNoted)]
    assert [each.text for each in noted.vouched] == ["10"], "what was vouched for before stays"


@pytest.mark.req("FA-14")
def test_an_amount_noted_with_the_words_in_which_it_was_said_is_never_told_as_nobodys() -> None:
    rows = (*QUOTABLE, said(4, "30 mornings: A2 +2, 10 would be hit", author=OTHER))
    box = Box(interviewed(component="consequences"), rows=rows)
    given = {"objective": "O1", "unit": "mornings", "ratings": [{"option": "A2", "rating": 1, "amount": 10}]}
    assert "not_said" not in box.does("rate", **given, quote="A2 +2, 10 would be hit")
    assert "not_said" not in box.does("rate", **given), "the words still stand for it"


@pytest.mark.req("FA-04")
def test_words_that_are_given_for_one_item_stand_for_no_figure_of_another_one() -> None:
    rows = (*QUOTABLE, said(4, "30 mornings: A2 +2, 10 would be hit, A3 +1, 9 would, A4 12 maybe", author=OTHER))
    box = Box(interviewed(component="consequences"), rows=rows)
    given = {"objective": "O1", "unit": "mornings", "ratings": [{"option": "A2", "rating": 1, "amount": 10}]}
    box.does("rate", **given)
    box.does("rate", objective="O1", ratings=[{"option": "A3", "rating": 1}], quote="10 would be hit, A3 +1")
    (noted,) = [each for each in box.calls if isinstance(each, DraftNoted)]
    assert noted.vouched == ()


@pytest.mark.req("FA-04")
def test_where_nobody_can_be_asked_a_note_tells_nothing_of_what_nobody_said() -> None:
    box = Box(interviewed(mode=Mode.DIRECT), rows=QUOTABLE)
    assert "not_said" not in box.does("note_item", list="objectives", fields={"description": "Safe for 15k"})


@pytest.mark.req("FA-04")
def test_what_an_item_loses_when_it_is_moved_is_told() -> None:
    box = Box(rows=QUOTABLE)
    box.does("note_item", list="uncertainties", fields={"description": "The winter", "driver": "The wind"})
    told = box.does("move_item", item="U1", to="considerations", fields={"text": " The winter "})
    assert told["taken_as"] == {"driver": None, "text": "The winter"}
    assert "taken_as" not in box.does("move_item", item=told["item"], to="objectives")


@pytest.mark.req("FA-04")
def test_a_field_that_was_set_in_another_form_is_told() -> None:
    box = Box(interviewed(component="problem_frame"), rows=QUOTABLE)
    told = box.does("set_fields", fields={"focal_decision": {"statement": " Where to meet ", "scope": "One hall"}})
    assert told["taken_as"] == {"focal_decision.statement": "Where to meet"}
    assert "taken_as" not in box.does("set_fields", fields={"focal_decision": {"scope": "Two halls"}})


@pytest.mark.req("FA-04")
def test_of_several_ratings_each_change_is_told_with_its_place_and_each_refusal_too() -> None:
    box = Box(interviewed(component="consequences"), rows=QUOTABLE)
    ratings = [
        {"option": "A2", "rating": 1, "reason": " It is near ", "doubt_from": "The wind"},
        {"option": "A9", "rating": 1},
    ]
    told = box.does("rate", objective="O1", ratings=ratings)
    assert told["taken_as"] == {"A2:O1": {"reason": "It is near", "doubt_from": None}}
    assert "A9: " in told["refused"][0]
    told = box.does("rate", objective="O2", ratings=[{"option": "A2", "rating": 1, "source": "The survey"}])
    assert told["taken_as"] == {"A2:O2": {"source": None}}, "there is no amount that could be from there"
    whole = {"option": "A2", "rating": 1, "reason": "It is near", "doubt": "low", "doubt_from": "The wind", "high": 2}
    assert "taken_as" not in box.does("rate", objective="O1", ratings=[whole])
    assert "taken_as" not in box.does("rate", objective="O1", ratings=[{"option": "A2", "rating": 1, "doubt": "low"}])


@pytest.mark.req("FA-04")
def test_a_quote_that_has_no_place_in_its_list_is_told_to_be_left_out() -> None:
    given = {"list": "strategy_table.decision_columns", "fields": {"name": "Where", "options": ["Here", "There"]}}
    told = Box(interviewed(component="alternatives"), rows=QUOTABLE).does(
        "note_item", **given, quote="lost four families"
    )
    assert told["taken_as"] == {"quote": "right, but items of this list keep no quotes"}


@pytest.mark.req("FA-04")
def test_whoever_changes_the_words_of_an_item_is_told_that_its_quotes_are_left_out() -> None:
    box = Box(rows=QUOTABLE)
    box.does("note_item", list="considerations", fields={"text": "Families left us"}, quote="lost four families")
    told = box.does("change_item", item="C1", fields={"text": "Families may leave us"})
    assert told["taken_as"] == {"evidence": FORMER}
    assert "evidence" not in box.draft["considerations"][0]
    told = box.does("change_item", item="C1", fields={"text": "Four families left us"}, quote="lost four families")
    assert "taken_as" not in told


@pytest.mark.req("FA-04", "FA-08")
def test_a_step_that_keeps_no_quotes_offers_no_place_for_one_and_still_refuses_a_false_one() -> None:
    box = Box(interviewed(component="notes_next_steps"), rows=QUOTABLE)
    told = box.does("note_item", list="notes", fields={"text": "Wait"}, quote="lost four families")
    assert "taken_as" not in told
    assert "nobody wrote" in box.fails("note_item", list="notes", fields={"text": "Go"}, quote="won four families")
    assert read_quotes(box) == []
    noting, changing = read_quotes(Box())
    assert "Without them the owner is asked to check the item" in noting["description"]
    assert "description" not in changing, "the same field is described once"


@pytest.mark.req("FA-04")
def test_lists_that_keep_no_quotes_are_named_beside_those_that_do() -> None:
    told, *_ = read_quotes(Box(interviewed(component="alternatives"), rows=QUOTABLE))
    assert told["description"].endswith("strategy_table.decision_columns, strategy_table.strategies keep none.")
    assert "keep none" not in read_quotes(Box())[0]["description"]


AMOUNTS = {"option": "A2", "rating": 1, "amount": 6.5, "source": "the offer of May"}


@pytest.mark.req("FA-26")
def test_an_amount_that_people_say_with_a_rating_is_noted_with_its_unit_and_where_it_is_from() -> None:
    box = Box(interviewed(component="consequences"), rows=QUOTABLE)
    told = box.does("rate", objective="O1", unit="h", ratings=[AMOUNTS, {"option": "A3", "rating": 1, "source": "Bo"}])
    assert told["taken_as"] == {"A3:O1": {"source": None}}
    cell, other = box.draft["table"]["cells"]
    assert (cell["quant_value"], cell["quant_unit"], cell["source"]) == (6.5, "h", "the offer of May")
    assert not {"quant_value", "quant_unit", "source"} & other.keys()
    false = {**AMOUNTS, "source": 'They said "we lost five families last winter"'}
    assert "nobody wrote" in box.fails("rate", objective="O1", ratings=[false])


@pytest.mark.req("FA-26")
def test_an_amount_of_today_has_a_place_and_a_bare_zero_of_the_status_quo_has_none() -> None:
    box = Box(interviewed(component="consequences"), rows=QUOTABLE)
    box.does("rate", objective="O1", unit="h", ratings=[{"option": "A1", "rating": 0, "amount": 9}])
    assert box.draft["table"]["cells"][0]["quant_value"] == 9
    for refused in ({"option": "A1", "rating": 0}, {"option": "A1", "rating": 1, "amount": 9}):
        told = Box(interviewed(component="consequences"), rows=QUOTABLE).fails(
            "rate", objective="O1", ratings=[refused]
        )
        assert "option: A1 Volunteer overtime rota (today) is the status quo" in told


@pytest.mark.req("FA-26")
def test_a_rating_that_runs_against_its_amount_is_asked_about_while_people_talk() -> None:
    box = Box(interviewed(component="consequences"), rows=QUOTABLE)
    rated = [{"option": "A2", "rating": 1, "amount": 50}, {"option": "A3", "rating": -1, "amount": 20}]
    told = box.does("rate", objective="O3", unit="kEUR/year", ratings=rated)
    assert told["ask"][-1] == "On O3, A2 is rated above A3, but measures worse. Which holds?"
    rated[0]["amount"] = 10
    rated[1]["rating"] = 0
    assert "A3" not in str(box.does("rate", objective="O3", unit="kEUR/year", ratings=rated).get("ask", ""))
    assert "ask" not in box.does("rate", objective="O1", ratings=[{"option": "A2", "rating": 1}])
    alone = Box(interviewed(component="consequences", mode=Mode.DIRECT), rows=QUOTABLE)
    assert "ask" not in alone.does("rate", objective="O3", ratings=[{"option": "A2", "rating": 1, "amount": 50}])


@pytest.mark.req("TR-05", "FA-26")
def test_a_range_that_was_given_for_another_rating_is_asked_about_when_that_is_changed() -> None:
    box = Box(interviewed(component="consequences"), rows=QUOTABLE)
    box.does("rate", objective="O1", ratings=[{"option": "A2", "rating": 2, "low": 0, "high": 2}])
    told = box.does("change_item", item="A2:O1", fields={"rating": 1})
    (asked,) = told["ask"]
    assert asked.startswith("A2:O1: the range +0 to +2 was given for +2, not for +1")
    assert "ask" not in box.does("change_item", item="A2:O1", fields={"reason": "They said so"})
    span = {"low": 0, "high": 1}
    assert "ask" not in box.does("change_item", item="A2:O1", fields={"rating": 0, "rating_range": span})
    assert box.draft["table"]["cells"][0]["rating_range"] == span


@pytest.mark.req("FA-14", "FA-26")
def test_a_date_noted_with_another_weekday_than_its_own_is_asked_about_at_once_and_once() -> None:
    rows = (said(1, "We need it by Thursday 11 December 2026."),)
    box = Box(interviewed(component="problem_frame"), rows=rows)
    frame = {"focal_decision": {"deadline": "2026-12-11"}}
    assert box.does("set_fields", fields=frame)["ask"] == [
        "11 December 2026 is a Friday, and Thursday was said. Which of the two holds?"
    ]
    assert "ask" not in box.does("set_fields", fields={"focal_decision": {"scope": "All of it"}})


@pytest.mark.req("FA-02")
def test_nobody_in_the_talk_is_asked_for_what_the_write_up_makes() -> None:
    box = Box(interviewed(component="recommendation"), rows=QUOTABLE)
    told = box.does("note_item", list="key_considerations", fields={"text": "We will not see that again"})
    assert told["still_needed"] == []
    assert "summary" not in str(box.does("ready_to_summarize"))


@pytest.mark.req("FA-26", "TR-07")
def test_a_changed_rating_is_asked_about_at_once_if_the_amount_beside_it_is_of_before_or_speaks_against_it() -> None:
    box = Box(interviewed(component="consequences"), rows=QUOTABLE)
    rated = [{"option": "A2", "rating": -1, "amount": 50}, {"option": "A3", "rating": 0, "amount": 5}]
    assert "ask" not in box.does("rate", objective="O3", unit="kEUR/year", ratings=rated)
    told = box.does("change_item", item="A2:O3", fields={"rating": 1})
    assert told["ask"] == ["A2 on O3 is rated anew. Is 50 kEUR/year beside it still right?"]
    told = box.does("rate", objective="O3", ratings=[{"option": "A2", "rating": 2}])
    assert told["ask"] == ["A2 on O3 is rated anew. Is 50 kEUR/year beside it still right?"]
    told = box.does("rate", objective="O3", unit="kEUR/year", ratings=[{**rated[0], "rating": 1}])
    assert told["ask"][-1] == "On O3, A2 is rated above A3, but measures worse. Which holds?"
    assert "ask" not in box.does("rate", objective="O3", unit="kEUR/year", ratings=[rated[0]])


@pytest.mark.req("FA-26")
def test_an_amount_that_is_said_again_with_another_rating_is_not_asked_about_again() -> None:
    so_far = before("consequences")
    box = Box(interviewed(component="consequences"), rows=QUOTABLE)
    box.does("rate", objective="O1", unit="h", ratings=[AMOUNTS])
    box.does("rate", objective="O1", unit="h", ratings=[{**AMOUNTS, "rating": 2, "reason": "near"}])
    assert not list(amounts_of_before(box.draft, so_far))
    box.does("rate", objective="O1", ratings=[{"option": "A2", "rating": 1}])
    assert len(list(amounts_of_before(box.draft, so_far))) == 1


@pytest.mark.req("FA-04")
def test_a_refused_rating_is_told_in_the_words_of_its_tool() -> None:
    box = Box(interviewed(component="consequences"), rows=QUOTABLE)
    told = box.fails("rate", objective="O99", ratings=[{"option": "A2", "rating": 1}])
    assert "objective: names nothing that exists" in told
    told = box.does("rate", objective="O1", ratings=[{"option": "A2", "rating": 2}])
    assert "A2 on O1 reason: what the rating is based on" in box.tools.trial.missing
    assert told["still_needed"]


@pytest.mark.req("TR-07")
def test_an_amount_noted_beside_a_rating_that_nobody_knows_is_of_no_rating() -> None:
    box = Box(interviewed(component="consequences"), rows=QUOTABLE)
    for rating, noted_for in (({"rating": 1}, True), ({"rating": 0, "low": -2, "high": 2}, False)):
        told = box.does("rate", objective="O1", ratings=[{"option": "A2", "amount": 10, **rating}])
        assert "taken_as" not in told
        (noted,) = [each for each in box.calls if isinstance(each, DraftNoted)]
        (cell,) = [each for each in noted.draft["table"]["cells"] if each["alternative_id"] == "A2"]
        assert ("amount_for" in cell) is noted_for


@pytest.mark.req("FA-26")
def test_a_wrong_key_of_a_rating_is_told_with_the_keys_that_people_can_fill() -> None:
    box = Box(interviewed(component="consequences"), rows=QUOTABLE)
    box.does("rate", objective="O1", ratings=[{"option": "A2", "rating": 1}])
    told = box.fails("change_item", item="A2:O1", fields={"because": "near"})
    assert "there is no `because`" in told
    assert "`rationale`" in told
    assert "amount_for" not in told


def test_a_refusal_says_what_was_wrong_and_gives_no_advice_that_could_contradict_it() -> None:
    box = Box(rows=QUOTABLE)
    told, failed = box.use("change_item", item="D9", fields={})
    assert failed
    assert [*told] == ["result", "problem"]


def read_quotes(box: Box) -> list[dict[str, str]]:
    """The field for a quote in each tool that has one."""
    inputs = [spec["input_schema"]["properties"] for spec in box.tools.specs]
    return [each["quote"] for each in inputs if "quote" in each]


@pytest.mark.req("FA-26")
@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"list": "considerations", "fields": {"description": "It is cold"}},
            "there is no `description`; did you mean `text`?",
        ),
        ({"list": "objectives", "fields": {"text": "x"}}, "there is no `text`; did you mean `description`?"),
        (
            {"list": "objectives", "fields": {"description": "x", "priorty": 1}},
            "there is no `priorty`; there is `description`",
        ),
        ({"list": "objectives", "field": {"description": "x"}}, "there is no `field`; did you mean `fields`?"),
    ],
)
def test_a_wrong_key_is_named_with_the_one_that_is_meant(given: dict[str, object], told: str) -> None:
    assert told in Box(rows=QUOTABLE).fails("note_item", **given)


@pytest.mark.req("FA-26")
def test_a_field_at_a_wrong_place_is_named_too() -> None:
    box = Box(interviewed(component="problem_frame"), rows=QUOTABLE)
    assert "did you mean `focal_decision.deadline`?" in box.fails("set_fields", fields={"deadline": "2027-01-01"})


@pytest.mark.req("FA-26")
def test_a_range_that_a_phase_asks_for_is_noted_with_the_rating() -> None:
    box = Box(interviewed(component="consequences"), rows=QUOTABLE)
    box.does("rate", objective="O1", ratings=[{"option": "A2", "rating": 1, "low": 0}])
    (cell,) = box.draft["table"]["cells"]
    assert cell["rating_range"] == {"low": 0, "high": 1}


@pytest.mark.req("FA-26")
def test_what_is_optional_when_it_is_described_is_optional_when_it_is_called() -> None:
    box = Box(interviewed(component="recommendation"), rows=QUOTABLE)
    box.does("note_item", list="remaining_uncertainties", fields={"description": "The price next winter"})
    assert "impact" not in box.draft["remaining_uncertainties"][0]


@pytest.mark.req("FA-26")
@pytest.mark.parametrize(
    ("component", "tool", "given", "told"),
    [
        (
            "objectives",
            "note_item",
            {
                "list": "fundamental_objectives",
                "fields": {"description": "Cheap", "performance_measure": {"metrik": "cost"}},
            },
            "there is no `performance_measure.metrik`; did you mean `metric`?",
        ),
        (
            "problem_frame",
            "set_fields",
            {"fields": {"focal_decision": {"statment": "Where to meet"}}},
            "there is no `focal_decision.statment`; did you mean `focal_decision.statement`?",
        ),
        (
            "consequences",
            "rate",
            {"objective": "O1", "ratings": [{"option": "A2", "ratng": 1}]},
            "there is no `ratings.0.ratng`; did you mean `rating`?",
        ),
    ],
)
def test_a_wrong_key_within_another_is_named_with_the_one_that_is_meant(
    component: str, tool: str, given: dict[str, object], told: str
) -> None:
    assert told in Box(interviewed(component=component), rows=QUOTABLE).fails(tool, **given)
