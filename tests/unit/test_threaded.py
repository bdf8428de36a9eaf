"""Work in an OS thread that is cancelled meanwhile."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest

from app.threaded import run_to_end


async def test_what_was_cancelled_has_ended_before_anybody_goes_on() -> None:
    begun, may_end, done = Event(), Event(), list[str]()

    def work() -> None:
        begun.set()
        may_end.wait(10)
        done.append("whole")

    task = asyncio.create_task(run_to_end(work))
    await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done == ["whole"]


async def test_a_result_or_an_error_comes_back() -> None:
    assert await run_to_end(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        await run_to_end(lambda: 1 // 0)
