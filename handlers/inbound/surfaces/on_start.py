"""First sight and beginnings: a place is greeted once, Home is opened, a conversation begins with a form."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import structlog

from app.core.copy import decision_steps, texts
from app.core.errors import Retryable, SlackRefused, StoreUnavailable
from app.core.events.heard import DecisionStarted, MessagePosted, build_message_receipt
from app.core.thread import ThreadKey
from app.core.turns.rate_limits import Creation
from app.decision.playbook import example
from handlers.inbound.listener_context import (
    ABSENT,
    PROMPT_SECONDS,
    Ack,
    AnswerFailed,
    Body,
    ListenerContext,
    StartFailed,
    answer_form,
    await_in_time,
)
from handlers.outbound.pacer import Priority
from handlers.slack import action_ids, permalinks
from handlers.slack.manifest import HOME_OPENED, JOINED
from handlers.slack.payload import read_mapping, read_text, read_user
from handlers.views.windows import new_decision, welcome
from handlers.views.windows.welcome import StartKind

POST_SECONDS = 1.8
"""Limit for posting the first message, in seconds. The rest of `PROMPT_SECONDS` is for the store: Slack treats a later
answer as a failure, and a person who submits the form again would start twice."""

LAYING_SECONDS = 10.0
"""Limit for posting an example's hub, in seconds: a channel takes one post a second, and no window waits for it."""

AGAIN_SECONDS = 60
"""Seconds during which another press shows the same example again."""

ONE = {Creation.BEGINNING: 1}

log = structlog.get_logger(__name__)


def listen(app: Any, context: ListenerContext) -> None:
    """Register the listeners with Bolt, which acknowledges events before it dispatches them."""
    app.event(HOME_OPENED)(partial(_on_home_opened, context))
    app.event(JOINED)(partial(_on_channel_joined, context))
    app.action(f"{action_ids.START_PREFIX}{StartKind.TASK}")(partial(_on_click, context))
    app.global_shortcut(action_ids.NEW_CONVERSATION_SHORTCUT)(partial(_on_click, context))
    app.view(action_ids.START_WINDOW)(partial(_on_submit, context))
    app.action(action_ids.EXAMPLE)(partial(_on_example, context))


async def _on_home_opened(context: ListenerContext, body: Body) -> None:
    event = read_mapping(body.get("event"))
    user, channel = read_text(event.get("user")), read_text(event.get("channel"))
    if not user or body.get("team_id") != context.us.team:
        return
    if event.get("tab") == "home":
        await context.open_home(context.us.team, user)
    elif channel:
        await greet(context, f"messages:{user}", channel)


async def _on_channel_joined(context: ListenerContext, body: Body) -> None:
    """Greet a channel that the app was added to. Other members are ignored."""
    event = read_mapping(body.get("event"))
    channel = read_text(event.get("channel"))
    if channel and event.get("user") == context.us.bot_user and body.get("team_id") == context.us.team:
        await greet(context, f"channel:{channel}", channel)


async def greet(context: ListenerContext, place: str, channel: str) -> None:
    """Introduce the app in a place, at most once: a second greeting is worse than none."""
    if await context.places.note_once(context.us.team, place):
        said = welcome.render_greeting()
        content: dict[str, Any] = {"text": said.text, "blocks": list(said.blocks)}
        await context.line.say("chat.postMessage", Priority.STATUS, channel=channel, **content)


async def _on_click(context: ListenerContext, ack: Ack, body: Body) -> None:
    await ack()
    try:
        await await_in_time(_open_form(context, body))
    except AnswerFailed:
        await _apologize(context, body)


async def _open_form(context: ListenerContext, body: Body) -> None:
    """Open the form, or a notice in its place if the person is barred."""
    barred = await context.find_bar(read_user(body), body)
    form = welcome.build_notice(barred) if barred else welcome.build_start_form(_read_channel(body))
    await context.open_window(read_text(body.get("trigger_id")), form)


async def _on_submit(context: ListenerContext, ack: Ack, body: Body) -> None:
    user, start = read_user(body), welcome.read_start(read_mapping(body.get("view")))
    try:
        if barred := await context.find_bar(user, body):
            raise StartFailed(action_ids.START_WINDOW, barred)
        thread = await _begin_conversation(context, user, start)
    except StartFailed as failure:
        await answer_form(ack, failure.field, str(failure))
        return
    if start.channel:
        await ack()
    else:
        await ack(
            response_action="update", view=welcome.build_started_window(permalinks.link_thread(context.us.url, thread))
        )


async def _begin_conversation(context: ListenerContext, user: str, start: welcome.Start) -> ThreadKey:
    """Post a person's first message and accept it as theirs. Raise `StartFailed`."""
    if not start.words:
        raise StartFailed(action_ids.START_WINDOW, texts.START_EMPTY)
    until = asyncio.get_running_loop().time() + PROMPT_SECONDS
    thread = await _place_conversation(context, user, start)
    said = MessagePosted(
        receipt=build_message_receipt(thread, thread.root),
        thread=thread,
        ts=thread.root,
        user=user,
        text=start.words,
        opens=True,
        addressed=True,
    )
    await context.accept_posted(said, until, StartFailed(action_ids.START_WINDOW, texts.CANNOT_POST))
    return thread


