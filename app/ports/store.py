"""What is kept, and what is shared by all processes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from app.core.audit import AuditEvent
from app.core.decisions import Version
from app.core.events import SlackEvent
from app.core.model import Conversation, Message, Step
from app.core.permissions import Rule
from app.core.thread import ThreadKey


class Taken(StrEnum):
    """What became of an event at the door."""

    NEW = "new"
    DUPLICATE = "duplicate"
    """We have it already: the receipt exists."""
    FOREIGN = "foreign"
    """A reply in a thread that is not ours: nothing was stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxRow:
    """An event that was taken in and is not finished with."""

    receipt: str
    event: SlackEvent
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """How much waits in the inbox."""

    open: int = 0
    parked: int = 0
    oldest: str = ""
    """When the oldest open one happened, as Slack's ts; empty if none is open."""


class Inbox(Protocol):
    """Every event from Slack, before it is acknowledged. Raises `StoreUnavailable`."""

    async def take_in(self, event: SlackEvent) -> Taken:
        """Keep an event under its receipt, durably, once.

        An event that `opens` first creates the stub of its conversation (if there is none), owned by its user; any
        other event is kept only where the stub exists.
        """
        ...

    async def open_rows(self, thread: ThreadKey) -> tuple[InboxRow, ...]:
        """All open rows of one thread in order of Slack's ts.

        A row that cannot be opened is reported in the log and parked, so that it does not keep back the others. One of
        a kind that this version does not know is reported, left out and let be for a minute: a newer one will read it.
        """
        ...

    async def done(self, receipts: Collection[str]) -> None:
        """Close rows; they are kept for 48 hours so that a late redelivery is still recognised."""
        ...

    async def count_failure(self, thread: ThreadKey, seconds: float) -> Mapping[str, int]:
        """Count a failed attempt of all open rows of a thread and let nobody claim it for them for a while.

        Returns how often each receipt has failed. Does not read the rows' content.
        """
        ...

    async def park(self, receipts: Collection[str]) -> None:
        """Give these rows up: they stay for people to look at, and are no work any more."""
        ...

    async def queue(self, team: str) -> Queue:
        """How much waits for a team, whoever works on it."""
        ...


class Conversations(Protocol):
    """Conversations, their leases and transcripts. Raises `StoreUnavailable`; for a stale fence `LostConversation`."""

    async def claim(self, team: str, worker: str, seconds: float, busy: Collection[ThreadKey]) -> Conversation | None:
        """Lease the conversation of the team's oldest open inbox row that nobody holds; return it with its new fence.

        Threads in `busy` are passed over. None if there is no such work. A conversation that cannot be opened is
        reported in the log and let be for a while.
        """
        ...

    async def renew(self, conversation: Conversation, seconds: float) -> bool:
        """Prolong the lease. False if it is no longer ours."""
        ...

    async def release(self, conversation: Conversation) -> None:
        """End the lease now, if it is still ours, and hand the audit events of its steps over to the audit trail."""
        ...

    async def save(self, step: Step) -> Conversation:
        """Write rows of the transcript, then the conversation with the step's audit, if version and fence still match.

        Returns it with the new version. Raises `LostConversation` otherwise, with nothing committed.
        """
        ...

    async def erase(self, conversation: Conversation, audit: AuditEvent) -> None:
        """Forget it for good: key, state, transcript and the content of its inbox rows. The trail keeps `audit`.

        Needs no lease: whoever holds it loses it. What was broken off is finished by doing it again, by the next claim
        that meets its rows, or at the next start.
        """
        ...

    async def record_draft(self, conversation: Conversation, reply: Message) -> None:
        """Keep what a reply that is being written shows so far, and in which Slack messages: its row with both.

        Not a new version. A draft of a streaming reply changes nothing where that reply is closed already. Raises
        `LostConversation` if somebody else has claimed the conversation while this reply was being written.
        """
        ...

    async def transcript(self, conversation: Conversation, after: int) -> tuple[Message, ...]:
        """The committed rows beyond `after`, in order."""
        ...

    async def row(self, conversation: Conversation, seq: int) -> Message | None:
        """One committed row."""
        ...

    async def rows_of(self, conversation: Conversation, ts: str) -> tuple[Message, ...]:
        """The committed rows that hold what this Slack message of a person says and said, oldest first."""
        ...

    async def find(self, thread: ThreadKey) -> Conversation | None:
        """Look without leasing."""
        ...

    async def of_owner(self, team: str, owner: str, limit: int = 100) -> tuple[Conversation, ...]:
        """The conversations that somebody owns, the one with the newest message first; read-only, erased ones left out.

        One that cannot be opened is left out.
        """
        ...

    async def quiet_since(self, team: str, moment: datetime, limit: int = 50) -> tuple[Conversation, ...]:
        """Those whose goal is being worked on, that wait for nobody, and whose newest message is not after `moment`."""
        ...

    async def silent_since(
        self, team: str, moment: datetime, passed: int = 0, limit: int = 50
    ) -> tuple[Conversation, ...]:
        """Those that are open, have no schedule and whose newest message is not after `moment`, the oldest first.

        As many as `passed` are left out at the beginning; fewer than `limit` means that there are no more.
        """
        ...

    async def ended(self, team: str, moment: datetime, limit: int = 50) -> tuple[Conversation, ...]:
        """Those in the archive whose time to be erased is not after `moment`, the oldest first."""
        ...

    async def due(self, team: str, moment: datetime, limit: int = 5) -> tuple[Conversation, ...]:
        """Those in the background whose next run is not after `moment`, the longest due first.

        One whose run is under way is left out: it would take the place of another, and is refused anyway (I4).
        """
        ...


