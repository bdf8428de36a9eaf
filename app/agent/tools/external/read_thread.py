"""Tool that reads this thread as people see it, with what they write to each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.agent.tools.context import Access, Offer, TurnContext
from app.agent.tools.external import excerpts
from app.agent.tools.external.audience import Audience
from app.agent.tools.output import ToolResult
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


TOOL = ExternalTool(
    name="read_thread",
    description="Read this Slack thread as people see it, with what others wrote to each other in it.",
    brief="this thread as people see it, with what others wrote to each other",
    input=excerpts.Page,
    access=Access.READ,
    offered=Offer.BOTH,
    run=_run,
    working=lambda _: "reading this thread",
    trace=lambda result: f"this thread ({excerpts.count_messages(result)})",
    tell=lambda result: f"Looked at this thread: {excerpts.count_messages(result)}.",
)
