"""A post whose fate is unknown, in a thread that Slack gives page by page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from app.clock import SystemClock
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role
from app.core.thread import ThreadKey
from app.playground.slack import Fault, SlackOptions, SlackPlayground
from handlers.outbound.outlet import SlackOutlet
from handlers.outbound.pacer import Pacer
from handlers.outbound.web import SlackCaller, SlackWeb
from tests.memory_store import MemoryLedger
from tests.unit.handlers.strict_slack import Notes


class Hurried(SystemClock):
    """Waits for nothing."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)


@pytest.fixture
async def slack() -> AsyncGenerator[SlackPlayground]:
    slack = SlackPlayground(SlackOptions(limits=False))
    await slack.start()
    yield slack
    await slack.stop()


async def test_in_a_thread_of_several_pages_a_post_that_arrived_unknown_to_us_is_not_made_twice(
    slack: SlackPlayground,
) -> None:
    channel = slack.workspace.channel_named("general")
    assert channel is not None
    root = await slack.people.says("Maya", "#general", "root")
    for number in range(450):
        await slack.people.says("Sam", "#general", str(number), root)
    clock = Hurried()
    web = SlackWeb(slack.bot_token, slack.api_url)
    outlet = SlackOutlet(SlackCaller(web, Pacer(clock, slack.team_id, MemoryLedger(clock)), clock), f"{slack.url}/")
    slack.faults.add(Fault("chat.postMessage", "drop_after"))
    thread = ThreadKey(team=slack.team_id, channel=channel.id, root=root)
    reply = Message(seq=2, role=Role.ASSISTANT, text="Once.", status=MessageStatus.COMPLETE)
    notes = Notes()
    await outlet.finish(Conversation(id="c1", thread=thread, owner="U1"), reply, notes, None)
    await outlet.close()
    ours = [message.ts for message in slack.workspace.replies(channel.id, root) if message.user == slack.bot_user_id]
    assert notes.texts == [("Once.", tuple(ours))]
    assert len(ours) == 1
