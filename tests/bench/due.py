"""Group 9: runs of schedules that are due at one moment, begun by one process and by several on one MongoDB."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import timedelta

from rich.table import Table

from app.clock import SystemClock
from app.playground.claude import ToolCall, Turn
from tests.bench import table
from tests.bench.past import give_past, plan_for
from tests.bench.stage import OURS, PATIENCE, Lab, Stage, at_work, prepared

PROCESSES = (1, 4)
SECONDS_BETWEEN_LOOKS = "0.2"
"""So that it is not the pause between two looks at the calendar that is measured."""
SECONDS_TO_PLAN = 0.02
"""For each run: all are planned before the first is due."""
NOTE = (
    "Model and Slack answer at once, and the runs say nothing. All are due at the same moment. Begun: claimed, its "
    "beginning saved, and the model asked. Several processes share the cores with MongoDB and the playground. The bare "
    "loop has no schedules."
)


FULL, QUICK = 200, 20
"""How many runs are due."""

BEGUN = (table.Figure[float]("due → the model is asked", table.milliseconds, float),)
RATE = (table.Figure[float]("runs begun a second", table.number, float),)


async def measure(lab: Lab) -> Table:
    """Let the same number of runs become due, before fewer and before more processes."""
    runs = QUICK if lab.quick else FULL
    rows: list[table.Row] = []
    for processes in PROCESSES:
        waited = await _waited(lab, runs, processes)
        case = "one process" if processes == 1 else f"{processes} processes"
        rows += table.compared(case, BEGUN, waited)
        rows += table.compared(case, RATE, [len(waited) / max(waited)])
    return table.drawn(f"9. {runs} runs due at once", rows, NOTE)


async def _waited(lab: Lab, runs: int, processes: int) -> Sequence[float]:
    """The seconds that each run waited until the model was asked."""
    async with AsyncExitStack() as stack:
        stage = await stack.enter_async_context(prepared(limits=False))
        threads = await give_past(stage, lab, runs, 0)
        for _ in range(processes):
            await stack.enter_async_context(at_work(stage, OURS, lab, THREADWISE_LOOK_SECONDS=SECONDS_BETWEEN_LOOKS))
        await stage.warm_up()
        stage.says(Turn(parts=[ToolCall("complete_work", {"silent": True})]))
        before, due = (
            len(stage.claude.requests),
            SystemClock().now() + timedelta(seconds=1 + SECONDS_TO_PLAN * runs),
        )
        await plan_for(stage, lab, threads, due)
        assert SystemClock().now() < due, "all are planned before the first is due"
        async with asyncio.timeout(PATIENCE):
            await _asked(stage, before + runs)
        return [exchange.at - due.timestamp() for exchange in stage.claude.requests[before:]]


async def _asked(stage: Stage, requests: int) -> None:
    """Return when so many requests have come to the model, and none of them is open."""
    while len(stage.claude.requests) < requests:
        await stage.rest()
    await asyncio.gather(*(exchange.ended.wait() for exchange in stage.claude.requests))
