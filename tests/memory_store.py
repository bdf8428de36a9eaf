"""The store's twin in memory. It passes the same contract suite as MongoDB."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from uuid import uuid4

from app.core.conversation.audit import AuditEvent
from app.core.conversation.conversation import ID_PREFIX, UNCLOSED, Conversation, Message, Transition
from app.core.errors import LostConversation
from app.core.events.heard import MessageDeleted, SlackEvent, find_initial_owner
from app.core.state.decision import Version
from app.core.state.permission import Rule
from app.core.state.status import Status
from app.core.thread import ThreadKey
from app.ports import Acceptance, Claimed, Clock, Entry, InboxRow, KeptFile, Queue
from app.ports.store import Rotated, Store
from store.mongo.claims import find_open_messages
from store.mongo.documents import build_listed_fields, build_saved

LONG_AGO = datetime.fromtimestamp(0, UTC)


class MemoryLedger:
    """Implementation of the `Ledger` port in memory. Entries expire."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._entries: dict[tuple[str, str], tuple[datetime, Entry]] = {}

    async def read(self, team: str, key: str) -> Entry:
        """See `Ledger.read`."""
        until, entry = self._entries.get((team, key), (LONG_AGO, Entry()))
        return entry if self._clock.now() < until else Entry()

    async def exchange(self, team: str, key: str, entry: Entry, seconds: float) -> bool:
        """See `Ledger.exchange`."""
        if (await self.read(team, key)).version != entry.version:
            return False
        until = self._clock.now() + timedelta(seconds=seconds)
        self._entries[team, key] = until, replace(entry, version=entry.version + 1)
        return True

    async def exchange_all(self, team: str, entries: Mapping[str, Entry], seconds: float) -> bool:
        """See `Ledger.exchange_all`."""
        return all([await self.exchange(team, key, entry, seconds) for key, entry in entries.items()])


class MemoryPermissions:
    """Implementation of the `Permissions` port in memory."""

    def __init__(self) -> None:
        self._rules: dict[tuple[str, str, str, str], Rule] = {}
        self._revoked: set[tuple[str, str, str, str]] = set()

    async def list(self, team: str, user: str) -> tuple[Rule, ...]:
        """See `Permissions.of`."""
        return tuple(self._rules[about] for about in sorted(self._rules) if about[:2] == (team, user))

    def people(self) -> set[tuple[str, str]]:
        """Return the people who have rules: team and user."""
        return {(team, user) for team, user, _, _ in self._rules}

    def count(self, team: str) -> int:
        """Return the number of rules in a workspace."""
        return sum(each[0] == team for each in self._rules)

    async def keep(self, rule: Rule, *, unsure: bool = False) -> None:
        """See `Permissions.keep`."""
        about = (rule.team, rule.user, rule.tool, rule.scope)
        is_revoked = unsure and rule.allows and about in self._revoked and about not in self._rules
        if rule.is_newer(self._rules.get(about)) and not is_revoked:
            self._rules[about] = rule

    async def revoke(self, team: str, user: str, tool: str, scope: str) -> bool:
        """See `Permissions.revoke`."""
        about = (team, user, tool, scope)
        if about not in self._rules:
            return False
        self._revoked.add(about)
        del self._rules[about]
        return True

    async def revoke_all(self, team: str, user: str) -> int:
        """See `Permissions.revoke_all`."""
        theirs = [about for about in self._rules if about[:2] == (team, user)]
        return sum([await self.revoke(*about) for about in theirs])


class MemoryOnceFlags:
    """Implementation of the `Places` port in memory."""

    def __init__(self) -> None:
        self._noted: set[tuple[str, str]] = set()

    async def note_once(self, team: str, place: str) -> bool:
        """See `Places.first`."""
        if await self.is_noted(team, place):
            return False
        self._noted.add((team, place))
        return True

    async def is_noted(self, team: str, place: str) -> bool:
        """See `Places.known`."""
        return (team, place) in self._noted


