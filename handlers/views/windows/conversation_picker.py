"""The windows for picking a conversation to archive or to reopen. Pure.

A window carries its state, so that nothing is stored while it is open. It also carries a digest of its warning, so
that a submission tells which warning the person has seen.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.core.conversation.conversation import Conversation
from app.core.copy import texts
from app.core.reactions import archive
from app.core.state.status import Status
from app.core.thread import ThreadKey
from handlers.slack import action_ids
from handlers.slack.payload import Payload, loaded, mapping, text, thread_of
from handlers.views.kit import blocks, mrkdwn, summary_line
from handlers.views.windows.forms import View, reading

MOST_OPTIONS = 100
"""Slack's limit for the options of a select."""


class Filing(StrEnum):
    """The action on the conversation, also the `callback_id` of the window and the key of its texts."""

    ARCHIVE = action_ids.ARCHIVE_WINDOW
    REOPEN = action_ids.REOPEN_WINDOW


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """The submitted choice: the conversation, empty if none, and the digest of the warning that was shown."""

    address: str
    read: str

    def thread(self, team: str) -> ThreadKey | None:
        """Return the chosen thread; None if there is none."""
        channel, _, root = self.address.partition(":")
        return thread_of({"ts": root}, team, channel)


def address(thread: ThreadKey) -> str:
    """Return a thread's address for a control's value. Slack's limit for an option's value is 150 characters."""
    return f"{thread.channel}:{thread.root}"


def may_be(act: Filing, now: Conversation) -> bool:
    """Return True if the action is possible for this conversation."""
    return (now.status is Status.ARCHIVED) is (act is Filing.REOPEN)


def options(
    act: Filing, mine: Iterable[Conversation], names: Mapping[str, str], at: datetime, typed: str
) -> list[blocks.Block]:
    """Return the conversations that contain each typed word, in their order; `names` are those of the channels."""
    wanted = typed.casefold().split()
    found: list[blocks.Block] = []
    for now in mine:
        channel = names.get(now.thread.channel, "")
        label = summary_line.plainly(now, channel, at)
        about = f"{label} {now.title} #{channel} {texts.STATUS_NAMES[now.status]}".casefold()
        if may_be(act, now) and all(word in about for word in wanted):
            found.append({"text": blocks.plain(label), "value": address(now.thread)})
    return found[:MOST_OPTIONS]


def empty(act: Filing, *, choices: bool) -> View:
    """Return the window before a choice; without conversations to choose from, a notice."""
    return _window(act, _select(), "", "") if choices else notice(act, texts.NOTHING_TO_PICK[act])


def picked(act: Filing, now: Conversation, *, fixed: bool) -> View:
    """Return the window with a conversation and the warning of what would stop. If `fixed`, it has no select."""
    warning = _warning(act, now)
    title = f"*{mrkdwn.verbatim(summary_line.title(now))}*{summary_line.DOT}{summary_line.place(now.thread)}"
    shown = blocks.section(f"{summary_line.mark(now.status)} {title}") if fixed else _select()
    return _window(act, shown, warning, address(now.thread) if fixed else "", digest=_digest(warning))


def notice(act: Filing, sentence: str) -> View:
    """Return a window that contains only a sentence."""
    return reading(texts.PICK_TITLES[act], blocks.section(sentence)) | {"callback_id": act.value}


def read(view: Payload) -> Picked:
    """Return the submitted choice of a view."""
    about = loaded(view.get("private_metadata"))
    values = mapping(mapping(view.get("state")).get("values"))
    select = mapping(mapping(values.get(action_ids.PICK)).get(action_ids.PICK))
    chosen = text(mapping(select.get("selected_option")).get("value"))
    return Picked(address=text(about.get("address")) or chosen, read=text(about.get("read")))


def has_select(view: Payload) -> bool:
    """Return True if the window has a select, so that Slack can show an error below it."""
    return not text(loaded(view.get("private_metadata")).get("address"))


def was_warned(act: Filing, sent: Picked, now: Conversation) -> bool:
    """Return True if the window warned of what would stop now."""
    warning = _warning(act, now)
    return not warning or act is Filing.REOPEN or sent.read == _digest(warning)


def _window(act: Filing, shown: blocks.Block, warning: str, fixed: str, *, digest: str = "") -> View:
    said = (blocks.section(warning),) if warning else ()
    return {
        "type": "modal",
        "callback_id": act.value,
        "private_metadata": json.dumps({"address": fixed, "read": digest}),
        "title": blocks.plain(texts.PICK_TITLES[act]),
        "submit": blocks.plain(texts.PICK_SUBMITS[act]),
        "close": blocks.plain(texts.PICK_CLOSE),
        "blocks": [shown, *said],
    }


def _select() -> blocks.Block:
    element = {
        "type": "external_select",
        "action_id": action_ids.PICK,
        "placeholder": blocks.plain(texts.SEARCH),
        "min_query_length": 0,
        "focus_on_load": True,
    }
    return {
        "type": "input",
        "block_id": action_ids.PICK,
        "dispatch_action": True,
        "label": blocks.plain(texts.PICK_LABEL),
        "element": element,
    }


def _warning(act: Filing, now: Conversation) -> str:
    if act is Filing.REOPEN:
        return texts.REOPEN_NOTE
    return "" if archive.is_at_once(now) else texts.WARNING.format(warning=mrkdwn.verbatim(archive.warning(now)))


def _digest(warning: str) -> str:
    return hashlib.sha256(warning.encode()).hexdigest()[:16] if warning else ""
