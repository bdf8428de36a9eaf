"""The owner's own conversations, as far as they may be told in this thread, and how the model refers to them."""

from __future__ import annotations

import re
from typing import Final

from app.agent.tools.outside import Field
from app.core.model import Conversation
from app.core.thread import ThreadKey

ONLY_DIRECT: Final = "What was said in direct messages is told in direct messages alone: everybody here reads along."

_ADDRESS: Final = re.compile(r"\b(?P<channel>[CDG][A-Z0-9]+)[:/]p?(?P<seconds>[0-9]{1,12})\.?(?P<fraction>[0-9]{6})\b")
_ROOT: Final = re.compile(r"\bthread_ts=(?P<root>[0-9]{1,12}\.[0-9]{6})\b")


def may_be_told(field: Field, conversation: Conversation) -> bool:
    """True unless it was held in direct messages and this thread is read by others too."""
    return field.thread.direct or not conversation.thread.direct


def reference(thread: ThreadKey) -> str:
    """How the model names a conversation of this workspace to us: `channel:root`."""
    return f"{thread.channel}:{thread.root}"


def referred(words: str, team: str) -> ThreadKey | None:
    """The thread that is meant by a reference, or by the link of a message in it; None if these words hold neither."""
    found = _ADDRESS.search(words)
    if found is None:
        return None
    in_thread = _ROOT.search(words)
    root = in_thread["root"] if in_thread else f"{found['seconds']}.{found['fraction']}"
    return ThreadKey(team=team, channel=found["channel"], root=root)
