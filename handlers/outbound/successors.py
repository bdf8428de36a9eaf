"""Who may own a decision next, as Slack tells of them now."""

from __future__ import annotations

from contextlib import aclosing

from app.core.copy import decision_record
from app.core.owners import Owners, can_own
from handlers.outbound.pacer import Priority
from handlers.outbound.people import read_person_name, read_standing
from handlers.outbound.web import SlackCaller
from handlers.slack.payload import read_list, read_mapping
from handlers.views.windows import handover_window

CHANNELS, PAGE = "public_channel,private_channel", 999
"""The types of channels to search for that of a decision, and Slack's largest page of them."""


async def explain_unfit(line: SlackCaller, team: str, owners: Owners, channel: str, to: str) -> str:
    """Return why this person cannot own a decision in that channel; empty if they can.

    Raise `SlackUnavailable`, `StoreUnavailable`, and `SlackRefused` if Slack knows nobody of that id.
    """
    answer = await line.say("users.info", Priority.QUESTION, user=to)
    person = read_mapping(answer.get("user"))
    if refused := handover_window.explain_refusal(person):
        return refused
    if not can_own(owners, read_standing(person, team)):
        return decision_record.NOT_FOR_THEM
    if await _is_in(line, channel, to):
        return ""
    return decision_record.NOT_IN_CHANNEL.format(person=read_person_name(dict(person)) or to)


async def _is_in(line: SlackCaller, channel: str, person: str) -> bool:
    """Return True if they are in the channel: Slack would notify them of nothing in another."""
    # By the person's channels, not the channel's members: a person is in few channels, a channel has thousands of
    # people.
    listed = line.pages("users.conversations", Priority.QUESTION, user=person, types=CHANNELS, limit=PAGE)
    async with aclosing(listed) as pages:
        async for page in pages:
            if any(_read_id(each) == channel for each in read_list(page.get("channels"))):
                return True
    return False


def _read_id(channel: object) -> object:
    return read_mapping(channel).get("id")
