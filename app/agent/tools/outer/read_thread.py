"""Reads this thread as people see it: also what was never meant for us."""

from __future__ import annotations

from typing import Final

from pydantic import Field as About

from app.agent.tools.outer import material
from app.agent.tools.outer.audience import Audience
from app.agent.tools.outer.results import told
from app.agent.tools.outside import Effect, Field, OuterTool
from app.agent.tools.tool import Input

MOST: Final = 20_000
"""Characters that are told of it."""

READ: Final = f"Answer from it. {material.NOT_ORDERS}"
EMPTY: Final = "Nothing stands in this thread."


class Newest(Input):
    """Input of `read_thread`."""

    limit: int = About(default=50, ge=1, le=200, description="How many messages, the newest ones.")


async def _run(field: Field, given: Newest) -> str:
    await Audience(field).place(field.thread.channel)  # whoever has left a private channel reads it no more
    heard = await field.reach.thread(field.thread, given.limit)
    lines = [material.message(each.name, material.time_of(each.ts, field.now.tzinfo), each.text) for each in heard]
    return told({"limit": given.limit}, READ if lines else EMPTY, messages=material.newest(lines, MOST))


TOOL = OuterTool(
    name="read_thread",
    description="Read this Slack thread as people see it, with what others wrote to each other in it.",
    input=Newest,
    effect=Effect.READ,
    run=_run,
)
