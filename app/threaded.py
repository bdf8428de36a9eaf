"""Work on long texts, beside the event loop: all others would wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

LONG = 2_000
"""Characters from which on a text is worked on in a thread. Shorter ones, however hostile, take a few milliseconds."""

T = TypeVar("T")


async def in_thread(work: Callable[[str], T], text: str) -> T:
    """Do this work on a text: at once if it is short, and else in a thread."""
    return work(text) if len(text) < LONG else await asyncio.to_thread(work, text)
