"""Options of a Slack emulator. Durations named `latency` are real seconds; the rest are Slack's."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from app.playground.slack.values.surfaces import Command, Shortcut

BOT_SCOPES = frozenset(
    {
        "app_mentions:read",
        "assistant:write",
        "channels:history",
        "channels:join",
        "channels:manage",
        "channels:read",
        "chat:write",
        "commands",
        "files:read",
        "files:write",
        "groups:history",
        "groups:read",
        "groups:write",
        "im:history",
        "im:read",
        "im:write",
        "reactions:read",
        "reactions:write",
        "users:read",
    }
)


@dataclass(frozen=True, slots=True)
class SlackOptions:
    """Settings of one emulator. The defaults give a strict Slack at Slack's own pace."""

    port: int = 0
    """TCP port on 127.0.0.1; 0 takes a free one."""
    seed: int = 0
    """Ids, tokens and the choice among sockets repeat with the seed."""
    time_scale: float = 1.0
    """Slack's seconds per real second, for retries, ack windows, rate limits and expiries."""
    limits: bool = True
    """True if the rate tiers are enforced."""
    tiers: Mapping[str, int] = field(default_factory=dict[str, int])
    """Calls a minute by method, instead of the method's own tier: {"chat.update": 10}."""
    latency: Mapping[str, float] = field(default_factory=dict[str, float])
    """Seconds per call, by method; "*" is for the methods not named."""
    delivery: Literal["socket", "http"] = "socket"
    """Transport of events and clicks to the app."""
    events_url: str | None = None
    """The app's Request URL, for delivery by HTTP."""
    scopes: frozenset[str] = BOT_SCOPES
    """Scopes of the bot token; events need their scopes too."""
    events: frozenset[str] | None = None
    """Events that the app subscribes to, named as in a manifest ("message.im").

    None means every event that its scopes allow.
    """
    agent: bool = True
    """True if the app is declared an agent, without which there are no agent sessions."""
    commands: Mapping[str, Command] | None = None
    """The registered slash commands by name, with the slash; None takes any and shows none in the composer."""
    shortcuts: Mapping[str, Shortcut] = field(default_factory=dict[str, Shortcut])
    """The registered shortcuts by callback_id."""
    journal: Path | None = None
    """A file for the journal, beside the one in memory."""
    banner: str | None = None
    """A sentence shown above the page."""
