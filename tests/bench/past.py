"""Threads with a past, and with a future: conversations put into the store through its ports."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime

from app.clock import SystemClock
from app.core.conversation.conversation import Message, Role, Transition
from app.core.events.heard import MessagePosted
from app.core.state.lifecycle import Lifecycle
from app.core.state.schedule import Schedule, ScheduleKind
from app.core.state.status import Status
from app.core.thread import ThreadKey
from app.playground.slack import Message as SlackMessage
from app.ports.store import Store
from store.open import open_store
from tests.bench.stage import WHO, Lab, Stage
from tests.wrapped import wrapping

SAID = "Could we ask Sam to take the Monday evenings, and pay for the way home?"
REPLIED = "You could. It costs less than hiring, and it binds one person. What would Sam say to winter? " * 3
LEASE_SECONDS = 60.0


async def give_past(stage: Stage, lab: Lab, threads: int, messages: int) -> list[ThreadKey]:
    """Make that many threads of that many messages, each in a channel of its own. Nobody may be at work yet."""
    keys = [_begun(stage, channel) for channel in stage.channels(threads)]
    owner = stage.slack.workspace.member(WHO)
    assert owner is not None
    async with _opened(stage, lab) as store:
        for key in keys:
            await _fill(store, key, owner.id, messages)
    return keys


async def plan_for(stage: Stage, lab: Lab, threads: Sequence[ThreadKey], due: datetime) -> None:
    """Let a run be due at that moment in each of these threads, in which nobody may be at work."""
    schedule = Schedule(kind=ScheduleKind.SCHEDULED, zone="UTC", run_at=due.isoformat(), instruction=SAID)
    async with _opened(stage, lab) as store:
        for thread in threads:
            idle = await store.conversations.find(thread)
            assert idle is not None
            planned = replace(idle, status=Status.BACKGROUND, schedule=schedule, next_run=due.isoformat())
            await store.conversations.save(Transition(conversation=replace(planned, lifecycle=Lifecycle.IN_PROGRESS)))


@asynccontextmanager
async def _opened(stage: Stage, lab: Lab) -> AsyncGenerator[Store]:
    store = await open_store(lab.mongo_uri, stage.database, wrapping(lab.master_key, stage.database), SystemClock())
    try:
        yield store
    finally:
        store.close()


def _begun(stage: Stage, channel: str) -> ThreadKey:
    """Begin a thread with a message of the bot's: a person's would be heard later, and answered."""
    workspace, us = stage.slack.workspace, stage.slack.workspace.app
    root = SlackMessage(channel, workspace.mint.ts(), us.user.id, "Here I am.", bot_id=us.bot_id)
    return ThreadKey(team=stage.slack.team_id, channel=channel, root=workspace.post(root).ts)


async def _fill(store: Store, key: ThreadKey, owner: str, messages: int) -> None:
    opened = MessagePosted(
        receipt=f"past:{key.root}", thread=key, ts=key.root, user=owner, text=SAID, opens=True, addressed=True
    )
    await store.inbox.take_in(opened)
    [claimed] = await store.conversations.claim_some(key.team, "bench", LEASE_SECONDS, (), 1)
    held = claimed.conversation
    assert held.thread == key
    rows = tuple(_row(seq, owner) for seq in range(1, messages + 1))
    await store.conversations.save(
        Transition(conversation=replace(held, head=messages, answered=messages), messages=rows)
    )
    await store.inbox.close_rows([opened.receipt])
    await store.conversations.release(held)


def _row(seq: int, owner: str) -> Message:
    if seq % 2:
        return Message(seq=seq, role=Role.PERSON, text=SAID, ts=f"{1_700_000_000 + seq}.000100", author=owner)
    return Message(seq=seq, role=Role.ASSISTANT, text=REPLIED)
