"""The lease of a conversation: one writer at a time, and a check of it around each write to Slack."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

import structlog

from app.clock import format_ts
from app.core.conversation.conversation import UNCLOSED, Conversation, Message, MessageStatus, Transition
from app.core.conversation.effect import Effect
from app.core.conversation.facts import NO_FACTS, Facts
from app.core.errors import LostConversation, Retryable, StoreUnavailable
from app.core.events.heard import Event
from app.core.machine import apply
from app.ports import Clock, Conversations, Watch
from app.ports.watch import UNWATCHED

T = TypeVar("T")

log = structlog.get_logger(__name__)


REMEMBERED = 60.0
"""Seconds for which rows are remembered: as long as a process uses the key of a conversation erased by another one."""

LARGEST = 4_000_000
"""Characters of all rows that are remembered."""

ROW_OVERHEAD = 1_000
"""Characters that a row counts beside its words: about what its other fields take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseTimes:
    """Times of a lease, in seconds.

    `margin` is the time after which any Slack write has ended. A Slack write starts only with that much of the lease
    left. A new holder waits that long before its first write to a Slack message of another holder.
    """

    lease: float = 6.0
    heartbeat: float = 1.5
    margin: float = 4.0


class HeldConversation:
    """A leased conversation, kept current. `conversation` is always the last saved state."""

    def __init__(
        self,
        conversation: Conversation,
        store: Conversations,
        clock: Clock,
        times: LeaseTimes,
        watch: Watch = UNWATCHED,
    ) -> None:
        self.conversation = conversation
        self.lost = asyncio.Event()
        self.writing = asyncio.Lock()
        """Held while the state is saved, so that no save comes between the read and the write of a message."""
        self.performed: set[str] = set()
        """Ids of effects that were performed, and that the next save takes out of the state."""
        self._store, self._clock, self._times, self._watch = store, clock, times, watch
        self._until = clock.monotonic() + times.lease
        self._is_current = True
        """False while it is unknown whether a save has succeeded."""
        self._is_ending = False
        """True from when the lease begins to be ended here: that it cannot be renewed is then no loss."""
        self.is_released = False
        self._rows: dict[int, Message] = {}
        """Committed rows as they are stored: read or written under this lease, or remembered from the last one."""
        self._writes = 0
        """Rises when a write begins and when it ends: what was read across one is not kept."""

    @property
    def at(self) -> str:
        """Return the current time as Slack's ts."""
        return format_ts(self._clock.now())

    async def change(self, change: Callable[[Conversation], Transition]) -> Transition:
        """Commit the transition that a function of the state returns, and return it. The state cannot change meanwhile.

        The function sees the state without the effects that were performed. Raise `LostConversation` and
        `StoreUnavailable`, and any exception of the function.
        """
        async with self.writing:
            performed = frozenset(self.performed)
            made = change(self.conversation.without_effect(*performed))
            head = self.conversation.head if self._is_current and self._is_certain else None
            self._is_current = False
            self._forget(made.messages)
            self.conversation = await self._store.save(made, head)
            self._writes += 1
            self._is_current = True
            self.performed -= performed
            self._rows |= {row.seq: row for row in made.messages}
        self._watch.note_saved(made)
        return made

    async def row(self, seq: int) -> Message | None:
        """Return a committed row. A known one is not read again."""
        return self._rows.get(seq) or await self._store.row(self.conversation, seq)

    async def transcript(self, after: int) -> tuple[Message, ...]:
        """Return the committed rows beyond `after`, in order. If all of them are known, none is read again."""
        known = tuple(self._rows[seq] for seq in range(after + 1, self.conversation.head + 1) if seq in self._rows)
        if len(known) == self.conversation.head - after:
            return known
        writes = self._writes
        rows = await self._store.transcript(self.conversation, after)
        if writes == self._writes:
            self._rows |= {row.seq: row for row in rows}
        return rows

    async def record_draft(self, row: Message) -> None:
        """See `Conversations.record_draft`."""
        self._forget((row,))
        await self._store.record_draft(self.conversation, row)
        self._writes += 1
        if row.status not in UNCLOSED:
            self._rows[row.seq] = row

    def _forget(self, rows: Iterable[Message]) -> None:
        """Forget rows that are about to be written. If the write fails, nobody knows what is stored."""
        self._writes += 1
        for row in rows:
            self._rows.pop(row.seq, None)

    def recall(self, rows: Mapping[int, Message]) -> None:
        """Take over rows that are known to be stored like this."""
        self._rows |= rows

    @property
    def known_rows(self) -> Mapping[int, Message]:
        """Return the committed rows that are known here; none if the lease was lost or a save may have failed."""
        return self._rows if self._is_current and not self.lost.is_set() else {}

    async def apply(self, event: Event, cause: str, facts: Facts = NO_FACTS) -> None:
        """Apply and commit an event that the program itself detected."""
        await self.change(lambda now: apply.apply(now, event, cause, facts))

    async def finish_effect(self, effect: Effect) -> None:
        """Commit that an effect is out of the state."""
        await self.change(lambda now: Transition(conversation=now.without_effect(effect.id)))

    async def save_performed(self) -> None:
        """Commit that these effects have been performed, if there are any."""
        if self.performed:
            await self.change(lambda now: Transition(conversation=now))

    async def save_and_release(self) -> None:
        """Commit that the last effects were performed, and end the lease with the same write."""
        async with self.writing:
            performed = frozenset(self.performed)
            made = Transition(conversation=self.conversation.without_effect(*performed))
            self._is_current, self._is_ending = False, True
            self.conversation = await self._store.save_and_release(made.conversation)
            self._is_current = self.is_released = True
            self.performed -= performed
        self._watch.note_saved(made)

    def lose(self) -> None:
        """Record that another process has the lease."""
        if not self.lost.is_set():
            self.lost.set()
            self._watch.lost()

    def check(self) -> None:
        """Raise `LostConversation` unless a Slack write may start now.

        Raise `StoreUnavailable` while that is unknown.
        """
        if self.lost.is_set():
            raise LostConversation
        if not self._is_certain:
            raise StoreUnavailable("the lease could not be renewed in time")

    @property
    def _is_certain(self) -> bool:
        """Return True while the lease is certain to last for what begins now."""
        return not self.lost.is_set() and self._clock.monotonic() <= self._until - self._times.margin

    async def outlast(self, act: Callable[[], Awaitable[T]]) -> T:
        """Call a function, waiting while MongoDB is away and keeping the lease: an outage is no failed attempt."""
        while True:
            try:
                return await act()
            except Retryable as error:
                log.warning("work_put_off", error=type(error).__name__, seconds=error.after)
                await self.pause(error.after)

    async def pause(self, seconds: float) -> None:
        """Wait and keep the lease. Raise `LostConversation` as soon as it is lost."""
        wait, lost = asyncio.ensure_future(self._clock.sleep(seconds)), asyncio.ensure_future(self.lost.wait())
        try:
            await asyncio.wait((wait, lost), return_when=asyncio.FIRST_COMPLETED)
        finally:
            wait.cancel()
            lost.cancel()
        if self.lost.is_set():
            raise LostConversation

    async def let_others_finish(self) -> None:
        """Wait until the last holder's writes in progress have ended."""
        await self.pause(self._times.margin)

    async def keep(self) -> None:
        """Renew the lease until it is released, or cancelled; set `lost` when the lease is gone."""
        while not self.lost.is_set() and not self.is_released:
            await self._clock.sleep(self._times.heartbeat)
            asked = self._clock.monotonic()
            try:
                if await self._store.renew(self.conversation, self._times.lease):
                    self._until = asked + self._times.lease
                elif not self._is_ending:
                    self.lose()
            except StoreUnavailable:  # no process can take it over meanwhile; `check` stops the writes
                pass
            except Exception:  # a bug must not stop the heartbeat: the next beat renews the lease, or finds it lost
                log.exception("heartbeat_failed")


