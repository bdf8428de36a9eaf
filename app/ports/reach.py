"""The port to Slack for tools outside of their thread, always on behalf of the thread's owner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from app.core.state.permission import ChannelKind, Sharing, Target
from app.core.state.readers import Readers
from app.core.thread import ThreadKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A Slack message as a reader of the channel sees it."""

    ts: str
    name: str
    text: str
    user: str = ""
    """Slack's id of the author; empty for an app without a user."""
    replies: int = 0
    """Number of replies in its thread."""
    is_ours: bool = False
    """True if this program has posted it."""
    files: tuple[tuple[str, str], ...] = ()
    """Slack's ids of its files, and their names, which stand below its words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePage:
    """The newest `limit` messages between two of Slack's timestamps. An empty timestamp is no bound."""

    limit: int
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A channel that a tool may refer to. `id` is Slack's."""

    id: str
    name: str
    """The channel's name with its `#`, or a person's name for direct messages."""
    user: str
    """The person who can see the channel, and on whose behalf the app posts there."""
    private: bool
    """True if only its members can see it."""
    sharing: Sharing = Sharing.NONE
    """Sharing beyond the workspace."""

    @property
    def scope(self) -> str:
        """Return the channel's name in rules and policies, which survives a renaming."""
        return f"channel:{self.id}"

    @property
    def audience(self) -> str:
        """Return the text for a permission card: its name, and who else reads it."""
        return f"{self.name}{_READ_BY[self.sharing]}"

    @property
    def shared(self) -> bool:
        """Return True if people of other companies (Slack Connect) or of other workspaces read it, too."""
        return self.sharing is not Sharing.NONE

    @property
    def target(self) -> Target:
        """Return the channel as the target of a write."""
        kind = ChannelKind.DIRECT if self.direct else ChannelKind.PRIVATE if self.private else ChannelKind.PUBLIC
        return Target(place=self.id, name=self.name, kind=kind, sharing=self.sharing)

    @property
    def direct(self) -> bool:
        """Return True for direct messages, whose ids in Slack begin with D."""
        return self.id.startswith("D")


T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing(Generic[T]):
    """A list of all that Slack has of a kind, or of the first thousands of it."""

    entries: tuple[T, ...] = ()
    is_cut: bool = False
    """True if there are more, which were not looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedChannel:
    """A channel among all that a person can see."""

    spot: Spot
    purpose: str = ""
    joined: bool = False
    """True if the app is in it: only then can it be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person of the workspace as its directory tells of them."""

    user: str
    """Slack's id."""
    name: str
    full_name: str = ""
    title: str = ""
    """What they do, in their own words."""
    guest: bool = False


_READ_BY = {
    Sharing.NONE: "",
    Sharing.ORG: ", which people of other workspaces read",
    Sharing.PENDING: ", which another company was invited to",
    Sharing.COMPANIES: ", which people of other companies read",
}


class SlackAccess(Protocol):
    """Access of tools to Slack. Raises `SlackUnavailable`, and `OutOfReach` with a text for the model.

    Nothing is read that the person could not read. A private channel without them is treated as if it did not exist.
    """

    async def channel(self, team: str, user: str, name: str) -> Spot:
        """Find a channel by its name or id, for this person."""
        ...

    async def channels(self, team: str, user: str) -> Listing[ListedChannel]:
        """List the channels that this person can see, without archived ones, and private ones without the app."""
        ...

    async def people(self, team: str, user: str, within: str) -> Listing[Person]:
        """List the people of the workspace whom this person can see, without bots and those who have left.

        `within` bounds them to the members of a channel; empty for no such bound.
        """
        ...

    async def readers(self, team: str, user: str, place: str) -> Readers:
        """Look up who can read a channel. Of a direct message only this person is known."""
        ...

    async def guests(self, team: str, people: frozenset[str]) -> frozenset[str]:
        """Return the guests among these people. Guests see only the channels that they are in."""
        ...

    async def history(self, team: str, user: str, spot: Spot, stretch: MessagePage) -> tuple[Heard, ...]:
        """Return messages of a channel between two timestamps, oldest first."""
        ...

    async def answered(self, team: str, user: str, spot: Spot, stretch: MessagePage) -> Listing[Heard]:
        """Return messages from before `since` that were answered after it, oldest first.

        `limit` is how far it looks back: that many messages before `since`, or before `until` if that is earlier.
        """
        ...

    async def thread(self, thread: ThreadKey, stretch: MessagePage) -> tuple[Heard, ...]:
        """Return messages of a thread between two timestamps, oldest first."""
        ...

    async def post(self, team: str, spot: Spot, text: str, key: str, since: str) -> str:
        """Post a message once per `key` and return its address.

        `since` is a ts before the first attempt, empty for the first. After an attempt with an unknown outcome, the
        channel is read before anything is posted again.
        """
        ...

    async def file(self, thread: ThreadKey, name: str, content: bytes, title: str) -> str:
        """Upload a file into a thread and return its address; empty if Slack gives none."""
        ...
