"""Group 1: answers of several shapes, each streamed for 4.6 seconds, with a near Slack and a far one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table

from tests.bench import table
from tests.bench.answers import MANY_LINES, SEVERAL_MESSAGES, Answer, paragraph
from tests.bench.stage import BARE, OURS, Bot, Lab, Stage, both_at_work

NOTE = (
    "First text: from the model's first delta to words in Slack. End lag: from the end of the model's stream to the "
    "whole answer in Slack. A round trip is what Slack takes for one call. CPU and memory are those of the bot alone. "
    "Slack's own limits are off."
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured, and how often with a Slack of each latency (seconds)."""

    answers: Sequence[Answer]
    repeats: Mapping[float, int]


FULL = Plan((paragraph(), MANY_LINES, SEVERAL_MESSAGES), {0.05: 3, 0.3: 2})
QUICK = Plan((paragraph(1.2),), {0.05: 1})


@dataclass(frozen=True, slots=True)
class Sample:
    """One turn: seconds, calls and bytes."""

    first_text: float
    end_lag: float
    writes: int
    cpu: float
    resident: float


def _figures(latency: float) -> Sequence[table.Figure[Sample]]:
    return (
        table.Figure("first text", table.milliseconds, lambda s: s.first_text),
        table.Figure("first text in round trips", table.times, lambda s: s.first_text / latency, 1.1),
        table.Figure("end lag", table.milliseconds, lambda s: s.end_lag, 2 * latency + 0.05),
        table.Figure("posts and edits", table.number, lambda s: s.writes, 8),
        table.Figure("CPU", table.milliseconds, lambda s: s.cpu),
        table.Figure("memory after it", table.megabytes, lambda s: s.resident),
    )


async def measure(lab: Lab) -> Table:
    """Let the bots take turns at each shape."""
    plan = QUICK if lab.quick else FULL
    rows: list[table.Row] = []
    async with both_at_work(lab, limits=False) as stages:
        for latency, repeats in plan.repeats.items():
            for answer in plan.answers:
                samples: defaultdict[Bot, list[Sample]] = defaultdict(list)
                for _ in range(repeats):
                    for bot, stage in stages.items():
                        samples[bot].append(await _sample(stage, answer, latency))
                case = f"{answer.name}, Slack takes {table.milliseconds(latency)}"
                rows += table.compared(case, _figures(latency), samples[OURS], samples[BARE])
    return table.drawn("1. One answer", rows, NOTE)


async def _sample(stage: Stage, answer: Answer, latency: float) -> Sample:
    stage.says(answer.turn())
    stage.latency["*"] = latency
    written, spent = len(stage.writes()), stage.bot.cpu
    timed = await stage.turn(answer, stage.channels(1)[0])
    await stage.rest()
    return Sample(
        first_text=timed.first_text,
        end_lag=timed.end_lag,
        writes=len(stage.writes()) - written,
        cpu=stage.bot.cpu - spent,
        resident=stage.bot.resident,
    )