async def _place_conversation(context: ListenerContext, user: str, start: welcome.Start) -> ThreadKey:
    """Count the conversation and post its first message. Raise `StartFailed`: then it is not counted."""
    try:
        async with asyncio.timeout(POST_SECONDS):
            if start.channel and (refused := await context.find_obstacle(user, start.channel)):
                raise StartFailed(action_ids.START_WINDOW, refused)
            async with context.count_during(user, ONE, action_ids.START_WINDOW):
                return await context.post_root(user, start.channel, welcome.render_root(user, start.words))
    except (SlackRefused, Retryable, TimeoutError) as error:
        log.warning("beginning_not_posted", error=type(error).__name__, code=getattr(error, "code", ""))
        is_absent = isinstance(error, SlackRefused) and error.code in ABSENT
        raise StartFailed(action_ids.START_WINDOW, texts.INVITE_ME if is_absent else texts.CANNOT_POST) from error


async def _on_example(context: ListenerContext, ack: Ack, body: Body) -> None:
    """Show where the worked example is, or will be in a moment. Then create it if there is none."""
    await ack()
    user = read_user(body)
    try:
        barred = await await_in_time(context.find_bar(user, body))
        channel = (
            "" if barred else await await_in_time(_announce_example(context, user, read_text(body.get("trigger_id"))))
        )
    except AnswerFailed:
        await _apologize(context, body)
        return
    if barred:
        await context.excuse(read_text(body.get("trigger_id")), welcome.build_notice(barred))
    if channel:
        await _lay_out_example(context, user, channel)


async def _announce_example(context: ListenerContext, user: str, trigger: str) -> str:
    """Open the window with the link. Return the channel to create an example in, or nothing if there is one."""
    recent = await _find_recent_example(context, user)
    if not recent and (wait := await context.count(user, ONE)):
        await context.open_window(
            trigger, welcome.build_notice(decision_steps.TOO_MANY_EXAMPLES.format(wait=texts.format_wait(wait)))
        )
        return ""
    channel = "" if recent else await context.line.open_direct(user)
    address = (
        permalinks.link_thread(context.us.url, recent) if recent else permalinks.link_channel(context.us.url, channel)
    )
    await context.open_window(trigger, welcome.build_example_window(address))
    return channel


async def _lay_out_example(context: ListenerContext, user: str, channel: str) -> None:
    """Start the worked example, or report the failure in its channel."""
    thread: ThreadKey | None = None
    try:
        async with asyncio.timeout(LAYING_SECONDS):
            question = await _choose_example(context, user)
            thread = await context.post_root(user, channel, new_decision.render_placeholder(user, question))
            await context.intake.accept(_build_example_event(context, user, thread, question))
    except (Retryable, SlackRefused, StoreUnavailable, TimeoutError) as error:
        log.warning("example_not_begun", error=type(error).__name__)
        if thread:
            await context.take_back(thread.channel, thread.root)
        await context.whisper(channel, user, texts.NOT_NOW)


async def _find_recent_example(context: ListenerContext, user: str) -> ThreadKey | None:
    """Return an example that was created a moment ago: a double press asks for only one."""
    hubs = [
        now.thread
        for now in await context.conversations.of_owner(context.us.team, user)
        if now.decision and now.decision.example and float(context.at) - float(now.thread.root) < AGAIN_SECONDS
    ]
    return max(hubs, key=lambda thread: thread.root, default=None)


async def _choose_example(context: ListenerContext, user: str) -> str:
    """Return the question of the first example that the person does not have yet; of the first one if they have all."""
    owned = await context.conversations.of_owner(context.us.team, user)
    known = {now.decision.question for now in owned if now.decision and now.decision.example}
    return next((each for each in example.list_questions() if each not in known), example.read_question())


def _build_example_event(context: ListenerContext, user: str, thread: ThreadKey, question: str) -> DecisionStarted:
    return DecisionStarted(
        receipt=f"decision:{thread.team}:{thread.channel}:{thread.root}",
        thread=thread,
        at=context.at,
        user=user,
        question=question,
        steps=context.course,
        example=True,
    )


async def _apologize(context: ListenerContext, body: Body) -> None:
    if channel := _read_channel(body):
        await context.whisper(channel, read_user(body), texts.NOT_NOW)
    else:
        await context.excuse(read_text(body.get("trigger_id")), welcome.build_notice(texts.NOT_NOW))


def _read_channel(body: Body) -> str:
    """Return the channel of the pressed button; empty in a window, at Home and for a global shortcut."""
    return read_text(read_mapping(body.get("channel")).get("id")) or read_text(
        read_mapping(body.get("container")).get("channel_id")
    )
