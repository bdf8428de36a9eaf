"""Slack's payloads become events. Pure and total: what is not understood is `Ignored`, and nothing here ever raises.

The receipt is made of the message and not of the delivery, so that the same words give the same event, whether they
come as `app_mention`, as `message`, or a second time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from app.core.events import (
    ContinuePressed,
    EraseConfirmed,
    EraseRequested,
    Ignored,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    RetryPressed,
    SlackEvent,
    StopRequested,
)
from app.core.model import ThreadKey
from handlers import blocks, mrkdwn

Payload = Mapping[str, Any]

SPOKEN_SUBTYPES = frozenset({"", "thread_broadcast", "file_share", "me_message"})
"""Slack marks everything else that is no person's speech (joins, topic changes, bots) with some other subtype."""

TOMBSTONE = "tombstone"
"""Slack: what a deleted message with replies is changed into; its words are Slackbot's."""

MAX_CHARS = 10_000
"""Requirements part 5: the length of one message; what is longer is taken in with its end cut off and says so."""

CUT_NOTE = "\n[The rest of this message was too long and was not read.]"

WORDLESS = "(called you without a word)"

STOP, ERASE = "stop", "erase"
"""What a whole message must say to be an order. *erase* must be said to us; *stop* can only mean us."""

_TS = re.compile(r"\d{1,12}\.\d{1,9}")
_PEOPLE = re.compile(r"<(@[UW][A-Z0-9]|!(subteam|here|channel|everyone)\b)")


def read(body: Payload, bot_user: str) -> SlackEvent | Ignored:
    """Say what a payload from Slack means to us."""
    payload = _map(body)
    kind = payload.get("type")
    if kind == "event_callback":
        event, team = _map(payload.get("event")), _text(payload.get("team_id"))
        if event.get("type") == "agent_session_stopped":
            return _stopped(event, team, _text(payload.get("event_id")))
        return _event(event, team, bot_user)
    if kind == "block_actions":
        return _action(payload)
    return Ignored(reason="unknown_payload")


def _event(event: Payload, team: str, bot_user: str) -> SlackEvent | Ignored:
    if event.get("type") not in ("message", "app_mention"):
        return Ignored(reason="unknown_event")
    subtype = _text(event.get("subtype"))
    if subtype == "message_changed":
        return _edited(event, team, bot_user)
    if subtype == "message_deleted":
        return _deleted(event, team, bot_user)
    if subtype not in SPOKEN_SUBTYPES:
        return Ignored(reason="not_speech")
    return _posted(event, team, bot_user)


def _posted(event: Payload, team: str, bot_user: str) -> SlackEvent | Ignored:
    user, ts = _text(event.get("user")), _text(event.get("ts"))
    thread = _thread(event, team, _text(event.get("channel")))
    if thread is None or not user:
        return Ignored(reason="incomplete")
    if _is_bot(event, bot_user):
        return Ignored(reason="bot")
    raw = _text(event.get("text"))
    mentioned = _mentions(raw, bot_user)
    text = _said(raw, event, bot_user)
    if not text and not mentioned:
        return Ignored(reason="empty")
    to_us = mentioned or thread.direct
    said: dict[str, Any] = {
        "receipt": f"message:{team}:{thread.channel}:{ts}",
        "thread": thread,
        "ts": ts,
        "user": user,
    }
    order = text.casefold().strip(" .!") if thread.root != ts else ""
    if order == STOP:
        return StopRequested(at=ts, written=True, **said)
    if order == ERASE and to_us:
        return EraseRequested(at=ts, **said)
    addressed = to_us or not _PEOPLE.search(raw)
    return MessagePosted(text=text or WORDLESS, opens=to_us, addressed=addressed, **said)


def _edited(event: Payload, team: str, bot_user: str) -> SlackEvent | Ignored:
    message, before = _map(event.get("message")), _map(event.get("previous_message"))
    ts, user = _text(message.get("ts")), _text(message.get("user"))
    thread = _thread(message, team, _text(event.get("channel")))
    at = _text(event.get("event_ts")) or _text(event.get("ts"))
    if thread is None or not user or not _TS.fullmatch(at):
        return Ignored(reason="incomplete")
    if _is_bot(message, bot_user):
        return Ignored(reason="bot")
    if message.get("text") == before.get("text"):
        return Ignored(reason="unfurl")
    receipt = f"edit:{team}:{thread.channel}:{ts}:{at}"
    raw = _text(message.get("text"))
    text = _said(raw, message, bot_user) or (WORDLESS if _mentions(raw, bot_user) else "")
    if not text or message.get("subtype") == TOMBSTONE:
        return MessageDeleted(receipt=receipt, thread=thread, ts=ts, at=at)
    return MessageEdited(receipt=receipt, thread=thread, ts=ts, at=at, user=user, text=text)


