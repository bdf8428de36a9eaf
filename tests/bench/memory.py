"""Group 6: memory of the idle process and of an open stream, and what importing costs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from rich.table import Table

from app.playground.claude import Gate
from tests.bench import imports, table
from tests.bench.answers import paragraph
from tests.bench.sight import Sight
from tests.bench.stage import BOTS, WHO, Bot, Lab, at_work, prepared

IDLE_SECONDS = 1.0
HELD_AT = 200
"""Characters of an answer after which its stream is held."""
PATIENCE = 60.0
MB, KB = 1e6, 1e3
NOTE = (
    "Resident memory of the bot alone; MongoDB is a process of its own. A stream is open while the model speaks and "
    "its first words are in Slack. Imports are measured in fresh interpreters with warm files."
)


@dataclass(frozen=True, slots=True)
class Plan:
    """How many streams are held open, how many before that to warm up, and how often an import is timed."""

    streams: int
    before: int
    imports: int


FULL = Plan(50, 10, 3)
QUICK = Plan(10, 2, 1)


@dataclass(frozen=True, slots=True)
class Held:
    """Bytes: of the idle process, of the process with its streams open, and of each of those streams."""

    idle: float
    open: float
    stream: float


FIGURES = (
    table.Figure[Held]("idle after start", table.megabytes, lambda h: h.idle, 110 * MB),
    table.Figure[Held]("idle after start, stretch", table.megabytes, lambda h: h.idle, 90 * MB),
    table.Figure[Held]("with all streams open", table.megabytes, lambda h: h.open),
    table.Figure[Held]("each open stream", table.kilobytes, lambda h: h.stream, 100 * KB),
)


async def measure(lab: Lab) -> Table:
    """Weigh both bots, then what they import."""
    plan = QUICK if lab.quick else FULL
    ours, bare = await weigh(lab)
    rows = table.compared(f"the process, {plan.streams} streams", FIGURES, [ours], [bare])
    rows += await imports.rows(plan.imports)
    return table.drawn("6. Memory and imports", rows, NOTE)


async def weigh(lab: Lab) -> list[Held]:
    """Weigh both bots."""
    plan = QUICK if lab.quick else FULL
    return await asyncio.gather(*(_weigh(lab, bot, plan) for bot in BOTS))


async def _weigh(lab: Lab, bot: Bot, plan: Plan) -> Held:
    async with prepared(limits=False) as stage, at_work(stage, bot, lab):
        await asyncio.sleep(IDLE_SECONDS)
        idle = stage.bot.resident
        answer = paragraph(0)
        go_on = asyncio.Event()
        stage.says(answer.turn([Gate(HELD_AT, go_on)]))

        async def held(streams: int) -> float:
            """Open that many streams; gives the memory once all of them are seen in Slack."""
            sights: list[Sight] = []
            for channel in stage.channels(streams):
                root = await stage.slack.people.says(WHO, channel, "@Threadwise please.")
                sights.append(Sight(stage.slack, channel, root, answer))
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*(sight.first.wait() for sight in sights))
            await stage.rest()
            return stage.bot.resident

        before = await held(plan.before)
        after = await held(plan.streams)
        go_on.set()
        return Held(idle, after, (after - before) / plan.streams)