class MemoryVersions:
    """Implementation of the `Versions` port over the versions of each existing conversation, by its id."""

    def __init__(self, kept: Mapping[str, dict[int, Version]]) -> None:
        self._kept = kept

    async def keep(self, conversation: Conversation, version: Version) -> None:
        """See `Versions.keep`."""
        if conversation.id not in self._kept:
            raise LostConversation
        self._kept[conversation.id].setdefault(version.number, version)

    async def amend(self, conversation: Conversation, version: Version) -> None:
        """See `Versions.amend`."""
        if conversation.id not in self._kept:
            raise LostConversation
        if version.number in self._kept[conversation.id]:
            self._kept[conversation.id][version.number] = version

    async def list(self, decision: ThreadKey) -> tuple[Version, ...]:
        """See `Versions.of`."""
        versions = chain.from_iterable(each.values() for each in self._kept.values())
        own = [version for version in versions if version.decision == decision]
        return tuple(sorted(own, key=lambda version: (version.component, version.number)))


class MemoryFiles:
    """Implementation of the `Files` port over the files of each existing conversation, by its id."""

    def __init__(self, kept: Mapping[str, dict[str, tuple[ThreadKey, KeptFile]]]) -> None:
        self._kept = kept

    async def keep(self, conversation: Conversation, kept: KeptFile) -> None:
        """See `Files.keep`."""
        if conversation.id not in self._kept:
            raise LostConversation
        self._kept[conversation.id][kept.file] = conversation.thread, kept

    async def list(self, conversation: Conversation) -> tuple[KeptFile, ...]:
        """See `Files.of`."""
        kept = self._kept.get(conversation.id, {})
        return tuple(kept[file][1] for file in sorted(kept))

    async def forget(self, conversation: Conversation, files: Collection[str]) -> None:
        """See `Files.forget`."""
        for file in files:
            self._kept.get(conversation.id, {}).pop(file, None)

    async def threads_of(self, team: str, file: str) -> tuple[ThreadKey, ...]:
        """See `Files.threads_of`."""
        threads = (kept[file][0] for kept in self._kept.values() if file in kept)
        return tuple(
            sorted((each for each in threads if each.team == team), key=lambda each: (each.channel, each.root))
        )


KEPT_WHEN_DONE = timedelta(hours=48)


@dataclass(slots=True)
class _Work:
    row: InboxRow
    hidden_until: datetime = LONG_AGO


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStore(Store):
    """The in-memory store with the audit log, which no port reads, by the events' ids."""

    audit: dict[str, AuditEvent]


@dataclass(slots=True)
class _Row:
    fence: int
    message: Message


@dataclass(slots=True)
class _Kept:
    state: Conversation
    held: bool = False
    lease_until: datetime = LONG_AGO
    rows: dict[int, _Row] = field(default_factory=dict[int, _Row])
    trail: dict[str, AuditEvent] = field(default_factory=dict[str, AuditEvent])


@dataclass(slots=True)
class _Listener:
    team: str
    heard: Callable[[ThreadKey, str], None]


@dataclass(slots=True)
class _Memory:
    clock: Clock
    open: dict[str, _Work] = field(default_factory=dict[str, _Work])
    parked: dict[str, InboxRow] = field(default_factory=dict[str, InboxRow])
    done: dict[str, datetime] = field(default_factory=dict[str, datetime])
    conversations: dict[ThreadKey, _Kept] = field(default_factory=dict[ThreadKey, _Kept])
    versions: dict[str, dict[int, Version]] = field(default_factory=dict[str, dict[int, Version]])
    """The versions of each existing conversation, by its id."""
    files: dict[str, dict[str, tuple[ThreadKey, KeptFile]]] = field(
        default_factory=dict[str, dict[str, tuple[ThreadKey, KeptFile]]]
    )
    """The files of each existing conversation, by its id."""
    audit: dict[str, AuditEvent] = field(default_factory=dict[str, AuditEvent])
    listeners: list[_Listener] = field(default_factory=list[_Listener])

    def by_age(self) -> list[_Work]:
        return sorted(self.open.values(), key=lambda work: (work.row.event.at, work.row.receipt))

    def open_rows(self, thread: ThreadKey) -> tuple[InboxRow, ...]:
        return tuple(work.row for work in self.by_age() if work.row.event.thread == thread)

    def later(self, seconds: float) -> datetime:
        return self.clock.now() + timedelta(seconds=seconds)

    def tell(self, thread: ThreadKey, receipt: str) -> None:
        for listener in tuple(self.listeners):
            if listener.team == thread.team:
                listener.heard(thread, receipt)


