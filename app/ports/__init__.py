"""The ports: small protocols for everything that the runtime needs from outside.

The edges implement them, and `app.wiring` joins them.
"""

from __future__ import annotations

from app.ports.clock import Clock
from app.ports.file_reader import FetchedFile, FileReader, FileSource
from app.ports.intake import EventIntake
from app.ports.model import CallBegun, Counted, Model, ModelEvent, ModelReply, ModelRequest, TextDelta, ToolUse
from app.ports.outlet import LiveReply, Outlet, Profile, WriteGuard
from app.ports.reach import Heard, ListedChannel, Listing, MessagePage, Person, SlackAccess, Spot
from app.ports.servers import NoServers, ServedTool, ServerAnswer, ServerListing, ToolServers
from app.ports.store import (
    Acceptance,
    ChangeFeed,
    Claimed,
    ConversationReader,
    Conversations,
    Entry,
    Files,
    Inbox,
    InboxRow,
    KeptFile,
    Ledger,
    OnceFlags,
    Permissions,
    Queue,
    Versions,
)
from app.ports.watch import Unwatched, Watch

__all__ = [
    "Acceptance",
    "CallBegun",
    "ChangeFeed",
    "Claimed",
    "Clock",
    "ConversationReader",
    "Conversations",
    "Counted",
    "Entry",
    "EventIntake",
    "FetchedFile",
    "FileReader",
    "FileSource",
    "Files",
    "Heard",
    "Inbox",
    "InboxRow",
    "KeptFile",
    "Ledger",
    "ListedChannel",
    "Listing",
    "LiveReply",
    "MessagePage",
    "Model",
    "ModelEvent",
    "ModelReply",
    "ModelRequest",
    "NoServers",
    "OnceFlags",
    "Outlet",
    "Permissions",
    "Person",
    "Profile",
    "Queue",
    "ServedTool",
    "ServerAnswer",
    "ServerListing",
    "SlackAccess",
    "Spot",
    "TextDelta",
    "ToolServers",
    "ToolUse",
    "Unwatched",
    "Versions",
    "Watch",
    "WriteGuard",
]
