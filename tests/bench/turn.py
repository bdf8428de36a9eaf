"""Group 11: what a turn costs in all, each figure beside its limit."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

from pymongo import MongoClient
from rich.table import Table

from tests.bench import crowd, length, memory, table
from tests.bench.past import give_past
from tests.bench.stage import BARE, BUDGETS_OFF, LIMITS_OFF, OURS, Lab, at_work, prepared

MESSAGES = 10
"""Messages of a thread that has begun."""
NOTE = (
    "Commands are counted by MongoDB itself while the program looks for nothing by the clock; the change stream is not "
    "counted. Model and Slack answer at once where commands and CPU are counted, and Slack takes 50 ms in the crowd."
)
COUNTED = ("aggregate", "delete", "find", "findAndModify", "insert", "update")
BY_THE_CLOCK = {
    f"THREADWISE_{name}_SECONDS": value
    for name, value in {"POLL": "600", "LOOK": "600", "LEASE": "600", "HEARTBEAT": "200"}.items()
}
"""All times after which the program asks MongoDB for something by itself."""
LIMITS_ON = {**dict.fromkeys(LIMITS_OFF, "1000"), **dict.fromkeys(BUDGETS_OFF, "1000000000")}
"""Limits that are counted, and that nobody reaches."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How many threads get a turn in each round, and how many rounds there are; the first does not count."""

    threads: int
    rounds: int


FULL, QUICK = Plan(8, 4), Plan(3, 2)


@dataclass(frozen=True, slots=True)
class Commands:
    """Commands of MongoDB for one turn."""

    begun: float
    new: float


COMMANDS = (
    table.Figure[Commands]("commands of MongoDB, in a thread that has begun", table.number, lambda c: c.begun, 18),
    table.Figure[Commands]("commands of MongoDB, in a new thread", table.number, lambda c: c.new, 18),
)
CPU = (table.Figure[length.Cost]("CPU", table.fine_milliseconds, lambda c: c.bot, 0.020),)
ASKED = (table.Figure[float]("question to model", table.milliseconds, float, 0.150),)
GROWTH = (table.Figure[crowd.Result]("first text, against alone", table.times, lambda r: r.growth, 1.5),)
HELD = (
    table.Figure[memory.Held]("idle after start", table.megabytes, lambda h: h.idle, 125 * memory.MB),
    table.Figure[memory.Held]("each open stream", table.kilobytes, lambda h: h.stream, 100 * memory.KB),
)


async def measure(lab: Lab) -> Table:
    """Measure everything that a turn costs, ours beside the bare loop."""
    plan = QUICK if lab.quick else FULL
    commands, cpu = await _count(lab, plan), await _spend(lab, plan)
    results = await crowd.take_turns(lab)
    ours, bare = results[OURS], results[BARE]
    held = await memory.weigh(lab)
    turn, together = "a turn", f"{len(ours.together) // len(ours.cpu)} at once"
    rows = [
        *table.compared(turn, COMMANDS, commands),
        *table.compared(turn, CPU, cpu[0], cpu[1]),
        *table.compared(together, ASKED, *([t.asked for t in each.together] for each in (ours, bare))),
        *table.compared(together, GROWTH, [ours], [bare]),
        *table.compared("memory", HELD, *([each] for each in held)),
    ]
    return table.drawn("11. What a turn costs", rows, NOTE)


async def _count(lab: Lab, plan: Plan) -> list[Commands]:
    """Return the commands of a turn, for each round."""
    found: list[Commands] = []
    async with AsyncExitStack() as stack:
        server = stack.enter_context(MongoClient[dict[str, Any]](lab.mongo_uri))
        stage = await stack.enter_async_context(prepared(limits=False))
        begun = [(key.channel, key.root) for key in await give_past(stage, lab, plan.threads, MESSAGES)]
        await stack.enter_async_context(at_work(stage, OURS, lab, **BY_THE_CLOCK, **LIMITS_ON))
        for _ in range(plan.rounds):
            before = _read_counters(server)
            await length.spend(stage, lab, begun)
            between = _read_counters(server)
            await length.spend(stage, lab, [(channel, "") for channel in stage.channels(plan.threads)])
            after = _read_counters(server)
            found.append(Commands((between - before) / plan.threads, (after - between) / plan.threads))
    return found[1:]


def _read_counters(server: MongoClient[dict[str, Any]]) -> int:
    commands = server.admin.command("serverStatus")["metrics"]["commands"]
    return sum(commands[name]["total"] for name in COUNTED)


async def _spend(lab: Lab, plan: Plan) -> tuple[Sequence[length.Cost], Sequence[length.Cost]]:
    """Return what a turn costs us, and the bare loop, for each round."""
    ours: list[length.Cost] = []
    bare: list[length.Cost] = []
    async with AsyncExitStack() as stack:
        stage, other = [await stack.enter_async_context(prepared(limits=False)) for _ in range(2)]
        begun = [(key.channel, key.root) for key in await give_past(stage, lab, plan.threads, MESSAGES)]
        fresh = [(channel, "") for channel in other.channels(plan.threads)]
        await stack.enter_async_context(at_work(stage, OURS, lab, **LIMITS_ON))
        await stack.enter_async_context(at_work(other, BARE, lab))
        for _ in range(plan.rounds):
            ours.append(await length.spend(stage, lab, begun))
            bare.append(await length.spend(other, lab, fresh))
    return ours[1:], bare[1:]
