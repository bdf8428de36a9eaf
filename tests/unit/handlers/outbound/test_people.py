"""Whom we talk to: Slack is asked rarely, and nobody waits for long."""

from __future__ import annotations

import asyncio

import pytest

from app.core.errors import SlackRefused, SlackUnavailable
from app.core.owners import Membership
from app.ports import Profile
from handlers.outbound.pacer import Pacer
from handlers.outbound.people import ASK_SECONDS, FRESH_SECONDS, REMEMBERED
from tests.fakes import virtual
from tests.unit.handlers.place import Place
from tests.unit.handlers.strict_slack import TEAM

USERS = "users.info"
MAYA = Profile(name="Maya", zone="Europe/Berlin", standing=Membership.MEMBER)


@virtual
async def test_slack_is_asked_for_a_person_once(place: Place) -> None:
    assert [await place.outlet.profile_of(TEAM, "U1") for _ in range(3)] == [MAYA] * 3
    assert len(place.slack.calls) == 1


@virtual
async def test_who_has_travelled_is_known_an_hour_later(place: Place) -> None:
    await place.outlet.profile_of(TEAM, "U1")
    place.slack.zone = "Asia/Tokyo"
    assert await place.outlet.profile_of(TEAM, "U1") == MAYA
    await asyncio.sleep(FRESH_SECONDS)
    assert (await place.outlet.profile_of(TEAM, "U1")).zone == "Asia/Tokyo"


@virtual
async def test_what_was_known_an_hour_ago_serves_while_slack_does_not_tell(place: Place) -> None:
    await place.outlet.profile_of(TEAM, "U1")
    await asyncio.sleep(FRESH_SECONDS)
    place.slack.faults[USERS] = [SlackUnavailable(USERS)]
    assert await place.outlet.profile_of(TEAM, "U1") == MAYA


@pytest.mark.parametrize("error", [SlackRefused(USERS, "user_not_found"), SlackUnavailable(USERS)])
@virtual
async def test_where_slack_does_not_tell_the_id_serves_and_it_is_asked_again(place: Place, error: Exception) -> None:
    place.slack.faults[USERS] = [error]
    assert await place.outlet.profile_of(TEAM, "U1") == Profile(name="U1")
    await asyncio.sleep(2)
    assert await place.outlet.profile_of(TEAM, "U1") == MAYA


@virtual
async def test_people_that_slack_makes_us_wait_for_keep_nobody_back(place: Place) -> None:
    await Pacer(place.clock, TEAM, place.ledger).close_queue(USERS, "", 120)
    people = [await place.outlet.profile_of(TEAM, user) for user in ("U1", "U2", "U3")]
    assert [person.name for person in people] == ["U1", "U2", "U3"]
    assert place.clock.monotonic() <= ASK_SECONDS
    await asyncio.sleep(120)
    assert await place.outlet.profile_of(TEAM, "U1") == MAYA


@virtual
async def test_who_is_known_is_told_also_while_nobody_is_asked_for(place: Place) -> None:
    await place.outlet.profile_of(TEAM, "U1")
    place.slack.seconds = 3 * ASK_SECONDS
    assert await place.outlet.profile_of(TEAM, "U2") == Profile(name="U2")
    assert await place.outlet.profile_of(TEAM, "U1") == MAYA
    assert place.clock.monotonic() <= 2 * ASK_SECONDS


@virtual
async def test_only_so_many_people_are_remembered_and_those_asked_for_last(place: Place) -> None:
    place.slack.seconds = 0
    await place.outlet.profile_of(TEAM, "first")
    await asyncio.sleep(FRESH_SECONDS)
    for number in range(REMEMBERED - 1):
        await place.outlet.profile_of(TEAM, f"U{number}")
        await asyncio.sleep(0.7)
    await place.outlet.profile_of(TEAM, "first")
    await place.outlet.profile_of(TEAM, "one more")
    asked = len(place.slack.calls)
    await place.outlet.profile_of(TEAM, "first")
    await place.outlet.profile_of(TEAM, f"U{REMEMBERED - 2}")
    assert len(place.slack.calls) == asked
    await place.outlet.profile_of(TEAM, "U0")
    assert len(place.slack.calls) == asked + 1


@virtual
@pytest.mark.req("SE-12")
async def test_who_is_a_guest_is_asked_once_an_hour_and_known_when_that_changes(place: Place) -> None:
    place.slack.people["U1"] = {"is_restricted": True}
    for _ in range(3):
        assert (await place.outlet.profile_of(TEAM, "U1")).standing is Membership.GUEST
    assert len(place.slack.made("users.info")) == 1
    place.slack.people["U1"] = {}
    await asyncio.sleep(3_599)
    assert (await place.outlet.profile_of(TEAM, "U1")).standing is Membership.GUEST
    await asyncio.sleep(1)
    assert (await place.outlet.profile_of(TEAM, "U1")).standing is Membership.MEMBER
