"""Trigger ids: what an app gets with an interaction and exchanges for a modal.

Rule: a trigger lives three of Slack's seconds and is good once.
"""

from dataclasses import dataclass

from app.playground.slack.clock import Clock
from app.playground.slack.ids import Mint
from app.playground.slack.refusal import Refusal

TRIGGER_LIFE = 3.0  # Slack's seconds


@dataclass(slots=True)
class Trigger:
    """Person of an interaction, and the modal that it happened in, if any."""

    user: str
    view_id: str | None
    until: float
    exchanged: bool = False


class Triggers:
    """All triggers handed out."""

    def __init__(self, clock: Clock, mint: Mint) -> None:
        self._clock = clock
        self._mint = mint
        self._triggers: dict[str, Trigger] = {}

    def hand_out(self, user: str, view_id: str | None = None) -> str:
        """Return a new trigger_id for one interaction."""
        trigger_id = f"{self._mint.digits(13)}.{self._mint.digits(12)}.{self._mint.secret(32)}"
        self._triggers[trigger_id] = Trigger(user, view_id, self._clock.now() + TRIGGER_LIFE)
        return trigger_id

    def exchange(self, trigger_id: str) -> Trigger:
        """Use a trigger up; refuses one that is unknown, used or too old."""
        trigger = self._triggers.get(trigger_id)
        if trigger is None:
            raise Refusal("invalid_trigger_id")
        if trigger.exchanged:
            raise Refusal("exchanged_trigger_id")
        if self._clock.now() > trigger.until:
            raise Refusal("expired_trigger_id")
        trigger.exchanged = True
        return trigger
