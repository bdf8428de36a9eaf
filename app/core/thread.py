"""The address of a Slack thread."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadKey:
    """The address of a Slack thread. `root` is the ts of its first message."""

    team: str
    channel: str
    root: str

    @property
    def direct(self) -> bool:
        """Return True in a direct message, whose channel id begins with D in Slack."""
        return self.channel.startswith("D")
