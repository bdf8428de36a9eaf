"""The tripwire: one process dies, once, at the right call, and only while it is armed."""

from __future__ import annotations

import asyncio
import signal
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from app.clock import SystemClock
from tests.contract.store.events import posted
from tests.crash.points import Point, Side
from tests.crash.processes import CONTEXT
from tests.crash.tripwire import Tape, Tripwire, watched
from tests.memory_store import memory_store


@dataclass(frozen=True)
class Life:
    """What a process was to do before it died: three events are taken in under the tripwire."""

    point: Point
    armed: Path
    survived: Path


def live(life: Life) -> None:
    store = watched(memory_store(SystemClock()), Tripwire(life.point, life.armed))

    async def take_in() -> None:
        for number in range(1, 4):
            await store.inbox.take_in(posted(number, opens=True))
            life.survived.write_text(str(number))

    asyncio.run(take_in())


def lives(point: Point, folder: Path, *, processes: int = 1, armed: bool = True) -> list[ForkServerProcess]:
    switch = folder / "armed"
    if armed:
        switch.touch()
    begun = [CONTEXT.Process(target=live, args=(Life(point, switch, folder / str(n)),)) for n in range(processes)]
    for process in begun:
        process.start()
    for process in begun:
        process.join()
    return begun


def test_the_process_dies_before_the_nth_call(tmp_path: Path) -> None:
    (process,) = lives(Point(Side.STORE, "inbox.take_in", "before", 2), tmp_path)
    assert process.exitcode == -signal.SIGKILL
    assert (tmp_path / "0").read_text() == "1"


def test_the_process_dies_after_the_nth_call(tmp_path: Path) -> None:
    (process,) = lives(Point(Side.STORE, "inbox.take_in", "after", 1), tmp_path)
    assert process.exitcode == -signal.SIGKILL
    assert not (tmp_path / "0").exists()


def test_nobody_dies_while_it_is_not_armed_or_at_another_call(tmp_path: Path) -> None:
    (unarmed,) = lives(Point(Side.STORE, "inbox.take_in", "before"), tmp_path, armed=False)
    (other,) = lives(Point(Side.STORE, "inbox.close_rows", "before"), tmp_path)
    assert (unarmed.exitcode, other.exitcode) == (0, 0)


def test_of_several_processes_with_the_same_point_one_dies(tmp_path: Path) -> None:
    processes = lives(Point(Side.STORE, "inbox.take_in", "after", 2), tmp_path, processes=3)
    assert sorted(process.exitcode or 0 for process in processes) == [-signal.SIGKILL, 0, 0]


async def test_a_tape_holds_the_calls_made_while_it_was_armed(tmp_path: Path) -> None:
    armed, tape = tmp_path / "armed", tmp_path / "tape"
    store = watched(memory_store(SystemClock()), Tape(tape, armed))
    await store.inbox.take_in(posted(1, opens=True))
    armed.touch()
    await store.inbox.take_in(posted(2, opens=True))
    await store.inbox.close_rows(())
    assert tape.read_text().splitlines() == ["store inbox.take_in", "store inbox.close_rows"]
