"""Conversion of Slack's payloads into events. Pure and total: an unknown payload is `Ignored`, and nothing raises.

The receipt is derived from the message and not from the delivery. So a message gives the same event as `app_mention`,
as `message`, or when it is redelivered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from app.core.conversation.shared_file import SharedFile, clean_shared_name, write_shared
from app.core.events.acts import ArchiveRequested, EraseRequested, HelpRequested, ReopenRequested, StopRequested
from app.core.events.heard import (
    Ignored,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    SlackEvent,
    build_file_deleted,
    build_message_receipt,
)
from handlers.inbound.reading import slack_actions
from handlers.slack.payload import (
    TOMBSTONE,
    Payload,
    is_ts,
    read_installation,
    read_list,
    read_mapping,
    read_text,
    read_thread,
)
from handlers.views.kit import mrkdwn

SPOKEN_SUBTYPES = frozenset({"", "thread_broadcast", "file_share", "me_message"})
"""Subtypes of messages that people write. Slack marks all others (joins, topic changes, bots) with another subtype."""

MAX_CHARS = 10_000
"""Limit of one message. A longer one is accepted without its end, and says so."""

CUT_NOTE = "\n[The rest of this message was too long and was not read.]"

WORDLESS = "(called you without a word)"

STOP = "stop"
"""The message that ends a turn when it is sent alone in a thread, even without a mention."""

ORDERS: Mapping[str, Callable[..., SlackEvent]] = {
    STOP: partial(StopRequested, written=True),
    "archive": partial(ArchiveRequested, written=True),
    "erase": EraseRequested,
    "help": partial(HelpRequested, word="help"),
    "help?": partial(HelpRequested, word="help"),
    "reopen": partial(ReopenRequested, written=True),
    "status": partial(HelpRequested, word="status"),
    "status?": partial(HelpRequested, word="status"),
}
"""Messages that are commands when they are sent alone in a thread. All but *stop* must be addressed to the app."""

_ID = re.compile(r"[A-Z][A-Z0-9]{1,40}")
"""An id of Slack's, which stands open where files are kept."""

_PEOPLE = re.compile(r"<(@[UW][A-Z0-9]|!(subteam|here|channel|everyone)\b)")


def read_event(body: Payload, bot_user: str, at: str) -> SlackEvent | Ignored:
    """Return the event of a payload from Slack. `at` is the present time as a ts, for payloads without a time."""
    payload = read_mapping(body)
    match payload.get("type"):
        case "event_callback":
            return _read_payload(payload, bot_user)
        case "block_actions":
            return slack_actions.read_action(payload)
        case "view_submission":
            return slack_actions.read_submission(payload, at)
        case _:
            return Ignored(reason="unknown_payload")


def _read_payload(payload: Payload, bot_user: str) -> SlackEvent | Ignored:
    event, team = read_mapping(payload.get("event")), _read_team(payload)
    if event.get("type") == "agent_session_stopped":
        return _read_stop(event, team, read_text(payload.get("event_id")))
    if event.get("type") not in ("message", "app_mention"):
        return Ignored(reason="unknown_event")
    subtype = read_text(event.get("subtype"))
    if subtype == "message_changed":
        return _read_edit(event, team, bot_user)
    if subtype == "message_deleted":
        return _read_deletion(event, team, bot_user)
    if subtype not in SPOKEN_SUBTYPES:
        return Ignored(reason="not_speech")
    return _read_post(event, team, bot_user)


def _read_team(payload: Payload) -> str:
    """Return the workspace in which the app heard this. In a shared channel, `team_id` may be another company's."""
    return read_text(read_installation(payload).get("team_id")) or read_text(payload.get("team_id"))


def _read_post(event: Payload, team: str, bot_user: str) -> SlackEvent | Ignored:
    user, ts = read_text(event.get("user")), read_text(event.get("ts"))
    thread = read_thread(event, team, read_text(event.get("channel")))
    if thread is None or not user:
        return Ignored(reason="incomplete")
    if _is_bot(event, bot_user):
        return Ignored(reason="bot")
    raw = read_text(event.get("text"))
    mentioned = _has_mention(raw, bot_user)
    words = _read_text(raw, event, bot_user)
    if not words and not mentioned:
        return Ignored(reason="empty")
    to_us = mentioned or thread.direct
    said: dict[str, Any] = {
        "receipt": build_message_receipt(thread, ts),
        "thread": thread,
        "ts": ts,
        "user": user,
    }
    if thread.root != ts and (order := _find_command(words, to_us=to_us)):
        return order(at=ts, **said)
    addressed = to_us or not _PEOPLE.search(raw)
    edited_at = read_text(read_mapping(event.get("edited")).get("ts"))
    return MessagePosted(
        text=words or WORDLESS,
        opens=to_us,
        addressed=addressed,
        files=_read_files(event),
        edited_at=edited_at if is_ts(edited_at) else "",
        **said,
    )


