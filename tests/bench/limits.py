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
from statistics import median

from rich.table import Table

from tests.bench import table
from tests.bench.answers import Answer, paragraph
from tests.bench.stage import BOTS, Bot, Lab, Stage, at_work, prepared

LATENCY = 0.05
WINDOW = 60.0
"""Seconds in which Slack counts edits, and so its longest Retry-After."""
STAGGER = 8.0
"""Seconds between the scenarios, so that they do not stream at the same time."""
NOTE = """Median (worst) over the threads, in {channels} channels; Slack takes 50 ms for a call and counts edits in any 60 seconds.
After {patience:.0f} seconds the words that are still not there count as lost."""


@dataclass(frozen=True, slots=True)
class Plan:
    """`edits` are Slack's limits a minute, one scenario each; `patience` is how long a thread is waited for."""

    threads: int
    channels: int
    edits: Sequence[int]
    patience: float
    answer: Answer


FULL = Plan(20, 5, (50, 10), 125.0, paragraph())
QUICK = Plan(4, 2, (50,), 20.0, paragraph(2.6))


@dataclass(frozen=True, slots=True)
class Result:
    """What one bot did in one scenario."""

    first_texts: Sequence[float]
    end_lags: Sequence[float]
    lost: int
    refused: int
    most_in_window: int


async def measure(lab: Lab) -> Table:
    """Run every scenario with both bots."""
    plan = QUICK if lab.quick else FULL
    scenarios = (_scenario(lab, plan, edits, nth * STAGGER) for nth, edits in enumerate(plan.edits))
    rows: list[table.Row] = []
    for edits, results in zip(plan.edits, await asyncio.gather(*scenarios), strict=True):
        rows += _rows(f"{edits} edits a minute", plan, *results)
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
        refused = _refused_at(stage)
        return Result(
            first_texts=[t.first_text for t in timed],
            end_lags=[t.end_lag for t in timed],
            lost=sum(t.missing for t in timed),
            refused=len(refused),
            most_in_window=max((bisect_left(refused, at + WINDOW) - n for n, at in enumerate(refused)), default=0),
        )


def _refused_at(stage: Stage) -> list[float]:
    return [entry["at"] for entry in stage.writes() if entry["status"] == 429]


def _rows(case: str, plan: Plan, ours: Result, bare: Result) -> list[table.Row]:
    budget = plan.threads / plan.channels - 1 + 1.1 * LATENCY  # one post a second in a channel
    return [
        table.Row(case, "words lost", table.number, [ours.lost], [bare.lost], limit=0),
        table.Row(case, "429s in one minute", table.number, [ours.most_in_window], [bare.most_in_window], limit=1),
        table.Row(case, "429s in all", table.number, [ours.refused], [bare.refused]),
        table.Row(case, "first text", table.seconds, ours.first_texts, bare.first_texts),
        table.Row(
            case, "first text, last thread", table.seconds, [max(ours.first_texts)], [max(bare.first_texts)], budget
        ),
        table.Row(case, "end lag", table.seconds, [median(ours.end_lags)], [median(bare.end_lags)]),
        table.Row(case, "end lag, last thread", table.seconds, [max(ours.end_lags)], [max(bare.end_lags)], WINDOW),
    ]
