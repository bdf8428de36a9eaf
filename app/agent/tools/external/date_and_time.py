"""Tool that tells the date and the time, here or elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field

from app.agent.tools.context import Access, Offer, TurnContext
from app.agent.tools.output import ToolResult, report_findings
from app.agent.tools.tool import ExternalTool, Input
from app.core.errors import OutOfReach

UNKNOWN: Final = "There is no such time zone. IANA names are like Europe/Berlin; without one it is the owner's clock."
READ: Final = "Tell times on the owner's clock, unless they mean another one."


class Where(Input):
    """Input of `date_and_time`."""

    zone: str = Field(default="", max_length=60, description="IANA time zone; leave it out for the owner's.")


async def _run(context: TurnContext, given: Where) -> ToolResult:
    now = context.now.astimezone(_find_zone(context, given.zone.strip()))
    date = f"{now:%A, %d %B %Y}"
    week = now.isocalendar().week
    zone = {"zone": given.zone or str(context.now.tzinfo)}
    return ToolResult(report_findings(zone, READ, now=now.isoformat(timespec="seconds"), date=date, week=week))


def _find_zone(context: TurnContext, name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name) if name else context.now.tzinfo
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:  # a folder of zones, a path
        raise OutOfReach(UNKNOWN) from error


def _tell(result: Mapping[str, Any]) -> str:
    now = datetime.fromisoformat(result["now"])
    return f"It is {result['date']}, {now:%H:%M} ({result['query']['zone']})."


TOOL = ExternalTool(
    name="date_and_time",
    description="The date, weekday, week and time now, on the owner's clock or in another time zone.",
    brief="date, weekday and time now; zone as in IANA",
    input=Where,
    access=Access.READ,
    offered=Offer.BOTH,
    run=_run,
    working=lambda _: "looking at the clock",
    trace=lambda _: "the clock",
    tell=_tell,
)