@dataclass(frozen=True, slots=True)
class _Remembered:
    fence: int
    version: int
    until: float
    size: int
    rows: Mapping[int, Message]


class RowMemory:
    """The rows of conversations as this process left them at the end of its last lease, for a minute.

    Each lease raises the fence, and each save the version. So nobody has written a row since if the next lease has the
    next fence and the same version.
    """

    def __init__(self, clock: Clock, largest: int = LARGEST) -> None:
        self._clock, self._largest = clock, largest
        self._of: OrderedDict[str, _Remembered] = OrderedDict()  # the next to expire is the first
        self._size = 0

    def keep(self, now: Conversation, rows: Mapping[int, Message]) -> None:
        """Remember the rows of a conversation that is released now."""
        self._drop(now.id)
        size = sum(len(row.text) + len(row.content) + len(row.data) + ROW_OVERHEAD for row in rows.values())
        if not rows or size > self._largest:
            return
        until = self._clock.monotonic() + REMEMBERED
        self._of[now.id] = _Remembered(now.fence, now.version, until, size, rows)
        self._size += size
        while self._size > self._largest:
            self._drop(next(iter(self._of)))

    def take(self, now: Conversation) -> Mapping[int, Message]:
        """Return the rows of a conversation that was claimed now, and forget them; none unless they are as stored."""
        self.forget_expired()
        known = self._drop(now.id)
        is_next = known and (known.fence + 1, known.version) == (now.fence, now.version)
        return known.rows if known and is_next else {}

    def forget_expired(self) -> None:
        """Forget what was remembered for long enough."""
        while self._of and next(iter(self._of.values())).until <= self._clock.monotonic():
            self._drop(next(iter(self._of)))

    def _drop(self, id_: str) -> _Remembered | None:
        dropped = self._of.pop(id_, None)
        self._size -= dropped.size if dropped else 0
        return dropped


