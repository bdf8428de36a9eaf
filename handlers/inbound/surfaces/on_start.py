"""First sight and beginnings: a place is greeted once, Home is opened, a conversation begins with a form."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from functools import partial
from typing import Any

import structlog

from app.core.copy import decision_steps, texts
from app.core.errors import Retryable, SlackRefused, StoreUnavailable
from app.core.events.heard import DecisionStarted, MessagePosted
from app.core.thread import ThreadKey
from app.core.turns.rate_limits import Creation
from app.decision.playbook import example
from handlers.inbound.desk import PROMPT_SECONDS, Ack, Body, Counted, Desk, NotNow, promptly
from handlers.outbound.pacer import Priority
from handlers.slack import action_ids, permalinks
from handlers.slack.manifest import HOME_OPENED, JOINED
from handlers.slack.payload import mapping, text
from handlers.views.windows import new_decision, welcome
from handlers.views.windows.welcome import Beginning


def listen_for_sights(app: Any, desk: Desk) -> None:
    """Register with Bolt, which acknowledges events before it dispatches them."""
    app.event(HOME_OPENED)(partial(_opened, desk))
    app.event(JOINED)(partial(_joined, desk))


async def _opened(desk: Desk, body: Body) -> None:
    event = mapping(body.get("event"))
    user, channel = text(event.get("user")), text(event.get("channel"))
    if not user or body.get("team_id") != desk.us.team:
        return
    if event.get("tab") == "home":
        await desk.open_home(desk.us.team, user)
    elif channel:
        await greet(desk, f"messages:{user}", channel)


async def _joined(desk: Desk, body: Body) -> None:
    """Greet a channel that the app was added to. Other members are ignored."""
    event = mapping(body.get("event"))
    channel = text(event.get("channel"))
    if channel and event.get("user") == desk.us.bot_user and body.get("team_id") == desk.us.team:
        await greet(desk, f"channel:{channel}", channel)


POST_SECONDS = 1.8
"""Limit for posting the first message, in seconds. The rest of `PROMPT_SECONDS` is for the store: Slack treats a later
answer as a failure, and a person who submits the form again would start twice."""

LAYING_SECONDS = 10.0
"""Limit for posting an example's hub, in seconds: a channel takes one post a second, and no window waits for it."""

AGAIN_SECONDS = 60
"""Seconds during which another press shows the same example again."""

ABSENT = frozenset({"channel_not_found", "not_in_channel"})
"""Slack's error codes for a channel that the app is not in."""

ONE = {Creation.BEGINNING: 1}

log = structlog.get_logger(__name__)


def listen(app: Any, desk: Desk) -> None:
    """Register the listeners with Bolt."""
    listen_for_sights(app, desk)
    app.action(f"{action_ids.START_PREFIX}{Beginning.TASK}")(partial(_asked, desk))
    app.global_shortcut(action_ids.NEW_CONVERSATION_SHORTCUT)(partial(_asked, desk))
    app.view(action_ids.START_WINDOW)(partial(_sent, desk))
    app.action(action_ids.EXAMPLE)(partial(_example, desk))


async def greet(desk: Desk, place: str, channel: str) -> None:
    """Introduce the app in a place, at most once: a second greeting is worse than none."""
    if await desk.places.first(desk.us.team, place):
        said = welcome.greeting()
        content: dict[str, Any] = {"text": said.text, "blocks": list(said.blocks)}
        await desk.line.say("chat.postMessage", Priority.STATUS, channel=channel, **content)


async def _asked(desk: Desk, ack: Ack, body: Body) -> None:
    await ack()
    await _or_sorry(desk, body, _formed(desk, body))


async def _formed(desk: Desk, body: Body) -> None:
    """Open the form, or a notice in its place if the person is barred."""
    barred = await desk.barred(_user(body), body)
    form = welcome.notice(barred) if barred else welcome.start_form(_channel(body))
    await desk.open_window(text(body.get("trigger_id")), form)


async def _sent(desk: Desk, ack: Ack, body: Body) -> None:
    user, start = _user(body), welcome.read_start(mapping(body.get("view")))
    try:
        if barred := await promptly(desk.barred(user, body)):
            raise _Failed(barred)
        thread = await _begun(desk, user, start)
    except _Failed as failure:
        await ack(response_action="errors", errors={action_ids.START_WINDOW: str(failure)})
        return
    if start.channel:
        await ack()
    else:
        await ack(response_action="update", view=welcome.started(permalinks.of_thread(desk.us.url, thread)))


class _Failed(Exception):
    """Failure to start a conversation; the message is the sentence for the person."""


async def _begun(desk: Desk, user: str, start: welcome.Start) -> ThreadKey:
    """Post a person's first message and accept it as theirs. Raise `_Failed`."""
    if not start.words:
        raise _Failed(texts.START_EMPTY)
    until = asyncio.get_running_loop().time() + PROMPT_SECONDS
    thread = await _rooted(desk, user, start)
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
            await desk.intake.accept(said)
    except (StoreUnavailable, TimeoutError) as error:
        await desk.take_back(thread.channel, thread.root)
        raise _Failed(texts.CANNOT_POST) from error
    return thread


