"""The rehearsal model on what people want made: it asks, plans, takes changes as they are said, and lets go."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator

import pytest

from app.core.state.goal import GoalPhase, GoalStatus
from app.playground.claude import Pace
from app.playground.claude.demo.making import FEATURES
from app.playground.claude.demo.model import LABEL, rehearsal
from app.playground.slack.values.model import Message
from tests.flow.chat import Chat, chatting, text_of

AMISS = re.compile(r"first thought is usually|Side by side|small thing you could do|keep that beside my question|“”")
"""Answers to words that the model did not understand, and to a goal that is not there."""


@pytest.fixture
async def demo(mongo_uri: str) -> AsyncGenerator[Chat]:
    async with chatting(mongo_uri) as chat:
        chat.claude.script.answer_always(rehearsal(Pace(chunk=200)))
        yield chat


async def tells(demo: Chat, words: str, answer: str, thread: str) -> Message:
    """Maya writes; gives the message with the answer, when all of it is there."""
    before = {m.ts for m in demo.thread(thread)}
    await demo.says(words, thread=thread)

    def answered() -> list[Message]:
        return [m for m in demo.thread(thread) if m.ts not in before and answer in text_of(m)]

    await demo.slack.people.waits(answered)
    await demo.rests()
    return answered()[-1]


@pytest.mark.req("AG-18")
async def test_a_landing_page_is_made_changed_and_accepted_in_six_turns_with_fitting_words(demo: Chat) -> None:
    thread = await demo.says("@Threadwise I want to build a landing page for our bakery")
    await demo.sees(FEATURES, thread=thread)
    said = "Hero, opening hours and an order form, with React components"
    plan = await tells(demo, said, "My plan for “Build a landing page for our bakery”", thread)
    assert "It is made with React." in text_of(plan)
    goal = (await demo.conversation(thread)).goals.goal
    assert goal is not None
    assert [each.value for each in goal.info] == ["React", said]
    first = text_of(await tells(demo, "go ahead", "Here is the first draft.", thread))
    parts = ["Hero", "Opening hours", "An order form"]
    assert re.findall(r"<section>(.*)</section>", first) == parts
    await tells(demo, "make the hero bigger", "Understood: “make the hero bigger”.", thread)
    second = text_of(await tells(demo, "sounds good", "Here is the next draft.", thread))
    assert re.findall(r"<section>(.*)</section>", second) == parts
    assert "You want it otherwise here:\n\n- make the hero bigger\n" in second
    await tells(demo, "Perfect! This is exactly what I needed", "I am glad that it fits.", thread)
    goals = (await demo.conversation(thread)).goals
    assert goals.phase is GoalPhase.COMPLETED
    assert [(each.status, each.artefacts) for each in goals.completed] == [
        (GoalStatus.COMPLETED, ("First draft", "Next draft"))
    ]
    spoken = [text_of(m) for m in demo.thread(thread)]
    assert not [words for words in spoken if AMISS.search(words)]
    assert LABEL in first, "it says what it is"
    assert "a script can only put your own words into a frame" in first


@pytest.mark.req("AG-18")
async def test_a_calculator_gets_buttons_and_a_no_with_a_reason_is_the_change_that_it_says(demo: Chat) -> None:
    thread = await demo.says("@Threadwise Build a calculator")
    await demo.sees(FEATURES, thread=thread)
    plan = await tells(demo, "add, subtract, multiply and divide", "My plan for “Build a calculator”", thread)
    assert "You named nothing to make it with, so I take plain HTML." in text_of(plan)
    await tells(demo, "no, show the history as well", "Understood: “show the history as well”.", thread)
    await demo.sees("Shall I begin?", thread=thread)
    draft = text_of(await tells(demo, "yes", "Here is the first draft.", thread))
    assert re.findall(r"<button>(.*)</button>", draft) == ["Add", "Subtract", "Multiply", "Divide"]
    assert "You want it otherwise here:\n\n- show the history as well\n" in draft
    await tells(demo, "thanks!", "You're welcome", thread)
    assert not [m for m in demo.thread(thread) if AMISS.search(text_of(m))]


@pytest.mark.req("AG-18")
async def test_a_bare_no_asks_what_shall_be_different_and_takes_the_answer_as_the_change(demo: Chat) -> None:
    thread = await demo.says("@Threadwise Build a calculator")
    await demo.sees(FEATURES, thread=thread)
    await tells(demo, "add and subtract", "Shall I begin?", thread)
    await tells(demo, "no", "What shall be different?", thread)
    await tells(demo, "larger buttons", "Understood: “larger buttons”.", thread)


@pytest.mark.req("AG-18")
async def test_never_mind_and_thanks_are_taken_as_what_they_say_wherever_the_work_stands(demo: Chat) -> None:
    thread = await demo.says("@Threadwise I want to build a landing page")
    await demo.sees(FEATURES, thread=thread)
    await tells(demo, "never mind", "All right, I let it go", thread)
    await tells(demo, "thanks", "You're welcome. All of it stays here", thread)
    now = await demo.conversation(thread)
    assert (now.question, now.goals.goal) == (None, None)
    await tells(demo, "Build a calculator", FEATURES, thread)
    await tells(demo, "add and subtract", "Shall I begin?", thread)
    await tells(demo, "never mind", "All right, I let it go", thread)
    assert not [m for m in demo.thread(thread) if AMISS.search(text_of(m))]
