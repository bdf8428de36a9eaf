"""The machine: what an event makes of a conversation. Pure; it knows no Slack, no model, no clock.

Who brings an event about, when it is refused and what it does is in its row of `registry`. What follows from a state
alone, however it was reached, is `turns.settled`.
"""

from __future__ import annotations

from dataclasses import replace

from app.core import goals, invariants, quotes, refusals, sources, trail, unsaid
from app.core.acts import Act
from app.core.errors import BrokenInvariant, IllegalEvent
from app.core.events import Event, MessagePosted
from app.core.model import Conversation, Step, run_of
from app.core.registry import Actor, row_of
from app.core.steps import Trigger, publishing
from app.core.takeover import closed_after_death, goes_on_after_death
from app.core.turns import settled

__all__ = ["closed_after_death", "ends_turn", "goes_on_after_death", "refusal", "refuse", "step"]

refuse = refusals.refuse


def refusal(now: Conversation, event: Event) -> str | None:
    """Return the code with which an event is refused now; None if it may be."""
    row = row_of(event)
    if row.actor is Actor.OWNER and trail.actor_of(event) != now.owner:
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
    now = unsaid.tried_again(before, cause) if is_owners else before
    reacted = _with_run(quotes.kept_out(row_of(event).react(now, event, trigger)))
    made = sources.carry(before, event, _with_run(settled(reacted, trigger)))
    if goals.home_line(made.conversation) != goals.home_line(before):
        made = replace(made, conversation=publishing(made.conversation, cause))
    if broken := invariants.broken(made.conversation):
        raise BrokenInvariant(broken)
    return replace(made, audit=(*trail.of_step(before, event, reacted.conversation, made.conversation), *made.audit))


def ends_turn(now: Conversation, event: Event) -> bool:
    """True if the turn under way has to be closed for this event: its reply is brought along, as far as it came."""
    return now.turn is not None and not refusal(now, event) and row_of(event).ends_turn(now, event)


def _with_run(made: Step) -> Step:
    """Store what the turn says of the run: nothing else assigns it."""
    return replace(made, conversation=replace(made.conversation, run=run_of(made.conversation.turn)))
