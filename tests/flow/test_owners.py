"""Who does not belong to the workspace begins nothing in it, and is told so; members are helped in the same channel."""

from __future__ import annotations

import pytest

from app.core.copy import texts
from app.playground.slack.values.model import Member
from tests.flow.chat import Chat, chatting

GIL = Member("U0GUEST01", "Gil", "Gil Ray", "Etc/UTC", is_ultra_restricted=True)
UMA = Member("U0STRANG1", "Uma", "Uma Berg", "Etc/UTC", team="T0OTHER01")


async def joins(chat: Chat, who: Member) -> None:
    """Somebody is added to #general."""
    chat.slack.workspace.members[who.id] = who
    await chat.slack.people.invites("Maya", "#general", who.name)


@pytest.mark.req("SE-12")
@pytest.mark.parametrize(("who", "said"), [(GIL, texts.BARRED_GUEST), (UMA, texts.BARRED_STRANGER)])
async def test_a_guest_and_somebody_of_another_company_spend_nothing_and_nothing_of_theirs_is_kept(
    mongo_uri: str, who: Member, said: str
) -> None:
    async with chatting(mongo_uri) as chat:
        await joins(chat, who)
        thread = await chat.says("@Threadwise plan my trip", who=who.name)
        await chat.slack.people.waits(
            lambda: [m for m in chat.slack.people.sees(who.name, "#general") if m.text == said]
        )
        await chat.exchanges("@Threadwise and mine", "Here is mine.")
        await chat.rests()
        assert (await chat.documents("conversations"), await chat.documents("inbox")) == (1, 1)
        assert len(chat.claude.requests) == 1
        assert chat.thread(thread) == []


@pytest.mark.req("SE-12")
async def test_only_who_may_begin_a_conversation_is_told_in_somebody_elses_thread_how_they_do(chat: Chat) -> None:
    await joins(chat, UMA)
    thread = await chat.exchanges("@Threadwise plan the party", "When is it?")
    await chat.says("@Threadwise on Friday", who="Uma", thread=thread)
    await chat.says("@Threadwise on Friday", who="Sam", thread=thread)
    to_uma = await chat.sees("I have noted what you wrote", who="Uma", thread=thread)
    to_sam = await chat.sees("I have noted what you wrote", who="Sam", thread=thread)
    assert [texts.ASK_ELSEWHERE in each.text for each in (to_uma, to_sam)] == [False, True]
