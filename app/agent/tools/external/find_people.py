"""Tool that finds people of the workspace by their names, as far as the owner sees and this thread's readers may."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import Field

from app.agent.tools.context import Access, Offer, TurnContext
from app.agent.tools.external import excerpts, naming
from app.agent.tools.external.audience import Audience
from app.agent.tools.output import ToolResult, report_findings
from app.agent.tools.tool import ExternalTool, Input
from app.core.text.marks import clean_name
from app.core.turns.sources import PEOPLE
from app.ports import Person

FOUND: Final = f"What they wrote elsewhere has the same `user`. {excerpts.NOT_ORDERS}"
NOTHING: Final = "Nobody whom the owner can see and who may be named here is called so: say that, or ask for the name."
ONLY_HERE: Final = "People of other companies read this thread, so only members of this channel were looked at."


class PersonName(Input):
    """Input of `find_people`."""

    name: str = Field(min_length=1, max_length=100, description="All or parts of it, as people say it.")


async def _run(context: TurnContext, given: PersonName) -> ToolResult:
    here = context.thread
    is_bounded = not here.direct and await Audience(context).is_shared()
    listing = await context.people(here.channel if is_bounded else "")
    named = naming.find_named(given.name, [((each.name, each.full_name), each) for each in listing.entries])
    action = naming.build_action(named, FOUND, NOTHING, is_cut=listing.is_cut)
    found = [_render(each) for each in named[: naming.HITS]]
    came = report_findings({"name": given.name}, f"{action} {ONLY_HERE if is_bounded else ''}".strip(), people=found)
    # Guests and other companies do not see who works here.
    return ToolResult(came, (here.channel if is_bounded else PEOPLE,))


def _render(each: Person) -> Mapping[str, Any]:
    told = {
        "name": clean_name(each.name),
        "full_name": clean_name(each.full_name),
        "user": each.user,
        "title": excerpts.clean_text(each.title, naming.LONGEST),
        "guest": each.guest,
    }
    return {name: value for name, value in told.items() if value}


TOOL = ExternalTool(
    name="find_people",
    description="Find people of the workspace by name: who they are, and their id as messages tell it.",
    brief="people, with their ids",
    input=PersonName,
    access=Access.READ,
    offered=Offer.BOTH,
    run=_run,
    working=lambda _: "looking for a person",
    trace=lambda _: "names of people",
    tell=lambda result: naming.tell("person", [each["name"] for each in result["people"]]),
)
