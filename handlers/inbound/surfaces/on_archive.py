"""Archiving and reopening away from the thread: by command, by message shortcut, and in their windows.

A request is checked once before it is accepted, and again by the state machine. Work in progress is stopped only after
the owner has seen a warning.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from app.core.conversation.conversation import Conversation
from app.core.copy import texts
from app.core.events.acts import ArchiveConfirmed, ArchiveRequested, ReopenRequested
from app.core.reactions.archive import is_at_once
from app.core.turns.rate_limits import Creation
from handlers.inbound.desk import Ack, Body, Desk, NotNow, in_words, promptly
from handlers.slack import action_ids, permalinks
from handlers.slack.manifest import ARCHIVE_THREAD, REOPEN_THREAD
from handlers.slack.payload import Payload, mapping, text, thread_of
from handlers.views.kit import mrkdwn, summary_line
from handlers.views.windows import conversation_picker
from handlers.views.windows.conversation_picker import Filing

COMMANDS: Mapping[str, Filing] = {ARCHIVE_THREAD: Filing.ARCHIVE, REOPEN_THREAD: Filing.REOPEN}
SHORTCUTS: Mapping[str, Filing] = {
    action_ids.ARCHIVE_SHORTCUT: Filing.ARCHIVE,
    action_ids.REOPEN_SHORTCUT: Filing.REOPEN,
}

NOT_POSSIBLE: Mapping[Filing, str] = {Filing.ARCHIVE: texts.ALREADY_ARCHIVED, Filing.REOPEN: texts.NOT_ARCHIVED}
DONE: Mapping[Filing, str] = {Filing.ARCHIVE: texts.ARCHIVING, Filing.REOPEN: texts.REOPENING}


def listen(app: Any, desk: Desk) -> None:
    """Register the listeners with Bolt."""
    for command, act in COMMANDS.items():
        app.command(command)(partial(_commanded, desk, act))
    for callback, act in SHORTCUTS.items():
        app.message_shortcut(callback)(partial(_shortcut, desk, act))
    for act in Filing:
        app.view(act.value)(partial(_sent, desk, act))
    app.options(action_ids.PICK)(partial(_searched, desk))
    app.action(action_ids.PICK)(partial(_chosen, desk))


async def _commanded(desk: Desk, act: Filing, ack: Ack, body: Body) -> None:
    said = await in_words(_command(desk, act, body))
    await ack(said)


async def _command(desk: Desk, act: Filing, body: Body) -> str:
    """Carry out a command, or return the reason against it."""
    user, trigger, words = (text(body.get(name)) for name in ("user_id", "trigger_id", "text"))
    if not words.strip():
        mine = await desk.conversations.of_owner(desk.us.team, user)
        choices = any(conversation_picker.may_be(act, now) for now in mine)
        await desk.open_window(trigger, conversation_picker.empty(act, choices=choices))
        return ""
    thread = permalinks.read(words, desk.us.team)
    now = await desk.conversations.find(thread) if thread else None
    if refused := refusal(act, now, user) if thread else texts.NO_LINK:
        return refused
    assert now is not None, "what is not there is refused"
    is_done = await _do(desk, act, now, trigger, user)
    return DONE[act].format(title=summary_line.linked(now, desk.view)) if is_done else ""


async def _shortcut(desk: Desk, act: Filing, ack: Ack, body: Body) -> None:
    await ack()
    trigger = text(body.get("trigger_id"))
    said = await in_words(_of_message(desk, act, body))
    if said:  # in a window: the app may not be able to post in the channel
        await desk.excuse(trigger, conversation_picker.notice(act, said))


async def _of_message(desk: Desk, act: Filing, body: Body) -> str:
    """Carry out a shortcut on the thread of a message, or return the reason against it. A card reports success."""
    user, channel = text(mapping(body.get("user")).get("id")), text(mapping(body.get("channel")).get("id"))
    thread = thread_of(mapping(body.get("message")), desk.us.team, channel)
    now = await desk.conversations.find(thread) if thread else None
    if refused := refusal(act, now, user):
        return refused
    assert now is not None, "what is not there is refused"
    await _do(desk, act, now, text(body.get("trigger_id")), user)
    return ""


async def _do(desk: Desk, act: Filing, now: Conversation, trigger: str, user: str) -> bool:
    """Accept the request and return True. If work would stop, open a window to confirm instead and return False."""
    if act is Filing.ARCHIVE and not is_at_once(now):
        await desk.open_window(trigger, conversation_picker.picked(act, now, fixed=True))
        return False
    receipt = f"command:{desk.us.team}:{trigger}"
    kind = ReopenRequested if act is Filing.REOPEN else ArchiveRequested
    await desk.intake.accept(kind(receipt=receipt, thread=now.thread, ts="", at=desk.at, user=user))
    return True


async def _searched(desk: Desk, ack: Ack, body: Body) -> None:
    try:
        found = await promptly(_options(desk, body))
    except NotNow:
        found = []
    await ack(options=found)


async def _options(desk: Desk, body: Body) -> list[dict[str, Any]]:
    act, user = _act(mapping(body.get("view"))), text(mapping(body.get("user")).get("id"))
    if (await desk.count(user, {Creation.SEARCH: 1})).wait:  # Slack shows no text in an option list, so it stays empty
        return []
    mine = await desk.conversations.of_owner(desk.us.team, user)
    mine = tuple(now for now in mine if conversation_picker.may_be(act, now))
    names = await desk.channels.names(now.thread.channel for now in mine if not now.thread.direct)
    return conversation_picker.options(act, mine, names, desk.clock.now(), text(body.get("value")))


async def _chosen(desk: Desk, ack: Ack, body: Body) -> None:
    """Show a warning of what would stop. If this times out, it is shown when the window is submitted."""
    await ack()
    with suppress(NotNow):
        await promptly(_warn(desk, body))


async def _warn(desk: Desk, body: Body) -> None:
    view, user = mapping(body.get("view")), text(mapping(body.get("user")).get("id"))
    act, thread = _act(view), conversation_picker.read(view).thread(desk.us.team)
    now = await desk.conversations.find(thread) if thread else None
    if now and not refusal(act, now, user):
        await desk.update_window(view, conversation_picker.picked(act, now, fixed=False))


async def _sent(desk: Desk, act: Filing, ack: Ack, body: Body) -> None:
    view = mapping(body.get("view"))
    try:
        answer = await promptly(_submitted(desk, act, body))
    except NotNow:
        answer = _told(act, view, texts.NOT_NOW)
    await ack(**answer)


async def _submitted(desk: Desk, act: Filing, body: Body) -> dict[str, Any]:
    """Return Slack's response for the window; empty to close it once the request is accepted."""
    view, user = mapping(body.get("view")), text(mapping(body.get("user")).get("id"))
    sent = conversation_picker.read(view)
    thread = sent.thread(desk.us.team)
    now = await desk.conversations.find(thread) if thread else None
    if refused := refusal(act, now, user) if thread else texts.PICK_FIRST:
        return _told(act, view, refused)
    assert now is not None, "what is not there is refused"
    if not conversation_picker.was_warned(act, sent, now):
        return {
            "response_action": "update",
            "view": conversation_picker.picked(act, now, fixed=not conversation_picker.has_select(view)),
        }
    receipt = f"view:{desk.us.team}:{text(view.get('id'))}:{text(view.get('hash'))}"
    kind = ReopenRequested if act is Filing.REOPEN else ArchiveConfirmed
    await desk.intake.accept(kind(receipt=receipt, thread=now.thread, ts="", at=desk.at, user=user))
    return {}


def _told(act: Filing, view: Payload, sentence: str) -> dict[str, Any]:
    """Return the sentence as an error of the field; without a field, as a window."""
    if conversation_picker.has_select(view):
        return {"response_action": "errors", "errors": {action_ids.PICK: mrkdwn.plain(sentence)}}
    return {"response_action": "update", "view": conversation_picker.notice(act, sentence)}


def refusal(act: Filing, now: Conversation | None, user: str) -> str:
    """Return why this cannot be done with the conversation; empty if it can."""
    if now is None:
        return texts.NOT_OURS
    if now.owner != user:
        return texts.NOT_OWNER.format(owner=f"<@{now.owner}>")
    return "" if conversation_picker.may_be(act, now) else NOT_POSSIBLE[act]


def _act(view: Payload) -> Filing:
    return Filing.REOPEN if view.get("callback_id") == Filing.REOPEN else Filing.ARCHIVE
