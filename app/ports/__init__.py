"""What the shell needs from outside, as small protocols. The edges implement them; `app.wiring` joins them."""

from __future__ import annotations

from app.ports.clock import Clock
from app.ports.model import Counted, Model, ModelReply, ModelRequest, TextDelta, ToolUse
from app.ports.outlet import Draft, Keeper, Outlet, Profile
from app.ports.store import Conversations, Entry, Inbox, InboxRow, Ledger, Places, Signals, Taken

__all__ = [
    "Clock",
    "Conversations",
    "Counted",
    "Draft",
    "Entry",
    "Inbox",
    "InboxRow",
    "Keeper",
    "Ledger",
    "Model",
    "ModelReply",
    "ModelRequest",
    "Outlet",
    "Places",
    "Profile",
    "Signals",
    "Taken",
    "TextDelta",
    "ToolUse",
]
