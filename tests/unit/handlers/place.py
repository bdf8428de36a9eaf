"""A workspace with one process of ours in it, in virtual time."""

from __future__ import annotations

from app.core.conversation.conversation import MessageStatus
from app.ports import Clock, Ledger
from handlers.outbound.outlet import Home, SlackOutlet
from handlers.outbound.pacer import Pacer
from handlers.outbound.web import SlackCaller
from tests.fakes import WatchedLedger
from tests.unit.handlers.strict_slack import TEAM, Notes, Post, StrictSlack, conversation, reply
from tests.virtual import VirtualClock

WORKSPACE_URL = "https://acme.slack.com/"


def outlet_to(
    slack: StrictSlack, clock: Clock, ledger: Ledger, home: Home | None = None, process: str = "5ec0"
) -> SlackOutlet:
    """The outlet of one process."""
    return SlackOutlet(SlackCaller(slack, Pacer(clock, TEAM, ledger, process), clock), WORKSPACE_URL, home)


class Place:
    """A workspace with one process."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.slack, self.ledger = StrictSlack(self.clock), WatchedLedger(self.clock)
        self.outlet = outlet_to(self.slack, self.clock, self.ledger)
        self.notes = Notes()

    @property
    def posts(self) -> list[Post]:
        return list(self.slack.posts.values())

    async def says(
        self, text: str, status: MessageStatus = MessageStatus.COMPLETE, parts: tuple[str, ...] = ()
    ) -> None:
        """Deliver a reply that nobody here has drafted."""
        await self.outlet.finish(conversation(), reply(text, status, parts), self.notes, None)

    @property
    def parts(self) -> tuple[str, ...]:
        """What was kept of where the reply stands."""
        return self.notes.texts[-1][1]
