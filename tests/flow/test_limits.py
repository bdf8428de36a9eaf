"""Limits are told with the seconds to wait, and nothing that was written is lost by them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from app.core.copy import decision_steps, texts
from app.core.machine.refusals import TOO_FAST
from app.playground.claude import Gate, Turn
from tests.flow.chat import Chat, chatting, text_of
from tests.flow.deciding import decides as begins
from tests.flow.deciding import deciding, window
from tests.flow.permitting import ALLOW, decides, posted, posting, told, using, wants
from tests.flow.scheduled import MONDAYS, planned


@pytest.mark.req("S0-005")
async def test_who_writes_too_fast_is_told_how_long_to_wait(mongo_uri: str) -> None:
    async with chatting(mongo_uri, messages_per_minute=2) as chat:
        thread = await chat.exchanges("@Threadwise one", "One.")
        await chat.exchanges("two", "Two.", thread=thread)
        refused = await chat.says("three", thread=thread)
        await chat.sees("A bit fast; try again in", thread=thread)
        await chat.until(lambda: TOO_FAST in chat.marks(refused))
        await chat.rests()
        assert len(chat.claude.requests) == 2


@pytest.mark.req("S0-006")
async def test_an_answer_over_the_limit_can_be_retried_and_the_question_is_kept(mongo_uri: str) -> None:
    async with chatting(mongo_uri, answers_per_minute=1) as chat:
        thread = await chat.exchanges("@Threadwise one", "One.")
        await chat.says("two", thread=thread)
        limited = await chat.sees("A bit fast; try again in", thread=thread)
        assert texts.RETRY in text_of(limited)
        assert len(chat.claude.requests) == 1


async def test_an_answer_that_waited_for_permissions_is_one_answer(mongo_uri: str) -> None:
    async with chatting(mongo_uri, answers_per_minute=1, workspace_answers_per_minute=1) as chat:
        thread = await wants(chat, posting("one", "two"), "Both.")
        await decides(chat, thread, ALLOW, "one")
        await decides(chat, thread, ALLOW, "(2 of 2)")
        await chat.sees("Both.", thread=thread)
        await chat.rests()
        assert posted(chat) == ["one", "two"]
        await chat.says("and a third?", thread=thread)
        await chat.sees("A bit fast; try again in", thread=thread)


async def test_the_budget_of_a_day_is_kept_and_told_with_the_time_until_the_next(mongo_uri: str) -> None:
    async with chatting(mongo_uri, tokens_per_day=1) as chat:
        thread = await chat.exchanges("@Threadwise one", "The last one for today.")
        await chat.rests()
        await chat.says("two", thread=thread)
        await chat.sees("Today's AI budget is used up", thread=thread)
        assert len(chat.claude.requests) == 1


CLOCK: tuple[str, dict[str, Any]] = ("date_and_time", {})


@pytest.mark.req("SE-07")
async def test_an_answer_whose_tools_would_go_on_for_ever_ends_with_the_budget_and_keeps_its_words(
    mongo_uri: str,
) -> None:
    async with chatting(mongo_uri, tokens_per_day=1_000, allowed_tools="*") as chat:
        chat.will_answer(using(CLOCK, said="I look at the clock."), *[using(CLOCK)] * 24)
        thread = await chat.says("@Threadwise look at the clock for ever")
        ended = await chat.sees("Today's AI budget is used up. It is filled up again in", thread=thread)
        await chat.rests()
        assert "I look at the clock." in text_of(await chat.sees("I look at the clock.", thread=thread))
        assert texts.CONTINUE in text_of(ended)
        assert len(chat.claude.requests) == 1, "a request is more than all of this budget"


@pytest.mark.req("SE-07")
async def test_of_five_answers_that_begin_at_once_only_one_begins_on_what_is_left(mongo_uri: str) -> None:
    async with chatting(mongo_uri, tokens_per_day=1_000) as chat:
        opened = asyncio.Event()
        chat.will_answer(Turn(text="Only this one.", gates=[Gate(4, opened)]))
        threads = [await chat.says(f"@Threadwise number {number}") for number in range(5)]
        await chat.until(lambda: sum(_is_paced(chat, thread) for thread in threads) == 4)
        opened.set()
        await chat.until(lambda: any("Only this one." in text_of(m) for t in threads for m in chat.thread(t)))
        await chat.rests()
        assert len(chat.claude.requests) == 1


def _is_paced(chat: Chat, thread: str) -> bool:
    return any("A bit fast; try again in" in text_of(message) for message in chat.thread(thread))


@pytest.mark.req("SE-07")
async def test_the_budget_of_the_workspace_in_dollars_ends_an_answer_of_anybody(mongo_uri: str) -> None:
    async with chatting(mongo_uri, dollars_per_day=0.000_001, allowed_tools="*") as chat:
        chat.will_answer(using(CLOCK), "Never said.")
        thread = await chat.says("@Threadwise what time is it?")
        await chat.sees("Today's AI budget is used up", thread=thread)
        await chat.says("@Threadwise and for me?", who="Sam")
        await chat.rests()
        assert len(chat.claude.requests) == 1


@pytest.mark.req("SE-13")
async def test_who_plans_much_is_told_by_the_model_when_they_can_plan_again(mongo_uri: str) -> None:
    async with chatting(mongo_uri, creations_per_hour=1) as chat:
        await planned(chat)
        chat.will_answer(MONDAYS, "I can plan that in an hour.")
        thread = await chat.says("@Threadwise and remind me of lunch")
        await chat.sees("I can plan that", thread=thread)
        assert [failed for _, failed in told(chat)] == [True]
        await chat.rests()
        assert (await chat.conversation(thread)).schedule is None


@pytest.mark.req("SE-13")
async def test_what_was_typed_into_the_form_of_a_decision_stays_there_when_there_were_too_many(mongo_uri: str) -> None:
    async with deciding(mongo_uri, creations_per_hour=1) as chat:
        await begins(chat)
        await chat.slack.people.commands("Maya", "#general", "/decide", "And what about lunch?")
        await window(chat, decision_steps.QUESTION)
        await chat.slack.people.fills("Maya", place="here")
        said = await chat.slack.people.submits("Maya")
        assert "You can send this again in 60 min; what you wrote stays here." in str(said)
        assert "And what about lunch?" in str(await window(chat, decision_steps.QUESTION))