def _deleted(event: Payload, team: str, bot_user: str) -> SlackEvent | Ignored:
    before = _map(event.get("previous_message"))
    ts = _text(event.get("deleted_ts")) or _text(before.get("ts"))
    thread = _thread({**before, "ts": ts}, team, _text(event.get("channel")))
    at = _text(event.get("event_ts")) or _text(event.get("ts"))
    if thread is None or not _TS.fullmatch(at):
        return Ignored(reason="incomplete")
    if _is_bot(before, bot_user):
        return Ignored(reason="bot")
    return MessageDeleted(receipt=f"delete:{team}:{thread.channel}:{ts}:{at}", thread=thread, ts=ts, at=at)


def _stopped(event: Payload, team: str, id_: str) -> SlackEvent | Ignored:
    """Slack's own Stop. It belongs to no message, so the delivery's id is its receipt."""
    user, at = _text(event.get("user")), _text(event.get("event_ts"))
    thread = _thread({**event, "ts": event.get("thread_ts")}, team, _text(event.get("channel")))
    if thread is None or not (user and id_ and _TS.fullmatch(at)):
        return Ignored(reason="incomplete")
    return StopRequested(receipt=f"event:{team}:{id_}", thread=thread, ts="", at=at, user=user)


def _action(body: Payload) -> SlackEvent | Ignored:
    actions = body.get("actions")
    action: Payload = _map(cast("list[Any]", actions)[0]) if isinstance(actions, list) and actions else {}
    message, container = _map(body.get("message")), _map(body.get("container"))
    user, team = _text(_map(body.get("user")).get("id")), _text(_map(body.get("team")).get("id"))
    channel = _text(_map(body.get("channel")).get("id")) or _text(container.get("channel_id"))
    thread = _thread({**container, **message}, team, channel)
    at = _text(action.get("action_ts"))
    if thread is None or not user or not _TS.fullmatch(at):
        return Ignored(reason="incomplete")
    ts = _text(message.get("ts")) or _text(container.get("message_ts"))
    receipt = f"action:{team}:{thread.channel}:{ts}:{at}:{user}"
    return _pressed(action, thread, {"receipt": receipt, "ts": ts, "at": at, "user": user})


def _pressed(action: Payload, thread: ThreadKey, act: Mapping[str, Any]) -> SlackEvent | Ignored:
    value = _text(action.get("value"))
    reply = int(value) if value.isdecimal() and len(value) <= 9 else 0
    match action.get("action_id"):
        case blocks.RETRY_ACTION if reply:
            return RetryPressed(thread=thread, reply=reply, **act)
        case blocks.CONTINUE_ACTION if reply:
            return ContinuePressed(thread=thread, reply=reply, **act)
        case blocks.STOP_ACTION:
            return StopRequested(thread=thread, reply=reply, **act)
        case blocks.ERASE_ACTION if _TS.fullmatch(value):
            # Slack does not promise that an ephemeral message says in which thread it stands: its button does.
            return EraseConfirmed(thread=replace(thread, root=value), **act)
        case _:
            return Ignored(reason="unknown_action")


def _thread(message: Payload, team: str, channel: str) -> ThreadKey | None:
    """The thread that a message is in, or that it begins; None if the address is not whole."""
    ts = _text(message.get("ts")) or _text(message.get("message_ts"))
    root = _text(message.get("thread_ts")) or ts
    if not (team and channel and _TS.fullmatch(ts) and _TS.fullmatch(root)):
        return None
    return ThreadKey(team=team, channel=channel, root=root)


def _said(raw: str, message: Payload, bot_user: str) -> str:
    words = mrkdwn.plain(re.sub(rf"<@{re.escape(bot_user)}(\|[^>]*)?>", " ", raw))
    files = message.get("files")
    names = [_text(_map(file).get("name")) for file in cast("list[Any]", files)] if isinstance(files, list) else []
    shared = f"[shared a file I cannot read yet: {', '.join(filter(None, names)) or 'unnamed'}]" if names else ""
    text = "\n".join(filter(None, (words, shared)))
    return text if len(text) <= MAX_CHARS else text[: MAX_CHARS - len(CUT_NOTE)] + CUT_NOTE


def _mentions(raw: str, bot_user: str) -> bool:
    return f"<@{bot_user}>" in raw or f"<@{bot_user}|" in raw


def _is_bot(message: Payload, bot_user: str) -> bool:
    return bool(message.get("bot_id")) or message.get("user") == bot_user


def _map(value: object) -> Payload:
    return cast("Payload", value) if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    """Text that can be stored: JSON may hold half of a surrogate pair, UTF-8 may not."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""
