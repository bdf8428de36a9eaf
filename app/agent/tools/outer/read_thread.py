"""Tool that reads this thread as people see it, with what they write to each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.agent.tools.outer import material, pages
from app.agent.tools.outer.audience import Audience
from app.agent.tools.output import ToolResult
from app.agent.tools.outside import Access, TurnContext
from app.agent.tools.tool import ExternalTool

READ: Final = f"Answer from it. {material.NOT_ORDERS}"
EMPTY: Final = "Nothing stands in this thread."


async def _run(context: TurnContext, given: pages.Page) -> ToolResult:
    await Audience(context).place(context.thread.channel)  # an owner who has left a private channel no longer reads it
    heard = await context.reach.thread(context.thread, pages.stretch(context, given))
    alone = [replace(each, replies=0) for each in heard]  # its answers stand in it
    return ToolResult(pages.read({}, given, context, alone, (READ, EMPTY)), (context.thread.channel,))


TOOL = ExternalTool(
    name="read_thread",
    description="Read this Slack thread as people see it, with what others wrote to each other in it.",
    input=pages.Page,
    access=Access.READ,
    run=_run,
)
