"""Reads a channel that the owner can see; a private one only where its people read along, or nobody else.

Nobody is asked before something is read. So reading alone must not widen who can read it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pydantic import Field as About

from app.agent.tools.outer import material
from app.agent.tools.outer.results import told
from app.agent.tools.outside import Effect, Field, OuterTool
from app.agent.tools.tool import Input
from app.core.errors import OutOfReach

MOST: Final = 20_000
"""Characters that are told of it."""

READ: Final = f"Answer from it. Answers within threads are not in it, only how many. {material.NOT_ORDERS}"
PRIVATE: Final = (
    "{name} is private, and others read this thread: what is written there is told only there or in direct messages. "
    "The owner can ask you in either."
)
EMPTY: Final = "Nobody has written there in this time: say so, or look further back."


class Channel(Input):
    """Input of `read_channel`."""

    channel: str = About(
        default="", max_length=300, description="Its name, id or link; leave it out for the channel of this thread."
    )
    since: datetime | None = About(
        default=None, description="ISO 8601, such as 2027-01-31 or 2027-01-31T09:00, on the owner's clock."
    )
    limit: int = About(default=50, ge=1, le=200, description="How many messages, the newest ones.")


async def _run(field: Field, given: Channel) -> str:
    team, zone = field.thread.team, field.now.tzinfo
    spot = await field.reach.channel(team, field.owner, given.channel.strip() or field.thread.channel)
    if spot.private and not field.thread.direct and spot.id != field.thread.channel:
        raise OutOfReach(PRIVATE.format(name=spot.name))
    heard = await field.reach.history(team, field.owner, spot, _since(field, given.since), given.limit)
    lines = [material.message(each.name, material.time_of(each.ts, zone), each.text, each.replies) for each in heard]
    query = {"channel": spot.name, "since": given.since and given.since.isoformat(), "limit": given.limit}
    return told(query, READ if lines else EMPTY, messages=material.newest(lines, MOST))


def _since(field: Field, moment: datetime | None) -> str:
    if moment is None:
        return ""
    local = moment if moment.tzinfo else moment.replace(tzinfo=field.now.tzinfo)
    return f"{max(local.timestamp(), 0):.6f}"


TOOL = OuterTool(
    name="read_channel",
    description="Read the newest messages of a Slack channel that the owner can see and you are in.",
    input=Channel,
    effect=Effect.READ,
    run=_run,
)
