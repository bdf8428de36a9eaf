"""The machine: what an event makes of a conversation. Pure; it knows no Slack, no model, no clock.

Who brings an event about, when it is refused and what it does is in its row of `registry`. What follows from a state
alone, however it was reached, is `turns.settle`.
"""

from __future__ import annotations

from dataclasses import replace

from app.core.conversation import redaction
from app.core.conversation.conversation import Conversation, Step, read_turn_state
from app.core.conversation.transition import Trigger, queue_home_refresh
from app.core.errors import BrokenInvariant, IllegalEvent
from app.core.events import audit_entries
from app.core.events.acts import Act
from app.core.events.heard import Event, MessagePosted
from app.core.goals import goals
from app.core.machine import invariants, refusals
from app.core.machine.registry import Actor, find_row
from app.core.reactions import undelivered
from app.core.turns import sources
from app.core.turns.turns import settle

__all__ = ["apply", "ends_turn", "find_refusal", "refuse"]

refuse = refusals.refuse


def find_refusal(now: Conversation, event: Event) -> str | None:
    """Return the code with which an event is refused now; None if it may be."""
    row = find_row(event)
    if row.actor is Actor.OWNER and audit_entries.find_actor(event) != now.owner:
        return "NOT_OWNER"
    codes = (guard(now, event) for guard in row.guards)
    return next(filter(None, codes), None) or row.refused.get(now.run)


def apply(before: Conversation, event: Event, cause: str) -> Step:
    """Apply one event. `cause` is the receipt it came under: effects get the ids `cause:index`.

    Raises `IllegalEvent`, changing nothing, if it cannot happen now, and `BrokenInvariant` for a bug of ours.
    """
    if code := find_refusal(before, event):
        raise IllegalEvent(code)
    trigger = Trigger(cause=cause, at=str(getattr(event, "at", "")), cards=getattr(event, "cards", ()))
    is_owners = isinstance(event, MessagePosted | Act) and event.user == before.owner
    now = undelivered.retry(before, cause) if is_owners else before
    reacted = _set_run(redaction.remove_deleted(find_row(event).react(now, event, trigger)))
    made = sources.carry(before, event, _set_run(settle(reacted, trigger)))
    if goals.read_home_state(made.conversation) != goals.read_home_state(before):
        made = replace(made, conversation=queue_home_refresh(made.conversation, cause))
    if broken := invariants.find_broken(made.conversation):
        raise BrokenInvariant(broken)
    return replace(
        made, audit=(*audit_entries.audit_changes(before, event, reacted.conversation, made.conversation), *made.audit)
    )


def ends_turn(now: Conversation, event: Event) -> bool:
    """True if the turn under way has to be closed for this event: its reply is brought along, as far as it came."""
    return now.turn is not None and not find_refusal(now, event) and find_row(event).ends_turn(now, event)


def _set_run(made: Step) -> Step:
    """Store what the turn says of the run: nothing else assigns it."""
    return replace(made, conversation=replace(made.conversation, run=read_turn_state(made.conversation.turn)))
