"""The crash matrix: each scene is played once to see which calls it makes, then once more for each of them, with a
kill before it and after it. The calls are not listed anywhere: what the program comes to call is killed there too.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.playground.journal import Entry
from tests.crash.cues import MODEL_MOMENTS, Cues
from tests.crash.points import Point, Side
from tests.crash.scenes import BY_ITSELF, SCENES
from tests.crash.stage import Stage, nursed, staging
from tests.crash.talk import Talk
from tests.crash.verdict import Ending, Kind, Wrong, judge

MOST = 5
"""How many calls of one name are killed in a scene; the later ones repeat what the earlier ones did."""
MOST_OF = {"permitted": 60, "unattended": 60}
"""The same for scenes in which they do not: each save of a turn that reaches outside is another state of it."""
BY_CHANCE = {
    "conversations.claim_some": 2,
    "conversations.renew": 1,
    "inbox.open_rows": 3,
    "conversations.due": 1,
    "conversations.quiet_since": 1,
    "pacing.read": 1,
    "pacing.exchange": 1,
    "pacing.exchange_all": 1,
    "update pacing": 1,
    "findAndModify conversations": 0,
}
"""The same for calls that follow the clock, or say again what a call of a port says."""
REST_SECONDS, CELL_SECONDS = 60.0, 400.0


@dataclass(frozen=True, slots=True)
class Cell:
    """One play with one kill. With `standby`, a second process runs already and takes over; else one is started."""

    scene: str
    point: Point
    http: bool = False
    standby: bool = False

    def __str__(self) -> str:
        ways = f"{'http' if self.http else 'socket'}{', standby' if self.standby else ''}"
        return f"{self.scene}, {self.point} ({ways})"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a cell."""

    cell: Cell
    fired: bool
    """False if the point was not reached this time."""
    retried: bool
    """True if a person had to press *Retry* for an answer."""
    whole: int
    wrong: tuple[Wrong, ...]


async def points_of(scene: str, mongo_uri: str, folder: Path) -> tuple[Point, ...]:
    """Play a scene without a kill and give every point in it."""
    async with staging(mongo_uri, folder) as stage:
        cues = Cues(stage, None)
        stage.claude.script.answer_always(cues.answer)
        await stage.start(tape=True)
        talk = Talk(stage, 0)
        await SCENES[scene](talk, cues)
        await stage.rests(REST_SECONDS)
        stage.disarm()
        return tuple(dict.fromkeys(_points(stage, cues, MOST_OF.get(scene, MOST))))


def _points(stage: Stage, cues: Cues, most: int) -> Iterator[Point]:
    calls = [(Side(side), name) for side, _, name in (line.partition(" ") for line in stage.taped())]
    in_slack, in_model = cues.before_armed
    entries = stage.slack.journal.entries[in_slack:]
    calls += [(Side.SLACK, entry["method"]) for entry in entries if entry["kind"] == "call"]
    calls += [(Side.DELIVERY, _type(entry)) for entry in entries if entry["kind"] == "delivery"]
    for (side, name), count in Counter(calls).items():
        for nth in range(1, 1 + min(count, BY_CHANCE.get(name, most))):
            yield Point(side, name, "before", nth)
            yield Point(side, name, "after", nth)
    requests = sum(entry["kind"] == "request" for entry in stage.claude.journal.entries[in_model:])
    for nth in range(1, 1 + min(requests, most)):
        yield from (Point(Side.MODEL, name, "after", nth) for name in MODEL_MOMENTS)


def _type(delivery: Entry) -> str:
    return delivery["payload"].get("event", delivery["payload"])["type"]


def cells(points: Mapping[str, Sequence[Point]]) -> list[Cell]:
    """The whole matrix. Between the writes of one call it makes no difference how the program hears Slack."""
    ways = [*itertools.product((False, True), (False, True))]
    return [
        Cell(scene, point, http, standby)
        for scene, all_points in points.items()
        for point in all_points
        for (http, standby) in (ways[:1] if point.side is Side.MONGO else ways)
    ]


async def play(cell: Cell, mongo_uri: str, folder: Path) -> Result:
    """Play a cell, kill, go on, and judge what people see in the end."""
    async with staging(mongo_uri, folder, http=cell.http) as stage:
        cues = Cues(stage, cell.point)
        stage.claude.script.answer_always(cues.answer)
        at_point = cell.point if cell.point.side in (Side.STORE, Side.MONGO) else None
        for _ in range(1 + cell.standby):
            await stage.start(at_point)
        talk = Talk(stage, 0)
        async with nursed(stage):
            troubles = await _play_on(cell, talk, cues)
        verdict = judge(talk.seen())
        wrong = (*troubles, *cues.wrong, *verdict.wrong, *stage.refused(), *_pressed(cell, stage))
        return Result(cell, stage.kills > 0, stage.retries > 0, verdict.whole, wrong)


def _pressed(cell: Cell, stage: Stage) -> tuple[Wrong, ...]:
    """What people had to press although an answer goes on by itself, unless a busy machine has cost a lease besides."""
    if cell.scene not in BY_ITSELF or not stage.retries or stage.takeovers() > stage.kills:
        return ()
    return (Wrong(Kind.LOST, "somebody had to press Retry"),)


async def _play_on(cell: Cell, talk: Talk, cues: Cues) -> tuple[Wrong, ...]:
    """Play the scene, press *Retry* where it is offered, and say one thing more; give what went wrong."""
    stage = cues.stage
    try:
        async with asyncio.timeout(CELL_SECONDS):
            await SCENES[cell.scene](talk, cues)
            cues.go_on.set()
            await stage.rests(REST_SECONDS)
            stage.disarm()
            if talk.replies()[-1].ending is Ending.MARKED:
                await talk.presses_retry()
            await talk.settled(await talk.says())
    except TimeoutError:
        return (Wrong(Kind.LOST, f"waited in vain; {len(talk.replies())} answers to {len(talk.said)} messages"),)
    still_open = await stage.rests(REST_SECONDS)
    ends_well = talk.replies()[-1].ending is Ending.WHOLE
    return still_open if ends_well else (*still_open, Wrong(Kind.LOST, "the turn after the crash did not work"))


async def play_all(all_cells: Sequence[Cell], mongo_uri: str, folder: Path, at_once: int) -> AsyncGenerator[Result]:
    """Play many cells, so many at once; gives their results as they come."""
    free = asyncio.Semaphore(at_once)

    async def one(number: int, cell: Cell) -> Result:
        async with free:
            return await play(cell, mongo_uri, folder / str(number))

    for result in asyncio.as_completed([one(number, cell) for number, cell in enumerate(all_cells)]):
        yield await result
