"""What every reaction is made of: effects with their ids, rows that are added, and steps that follow one another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from app.core.conversation.audit import AuditEvent
from app.core.conversation.card import Card, NoteCard
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Step
from app.core.conversation.effect import Effect, Offer, PublishHome, React, ShowCard, TellPrivately, Unreact

QUEUED = "hourglass_flowing_sand"
"""Slack's name of ⏳: the mark of a message that waits for the turn under way to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """The event being applied, as its reaction sees it: its receipt, its time, and the cards that still change."""

    cause: str
    """The receipt it came under: effects get the ids `cause:index`."""
    at: str
    """When that was, as Slack's ts."""
    cards: tuple[Message, ...] = ()
    """The rows of the cards that still change, as they are kept."""

    def after(self, made: Step) -> Trigger:
        """The same, with the cards as a step has left them."""
        return replace(self, cards=(*made.messages, *self.cards))


def parse_ts(ts: str) -> datetime:
    """The time that a Slack ts tells."""
    return datetime.fromtimestamp(float(ts), UTC)


def add_effect(now: Conversation, effect: Effect) -> Conversation:
    """The same conversation, wanting one thing more to be done."""
    return replace(now, effects=(*now.effects, effect))


def build_effect_id(now: Conversation, cause: str) -> str:
    """`cause:index`, beyond whatever of this cause is still to be done."""
    taken = (int(index) for head, _, index in (e.id.rpartition(":") for e in now.effects) if head == cause)
    return f"{cause}:{max(taken, default=-1) + 1}"


def queue_ephemeral(now: Conversation, cause: str, user: str, text: str, offer: Offer | None = None) -> Conversation:
    """Tell one person something that only they see."""
    return add_effect(now, TellPrivately(id=build_effect_id(now, cause), user=user, text=text, offer=offer))


def queue_emoji(now: Conversation, cause: str, ts: str, name: str) -> Conversation:
    """Leave a mark on somebody's message."""
    return add_effect(now, React(id=build_effect_id(now, cause), ts=ts, name=name))


def clear_emoji(now: Conversation, cause: str, *gone: str) -> Conversation:
    """Those messages do not wait any more for the turn under way to end."""
    after = replace(now, queued=tuple(ts for ts in now.queued if ts not in gone))
    for ts in now.queued:
        if ts in gone:
            after = add_effect(after, Unreact(id=build_effect_id(after, cause), ts=ts, name=QUEUED))
    return after


def queue_home_refresh(now: Conversation, cause: str) -> Conversation:
    """Bring the owner's Home up to date. One wish may be under way and show how it was; one more that waits will do."""
    if sum(isinstance(effect, PublishHome) for effect in now.effects) > 1:
        return now
    return add_effect(now, PublishHome(id=build_effect_id(now, cause), user=now.owner))


def queue_card(now: Conversation, trigger: Trigger, card: Card, *, changes: bool = True) -> Step:
    """Put a new card into the thread; `changes` tells whether it will ever look different."""
    status = MessageStatus.OPEN if changes else MessageStatus.COMPLETE
    row = Message(seq=now.head + 1, role=Role.CARD, text="", status=status, card=card)
    after = replace(now, head=row.seq, cards=(*now.cards, row.seq) if changes else now.cards)
    return Step(conversation=_queue_show(after, trigger.cause, row.seq), messages=(row,))


def queue_card_update(now: Conversation, trigger: Trigger, seq: int, card: Card) -> Step:
    """Let an open card look different, and stay open."""
    row = replace(message_at(trigger.cards, seq), status=MessageStatus.OPEN, card=card)
    return Step(conversation=_queue_show(now, trigger.cause, seq), messages=(row,))


def queue_card_close(now: Conversation, trigger: Trigger, seq: int, card: Card) -> Step:
    """Give an open card its last form."""
    row = replace(message_at(trigger.cards, seq), status=MessageStatus.COMPLETE, card=card)
    after = replace(now, cards=tuple(open_ for open_ in now.cards if open_ != seq))
    return Step(conversation=_queue_show(after, trigger.cause, seq), messages=(row,))


def combine(first: Step, then: Step) -> Step:
    """What two steps make of a conversation, the second having begun where the first ended: of a row the later one."""
    rows = {row.seq: row for row in (*first.messages, *then.messages)}
    audit: tuple[AuditEvent, ...] = (*first.audit, *then.audit)
    return Step(conversation=then.conversation, messages=tuple(rows.values()), audit=audit)


def message_at(rows: tuple[Message, ...], seq: int) -> Message:
    """The card's row. Where nobody has read it, its message in Slack is found again by its key."""
    return next((row for row in rows if row.seq == seq), Message(seq=seq, role=Role.CARD, text=""))


def queue_note_card(now: Conversation, trigger: Trigger, text: str) -> Step:
    """Say a fact about the thread in it; it never changes."""
    return queue_card(now, trigger, NoteCard(text=text), changes=False)


def add_note(now: Conversation, text: str) -> Step:
    """Tell the model something that people do not read."""
    row = Message(seq=now.head + 1, role=Role.NOTE, text=text)
    return Step(conversation=replace(now, head=row.seq), messages=(row,))


def _queue_show(now: Conversation, cause: str, seq: int) -> Conversation:
    """Once for each cause: a wish of an earlier one may be under way, and then shows how the card was."""
    mine = (e for e in now.effects if isinstance(e, ShowCard) and e.id.rpartition(":")[0] == cause)
    return (
        now if any(e.card == seq for e in mine) else add_effect(now, ShowCard(id=build_effect_id(now, cause), card=seq))
    )
