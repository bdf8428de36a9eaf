"""Reading of Slack's payloads, field by field. Total: no JSON raises an error here."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from app.core.thread import ThreadKey

Payload = Mapping[str, Any]

_TS = re.compile(r"[0-9]{1,12}\.[0-9]{1,9}")


def mapping(value: object) -> Payload:
    """Return the value if it is an object, else an empty one."""
    return cast("Payload", value) if isinstance(value, Mapping) else {}


def items(value: object) -> list[Any]:
    """Return the value if it is an array, else an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def text(value: object) -> str:
    """Return text that can be stored: JSON may contain half of a surrogate pair, UTF-8 may not."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def loaded(value: object) -> Payload:
    """Return the JSON object in a text, such as a view's `private_metadata`; an empty one if there is none."""
    try:
        return mapping(json.loads(text(value)))
    except (ValueError, RecursionError):
        return {}


def is_ts(value: str) -> bool:
    """Return True for a Slack timestamp."""
    return _TS.fullmatch(value) is not None


def from_elsewhere(body: Payload, team: str) -> bool:
    """Return True if the payload itself says that its author belongs to another workspace than `team`."""
    event, user = mapping(body.get("event")), mapping(body.get("user"))
    homes = (event.get("user_team"), event.get("source_team"), event.get("team"), user.get("team_id"))
    return any(text(home) not in ("", team) for home in homes)


def thread_of(message: Payload, team: str, channel: str) -> ThreadKey | None:
    """Return the thread that a message is in or starts; None if the address is incomplete."""
    ts = text(message.get("ts")) or text(message.get("message_ts"))
    root = text(message.get("thread_ts")) or ts
    if not (team and channel and is_ts(ts) and is_ts(root)):
        return None
    return ThreadKey(team=team, channel=channel, root=root)
