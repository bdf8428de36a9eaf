"""Two plans for the same time: that the first one was found due does not keep the second from it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from app.clock import format_ts
from app.core.conversation.conversation import Transition
from app.core.events.heard import MessagePosted
from app.core.thread import ThreadKey
from app.runtime.intake import WakingIntake, wake_nobody
from app.runtime.scheduler import Scheduler, SchedulerSettings
from tests.fakes import virtual
from tests.memory_store import memory_store
from tests.unit.core.live import DAILY, Live
from tests.virtual import START, VirtualClock

THREAD = ThreadKey(team="T1", channel="C1", root="1.000001")


@virtual
async def test_a_plan_that_takes_another_s_place_when_that_was_due_is_found_as_well() -> None:
    """As when somebody says at 8:59 "at nine do this instead" and the model still speaks at nine."""
    clock = VirtualClock()
    store = memory_store(clock)
    opener = MessagePosted(
        receipt="m", thread=THREAD, ts=format_ts(START), user="UOWNER", text="Hi", opens=True, addressed=True
    )
    await store.inbox.take_in(opener)
    [claims] = await store.conversations.claim_some("T1", "worker", 60, (), 1)
    claimed = claims.conversation
    planned = replace(Live().talks("Hi", DAILY).now, id=claimed.id, thread=THREAD, fence=claimed.fence)
    first = await store.conversations.save(Transition(conversation=replace(planned, version=claimed.version)))
    await asyncio.sleep(24 * 3_600)
    intake, looks = WakingIntake(store.inbox, wake_nobody), SchedulerSettings(team="T1", idle_minutes=10)
    calendar = Scheduler(intake, store.conversations, clock, looks)
    await calendar.look()
    await store.inbox.close_rows([row.receipt for row in await store.inbox.open_rows(THREAD)])
    await store.conversations.save(Transition(conversation=replace(first, cards=(first.cards[0] + 4,))))
    await calendar.look()
    (row,) = await store.inbox.open_rows(THREAD)
    assert row.event.kind == "work_due"
