"""Tool that reads a channel or a thread that the owner can see, if the readers of this thread may hear of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from pydantic import Field

from app.agent.tools.context import CHANNEL, Access, Offer, PermissionPrompt, TurnContext
from app.agent.tools.external import excerpts
from app.agent.tools.external.audience import Audience
from app.agent.tools.output import ToolResult
from app.agent.tools.tool import ExternalTool
from app.core.errors import OutOfReach
from app.core.thread import ThreadKey
from app.ports import Heard, Listing, MessagePage, Spot

THREADS: Final = 20
"""Threads of a page whose answers are read, the newest ones, because Slack allows some 50 such lookups a minute."""

ANSWERS_READ: Final = 50
"""Answers of one thread, the newest ones."""

LOOK_BACK: Final = 200
"""Messages before `since` that may have been answered after it."""

READ: Final = f"Answer from it. {excerpts.NOT_ORDERS}"
EMPTY: Final = "Nobody has written there in this time: say so, or look further back."
UNREAD: Final = (
    "Where a message has `thread` beside it, not all of its answers are shown: read them with thread=…, or tell that "
    "you have not read them."
)
NOT_OLDER: Final = (
    f"Answers since then to messages older than the {LOOK_BACK} before that time were not looked for: say so where it "
    "matters."
)
NONE_OLDER: Final[Listing[Heard]] = Listing()
NO_THREAD: Final = "That names no thread: give the link of a message in it, or what `thread` said beside a message."


class Channel(excerpts.Page):
    """Input of `read_channel`."""

    channel: str = Field(
        default="", max_length=300, description="Its name, id or link; leave it out for the channel of this thread."
    )
    thread: str = Field(
        default="",
        max_length=500,
        description="Instead of a channel, one thread: the link of a message in it, or the `thread` beside a message.",
    )
    since: datetime | None = Field(
        default=None, description="ISO 8601, such as 2027-01-31 or 2027-01-31T09:00, on the owner's clock."
    )


def _find_thread(context: TurnContext, given: Channel) -> ThreadKey | None:
    if not given.thread.strip():
        return None
    if thread := excerpts.find_thread(given.thread, context.thread.team):
        return thread
    raise OutOfReach(NO_THREAD)


async def _find_channel(context: TurnContext, given: Channel) -> Spot:
    thread = _find_thread(context, given)
    name = thread.channel if thread else given.channel.strip()
    return await Audience(context).place(name or context.thread.channel)


async def _build_prompt(context: TurnContext, given: Channel) -> PermissionPrompt:
    spot = await _find_channel(context, given)
    return PermissionPrompt(title=f"read {spot.name}", shown="", scope=spot.scope, covers=f"reading {spot.name}")


async def _run(context: TurnContext, given: Channel) -> ToolResult:
    spot, thread = await _find_channel(context, given), _find_thread(context, given)
    page = excerpts.select_page(context, given, given.since)
    if thread:
        said = await context.reach.thread(thread, page)
        excerpt = excerpts.Excerpt(heard=[replace(each, replies=0) for each in said])
    else:
        excerpt = await _read_page(context, spot, page, given.limit)
    query = {"channel": spot.name, "since": given.since and given.since.isoformat()}
    if thread:
        query = {**query, "thread": excerpts.build_reference(thread)}
    is_cut = any("thread" in each for each in excerpt.answers.values())
    remarks = (UNREAD if is_cut else "", NOT_OLDER if excerpt.is_cut else "")
    words = (" ".join(filter(None, (each, *remarks))) for each in (READ, EMPTY))
    return ToolResult(excerpts.render_page(query, given, context, excerpt, (next(words), next(words))), (spot.id,))


async def _read_page(context: TurnContext, spot: Spot, page: MessagePage, limit: int) -> excerpts.Excerpt:
    """Read a page of a channel with the answers to its messages, also those to older messages that came since."""
    reach, where = context.reach, (context.thread.team, context.owner, spot)
    is_past = bool(page.since and page.until) and float(page.until) <= float(page.since)
    heard = () if is_past else await reach.history(*where, page)
    is_last = bool(page.since) and len(heard) <= limit
    older = await reach.answered(*where, replace(page, limit=LOOK_BACK)) if is_last else NONE_OLDER
    answered = [each for each in (*older.entries, *heard[-limit:]) if each.replies]
    return excerpts.Excerpt(
        heard=heard,
        older=older.entries,
        answers=await _read_answers(context, spot, answered, page.since),
        is_cut=older.is_cut,
    )


async def _read_answers(
    context: TurnContext, spot: Spot, answered: Sequence[Heard], since: str
) -> Mapping[str, Mapping[str, Any]]:
    async def read(each: Heard) -> Mapping[str, Any]:
        thread = ThreadKey(team=context.thread.team, channel=spot.id, root=each.ts)
        said = await context.reach.thread(thread, MessagePage(limit=ANSWERS_READ + 1, since=since))
        alone = [replace(answer, replies=0) for answer in said if answer.ts != each.ts]
        return excerpts.render_answers(context, thread, alone, ANSWERS_READ)

    newest = answered[-THREADS:]
    found = await asyncio.gather(*map(read, newest))
    rest = {each.ts: f"{spot.id}:{each.ts}" for each in answered[:-THREADS]}
    unread = {ts: {"thread": reference} for ts, reference in rest.items()}
    return {**unread, **{each.ts: told for each, told in zip(newest, found, strict=True)}}


def _describe_work(given: Mapping[str, Any]) -> str:
    if given.get("thread"):
        return "reading a thread"
    return f"reading {excerpts.name_place(given.get('channel'))}"


def _trace(result: Mapping[str, Any]) -> str:
    where = f"a thread in {result['query']['channel']}" if result["query"].get("thread") else result["query"]["channel"]
    return f"{where} ({excerpts.count_messages(result)})"


TOOL = ExternalTool(
    name="read_channel",
    description="Read the newest messages of a Slack channel that the owner can see and you are in, with their answers "
    "and the names of their files, or one thread in it.",
    brief="newest messages of this channel, another (name, id, link) or a thread (link of a message)",
    input=Channel,
    access=Access.READ,
    offered=Offer.BOTH,
    run=_run,
    working=_describe_work,
    trace=_trace,
    tell=lambda result: f"Looked at {result['query']['channel']}: {excerpts.count_messages(result)}.",
    prompt=_build_prompt,
    scopes=CHANNEL,
)
