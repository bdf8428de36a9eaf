"""Tool that reads this thread as people see it, with what they write to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from app.agent.tools.context import Access, Offer, TurnContext
from app.agent.tools.external import excerpts
from app.agent.tools.external.audience import Audience
from app.agent.tools.output import ToolResult, count_items
from app.agent.tools.tool import ExternalTool

READ: Final = f"Answer from it. {excerpts.NOT_ORDERS}"
EMPTY: Final = "Nothing stands in this thread."


async def _run(context: TurnContext, given: excerpts.Page) -> ToolResult:
    await Audience(context).place(context.thread.channel)  # an owner who has left a private channel no longer reads it
    heard = await context.reach.thread(context.thread, excerpts.select_page(context, given))
    alone = [replace(each, replies=0) for each in heard]  # its answers stand in it
    return ToolResult(
        excerpts.render_page({}, given, context, excerpts.Excerpt(heard=alone), (READ, EMPTY)),
        (context.thread.channel,),
    )


def _tell(result: Mapping[str, Any]) -> str:
    count = sum(isinstance(each, Mapping) for each in result["messages"])
    return f"Looked at this thread: {count_items(count, 'message')}."


def _trace(result: Mapping[str, Any]) -> str:
    return f"this thread ({count_items(sum(isinstance(each, Mapping) for each in result['messages']), 'message')})"


TOOL = ExternalTool(
    name="read_thread",
    description="Read this Slack thread as people see it, with what others wrote to each other in it.",
    brief="this thread as people see it, with what others wrote to each other",
    input=excerpts.Page,
    access=Access.READ,
    offered=Offer.BOTH,
    run=_run,
    working=lambda _: "reading this thread",
    trace=_trace,
    tell=_tell,
)
