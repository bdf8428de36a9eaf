"""What we need of Slack, and why: the one list that the manifest, the docs and `threadwise check` are held to."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SCOPES: Mapping[str, str] = MappingProxyType(
    {
        "app_mentions:read": "hear people who mention Threadwise",
        "assistant:write": "be an agent in Slack's sense: its own place to talk, and the status while it thinks",
        "channels:history": "hear replies in its threads in public channels, and find a post whose answer was lost",
        "chat:write": "answer, and edit its answers while they grow",
        "groups:history": "the same in private channels it was invited to",
        "im:history": "hear direct messages",
        "reactions:write": "mark a message it may not act on, and one that waits its turn until that comes",
        "users:read": "call people by their names",
    }
)
"""Bot scopes with the reason for each."""

BOT_EVENTS: Mapping[str, str] = MappingProxyType(
    {
        "agent_session_stopped": "agent_session_stopped",
        "app_mention": "app_mention",
        "message.channels": "message",
        "message.groups": "message",
        "message.im": "message",
    }
)
"""Events to subscribe to, and the listener that hears each."""