async def _rooted(desk: Desk, user: str, start: welcome.Start) -> ThreadKey:
    """Count the conversation and post its first message. Raise `_Failed`: then it is not counted."""
    counted: Counted | None = None
    try:
        async with asyncio.timeout(POST_SECONDS):
            counted = await desk.count(user, ONE)
            if counted.wait:
                raise _Failed(decision_steps.TOO_MANY.format(wait=texts.wait(counted.wait)))
            return await _posted(desk, user, start.channel, welcome.root(user, start.words))
    except (SlackRefused, Retryable, TimeoutError) as error:
        if counted:
            await desk.uncount(counted)
        log.warning("beginning_not_posted", error=type(error).__name__, code=getattr(error, "code", ""))
        is_absent = isinstance(error, SlackRefused) and error.code in ABSENT
        raise _Failed(texts.INVITE_ME if is_absent else texts.CANNOT_POST) from error


async def _posted(desk: Desk, user: str, channel: str, words: str) -> ThreadKey:
    """Post the first message of a thread, as a direct message if no channel is named."""
    channel = channel or await _direct(desk, user)
    content: dict[str, Any] = {"text": words, "unfurl_links": False, "unfurl_media": False}
    answer = await desk.line.say("chat.postMessage", Priority.QUESTION, channel=channel, **content)
    return ThreadKey(team=desk.us.team, channel=channel, root=str(answer["ts"]))


async def _direct(desk: Desk, user: str) -> str:
    answer = await desk.line.say("conversations.open", Priority.QUESTION, users=user)
    return str(answer["channel"]["id"])


async def _example(desk: Desk, ack: Ack, body: Body) -> None:
    """Show where the worked example is, or will be in a moment. Then create it if there is none."""
    await ack()
    user = _user(body)
    try:
        barred = await promptly(desk.barred(user, body))
        channel = "" if barred else await promptly(_announced(desk, user, text(body.get("trigger_id"))))
    except NotNow:
        await _sorry(desk, body)
        return
    if barred:
        await desk.excuse(text(body.get("trigger_id")), welcome.notice(barred))
    if channel:
        await _laid_out(desk, user, channel)


async def _announced(desk: Desk, user: str, trigger: str) -> str:
    """Open the window with the link. Return the channel to create an example in, or nothing if there is one."""
    recent = await _recent_example(desk, user)
    if not recent and (wait := (await desk.count(user, ONE)).wait):
        await desk.open_window(trigger, welcome.notice(decision_steps.TOO_MANY_EXAMPLES.format(wait=texts.wait(wait))))
        return ""
    channel = "" if recent else await _direct(desk, user)
    address = permalinks.of_thread(desk.us.url, recent) if recent else permalinks.of_channel(desk.us.url, channel)
    await desk.open_window(trigger, welcome.example(address))
    return channel


async def _laid_out(desk: Desk, user: str, channel: str) -> None:
    """Start the worked example, or report the failure in its channel."""
    thread: ThreadKey | None = None
    try:
        async with asyncio.timeout(LAYING_SECONDS):
            thread = await _posted(desk, user, channel, new_decision.hub(user, example.question()))
            await desk.intake.accept(_example_started(desk, user, thread))
    except (Retryable, SlackRefused, StoreUnavailable, TimeoutError) as error:
        log.warning("example_not_begun", error=type(error).__name__)
        if thread:
            await desk.take_back(thread.channel, thread.root)
        await desk.whisper(channel, user, texts.NOT_NOW)


async def _recent_example(desk: Desk, user: str) -> ThreadKey | None:
    """Return an example that was created a moment ago: a double press asks for only one."""
    hubs = [
        now.thread
        for now in await desk.conversations.of_owner(desk.us.team, user)
        if now.decision and now.decision.example and float(desk.at) - float(now.thread.root) < AGAIN_SECONDS
    ]
    return max(hubs, key=lambda thread: thread.root, default=None)


def _example_started(desk: Desk, user: str, thread: ThreadKey) -> DecisionStarted:
    return DecisionStarted(
        receipt=f"decision:{thread.team}:{thread.channel}:{thread.root}",
        thread=thread,
        at=desk.at,
        user=user,
        question=example.question(),
        steps=desk.course,
        example=True,
    )


async def _or_sorry(desk: Desk, body: Body, act: Awaitable[None]) -> None:
    """Await an action, or tell the person that it cannot be done now."""
    try:
        await promptly(act)
    except NotNow:
        await _sorry(desk, body)


async def _sorry(desk: Desk, body: Body) -> None:
    if channel := _channel(body):
        await desk.whisper(channel, _user(body), texts.NOT_NOW)
    else:
        await desk.excuse(text(body.get("trigger_id")), welcome.notice(texts.NOT_NOW))


def _user(body: Body) -> str:
    return text(mapping(body.get("user")).get("id"))


def _channel(body: Body) -> str:
    """Return the channel of the pressed button; empty in a window, at Home and for a global shortcut."""
    return text(mapping(body.get("channel")).get("id")) or text(mapping(body.get("container")).get("channel_id"))
