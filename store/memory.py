"""The store's twin in memory, for trying out and for tests. It passes the same contract and forgets at exit.

Nothing here awaits, so each call is atomic; time comes from the clock it is given.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from app.core.errors import LostConversation
from app.core.events import MessagePosted, SlackEvent
from app.core.model import Conversation, Message, MessageStatus, Step, ThreadKey
from app.ports import Clock, InboxRow, Taken
from store.store import Store

LONG_AGO = datetime.fromtimestamp(0, UTC)
KEPT_WHEN_DONE = timedelta(hours=48)


@dataclass(slots=True)
class _Work:
    row: InboxRow
    hidden_until: datetime = LONG_AGO


@dataclass(slots=True)
class _Kept:
    state: Conversation
    held: bool = False
    lease_until: datetime = LONG_AGO
    rows: dict[int, Message] = field(default_factory=dict[int, Message])


@dataclass(slots=True)
class _Memory:
    clock: Clock
    open: dict[str, _Work] = field(default_factory=dict[str, _Work])
    parked: dict[str, InboxRow] = field(default_factory=dict[str, InboxRow])
    done: dict[str, datetime] = field(default_factory=dict[str, datetime])
    conversations: dict[ThreadKey, _Kept] = field(default_factory=dict[ThreadKey, _Kept])

    def by_age(self) -> list[_Work]:
        return sorted(self.open.values(), key=lambda work: (work.row.event.at, work.row.receipt))

    def later(self, seconds: float) -> datetime:
        return self.clock.now() + timedelta(seconds=seconds)


def memory_store(clock: Clock) -> Store:
    """Return an empty store."""
    memory = _Memory(clock)
    return Store(inbox=_MemoryInbox(memory), conversations=_MemoryConversations(memory), close=lambda: None)


class _MemoryInbox:
    def __init__(self, memory: _Memory) -> None:
        self._memory = memory

    async def take_in(self, event: SlackEvent) -> Taken:
        memory, receipt = self._memory, event.receipt
        if event.thread not in memory.conversations:
            if not (isinstance(event, MessagePosted) and event.opens):
                return Taken.FOREIGN
            stub = Conversation(id=uuid4().hex, thread=event.thread, owner=event.user)
            memory.conversations[event.thread] = _Kept(stub)
        if receipt in memory.open or receipt in memory.parked or receipt in memory.done:
            return Taken.DUPLICATE
        memory.open[receipt] = _Work(InboxRow(receipt=receipt, event=event, attempts=0))
        return Taken.NEW

    async def open_rows(self, thread: ThreadKey) -> tuple[InboxRow, ...]:
        return tuple(work.row for work in self._memory.by_age() if work.row.event.thread == thread)

    async def done(self, receipts: Collection[str]) -> None:
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


class _MemoryConversations:
    def __init__(self, memory: _Memory) -> None:
        self._memory = memory

    async def claim(self, worker: str, seconds: float, busy: Collection[ThreadKey]) -> Conversation | None:
        now = self._memory.clock.now()
        for work in self._memory.by_age():
            kept = self._memory.conversations[work.row.event.thread]
            if work.hidden_until <= now and kept.lease_until <= now and kept.state.thread not in busy:
                kept.held, kept.lease_until = True, self._memory.later(seconds)
                kept.state = replace(kept.state, fence=kept.state.fence + 1)
                return kept.state
        return None

    async def renew(self, conversation: Conversation, seconds: float) -> bool:
        kept = self._if_ours(conversation)
        if kept is None or not kept.held:
            return False
        kept.lease_until = self._memory.later(seconds)
        return True

    async def release(self, conversation: Conversation) -> None:
        if kept := self._if_ours(conversation):
            kept.held, kept.lease_until = False, LONG_AGO

    async def save(self, step: Step) -> Conversation:
        kept = self._if_ours(step.conversation)
        if kept is None or kept.state.version != step.conversation.version:
            raise LostConversation
        kept.rows |= {message.seq: message for message in step.messages}
        kept.state = replace(step.conversation, version=step.conversation.version + 1)
        return kept.state

    async def record_draft(self, conversation: Conversation, reply: int, text: str, parts: Sequence[str]) -> None:
        kept, row = self._if_ours(conversation), await self.row(conversation, reply)
        if kept is None or row is None:
            raise LostConversation
        text = text if row.status is MessageStatus.STREAMING else row.text
        kept.rows[reply] = replace(row, text=text, parts=tuple(parts))

    async def transcript(self, conversation: Conversation, after: int) -> tuple[Message, ...]:
        rows = self._memory.conversations[conversation.thread].rows
        return tuple(rows[seq] for seq in range(after + 1, conversation.head + 1) if seq in rows)

    async def row(self, conversation: Conversation, seq: int) -> Message | None:
        return next((row for row in await self.transcript(conversation, seq - 1) if row.seq == seq), None)

    async def rows_of(self, conversation: Conversation, ts: str) -> tuple[Message, ...]:
        return tuple(row for row in await self.transcript(conversation, 0) if row.ts == ts)

    async def find(self, thread: ThreadKey) -> Conversation | None:
        kept = self._memory.conversations.get(thread)
        return kept and kept.state

    def _if_ours(self, conversation: Conversation) -> _Kept | None:
        kept = self._memory.conversations[conversation.thread]
        return kept if kept.state.fence == conversation.fence else None