def memory_store(clock: Clock) -> MemoryStore:
    """Return an empty store."""
    memory = _Memory(clock)
    permissions = MemoryPermissions()
    return MemoryStore(
        inbox=_MemoryInbox(memory),
        conversations=_MemoryConversations(memory),
        versions=MemoryVersions(memory.versions),
        files=MemoryFiles(memory.files),
        permissions=permissions,
        signals=_MemoryChangeFeed(memory),
        places=MemoryOnceFlags(),
        pacing=MemoryLedger(clock),
        limits=MemoryLedger(clock),
        upkeep=_MemoryUpkeep(memory, permissions),
        generation=_MemoryGeneration(),
        close=lambda: None,
        audit=memory.audit,
    )


class _MemoryInbox:
    def __init__(self, memory: _Memory) -> None:
        self._memory = memory

    async def take_in(self, event: SlackEvent) -> Acceptance:
        memory, receipt = self._memory, event.receipt
        if isinstance(event, MessageDeleted) and event.undone and not self._is_here(event.undone):
            memory.done[event.undone] = memory.clock.now()
        if event.thread not in memory.conversations:
            if (owner := find_initial_owner(event)) is None:
                return Acceptance.FOREIGN
            if self._is_here(receipt):
                return Acceptance.DUPLICATE
            stub = Conversation(id=f"{ID_PREFIX}{uuid4().hex}", thread=event.thread, owner=owner)
            memory.conversations[event.thread], memory.versions[stub.id] = _Kept(stub), {}
            memory.files[stub.id] = {}
        if self._is_here(receipt):
            return Acceptance.DUPLICATE
        memory.open[receipt] = _Work(InboxRow(receipt=receipt, event=event, attempts=0))
        memory.tell(event.thread, receipt)
        return Acceptance.NEW

    def _is_here(self, receipt: str) -> bool:
        memory = self._memory
        return receipt in memory.open or receipt in memory.parked or receipt in memory.done

    async def open_rows(self, thread: ThreadKey) -> tuple[InboxRow, ...]:
        return self._memory.open_rows(thread)

    async def close_rows(self, receipts: Collection[str]) -> None:
        memory, now = self._memory, self._memory.clock.now()
        memory.done = {receipt: at for receipt, at in memory.done.items() if now < at + KEPT_WHEN_DONE}
        memory.done |= {receipt: now for receipt in receipts if memory.open.pop(receipt, None)}

    async def count_failure(self, thread: ThreadKey, seconds: float) -> Mapping[str, int]:
        counts: dict[str, int] = {}
        for work in self._memory.open.values():
            if work.row.event.thread == thread:
                work.row = replace(work.row, attempts=work.row.attempts + 1)
                work.hidden_until = self._memory.later(seconds)
                counts[work.row.receipt] = work.row.attempts
        return counts

    async def park(self, receipts: Collection[str]) -> None:
        for receipt in receipts:
            if work := self._memory.open.pop(receipt, None):
                self._memory.parked[receipt] = work.row

    async def queue(self, team: str) -> Queue:
        waiting = [work.row.event for work in self._memory.by_age() if work.row.event.thread.team == team]
        parked = sum(row.event.thread.team == team for row in self._memory.parked.values())
        return Queue(open=len(waiting), parked=parked, oldest=waiting[0].at if waiting else "")


