"""Group 2: twenty threads asked at the same moment, Slack's limits off, against one thread alone."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from rich.table import Table

from tests.bench import table
from tests.bench.answers import paragraph
from tests.bench.stage import BARE, BOTS, OURS, Bot, Lab, Stage, Timed, both_at_work

LATENCY = 0.05
ANSWER = paragraph(0.9)
"""Over before the first edit is due, so that a round asks little of the app's own budget of edits."""
NOTE = (
    "Each thread is in a channel of its own, for Slack's rule is one post a second in a channel. Slack takes 50 ms for "
    "a call. From the question to the model's door is counted for itself, and not in the first text."
)


@dataclass(frozen=True, slots=True)
class Plan:
    """How many threads, and how often."""

    threads: int
    alone: int
    rounds: int


FULL = Plan(threads=20, alone=5, rounds=2)
QUICK = Plan(threads=5, alone=1, rounds=1)


@dataclass
class Result:
    """What one bot did: its turns alone, its turns among others, and the CPU for each turn of a round."""

    alone: list[Timed]
    together: list[Timed]
    cpu: list[float]

    @property
    def growth(self) -> float:
        """First text among others, against alone."""
        return median(t.first_text for t in self.together) / median(t.first_text for t in self.alone)


TURNS = (
    table.Figure[Timed]("question to model", table.milliseconds, lambda t: t.asked),
    table.Figure[Timed]("first text", table.milliseconds, lambda t: t.first_text),
)
GROWTH = (table.Figure[Result]("first text, together against alone", table.times, lambda r: r.growth, 1.2),)
CPU = (table.Figure[float]("CPU of each turn", table.milliseconds, float),)


async def measure(lab: Lab) -> Table:
    """Draw what the bots did, alone and in a crowd."""
    plan, results = _choose_plan(lab), await take_turns(lab)
    return table.drawn(f"2. {plan.threads} threads at once", _rows(plan.threads, results[OURS], results[BARE]), NOTE)


def _choose_plan(lab: Lab) -> Plan:
    return QUICK if lab.quick else FULL


async def take_turns(lab: Lab) -> Mapping[Bot, Result]:
    """Let the bots take turns, alone and in a crowd."""
    plan = _choose_plan(lab)
    results = {bot: Result([], [], []) for bot in BOTS}
    async with both_at_work(lab, LATENCY, limits=False) as stages:
        for stage in stages.values():
            stage.says(ANSWER.turn())
        for _ in range(plan.alone):
            for bot, stage in stages.items():
                results[bot].alone += (await _round(stage, 1))[0]
        for _ in range(plan.rounds):
            for bot, stage in stages.items():
                timed, cpu = await _round(stage, plan.threads)
                results[bot].together += timed
                results[bot].cpu.append(cpu / plan.threads)
    return results


async def _round(stage: Stage, threads: int) -> tuple[list[Timed], float]:
    spent = stage.bot.cpu
    timed = await asyncio.gather(*(stage.turn(ANSWER, channel) for channel in stage.channels(threads)))
    await stage.rest()
    return timed, stage.bot.cpu - spent


def _rows(threads: int, ours: Result, bare: Result) -> list[table.Row]:
    crowd = f"{threads} at once"
    return [
        *table.compared("alone", TURNS, ours.alone, bare.alone),
        *table.compared(crowd, TURNS, ours.together, bare.together),
        *table.compared(crowd, GROWTH, [ours], [bare]),
        *table.compared(crowd, CPU, ours.cpu, bare.cpu),
    ]
