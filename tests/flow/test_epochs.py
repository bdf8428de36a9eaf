"""Requests of a talk: each goes on from the former one, or begins an epoch without what was made before it."""

from __future__ import annotations

import pytest

from app.core.turns.state_changes import CHANGES
from app.playground.claude import Text, Thinking, Turn
from tests.flow.called import calls
from tests.flow.chat import chatting
from tests.flow.epochs import find_places

WHOLE = "Completed Goals: 0"
"""A line of the state that is the same in all of this talk."""


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
        told = find_places(chat.heard.getvalue())
        assert {request.id for request in chat.claude.requests} <= told.keys(), "the check of every flow knows them"


@pytest.mark.req("AG-19")
async def test_another_model_begins_an_epoch_without_the_thinking_of_the_former_one(mongo_uri: str) -> None:
    async with chatting(mongo_uri) as chat:
        chat.will_answer(Turn(parts=[Thinking("Hm."), Text("Hello.")]), Turn(parts=[Thinking("Hm."), Text("Yes.")]))
        thread = await chat.says("@Threadwise hi")
        await chat.sees("Hello.", thread=thread)
        await chat.says("still there?", thread=thread)
        await chat.sees("Yes.", thread=thread)
        assert chat.claude.requests[-1].prompt.messages[1].of("thinking")
        await chat.rests()
        await chat.stops()
        chat.settings = chat.settings.model_copy(update={"model": "claude-opus-5-5"})
        await chat.starts()
        await chat.exchanges("and now?", "And here.", thread=thread)
        await chat.exchanges("and then?", "Here, too.", thread=thread)
        first, second = (request.prompt.messages for request in chat.claude.requests[-2:])
        assert [block["type"] for message in first for block in message.blocks] == ["text"] * 5
        assert second[: len(first)] == first, "one epoch begins, not one with each turn"


@pytest.mark.req("AG-19")
async def test_a_talk_is_told_its_state_once_and_whole_again_where_an_epoch_begins(mongo_uri: str) -> None:
    async with chatting(mongo_uri) as chat:
        said = ["A rota?", "For nurses?", "By June?", "Good."]
        thread = await chat.says("@Threadwise I want to build a todo app")
        chat.will_answer(*said)
        await chat.sees(said[0], thread=thread)
        await chat.says("React", thread=thread)
        await chat.sees(said[1], thread=thread)
        await chat.rests()
        await chat.stops()
        await chat.starts()
        await chat.says("yes", thread=thread)
        await chat.sees(said[2], thread=thread)
        await chat.rests()
        await chat.stops()
        chat.settings = chat.settings.model_copy(update={"model": "claude-opus-5-5"})
        await chat.starts()
        await chat.says("yes", thread=thread)
        await chat.sees(said[3], thread=thread)
        requests = [request.prompt.last_user_text for request in chat.claude.requests]
        assert [CHANGES in told for told in requests] == [False, True, True, False]
        assert [WHOLE in told for told in requests] == [True, False, False, True]
