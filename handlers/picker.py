"""The windows in which somebody picks a conversation to archive or to reopen. Pure.

A window carries what it is about, so that nothing has to be remembered while it is open. Whoever sends it has seen the
warning that stands in it, and no other.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.core import filing, texts
from app.core.model import Conversation, ThreadKey
from app.core.states import Status
from handlers import action_ids, blocks, glance, mrkdwn
from handlers.forms import View, reading
from handlers.payload import Payload, loaded, mapping, text, thread_of

MOST_OPTIONS = 100
"""Slack: of a select."""


class Filing(StrEnum):
    """What is done with the conversation; also the `callback_id` of the window, and what the texts go by."""

    ARCHIVE = action_ids.ARCHIVE_WINDOW
    REOPEN = action_ids.REOPEN_WINDOW


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """What a window says that was sent: which conversation, empty if none is chosen, and which warning was read."""

    address: str
    read: str

    def thread(self, team: str) -> ThreadKey | None:
        """The thread that was picked; None if none was."""
        channel, _, root = self.address.partition(":")
        return thread_of({"ts": root}, team, channel)


def address(thread: ThreadKey) -> str:
    """How a thread of the workspace is named in a control's value. Slack allows an option 150 characters."""
    return f"{thread.channel}:{thread.root}"


def may_be(act: Filing, now: Conversation) -> bool:
    """True if that can be done with it."""
    return (now.status is Status.ARCHIVED) is (act is Filing.REOPEN)


def options(
    act: Filing, mine: Iterable[Conversation], names: Mapping[str, str], at: datetime, typed: str
) -> list[blocks.Block]:
    """The conversations in which each typed word occurs, in their order; `names` are those of the channels."""
    wanted = typed.casefold().split()
    found: list[blocks.Block] = []
    for now in mine:
        channel = names.get(now.thread.channel, "")
        label = glance.plainly(now, channel, at)
        about = f"{label} {now.title} #{channel} {texts.STATUS_NAMES[now.status]}".casefold()
        if may_be(act, now) and all(word in about for word in wanted):
            found.append({"text": blocks.plain(label), "value": address(now.thread)})
    return found[:MOST_OPTIONS]


def empty(act: Filing, *, choices: bool) -> View:
    """The window in which nothing is picked yet; without choices it says so kindly, and offers nothing."""
    return _window(act, _select(), "", "") if choices else notice(act, texts.NOTHING_TO_PICK[act])


def picked(act: Filing, now: Conversation, *, fixed: bool) -> View:
    """The window with a conversation in it and what would stop. If `fixed` there is no select: it was named before."""
    warning = _warning(act, now)
    title = f"*{mrkdwn.verbatim(glance.title(now))}*{glance.DOT}{glance.place(now.thread)}"
    shown = blocks.section(f"{glance.mark(now.status)} {title}") if fixed else _select()
    return _window(act, shown, warning, address(now.thread) if fixed else "", digest=_digest(warning))


def notice(act: Filing, sentence: str) -> View:
    """A window that only says something."""
    return reading(texts.PICK_TITLES[act], blocks.section(sentence)) | {"callback_id": act.value}


def read(view: Payload) -> Picked:
    """What a window says, as Slack gives it back."""
    about = loaded(view.get("private_metadata"))
    values = mapping(mapping(view.get("state")).get("values"))
    select = mapping(mapping(values.get(action_ids.PICK)).get(action_ids.PICK))
    chosen = text(mapping(select.get("selected_option")).get("value"))
    return Picked(address=text(about.get("address")) or chosen, read=text(about.get("read")))


def has_select(view: Payload) -> bool:
    """True if the window lets somebody choose: then Slack shows an error below that field."""
    return not text(loaded(view.get("private_metadata")).get("address"))


def was_warned(act: Filing, sent: Picked, now: Conversation) -> bool:
    """True if what would stop now is what stood in the window."""
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
    return "" if filing.is_at_once(now) else texts.WARNING.format(warning=mrkdwn.verbatim(filing.warning(now)))


def _digest(warning: str) -> str:
    return hashlib.sha256(warning.encode()).hexdigest()[:16] if warning else ""
