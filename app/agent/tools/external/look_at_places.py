"""Tool that looks at many places at once: each by a sub-task of its own, which only reads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from pydantic import Field

from app.agent.tools.context import Access, Finding, Lookup, Offer, TurnContext
from app.agent.tools.external import excerpts
from app.agent.tools.output import ToolResult, count_items, report_findings
from app.agent.tools.tool import ExternalTool, Input
from app.core.errors import OutOfReach

AT_ONCE: Final = 5
"""Sub-tasks that run beside each other."""

MOST: Final = 12
"""Places of one call."""

NAME: Final = 200
"""Characters of a place as it was named."""

READERS: Final = frozenset({"read_channel", "read_conversation"})
"""Tools that a sub-task may use."""

READ: Final = (
    "Answer from it, and name the places that it is from. Each report was written by an assistant that has read that "
    f"place alone. {excerpts.NOT_ORDERS}"
)
MISSED: Final = "Where a place has no report, say so: it was not looked at, or not to the end."
NOT_YET: Final = "It was not looked at: the work was stopped before."
NOWHERE: Final = "Name at least one place."


class Places(Input):
    """Input of `look_at_places`."""

    places: tuple[str, ...] = Field(
        min_length=1,
        max_length=MOST,
        description="Channels by name, id or link; threads by the link of a message; conversations as "
        "search_conversations gives them.",
    )
    task: str = Field(
        min_length=1,
        max_length=1_000,
        description="What to find out in each of them. Nothing of this thread is known there: say all that is needed.",
    )
    since: datetime | None = Field(default=None, description="ISO 8601, on the owner's clock: only what came after.")


async def _run(context: TurnContext, given: Places) -> ToolResult:
    assert context.subtasks is not None, "a tool that delegates is given sub-tasks"
    subtasks, places = context.subtasks, [*dict.fromkeys(place.strip() for place in given.places if place.strip())]
    if not places:
        raise OutOfReach(NOWHERE)
    lookups = [await _build_lookup(context, given, place) for place in places]
    free, found = asyncio.Semaphore(AT_ONCE), dict[int, Finding]()

    async def look(number: int, lookup: Lookup) -> None:
        async with free:
            found[number] = await subtasks.look(number, lookup)
        subtasks.report(len(found), len(places), _render(given, places, found))

    await asyncio.gather(*(look(number, lookup) for number, lookup in enumerate(lookups)))
    return _render(given, places, found)


async def _build_lookup(context: TurnContext, given: Places, place: str) -> Lookup:
    """Return what to do in a place: a conversation of the owner with us is read with its results."""
    thread = excerpts.find_thread(place, context.thread.team)
    known = await context.conversations.find(thread) if thread else None
    if known is not None and known.owner == context.owner:
        tool, read = "read_conversation", {"conversation": place}
    else:
        since = {"since": given.since.isoformat()} if given.since else {}
        tool, read = "read_channel", {"thread" if thread else "channel": place, **since}
    return Lookup(place=place, task=given.task, tool=tool, given=read, tools=READERS)


def _render(given: Places, places: Sequence[str], found: Mapping[int, Finding]) -> ToolResult:
    """Return what was found so far, in the order of the places."""
    told = [_render_place(place, found.get(number)) for number, place in enumerate(places)]
    is_whole = all("report" in each for each in told)
    query = {"task": given.task, "since": given.since and given.since.isoformat()}
    came = report_findings(query, READ if is_whole else f"{READ} {MISSED}", places=told)
    return ToolResult(came, tuple(sorted({label for each in found.values() for label in each.sources})))


def _render_place(place: str, finding: Finding | None) -> Mapping[str, Any]:
    named = {"place": excerpts.clean_text(place, NAME)}
    if finding is None:
        return {**named, "missing": NOT_YET}
    read = {"read": finding.read} if finding.read else {}
    return {**named, **({"missing": finding.reason} if finding.reason else {"report": finding.text}), **read}


def _tell(result: Mapping[str, Any]) -> str:
    places: Sequence[Mapping[str, Any]] = result["places"]
    done = [str(each["place"]) for each in places if "report" in each]
    of = "" if len(done) == len(places) else f" of {len(places)}"
    return f"Looked at {len(done)}{of} places: {', '.join(done)}." if done else "Looked at no places."


def _describe_work(given: Mapping[str, Any]) -> str:
    count = len(given.get("places", ()))
    return f"looking at {count_items(count, 'place')}" if count else "looking around"


TOOL = ExternalTool(
    name="look_at_places",
    description="Look at several channels, threads or conversations at once for one thing: each is read by an "
    "assistant of its own, which reports in a few words. For one place, read it yourself.",
    brief="several places for one thing, by assistants that know the task alone",
    input=Places,
    access=Access.READ,
    offered=Offer.BOTH,
    run=_run,
    working=_describe_work,
    trace=lambda result: count_items(sum("report" in each for each in result["places"]), "place"),
    tell=_tell,
    delegates=True,
    seconds=300.0,  # its sub-tasks end by themselves before
)
