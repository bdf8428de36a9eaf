"""The gate: everything that Slack sends comes through here and is written down before Slack is told that we have it.

One global middleware takes in; the listeners below it only acknowledge. A raise in the middleware answers 500 (over a
socket: nothing), and Slack delivers again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient
from structlog.contextvars import bound_contextvars

from app.core import texts
from app.core.errors import StoreUnavailable
from app.core.events import Ignored, SlackEvent
from app.core.model import ThreadKey
from app.ports import Inbox, Taken
from handlers.blocks import CONTINUE_ACTION, ERASE_ACTION, RETRY_ACTION, STOP_ACTION
from handlers.intake import read
from handlers.manifest import BOT_EVENTS
from handlers.web import SlackIdentity, SlackWeb

ACTIONS = (RETRY_ACTION, CONTINUE_ACTION, STOP_ACTION, ERASE_ACTION)

Wake = Callable[[ThreadKey], None]

log = structlog.get_logger(__name__)


def build(web: SlackWeb, us: SlackIdentity, inbox: Inbox, wake: Wake, signing_secret: str) -> AsyncApp:
    """Make the Bolt app of one workspace. `wake` is told of every thread that has something new."""

    async def authorize() -> AuthorizeResult:
        # Ours, so that no stray SLACK_CLIENT_ID in the environment can switch OAuth on.
        return AuthorizeResult(enterprise_id=None, team_id=us.team, bot_token=us.token, bot_user_id=us.bot_user)

    app: Any = AsyncApp(  # Any: Bolt's decorators are untyped
        name="threadwise",
        client=AsyncWebClient(base_url=us.api_url),
        authorize=authorize,
        signing_secret=signing_secret,
        attaching_conversation_kwargs_enabled=False,
    )
    gate = _Gate(web, us, inbox, wake)
    app.middleware(gate.take_in)
    app.error(_refuse)
    for event in sorted(set(BOT_EVENTS.values())):
        app.event(event)(_heard)
    for action in ACTIONS:
        app.action(action)(_clicked)
    return app


class _Gate:
    def __init__(self, web: SlackWeb, us: SlackIdentity, inbox: Inbox, wake: Wake) -> None:
        self._web, self._us, self._inbox, self._wake = web, us, inbox, wake

    async def take_in(self, req: AsyncBoltRequest, next: Callable[[], Awaitable[BoltResponse]]) -> Any:
        """Write down what was heard, then let Bolt acknowledge it."""
        event = read(req.body, self._us.bot_user)
        if isinstance(event, Ignored) or event.thread.team != self._us.team:
            log.debug("ignored", reason=event.reason if isinstance(event, Ignored) else "other_workspace")
            return await next()
        with bound_contextvars(correlation=event.receipt):
            await self._keep(event, req.body)
        return await next()

    async def _keep(self, event: SlackEvent, body: dict[str, Any]) -> None:
        try:
            taken = await self._inbox.take_in(event)
        except StoreUnavailable:
            log.warning("not_taken_in", event_kind=event.kind)
            if body.get("type") == "block_actions":
                await self._apologise(body)
            raise
        log.info("taken_in", event_kind=event.kind, taken=taken.value, team=event.thread.team)
        if taken is Taken.NEW:
            self._wake(event.thread)

    async def _apologise(self, body: dict[str, Any]) -> None:
        """Tell who clicked that nothing happened: Slack does not deliver a click again."""
        place = {"channel": body["channel"]["id"], "user": body["user"]["id"]}
        await self._web.call("chat.postEphemeral", **place, text=texts.STORE_AWAY)


async def _refuse(error: Exception) -> BoltResponse:
    log.warning("request_failed", error=type(error).__name__)
    return BoltResponse(status=503)


async def _heard() -> None:
    """An event that is taken in; Bolt has acknowledged it."""


async def _clicked(ack: Callable[[], Awaitable[None]]) -> None:
    await ack()
