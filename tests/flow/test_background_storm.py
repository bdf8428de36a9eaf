"""Due work and several processes: each run is made once, whoever looks for it and whoever is killed over it.

A sample of the runs of `make soak`: due jobs, some of them missed for days, and processes that die at bad moments.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.clock import SystemClock
from app.core.conversation.conversation import Transition
from app.core.events.heard import RunDue
from app.core.thread import ThreadKey
from app.ports.store import Store
from app.runtime.intake import WakingIntake, wake_nobody
from app.runtime.scheduler import Scheduler, SchedulerSettings
from tests import soak_jobs, soak_runs
from tests.crash.stage import Stage, staging

PLAN = soak_runs.Plan(jobs=16, seed=7, processes=2, runs_per_kill=4)


@pytest.mark.timeout(180)
@pytest.mark.req("S2-009", "S2-010")
async def test_each_run_is_made_once_whoever_is_killed_over_it(mongo_uri: str) -> None:
    folder = Path(tempfile.mkdtemp(prefix="tw-"))
    try:
        outcome = await soak_runs.run(PLAN, mongo_uri, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(outcome.table)
    assert outcome.wrong == ()
    assert outcome.table["processes killed"] >= 3
    assert outcome.table["at bad moments"] >= 1


CALENDARS, LOOKS, JOBS = 4, 3, 12


async def planted(stage: Stage, store: Store) -> list[ThreadKey]:
    """Threads in which something is planned: every third one is not due yet, others were missed for days."""
    threads = [ThreadKey(team=stage.slack.team_id, channel="C1", root=f"{number}.000001") for number in range(JOBS)]
    for number, thread in enumerate(threads):
        await soak_jobs.plan(store, thread, "U1", number)
        if number % 3 == 0:
            led = await store.conversations.find(thread)
            assert led
            later = SystemClock().now() + timedelta(hours=1)
            await store.conversations.save(Transition(conversation=replace(led, next_run=later.isoformat())))
    return threads


async def test_of_four_calendars_that_look_at_once_again_and_again_one_takes_a_due_run_in_once(
    mongo_uri: str, tmp_path: Path
) -> None:
    async with staging(mongo_uri, tmp_path) as stage, AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(stage.store()) for _ in range(CALENDARS)]
        threads = await planted(stage, stores[0])
        settings = SchedulerSettings(team=stage.slack.team_id, idle_minutes=10)
        calendars = [
            Scheduler(WakingIntake(each.inbox, wake_nobody), each.conversations, SystemClock(), settings)
            for each in stores
        ]
        for _ in range(LOOKS):
            await asyncio.gather(*(calendar.look() for calendar in calendars))
        found = [[row.event for row in await stores[0].inbox.open_rows(thread)] for thread in threads]
    assert [len(events) for events in found] == [int(number % 3 != 0) for number in range(JOBS)]
    assert all(isinstance(event, RunDue) for events in found for event in events)
