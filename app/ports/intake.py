"""The way in, as everything that finds or hears an event needs it."""

from __future__ import annotations

from typing import Protocol

from app.core.events import SlackEvent
from app.ports.store import Taken


class EventIntake(Protocol):
    """The one way in for events, whoever brings them."""

    async def accept(self, event: SlackEvent) -> Taken:
        """Store an event once, durably, and have it worked on at once. Raises `StoreUnavailable`."""
        ...
