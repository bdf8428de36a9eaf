"""The machine: what an event makes of a conversation. Pure; it knows no Slack, no model, no clock.

Who brings an event about, when it is refused and what it does is in its row of `registry`. What follows from a state
alone, however it was reached, is `turns.settled`.
"""

from __future__ import annotations

from dataclasses import replace

from app.core.conversation import redaction
from app.core.conversation.conversation import Conversation, Step, run_of
from app.core.conversation.transition import Trigger, publishing
from app.core.errors import BrokenInvariant, IllegalEvent
from app.core.events import audit_entries
from app.core.events.acts import Act
from app.core.events.heard import Event, MessagePosted
from app.core.goals import goals
from app.core.machine import invariants, refusals
from app.core.machine.registry import Actor, row_of
from app.core.reactions import undelivered
from app.core.turns import sources
from app.core.turns.turns import settled

__all__ = ["ends_turn", "refusal", "refuse", "step"]

refuse = refusals.refuse


def refusal(now: Conversation, event: Event) -> str | None:
    """Return the code with which an event is refused now; None if it may be."""
    row = row_of(event)
    if row.actor is Actor.OWNER and audit_entries.actor_of(event) != now.owner:
        return "NOT_OWNER"
    codes = (guard(now, event) for guard in row.guards)
    return next(filter(None, codes), None) or row.refused.get(now.run)


def step(before: Conversation, event: Event, cause: str) -> Step:
    """Apply one event. `cause` is the receipt it came under: effects get the ids `cause:index`.

    Raises `IllegalEvent`, changing nothing, if it cannot happen now, and `BrokenInvariant` for a bug of ours.
    """
    if code := refusal(before, event):
        raise IllegalEvent(code)
    trigger = Trigger(cause=cause, at=str(getattr(event, "at", "")), cards=getattr(event, "cards", ()))
    is_owners = isinstance(event, MessagePosted | Act) and event.user == before.owner
    now = undelivered.tried_again(before, cause) if is_owners else before
    reacted = _with_run(redaction.kept_out(row_of(event).react(now, event, trigger)))
    made = sources.carry(before, event, _with_run(settled(reacted, trigger)))
    if goals.home_line(made.conversation) != goals.home_line(before):
        made = replace(made, conversation=publishing(made.conversation, cause))
    if broken := invariants.broken(made.conversation):
        raise BrokenInvariant(broken)
    return replace(
        made, audit=(*audit_entries.of_step(before, event, reacted.conversation, made.conversation), *made.audit)
    )


def ends_turn(now: Conversation, event: Event) -> bool:
    """True if the turn under way has to be closed for this event: its reply is brought along, as far as it came."""
    return now.turn is not None and not refusal(now, event) and row_of(event).ends_turn(now, event)


def _with_run(made: Step) -> Step:
    """Store what the turn says of the run: nothing else assigns it."""
    return replace(made, conversation=replace(made.conversation, run=run_of(made.conversation.turn)))
