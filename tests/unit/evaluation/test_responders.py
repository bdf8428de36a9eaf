"""Persons as they answer: scripted ones in their order, free ones by what was asked."""

from __future__ import annotations

from app.evaluation.person import Fact, Person, Refusal, fill_handles, find_handle
from app.evaluation.responders import PATIENCE, UNKNOWN, build_responder, read_question, write_ratings
from tests.unit.evaluation.plays import person

NAMES = {"D1": "Whether to lease", "IO1": "Low cost", "A1": "Courier", "A2": "Lease a van", "O1": "Low cost"}


def free(**more: object) -> Person:
    facts = (
        Fact(about=("who", "role"), says=("I decide.", "Me, I decide."), steps=("problem_frame",)),
        Fact(about=("afraid",), says=("Of the snow.",)),
    )
    refused = (Refusal(step="problem_frame", path="deadline", words="I won't guess.", about=("by when",)),)
    return person(**{"facts": facts, "refused": refused, **more})


def test_a_scripted_person_says_its_lines_in_order_whatever_is_asked() -> None:
    talks = build_responder(person(said={"objectives": ("One", "Two")}), 1)
    assert [talks.has_more("objectives"), talks.has_more("tradeoffs")] == [True, False]
    assert [talks.say_next("objectives", "Why?", NAMES) for _ in range(3)] == ["One", "Two", ""]
    assert not talks.has_more("objectives")


def test_a_blank_is_the_handle_of_an_option_or_objective_and_of_nothing_else() -> None:
    assert find_handle("lease", NAMES) == "A2"
    assert fill_handles("[cost]: [lease] +1, [train] 0", NAMES) == "O1: A2 +1, train 0"


def test_a_free_person_answers_what_is_asked_once_and_volunteers_nothing() -> None:
    talks = build_responder(free(), 1)
    assert talks.say_next("objectives", "What are you afraid of?", NAMES) == "Of the snow."
    assert talks.say_next("objectives", "Still afraid?", NAMES) == UNKNOWN
    assert not talks.has_more("objectives")


def test_a_free_person_gives_up_after_some_questions_that_it_cannot_answer_but_knows_what_it_knows() -> None:
    talks = build_responder(free(), 1)
    unknown = [talks.say_next("objectives", "What is the wavelength?", NAMES) for _ in range(PATIENCE + 1)]
    assert unknown == [UNKNOWN] * PATIENCE + [""]
    assert talks.say_next("objectives", "What are you afraid of?", NAMES) == "Of the snow."


def test_a_free_person_refuses_what_it_refuses_once_and_only_in_its_step() -> None:
    talks = build_responder(free(), 1)
    assert talks.say_next("objectives", "By when?", NAMES) == UNKNOWN
    assert talks.say_next("problem_frame", "By when does it have to be decided?", NAMES) == "I won't guess."
    assert talks.say_next("problem_frame", "By when, then?", NAMES) == UNKNOWN


def test_a_fact_is_told_only_in_its_steps() -> None:
    talks = build_responder(free(), 1)
    assert talks.say_next("objectives", "Who decides, in what role?", NAMES) == UNKNOWN
    assert talks.say_next("problem_frame", "Who decides, in what role?", NAMES) in ("I decide.", "Me, I decide.")


def test_the_same_seed_says_the_same_and_seeds_differ() -> None:
    def first(seed: int) -> str:
        return build_responder(free(), seed).say_next("problem_frame", "Who decides?", NAMES)

    said = [first(seed) for seed in range(20)]
    assert said == [first(seed) for seed in range(20)]
    assert set(said) == {"I decide.", "Me, I decide."}


def test_a_free_person_rates_the_objective_that_is_asked_for_then_the_others() -> None:
    talks = build_responder(free(reasons={"noise": "it is electric"}), 1)
    names = {**NAMES, "O2": "Little noise"}
    assert (
        talks.say_next("consequences", "How do they do on O2 Little noise?", names)
        == "O2: A2 +2 because it is electric"
    )
    assert talks.say_next("consequences", "What is that based on?", names) == "O1: A2 +1"
    assert talks.say_next("consequences", "And O2?", names) == UNKNOWN


def test_a_free_person_scores_the_element_that_is_asked_for_then_the_others() -> None:
    talks = build_responder(free(scores={"frame": 80, "options": 70}), 1)
    assert talks.say_next("decision_quality", "How good are the options?", NAMES) == "options 70"
    assert talks.say_next("decision_quality", "And now?", NAMES) == "frame 80"
    assert talks.say_next("decision_quality", "And now?", NAMES) == UNKNOWN


def test_the_last_question_of_a_reply_is_answered() -> None:
    assert read_question("Why? Who is it for?").strip() == "Who is it for?"
    assert read_question("a rating of each option") == "a rating of each option"


def test_a_rating_of_0_is_written_without_a_sign() -> None:
    assert write_ratings(person(ratings={"lease": {"cost": 0}, "buy": {"noise": 1}}), "cost") == "[cost]: [lease] 0"
