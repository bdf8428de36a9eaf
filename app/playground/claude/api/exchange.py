"""One request and its outcome: its content, the characters sent, its end. Tests await its events."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from app.playground.claude.api.prompt import Json, Prompt

Outcome = Literal["open", "answered", "refused", "failed", "aborted"]


@dataclass(eq=False)
class Exchange:
    """A request for an answer. `failed` is a scripted fault, `aborted` the client's own disconnect."""

    id: str
    headers: Mapping[str, str]
    """Header names in lower case."""
    body: Json
    at: float = field(default_factory=time.time)
    """Seconds since the epoch."""
    outcome: Outcome = "open"
    sent: int = 0
    """Characters of the turn sent so far."""
    first_sent_at: float | None = None
    """Time when the first delta with characters was sent; seconds since the epoch."""
    ended_at: float | None = None
    """Time of its end, successful or not; seconds since the epoch."""
    aborted: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    @cached_property
    def prompt(self) -> Prompt:
        """Return the typed request. Raise `Refusal` if its shape is not the API's."""
        return Prompt.read(self.body)

    def count(self, sent: int) -> None:
        """Record the number of the turn's characters sent so far."""
        self.sent = sent
        if sent and self.first_sent_at is None:
            self.first_sent_at = time.time()

    def end(self, outcome: Outcome) -> None:
        """Record its end; only the first call counts."""
        if self.ended.is_set():
            return
        self.outcome, self.ended_at = outcome, time.time()
        if outcome == "aborted":
            self.aborted.set()
        self.ended.set()
