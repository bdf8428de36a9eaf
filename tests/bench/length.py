"""Group 5: what a turn costs in CPU when model and Slack answer at once, in short threads and in long ones."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from statistics import median

from rich.table import Table

from tests.bench import table
from tests.bench.answers import AT_ONCE
from tests.bench.past import give_past
from tests.bench.stage import BARE, OURS, Lab, Stage, at_work, prepared

CONTEXT = 32_000
"""Tokens of a request, less than the long threads have."""
FLAT = 1.2
"""The design wants the growth flat; this is how we read it."""
NOTE = (
    "Model and Slack answer at once. CPU of one turn, from the question to the closed books; a round of turns is one "
    f"sample. A long thread is longer than what the model is sent at most ({CONTEXT:,} tokens). The bare loop "
    "remembers nothing: its threads are always new."
)

Thread = tuple[str, str]
"""A channel, and the root in it; without one a new thread is begun."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long short and long threads are (messages). Each gets a turn in every round; the first does not count."""

    short: int
    long: int
    threads: int
    rounds: int


FULL = Plan(10, 1_000, 8, 3)
QUICK = Plan(10, 100, 4, 2)


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of CPU for one turn, how many messages the model was sent, and bytes of memory after a round."""

    bot: float
    mongod: float
    sent: int
    resident: float


async def measure(lab: Lab) -> Table:
    """Let the program and the bare loop take turns."""
    plan = QUICK if lab.quick else FULL
    short: list[Cost] = []
    long: list[Cost] = []
    bare: list[Cost] = []
    async with AsyncExitStack() as stack:
        ours, other = [await stack.enter_async_context(prepared(limits=False)) for _ in range(2)]
        brief = [(key.channel, key.root) for key in await give_past(ours, lab, plan.threads, plan.short)]
        lasting = [(key.channel, key.root) for key in await give_past(ours, lab, plan.threads, plan.long)]
        fresh = [(channel, "") for channel in other.channels(plan.threads)]
        await stack.enter_async_context(at_work(ours, OURS, lab, THREADWISE_CONTEXT_TOKENS=str(CONTEXT)))
        await stack.enter_async_context(at_work(other, BARE, lab))
        for _ in range(plan.rounds):
            short.append(await spend(ours, lab, brief))
            long.append(await spend(ours, lab, lasting))
            bare.append(await spend(other, lab, fresh))
    return table.drawn("5. CPU of one turn", _rows(plan, short[1:], long[1:], bare[1:]), NOTE)


async def spend(stage: Stage, lab: Lab, threads: Sequence[Thread]) -> Cost:
    """Take a turn in each thread, and give what one costs."""
    stage.says(AT_ONCE.turn())
    bot, mongod = stage.bot.cpu, lab.mongod.cpu
    for channel, root in threads:
        await stage.turn(AT_ONCE, channel, root)
    await stage.rest()
    return Cost(
        bot=(stage.bot.cpu - bot) / len(threads),
        mongod=(lab.mongod.cpu - mongod) / len(threads),
        sent=len(stage.claude.requests[-1].prompt.messages),
        resident=stage.bot.resident,
    )


BOT = (table.Figure[Cost]("CPU", table.fine_milliseconds, lambda c: c.bot),)
BESIDE = (
    table.Figure[Cost]("MongoDB's own CPU", table.fine_milliseconds, lambda c: c.mongod),
    table.Figure[Cost]("messages sent to the model", table.number, lambda c: c.sent),
    table.Figure[Cost]("memory after a round of turns", table.megabytes, lambda c: c.resident),
)
GROWTH = (table.Figure[float]("CPU, long against short", table.times, float, FLAT),)


def _rows(plan: Plan, short: Sequence[Cost], long: Sequence[Cost], bare: Sequence[Cost]) -> list[table.Row]:
    in_short, in_long = f"in a thread of {plan.short:,} messages", f"in a thread of {plan.long:,} messages"
    growth = median(c.bot for c in long) / median(c.bot for c in short)
    return [
        *table.compared(in_short, BOT, short, bare),
        *table.compared(in_short, BESIDE, short),
        *table.compared(in_long, (*BOT, *BESIDE), long),
        *table.compared(in_long, GROWTH, [growth]),
    ]
