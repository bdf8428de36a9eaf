"""Replies and cards that Slack refuses, most often because the app has lost its channel. They are kept until it has
access again.

The owner is told once by direct message. The schedule is paused, because nobody could read its results. A step whose
thread could not be posted is begun anew by its owner.
"""

from __future__ import annotations

from dataclasses import replace

from app.core.conversation.conversation import Conversation, Transition
from app.core.conversation.effect import Erase, FinishReply, OpenStep, SendDirectMessage, ShowCard, find_shown_seq
from app.core.conversation.transition import Trigger, add_effect
from app.core.copy import decision_steps, texts
from app.core.events import audit_entries
from app.core.events.acts import Act
from app.core.events.heard import Event, MessagePosted
from app.core.events.internal import ChannelLost
from app.core.pending import recurrence
from app.core.state.status import Status
from app.core.turns import scheduled_run

REFUSED = "refused"
"""The reason in the audit log if Slack has refused a message in a place that may be open."""


def on_channel_lost(now: Conversation, event: ChannelLost, trigger: Trigger) -> Transition:
    """Keep back all undelivered replies and cards, so that no call is made in vain, and pause the schedule.

    Where only one message was refused, the others go on. If it is refused again, its owner knows of it already.
    """
    lost = next((effect for effect in now.effects if effect.id == event.effect), None)
    only = None if event.is_closed or lost is None else find_shown_seq(lost)
    if isinstance(lost, OpenStep):
        made = Transition(conversation=_tell_of_step(now.without_effect(lost.id), lost, event, trigger.cause))
    elif only is not None and only in {find_shown_seq(effect) for effect in now.unsaid}:
        made = Transition(conversation=_hold_back(now, only))
    else:
        paused = scheduled_run.pause_unheard(now, trigger)
        after = _hold_back(paused.conversation, only)
        after = _tell_owner(after, event, trigger.cause) if _needs_notice(now, after) else after
        made = replace(paused, conversation=after)
    reason = event.kind if event.is_closed else REFUSED
    cause = event.effect.rpartition(":")[0]
    undelivered = audit_entries.audit_undelivered(len(made.conversation.unsaid), reason, cause)
    return replace(made, audit=(*made.audit, undelivered))


def retry(now: Conversation, event: Event, cause: str) -> Conversation:
    """Queue all undelivered effects again if this is an act of the owner: it may mean that the app has access.

    They stay undelivered until Slack has accepted them.
    """
    if not isinstance(event, MessagePosted | Act) or event.user != now.owner or _is_ending(now):
        return now
    under_way = {find_shown_seq(effect) for effect in now.effects}
    for effect in now.unsaid:
        if find_shown_seq(effect) not in under_way:
            now = add_effect(now, cause, effect)
    return now


def is_question_unseen(now: Conversation) -> bool:
    """Return True while the open question is among what is kept: no words can answer it."""
    asked = now.question
    return asked is not None and any(isinstance(e, ShowCard) and e.card == asked.card for e in now.unsaid)


def _hold_back(now: Conversation, only: int | None) -> Conversation:
    """Keep back the reply or card of this `seq`, or all of them."""
    speech = [e for e in now.effects if isinstance(e, FinishReply | ShowCard) and only in (None, find_shown_seq(e))]
    unsaid = {find_shown_seq(effect): effect for effect in (*now.unsaid, *speech)}
    left = tuple(effect for effect in now.effects if effect not in speech)
    return replace(now, effects=left, unsaid=tuple(unsaid.values()))


def _needs_notice(before: Conversation, after: Conversation) -> bool:
    """Return True once for each loss.

    No notice is due if the conversation is ending, or if direct messages are what was lost. Nor is one for the card of
    a decision, which says what its steps say. An owner who resumed the schedule from elsewhere is told that it is
    paused again.
    """
    is_news = not before.unsaid or before.status is not after.status
    is_ending = before.status is Status.ARCHIVED or _is_ending(before)
    return is_news and not is_ending and not before.thread.direct and before.decision is None


def _is_ending(now: Conversation) -> bool:
    return any(isinstance(effect, Erase) for effect in now.effects)


def _tell_owner(now: Conversation, event: ChannelLost, cause: str) -> Conversation:
    kept, paused = (texts.KEPT, texts.PAUSED) if event.is_closed else (texts.KEPT_REFUSED, texts.PAUSED_REFUSED)
    schedule = recurrence.describe(now.schedule, zone=True) if now.schedule else ""
    return _send(now, (paused if schedule else kept).format(channel=_name(now), schedule=schedule), cause)


def _tell_of_step(now: Conversation, lost: OpenStep, event: ChannelLost, cause: str) -> Conversation:
    step = now.decision.step(lost.component) if now.decision else None
    if step is None or now.thread.direct:
        return now
    form = decision_steps.STEP_NOT_BEGUN if event.is_closed else decision_steps.STEP_REFUSED
    return _send(now, form.format(channel=_name(now), step=texts.escape(step.title)), cause)


def _name(now: Conversation) -> str:
    return f"<#{now.thread.channel}>"


def _send(now: Conversation, text: str, cause: str) -> Conversation:
    since = now.newest or now.thread.root
    return add_effect(now, cause, SendDirectMessage(user=now.owner, text=text, since=since))
