"""`/threadwise …`: answered in the acknowledgement, visible to its sender only. Some words open a window."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

import structlog

from app.core.conversation.conversation import Conversation
from app.core.copy import texts
from handlers.inbound.listener_context import Ack, AnswerFailed, Body, ListenerContext, await_in_time
from handlers.inbound.surfaces import on_export, on_permissions
from handlers.slack.manifest import THREADWISE
from handlers.slack.payload import read_text
from handlers.views.kit.blocks import RenderedMessage
from handlers.views.windows import command_replies

WINDOWS: Mapping[str, Callable[[ListenerContext, str, str], Awaitable[str]]] = {
    command_replies.EXPORT: on_export.ask,
    command_replies.PERMISSIONS: on_permissions.ask,
}
"""Functions that open a word's window, for a trigger and a person, or return a sentence instead."""

log = structlog.get_logger(__name__)


def listen(app: Any, context: ListenerContext) -> None:
    """Register the listeners with Bolt."""
    app.command(THREADWISE)(partial(_on_command, context))


async def _on_command(context: ListenerContext, ack: Ack, body: Body) -> None:
    text, user = read_text(body.get("text")), read_text(body.get("user_id"))
    word = command_replies.parse_word(text)
    log.info("command_typed", kind=word)  # never the rest of the input
    if word == command_replies.UNKNOWN:
        await ack(command_replies.explain_unknown(text))
        return
    try:
        if open_window := WINDOWS.get(word):
            await ack(await await_in_time(open_window(context, read_text(body.get("trigger_id")), user)))
            return
        said = await await_in_time(_render_answer(context, word, user))
    except AnswerFailed:
        await ack(texts.NOT_NOW)
        return
    await ack(text=said.text, blocks=list(said.blocks))


async def _render_answer(context: ListenerContext, word: str, user: str) -> RenderedMessage:
    mine: tuple[Conversation, ...] = ()
    if word in command_replies.LISTING:
        mine = await context.conversations.of_owner(context.us.team, user)
    zone = (await context.profile_of(context.us.team, user)).zone if word == command_replies.SETTINGS else ""
    return command_replies.answer(
        word, command_replies.ReplyContext(view=context.view, rules=context.rules, conversations=mine, zone=zone)
    )
