"""A point at which a process is killed: before or after the nth call of something, counted from when it is armed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Moment = Literal["before", "after"]


class Side(StrEnum):
    """Who sees the call being made, and so pulls the trigger."""

    STORE = "store"
    """The program itself, at a call of a port of its store (`inbox.take_in`)."""
    MONGO = "mongo"
    """The program itself, at a command to MongoDB (`update messages`): between the writes of one port's call."""
    SLACK = "slack"
    """The look-alike Slack, at a call of a Web API method (`chat.update`)."""
    DELIVERY = "delivery"
    """The look-alike Slack, at handing over an event or a click (`message`, `block_actions`)."""
    MODEL = "model"
    """The look-alike model, at a moment of its answer (`request`, `first delta`, `last delta`)."""


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """Where a process dies."""

    side: Side
    name: str
    moment: Moment
    nth: int = 1

    def __str__(self) -> str:
        return f"{self.moment} {self.side}:{self.name} #{self.nth}"


STEPS = {
    "inbox.take_in": 3,
    "insert inbox": 3,
    "insert conversations": 3,
    "insert keys": 3,
    "conversations.threads_of": 3,
    "conversations.claim_some": 4,
    "conversations.claim_thread": 4,
    "conversations.renew": 4,
    "inbox.open_rows": 5,
    "conversations.rows_of": 5,
    "conversations.save": 6,
    "update messages": 6,
    "update conversations": 6,
    "inbox.close_rows": 8,
    "inbox.park": 8,
    "update inbox": 8,
    "conversations.release": 8,
    "conversations.save_and_release": 8,
}
"""The step of a message's way (docs/architecture.md) that a call belongs to; what is not here performs effects: 7."""


def step(point: Point) -> int:
    """The step of a message's way that this point lies in."""
    return 1 if point.side is Side.DELIVERY else STEPS.get(point.name, 7)