@asynccontextmanager
async def hold_conversation(
    conversation: Conversation, store: Conversations, clock: Clock, times: LeaseTimes, watch: Watch = UNWATCHED
) -> AsyncGenerator[HeldConversation]:
    """Hold a claimed conversation for the length of the block, and release it after, unless that is done."""
    hold = HeldConversation(conversation, store, clock, times, watch)
    watch.note_taken(conversation)
    heart = asyncio.ensure_future(hold.keep())
    try:
        yield hold
    finally:
        heart.cancel()
        watch.let_go(conversation)
        await asyncio.gather(heart, return_exceptions=True)
        if not hold.lost.is_set() and not hold.is_released:
            await store.release(hold.conversation)


@dataclass(slots=True)
class ReplyWriteGuard:
    """Guard of one reply of a held conversation. `reply` is its stored row."""

    hold: HeldConversation
    reply: Message
    spent: Callable[[Message], Message] = field(default=lambda reply: reply)
    """Function that adds the turn's cost so far to the row, because a process that dies cannot report it later."""

    @classmethod
    def of_turn(cls, hold: HeldConversation, reply: Message) -> ReplyWriteGuard:
        """Return the guard of a turn that starts or continues. A reply that waited for a person continues from now."""
        goes_on = replace(reply, status=MessageStatus.STREAMING, standing=len(reply.stands))
        return cls(hold, goes_on)

    def check(self) -> None:
        """See `HeldConversation.check`."""
        self.hold.check()

    async def record(self, text: str, parts: tuple[str, ...]) -> None:
        """See `Conversations.record_draft`. It comes before or after the save of a round, which it must not undo."""
        async with self.hold.writing:
            if len(text) < self.reply.standing:  # shown before the end of a round that is saved by now
                text = self.reply.stands
            self.reply = replace(self.spent(self.reply), text=text, parts=parts, kept_at=self.hold.at)
            await self.hold.record_draft(self.reply)

    async def leave(self) -> None:
        """Save the cost and the time of leaving for the process that continues the reply."""
        await self.record(self.reply.text, self.reply.parts)

    def update(self, row: Message) -> Message:
        """Return the row to store from now on: with the turn's current state, if it is already shown.

        Call this while the state is saved, or what is recorded meanwhile is lost.
        """
        self.reply = replace(row, parts=self.reply.parts, kept_at=self.hold.at)
        return self.reply


@dataclass(frozen=True, slots=True)
class CardWriteGuard:
    """Guard of a card. It stores only the card's place, because the content may change meanwhile."""

    hold: HeldConversation
    seq: int

    def check(self) -> None:
        """See `HeldConversation.check`."""
        self.hold.check()

    async def record(self, text: str, parts: tuple[str, ...]) -> None:
        """See `Keeper.record`; a card has no text of its own."""
        async with self.hold.writing:
            row = await self.hold.row(self.seq)
            assert row is not None, "a card is written before it is shown"
            await self.hold.record_draft(replace(row, parts=parts))
