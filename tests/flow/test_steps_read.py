"""A guided step reads elsewhere in Slack as a free thread does: as far as its owner sees and its readers may hear."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.core.state.tool_use import DENIED
from app.playground.claude import Turn
from tests.flow.called import calls, results
from tests.flow.carried import BOARD, SECRET, private
from tests.flow.chat import Chat, hangs, text_of
from tests.flow.deciding import (
    approves,
    begins,
    card,
    conversation,
    deciding,
    starts,
    submits,
)
from tests.unit.decision.components.worked import minimal


async def answered(chat: Chat, thread: str, *turns: object, words: str) -> list[tuple[str, bool]]:
    """Maya asks something in a step, and the model calls a tool; gives what it was told of that."""
    chat.will_answer(*turns, words)  # pyright: ignore[reportArgumentType]
    await chat.says("What do they say?", thread=thread)
    await chat.sees(words, thread=thread)
    await chat.rests()
    return results(chat)


def offered(chat: Chat) -> set[str]:
    """The names of the tools that the model was offered last, with those that stand in another as a line."""
    tools = chat.claude.requests[-1].prompt.tools
    listed = re.findall(r"^- (\w+)\(", "\n".join(str(tool["description"]) for tool in tools), re.MULTILINE)
    return {*(str(tool["name"]) for tool in tools), *listed}


def looking(tool: str, **given: Any) -> Turn:
    """The model looks something up, as it does in a step."""
    return calls("look_up", tool=tool, input=given)


def used(chat: Chat) -> list[tuple[str, Any]]:
    """The uses of tools in the newest request."""
    messages = chat.claude.requests[-1].prompt.messages
    return [(block["name"], block["input"]) for each in messages for block in each.of("tool_use")]


@pytest.mark.req("AG-07")
async def test_a_step_reads_a_channel_for_its_owner_and_its_decision_remembers_where_that_was(mongo_uri: str) -> None:
    async with deciding(mongo_uri) as chat:
        private(chat, BOARD, "board", "Maya", "Sam")
        await chat.says(SECRET, where="board")
        await chat.says("Van 4 is broken until Friday.", where="#ops", who="Priya")
        hub, step = await begins(chat)
        ((read, refused),) = await answered(
            chat, step, looking("read_channel", channel="#ops"), words="A van is broken."
        )
        assert ("Van 4 is broken until Friday." in read, refused) == (True, False)
        assert {"read_channel", "read_step"} <= offered(chat)
        assert used(chat) == [("look_up", {"tool": "read_channel", "input": {"channel": "#ops"}})]
        assert "Looked at #ops" in "".join(text_of(each) for each in chat.thread(step))
        ((read, refused),) = await answered(
            chat, step, looking("read_channel", channel="#board"), words="That is not for here."
        )
        assert (SECRET in read, refused) == (False, True)
        found = chat.slack.workspace.channel_named("ops")
        assert found
        ops = found.id
        assert ops in (await conversation(chat, step)).sources
        chat.will_answer(*submits("issue_raising", minimal("issue_raising")))
        await chat.says("done", thread=step)
        await card(chat, step)
        await approves(chat, step)
        await chat.rests()
        assert ops in (await conversation(chat, hub)).sources
        frame = await starts(chat, hub, "problem_frame")
        assert ops in (await conversation(chat, frame)).sources, "what it builds on came from there"


@pytest.mark.req("AG-07")
async def test_what_is_forbidden_to_read_is_not_read_in_a_step_and_nothing_is_written_from_one(mongo_uri: str) -> None:
    async with deciding(mongo_uri, denied_tools="read_channel") as chat:
        await chat.says("Van 4 is broken.", where="#ops", who="Priya")
        _, step = await begins(chat)
        told = await answered(chat, step, looking("read_channel", channel="#ops"), words="I may not read there.")
        assert told == [(DENIED.format(tool="read_channel"), True)]
        ((told_, refused),) = await answered(
            chat, step, calls("post_message", channel="#ops", text="Hello"), words="I cannot."
        )
        assert ("There is no tool of this name" in told_, refused) == (True, True)
        assert "post_message" not in offered(chat)


@pytest.mark.req("AG-07", "FA-08")
async def test_a_look_with_a_wrong_input_is_told_all_of_its_tool_and_one_that_is_not_there_which_there_are(
    mongo_uri: str,
) -> None:
    async with deciding(mongo_uri) as chat:
        _, step = await begins(chat)
        ((told, refused),) = await answered(chat, step, looking("search_thread", text="van"), words="I look again.")
        assert refused
        assert "there is no `text`" in told
        assert "Words that all have to be in one message." in told
        ((told, refused),) = await answered(chat, step, looking("post_message", channel="#ops"), words="I cannot.")
        assert refused
        assert "read_channel" in told
        assert "post_message" not in told


@pytest.mark.req("FA-08", "AG-19")
async def test_a_turn_of_a_step_that_its_process_left_tells_the_step_once(mongo_uri: str) -> None:
    async with deciding(mongo_uri, drain_seconds=0.1) as chat:
        _, step = await begins(chat)
        chat.will_answer(hangs("It is van 4, since yesterday"), "A van is broken.")
        await chat.says("What do they say?", thread=step)
        await chat.sees("It is van", thread=step)
        await chat.stops()
        await chat.starts()
        await chat.sees("A van is broken.", thread=step)
        await chat.rests()
        assert [each.prompt.last_user_text.count("<step>") for each in chat.claude.requests[-2:]] == [1, 1]
