"""Whether an answer wants to go on, where its stop reason does not say."""

from __future__ import annotations

import pytest

from app.agent.endings import (
    DO_IT,
    NUDGE,
    PHRASES,
    PLAN_IT,
    announces_act,
    choose_nudge,
    needs_continuation,
    was_nudged,
)


@pytest.mark.req("S3-033", "S3-034")
@pytest.mark.parametrize("phrase", PHRASES)
def test_each_phrase_of_the_seed_says_that_there_is_more_to_do_in_any_case(phrase: str) -> None:
    assert needs_continuation(f"All right. {phrase.capitalize()} look into the attic.")
    assert needs_continuation(f"{phrase.upper()} LOOK.")


def test_the_phrases_are_those_of_the_seed() -> None:
    assert PHRASES == (
        "let me",
        "i'll now",
        "i will now",
        "next, i",
        "continuing with",
        "moving on to",
        "i'll proceed",
        "let's",
        "i need to",
        "i should",
    )


def test_an_apostrophe_of_any_kind_is_one() -> None:
    assert needs_continuation("I\u2019ll now look.")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "That is all.",
        "Let me know what you think.",
        "Let's see what you make of it.",
        "Let me look into it. Shall I?",
        "Let me look. 好吗\uff1f",
        "I should look there\u061f ",
    ],
)
def test_an_answer_that_waits_for_the_person_does_not_go_on(text: str) -> None:
    assert not needs_continuation(text)


def test_who_waits_in_one_sentence_and_goes_on_in_another_goes_on() -> None:
    assert needs_continuation("Let me know if not. I'll now look into the attic.")


@pytest.mark.req("AG-10")
@pytest.mark.parametrize(
    "text",
    [
        "Let me look into #ops.",
        "I see what you mean. Let me check the channel:",
        "Great, I\u2019ll now post it to #team\u2026",
        "Two things are left.\n\nNow I'll read the thread.",
        "Next, I'll go through the replies.",
        "OK, let me pull the figures",
        "I'll post it to #ops now.",
        "Understood. I will read the thread right away!",
        "All right. I'll close the ticket for the printer now.",
    ],
)
def test_an_answer_that_announces_an_act_in_its_last_sentence_is_not_done(text: str) -> None:
    assert announces_act(text)


@pytest.mark.req("AG-10")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "Let me know what you think.",
        "I should look into it.",
        "Let me explain. The office stays where it is.",
        "Let me look into #ops. Shall I?",
        "Which channel do you mean?\nLet me look into it.",
        "I'll post it every Friday.",
        "I'll leave it there for now.",
        "I'll look no further by now.",
        "Let me look once you have written it.",
        "Now I'll wait until Ann has answered.",
        "Let me sum up: the office stays.",
    ],
)
def test_an_answer_that_ends_in_anything_else_is_done(text: str) -> None:
    assert not announces_act(text)


@pytest.mark.req("AG-10")
def test_an_act_that_was_announced_is_asked_for_and_a_turn_that_goes_on_knows_what_it_was_asked() -> None:
    asked = choose_nudge("end_turn", "Let me look into #ops.", is_planned=True)
    assert asked == {"role": "user", "content": [{"type": "text", "text": DO_IT}]}
    for words in (NUDGE, DO_IT, PLAN_IT):
        assert was_nudged([{"role": "user", "content": [{"type": "text", "text": words}]}])
    assert not was_nudged([{"role": "user", "content": [{"type": "text", "text": f"{DO_IT} Please."}]}])


@pytest.mark.req("AG-10")
@pytest.mark.parametrize(
    "text",
    [
        "I will remind you every Monday at 9.",
        "Done. I\u2019ll check back in two days.",
        "I'll send the digest each weekday morning. Anything else is up to you.",
        "I'll post it every Friday.",
    ],
)
def test_what_is_promised_for_later_is_asked_for_while_nothing_is_planned(text: str) -> None:
    asked = choose_nudge("end_turn", text, is_planned=False)
    assert asked
    assert asked["content"][0]["text"] == PLAN_IT
    assert choose_nudge("end_turn", text, is_planned=True) is None


@pytest.mark.req("AG-10")
@pytest.mark.parametrize(
    "text",
    [
        "I'll remind you every Monday at 9. Is that right?",
        "I'll tell you what each of them costs.",
        "Sam will remind you tomorrow.",
        "I can remind you every Monday at 9.",
        "I'll remind you when it is done.",
        "You asked whether I'll post it on Friday.",
        "I'll look at what was posted on Monday.",
        "Here is the mail:\n\nHi Ann,\n\nI'll send you the figures tomorrow.\n\nBest, Maya",
    ],
)
def test_what_is_no_promise_of_its_own_for_a_time_ends_the_answer(text: str) -> None:
    assert choose_nudge("end_turn", text, is_planned=False) is None
