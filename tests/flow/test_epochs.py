"""Requests of a talk with tools, edits and others' words: each goes on from the former one, or begins an epoch."""

from __future__ import annotations

import pytest

from tests.flow.called import calls
from tests.flow.chat import chatting
from tests.flow.epochs import find_broken


@pytest.mark.req("AG-19")
async def test_every_request_of_a_talk_begins_with_the_former_one_and_a_deletion_begins_an_epoch(
    mongo_uri: str,
) -> None:
    async with chatting(mongo_uri) as chat:
        thread = await chat.says("The depot?", who="Sam")
        chat.will_answer(calls("date_and_time"), calls("read_channel"), "It is late.", "So it is.", "Gone.", "Yes.")
        asked = await chat.says("@Threadwise how late is it?", thread=thread)
        await chat.sees("It is late.", thread=thread)
        await chat.says("Late for what?", who="Sam", thread=thread)
        await chat.slack.people.edits("Maya", "#general", asked, "@Threadwise how early is it?")
        await chat.says("Too late?", thread=thread)
        await chat.sees("So it is.", thread=thread)
        sizes = [len(request.prompt.messages) for request in chat.claude.requests]
        assert sizes == [1, 3, 5, 7]
        assert find_broken(chat) == []
        await chat.slack.people.deletes("Maya", "#general", asked)
        await chat.says("And now?", thread=thread)
        await chat.sees("Gone.", thread=thread)
        after = chat.claude.requests[-1].prompt
        assert not [block for message in after.messages for block in message.blocks if block["type"] == "tool_use"]
        await chat.says("Really?", thread=thread)
        await chat.sees("Yes.", thread=thread)
        assert find_broken(chat) == []
        assert chat.claude.requests[-1].prompt.prefixes[-3].digest == after.prefixes[-1].digest
