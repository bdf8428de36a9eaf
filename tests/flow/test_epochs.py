"""Requests of a talk with tools, edits and others' words: each goes on from the former one."""

from __future__ import annotations

import pytest

from tests.flow.called import calls
from tests.flow.chat import chatting
from tests.flow.epochs import find_broken


@pytest.mark.req("AG-19")
async def test_every_request_of_a_talk_begins_with_the_former_one(mongo_uri: str) -> None:
    async with chatting(mongo_uri) as chat:
        thread = await chat.says("The depot?", who="Sam")
        chat.will_answer(calls("date_and_time"), calls("read_channel"), "It is late.", "So it is.")
        asked = await chat.says("@Threadwise how late is it?", thread=thread)
        await chat.sees("It is late.", thread=thread)
        await chat.says("Late for what?", who="Sam", thread=thread)
        await chat.slack.people.edits("Maya", "#general", asked, "@Threadwise how early is it?")
        await chat.says("Too late?", thread=thread)
        await chat.sees("So it is.", thread=thread)
        sizes = [len(request.prompt.messages) for request in chat.claude.requests]
        assert sizes == [1, 3, 5, 7]
        assert find_broken(chat) == []
