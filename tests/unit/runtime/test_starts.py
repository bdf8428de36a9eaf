"""How sessions begin: a few at a time, in their order, and none keeps the others waiting for long."""

from __future__ import annotations

import asyncio

import pytest

from app.runtime.session import LONGEST_START, SIDE_BY_SIDE, Starts
from tests.fakes import virtual

SHORT = LONGEST_START / 10


class Beginnings:
    """Sessions that ask for a place one after another, all at the same moment. `begun` says when each had one."""

    def __init__(self) -> None:
        self.starts, self.begun = Starts(), dict[int, float]()
        self.tasks: list[asyncio.Task[None]] = []

    async def ask(self, *seconds: float) -> None:
        """Let a session begin for each of these times, which is what its beginning takes."""
        self.tasks = [asyncio.ensure_future(self._begin(*each)) for each in enumerate(seconds)]
        await asyncio.sleep(0)

    async def end(self) -> list[float]:
        """Wait until all have begun. Return when each had its place."""
        await asyncio.gather(*self.tasks, return_exceptions=True)
        return [self.begun[number] for number in sorted(self.begun)]

    async def _begin(self, number: int, seconds: float) -> None:
        async with self.starts.place():
            self.begun[number] = asyncio.get_running_loop().time()
            await asyncio.sleep(seconds)


@virtual
async def test_a_few_begin_at_a_time_and_the_next_ones_after_them() -> None:
    sessions = Beginnings()
    await sessions.ask(*[SHORT] * SIDE_BY_SIDE * 3)
    begun = await sessions.end()
    assert begun == pytest.approx([SHORT * (place // SIDE_BY_SIDE) for place in range(SIDE_BY_SIDE * 3)])


@virtual
async def test_one_that_takes_long_gives_up_its_place_once() -> None:
    sessions = Beginnings()
    await sessions.ask(*[LONGEST_START * 2.5] * SIDE_BY_SIDE * 4)
    begun = await sessions.end()
    assert begun == pytest.approx([LONGEST_START * (place // SIDE_BY_SIDE) for place in range(SIDE_BY_SIDE * 4)])


@virtual
async def test_one_that_is_cancelled_while_it_waits_takes_no_place() -> None:
    sessions = Beginnings()
    await sessions.ask(*[SHORT] * SIDE_BY_SIDE * 3)
    for task in sessions.tasks[SIDE_BY_SIDE : SIDE_BY_SIDE * 2]:
        task.cancel()
    assert max(await sessions.end()) == pytest.approx(SHORT)


@virtual
async def test_one_that_fails_leaves_its_place_at_once() -> None:
    starts = Starts()
    for _ in range(SIDE_BY_SIDE * 2):
        with pytest.raises(RuntimeError, match="failed"):
            async with starts.place():
                raise RuntimeError("failed")
    assert asyncio.get_running_loop().time() == 0
