"""What tools can do outside of their thread, always in the name of the person who owns it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.core.permissions import Kind, Sharing, Target
from app.core.readers import Readers
from app.core.thread import ThreadKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One message as somebody in the channel reads it."""

    ts: str
    name: str
    text: str
    user: str = ""
    """Slack's id of who wrote it; empty of an app that is nobody."""
    replies: int = 0
    """How many answers its thread holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Which messages are meant: the newest `limit` of those between two moments of Slack's; empty is no matter when."""

    limit: int
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A channel that a tool may mean. `id` is Slack's."""

    id: str
    name: str
    """With its `#`, or a person's name for direct messages."""
    user: str
    """In whose reach it is: they can see it, and it is in their name that something is posted there."""
    private: bool
    """True if not everybody in the workspace can see it."""
    sharing: Sharing = Sharing.NONE
    """With whom beside the workspace it is shared."""

    @property
    def scope(self) -> str:
        """How a rule or a policy names it, however it is called."""
        return f"channel:{self.id}"

    @property
    def audience(self) -> str:
        """For whoever is asked: its name, and who else reads it."""
        return f"{self.name}{_READ_BY[self.sharing]}"

    @property
    def shared(self) -> bool:
        """True if people of other companies read it too (Slack Connect), or people of other workspaces."""
        return self.sharing is not Sharing.NONE

    @property
    def target(self) -> Target:
        """The channel as what a call writes to."""
        kind = Kind.DIRECT if self.direct else Kind.PRIVATE if self.private else Kind.PUBLIC
        return Target(place=self.id, name=self.name, kind=kind, sharing=self.sharing)

    @property
    def direct(self) -> bool:
        """True for direct messages (Slack: their ids begin with D)."""
        return self.id.startswith("D")


_READ_BY = {
    Sharing.NONE: "",
    Sharing.ORG: ", which people of other workspaces read",
    Sharing.PENDING: ", which another company was invited to",
    Sharing.COMPANIES: ", which people of other companies read",
}


class Reach(Protocol):
    """Slack, as far as tools may go. Raises `SlackUnavailable`, and `OutOfReach` with words for the model.

    Whatever is read is what the person could read: a private channel that they are not in is as if it did not exist.
    """

    async def channel(self, team: str, user: str, name: str) -> Spot:
        """Find a channel by its name or id, for this person."""
        ...

    async def readers(self, team: str, user: str, place: str) -> Readers:
        """Look up who can read a place, named by Slack's id; of direct messages only this person's are known."""
        ...

    async def guests(self, team: str, people: frozenset[str]) -> frozenset[str]:
        """Return those of these people who are no full members: they see only the channels that they are in."""
        ...

    async def history(self, team: str, user: str, spot: Spot, stretch: Stretch) -> tuple[Heard, ...]:
        """Messages of a channel after one moment and before another, oldest first."""
        ...

    async def thread(self, thread: ThreadKey, stretch: Stretch) -> tuple[Heard, ...]:
        """Messages of a thread before a moment, oldest first."""
        ...

    async def post(self, team: str, spot: Spot, text: str, key: str, since: str) -> str:
        """Post a message, once for each `key`; gives its address. `since` is a ts before the first attempt;
        empty if this is the first.

        After an attempt whose outcome nobody knows, the channel is read back before anything is posted again.
        """
        ...

    async def file(self, thread: ThreadKey, name: str, content: bytes, title: str) -> str:
        """Put a file into a thread; gives its address, or empty words if Slack tells none."""
        ...
