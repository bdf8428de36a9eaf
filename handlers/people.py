"""Whom we talk to: how a person is called and where their clock is. Slack is asked when it matters, and not too often.

Never in anybody's way: while somebody waits for a name, their session hears nothing, not even Stop.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

from app.core.errors import Retryable, SlackRefused
from app.core.owners import Standing
from app.ports import Profile
from handlers.handover import SLACKBOT
from handlers.line import Line
from handlers.pacer import Priority, acting_for
from handlers.payload import Payload, items, mapping
from handlers.web import Answer

REMEMBERED = 5_000
"""People whose profiles are kept."""

FRESH_SECONDS = 3_600.0
"""How long a profile is believed: people travel, and are renamed."""

ASK_SECONDS = 1.0
"""The longest that somebody waits for a profile."""

PAUSE_SECONDS = 10.0
"""For so long nobody is asked for after Slack took longer than that, so that many names do not add up."""


@dataclass(frozen=True, slots=True)
class _Known:
    profile: Profile
    until: float


class People:
    """The people of one workspace, as Slack tells of them."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._known: OrderedDict[tuple[str, str], _Known] = OrderedDict()
        self._asks_from = 0.0

    async def profile(self, team: str, user: str) -> Profile:
        """What is known of a person; their id for a name where Slack does not tell, or not within `ASK_SECONDS`."""
        known, now = self._known.get((team, user)), self._line.clock.monotonic()
        if known and now < known.until:
            return known.profile
        if now >= self._asks_from and (told := await self._asked(team, user)):
            self._remember(team, user, told)
            return told
        return known.profile if known else Profile(name=user)

    async def _asked(self, team: str, user: str) -> Profile | None:
        try:
            # At nobody's expense: what is learned is remembered for all.
            with acting_for(""):
                async with asyncio.timeout(ASK_SECONDS):
                    answer = await self._line.say("users.info", Priority.QUESTION, user=user)
        except TimeoutError:
            self._asks_from = self._line.clock.monotonic() + PAUSE_SECONDS
            return None
        except (Retryable, SlackRefused):
            return None
        person: Answer = answer["user"]
        return Profile(name=_name(person) or user, zone=str(person.get("tz") or ""), standing=standing_of(person, team))

    def _remember(self, team: str, user: str, profile: Profile) -> None:
        self._known[team, user] = _Known(profile, self._line.clock.monotonic() + FRESH_SECONDS)
        self._known.move_to_end((team, user))
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


def standing_of(person: Payload, team: str) -> Standing:
    """What somebody is in this workspace, by what Slack tells of them.

    In an organisation a member may have another home, and is told with all the workspaces they belong to.
    """
    home, organisation = person.get("team_id"), mapping(person.get("enterprise_user"))
    if person.get("is_bot") is True or person.get("id") == SLACKBOT:
        return Standing.BOT
    if person.get("is_stranger") is True or (home not in (None, team) and team not in items(organisation.get("teams"))):
        return Standing.STRANGER
    is_guest = person.get("is_restricted") is True or person.get("is_ultra_restricted") is True
    return Standing.GUEST if is_guest else Standing.MEMBER


def _name(person: Answer) -> str:
    profile: Answer = person.get("profile", {})
    return str(profile.get("display_name") or person.get("real_name") or person.get("name") or "")
