"""Group 4: from a press on *Stop* to the closed stream of the model, where the answer runs and from another process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import time

from rich.table import Table

from app.core.copy import texts
from app.playground.claude import Exchange, Gate
from handlers.inbound.listen import PATH
from handlers.slack import action_ids
from tests.bench import table
from tests.bench.answers import Answer, paragraph
from tests.bench.sight import Sight
from tests.bench.stage import OURS, WHO, Bot, Lab, Stage, at_work, prepared
from tests.flow.chat import free_port

LATENCY = 0.05
HELD_AT = 200
"""Characters of an answer after which its stream says nothing more, and stays open."""
PATIENCE = 10.0
OVER_HTTP = Bot("Threadwise over HTTP", (*OURS.arguments, "--http"), OURS.ready)
ANSWER, STOPPED = paragraph(0), Answer("stopped", texts.STOPPED)
NOTE = (
    "All answers are begun first and then stopped one after the other; the first does not count. Slack takes 50 ms for "
    "a call. Where another process hears of it, both hear Slack over HTTP, so that it can be told whom to tell; they "
    "share nothing but MongoDB. The bare loop cannot be stopped."
)


FULL, QUICK = 21, 5
"""How many answers are stopped in each case."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer that has begun: the request at the model, the message in Slack, and who watches it."""

    exchange: Exchange
    channel: str
    ts: str
    sight: Sight


@dataclass(frozen=True, slots=True)
class Press:
    """Seconds from the press until the model saw its stream closed, and until Slack showed *Stopped*."""

    closed: float
    shown: float


def _figures(limit: float) -> Sequence[table.Figure[Press]]:
    return (
        table.Figure("the model's stream is closed", table.milliseconds, lambda p: p.closed, limit),
        table.Figure("the message says Stopped", table.milliseconds, lambda p: p.shown),
    )


async def measure(lab: Lab) -> Table:
    """Stop answers in the process that gives them, then from another one."""
    answers = QUICK if lab.quick else FULL
    rows = [
        *table.compared("heard by the process that answers", _figures(0.05), await _in_one_process(lab, answers)),
        *table.compared("heard by another process", _figures(0.3), await _across_processes(lab, answers)),
    ]
    return table.drawn("4. Stop", rows, NOTE)


async def _in_one_process(lab: Lab, answers: int) -> list[Press]:
    async with prepared(LATENCY, limits=False) as stage, at_work(stage, OURS, lab):
        return await _pressed(stage, await _begun(stage, answers))


async def _across_processes(lab: Lab, answers: int) -> list[Press]:
    """The second process starts when the first has all the answers; from then on Slack tells nobody else."""
    async with prepared(LATENCY, limits=False, delivery="http") as stage, _told_by_slack(stage, lab):
        drafts = await _begun(stage, answers)
        async with _told_by_slack(stage, lab):
            return await _pressed(stage, drafts)


@asynccontextmanager
async def _told_by_slack(stage: Stage, lab: Lab) -> AsyncGenerator[None]:
    port = free_port()
    async with at_work(stage, OVER_HTTP, lab, THREADWISE_HTTP_PORT=str(port)):
        await stage.slack.subscribe(f"http://127.0.0.1:{port}{PATH}")
        yield


async def _begun(stage: Stage, answers: int) -> list[Draft]:
    stage.says(ANSWER.turn([Gate(HELD_AT, asyncio.Event())]))
    return await asyncio.gather(*(_draft(stage, channel) for channel in stage.channels(answers)))


async def _draft(stage: Stage, channel: str) -> Draft:
    words = f"please, in {channel}."
    root = await stage.slack.people.says(WHO, channel, f"@Threadwise {words}")
    sight = Sight(stage.slack, channel, root, STOPPED)
    async with asyncio.timeout(PATIENCE):
        await sight.first.wait()
    shown = stage.slack.people.sees(WHO, channel, root)
    return Draft(stage.exchange(words), channel, shown[-1].ts, sight)


async def _pressed(stage: Stage, drafts: Sequence[Draft]) -> list[Press]:
    await stage.rest()
    return [await _press(stage, draft) for draft in drafts][1:]


async def _press(stage: Stage, draft: Draft) -> Press:
    pressed_at = time()
    await stage.slack.people.clicks(WHO, draft.channel, draft.ts, action_ids.STOP)
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(draft.exchange.aborted.wait(), draft.sight.whole.wait())
    draft.sight.close()
    assert draft.exchange.ended_at is not None, "an exchange that was aborted has ended"
    await stage.rest()
    return Press(closed=draft.exchange.ended_at - pressed_at, shown=draft.sight.whole_at - pressed_at)
