"""The gate. It stores everything that Slack sends before it acknowledges the delivery.

One global middleware stores the events, and the listeners below it only acknowledge. Surfaces are the exception: they
have a time limit of their own and answer at once. An exception in the middleware answers 500 (over a socket: nothing),
and Slack delivers again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakValueDictionary

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient
from structlog.contextvars import bound_contextvars

from app.core.copy import texts
from app.core.errors import StoreUnavailable
from app.core.events.heard import (
    Ignored,
    MessageChange,
    MessagePosted,
    OwnerAct,
    SlackEvent,
    build_copy,
    build_file_deleted,
)
from app.core.thread import ThreadKey
from app.ports import Acceptance
from handlers.inbound.listener_context import Body, ListenerContext
from handlers.inbound.reading.slack_actions import ACTIONS, read_click
from handlers.inbound.reading.slack_messages import read_deleted_file, read_event
from handlers.inbound.surfaces import (
    on_answer,
    on_archive,
    on_commands,
    on_decide,
    on_edit,
    on_export,
    on_handover,
    on_home,
    on_permissions,
    on_records,
    on_show_all,
    on_start,
)
from handlers.outbound.pacer import act_for
from handlers.slack import action_ids
from handlers.slack.manifest import BOT_EVENTS, HOME_OPENED, JOINED
from handlers.slack.payload import read_mapping, read_text, read_user

LINKS = (action_ids.OPEN_STEP,)
"""Buttons that are links. Slack follows them, but shows a warning sign unless the click is acknowledged."""

SURFACES = (
    on_answer,
    on_decide,
    on_edit,
    on_export,
    on_archive,
    on_handover,
    on_home,
    on_permissions,
    on_records,
    on_show_all,
    on_start,
    on_commands,
)

LAST_RETRY = "3"
"""The number of the retry after which Slack gives a message up, some six minutes after it was written."""

log = structlog.get_logger(__name__)


def build_app(context: ListenerContext, signing_secret: str) -> AsyncApp:
    """Build the Bolt app of one workspace."""
    us = context.us

    async def authorize() -> AuthorizeResult:
        # Our own authorization, so that no stray SLACK_CLIENT_ID in the environment can switch OAuth on.
        return AuthorizeResult(enterprise_id=None, team_id=us.team, bot_token=us.token, bot_user_id=us.bot_user)

    app: Any = AsyncApp(  # Any: Bolt's decorators are untyped
        name="threadwise",
        client=AsyncWebClient(base_url=us.api_url),
        authorize=authorize,
        signing_secret=signing_secret,
        attaching_conversation_kwargs_enabled=False,
    )
    app.middleware(_Gate(context).receive)
    app.error(_refuse)
    for event in sorted({*BOT_EVENTS.values()} - {HOME_OPENED, JOINED}):
        app.event(event)(_on_event)
    for surface in SURFACES:
        surface.listen(app, context)
    # Bolt asks only the first listener that fits. The surfaces come before, because some actions need more than an
    # acknowledgement, such as a menu.
    for action in (*ACTIONS, *LINKS):
        app.action(action)(_on_click)
    return app


class _Gate:
    def __init__(self, context: ListenerContext) -> None:
        self._context = context
        self._under_way = WeakValueDictionary[ThreadKey, asyncio.Lock]()

    async def receive(self, req: AsyncBoltRequest, next: Callable[[], Awaitable[BoltResponse]]) -> Any:
        """Store the event, then let Bolt acknowledge the delivery."""
        us = self._context.us
        act_for(read_user(req.body) or read_text(req.body.get("user_id")))
        if gone := read_deleted_file(req.body):
            await self._forget(gone)
            return await next()
        event = read_event(req.body, us.bot_user, self._context.at)
        if isinstance(event, Ignored) or event.thread.team != us.team:
            log.debug("ignored", reason=event.reason if isinstance(event, Ignored) else "other_workspace")
            return await next()
        with bound_contextvars(correlation=event.receipt):
            is_last = LAST_RETRY in req.headers.get("x-slack-retry-num", ())
            answer = await self._keep(event, req.body, is_last=is_last)
        return answer or await next()

    async def _forget(self, file: str) -> None:
        """Store that a file was deleted, for each thread that keeps something of it."""
        context = self._context
        for thread in await context.files.threads_of(context.us.team, file):
            await context.intake.accept(build_file_deleted(thread, file, context.at))

    async def _keep(self, event: SlackEvent, body: Body, *, is_last: bool) -> BoltResponse | None:
        """Store the event. A person is told if it could not be stored and Slack will not deliver it again.

        Interactions are delivered only once, messages up to the retry that `is_last`.
        """
        is_form = body.get("type") == "view_submission"
        try:
            if isinstance(event, MessagePosted) and event.opens and (said := await self._find_bar(event, body)):
                await self._tell(event, said)
                return None
            # One after the other in each thread. Side by side, a mention, which Slack delivers twice at one moment,
            # would begin two conversations, and a correction could be stored before the message that it corrects.
            async with self._under_way.setdefault(event.thread, asyncio.Lock()):
                taken = await self._context.intake.accept(event)
                await self._copy(event)
        except StoreUnavailable:
            log.warning("not_taken_in", event_kind=event.kind)
            if is_form:
                return _keep_form_open(texts.NOT_NOW)
            if isinstance(event, MessagePosted | OwnerAct) and _is_meant_for_us(event, body):
                await self._tell_lost(event, body, is_last=is_last)
            raise
        if taken is not Acceptance.FOREIGN:
            return None
        if is_form:
            return _keep_form_open(texts.NOTHING_HERE)
        if isinstance(event, OwnerAct) and _is_meant_for_us(event, body):
            await self._answer(event, body, texts.NOTHING_HERE)
        return None

    async def _tell_lost(self, event: MessagePosted | OwnerAct, body: Body, *, is_last: bool) -> None:
        if body.get("type") == "block_actions" and isinstance(event, OwnerAct):
            await self._answer(event, body, texts.STORE_AWAY)
        elif is_last:
            # Slack shows nothing private in a thread without replies.
            is_root = event.ts == event.thread.root
            await self._context.whisper_in(event.thread, event.user, texts.MESSAGE_LOST, beside=is_root)

    async def _copy(self, event: SlackEvent) -> None:
        """Store the change of a message for each other thread that has it, too: a step was drafted from this one.

        If this fails halfway, Slack delivers again, and what is stored already is a duplicate.
        """
        if not isinstance(event, MessageChange):
            return
        for thread in await self._context.conversations.threads_of(event.thread.team, event.ts):
            if thread != event.thread:
                await self._context.intake.accept(build_copy(event, thread))

    async def _answer(self, event: OwnerAct, body: Body, words: str) -> None:
        """Tell a person privately: where they pressed a button, or in the thread in which they wrote."""
        if click := read_click(body):
            await self._context.answer_click(click, words)
        else:
            await self._context.whisper_in(event.thread, event.user, words)

    async def _find_bar(self, event: MessagePosted, body: Body) -> str:
        """Return why the author may not begin a conversation; empty if they may, or if another person has begun it."""
        if not (said := await self._context.find_bar(event.user, body)):
            return ""
        now = await self._context.conversations.find(event.thread)
        return said if now is None or now.owner == event.user else ""

    async def _tell(self, event: MessagePosted, said: str) -> None:
        """Post the sentence privately, where they wrote: once a day per person and channel, so that none is flooded."""
        log.info("barred", event_kind=event.kind)
        if await self._context.limits.first_today(event.thread.team, f"barred:{event.thread.channel}:{event.user}"):
            is_root = event.ts == event.thread.root
            await self._context.whisper_in(event.thread, event.user, said, beside=is_root)


def _keep_form_open(sentence: str) -> BoltResponse:
    """Keep the form open, with its input and this sentence."""
    answer = {"response_action": "errors", "errors": {action_ids.ANSWER_WINDOW: sentence}}
    return BoltResponse(status=200, body=answer)


def _is_meant_for_us(event: MessagePosted | OwnerAct, body: Body) -> bool:
    """Return True if the person expects an answer from us. Slack also delivers mentions of us as plain messages."""
    heard = read_mapping(body.get("event")).get("type")
    return body.get("type") == "block_actions" or heard == "app_mention" or (heard == "message" and event.thread.direct)


async def _refuse(error: Exception) -> BoltResponse:
    log.warning("request_failed", error=type(error).__name__)
    return BoltResponse(status=503)


async def _on_event() -> None:
    """Do nothing: the event is stored, and Bolt has acknowledged it."""


async def _on_click(ack: Callable[[], Awaitable[None]]) -> None:
    await ack()
