"""Words of people who lead a decision of their own with the rehearsal model, typed as they come."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import pytest

from app.agent.tools.interview.reply_figures import find_unsaid_in_reply
from app.core.copy import decision_steps
from app.core.state.interview import Phase
from app.playground.claude.demo.step.words import clauses, is_chat, is_unknown, items, was_all
from handlers.views.editing.window_state import WindowCommand
from tests.unit.decision.components.worked import before
from tests.unit.handlers.editing.filling import opened
from tests.unit.handlers.editing.windows import chosen, sent, subject
from tests.unit.playground.claude.led import Led


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("words", ["looks good", "all looks fine", "approve", "Approved!", "lgtm", "oops", "whoops"])
def test_words_that_only_approve_or_regret_are_no_item_of_a_decision(words: str) -> None:
    assert is_chat(words)


@pytest.mark.req("NC-03")
def test_an_apostrophe_may_be_left_out() -> None:
    assert was_all("thats all")
    assert was_all("im done")
    assert is_unknown("dont know")
    assert is_unknown("i cant say")


@pytest.fixture
def ratings() -> Led:
    return Led("consequences")


def cells(talk: Led) -> dict[tuple[str, str], int]:
    return {(each["alternative_id"], each["objective_id"]): each["rating"] for each in talk.draft["table"]["cells"]}


@pytest.mark.req("NC-03")
def test_a_question_for_ratings_names_the_options_that_lack_one_and_is_new_after_each_answer(ratings: Led) -> None:
    ratings.says("A2 +1, A3 +1, A4 0")
    assert "How do A5 " in ratings.asked
    assert "write “A5 +1" in ratings.asked
    ratings.says("A5 better")
    assert ratings.asked.startswith("Press *Rate…*")
    assert "How does A6 " in ratings.asked
    ratings.says("-1")
    assert cells(ratings)["A6", "O1"] == -1


@pytest.mark.req("NC-03")
def test_no_example_of_a_rating_names_the_status_quo() -> None:
    given = deepcopy(before("consequences"))
    found = given.results["alternatives"]
    found["status_quo_id"] = "A2"
    for each in found["alternatives"]:
        each["is_status_quo"] = each["handle"] == "A2"
    talk = Led("consequences", so_far=given)
    assert "“A1 +1, A6 much worse”" in talk.says("A3 is great")
    talk.says("A3 0")
    assert "write “A1 +1" in talk.asked


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(
    "table",
    [
        "| | O1 | O2 |\n|---|---|---|\n| A2 | -1 | 0 |\n| Budget call centre | ? | +2 |",
        "Option\tO1\tO2\nA2\t-1\t0\nA3 Budget call centre\t?\t2",
        "| | A2 | A3 |\n| O1 | −1 | ? |\n| O2 | 0 | 2 |",
    ],
)
def test_a_pasted_table_is_read_as_ratings_in_rows_or_in_columns(ratings: Led, table: str) -> None:
    ratings.says(table)
    assert cells(ratings) == {("A2", "O1"): -1, ("A3", "O1"): 0, ("A2", "O2"): 0, ("A3", "O2"): 2}
    (unknown,) = [each for each in ratings.draft["table"]["cells"] if "rating_range" in each]
    assert (unknown["alternative_id"], unknown["uncertainty"]) == ("A3", {"level": "high"})


@pytest.mark.req("NC-03")
def test_a_part_of_a_name_that_stands_alone_before_a_rating_names_the_option(ratings: Led) -> None:
    ratings.says("budget: slightly worse, the specialist partner is a bit beter, A4 same")
    assert cells(ratings) == {("A3", "O1"): -1, ("A2", "O1"): 1, ("A4", "O1"): 0}
    ratings.says("the weekend tent is better")
    assert cells(ratings)["A4", "O1"] == 0


@pytest.mark.req("NC-03")
def test_all_in_a_reason_gives_no_score_to_all() -> None:
    talk = Led("decision_quality")
    talk.says("frame 80 objectives 70")
    talk.says("alternatives 90, tradeoffs 50% because it's all guessing like the rest")
    scores = {each["name"]: each["score"] for each in talk.draft["elements"]}
    assert scores == {
        "Helpful Problem Frame": 80,
        "Clear Objectives": 70,
        "Creative Alternatives": 90,
        "Clear Tradeoffs": 50,
    }


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("words", ["skip", "dunno"])
def test_who_has_no_score_is_asked_for_the_next_one(words: str) -> None:
    talk = Led("decision_quality")
    talk.says("80")
    assert "Clear objectives" in talk.asked
    talk.says(words)
    assert "Creative alternatives" in talk.asked


REOPENED = f"<note>{decision_steps.REOPENED_FOR_MODEL}</note>"


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("words", ["yes, I like it", "done"])
def test_a_step_that_is_discussed_again_asks_what_to_change_and_does_not_hear_again_what_had_approved_it(
    words: str,
) -> None:
    talk = Led("objectives")
    for said in ("cheap", "quick", "quiet"):
        talk.says(said)
    talk.phase = Phase.GATHER
    kept = talk.draft
    spoken = talk.says(f"{words}\n\n{REOPENED}")
    assert talk.draft == kept
    assert not talk.is_ready
    assert spoken.endswith("What should be different?")
    talk.says("drop O1")
    assert talk.draft != kept


@pytest.mark.req("NC-03")
def test_what_was_rated_in_a_window_is_not_asked_for_again_after_words_that_are_not_understood(ratings: Led) -> None:
    ratings.says("all 0")
    it = subject("consequences", ratings.draft, ratings.ground)
    entered = {f"A{n}.rating": chosen("0") for n in range(2, 7)}
    edit = sent(opened(it, WindowCommand.RATE, "O2:0"), it, **entered)
    ratings.draft = dict(edit.draft)
    ratings.says(edit.said)
    assert "O3 " in ratings.asked
    ratings.says("hm, the tent is great")
    assert "O3 " in ratings.asked


@pytest.mark.req("NC-03")
def test_words_below_a_card_answer_what_it_lacks() -> None:
    talk = Led("issue_raising", draft={"considerations": [{"handle": "C1", "text": "The vans are old"}]})
    talk.says("done")
    talk.written()
    talk.says("four days, four and a half days or stay at five")
    assert [each["description"] for each in talk.draft["potential_decisions"]] == [
        "four days, four and a half days or stay at five"
    ]


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("words", ["no", "not really", "yes", "a bit"])
def test_a_question_that_was_answered_with_yes_or_no_is_not_asked_again(words: str) -> None:
    talk = Led("tradeoffs")
    assert talk.asked == "Does this analysis surprise you?"
    talk.says(words)
    assert talk.asked == "How would you put it yourself: what would you give up for what?"


@pytest.mark.req("NC-03")
def test_an_order_about_an_item_of_another_step_is_led_to_that_step(ratings: Led) -> None:
    assert "“drop O6” is about another step, and is changed there" in ratings.says("drop O6")
    assert "another step" not in ratings.says("drop O9")


@pytest.mark.req("NC-03")
def test_a_condition_stays_with_the_decision_it_belongs_to() -> None:
    talk = Led("notes_next_steps")
    talk.says("We go with A2 but only as a trial for 3 months. The office stays. Tom calls the partner by 5 May")
    assert talk.draft["decision"]["in_the_users_words"] == "We go with A2 but only as a trial for 3 months."
    assert talk.draft["notes"] == ["The office stays."]
    assert [each["action"] for each in talk.draft["planned_actions"]] == ["Tom calls the partner by 5 May"]


@pytest.mark.req("NC-03")
def test_a_question_below_the_last_card_is_noted_as_an_open_one() -> None:
    talk = Led("notes_next_steps")
    talk.says("We go with A2")
    talk.written()
    talk.says("what if Ana quits anyway?")
    assert talk.draft["open_questions"] == ["what if Ana quits anyway?"]


@pytest.mark.req("NC-03")
def test_a_score_that_lowers_the_overall_one_is_not_told_as_a_claim_that_was_wrong() -> None:
    talk = Led("decision_quality")
    talk.says("70 for all")
    talk.written()
    talk.says("information 40")
    assert not [each.text for each in talk.written().remarks if "overall" in each.text]


@pytest.mark.req("NC-03")
def test_a_second_order_in_a_message_is_no_part_of_the_first() -> None:
    talk = Led("objectives")
    talk.says("quick, cheap, friendly")
    talk.says("change O2 to cheap, and add keep Ana and drop O1")
    assert [each["description"] for each in talk.draft["fundamental_objectives"]] == ["cheap", "friendly", "keep Ana"]
    other = Led("issue_raising")
    other.says("Should we wait?")
    other.says("D1 is an objective and the decision is whether we move or stay")
    assert other.draft["potential_decisions"][0]["description"] == "the decision is whether we move or stay"


@pytest.mark.req("NC-03")
def test_an_objection_below_a_card_is_no_item_of_it() -> None:
    talk = Led("alternatives")
    talk.says("rent a hall and stay as we are; nothing else")
    talk.written()
    kept = talk.draft
    talk.says("no these are 2 options")
    assert talk.draft == kept


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (
            "happy rested team, fast answers for customers, no extra cost and keep Ana",
            ["happy rested team", "fast answers for customers", "no extra cost", "keep Ana"],
        ),
        (
            "4 days for all, 4 days in two shifts so fridays are covered, 4.5 days",
            ["4 days for all", "4 days in two shifts so fridays are covered", "4.5 days"],
        ),
        (
            "a short way to work, a canteen, and a room for Ana and Tom",
            ["a short way to work", "a canteen", "a room for Ana and Tom"],
        ),
    ],
)
def test_a_list_is_divided_as_people_write_lists(words: str, wanted: list[str]) -> None:
    assert items(words) == wanted


@pytest.mark.req("NC-03")
def test_the_frame_is_changed_by_the_names_that_its_card_shows() -> None:
    talk = Led("problem_frame")
    for words in ("D2", "I do", "the whole company"):
        talk.says(words)
    talk.written()
    assert "“scope: …”" in talk.says("the scope is wrong")
    talk.says("scope: only support, not sales\nquestion: Should support work four days?\nlimit: no extra cost")
    focal = talk.draft["focal_decision"]
    assert (focal["scope"], focal["statement"]) == ("only support, not sales", "Should support work four days?")
    assert focal["constraints"] == ["no extra cost"]


@pytest.mark.req("NC-03")
def test_a_yes_with_its_bounds_agrees_and_bounds() -> None:
    listed = [{"handle": "D1", "description": "Four days or five?", "priority": "medium"}]
    given = before("problem_frame")
    issues = {**given.results["issue_raising"], "potential_decisions": listed}
    talk = Led("problem_frame", so_far=replace(given, results={**given.results, "issue_raising": issues}))
    talk.says("yes but only for support, not sales")
    assert talk.draft["focal_decision"]["scope"] == "only for support, not sales"
    assert "not understand" not in talk.rows[-1].text


@pytest.mark.req("NC-03")
def test_a_time_is_no_scope() -> None:
    talk = Led("problem_frame")
    for words in ("D2", "I do"):
        talk.says(words)
    assert "What is part of it" in talk.asked
    assert "need the day itself" in talk.says("by end of febuary")
    assert "scope" not in talk.draft["focal_decision"]


@pytest.mark.req("NC-03")
def test_no_measure_is_asked_for_that_would_be_noted_as_an_objective() -> None:
    talk = Led("objectives")
    for number in range(12):
        assert "How would you know" not in talk.says(f"wish number {number}, maybe?")


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("the budget call centre is near", None),
        ("A3 is near", None),
        ("same", None),
        ("twice as quick as the budget call centre", "twice as quick as the budget call centre"),
    ],
)
def test_what_is_said_of_another_option_is_no_reason_and_the_same_is_no_rating(
    ratings: Led, words: str, reason: str | None
) -> None:
    ratings.says("A2 +2, A3 0, A4 0, A5 0, A6 0")
    assert "What makes A2 " in ratings.asked
    ratings.says(words)
    (cell,) = [each for each in ratings.draft["table"]["cells"] if each["alternative_id"] == "A2"]
    assert (cell["rating"], cell.get("rationale")) == (2, reason)


@pytest.mark.req("NC-03")
def test_a_choice_between_several_things_is_one_thought() -> None:
    words = "we choose between the local one, the waldorf school, the bilingual one or none"
    assert clauses(f"{words}. The bus is slow, the fees are high") == [
        f"{words}.",
        "The bus is slow",
        "the fees are high",
    ]


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("decision_quality", ("Request changes", "it was good work", "frame is excellent")),
        ("problem_frame", ("D2", "by Friday")),
        ("consequences", ("it was good work",)),
    ],
)
def test_no_help_shows_a_figure_that_the_app_would_ask_people_to_check(key: str, said: tuple[str, ...]) -> None:
    talk = Led(key)
    told = [{"role": "user", "content": talk.rows[0].text}]
    spoken = [talk.says(words) for words in said]
    assert all(find_unsaid_in_reply(each, told, talk.ground) == () for each in spoken)
    assert "not noted that" in spoken[-1]
