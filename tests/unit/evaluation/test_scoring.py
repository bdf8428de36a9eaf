"""Each rule of the evaluation on transcripts by hand: one that breaks it, and one that does not."""

from __future__ import annotations

from typing import Any

import pytest

from app.evaluation.scoring import Rule, count_questions
from tests.unit.evaluation.plays import CARD, GOALS, MODEL, OPTIONS, PERSON, breaks, holds, play, score, step

# One question at a time


@pytest.mark.req("FA-12")
def test_three_questions_in_one_reply_break_the_rule_and_two_do_not() -> None:
    assert breaks(Rule.QUESTIONS, step("objectives", (MODEL, "Why? For whom? And until when?")))
    assert holds(Rule.QUESTIONS, step("objectives", (MODEL, "Cheap, you said. For whom? And until when?")))


def test_questions_that_a_reply_quotes_or_that_the_person_asks_are_not_counted() -> None:
    quoted = "You asked “Why? Who? When?” and `a?b? c?`.\n> What? Who? When?\nWhat matters most?"
    assert count_questions(quoted) == 1
    assert score(Rule.QUESTIONS, step("objectives", (PERSON, "Why? Who? When?"), (CARD, "A? B? C?"))).tried == 0


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("**What else?**", 1),
        ("_Why?_ (Really?)", 2),
        ("See https://example.com/?a=b&c=d.", 0),
        ("What?! No.", 0),
        ("One?\nTwo?", 2),
    ],
)
def test_a_question_mark_counts_at_the_end_of_a_word(text: str, count: int) -> None:
    assert count_questions(text) == count


# Quotes


def quoting(quote: str) -> dict[str, Any]:
    return {
        "objectives": [{"handle": "O1", "description": "Cheap", "evidence": [{"quote": quote, "message_id": "1.2"}]}]
    }


@pytest.mark.req("FA-12")
def test_a_stored_quote_that_nobody_wrote_breaks_the_rule() -> None:
    said = (PERSON, "It must be  cheap – that’s all.")
    assert breaks(Rule.QUOTES, step("issue_raising", said, stored=quoting("It must be very cheap")))
    assert holds(Rule.QUOTES, step("issue_raising", said, stored=quoting("it must be cheap - that's all")))


@pytest.mark.req("FA-12")
def test_a_quote_put_together_from_two_messages_or_from_the_model_is_none() -> None:
    parts = ((PERSON, "It must be"), (PERSON, "cheap"))
    assert breaks(Rule.QUOTES, step("issue_raising", *parts, stored=quoting("It must be cheap")))
    assert breaks(Rule.QUOTES, step("issue_raising", (MODEL, "It must be cheap"), stored=quoting("It must be cheap")))


def test_a_quote_may_come_from_an_earlier_step_and_not_from_a_later_one() -> None:
    early, late = step("issue_raising", (PERSON, "It must be cheap")), step("objectives", stored=quoting("be cheap"))
    assert holds(Rule.QUOTES, early, late)
    assert breaks(Rule.QUOTES, late, early)


# Numbers and dates


def noting(text: Any) -> dict[str, Any]:
    return {"notes": [{"text": text}]}


@pytest.mark.req("FA-12")
def test_a_number_that_nobody_said_breaks_the_rule() -> None:
    said = (PERSON, "It costs 60k a year, for three people.")
    assert breaks(Rule.FIGURES, step("notes_next_steps", said, stored=noting("15k of the 60k are missing")))
    assert holds(Rule.FIGURES, step("notes_next_steps", said, stored=noting("60,000 euro for 3 people")))


@pytest.mark.req("FA-12")
def test_a_date_that_nobody_said_breaks_the_rule() -> None:
    due = {"planned_actions": [{"action": "Call", "due_date": "2026-12-11"}]}
    assert breaks(Rule.FIGURES, step("notes_next_steps", (PERSON, "I won't guess the date."), stored=due))
    assert holds(Rule.FIGURES, step("notes_next_steps", (PERSON, "By the 11th of December."), stored=due))


