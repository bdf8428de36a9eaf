"""Group 3: twenty threads at once in a workspace whose edits Slack limits, in real time.

The app keeps Slack's limits by the real clock, so a playground whose minutes pass faster would be another Slack. The
scenarios run side by side instead: nearly all of their time is waiting.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from rich.table import Table

from tests.bench import table
from tests.bench.answers import Answer, paragraph
from tests.bench.stage import BOTS, Bot, Lab, Timed, at_work, prepared

LATENCY = 0.05
WINDOW = 60.0
"""Seconds in which Slack counts edits, and so its longest Retry-After."""
STAGGER = 5.0
"""Seconds between the scenarios, so that they do not stream at the same time."""
NOTE = (
    "The threads are in {channels} channels. Slack takes 50 ms for a call and counts edits in any 60 seconds. Words "
    "that are not there {patience:.0f} s after the question count as lost."
)


@dataclass(frozen=True, slots=True)
class Plan:
    """`edits` are Slack's limits a minute, one scenario each; `patience` is how long a thread is waited for."""

    threads: int
    channels: int
    edits: Sequence[int]
    patience: float
    answer: Answer


FULL = Plan(20, 5, (50, 10), 125.0, paragraph())
QUICK = Plan(4, 2, (50,), 20.0, paragraph(1.6))


@dataclass(frozen=True, slots=True)
class Result:
    """What one bot did in one scenario; `refused` are the times of its 429s, in order."""

    turns: Sequence[Timed]
    refused: Sequence[float]

    @property
    def most_in_window(self) -> int:
        """The most 429s within any one window."""
        return max((bisect_left(self.refused, at + WINDOW) - n for n, at in enumerate(self.refused)), default=0)


def _figures(plan: Plan) -> Sequence[table.Figure[Result]]:
    posts = plan.threads / plan.channels - 1 + 1.1 * LATENCY  # one post a second in a channel
    return (
        table.Figure("words lost", table.number, lambda r: sum(t.missing for t in r.turns), 0),
        table.Figure("429s in one minute", table.number, lambda r: r.most_in_window, 1),
        table.Figure("429s in all", table.number, lambda r: len(r.refused)),
        table.Figure("first text, last thread", table.seconds, lambda r: max(t.first_text for t in r.turns), posts),
        table.Figure("end lag, last thread", table.seconds, lambda r: max(t.end_lag for t in r.turns), WINDOW),
    )


TURNS = (
    table.Figure[Timed]("first text", table.seconds, lambda t: t.first_text),
    table.Figure[Timed]("end lag", table.seconds, lambda t: t.end_lag),
)


async def measure(lab: Lab) -> Table:
    """Run every scenario with both bots."""
    plan = QUICK if lab.quick else FULL
    scenarios = (_scenario(lab, plan, edits, nth * STAGGER) for nth, edits in enumerate(plan.edits))
    rows: list[table.Row] = []
    for edits, results in zip(plan.edits, await asyncio.gather(*scenarios), strict=True):
        case = f"{edits} edits a minute"
        rows += table.compared(case, TURNS, *(result.turns for result in results))
        rows += table.compared(case, _figures(plan), *([result] for result in results))
    note = NOTE.format(channels=plan.channels, patience=plan.patience)
    return table.drawn(f"3. {plan.threads} threads at once, Slack's limits on", rows, note)


async def _scenario(lab: Lab, plan: Plan, edits: int, after: float) -> list[Result]:
    await asyncio.sleep(after)
    return await asyncio.gather(*(_run(lab, plan, bot, edits) for bot in BOTS))


async def _run(lab: Lab, plan: Plan, bot: Bot, edits: int) -> Result:
    async with prepared(LATENCY, tiers={"chat.update": edits}) as stage, at_work(stage, bot, lab):
        stage.says(plan.answer.turn())
        places = islice(cycle(stage.channels(plan.channels)), plan.threads)
        timed = await asyncio.gather(*(stage.turn(plan.answer, place, patience=plan.patience) for place in places))
        await stage.rest()
        return Result(timed, [entry["at"] for entry in stage.writes() if entry["status"] == 429])
