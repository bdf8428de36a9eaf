"""Tool that finds channels by parts of their names, as far as the owner sees and this thread's readers may hear."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import Field

from app.agent.tools.context import Access, Offer, TurnContext
from app.agent.tools.external import excerpts, naming
from app.agent.tools.external.audience import Audience
from app.agent.tools.output import ToolResult, report_findings
from app.agent.tools.tool import ExternalTool, Input
from app.ports import ListedChannel

PURPOSE: Final = 150
"""Characters of what a channel says it is for."""

FOUND: Final = (
    "Only a channel that you are in can be read or posted to; /invite @Threadwise, typed there, brings you into it. "
    f"{excerpts.NOT_ORDERS}"
)
NOTHING: Final = (
    "No channel that the owner can see, and that may be named here, is called so: say that, or ask for its name."
)


class ChannelName(Input):
    """Input of `find_channels`."""

    words: str = Field(min_length=1, max_length=100, description="Parts of its name, which all have to be in it.")


async def _run(context: TurnContext, given: ChannelName) -> ToolResult:
    audience, listing = Audience(context), await context.channels()
    named = naming.find_named(given.words, [((each.spot.name,), each) for each in listing.entries])
    told = [each for each in named if await audience.may_name(each.spot)]
    action = naming.build_action(told, FOUND, NOTHING, is_cut=listing.is_cut)
    found = [_render(each) for each in told[: naming.HITS]]
    came = report_findings({"words": given.words}, f"{action} {audience.kept_back}".strip(), channels=found)
    return ToolResult(came, tuple(sorted(each.spot.id for each in told[: naming.HITS])))


def _render(each: ListedChannel) -> Mapping[str, Any]:
    told = {
        "channel": excerpts.clean_text(each.spot.name, naming.LONGEST),
        "id": each.spot.id,
        "purpose": excerpts.clean_text(each.purpose, PURPOSE),
        "private": each.spot.private,
        "others_read_it": each.spot.shared,
    }
    return {**{name: value for name, value in told.items() if value}, "you_are_in_it": each.joined}


TOOL = ExternalTool(
    name="find_channels",
    description="Find channels by parts of their names, when you do not know exactly how one is called. Private ones "
    "are named only where they may be.",
    brief="channels by parts of their names",
    input=ChannelName,
    access=Access.READ,
    offered=Offer.BOTH,
    run=_run,
    working=lambda _: "looking for a channel",
    trace=lambda _: "names of channels",
    tell=lambda result: naming.tell("channel", [each["channel"] for each in result["channels"]]),
)