class _MemoryConversations:
    def __init__(self, memory: _Memory) -> None:
        self._memory = memory

    async def claim_some(
        self, team: str, worker: str, seconds: float, busy: Collection[ThreadKey], limit: int
    ) -> tuple[Claimed, ...]:
        now, claims = self._memory.clock.now(), list[Claimed]()
        for work in self._memory.by_age():
            thread = work.row.event.thread
            kept = self._memory.conversations[thread]
            is_free = work.hidden_until <= now and kept.lease_until <= now and thread not in busy
            if len(claims) < limit and thread.team == team and is_free:
                claims.append(Claimed(self._lease(kept, seconds), self._memory.open_rows(thread)))
        return tuple(claims)

    async def claim_thread(self, worker: str, seconds: float, thread: ThreadKey, receipt: str) -> Claimed | None:
        memory, kept = self._memory, self._memory.conversations.get(thread)
        if kept is None or receipt not in memory.open or kept.lease_until > memory.clock.now():
            return None
        return Claimed(self._lease(kept, seconds), memory.open_rows(thread))

    def _lease(self, kept: _Kept, seconds: float) -> Conversation:
        kept.held, kept.lease_until = True, self._memory.later(seconds)
        now = kept.state = replace(kept.state, fence=kept.state.fence + 1)
        for seq in find_open_messages(now) & kept.rows.keys():
            kept.rows[seq].fence = now.fence
        return now

    async def renew(self, conversation: Conversation, seconds: float) -> bool:
        kept = self._if_ours(conversation)
        if kept is None or not kept.held:
            return False
        kept.lease_until = self._memory.later(seconds)
        return True

    async def release(self, conversation: Conversation) -> None:
        if kept := self._if_ours(conversation):
            kept.held, kept.lease_until = False, LONG_AGO
            self._memory.audit |= kept.trail
            kept.trail = {}

    async def save(self, step: Transition, head: int | None = None) -> Conversation:
        now = step.conversation
        kept = self._if_ours(now)
        if kept is None or kept.state.version != now.version:
            raise LostConversation
        kept.rows |= {message.seq: _Row(now.fence, message) for message in step.messages}
        kept.state = build_saved(step, kept.state.head)
        kept.trail |= {f"{now.id}:{kept.state.version}:{index}": event for index, event in enumerate(step.audit)}
        return kept.state

    async def save_and_release(self, conversation: Conversation) -> Conversation:
        saved = await self.save(Transition(conversation=conversation))
        await self.release(saved)
        return saved

    async def erase(self, conversation: Conversation, audit: AuditEvent) -> None:
        memory, now = self._memory, self._memory.clock.now()
        if kept := self._find(conversation):
            memory.audit |= {**kept.trail, f"{conversation.id}:erased:0": audit}
            del memory.conversations[conversation.thread], memory.versions[conversation.id]
            del memory.files[conversation.id]
            opened = {receipt: work.row for receipt, work in memory.open.items()}
            for receipt, row in (opened | memory.parked).items():
                if row.event.thread == conversation.thread:
                    memory.open.pop(receipt, None)
                    memory.parked.pop(receipt, None)
                    memory.done[receipt] = now

    async def record_draft(self, conversation: Conversation, reply: Message) -> None:
        kept = self._find(conversation)
        row = kept.rows.get(reply.seq) if kept else None
        if row is None or reply.seq > conversation.head or row.fence > conversation.fence:
            raise LostConversation
        row.fence = conversation.fence
        if reply.status not in UNCLOSED or row.message.status in UNCLOSED:
            row.message = reply

    async def transcript(self, conversation: Conversation, after: int) -> tuple[Message, ...]:
        kept = self._find(conversation)
        rows = kept.rows if kept else {}
        return tuple(rows[seq].message for seq in range(after + 1, conversation.head + 1) if seq in rows)

    async def row(self, conversation: Conversation, seq: int) -> Message | None:
        return next((row for row in await self.transcript(conversation, seq - 1) if row.seq == seq), None)

    async def rows_of(self, conversation: Conversation, ts: str) -> tuple[Message, ...]:
        return tuple(row for row in await self.transcript(conversation, 0) if row.ts == ts)

    async def threads_of(self, team: str, ts: str) -> tuple[ThreadKey, ...]:
        found = (
            thread
            for thread, kept in self._memory.conversations.items()
            if thread.team == team and any(row.message.ts == ts for row in kept.rows.values())
        )
        return tuple(sorted(found, key=lambda each: (each.channel, each.root)))

    async def find(self, thread: ThreadKey) -> Conversation | None:
        kept = self._memory.conversations.get(thread)
        return kept and kept.state

    async def of_owner(self, team: str, owner: str, limit: int = 100) -> tuple[Conversation, ...]:
        mine = [state for _, state in self._by("active_at", team) if state.owner == owner]
        return tuple(reversed(mine))[:limit]

    async def quiet_since(self, team: str, moment: datetime, limit: int = 50) -> tuple[Conversation, ...]:
        return tuple(state for time, state in self._by("quiet_from", team) if time <= moment)[:limit]

    async def silent_since(
        self, team: str, moment: datetime, passed: int = 0, limit: int = 50
    ) -> tuple[Conversation, ...]:
        still = (Status.ACTIVE, Status.WAITING_INPUT)
        found = [state for time, state in self._by("active_at", team) if time <= moment and state.status in still]
        return tuple(found[passed : passed + limit])

    async def ended(self, team: str, moment: datetime, limit: int = 50) -> tuple[Conversation, ...]:
        return tuple(state for time, state in self._by("ends_at", team) if time <= moment)[:limit]

    async def due(self, team: str, moment: datetime, limit: int = 5) -> tuple[Conversation, ...]:
        return tuple(state for time, state in self._by("next_run_at", team) if time <= moment)[:limit]

    def _by(self, field: str, team: str) -> list[tuple[datetime, Conversation]]:
        states = [kept.state for thread, kept in self._memory.conversations.items() if thread.team == team]
        timed = [(found[field], state) for state in states if field in (found := build_listed_fields(state))]
        return sorted(timed, key=lambda each: (each[0], each[1].thread.root))

    def _find(self, conversation: Conversation) -> _Kept | None:
        kept = self._memory.conversations.get(conversation.thread)
        return kept if kept and kept.state.id == conversation.id else None

    def _if_ours(self, conversation: Conversation) -> _Kept | None:
        kept = self._find(conversation)
        return kept if kept and kept.state.fence == conversation.fence else None


