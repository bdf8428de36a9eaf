"""The state machine: it applies an event to a conversation. Pure; it knows no Slack, no model and no clock.

An event's row in `registry` names its actor, its guards and its reaction. Rules that depend on the state alone are in
`turns.settle`.
"""

from __future__ import annotations

from dataclasses import replace

from app.core.conversation import redaction
from app.core.conversation.conversation import Conversation, Transition, read_turn_state
from app.core.conversation.facts import NO_FACTS, Facts
from app.core.conversation.transition import Trigger, queue_home_refresh
from app.core.errors import BrokenInvariant, IllegalEvent
from app.core.events import audit_entries
from app.core.events.heard import Event
from app.core.goals import goals
from app.core.machine import invariants, refusals
from app.core.machine.registry import Actor, find_row
from app.core.reactions import undelivered
from app.core.turns import sources
from app.core.turns.turns import settle

__all__ = ["apply", "ends_turn", "find_refusal", "refuse"]

refuse = refusals.refuse


def find_refusal(now: Conversation, event: Event, facts: Facts = NO_FACTS) -> str | None:
    """Return the code with which the event is refused now; None if it is allowed."""
    row = find_row(event)
    if row.actor is Actor.OWNER and audit_entries.find_actor(event) != now.owner:
        return "NOT_OWNER"
    codes = (guard(now, event, facts) for guard in row.guards)
    return next(filter(None, codes), None) or row.refused.get(now.run)


def apply(before: Conversation, event: Event, cause: str, facts: Facts = NO_FACTS) -> Transition:
    """Apply one event. `cause` is its receipt; effects get the ids `cause:index`. `facts` are those that its row lists.

    Raises `IllegalEvent` if the event is refused; then nothing changes. Raises `BrokenInvariant` if the new state is
    invalid, which is a bug.
    """
    if code := find_refusal(before, event, facts):
        raise IllegalEvent(code)
    trigger = Trigger(cause=cause, at=str(getattr(event, "at", "")), facts=facts)
    now = undelivered.retry(before, event, cause)
    reacted = _set_run(redaction.remove_deleted(find_row(event).react(now, event, trigger)))
    made = sources.carry(before, event, _set_run(settle(reacted, trigger)))
    owners = dict.fromkeys((made.conversation.owner, before.owner))
    if len(owners) > 1 or goals.read_home_state(made.conversation) != goals.read_home_state(before):
        for owner in owners:
            made = replace(made, conversation=queue_home_refresh(made.conversation, cause, owner))
    if broken := invariants.find_broken(made.conversation):
        raise BrokenInvariant(broken)
    return replace(
        made, audit=(*audit_entries.audit_changes(before, event, reacted.conversation, made.conversation), *made.audit)
    )


def ends_turn(now: Conversation, event: Event, facts: Facts = NO_FACTS) -> bool:
    """Return True if the event ends the active turn.

    The caller must then close the reply and add it to the facts.
    """
    if now.turn is None or find_refusal(now, event, facts):
        return False
    return find_row(event).ends_turn(now, event, facts)


def _set_run(made: Transition) -> Transition:
    """Derive the stored turn state from the turn. No other function assigns it."""
    run = read_turn_state(made.conversation.turn)
    return made if run == made.conversation.run else replace(made, conversation=replace(made.conversation, run=run))
