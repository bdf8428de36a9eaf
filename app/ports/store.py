"""The ports to the store, which all processes share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from app.core.conversation.audit import AuditEvent
from app.core.conversation.conversation import Conversation, Message, Transition
from app.core.events.heard import SlackEvent
from app.core.state.decision import Version
from app.core.state.permission import Rule
from app.core.thread import ThreadKey


class Acceptance(StrEnum):
    """The outcome of accepting an event."""

    NEW = "new"
    DUPLICATE = "duplicate"
    """Its receipt exists already."""
    FOREIGN = "foreign"
    """A reply in a thread that the app does not own. Nothing was stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxRow:
    """An event that was accepted and is not finished."""

    receipt: str
    event: SlackEvent
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """Size and age of the inbox."""

    open: int = 0
    parked: int = 0
    oldest: str = ""
    """Slack's ts of the oldest open event; empty if none is open."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A conversation that was leased."""

    conversation: Conversation
    rows: tuple[InboxRow, ...] | None = None
    """Its open inbox rows as `Inbox.open_rows` gives them, read just before the lease; None if they must be read.

    Nobody held it in between, so none of them is closed.
    """


class Inbox(Protocol):
    """Store of every event from Slack before it is acknowledged. Raises `StoreUnavailable`."""

    async def take_in(self, event: SlackEvent) -> Acceptance:
        """Store an event durably under its receipt, once.

        An event that `opens` creates the stub of its conversation, owned by its user, unless there is one. Any other
        event is stored only if the stub exists.

        A deletion that overtakes its message closes the receipt of that, in any thread: when the message comes, it is
        a duplicate and begins nothing.
        """
        ...

    async def open_rows(self, thread: ThreadKey) -> tuple[InboxRow, ...]:
        """Return all open rows of one thread in order of Slack's ts.

        A row that cannot be decrypted is logged and parked, so that it does not block the others. A row of a kind that
        this version does not know is logged and left out for a minute: a newer version will read it.
        """
        ...

    async def close_rows(self, receipts: Collection[str]) -> None:
        """Close rows. Their receipts are kept for 48 hours, so that a late redelivery is recognised."""
        ...

    async def count_failure(self, thread: ThreadKey, seconds: float) -> Mapping[str, int]:
        """Count a failed attempt of all open rows of a thread, and hide them from claims for some time.

        Return the number of failures of each receipt. Does not read the rows' content.
        """
        ...

    async def park(self, receipts: Collection[str]) -> None:
        """Park these rows. They stay for the operator, and no worker tries them again."""
        ...

    async def queue(self, team: str) -> Queue:
        """Return the size of a team's inbox, over all processes."""
        ...


class ConversationReader(Protocol):
    """What can be read of conversations without a lease. Raises `StoreUnavailable`."""

    async def row(self, conversation: Conversation, seq: int) -> Message | None:
        """Return one committed row, or None."""
        ...

    async def threads_of(self, team: str, ts: str) -> tuple[ThreadKey, ...]:
        """Return the threads whose conversations have a row of the Slack message with this ts, in order.

        A row that is just being committed counts, so that nothing is missed about it.
        """
        ...

    async def find(self, thread: ThreadKey) -> Conversation | None:
        """Return a thread's conversation without leasing it, or None."""
        ...

    async def of_owner(self, team: str, owner: str, limit: int = 100) -> tuple[Conversation, ...]:
        """Return a person's conversations without leasing them, the one with the newest message first.

        Erased conversations, and those that cannot be decrypted, are left out.
        """
        ...


