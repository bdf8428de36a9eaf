"""Parts of a transition: effects with their ids, added messages, and combined transitions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from app.core.conversation.audit import AuditEvent
from app.core.conversation.card import Card, NoteCard
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Transition
from app.core.conversation.effect import Effect, Offer, PostEphemeral, PublishHome, React, ShowCard, Unreact
from app.core.conversation.facts import NO_FACTS, Facts

QUEUED = "hourglass_flowing_sand"
"""Slack's name of ⏳: the mark on a message that waits for the current turn to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """The event being applied, as its reaction sees it: its receipt, its time, and the facts that were looked up."""

    cause: str
    """The receipt of the event: effects get the ids `cause:index`."""
    at: str
    """Time of the event, as Slack's ts."""
    facts: Facts = NO_FACTS

    def after(self, made: Transition) -> Trigger:
        """Return the trigger with the cards as a transition has left them."""
        return replace(self, facts=replace(self.facts, open_cards=(*made.messages, *self.facts.open_cards)))


def parse_ts(ts: str) -> datetime:
    """Return the time of a Slack ts."""
    return datetime.fromtimestamp(float(ts), UTC)


def add_effect(now: Conversation, cause: str, effect: Effect) -> Conversation:
    """Return the conversation with one more effect to perform.

    Its id is `cause:index` with an index above those of this cause's open effects.
    """
    taken = (int(index) for head, _, index in (e.id.rpartition(":") for e in now.effects) if head == cause)
    named = replace(effect, id=f"{cause}:{max(taken, default=-1) + 1}")
    return replace(now, effects=(*now.effects, named))


def queue_ephemeral(now: Conversation, cause: str, user: str, text: str, offer: Offer | None = None) -> Conversation:
    """Queue a message that only one person sees."""
    return add_effect(now, cause, PostEphemeral(user=user, text=text, offer=offer))


def queue_emoji(now: Conversation, cause: str, ts: str, name: str) -> Conversation:
    """Queue an emoji reaction to a person's message."""
    return add_effect(now, cause, React(ts=ts, name=name))


def clear_emoji(now: Conversation, cause: str, *gone: str) -> Conversation:
    """Remove the ⏳ reaction from these messages."""
    after = replace(now, queued=tuple(ts for ts in now.queued if ts not in gone))
    for ts in now.queued:
        if ts in gone:
            after = add_effect(after, cause, Unreact(ts=ts, name=QUEUED))
    return after


def queue_home_refresh(now: Conversation, cause: str, user: str) -> Conversation:
    """Queue an update of the Home of this person, who owns the conversation or has given it away.

    An update in progress may show the former state, so a second one is queued; a third is never needed.
    """
    if sum(isinstance(effect, PublishHome) and effect.user == user for effect in now.effects) > 1:
        return now
    return add_effect(now, cause, PublishHome(user=user))


def queue_card(now: Conversation, trigger: Trigger, card: Card, *, changes: bool = True) -> Transition:
    """Queue a new card in the thread; `changes` tells if it will ever change."""
    status = MessageStatus.OPEN if changes else MessageStatus.COMPLETE
    row = Message(seq=now.head + 1, role=Role.CARD, text="", status=status, card=card)
    after = replace(now, head=row.seq, cards=(*now.cards, row.seq) if changes else now.cards)
    return Transition(conversation=queue_show(after, trigger.cause, row.seq), messages=(row,))


def queue_card_update(now: Conversation, trigger: Trigger, seq: int, card: Card) -> Transition:
    """Queue the new content of an open card, which stays open."""
    row = replace(message_at(trigger.facts.open_cards, seq), status=MessageStatus.OPEN, card=card)
    return Transition(conversation=queue_show(now, trigger.cause, seq), messages=(row,))


def queue_card_close(now: Conversation, trigger: Trigger, seq: int, card: Card) -> Transition:
    """Queue the final content of an open card."""
    row = replace(message_at(trigger.facts.open_cards, seq), status=MessageStatus.COMPLETE, card=card)
    after = replace(now, cards=tuple(open_ for open_ in now.cards if open_ != seq))
    return Transition(conversation=queue_show(after, trigger.cause, seq), messages=(row,))


def combine(first: Transition, then: Transition) -> Transition:
    """Return one transition for two, the second having begun where the first ended. Of a row, the later one is kept."""
    rows = {row.seq: row for row in (*first.messages, *then.messages)}
    audit: tuple[AuditEvent, ...] = (*first.audit, *then.audit)
    return Transition(conversation=then.conversation, messages=tuple(rows.values()), audit=audit)


def message_at(rows: tuple[Message, ...], seq: int) -> Message:
    """Return the card's row. If it was not read, an empty one: its Slack message is found again by its key."""
    return next((row for row in rows if row.seq == seq), Message(seq=seq, role=Role.CARD, text=""))


def queue_note_card(now: Conversation, trigger: Trigger, text: str) -> Transition:
    """Queue a fact about the thread as a card that never changes."""
    return queue_card(now, trigger, NoteCard(text=text), changes=False)


def add_note(now: Conversation, text: str) -> Transition:
    """Add a note, which only the model reads."""
    row = Message(seq=now.head + 1, role=Role.NOTE, text=text)
    return Transition(conversation=replace(now, head=row.seq), messages=(row,))


def queue_show(now: Conversation, cause: str, seq: int) -> Conversation:
    """Queue a card's update, once for each cause.

    An update queued by an earlier cause may be in progress and show the former content.
    """
    mine = (e for e in now.effects if isinstance(e, ShowCard) and e.id.rpartition(":")[0] == cause)
    return now if any(e.card == seq for e in mine) else add_effect(now, cause, ShowCard(card=seq))
