"""Who may own a decision next, as Slack tells of them now."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from typing import Final

from app.core.copy import decision_record
from app.core.owners import Membership, Owners, can_own
from handlers.outbound.pacer import Priority
from handlers.outbound.people import read_person_name, read_standing
from handlers.outbound.slack_access import KINDS, LISTED_PAGE
from handlers.outbound.web import Answer, SlackCaller
from handlers.slack.payload import read_list, read_mapping

UNFIT: Final[Mapping[Membership, str]] = {
    Membership.BOT: decision_record.NOT_A_BOT,
    Membership.FORMER: decision_record.NOT_ACTIVE,
}
"""Why people of this standing own nothing anywhere."""


async def explain_unfit(line: SlackCaller, team: str, owners: Owners, channel: str, to: str) -> str:
    """Return why this person cannot own a decision in that channel; empty if they can.

    Raise `SlackUnavailable`, `StoreUnavailable`, and `SlackRefused` if Slack knows nobody of that id.
    """
    person: Answer = (await line.say("users.info", Priority.QUESTION, user=to))["user"]
    standing = read_standing(person, team)
    if not can_own(owners, standing):
        return UNFIT.get(standing, decision_record.NOT_FOR_THEM)
    if await _is_in(line, channel, to):
        return ""
    return decision_record.NOT_IN_CHANNEL.format(person=read_person_name(person) or to)


async def _is_in(line: SlackCaller, channel: str, person: str) -> bool:
    """Return True if they are in the channel: Slack would notify them of nothing in another."""
    # By the person's channels, not the channel's members: a person is in few channels, a channel has thousands of
    # people.
    listed = line.pages("users.conversations", Priority.QUESTION, user=person, types=KINDS, limit=LISTED_PAGE)
    async with aclosing(listed) as pages:
        async for page in pages:
            if any(read_mapping(each).get("id") == channel for each in read_list(page.get("channels"))):
                return True
    return False
