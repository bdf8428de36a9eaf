"""Replies and cards that Slack refuses because the app has lost its channel. They are kept until it has access again.

The owner is told once by direct message. The schedule is paused, because nobody could read its results.
"""

from __future__ import annotations

from dataclasses import replace

from app.core.conversation.conversation import Conversation, Transition
from app.core.conversation.effect import Erase, FinishReply, SendDirectMessage, ShowCard, find_shown_seq
from app.core.conversation.transition import Trigger, add_effect, build_effect_id
from app.core.copy import texts
from app.core.events import audit_entries
from app.core.events.internal import ChannelLost
from app.core.pending import recurrence
from app.core.state.status import Status
from app.core.turns import scheduled_run


def on_channel_lost(now: Conversation, event: ChannelLost, trigger: Trigger) -> Transition:
    """Keep back all undelivered replies and cards, so that no call is made in vain, and pause the schedule."""
    paused = scheduled_run.pause_unheard(now, trigger)
    after = _hold_back(paused.conversation)
    if _needs_notice(now, after):
        after = _tell_owner(after, trigger.cause)
    correlation = event.effect.rpartition(":")[0]
    undelivered = audit_entries.audit_undelivered(len(after.unsaid), event.kind, correlation)
    return replace(paused, conversation=after, audit=(*paused.audit, undelivered))


def retry(now: Conversation, cause: str) -> Conversation:
    """Queue all undelivered effects again: an act of the owner may mean that the app has access.

    They stay undelivered until Slack has accepted them.
    """
    under_way = {find_shown_seq(effect) for effect in now.effects}
    for effect in now.unsaid:
        if find_shown_seq(effect) not in under_way:
            now = add_effect(now, replace(effect, id=build_effect_id(now, cause)))
    return now


def is_question_unseen(now: Conversation) -> bool:
    """Return True while the open question is among what is kept: no words can answer it."""
    asked = now.question
    return asked is not None and any(isinstance(e, ShowCard) and e.card == asked.card for e in now.unsaid)


def _hold_back(now: Conversation) -> Conversation:
    speech = {find_shown_seq(e): e for e in (*now.unsaid, *now.effects) if isinstance(e, FinishReply | ShowCard)}
    silent = tuple(effect for effect in now.effects if not isinstance(effect, FinishReply | ShowCard))
    return replace(now, effects=silent, unsaid=tuple(speech.values()))


def _needs_notice(before: Conversation, after: Conversation) -> bool:
    """Return True once for each loss.

    No notice is due if the conversation is ending, or if direct messages are what was lost. An owner who resumed the
    schedule from elsewhere is told that it is paused again.
    """
    is_ending = before.status is Status.ARCHIVED or any(isinstance(effect, Erase) for effect in before.effects)
    is_news = not before.unsaid or before.status is not after.status
    return is_news and not is_ending and not before.thread.direct


def _tell_owner(now: Conversation, cause: str) -> Conversation:
    channel = f"<#{now.thread.channel}>"
    if now.schedule:
        text = texts.PAUSED.format(channel=channel, schedule=recurrence.describe(now.schedule, zone=True))
    else:
        text = texts.KEPT.format(channel=channel)
    since = now.newest or now.thread.root
    return add_effect(now, SendDirectMessage(id=build_effect_id(now, cause), user=now.owner, text=text, since=since))
