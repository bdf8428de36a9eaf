"""What whoever shows a reply or a card must ask and tell around each write to Slack. Implements `app.ports.Keeper`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from app.core.model import Message, MessageStatus
from app.lease import Hold
from app.ports import Conversations


def _as_it_was(reply: Message) -> Message:
    return reply


@dataclass(slots=True)
class ReplyKeeper:
    """For one reply of a held conversation. `reply` is its row as it is kept."""

    hold: Hold
    conversations: Conversations
    reply: Message
    spent: Callable[[Message], Message] = field(default=_as_it_was)
    """Adds to the row what its turn has cost so far: who dies over it cannot tell any more."""

    @classmethod
    def of_turn(cls, hold: Hold, conversations: Conversations, reply: Message) -> ReplyKeeper:
        """For a turn that begins or goes on: a reply that had waited for somebody is written on from now."""
        goes_on = replace(reply, status=MessageStatus.STREAMING, standing=len(reply.stands))
        return cls(hold, conversations, goes_on)

    def check(self) -> None:
        """See `Hold.check`."""
        self.hold.check()

    async def record(self, text: str, parts: tuple[str, ...]) -> None:
        """See `Conversations.record_draft`."""
        self.reply = replace(self.spent(self.reply), text=text, parts=parts, kept_at=self.hold.at)
        await self.conversations.record_draft(self.hold.conversation, self.reply)

    async def leave(self) -> None:
        """Keep what it has cost, and when it was left, for whoever goes on with it."""
        await self.record(self.reply.text, self.reply.parts)

    def going_on(self, row: Message) -> Message:
        """The row as it is to be kept from now on: with what its turn has come to, where it is shown already."""
        self.reply = replace(row, parts=self.reply.parts, kept_at=self.hold.at)
        return self.reply


@dataclass(frozen=True, slots=True)
class CardKeeper:
    """For a card. Only where it stands is noted: how it looks may change meanwhile."""

    hold: Hold
    conversations: Conversations
    seq: int

    def check(self) -> None:
        """See `Hold.check`."""
        self.hold.check()

    async def record(self, text: str, parts: tuple[str, ...]) -> None:
        """See `Keeper.record`; a card has no text of its own."""
        async with self.hold.writing:
            now = self.hold.conversation
            row = await self.conversations.row(now, self.seq)
            assert row is not None, "a card is written before it is shown"
            await self.conversations.record_draft(now, replace(row, parts=parts))
