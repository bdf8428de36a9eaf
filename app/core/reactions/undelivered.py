"""Words that Slack does not take: the thread's place is closed to us. They are kept until somebody lets us in again.

Its owner is told once, in direct messages, and what the thread does by itself is paused: nobody would read it.
"""

from __future__ import annotations

from dataclasses import replace

from app.core.conversation.conversation import Conversation, Step
from app.core.conversation.effect import Erase, FinishReply, ShowCard, TellDirectly, find_shown_seq
from app.core.conversation.transition import Trigger, add_effect, build_effect_id
from app.core.copy import texts
from app.core.events import audit_entries
from app.core.events.internal import PlaceLost
from app.core.pending import recurrence
from app.core.state.status import Status
from app.core.turns import scheduled_run


def on_channel_lost(now: Conversation, event: PlaceLost, trigger: Trigger) -> Step:
    """Keep back all that was to be said there, that no call is made in vain, and pause the schedule."""
    paused = scheduled_run.pause_unheard(now, trigger)
    after = _hold_back(paused.conversation)
    if _needs_notice(now, after):
        after = _tell_owner(after, trigger.cause)
    correlation = event.effect.rpartition(":")[0]
    undelivered = audit_entries.audit_undelivered(len(after.unsaid), event.kind, correlation)
    return replace(paused, conversation=after, audit=(*paused.audit, undelivered))


def retry(now: Conversation, cause: str) -> Conversation:
    """An owner who does something here may have let us in again. It counts as unsaid until Slack has taken it."""
    under_way = {find_shown_seq(effect) for effect in now.effects}
    for effect in now.unsaid:
        if find_shown_seq(effect) not in under_way:
            now = add_effect(now, replace(effect, id=build_effect_id(now, cause)))
    return now


def _hold_back(now: Conversation) -> Conversation:
    speech = {find_shown_seq(e): e for e in (*now.unsaid, *now.effects) if isinstance(e, FinishReply | ShowCard)}
    silent = tuple(effect for effect in now.effects if not isinstance(effect, FinishReply | ShowCard))
    return replace(now, effects=silent, unsaid=tuple(speech.values()))


def _needs_notice(before: Conversation, after: Conversation) -> bool:
    """Once for each loss. Where nobody waits for a word, or direct messages are what was lost, there is nothing to say.

    Who has let the schedule go on from elsewhere is told that it is paused again.
    """
    is_ending = before.status is Status.ARCHIVED or any(isinstance(effect, Erase) for effect in before.effects)
    is_news = not before.unsaid or before.status is not after.status
    return is_news and not is_ending and not before.thread.direct


def _tell_owner(now: Conversation, cause: str) -> Conversation:
    channel = f"<#{now.thread.channel}>"
    if now.schedule:
        text = texts.PAUSED.format(channel=channel, schedule=recurrence.describe(now.schedule))
    else:
        text = texts.KEPT.format(channel=channel)
    since = now.newest or now.thread.root
    return add_effect(now, TellDirectly(id=build_effect_id(now, cause), user=now.owner, text=text, since=since))
