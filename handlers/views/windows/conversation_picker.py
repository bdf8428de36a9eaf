"""The windows for picking a conversation to archive or to reopen. Pure.

A window carries its state, so that nothing is stored while it is open. It also carries a digest of its warning, so
that a submission tells which warning the person has seen.
"""

from __future__ import annotations

import hashlib
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
from handlers.slack.payload import Payload, read_element, read_option, read_state, read_text
from handlers.views.kit import blocks, mrkdwn, summary_line
from handlers.views.windows import forms
from handlers.views.windows.forms import View


class ArchiveAction(StrEnum):
    """The action on the conversation, also the `callback_id` of the window and the key of its texts."""

    ARCHIVE = action_ids.ARCHIVE_WINDOW
    REOPEN = action_ids.REOPEN_WINDOW


@dataclass(frozen=True, slots=True, kw_only=True)
class PickedConversation:
    """The submitted choice: the conversation, empty if none, and the digest of the warning that was shown."""

    address: str
    read: str

    def thread(self, team: str) -> ThreadKey | None:
        """Return the chosen thread; None if there is none."""
        return blocks.parse_address(self.address, team)


def is_possible(act: ArchiveAction, now: Conversation) -> bool:
    """Return True if the action is possible for this conversation."""
    return (now.status is Status.ARCHIVED) is (act is ArchiveAction.REOPEN)


def list_options(
    act: ArchiveAction, mine: Iterable[Conversation], names: Mapping[str, str], at: datetime, typed: str
) -> list[blocks.Block]:
    """Return the conversations that contain each typed word, in their order; `names` are those of the channels."""
    wanted = typed.casefold().split()
    found = dict[str, str]()
    for now in mine:
        channel = names.get(now.thread.channel, "")
        label = summary_line.render_plain_line(now, channel, at)
        about = f"{label} {now.name} #{channel} {texts.STATUS_NAMES[now.status]}".casefold()
        if is_possible(act, now) and all(word in about for word in wanted):
            found[blocks.format_address(now.thread)] = label
    return blocks.build_options(found)[: blocks.MOST_OPTIONS]


def build_empty(act: ArchiveAction, *, choices: bool) -> View:
    """Return the window before a choice; without conversations to choose from, a notice."""
    return _build_window(act, _build_select(), "", "") if choices else build_notice(act, texts.NOTHING_TO_PICK[act])


def build_picked(act: ArchiveAction, now: Conversation, *, fixed: bool) -> View:
    """Return the window with a conversation and the warning of what would stop. If `fixed`, it has no select."""
    warning = _render_warning(act, now)
    place = summary_line.render_place(now.thread)
    title = f"*{mrkdwn.render_verbatim(summary_line.render_title(now))}*{summary_line.DOT}{place}"
    shown = blocks.build_section(f"{summary_line.find_sign(now.status)} {title}") if fixed else _build_select()
    return _build_window(act, shown, warning, blocks.format_address(now.thread) if fixed else "")


def build_notice(act: ArchiveAction, sentence: str) -> View:
    """Return a window that contains only a sentence."""
    return forms.build_notice(texts.PICK_TITLES[act], sentence) | {"callback_id": act.value}


def read(view: Payload) -> PickedConversation:
    """Return the submitted choice of a view."""
    about = forms.read_about(view)
    chosen = read_option(read_element(read_state(view), action_ids.PICK))
    return PickedConversation(address=read_text(about.get("address")) or chosen, read=read_text(about.get("read")))


def has_select(view: Payload) -> bool:
    """Return True if the window has a select, so that Slack can show an error below it."""
    return not read_text(forms.read_about(view).get("address"))


def was_warned(act: ArchiveAction, sent: PickedConversation, now: Conversation) -> bool:
    """Return True if the window warned of what would stop now."""
    warning = _render_warning(act, now)
    return not warning or act is ArchiveAction.REOPEN or sent.read == _hash_warning(warning)


def _build_window(act: ArchiveAction, shown: blocks.Block, warning: str, fixed: str) -> View:
    said = (blocks.build_section(warning),) if warning else ()
    about = {"address": fixed, "read": _hash_warning(warning)}
    words = (texts.PICK_TITLES[act], texts.PICK_SUBMITS[act], texts.CANCEL)
    return forms.build_form(act.value, about, words, shown, *said)


def _build_select() -> blocks.Block:
    element = {
        "type": "external_select",
        "placeholder": blocks.build_plain_text(texts.SEARCH),
        "min_query_length": 0,
        "focus_on_load": True,
    }
    return blocks.build_input(action_ids.PICK, texts.PICK_LABEL, element) | {"dispatch_action": True}


def _render_warning(act: ArchiveAction, now: Conversation) -> str:
    if act is ArchiveAction.REOPEN:
        return texts.REOPEN_NOTE
    return (
        ""
        if archive.can_archive_at_once(now)
        else texts.WARNING.format(warning=mrkdwn.render_verbatim(archive.build_archive_warning(now)))
    )


def _hash_warning(warning: str) -> str:
    return hashlib.sha256(warning.encode()).hexdigest()[:16] if warning else ""
