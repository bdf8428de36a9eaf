"""Tool that posts a message in another channel in the owner's name, once they agree."""

from __future__ import annotations

import re
from typing import Final

from pydantic import Field, field_validator

from app.agent.tools.context import CHANNEL, Access, PermissionPrompt, TurnContext
from app.agent.tools.external.audience import check_target
from app.agent.tools.external.excerpts import name_place
from app.agent.tools.output import ToolResult, report_findings
from app.agent.tools.tool import ExternalTool, Input

MOST: Final = 3_900
"""Characters of a message."""

_LINES: Final = re.compile(r"\n\s*\n\s*\n")
_SPACES: Final = re.compile(r"[^\S\n]{40,}")
"""Gaps that would push text out of sight on the card that asks the owner."""

POSTED: Final = "It is posted, with a line below it that says for whom. Tell the owner where it stands."


class Post(Input):
    """Input of `post_message`."""

    channel: str = Field(min_length=1, max_length=300, description="Its name, such as #ops, its id or a link into it.")
    text: str = Field(
        min_length=1, max_length=MOST, description="Markdown, complete as it shall stand there. It pings nobody."
    )

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("there must be words in it")
        return _LINES.sub("\n\n", _SPACES.sub(" ", text.strip()))


async def _build_prompt(context: TurnContext, given: Post) -> PermissionPrompt:
    spot = await context.channel(given.channel)
    check_target(context, spot, given.channel)
    return PermissionPrompt(
        title=f"post to {spot.audience}",
        shown=given.text,
        scope=spot.scope,
        covers=f"posting to {spot.audience}",
        makes=f"message in {spot.name}",
        target=spot.target,
    )


async def _run(context: TurnContext, given: Post) -> ToolResult:
    spot = await context.channel(given.channel)
    address = await context.reach.post(context.thread.team, spot, given.text, context.key, context.since)
    return ToolResult(report_findings({"channel": spot.name, "characters": len(given.text)}, POSTED, address=address))


TOOL = ExternalTool(
    name="post_message",
    description="Post a message in another Slack channel that the owner can see and you are in. The owner is asked "
    "first, and sees the whole text.",
    input=Post,
    access=Access.WRITE,
    run=_run,
    working=lambda given: f"posting to {name_place(given.get('channel'))}",
    trace=lambda result: f"posted to {result['query']['channel']}",
    tell=lambda result: f"Posted to {result['query']['channel']}: {result['address']}",
    prompt=_build_prompt,
    scopes=CHANNEL,
)
