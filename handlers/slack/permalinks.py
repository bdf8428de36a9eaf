"""Addresses of Slack messages, written and read. Pure.

In an address, Slack writes a message's ts without its point, and appends the thread of a reply.
"""

from __future__ import annotations

import re

from app.core.thread import ThreadKey

_ADDRESS = re.compile(
    r"https?://[^\s/<>|]+/archives/(?P<channel>[CDG][A-Z0-9]+)/p(?P<seconds>[0-9]{1,12})(?P<fraction>[0-9]{6})"
    r"(?:\?(?P<query>[^\s<>|]*))?(?![^\s<>|])"
)
_ROOT = re.compile(r"(?:^|&|amp;)thread_ts=([0-9]{1,12}\.[0-9]{1,9})")


def link_channel(workspace_url: str, channel: str) -> str:
    """Return the address of a channel or a direct message. `workspace_url` ends with a slash."""
    return f"{workspace_url}archives/{channel}"


def link_thread(workspace_url: str, thread: ThreadKey) -> str:
    """Return the address of a thread. `workspace_url` ends with a slash."""
    return f"{workspace_url}archives/{thread.channel}/p{thread.root.replace('.', '')}"


def link_reply(workspace_url: str, thread: ThreadKey, ts: str) -> str:
    """Return the address of a message in a thread."""
    place = f"{workspace_url}archives/{thread.channel}/p{ts.replace('.', '')}"
    return f"{place}?thread_ts={thread.root}&cid={thread.channel}"


def find_thread(words: str, team: str) -> ThreadKey | None:
    """Return the thread of the first Slack message whose address is in this text; None if there is none.

    The host is not checked: the store knows whether the conversation exists, and its owner.
    """
    found = _ADDRESS.search(words)
    if found is None:
        return None
    in_thread = _ROOT.search(found["query"] or "")
    root = in_thread[1] if in_thread else f"{found['seconds']}.{found['fraction']}"
    return ThreadKey(team=team, channel=found["channel"], root=root)
