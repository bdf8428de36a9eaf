"""Delivery of events and interactions to the app: attempts, Slack's retry schedule, and losses.

Rule: an event is attempted until it is acknowledged or its three retries are used up. An interaction (a click, a
command, a submission) is attempted once, and its acknowledgement may carry an answer. Knows no transport: `socket_mode`
and `http` are the two.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from app.playground.journal import Journal
from app.playground.slack.values.faults import Faults
from app.playground.slack.values.model import Clock
from app.playground.slack.values.surfaces import Json
from app.playground.slack.values.tasks import Background

ACK_WINDOW = 3.0  # Slack's seconds; Slack: an event not answered with 2xx in three seconds has failed
RETRY_PAUSES = (0.0, 60.0, 300.0)  # Slack: retries nearly at once, after a minute, after five minutes


@dataclass(frozen=True, slots=True)
class Delivery:
    """One payload for the app."""

    kind: Literal["events_api", "interactive", "slash_commands"]
    payload: Json

    @property
    def name(self) -> str:
        """Return the event's id or the interaction's trigger; else the token, which is unique here."""
        return self.payload.get("event_id") or self.payload.get("trigger_id") or self.payload["token"]

    @property
    def type(self) -> str:
        """Return its subject: "message", "block_actions"; for a slash command, the command itself."""
        return self.payload.get("command") or self.payload.get("event", self.payload)["type"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """Number of an attempt, 0 for the first; `reason` tells why the one before failed."""

    number: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of an attempt. `retry` is False if the app asked for no other; `answer` came with its acknowledgement."""

    acknowledged: bool
    reason: str = ""
    retry: bool = True
    answer: Json = field(default_factory=dict[str, Any])


class Transport(Protocol):
    """A transport to the app. `lost` is the outcome of an attempt that reaches no receiver."""

    lost: Outcome

    async def attempt(self, delivery: Delivery, attempt: Attempt) -> Outcome:
        """Hand over one payload and wait, at most the ack window, for its answer."""
        ...

    async def reachable(self) -> None:
        """Return when a receiver for a retry is connected."""
        ...


class Deliveries:
    """All deliveries in progress."""

    def __init__(
        self, transport: Transport, clock: Clock, faults: Faults, journal: Journal, background: Background
    ) -> None:
        self._transport = transport
        self._clock = clock
        self._faults = faults
        self._journal = journal
        self._background = background
        self._events: dict[str, Delivery] = {}
        self._underway: set[str] = set()

    @property
    def is_underway(self) -> bool:
        """Return True while the app has not answered an attempt yet. Between attempts nothing is underway."""
        return bool(self._underway)

    def send(self, delivery: Delivery, ended: Callable[[Outcome], None] = lambda outcome: None) -> None:
        """Start to deliver, in the order of the calls; `ended` is called with the outcome of the last attempt."""
        if delivery.kind == "events_api":
            self._events[delivery.name] = delivery
        self._underway.add(delivery.name)  # the attempt itself begins when the loop comes to it
        self._background.start(self._deliver(delivery, ended))

    def again(self, event_id: str) -> None:
        """Deliver an event once more as if for the first time, as Slack does at times. Raise KeyError if unknown."""
        self.send(self._events[event_id])

    async def _deliver(self, delivery: Delivery, ended: Callable[[Outcome], None]) -> None:
        ended(await self.ask(delivery))

    async def ask(self, delivery: Delivery) -> Outcome:
        """Deliver and return the outcome of the last attempt."""
        outcome = await self._attempt(delivery, Attempt())
        pauses = RETRY_PAUSES if delivery.kind == "events_api" else ()
        for number, pause in enumerate(pauses, start=1):
            if outcome.acknowledged or not outcome.retry:
                break
            await self._clock.sleep(pause)
            await self._transport.reachable()
            outcome = await self._attempt(delivery, Attempt(number, outcome.reason))
        if not outcome.acknowledged:
            self._journal.write("lost", name=delivery.name, reason=outcome.reason)
        return outcome

    async def _attempt(self, delivery: Delivery, attempt: Attempt) -> Outcome:
        self._underway.add(delivery.name)
        try:
            return await self._hand_over(delivery, attempt)
        finally:
            self._underway.discard(delivery.name)

    async def _hand_over(self, delivery: Delivery, attempt: Attempt) -> Outcome:
        passing = self._faults.passing(delivery.type)
        await passing.reaches("before")
        about = {"name": delivery.name, "attempt": attempt.number}
        self._journal.write("delivery", **about, reason=attempt.reason, payload=delivery.payload)
        is_lost = await passing.reaches("instead")
        outcome = self._transport.lost if is_lost else await self._transport.attempt(delivery, attempt)
        self._journal.write("ack" if outcome.acknowledged else "unacked", **about, reason=outcome.reason)
        await passing.reaches("after")
        return outcome
