"""Reads a channel that the owner can see, as far as those who read this thread may hear of it."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pydantic import Field as About

from app.agent.tools.outer import material, pages
from app.agent.tools.outer.audience import Audience
from app.agent.tools.outside import CHANNEL, Effect, Field, OuterTool, Purpose, Result
from app.ports import Spot

READ: Final = f"Answer from it. Answers within threads are not in it, only how many. {material.NOT_ORDERS}"
EMPTY: Final = "Nobody has written there in this time: say so, or look further back."


class Channel(pages.Page):
    """Input of `read_channel`."""

    channel: str = About(
        default="", max_length=300, description="Its name, id or link; leave it out for the channel of this thread."
    )
    since: datetime | None = About(
        default=None, description="ISO 8601, such as 2027-01-31 or 2027-01-31T09:00, on the owner's clock."
    )


async def _spot(field: Field, given: Channel) -> Spot:
    return await Audience(field).place(given.channel.strip() or field.thread.channel)


async def _purpose(field: Field, given: Channel) -> Purpose:
    spot = await _spot(field, given)
    return Purpose(title=f"read {spot.name}", shown="", scope=spot.scope, covers=f"reading {spot.name}")


async def _run(field: Field, given: Channel) -> Result:
    spot = await _spot(field, given)
    heard = await field.reach.history(field.thread.team, field.owner, spot, pages.stretch(field, given, given.since))
    query = {"channel": spot.name, "since": given.since and given.since.isoformat()}
    return Result(pages.read(query, given, field, heard, (READ, EMPTY)), (spot.id,))


TOOL = OuterTool(
    name="read_channel",
    description="Read the newest messages of a Slack channel that the owner can see and you are in.",
    input=Channel,
    effect=Effect.READ,
    run=_run,
    purpose=_purpose,
    scopes=CHANNEL,
)
