"""The port for accepting events, which every source of them uses."""

from __future__ import annotations

from typing import Protocol

from app.core.events.heard import SlackEvent
from app.ports.store import Acceptance


class EventIntake(Protocol):
    """The single way in for events, from all sources."""

    async def accept(self, event: SlackEvent) -> Acceptance:
        """Store an event durably, once, and have it handled at once. Raise `StoreUnavailable`."""
        ...
