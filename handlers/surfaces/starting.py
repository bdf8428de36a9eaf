"""First sight and beginnings: a place is greeted once, and a conversation begins with a form.

What somebody asks in a form is posted in their name before it is taken in: a conversation needs a thread, and a thread
needs a first message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from functools import partial
from typing import Any

import structlog

from app.core import texts
from app.core.errors import Retryable, SlackRefused, StoreUnavailable
from app.core.events import MessagePosted
from app.core.model import ThreadKey
from handlers import permalinks, welcome
from handlers.desk import PROMPT_SECONDS, Ack, Body, Desk, NotNow, promptly
from handlers.manifest import NEW_CONVERSATION
from handlers.pacer import Priority
from handlers.payload import mapping, text
from handlers.welcome import Beginning

POST_SECONDS = 1.8
"""How long Slack may take to post what somebody asks. What is left of `PROMPT_SECONDS` is for the store: an answer that
came later would be a failure to Slack, and whoever sends the form again would begin twice."""

ABSENT = frozenset({"channel_not_found", "not_in_channel"})
"""Codes of a channel that we are not in."""

log = structlog.get_logger(__name__)


def listen(app: Any, desk: Desk) -> None:
    """Register with Bolt."""
    for beginning in Beginning:
        app.action(f"{welcome.START_ACTIONS}{beginning}")(partial(_asked, desk, beginning))
    app.global_shortcut(NEW_CONVERSATION)(partial(_asked, desk, Beginning.TASK))
    app.view(welcome.START_FORM)(partial(_sent, desk))
    app.action(welcome.EXAMPLE_ACTION)(partial(_example, desk))
    for place, action in enumerate(welcome.EXAMPLE_ANSWERS):
        app.action(action)(partial(_example_pressed, desk, place))


async def greet(desk: Desk, place: str, channel: str) -> None:
    """Say once in a place what we are for. At most once: a greeting too many is worse than none."""
    if await desk.places.first(desk.us.team, place):
        said = welcome.greeting()
        content: dict[str, Any] = {"text": said.text, "blocks": list(said.blocks)}
        await desk.line.say("chat.postMessage", Priority.STATUS, channel=channel, **content)


async def _asked(desk: Desk, beginning: Beginning, ack: Ack, body: Body) -> None:
    form = welcome.start_form(beginning, _channel(body))
    await ack()
    await _or_sorry(desk, body, desk.open_window(text(body.get("trigger_id")), form))


async def _sent(desk: Desk, ack: Ack, body: Body) -> None:
    user, start = _user(body), welcome.read_start(mapping(body.get("view")))
    try:
        thread = await _begun(desk, user, start)
    except _Failed as failure:
        await ack(response_action="errors", errors={welcome.START_FORM: str(failure)})
        return
    if start.channel:
        await ack()
    else:
        await ack(response_action="update", view=welcome.started(permalinks.of_thread(desk.us.url, thread)))


class _Failed(Exception):
    """Nothing was begun; the message is the sentence for whoever asked."""


async def _begun(desk: Desk, user: str, start: welcome.Start) -> ThreadKey:
    """Post what somebody asks and take it in as theirs. Raises `_Failed`."""
    if not start.words:
        raise _Failed(texts.START_EMPTY)
    until = asyncio.get_running_loop().time() + PROMPT_SECONDS
    try:
        async with asyncio.timeout(POST_SECONDS):
            thread = await _posted(desk, user, start)
    except SlackRefused as error:
        log.warning("beginning_not_posted", code=error.code)
        raise _Failed(texts.INVITE_ME if error.code in ABSENT else texts.CANNOT_POST) from error
    except (Retryable, TimeoutError) as error:
        log.warning("beginning_not_posted", error=type(error).__name__)
        raise _Failed(texts.CANNOT_POST) from error
    said = MessagePosted(
        receipt=f"message:{thread.team}:{thread.channel}:{thread.root}",
        thread=thread,
        ts=thread.root,
        user=user,
        text=start.words,
        opens=True,
        addressed=True,
    )
    try:
        async with asyncio.timeout_at(until):
            await desk.take_in(said)
    except (StoreUnavailable, TimeoutError) as error:
        await desk.take_back(thread.channel, thread.root)
        raise _Failed(texts.CANNOT_POST) from error
    return thread


async def _posted(desk: Desk, user: str, start: welcome.Start) -> ThreadKey:
    """Post the first message of the thread, in direct messages if it was asked nowhere."""
    channel = start.channel
    if not channel:
        answer = await desk.line.say("conversations.open", Priority.QUESTION, users=user)
        channel = str(answer["channel"]["id"])
    content: dict[str, Any] = {"text": welcome.root(user, start.words), "unfurl_links": False, "unfurl_media": False}
    answer = await desk.line.say("chat.postMessage", Priority.QUESTION, channel=channel, **content)
    return ThreadKey(team=desk.us.team, channel=channel, root=str(answer["ts"]))


async def _example(desk: Desk, ack: Ack, body: Body) -> None:
    await ack()
    await _or_sorry(desk, body, desk.open_window(text(body.get("trigger_id")), welcome.example()))


async def _example_pressed(desk: Desk, place: int, ack: Ack, body: Body) -> None:
    await ack()
    await _or_sorry(desk, body, desk.update_window(mapping(body.get("view")), welcome.example_result(place)))


async def _or_sorry(desk: Desk, body: Body, act: Awaitable[None]) -> None:
    """Do it, or say where it was asked for that it cannot be done now."""
    try:
        await promptly(act)
    except NotNow:
        if channel := _channel(body):
            await desk.whisper(channel, _user(body), texts.NOT_NOW)
        else:
            await desk.excuse(text(body.get("trigger_id")), welcome.notice(texts.NOT_NOW))


def _user(body: Body) -> str:
    return text(mapping(body.get("user")).get("id"))


def _channel(body: Body) -> str:
    """Where the message stands whose button was pressed; empty in a window, at Home and for a global shortcut."""
    return text(mapping(body.get("channel")).get("id")) or text(mapping(body.get("container")).get("channel_id"))
