"""Tool that reads a channel that the owner can see, if the readers of this thread may hear of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from pydantic import Field

from app.agent.tools.context import CHANNEL, Access, PermissionPrompt, TurnContext
from app.agent.tools.external import excerpts
from app.agent.tools.external.audience import Audience
from app.agent.tools.output import ToolResult, count_items
from app.agent.tools.tool import ExternalTool
from app.ports import Spot

READ: Final = f"Answer from it. Answers within threads are not in it, only how many. {excerpts.NOT_ORDERS}"
EMPTY: Final = "Nobody has written there in this time: say so, or look further back."


class Channel(excerpts.Page):
    """Input of `read_channel`."""

    channel: str = Field(
        default="", max_length=300, description="Its name, id or link; leave it out for the channel of this thread."
    )
    since: datetime | None = Field(
        default=None, description="ISO 8601, such as 2027-01-31 or 2027-01-31T09:00, on the owner's clock."
    )


async def _find_channel(context: TurnContext, given: Channel) -> Spot:
    return await Audience(context).place(given.channel.strip() or context.thread.channel)


async def _build_prompt(context: TurnContext, given: Channel) -> PermissionPrompt:
    spot = await _find_channel(context, given)
    return PermissionPrompt(title=f"read {spot.name}", shown="", scope=spot.scope, covers=f"reading {spot.name}")


async def _run(context: TurnContext, given: Channel) -> ToolResult:
    spot = await _find_channel(context, given)
    heard = await context.reach.history(
        context.thread.team, context.owner, spot, excerpts.select_page(context, given, given.since)
    )
    query = {"channel": spot.name, "since": given.since and given.since.isoformat()}
    return ToolResult(excerpts.render_page(query, given, context, heard, (READ, EMPTY)), (spot.id,))


def _tell(result: Mapping[str, Any]) -> str:
    count = sum(isinstance(each, Mapping) for each in result["messages"])
    return f"Looked at {result['query']['channel']}: {count_items(count, 'message')}."


TOOL = ExternalTool(
    name="read_channel",
    description="Read the newest messages of a Slack channel that the owner can see and you are in.",
    input=Channel,
    access=Access.READ,
    run=_run,
    tell=_tell,
    prompt=_build_prompt,
    scopes=CHANNEL,
)
