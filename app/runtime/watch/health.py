"""Readiness of the program's parts. It knows their names, not what they are."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from typing import TypeAlias

from app.core.errors import ThreadwiseError

PATIENCE = 2.0
"""Seconds after which a part that does not answer counts as broken."""

Ask: TypeAlias = Callable[[], Awaitable[bool]]
"""Check of a part. Raising one of our errors means that it does not work."""


class Readiness:
    """Readiness of all parts. A part that has not started does not work."""

    def __init__(self, *parts: str) -> None:
        self._parts: dict[str, Ask] = dict.fromkeys(parts, _report_absent)

    @contextmanager
    def register(self, part: str, works: Ask) -> Generator[None]:
        """Register this part for the length of the block."""
        self._parts[part] = works
        try:
            yield
        finally:
            self._parts[part] = _report_absent

    async def standing(self) -> Mapping[str, bool]:
        """Check all parts at once."""
        return dict(zip(self._parts, await asyncio.gather(*map(_is_working, self._parts.values())), strict=True))


async def _is_working(ask: Ask) -> bool:
    try:
        async with asyncio.timeout(PATIENCE):
            return await ask()
    except (ThreadwiseError, TimeoutError):
        return False


async def report_ready() -> bool:
    """Return True, for a part that waits to be called and knows nothing more of its state."""
    return True


async def _report_absent() -> bool:
    return False