class Conversations(ConversationReader, Protocol):
    """Store of conversations, leases and transcripts. Raises `StoreUnavailable`.

    A call with a stale fence raises `LostConversation`.
    """

    async def claim_some(
        self, team: str, worker: str, seconds: float, busy: Collection[ThreadKey], limit: int
    ) -> tuple[Claimed, ...]:
        """Lease the conversations of up to `limit` of the team's open inbox rows that no one holds, the oldest first.

        Return them with their new fences. Threads in `busy` are skipped. A result shorter than `limit` means that there
        were no more. A conversation that cannot be decrypted is logged and skipped for some time.
        """
        ...

    async def claim_thread(self, worker: str, seconds: float, thread: ThreadKey, receipt: str) -> Claimed | None:
        """Do as `claim_some` for the thread of the newest event that this process has accepted there, without a search.

        Return None if somebody holds it, or it is not known what waits there. `claim_some` then finds it in its time.
        """
        ...

    async def renew(self, conversation: Conversation, seconds: float) -> bool:
        """Prolong the lease. Return False if it is lost."""
        ...

    async def release(self, conversation: Conversation) -> None:
        """End the lease now, unless it is lost, and move the audit events of its transitions to the audit log."""
        ...

    async def save(self, step: Transition, head: int | None = None) -> Conversation:
        """Write rows of the transcript, then the conversation with its audit events, if version and fence still match.

        `head` is the number of rows committed so far, from a caller whose lease is certain and whose last save has
        succeeded. Without it the store first checks version and fence, so that a writer that was paused writes no row.
        Return the conversation with its new version. Otherwise raise `LostConversation`, with nothing committed.
        """
        ...

    async def save_and_release(self, conversation: Conversation) -> Conversation:
        """Save a state that adds neither rows nor audit events, and end its lease with the same write.

        Otherwise as `save` and `release`: raise `LostConversation` if version or fence do not match.
        """
        ...

    async def erase(self, conversation: Conversation, audit: AuditEvent) -> None:
        """Erase key, state, transcript and the content of inbox rows. The audit log keeps `audit`.

        Needs no lease: the present holder loses it. An interrupted erasure is finished by a repeated call, by the next
        claim that finds its rows, or at the next start.
        """
        ...

    async def record_draft(self, conversation: Conversation, reply: Message) -> None:
        """Store the present text and Slack messages of a live reply in its row.

        This makes no new version. A row with a status in `UNCLOSED` changes nothing if the reply is closed already; any
        other is stored as it is given. Raise `LostConversation` if another process has claimed the conversation since.
        """
        ...

    async def transcript(self, conversation: Conversation, after: int) -> tuple[Message, ...]:
        """Return the committed rows beyond `after`, in order."""
        ...

    async def rows_of(self, conversation: Conversation, ts: str) -> tuple[Message, ...]:
        """Return the committed rows of a person's Slack message and of its edits, oldest first."""
        ...

    async def quiet_since(self, team: str, moment: datetime, limit: int = 50) -> tuple[Conversation, ...]:
        """Return conversations with a goal in progress that wait for no one and have no message after `moment`."""
        ...

    async def silent_since(
        self, team: str, moment: datetime, passed: int = 0, limit: int = 50
    ) -> tuple[Conversation, ...]:
        """Return open conversations without a schedule and without a message after `moment`, the oldest first.

        The first `passed` are skipped. A result shorter than `limit` is the last one.
        """
        ...

    async def ended(self, team: str, moment: datetime, limit: int = 50) -> tuple[Conversation, ...]:
        """Return archived conversations whose erasure is due at `moment`, the oldest first."""
        ...

    async def due(self, team: str, moment: datetime, limit: int = 5) -> tuple[Conversation, ...]:
        """Return conversations with a run that is due at `moment`, the longest due first.

        A conversation with a run in progress is left out: two runs at once are refused, and it would displace another.
        """
        ...


class Versions(Protocol):
    """Store of the approved results of steps. Raises `StoreUnavailable`."""

    async def keep(self, conversation: Conversation, version: Version) -> None:
        """Store a version of this conversation's step, encrypted with its key. The first version of a number stays.

        Raise `LostConversation` if the conversation was erased.
        """
        ...

    async def amend(self, conversation: Conversation, version: Version) -> None:
        """Replace the version of this number, if there is one, for example without a message that was deleted.

        Raise `LostConversation` if the conversation was erased.
        """
        ...

    async def list(self, decision: ThreadKey) -> tuple[Version, ...]:
        """Return all versions of all steps of a decision, by component and number, without those of erased steps."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFile:
    """A file as the model is sent it."""

    file: str
    """Slack's id."""
    content: str
    """The API's content blocks as JSON, byte for byte as they were sent; empty if they are no longer sent."""
    tokens: int
    """How many tokens they cost, as an estimate."""
    problem: str = ""
    """What people were told if it could not be read, and `content` says so."""
    gap: str = ""
    """What people are told of a file of which the model is not sent all."""
    passing: bool = False
    """True if it may be read at another time, so that it is fetched again when its owner asks again."""
    name: str = ""
    kind: str = ""
    """`FileKind` of what was read; empty if it was not."""
    text: str = ""
    """`FileContent.words`. Figures in it count as said, so it is kept as long as the file is."""


class Files(Protocol):
    """Store of what was read of the files in a conversation. Raises `StoreUnavailable`."""

    async def keep(self, conversation: Conversation, kept: KeptFile) -> None:
        """Store a file in pieces, encrypted with the conversation's key, in place of the one with its id.

        Raise `LostConversation` if the conversation was erased.
        """
        ...

    async def list(self, conversation: Conversation) -> tuple[KeptFile, ...]:
        """Return the files of a conversation, by id, without those of which a piece is missing or unreadable."""
        ...

    async def forget(self, conversation: Conversation, files: Collection[str]) -> None:
        """Erase these files of the conversation."""
        ...

    async def threads_of(self, team: str, file: str) -> tuple[ThreadKey, ...]:
        """Return the threads that keep something of a file, in order."""
        ...