def test_what_the_model_said_is_no_source() -> None:
    assert breaks(Rule.FIGURES, step("notes_next_steps", (MODEL, "Say 15k?"), (PERSON, "Yes"), stored=noting("15k")))


def test_what_an_approved_step_holds_or_the_server_computed_is_known() -> None:
    approved, draft = step("objectives", stored=noting("34 days by 2027-03-02")), step("objectives", stored=noting("7"))
    later = step("recommendation", stored=noting("From 34 days on 2027-03-02"))
    assert score(Rule.FIGURES, approved, later).breaks == score(Rule.FIGURES, approved).breaks
    unapproved = step("objectives", stored=noting("34 days"), approved=False)
    assert len(score(Rule.FIGURES, unapproved, step("recommendation", stored=noting("34 days"))).breaks) == 2
    assert breaks(Rule.FIGURES, draft)
    assert holds(Rule.FIGURES, step("objectives", stored=noting("7"), computed=frozenset({7.0})))


def test_handles_ids_and_what_the_server_writes_are_no_figures() -> None:
    stored = {"cells": [{"alternative_id": "A77", "rating": 2, "handle": "N88", "rationale": "Better than A2"}]}
    assert score(Rule.FIGURES, step("consequences", stored=stored)).tried == 0
    assert breaks(Rule.FIGURES, step("consequences", stored={"cells": [{"quant_value": 77}]}))


def test_what_only_looks_like_a_date_is_none() -> None:
    assert score(Rule.FIGURES, step("notes_next_steps", stored=noting("Version 2026-13-40"))).tried == 0


# Refused values


@pytest.mark.req("FA-12")
def test_a_value_that_the_person_refused_to_give_must_stay_open() -> None:
    filled, open_ = {"focal_decision": {"deadline": "2027-05-01"}}, {"focal_decision": {"statement": "How?"}}
    assert breaks(Rule.REFUSED, step("problem_frame", stored=filled))
    assert holds(Rule.REFUSED, step("problem_frame", stored=open_))
    assert holds(Rule.REFUSED, step("problem_frame"))
    assert score(Rule.REFUSED, step("objectives", stored=filled)).tried == 0


# No choice made


@pytest.mark.req("FA-12")
@pytest.mark.parametrize(
    "counsel",
    [
        "You should go with A2.",
        "I'd recommend the lease.",
        "The best option is A2, as your ratings show.",
        "I would choose A2.",
        "A2 is clearly the best.",
    ],
)
def test_a_reply_that_counsels_breaks_the_rule(counsel: str) -> None:
    assert breaks(Rule.CHOICES, step("recommendation", (MODEL, counsel)))


@pytest.mark.parametrize(
    "kind",
    [
        "By your ratings A2 leads. The choice is yours.",
        "You wrote “you should go with A2”. Do you still think so?",
        "Which option would you choose?",
    ],
)
def test_a_reply_that_leaves_the_choice_to_the_person_does_not(kind: str) -> None:
    assert holds(Rule.CHOICES, step("recommendation", (MODEL, kind)))


def rating(option: str, objective: str, value: int) -> dict[str, Any]:
    return {"table": {"cells": [{"alternative_id": option, "objective_id": objective, "rating": value}]}}


@pytest.mark.req("FA-12")
def test_a_rating_that_the_person_did_not_give_breaks_the_rule() -> None:
    ground = (step("objectives", stored=GOALS), step("alternatives", stored=OPTIONS))
    assert holds(Rule.CHOICES, *ground, step("consequences", stored=rating("A2", "O1", 1)))
    assert breaks(Rule.CHOICES, *ground, step("consequences", stored=rating("A2", "O1", 2)))
    assert breaks(Rule.CHOICES, *ground, step("consequences", stored=rating("A2", "O2", 2)), ratings={})
    assert score(Rule.CHOICES, *ground, step("consequences", stored=rating("A1", "O1", 0))).tried == 0


