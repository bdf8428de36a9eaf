"""Work on long texts and large tables in an OS thread, because it would block the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

LONG = 2_000
"""Characters from which a text is worked on in an OS thread.

A shorter text, even a hostile one, takes a few milliseconds.
"""

T = TypeVar("T")


async def run_in_thread(work: Callable[[str], T], text: str) -> T:
    """Apply the function to a text: at once if it is short, else in an OS thread."""
    return work(text) if len(text) < LONG else await asyncio.to_thread(work, text)


async def run_to_end(work: Callable[[], T]) -> T:
    """Run the function in an OS thread. A cancellation waits for its end, because what it changes must be whole."""
    task = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
