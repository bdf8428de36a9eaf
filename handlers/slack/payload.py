"""Reading of Slack's payloads, field by field. Total: no JSON raises an error here."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from app.core.thread import ThreadKey

Payload = Mapping[str, Any]

TOMBSTONE = "tombstone"
"""Slack's subtype for a deleted message with replies, whose text is then Slackbot's; and its mode of a deleted file."""

_TS = re.compile(r"[0-9]{1,12}\.[0-9]{1,9}")


def read_mapping(value: object) -> Payload:
    """Return the value if it is an object, else an empty one."""
    return cast("Payload", value) if isinstance(value, Mapping) else {}


def read_list(value: object) -> list[Any]:
    """Return the value if it is an array, else an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def read_text(value: object) -> str:
    """Return text that can be stored: JSON may contain half of a surrogate pair, UTF-8 may not."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def read_user(body: Payload) -> str:
    """Return the id of the person who pressed or sent something; empty if there is none."""
    return read_text(read_mapping(body.get("user")).get("id"))


def read_value(body: Payload) -> str:
    """Return the value of the control that was pressed, or of the option that was chosen; empty if there is none."""
    action = read_control(body)
    return read_text(action.get("value")) or read_option(action)


def read_control(body: Payload) -> Payload:
    """Return the control that was pressed or chosen in; an empty one if there is none."""
    return read_mapping(next(iter(read_list(body.get("actions"))), None))


def read_state(view: Payload) -> Payload:
    """Return what has been entered in a view, by block."""
    return read_mapping(read_mapping(view.get("state")).get("values"))


def read_element(state: Payload, block: str) -> Payload:
    """Return what has been entered in the one element of a block, which has the block's name."""
    return read_mapping(read_mapping(state.get(block)).get(block))


def read_words(state: Payload, block: str) -> str:
    """Return what has been written in the one element of a block; empty if there is nothing."""
    return read_text(read_element(state, block).get("value"))


def read_option(element: Payload) -> str:
    """Return the value of the option that was chosen; empty if there is none."""
    return read_text(read_mapping(element.get("selected_option")).get("value"))


def name_submission(view: Payload, team: str) -> str:
    """Return the receipt of a submitted form. Slack gives the state of a view another hash after each change."""
    return f"view:{team}:{read_text(view.get('id'))}:{read_text(view.get('hash'))}"


def parse_object(value: object) -> Payload:
    """Return the JSON object in a text, such as a view's `private_metadata`; an empty one if there is none."""
    try:
        return read_mapping(json.loads(read_text(value)))
    except (ValueError, RecursionError):
        return {}


def is_ts(value: str) -> bool:
    """Return True for a Slack timestamp."""
    return _TS.fullmatch(value) is not None


def read_installation(body: Payload) -> Payload:
    """Return where the app is installed that an event was delivered to. Slack names one of the places."""
    return read_mapping(next(iter(read_list(body.get("authorizations"))), None))


def is_from_elsewhere(body: Payload, team: str) -> bool:
    """Return True if the payload itself says that its author belongs to another workspace than `team`.

    Slack may name the organisation instead of the workspace.
    """
    ours = ("", team, read_text(read_installation(body).get("enterprise_id")))
    event, user = read_mapping(body.get("event")), read_mapping(body.get("user"))
    homes = (event.get("user_team"), event.get("source_team"), event.get("team"), user.get("team_id"))
    return any(read_text(home) not in ours for home in homes)


def read_thread(message: Payload, team: str, channel: str) -> ThreadKey | None:
    """Return the thread that a message is in or starts; None if the address is incomplete."""
    ts = read_text(message.get("ts")) or read_text(message.get("message_ts"))
    root = read_text(message.get("thread_ts")) or ts
    if not (team and channel and is_ts(ts) and is_ts(root)):
        return None
    return ThreadKey(team=team, channel=channel, root=root)


def read_key(kept: Payload) -> ThreadKey | None:
    """Return the thread that a window carries, field by field; None if the address is incomplete."""
    return read_thread({"ts": kept.get("root")}, read_text(kept.get("team")), read_text(kept.get("channel")))