class Permissions(Protocol):
    """Store of people's permission rules. Raises `StoreUnavailable`."""

    async def list(self, team: str, user: str) -> tuple[Rule, ...]:
        """Return all rules of a person, by tool and scope."""
        ...

    async def keep(self, rule: Rule, *, unsure: bool = False) -> None:
        """Store a rule in place of this person's rule for the same tool and scope, unless that is newer.

        If it may have been stored already (`unsure`), one that allows does not come back after it was revoked.
        """
        ...

    async def revoke(self, team: str, user: str, tool: str, scope: str) -> bool:
        """Delete a rule. Return False if there is none."""
        ...

    async def revoke_all(self, team: str, user: str) -> int:
        """Delete all rules of a person, also those that cannot be decrypted. Return their number."""
        ...


class OnceFlags(Protocol):
    """Store of what was done once in a channel, in a direct message or on a Home. Raises `StoreUnavailable`."""

    async def note_once(self, team: str, place: str) -> bool:
        """Note that it was done in this place. Return True to a single caller, ever."""
        ...

    async def is_noted(self, team: str, place: str) -> bool:
        """Return True if it was done in this place before."""
        ...


class ChangeFeed(Protocol):
    """Change feed of the other processes. It is best effort: listeners poll from time to time, too."""

    async def listen(self, team: str, heard: Callable[[ThreadKey, str], None]) -> None:
        """Report thread and receipt of every event of the team that any process has accepted.

        Runs until cancelled, through outages.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Some named lists of numbers. Version 0 is an entry that does not exist yet."""

    numbers: Mapping[str, tuple[float, ...]] = field(default_factory=dict[str, tuple[float, ...]])
    version: int = 0


class Ledger(Protocol):
    """Store of numbers that all processes share, changed by compare-and-set. Raises `StoreUnavailable`."""

    async def read(self, team: str, key: str) -> Entry:
        """Return the entry; an empty one of version 0 if there is none."""
        ...

    async def exchange(self, team: str, key: str, entry: Entry, seconds: float) -> bool:
        """Write these numbers and increment the version, if the stored version is still `entry.version`.

        Return False if not. The entry expires `seconds` after its last exchange or a little later, and its versions
        then restart. An entry that was read longer ago must be read again.
        """
        ...

    async def exchange_all(self, team: str, entries: Mapping[str, Entry], seconds: float) -> bool:
        """Do as `exchange` for each of these entries. Return False if one was not written; others may be."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotated:
    """Result of a key rotation. If `strange` is 0, no key needs an older master key."""

    renewed: int = 0
    current: int = 0
    """Keys that the first master key had sealed already."""
    strange: int = 0
    """Keys that none of the given master keys opens."""


class Generation(Protocol):
    """Detector of a database that was restored from an older copy. Raises `StoreUnavailable`."""

    async def advance(self) -> None:
        """Raise the generation by one.

        Raise `SettingsError` if the database is older than the generation known elsewhere.
        """
        ...

    async def catch_up(self) -> None:
        """Accept a restored database, in which no event is open, as the newest."""
        ...


class Upkeep(Protocol):
    """Actions of an operator. Raises `StoreUnavailable`."""

    async def find(self, id_: str) -> Conversation | None:
        """Return thread and owner of the conversation with this id, without decrypting it."""
        ...

    async def owners(self) -> tuple[tuple[str, str], ...]:
        """Return every owner of a conversation: team and user, in order."""
        ...

    async def owned_by(self, user: str) -> tuple[Conversation, ...]:
        """Return thread and owner of each conversation of a person, in order, without decrypting any."""
        ...

    async def is_empty(self) -> bool:
        """Return True if nothing that people wrote was ever stored here."""
        ...

    async def people(self) -> tuple[tuple[str, str], ...]:
        """Return every owner of a conversation or a permission rule: team and user, in order."""
        ...

    async def rules(self, team: str) -> int:
        """Return the number of permission rules in a workspace."""
        ...

    async def park_all(self) -> int:
        """Park every unfinished event, so that no worker tries it by itself. Return their number."""
        ...

    async def rotate_keys(self) -> Rotated:
        """Seal every key with the first master key, also while other processes work.

        An interrupted rotation is resumed.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """An open store. After `close` it must not be used."""

    inbox: Inbox
    conversations: Conversations
    versions: Versions
    files: Files
    permissions: Permissions
    signals: ChangeFeed
    places: OnceFlags
    pacing: Ledger
    """May lose its last moments in a crash of MongoDB."""
    limits: Ledger
    upkeep: Upkeep
    generation: Generation
    close: Callable[[], None]
