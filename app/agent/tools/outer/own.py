"""References to the owner's conversations, as the model reads and writes them."""

from __future__ import annotations

import re
from typing import Final

from app.core.thread import ThreadKey

_ADDRESS: Final = re.compile(r"\b(?P<channel>[CDG][A-Z0-9]+)[:/]p?(?P<seconds>[0-9]{1,12})\.?(?P<fraction>[0-9]{6})\b")
_ROOT: Final = re.compile(r"\bthread_ts=(?P<root>[0-9]{1,12}\.[0-9]{6})\b")


def reference(thread: ThreadKey) -> str:
    """Return the model's name of a conversation of this workspace: `channel:root`."""
    return f"{thread.channel}:{thread.root}"


def find_thread(words: str, team: str) -> ThreadKey | None:
    """Return the thread that a reference or the link of a message names; None if the words hold neither."""
    found = _ADDRESS.search(words)
    if found is None:
        return None
    in_thread = _ROOT.search(words)
    root = in_thread["root"] if in_thread else f"{found['seconds']}.{found['fraction']}"
    return ThreadKey(team=team, channel=found["channel"], root=root)
