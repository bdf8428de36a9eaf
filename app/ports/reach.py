"""What tools can do outside of their thread, always in the name of the person who owns it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.core.thread import ThreadKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One message as somebody in the channel reads it."""

    ts: str
    name: str
    text: str
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
    shared: bool = False
    """True if people of other companies read it too (Slack Connect)."""

    @property
    def scope(self) -> str:
        """How a rule or a policy names it, however it is called."""
        return f"channel:{self.id}"

    @property
    def audience(self) -> str:
        """For whoever is asked: its name, and who else reads it."""
        return f"{self.name}, which people of other companies read" if self.shared else self.name

    @property
    def direct(self) -> bool:
        """True for direct messages (Slack: their ids begin with D)."""
        return self.id.startswith("D")


class Reach(Protocol):
    """Slack, as far as tools may go. Raises `SlackUnavailable`, and `OutOfReach` with words for the model.

    Whatever is read is what the person could read: a private channel that they are not in is as if it did not exist.
    """

    async def channel(self, team: str, user: str, name: str) -> Spot:
        """Find a channel by its name or id, for this person."""
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
