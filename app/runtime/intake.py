"""The intake of events: each is stored in the inbox, and the worker is woken. No other module puts events there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import structlog

from app.core.events.heard import SlackEvent
from app.core.thread import ThreadKey
from app.ports import Inbox, Taken

Wake = Callable[[ThreadKey], None]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class WakingIntake:
    """Implements `app.ports.EventIntake`. `wake` is called for each thread that has something new."""

    inbox: Inbox
    wake: Wake

    async def accept(self, event: SlackEvent) -> Taken:
        """See `EventIntake.accept`."""
        taken = await self.inbox.take_in(event)
        # What is due is found again at each look until it is worked on: that is no news in the log.
        tell = log.debug if taken is Taken.DUPLICATE else log.info
        tell("taken_in", event_kind=event.kind, taken=taken.value, team=event.thread.team)
        if taken is Taken.NEW:
            self.wake(event.thread)
        return taken


def wake_nobody(thread: ThreadKey) -> None:
    """Leave the waking to the signals of the store, in a process without a worker."""