def _find_command(words: str, *, to_us: bool) -> Callable[..., SlackEvent] | None:
    word = words.casefold().strip(" .!")
    return ORDERS.get(word) if to_us or word == STOP else None


def _read_edit(event: Payload, team: str, bot_user: str) -> SlackEvent | Ignored:
    message, before = read_mapping(event.get("message")), read_mapping(event.get("previous_message"))
    ts, user = read_text(message.get("ts")), read_text(message.get("user"))
    thread = read_thread(message, team, read_text(event.get("channel")))
    at = read_text(event.get("event_ts")) or read_text(event.get("ts"))
    if thread is None or not user or not is_ts(at):
        return Ignored(reason="incomplete")
    if _is_bot(message, bot_user):
        return Ignored(reason="bot")
    if message.get("subtype") != TOMBSTONE and (gone := _find_deleted_file(message, before)):
        return build_file_deleted(thread, gone, at)
    if message.get("text") == before.get("text"):
        return Ignored(reason="unfurl")
    receipt = f"edit:{team}:{thread.channel}:{ts}:{at}"
    raw = read_text(message.get("text"))
    words = _read_text(raw, message, bot_user) or (WORDLESS if _has_mention(raw, bot_user) else "")
    if not words or message.get("subtype") == TOMBSTONE:
        return MessageDeleted(receipt=receipt, thread=thread, ts=ts, at=at)
    return MessageEdited(receipt=receipt, thread=thread, ts=ts, at=at, user=user, text=words)


def _read_deletion(event: Payload, team: str, bot_user: str) -> SlackEvent | Ignored:
    before = read_mapping(event.get("previous_message"))
    ts = read_text(event.get("deleted_ts")) or read_text(before.get("ts"))
    thread = read_thread({**before, "ts": ts}, team, read_text(event.get("channel")))
    at = read_text(event.get("event_ts")) or read_text(event.get("ts"))
    if thread is None or not is_ts(at):
        return Ignored(reason="incomplete")
    if _is_bot(before, bot_user):
        return Ignored(reason="bot")
    return MessageDeleted(receipt=f"delete:{team}:{thread.channel}:{ts}:{at}", thread=thread, ts=ts, at=at)


def _read_stop(event: Payload, team: str, id_: str) -> SlackEvent | Ignored:
    """Return the event of Slack's own Stop. It belongs to no message, so the delivery's id is its receipt."""
    user, at = read_text(event.get("user")), read_text(event.get("event_ts"))
    thread = read_thread({**event, "ts": event.get("thread_ts")}, team, read_text(event.get("channel")))
    if thread is None or not (user and id_ and is_ts(at)):
        return Ignored(reason="incomplete")
    return StopRequested(receipt=f"event:{team}:{id_}", thread=thread, ts="", at=at, user=user)


def _read_text(raw: str, message: Payload, bot_user: str) -> str:
    words = mrkdwn.resolve_markup(re.sub(rf"<@{re.escape(bot_user)}(\|[^>]*)?>", " ", raw))
    shared = write_shared(map(_read_file_name, _list_files(message)))
    said = "\n".join(filter(None, (words, shared)))
    return said if len(said) <= MAX_CHARS else said[: MAX_CHARS - len(CUT_NOTE)] + CUT_NOTE


def _list_files(message: Payload) -> list[Payload]:
    """Return the files of a message, without those that were deleted."""
    listed = [read_mapping(file) for file in read_list(message.get("files"))]
    return [file for file in listed if file and file.get("mode") != TOMBSTONE]


def _read_file_name(file: Payload) -> str:
    return clean_shared_name(read_text(file.get("name")))


def _read_files(message: Payload) -> tuple[SharedFile, ...]:
    files = [(read_text(file.get("id")), _read_file_name(file)) for file in _list_files(message)]
    return tuple(SharedFile(id=id_, name=name) for id_, name in files if _ID.fullmatch(id_))


def _find_deleted_file(message: Payload, before: Payload) -> str:
    """Return the file that a message has lost; empty if it has lost none."""
    left = {file.id for file in _read_files(message)}
    return next((file.id for file in _read_files(before) if file.id not in left), "")


def read_deleted_file(body: Payload) -> str:
    """Return the file that Slack says was deleted, wherever it was shared; empty for any other payload."""
    event = read_mapping(read_mapping(body).get("event"))
    id_ = read_text(event.get("file_id")) if event.get("type") == "file_deleted" else ""
    return id_ if _ID.fullmatch(id_) else ""


def _has_mention(raw: str, bot_user: str) -> bool:
    return f"<@{bot_user}>" in raw or f"<@{bot_user}|" in raw


def _is_bot(message: Payload, bot_user: str) -> bool:
    return bool(message.get("bot_id")) or message.get("user") == bot_user