class Versions(Protocol):
    """Approved results of steps, each kept for good. Raises `StoreUnavailable`."""

    async def keep(self, conversation: Conversation, version: Version) -> None:
        """Keep a version of this conversation's step, sealed by its key. The first one of a number stays.

        Raises `LostConversation` if the conversation was erased.
        """
        ...

    async def amend(self, conversation: Conversation, version: Version) -> None:
        """Put a version in place of the one with its number, for words that may be kept no more; nothing without one.

        Raises `LostConversation` if the conversation was erased.
        """
        ...

    async def of(self, decision: ThreadKey) -> tuple[Version, ...]:
        """All versions of all steps of a decision, by component and number; those of erased steps are left out."""
        ...


class Permissions(Protocol):
    """What people have allowed or forbidden for good. Raises `StoreUnavailable`."""

    async def of(self, team: str, user: str) -> tuple[Rule, ...]:
        """All rules of a person, by tool and scope."""
        ...

    async def keep(self, rule: Rule) -> None:
        """Keep a rule, in place of the one that this person had for the same tool and scope."""
        ...

    async def revoke(self, team: str, user: str, tool: str, scope: str) -> bool:
        """Forget a rule. False if there is none."""
        ...


class Places(Protocol):
    """What was done once in a place: a channel, somebody's messages, somebody's Home. Raises `StoreUnavailable`."""

    async def first(self, team: str, place: str) -> bool:
        """Note that it was done there. True for one caller only, ever."""
        ...

    async def known(self, team: str, place: str) -> bool:
        """True if it was done there before."""
        ...


class Signals(Protocol):
    """What other processes do, as it happens. Best effort: whoever listens looks for itself from time to time too."""

    async def listen(self, team: str, heard: Callable[[ThreadKey], None]) -> None:
        """Tell of every thread of the team that any process has taken something in for.

        Runs until cancelled; outlasts outages.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Some named lists of numbers. `version` 0 is what does not exist yet."""

    numbers: Mapping[str, tuple[float, ...]] = field(default_factory=dict[str, tuple[float, ...]])
    version: int = 0


class Ledger(Protocol):
    """Numbers that all processes share, changed by compare-and-set. Raises `StoreUnavailable`."""

    async def read(self, team: str, key: str) -> Entry:
        """The entry; an empty one of version 0 if there is none."""
        ...

    async def exchange(self, team: str, key: str, entry: Entry, seconds: float) -> bool:
        """Write these numbers if the stored version is still `entry.version`, which then grows by one.

        False, and nothing is changed, if it is not. The entry is forgotten `seconds` after its last exchange, or a
        little later, and its versions then begin anew: an entry that was read longer ago must be read again.
        """
        ...
