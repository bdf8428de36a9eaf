"""What tools bring back from private places, through the whole program: never where others read along (T8)."""

from __future__ import annotations

from dataclasses import replace

from app.agent.tools.external.audience import KEPT_BACK, ONLY_DIRECT
from app.playground.slack.values.model import Channel
from handlers.outbound.slack_access import NOWHERE
from tests.flow.called import calls, results
from tests.flow.chat import Chat

BOARD = "G0BOARD000"
SECRET = "Close the Leeds depot"
FIND = {"words": "leeds"}


async def board(chat: Chat) -> str:
    """Maya has talked with us in a private channel, in which Sam is too; gives the thread."""
    people = chat.slack.workspace
    maya, sam = people.member("Maya"), people.member("Sam")
    assert maya
    assert sam
    members = (maya.id, sam.id, chat.slack.bot_user_id)
    people.add_channel(Channel(BOARD, "board", "group", members, created=0))
    thread = await chat.exchanges(f"@Threadwise {SECRET}", "I see.", where="board")
    await chat.rests()
    return thread


async def brought(chat: Chat, where: str, tool: str, **given: str) -> str:
    """What the model is told of a call in a new thread of Maya's."""
    chat.will_answer(calls(tool, **given), "So it is.")
    thread = await chat.says("@Threadwise look it up", where=where)
    await chat.sees("So it is.", thread=thread, where=where)
    await chat.rests()
    return results(chat)[0][0]


async def test_a_talk_in_a_private_channel_is_told_in_it_and_in_direct_messages_and_nowhere_else(chat: Chat) -> None:
    thread = await board(chat)
    named = {"conversation": f"{BOARD}:{thread}"}
    direct = await chat.slack.people.opens_dm("Maya")
    for where in (direct, "board"):
        assert SECRET in await brought(chat, where, "search_conversations", **FIND)
        assert SECRET in await brought(chat, where, "read_conversation", **named)
    found = await brought(chat, "#general", "search_conversations", **FIND)
    assert (SECRET in found, KEPT_BACK in found) == (False, True)
    refused = await brought(chat, "#general", "read_channel", channel="#board")
    assert ("#board is private" in refused, SECRET in refused) == (True, False)
    for tool, given in (("read_conversation", named), ("read_channel", {"channel": BOARD})):
        words = await brought(chat, "#general", tool, **given)
        assert ("That channel is private" in words, "board" in words) == (True, False), "who has a link learns no name"
    hers = next(each for each in await _of(chat) if each[0] == direct)
    assert await brought(chat, "#general", "read_conversation", conversation=":".join(hers)) == ONLY_DIRECT


async def _of(chat: Chat) -> list[tuple[str, str]]:
    """Channel and root of all conversations of Maya's."""
    mine = await chat.store.conversations.of_owner(chat.slack.team_id, chat.id_of("Maya"))
    return [(each.thread.channel, each.thread.root) for each in mine]


async def test_whoever_is_taken_out_of_a_private_channel_is_told_of_it_no_more_not_even_what_they_said(
    chat: Chat,
) -> None:
    thread = await board(chat)
    channel = chat.slack.workspace.channels[BOARD]
    chat.slack.workspace.channels[BOARD] = replace(channel, members=channel.members[1:])
    direct = await chat.slack.people.opens_dm("Maya")
    assert SECRET not in await brought(chat, direct, "search_conversations", **FIND)
    assert await brought(chat, direct, "read_conversation", conversation=f"{BOARD}:{thread}") == NOWHERE
    assert await brought(chat, direct, "read_channel", channel=BOARD) == NOWHERE
