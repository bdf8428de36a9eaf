"""Guards of the writes to Slack of a reply or a card. Implements `app.ports.Keeper`."""

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
    """Guard of one reply of a held conversation. `reply` is its stored row."""

    hold: Hold
    conversations: Conversations
    reply: Message
    spent: Callable[[Message], Message] = field(default=_as_it_was)
    """Adds the turn's cost so far to the row, because a process that dies cannot report it later."""

    @classmethod
    def of_turn(cls, hold: Hold, conversations: Conversations, reply: Message) -> ReplyKeeper:
        """Return the guard of a turn that starts or continues. A reply that waited for a person continues from now."""
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
        """Save the cost and the time of leaving for the process that continues the reply."""
        await self.record(self.reply.text, self.reply.parts)

    def going_on(self, row: Message) -> Message:
        """Return the row to store from now on: with the turn's current state, if it is already shown."""
        self.reply = replace(row, parts=self.reply.parts, kept_at=self.hold.at)
        return self.reply


@dataclass(frozen=True, slots=True)
class CardKeeper:
    """Guard of a card. Only its place is stored, because its look may change meanwhile."""

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
