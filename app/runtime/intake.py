"""The intake of events. It stores each event in the inbox and wakes the worker. No other module puts events there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import structlog

from app.core.events.heard import SlackEvent
from app.core.thread import ThreadKey
from app.ports import Acceptance, Inbox

Wake = Callable[[ThreadKey, str], None]
"""Function that is told the thread and the receipt of each new event."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class WakingIntake:
    """Implementation of `app.ports.EventIntake`. `wake` is called for each thread that has a new event."""

    inbox: Inbox
    wake: Wake

    async def accept(self, event: SlackEvent) -> Acceptance:
        """See `EventIntake.accept`."""
        taken = await self.inbox.take_in(event)
        # The scheduler finds due work again at each look until it is done. Such a duplicate is no news for the log.
        tell = log.debug if taken is Acceptance.DUPLICATE else log.info
        tell("taken_in", event_kind=event.kind, taken=taken.value, team=event.thread.team)
        if taken is Acceptance.NEW:
            self.wake(event.thread, event.receipt)
        return taken


def wake_nobody(thread: ThreadKey, receipt: str) -> None:
    """Leave the waking to the change feed of the store, in a process without a worker."""
