"""People's names and time zones, as Slack gives them, with few lookups.

A lookup never takes long: while a session waits for a name, it handles no event, not even Stop.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

from app.core.errors import Retryable, SlackRefused
from app.core.owners import Membership
from app.ports import Profile
from handlers.outbound.pacer import Priority, switch_person
from handlers.outbound.web import Answer, SlackCaller
from handlers.slack.payload import Payload, read_list, read_mapping

SLACKBOT = "USLACKBOT"
"""Slack's own bot, which it does not mark as one."""

REMEMBERED = 5_000
"""Number of people whose profiles are cached."""

FRESH_SECONDS = 3_600.0
"""Seconds for which a profile is cached, because people travel and are renamed."""

ASK_SECONDS = 1.0
"""Seconds that a caller waits for a profile at most."""

PAUSE_SECONDS = 10.0
"""Seconds without lookups after one that took longer, so that the waits for many names do not add up."""


@dataclass(frozen=True, slots=True)
class _KnownPerson:
    profile: Profile
    until: float


class People:
    """The people of one workspace."""

    def __init__(self, line: SlackCaller) -> None:
        self._line = line
        self._known: OrderedDict[tuple[str, str], _KnownPerson] = OrderedDict()
        self._asks_from = 0.0

    async def profile(self, team: str, user: str) -> Profile:
        """Return a person's profile. Without an answer within `ASK_SECONDS`, their id is the name."""
        known, now = self._known.get((team, user)), self._line.clock.monotonic()
        if known and now < known.until:
            return known.profile
        if now >= self._asks_from and (told := await self._ask(team, user)):
            self._remember(team, user, told)
            return told
        return known.profile if known else Profile(name=user)

    async def _ask(self, team: str, user: str) -> Profile | None:
        try:
            # Not counted for the person who asks, because the cached answer serves everyone.
            with switch_person(""):
                async with asyncio.timeout(ASK_SECONDS):
                    answer = await self._line.say("users.info", Priority.QUESTION, user=user)
        except TimeoutError:
            self._asks_from = self._line.clock.monotonic() + PAUSE_SECONDS
            return None
        except (Retryable, SlackRefused):
            return None
        person: Answer = answer["user"]
        return Profile(
            name=read_person_name(person) or user,
            zone=str(person.get("tz") or ""),
            standing=read_standing(person, team),
        )

    def _remember(self, team: str, user: str, profile: Profile) -> None:
        self._known[team, user] = _KnownPerson(profile, self._line.clock.monotonic() + FRESH_SECONDS)
        self._known.move_to_end((team, user))
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


def belongs_to(person: Payload, team: str) -> bool:
    """Return True if Slack's data on a person say that this workspace is theirs.

    In an organisation a member may have another home workspace; Slack then lists all the workspaces they belong to.
    """
    organisation = read_mapping(person.get("enterprise_user"))
    return person.get("team_id") == team or team in read_list(organisation.get("teams"))


def read_standing(person: Payload, team: str) -> Membership:
    """Return a person's standing in this workspace, from Slack's data on them."""
    if person.get("is_bot") is True or person.get("id") == SLACKBOT:
        return Membership.BOT
    if person.get("deleted") is True:
        return Membership.FORMER
    is_homeless = person.get("team_id") is None
    if person.get("is_stranger") is True or not (is_homeless or belongs_to(person, team)):
        return Membership.STRANGER
    is_guest = person.get("is_restricted") is True or person.get("is_ultra_restricted") is True
    return Membership.GUEST if is_guest else Membership.MEMBER


def read_person_name(person: Answer) -> str:
    """Return the name under which Slack shows a person; empty if it tells none."""
    profile: Answer = person.get("profile") or {}
    return str(profile.get("display_name") or person.get("real_name") or person.get("name") or "")