class _MemoryUpkeep:
    def __init__(self, memory: _Memory, permissions: MemoryPermissions) -> None:
        self._memory, self._permissions = memory, permissions

    async def find(self, id_: str) -> Conversation | None:
        return next((kept.state for kept in self._memory.conversations.values() if kept.state.id == id_), None)

    async def owners(self) -> tuple[tuple[str, str], ...]:
        kept = (kept.state for kept in self._memory.conversations.values())
        return tuple(sorted({(state.thread.team, state.owner) for state in kept}))

    async def owned_by(self, user: str) -> tuple[Conversation, ...]:
        theirs = (kept.state for kept in self._memory.conversations.values() if kept.state.owner == user)
        bare = (Conversation(id=state.id, thread=state.thread, owner=user) for state in theirs)
        return tuple(sorted(bare, key=lambda each: (each.thread.team, each.thread.root)))

    async def is_empty(self) -> bool:
        return not (self._memory.conversations or self._memory.open)

    async def people(self) -> tuple[tuple[str, str], ...]:
        return tuple(sorted({*await self.owners(), *self._permissions.people()}))

    async def rules(self, team: str) -> int:
        return self._permissions.count(team)

    async def park_all(self) -> int:
        opened = {receipt: work.row for receipt, work in self._memory.open.items()}
        self._memory.parked |= opened
        self._memory.open.clear()
        return len(opened)

    async def rotate_keys(self) -> Rotated:
        return Rotated()  # nothing is sealed here


class _MemoryGeneration:
    """Generation of a store that forgets everything at exit, so that no older copy of it exists."""

    async def advance(self) -> None: ...

    async def catch_up(self) -> None: ...


class _MemoryChangeFeed:
    def __init__(self, memory: _Memory) -> None:
        self._memory = memory

    async def listen(self, team: str, heard: Callable[[ThreadKey, str], None]) -> None:
        listener = _Listener(team, heard)
        self._memory.listeners.append(listener)
        try:
            await asyncio.Event().wait()
        finally:
            self._memory.listeners.remove(listener)
