"""Limits are told with the seconds to wait, and nothing that was written is lost by them."""

from __future__ import annotations

import pytest

from app.core import texts
from app.core.refusals import TOO_FAST
from app.playground.claude import Turn
from tests.flow.chat import chatting, text_of
from tests.flow.permitting import ALLOW, decides, posted, posting, wants


@pytest.mark.req("S0-005")
async def test_who_writes_too_fast_is_told_how_long_to_wait(mongo_uri: str) -> None:
    async with chatting(mongo_uri, messages_per_minute=2) as chat:
        chat.will_answer("One.", "Two.")
        thread = await chat.says("@Threadwise one")
        await chat.sees("One.", thread=thread)
        await chat.says("two", thread=thread)
        await chat.sees("Two.", thread=thread)
        refused = await chat.says("three", thread=thread)
        await chat.sees("A bit fast; try again in", thread=thread)
        await chat.until(lambda: TOO_FAST in chat.marks(refused))
        await chat.rests()
        assert len(chat.claude.requests) == 2


@pytest.mark.req("S0-006")
async def test_an_answer_over_the_limit_can_be_retried_and_the_question_is_kept(mongo_uri: str) -> None:
    async with chatting(mongo_uri, answers_per_minute=1) as chat:
        chat.will_answer("One.")
        thread = await chat.says("@Threadwise one")
        await chat.sees("One.", thread=thread)
        await chat.says("two", thread=thread)
        limited = await chat.sees("A bit fast; try again in", thread=thread)
        assert texts.RETRY in text_of(limited)
        assert len(chat.claude.requests) == 1


async def test_an_answer_that_waited_for_permissions_is_one_answer(mongo_uri: str) -> None:
    async with chatting(mongo_uri, answers_per_minute=1, workspace_answers_per_minute=1) as chat:
        thread = await wants(chat, posting("one", "two"), "Both.")
        await decides(chat, thread, ALLOW, "one")
        await decides(chat, thread, ALLOW, "two")
        await chat.sees("Both.", thread=thread)
        await chat.rests()
        assert posted(chat) == ["one", "two"]
        await chat.says("and a third?", thread=thread)
        await chat.sees("A bit fast; try again in", thread=thread)


async def test_the_budget_of_a_day_is_kept_and_told_with_the_time_until_the_next(mongo_uri: str) -> None:
    async with chatting(mongo_uri, tokens_per_day=1) as chat:
        chat.will_answer("The last one for today.")
        thread = await chat.says("@Threadwise one")
        await chat.sees("The last one", thread=thread)
        await chat.rests()
        await chat.says("two", thread=thread)
        await chat.sees("Today's AI budget is used up", thread=thread)
        assert len(chat.claude.requests) == 1


async def test_what_an_answer_cost_is_kept_with_it(mongo_uri: str) -> None:
    async with chatting(mongo_uri) as chat:
        chat.will_answer(Turn(text="Dear to me."))
        thread = await chat.says("@Threadwise one")
        await chat.sees("Dear to me.", thread=thread)
        await chat.rests()
        conversation = await chat.conversation(thread)
        assert chat.app is not None
        reply = await chat.app.store.conversations.row(conversation, 2)
        assert reply is not None
        assert reply.usage.output_tokens > 0
        assert float(reply.cost) > 0
