"""Archiving and reopening away from the thread: by command, by message shortcut, and in their windows.

A request is checked once before it is accepted, and again by the state machine. Work in progress is stopped only after
the owner has seen a warning.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from app.core.conversation.conversation import Conversation
from app.core.copy import texts
from app.core.events.acts import ArchiveConfirmed, ArchiveRequested, ReopenRequested
from app.core.reactions.archive import can_archive_at_once
from app.core.thread import ThreadKey
from app.core.turns.rate_limits import Creation
from handlers.inbound.listener_context import (
    Ack,
    AnswerFailed,
    Body,
    ListenerContext,
    await_in_time,
    await_sentence,
    change_view,
)
from handlers.slack import action_ids, permalinks
from handlers.slack.manifest import ARCHIVE_THREAD, REOPEN_THREAD
from handlers.slack.payload import Payload, name_submission, read_mapping, read_text, read_thread, read_user
from handlers.views.kit import mrkdwn, summary_line
from handlers.views.windows import conversation_picker
from handlers.views.windows.conversation_picker import ArchiveAction

COMMANDS: Mapping[str, ArchiveAction] = {ARCHIVE_THREAD: ArchiveAction.ARCHIVE, REOPEN_THREAD: ArchiveAction.REOPEN}
SHORTCUTS: Mapping[str, ArchiveAction] = {
    action_ids.ARCHIVE_SHORTCUT: ArchiveAction.ARCHIVE,
    action_ids.REOPEN_SHORTCUT: ArchiveAction.REOPEN,
}

NOT_POSSIBLE: Mapping[ArchiveAction, str] = {
    ArchiveAction.ARCHIVE: texts.ALREADY_ARCHIVED,
    ArchiveAction.REOPEN: texts.NOT_ARCHIVED,
}
DONE: Mapping[ArchiveAction, str] = {ArchiveAction.ARCHIVE: texts.ARCHIVING, ArchiveAction.REOPEN: texts.REOPENING}


def listen(app: Any, context: ListenerContext) -> None:
    """Register the listeners with Bolt."""
    for command, act in COMMANDS.items():
        app.command(command)(partial(_on_command, context, act))
    for callback, act in SHORTCUTS.items():
        app.message_shortcut(callback)(partial(_on_shortcut, context, act))
    for act in ArchiveAction:
        app.view(act.value)(partial(_on_submit, context, act))
    app.options(action_ids.PICK)(partial(_on_search, context))
    app.action(action_ids.PICK)(partial(change_view, context, _show_warning))


async def _on_command(context: ListenerContext, act: ArchiveAction, ack: Ack, body: Body) -> None:
    await ack(await await_sentence(_run_command(context, act, body)))


async def _run_command(context: ListenerContext, act: ArchiveAction, body: Body) -> str:
    """Carry out a command, or return the reason against it."""
    user, trigger, words = (read_text(body.get(name)) for name in ("user_id", "trigger_id", "text"))
    if not words.strip():
        mine = await context.conversations.of_owner(context.us.team, user)
        choices = any(conversation_picker.is_possible(act, now) for now in mine)
        await context.open_window(trigger, conversation_picker.build_empty(act, choices=choices))
        return ""
    thread = permalinks.find_thread(words, context.us.team)
    now = await find_possible(context, act, thread, user) if thread else texts.NO_LINK
    if isinstance(now, str):
        return now
    is_done = await _request_change(context, act, now, trigger, user)
    return DONE[act].format(title=summary_line.link_title(now, context.view)) if is_done else ""


async def _on_shortcut(context: ListenerContext, act: ArchiveAction, ack: Ack, body: Body) -> None:
    await ack()
    if said := await await_sentence(_handle_message(context, act, body)):
        # In a window: the app may not be able to post in the channel.
        await context.excuse(read_text(body.get("trigger_id")), conversation_picker.build_notice(act, said))


async def _handle_message(context: ListenerContext, act: ArchiveAction, body: Body) -> str:
    """Carry out a shortcut on the thread of a message, or return the reason against it. A card reports success."""
    user, channel = read_user(body), read_text(read_mapping(body.get("channel")).get("id"))
    thread = read_thread(read_mapping(body.get("message")), context.us.team, channel)
    now = await find_possible(context, act, thread, user)
    if isinstance(now, str):
        return now
    await _request_change(context, act, now, read_text(body.get("trigger_id")), user)
    return ""


async def _request_change(
    context: ListenerContext, act: ArchiveAction, now: Conversation, trigger: str, user: str
) -> bool:
    """Accept the request and return True. If work would stop, open a window to confirm instead and return False."""
    if act is ArchiveAction.ARCHIVE and not can_archive_at_once(now):
        await context.open_window(trigger, conversation_picker.build_picked(act, now, fixed=True))
        return False
    receipt = f"command:{context.us.team}:{trigger}"
    kind = ReopenRequested if act is ArchiveAction.REOPEN else ArchiveRequested
    await context.intake.accept(kind(receipt=receipt, thread=now.thread, ts="", at=context.at, user=user))
    return True


async def _on_search(context: ListenerContext, ack: Ack, body: Body) -> None:
    try:
        found = await await_in_time(_list_options(context, body))
    except AnswerFailed:
        found = []
    await ack(options=found)


async def _list_options(context: ListenerContext, body: Body) -> list[dict[str, Any]]:
    act, user = _read_act(read_mapping(body.get("view"))), read_user(body)
    if await context.count(user, {Creation.SEARCH: 1}):  # Slack shows no text in an option list, so it stays empty
        return []
    mine = await context.conversations.of_owner(context.us.team, user)
    mine = tuple(now for now in mine if conversation_picker.is_possible(act, now))
    names = await context.channels.names(now.thread.channel for now in mine if not now.thread.direct)
    return conversation_picker.list_options(act, mine, names, context.clock.now(), read_text(body.get("value")))


async def _show_warning(context: ListenerContext, body: Body) -> None:
    """Show a warning of what would stop. If this times out, it is shown when the window is submitted."""
    view, user = read_mapping(body.get("view")), read_user(body)
    act, thread = _read_act(view), conversation_picker.read(view).thread(context.us.team)
    now = await find_possible(context, act, thread, user)
    if not isinstance(now, str):
        await context.update_window(view, conversation_picker.build_picked(act, now, fixed=False))


async def _on_submit(context: ListenerContext, act: ArchiveAction, ack: Ack, body: Body) -> None:
    view = read_mapping(body.get("view"))
    try:
        answer = await await_in_time(_submit(context, act, body))
    except AnswerFailed:
        answer = _build_error(act, view, texts.NOT_NOW)
    await ack(**answer)


async def _submit(context: ListenerContext, act: ArchiveAction, body: Body) -> dict[str, Any]:
    """Return Slack's response for the window; empty to close it once the request is accepted."""
    view, user = read_mapping(body.get("view")), read_user(body)
    sent = conversation_picker.read(view)
    thread = sent.thread(context.us.team)
    now = await find_possible(context, act, thread, user) if thread else texts.PICK_FIRST
    if isinstance(now, str):
        return _build_error(act, view, now)
    if not conversation_picker.was_warned(act, sent, now):
        return {
            "response_action": "update",
            "view": conversation_picker.build_picked(act, now, fixed=not conversation_picker.has_select(view)),
        }
    receipt = name_submission(view, context.us.team)
    kind = ReopenRequested if act is ArchiveAction.REOPEN else ArchiveConfirmed
    await context.intake.accept(kind(receipt=receipt, thread=now.thread, ts="", at=context.at, user=user))
    return {}


def _build_error(act: ArchiveAction, view: Payload, sentence: str) -> dict[str, Any]:
    """Return the sentence as an error of the field; without a field, as a window."""
    if conversation_picker.has_select(view):
        return {"response_action": "errors", "errors": {action_ids.PICK: mrkdwn.resolve_markup(sentence)}}
    return {"response_action": "update", "view": conversation_picker.build_notice(act, sentence)}


async def find_possible(
    context: ListenerContext, act: ArchiveAction, thread: ThreadKey | None, user: str
) -> Conversation | str:
    """Return the conversation of this thread, or why this cannot be done with it."""
    now = await context.conversations.find(thread) if thread else None
    if now is None:
        return texts.NOT_OURS
    if now.owner != user:
        return texts.NOT_OWNER.format(owner=f"<@{now.owner}>")
    return now if conversation_picker.is_possible(act, now) else NOT_POSSIBLE[act]


def _read_act(view: Payload) -> ArchiveAction:
    return ArchiveAction.REOPEN if view.get("callback_id") == ArchiveAction.REOPEN else ArchiveAction.ARCHIVE
