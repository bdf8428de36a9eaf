"""The guards: what is refused before an event is looked at more closely (requirements §3.3, G3 and what follows it).

That a request is authentic and new is proved at the door; how much somebody may do is counted by the shell.
"""

from __future__ import annotations

from app.core.effects import Erase
from app.core.events import (
    ContinuePressed,
    EraseConfirmed,
    EraseRequested,
    Event,
    MessagePosted,
    RetryPressed,
    StopRequested,
)
from app.core.model import Conversation, Turn
from app.core.run import OWNERS_ACTS, REFUSALS

WANTING = (MessagePosted, RetryPressed, ContinuePressed, EraseRequested, EraseConfirmed)
"""What wants something of a conversation. One that is being erased has nothing to give any more."""


def refusal(now: Conversation, event: Event) -> str | None:
    """The code with which an event is refused now (requirements part 6); None if it may be."""
    if isinstance(event, OWNERS_ACTS) and event.user != now.owner:
        return "NOT_OWNER"
    if isinstance(event, MessagePosted) and event.wait:
        return "RATE_LIMITED"
    if isinstance(event, WANTING) and any(isinstance(effect, Erase) for effect in now.effects):
        return "ERASING"
    if isinstance(event, StopRequested) and now.turn and not _means(event, now.turn):
        return "NO_STREAM"
    return REFUSALS.get((now.run, type(event)))


def _means(stop: StopRequested, turn: Turn) -> bool:
    """False if the wish was about another answer: one that had ended before it was heard."""
    return stop.reply in (0, turn.reply) and stop.at >= turn.since
