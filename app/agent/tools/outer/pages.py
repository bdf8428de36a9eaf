"""Messages of a channel or a thread, page by page from its end.

A page ends after the number of messages that was asked for, or when its text is too long. Either way the model is told
how to read on, because it would otherwise take the page for the whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from pydantic import Field

from app.agent.tools.outer import material
from app.agent.tools.output import report_findings
from app.agent.tools.outside import TurnContext
from app.agent.tools.tool import Input
from app.core.steps import moment
from app.ports import Heard, Stretch

MOST: Final = 20_000
"""Characters of one page."""

MORE: Final = "There is more before these messages. Read on with until={until}, or tell that you have not read it."


class Page(Input):
    """Which messages are read."""

    until: datetime | None = Field(
        default=None, description="ISO 8601: only what was written before. It leads to what an answer has left out."
    )
    limit: int = Field(default=50, ge=1, le=200, description="How many messages, the newest ones.")


def stretch(context: TurnContext, given: Page, since: datetime | None = None) -> Stretch:
    """Return what to read from Slack: one message more than is told, to know whether there are more."""
    return Stretch(since=_ts(context, since), until=_ts(context, given.until), limit=given.limit + 1)


def read(
    query: Mapping[str, Any], given: Page, context: TurnContext, heard: Sequence[Heard], words: tuple[str, str]
) -> str:
    """Return a page for the model. `words` are what to do with it, and what to do if it is empty."""
    zone, page = context.now.tzinfo, heard[-given.limit :]
    lines = [_line(context, each) for each in page]
    shown = material.newest(lines, MOST, is_end=len(heard) > len(page))
    asked = {**query, "until": given.until and given.until.isoformat(), "limit": given.limit}
    action = words[0] if lines else words[1]
    if shown[:1] != tuple(lines[:1]):  # it begins with how much is left out
        first = page[len(page) - len(shown) + 1]
        action = f"{action} {MORE.format(until=moment(first.ts).astimezone(zone).isoformat())}"
    return report_findings(asked, action, messages=shown)


def _line(context: TurnContext, each: Heard) -> dict[str, Any]:
    role = "owner" if each.user == context.owner else ""
    when = material.time_of(each.ts, context.now.tzinfo)
    return material.message(each.name, when, each.text, user=each.user, role=role, replies=each.replies)


def _ts(context: TurnContext, moment: datetime | None) -> str:
    """Return a time of the owner's clock as a ts; empty for None."""
    if moment is None:
        return ""
    local = moment if moment.tzinfo else moment.replace(tzinfo=context.now.tzinfo)
    return f"{max(local.timestamp(), 0):.6f}"
