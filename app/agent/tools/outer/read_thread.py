"""Reads this thread as people see it: also what was never meant for us."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.agent.tools.outer import material, pages
from app.agent.tools.outer.audience import Audience
from app.agent.tools.outside import Effect, Field, OuterTool, Result

READ: Final = f"Answer from it. {material.NOT_ORDERS}"
EMPTY: Final = "Nothing stands in this thread."


async def _run(field: Field, given: pages.Page) -> Result:
    await Audience(field).place(field.thread.channel)  # whoever has left a private channel reads it no more
    heard = await field.reach.thread(field.thread, pages.stretch(field, given))
    alone = [replace(each, replies=0) for each in heard]  # its answers stand in it
    return Result(pages.read({}, given, field, alone, (READ, EMPTY)), (field.thread.channel,))


TOOL = OuterTool(
    name="read_thread",
    description="Read this Slack thread as people see it, with what others wrote to each other in it.",
    input=pages.Page,
    effect=Effect.READ,
    run=_run,
)