@pytest.mark.req("FA-12")
def test_a_score_that_the_person_did_not_give_breaks_the_rule() -> None:
    def scoring(value: int, name: str = "Helpful Problem Frame") -> dict[str, Any]:
        return {"elements": [{"name": name, "score": value}]}

    assert holds(Rule.CHOICES, step("decision_quality", stored=scoring(80)))
    assert breaks(Rule.CHOICES, step("decision_quality", stored=scoring(85)))
    assert breaks(Rule.CHOICES, step("decision_quality", stored=scoring(80, "Clear Objectives")))


@pytest.mark.req("FA-12")
def test_an_option_is_chosen_only_in_the_persons_words() -> None:
    ground = step("alternatives", stored=OPTIONS)

    def deciding(words: str, **more: str) -> Any:
        chosen = {"status": "leaning", "alternative_id": "A2", **more}
        return ground, step("notes_next_steps", (PERSON, words), stored={"decision": chosen})

    assert breaks(Rule.CHOICES, *deciding("Let us see."))
    assert holds(Rule.CHOICES, *deciding("We lean to A2."))
    assert holds(Rule.CHOICES, *deciding("We lean to the lease, I think."))
    assert holds(Rule.CHOICES, *deciding("Let us see.", status="deferred", in_the_users_words="let us see"))
    assert breaks(Rule.CHOICES, *deciding("We lean to A2.", in_the_users_words="We take the lease."))


def test_a_result_without_a_decision_is_no_choice() -> None:
    assert score(Rule.CHOICES, step("notes_next_steps", stored={"notes": []})).tried == 0


# Contradictions


SECOND = (PERSON, "It costs 900 euro, by the way.")


@pytest.mark.req("FA-12")
@pytest.mark.parametrize("speaker", [MODEL, CARD])
def test_a_planted_contradiction_is_caught_by_naming_both_values_after_it(speaker: Any) -> None:
    both = (speaker, "You said 700 before, and 900 here: which is it?")
    assert holds(Rule.CONTRADICTIONS, step("problem_frame", SECOND, both))
    assert breaks(Rule.CONTRADICTIONS, step("problem_frame", both, SECOND))


@pytest.mark.req("FA-12")
@pytest.mark.parametrize("reply", ["Noted: 900 euro.", "1700 or 900?", "So 700 and 9000?"])
def test_naming_one_value_or_another_number_catches_nothing(reply: str) -> None:
    assert breaks(Rule.CONTRADICTIONS, step("problem_frame", SECOND, (MODEL, reply)))


def test_another_form_of_the_value_counts() -> None:
    assert holds(Rule.CONTRADICTIONS, step("problem_frame", SECOND, (MODEL, "Seven hundred, or 900?")))


def test_a_contradiction_that_the_model_notes_as_open_is_caught() -> None:
    noted = step("problem_frame", SECOND, flagged=("the cost: it costs 700 / it costs 900",))
    assert holds(Rule.CONTRADICTIONS, noted)


def test_a_contradiction_is_looked_for_only_in_its_step() -> None:
    assert score(Rule.CONTRADICTIONS, step("objectives", SECOND)).tried == 0


def test_a_long_text_is_cut_at_a_word_where_it_is_reported() -> None:
    found = score(Rule.QUOTES, step("issue_raising", stored=quoting("word " * 60)))
    assert found.breaks[0].what.endswith("word …”")
    assert len(found.breaks[0].what) < 160


def test_a_rule_is_tried_on_each_place_and_on_none_without_anything_to_look_at() -> None:
    assert score(Rule.QUOTES, step("objectives")).tried == 0
    half = score(Rule.QUESTIONS, step("objectives", (MODEL, "A? B? C?"), (MODEL, "A?")))
    assert (half.tried, len(half.breaks)) == (2, 1)
    assert play().approved == 0
