"""What Slack tells twice at one moment is taken in one after the other, and everything else side by side."""

from __future__ import annotations

import asyncio
from typing import Any

from slack_bolt.async_app import AsyncBoltRequest

from app.core.events import MessagePosted
from tests.fakes import virtual
from tests.unit.handlers.front import Front, happened
from tests.unit.handlers.payloads import BOT, CHANNEL, MAYA

SECONDS = 1.0
"""What the store takes."""


def _told(kind: str, ts: str) -> dict[str, Any]:
    """A mention, as one of the two events by which Slack tells of it."""
    return happened(kind, channel=CHANNEL, channel_type="channel", user=MAYA, text=f"<@{BOT}> hi", ts=ts)


async def _taken_in(*bodies: dict[str, Any]) -> tuple[Front, float]:
    """Let Slack send all of these at one moment; gives how long it took."""
    it = Front()
    it.slowness = SECONDS
    began = asyncio.get_running_loop().time()
    requests = (AsyncBoltRequest(mode="socket_mode", body=body) for body in bodies)
    await asyncio.gather(*(it.app.async_dispatch(request) for request in requests))
    return it, asyncio.get_running_loop().time() - began


@virtual
async def test_a_mention_that_is_told_twice_at_one_moment_begins_one_conversation_only_once() -> None:
    it, seconds = await _taken_in(_told("app_mention", "1770000300.000300"), _told("message", "1770000300.000300"))
    assert [type(event) for event in it.taken] == [MessagePosted, MessagePosted]
    assert len(it.woken) == 1
    assert seconds == 2 * SECONDS


@virtual
async def test_different_messages_do_not_wait_for_each_other() -> None:
    it, seconds = await _taken_in(_told("app_mention", "1770000300.000300"), _told("app_mention", "1770000301.000300"))
    assert len(it.woken) == 2
    assert seconds == SECONDS
