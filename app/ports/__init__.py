"""The ports: small protocols for everything that the runtime needs from outside.

The edges implement them, and `app.wiring` joins them.
"""

from __future__ import annotations

from app.ports.clock import Clock
from app.ports.intake import EventIntake
from app.ports.model import Counted, Model, ModelReply, ModelRequest, TextDelta, ToolUse
from app.ports.outlet import Draft, Keeper, Outlet, Profile
from app.ports.reach import Heard, Reach, Spot, Stretch
from app.ports.store import (
    Conversations,
    Entry,
    Inbox,
    InboxRow,
    Ledger,
    Permissions,
    Places,
    Queue,
    Signals,
    Taken,
    Versions,
)
from app.ports.watch import Unwatched, Watch

__all__ = [
    "Clock",
    "Conversations",
    "Counted",
    "Draft",
    "Entry",
    "EventIntake",
    "Heard",
    "Inbox",
    "InboxRow",
    "Keeper",
    "Ledger",
    "Model",
    "ModelReply",
    "ModelRequest",
    "Outlet",
    "Permissions",
    "Places",
    "Profile",
    "Queue",
    "Reach",
    "Signals",
    "Spot",
    "Stretch",
    "Taken",
    "TextDelta",
    "ToolUse",
    "Unwatched",
    "Versions",
    "Watch",
]
