"""The app's requirements of Slack and their reasons, which the manifest, the docs and `threadwise check` must match."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from handlers.slack import action_ids

SCOPES: Mapping[str, str] = MappingProxyType(
    {
        "app_mentions:read": "hear people who mention Threadwise",
        "assistant:write": "be an agent in Slack's sense: its own place to talk, and the status while it thinks",
        "channels:history": "hear replies in public channels, read there for a thread's owner, and find a lost post",
        "channels:read": "learn that it was added to a public channel, and name channels where people pick a thread",
        "chat:write": "answer, and edit its answers while they grow",
        "commands": "offer its slash commands and shortcuts",
        "groups:write": "make a private channel for a decision, if that is asked for",
        "groups:history": "hear replies in private channels it was invited to, and read there for a thread's owner",
        "groups:read": "learn that it was added to a private channel, and name it to people who pick a thread there",
        "files:read": "read the files that people put into its threads",
        "files:write": "put reports and files into a thread whose owner asks for them",
        "im:history": "hear direct messages",
        "im:write": "begin what somebody asks for elsewhere, and tell an owner where it cannot post any more",
        "reactions:write": "mark a message it may not act on, and one that waits its turn until that comes",
        "users:read": "call people by their names, and tell times by their clocks",
    }
)
"""Bot scopes with the reason for each."""


def describe_missing_scopes(granted: Collection[str]) -> str:
    """Return what to do about scopes that a token lacks; empty if none, or if Slack does not tell which it has."""
    missing = sorted({*SCOPES} - {*granted})
    if not granted or not missing:
        return ""
    them = "it" if len(missing) == 1 else "them"
    return (
        f"The bot token lacks {', '.join(missing)}. Add {them} in Slack (manifest.yml has all scopes) and install the "
        "app again."
    )


HOME_OPENED, JOINED = "app_home_opened", "member_joined_channel"

BOT_EVENTS: Mapping[str, str] = MappingProxyType(
    {
        "agent_session_stopped": "agent_session_stopped",
        HOME_OPENED: HOME_OPENED,
        "app_mention": "app_mention",
        "file_deleted": "file_deleted",
        JOINED: JOINED,
        "message.channels": "message",
        "message.groups": "message",
        "message.im": "message",
    }
)
"""Subscribed events, each with the name of its listener."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A slash command as Slack offers it."""

    description: str
    usage_hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortcut:
    """A shortcut as Slack offers it: on a message, or anywhere. A name has at most 24 characters."""

    name: str
    type: Literal["message", "global"]
    description: str


DECIDE, THREADWISE, ARCHIVE_THREAD, REOPEN_THREAD = "/decide", "/threadwise", "/archive-thread", "/reopen-thread"

COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        THREADWISE: Command(
            description="See your conversations and what is in force",
            usage_hint="[help | list | status | schedules | words | permissions | settings | export]",
        ),
        DECIDE: Command(description="Make a decision, step by step", usage_hint="[--direct] Should we …?"),
        ARCHIVE_THREAD: Command(description="Put a conversation away", usage_hint="[link of a message]"),
        REOPEN_THREAD: Command(description="Take a conversation up again", usage_hint="[link of a message]"),
    }
)


SHORTCUTS: Mapping[str, Shortcut] = MappingProxyType(
    {
        action_ids.ARCHIVE_SHORTCUT: Shortcut(
            name="Archive conversation", type="message", description="Put this thread's conversation away"
        ),
        action_ids.REOPEN_SHORTCUT: Shortcut(
            name="Reopen conversation", type="message", description="Take this thread's conversation up again"
        ),
        action_ids.DRAFT_SHORTCUT: Shortcut(
            name="Draft from this thread", type="message", description="Begin a decision with what was said in a thread"
        ),
        action_ids.NEW_CONVERSATION_SHORTCUT: Shortcut(
            name="Ask Threadwise", type="global", description="Begin a conversation in direct messages"
        ),
    }
)
"""Shortcuts by their `callback_id`."""
