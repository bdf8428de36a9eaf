"""The first contact: the Home tab when it is opened, and a greeting, once per place."""

from __future__ import annotations

from functools import partial
from typing import Any

from handlers.desk import Body, Desk
from handlers.manifest import HOME_OPENED, JOINED
from handlers.payload import mapping, text
from handlers.surfaces.starting import greet


def listen(app: Any, desk: Desk) -> None:
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
