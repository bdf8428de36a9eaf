"""The Home tab: shown when somebody opens it, and again after each change of what it shows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from app.core import texts
from app.core.events import ReopenRequested
from app.ports import Places
from handlers import glance
from handlers.desk import Ack, Body, Desk, NotNow, Shelf, promptly
from handlers.home import REOPEN_ACTION, home
from handlers.line import Line
from handlers.pacer import Priority
from handlers.payload import items, mapping, text
from handlers.picker import Filing, Picked, notice

Used = Callable[[str, str], Awaitable[int]]
"""How many tokens somebody has used today: team and user."""


class Homes:
    """Shows people their Home."""

    def __init__(self, line: Line, workspace_url: str, conversations: Shelf, places: Places, used: Used) -> None:
        self._line, self._workspace_url = line, workspace_url
        self._conversations, self._places, self._used = conversations, places, used

    async def open(self, team: str, user: str) -> None:
        """Show it to somebody who looks at it, and from now on after each change."""
        await self._places.first(team, _place(user))
        await self._show(team, user)

    async def publish(self, team: str, user: str) -> None:
        """Bring it up to date for somebody who has ever looked at it. Raises `SlackUnavailable`, `StoreUnavailable`."""
        if await self._places.known(team, _place(user)):
            await self._show(team, user)

    async def _show(self, team: str, user: str) -> None:
        mine = await self._conversations.of_owner(team, user)
        view = glance.View(workspace_url=self._workspace_url, now=self._line.clock.now())
        shown = home(mine, view, await self._used(team, user))
        await self._line.say("views.publish", Priority.STATUS, user_id=user, view=shown)


def listen(app: Any, desk: Desk) -> None:
    """Register the tab's own button with Bolt."""
    app.action(REOPEN_ACTION)(partial(_reopen, desk))


async def _reopen(desk: Desk, ack: Ack, body: Body) -> None:
    try:
        await promptly(_taken_in(desk, body))
    except NotNow:
        await desk.excuse(text(body.get("trigger_id")), notice(Filing.REOPEN, texts.NOT_NOW))
    await ack()


async def _taken_in(desk: Desk, body: Body) -> None:
    """Take the wish in. Whose conversation it is and whether it is archived, the machine looks at."""
    action, user = mapping(next(iter(items(body.get("actions"))), None)), text(mapping(body.get("user")).get("id"))
    thread = Picked(address=text(action.get("value")), read="").thread(desk.us.team)
    if thread is None:
        return
    view_id, at = text(mapping(body.get("view")).get("id")), text(action.get("action_ts"))
    receipt = f"action:{desk.us.team}:{view_id}:{at}:{user}"
    await desk.take_in(ReopenRequested(receipt=receipt, thread=thread, ts="", at=at, user=user))


def _place(user: str) -> str:
    return f"home:{user}"
