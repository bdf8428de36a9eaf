"""Who sees a public channel, and who or what speaks in it: as Slack tells of guests, strangers and other apps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.errors import OutOfReach, SlackRefused
from app.core.state.permission import ChannelKind, Sharing, Target
from app.core.state.readers import Readers
from app.ports import MessagePage, Profile, Spot
from handlers.outbound.pacer import Pacer
from handlers.outbound.slack_access import (
    GONE,
    MOST_LOOKED_UP,
    MOST_READERS,
    NOWHERE,
    PEOPLE,
    SOMEBODY,
    WORDS,
    SlackWebAccess,
)
from handlers.outbound.web import Answer, SlackCaller, SlackIdentity
from tests.memory_store import MemoryLedger
from tests.unit.core.threads import THREAD

OPS = "C0000000OPS"
US = SlackIdentity(
    team="T1", team_name="Acme", bot_user="UBOT", token="x", api_url="", url="https://a.example/", scopes=frozenset()
)


@dataclass
class Slack:
    """Implements `handlers.outbound.web.Web` for one public channel that we are in."""

    person: dict[str, Any] = field(default_factory=lambda: {"team_id": "T1"})
    members: tuple[str, ...] = ("UBOT",)
    messages: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    refusal: str = ""
    channel: dict[str, Any] = field(default_factory=dict[str, Any])
    """What is told of the channel beside the usual."""
    listed: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """The channels that we are in."""

    async def call(self, method: str, **arguments: Any) -> Answer:
        if self.refusal:
            raise SlackRefused(method, self.refusal)
        return {
            "users.info": {"user": self.person},
            "conversations.info": {
                "channel": {"id": OPS, "name": "ops", "is_channel": True, "is_private": False, "is_member": True}
                | self.channel
            },
            "users.conversations": {"channels": self.listed},
            "conversations.members": {"members": list(self.members)},
            "conversations.open": {"channel": {"id": "D0MAYA0000"}},
            "conversations.history": {"messages": self.messages, "response_metadata": None},
            "files.getUploadURLExternal": {"upload_url": "http://127.0.0.1:1/", "file_id": "F1"},
            "files.completeUploadExternal": {"ok": True},
        }[method]

    async def upload(self, address: str, content: bytes) -> None: ...

    async def download(self, address: str, most: int) -> bytes:
        raise AssertionError(address)

    async def close(self) -> None: ...


class Reaching:
    def __init__(self) -> None:
        clock, self.slack = SystemClock(), Slack()
        self.pacer = Pacer(clock, "T1", MemoryLedger(clock))
        self.reach = SlackWebAccess(SlackCaller(self.slack, self.pacer, clock), US, self._profile_of)
        self.asked_for: list[str] = []

    async def sees(self, name: str = OPS) -> Spot:
        return await self.reach.channel("T1", "UMAYA", name)

    async def _profile_of(self, team: str, user: str) -> Profile:
        self.asked_for.append(user)
        await asyncio.sleep(0)
        return Profile(name=f"{user.lower()} of {team}")


@pytest.fixture
async def reaching() -> AsyncGenerator[Reaching]:
    reaching = Reaching()
    yield reaching
    await reaching.pacer.close()


@pytest.mark.req("AG-08")
@pytest.mark.parametrize(
    "person",
    [
        pytest.param({"team_id": "T1", "is_restricted": True}, id="guest"),
        pytest.param({"team_id": "T1", "is_ultra_restricted": True}, id="guest of one channel"),
        pytest.param({"team_id": "T1", "is_stranger": True}, id="stranger"),
        pytest.param({"team_id": "T2"}, id="of another workspace"),
        pytest.param({"team_id": "T1", "deleted": True}, id="has left the company"),
        pytest.param({}, id="nobody knows of where"),
    ],
)
async def test_whoever_is_no_full_member_sees_only_the_public_channels_they_are_in(
    reaching: Reaching, person: dict[str, Any]
) -> None:
    assert await reaching.sees() == Spot(id=OPS, name="#ops", user="UMAYA", private=False)
    reaching.slack.person = person
    with pytest.raises(OutOfReach) as raised:
        await reaching.sees()
    assert raised.value.words == NOWHERE
    reaching.slack.members = ("UBOT", "UMAYA")
    assert (await reaching.sees()).id == OPS


@pytest.mark.req("AG-08")
async def test_a_member_whose_home_is_another_workspace_of_the_organisation_sees_all_public_channels(
    reaching: Reaching,
) -> None:
    reaching.slack.person = {"team_id": "T2", "enterprise_user": {"teams": ["T2", "T1"]}}
    assert (await reaching.sees()).id == OPS
    reaching.slack.person = {"team_id": "T2", "enterprise_user": {"teams": ["T2", "T3"]}}
    with pytest.raises(OutOfReach):
        await reaching.sees()


@pytest.mark.req("AG-08")
async def test_apps_people_and_files_are_told_by_name(reaching: Reaching) -> None:
    files = [{"id": "F1", "name": "plan.pdf"}, {"id": "F2", "mode": "tombstone"}]
    reaching.slack.messages = [
        {"ts": "5.000000", "username": "deploys", "text": "done", "subtype": "bot_message"},
        {"ts": "4.000000", "bot_profile": {"name": "CI"}, "text": "red"},
        {"ts": "3.000000", "text": "?"},
        {"ts": "2.000000", "user": "USAM", "text": "<@UMAYA|maya> &lt;b&gt; see", "files": files},
        {"ts": "1.000000", "user": "USAM", "text": "<@USAM> has joined", "subtype": "channel_join"},
    ]
    heard = await reaching.reach.history("T1", "UMAYA", await reaching.sees(), MessagePage(limit=9))
    assert [(each.name, each.text) for each in heard] == [
        ("usam of T1", "@umaya of T1 <b> see\n📎 plan.pdf"),
        ("An app", "?"),
        ("CI", "red"),
        ("deploys", "done"),
    ]
    assert heard[0].files == (("F1", "plan.pdf"),)


async def test_a_permission_that_the_installation_lacks_is_told_as_that(reaching: Reaching) -> None:
    reaching.slack.refusal = "missing_scope"
    with pytest.raises(OutOfReach) as raised:
        await reaching.sees()
    assert raised.value.words == WORDS["missing_scope"]


async def test_a_file_whose_address_slack_does_not_tell_has_none(reaching: Reaching) -> None:
    assert await reaching.reach.file(THREAD, "a.md", b"a", "A") == ""


@pytest.mark.parametrize(
    ("name", "listed", "found"),
    [
        pytest.param("#cafe", [("C1CAFE0000", "café", "cafe"), (OPS, "cafe", "cafe")], True, id="look-alike first"),
        pytest.param("cafe", [(OPS, "café", "cafe")], True, id="typed without its accent"),
        pytest.param("cafe", [(OPS, "café", "cafe"), ("C1CAFE0000", "cafè", "cafe")], False, id="either of two"),
        pytest.param("#straße", [("C1STRASSE0", "strasse", "strasse"), (OPS, "straße", "strasse")], True, id="sharp s"),
        pytest.param("#strasse", [("C1STRASSE0", "straße", "straße")], False, id="not the sharp s"),
        pytest.param("#cafe\u0301", [(OPS, "café", "cafe")], True, id="composed otherwise"),
        pytest.param("#\u043eps", [(OPS, "ops", "ops")], False, id="letters of another script"),
    ],
)
async def test_a_name_means_the_channel_of_just_this_name_and_never_one_of_two(
    reaching: Reaching, name: str, listed: list[tuple[str, str, str]], found: bool
) -> None:
    keys = ("id", "name", "name_normalized")
    reaching.slack.listed = [dict(zip(keys, each, strict=True)) for each in listed]
    if found:
        assert (await reaching.sees(name)).id == OPS
    else:
        with pytest.raises(OutOfReach) as raised:
            await reaching.sees(name)
        assert raised.value.words == NOWHERE


async def test_it_is_told_where_people_of_other_companies_read_along(reaching: Reaching) -> None:
    assert not (await reaching.sees()).shared
    reaching.slack.channel = {"is_ext_shared": True}
    assert (await reaching.sees()).shared


async def test_an_archived_channel_that_nobody_can_be_invited_to_is_told_as_that(reaching: Reaching) -> None:
    reaching.slack.channel = {"is_archived": True, "is_member": False}
    with pytest.raises(OutOfReach) as raised:
        await reaching.sees()
    assert raised.value.words == GONE.format(name="#ops")
    reaching.slack.channel = {"is_archived": True, "is_private": True}
    with pytest.raises(OutOfReach) as raised:
        await reaching.sees()
    assert raised.value.words == NOWHERE


async def test_a_message_that_mentions_thousands_does_not_use_up_what_slack_lets_us_ask(reaching: Reaching) -> None:
    flood = " ".join(f"<@U{number}>" for number in range(2_000))
    reaching.slack.messages = [
        {"ts": "2.000000", "user": "UMAYA", "text": "Hi <@U0>"},
        {"ts": "1.000000", "user": "USAM", "text": flood},
    ]
    first, second = await reaching.reach.history("T1", "UMAYA", await reaching.sees(), MessagePage(limit=9))
    assert len(reaching.asked_for) == PEOPLE
    assert {first.name, second.name} == {"usam of T1", "umaya of T1"}
    assert (second.text, first.text.endswith(f"@{SOMEBODY}")) == ("Hi @u0 of T1", True)


@pytest.mark.req("SE-04")
async def test_readers_are_those_in_it_and_of_a_public_channel_everybody_in_the_workspace(reaching: Reaching) -> None:
    reaching.slack.members = ("UBOT", "UMAYA", "USAM")
    people = frozenset({"UMAYA", "USAM"})
    assert await reaching.reach.readers("T1", "UMAYA", OPS) == Readers(name="#ops", people=people, everyone=True)
    reaching.slack.channel = {"is_private": True}
    assert await reaching.reach.readers("T1", "UMAYA", OPS) == Readers(name="#ops", people=people)
    reaching.slack.channel = {"is_private": True, "is_mpim": True}
    assert (await reaching.reach.readers("T1", "UMAYA", OPS)).name == "a group conversation"


@pytest.mark.req("SE-04")
@pytest.mark.parametrize(("channel", "beyond"), [({}, False), ({"is_private": True}, False)])
async def test_a_public_channel_that_is_shared_has_readers_whom_nobody_lists(
    reaching: Reaching, channel: dict[str, Any], beyond: bool
) -> None:
    for flag in ("is_ext_shared", "is_org_shared", "is_shared", "is_pending_ext_shared"):
        reaching.slack.channel = channel | {flag: True}
        assert (await reaching.reach.readers("T1", "UMAYA", OPS)).beyond is not bool(channel)
    reaching.slack.channel = channel
    assert (await reaching.reach.readers("T1", "UMAYA", OPS)).beyond is beyond


@pytest.mark.req("SE-04")
async def test_of_a_crowd_that_is_too_large_not_all_readers_are_known(reaching: Reaching) -> None:
    reaching.slack.members = tuple(f"U{number}" for number in range(MOST_READERS + 1))
    readers = await reaching.reach.readers("T1", "UMAYA", OPS)
    assert (len(readers.people), readers.beyond) == (MOST_READERS, True)
    reaching.slack.members = reaching.slack.members[:-1]
    assert (await reaching.reach.readers("T1", "UMAYA", OPS)).beyond is False


@pytest.mark.req("SE-04")
async def test_only_ones_own_direct_messages_have_readers_that_are_known(reaching: Reaching) -> None:
    mine = await reaching.reach.readers("T1", "UMAYA", "D0MAYA0000")
    assert mine == Readers(name="your direct messages", people=frozenset({"UMAYA"}))
    with pytest.raises(OutOfReach):
        await reaching.reach.readers("T1", "UMAYA", "D0SAM00000")


@pytest.mark.req("SE-04")
@pytest.mark.parametrize(
    "person", [{"team_id": "T1", "is_ultra_restricted": True}, {"team_id": "T2"}, {"team_id": "T1", "deleted": True}]
)
async def test_guests_and_strangers_are_no_full_members(reaching: Reaching, person: dict[str, Any]) -> None:
    people = frozenset({"UMAYA", "USAM"})
    assert await reaching.reach.guests("T1", people) == frozenset()
    reaching.slack.person = person
    assert await reaching.reach.guests("T1", people) == people


async def test_more_people_than_a_minute_allows_are_not_looked_up(reaching: Reaching) -> None:
    with pytest.raises(OutOfReach):
        await reaching.reach.guests("T1", frozenset(f"U{number}" for number in range(MOST_LOOKED_UP + 1)))


@pytest.mark.req("SE-05")
@pytest.mark.parametrize(
    ("channel", "sharing", "said"),
    [
        ({}, Sharing.NONE, "#ops"),
        ({"is_shared": True, "is_org_shared": True}, Sharing.ORG, "#ops, which people of other workspaces read"),
        ({"is_pending_ext_shared": True}, Sharing.PENDING, "#ops, which another company was invited to"),
        ({"pending_shared": ["T2"]}, Sharing.PENDING, "#ops, which another company was invited to"),
        ({"is_ext_shared": True}, Sharing.COMPANIES, "#ops, which people of other companies read"),
        ({"is_shared": True}, Sharing.COMPANIES, "#ops, which people of other companies read"),
    ],
)
async def test_it_is_told_with_whom_a_channel_is_shared(
    reaching: Reaching, channel: dict[str, Any], sharing: Sharing, said: str
) -> None:
    reaching.slack.channel = channel
    spot = await reaching.sees()
    assert (spot.sharing, spot.audience) == (sharing, said)
    assert spot.target == Target(place=OPS, name="#ops", kind=ChannelKind.PUBLIC, sharing=sharing)


@pytest.mark.req("SE-06")
async def test_who_can_see_a_channel_is_looked_up_anew(reaching: Reaching) -> None:
    assert await reaching.reach.sees("T1", "UMAYA", OPS)
    reaching.slack.person = {"team_id": "T1", "is_restricted": True}
    assert not await reaching.reach.sees("T1", "UMAYA", OPS)
    reaching.slack.members = ("UBOT", "UMAYA")
    assert await reaching.reach.sees("T1", "UMAYA", OPS)
    reaching.slack.person, reaching.slack.channel = {"team_id": "T1"}, {"is_private": True}
    assert not await reaching.reach.sees("T1", "USAM", OPS)
    assert await reaching.reach.sees("T1", "UMAYA", "D0MAYA0000")
    assert not await reaching.reach.sees("T1", "UMAYA", "D0SAM00000")


@pytest.mark.req("SE-06")
async def test_of_what_slack_tells_nothing_nobody_can_say_who_sees_it(reaching: Reaching) -> None:
    reaching.slack.refusal = "channel_not_found"
    with pytest.raises(OutOfReach):
        await reaching.reach.sees("T1", "UMAYA", OPS)


@pytest.mark.req("AG-08")
async def test_an_older_message_belongs_to_a_digest_if_it_was_answered_since(reaching: Reaching) -> None:
    reaching.slack.messages = [
        {"ts": "9.000000", "user": "USAM", "text": "plain"},
        {"ts": "8.000000", "user": "USAM", "text": "long ago", "reply_count": 1, "latest_reply": "9.500000"},
        {"ts": "7.000000", "user": "USAM", "text": "goes on", "reply_count": 2, "latest_reply": "11.000000"},
        {"ts": "6.000000", "user": "USAM", "text": "too old", "reply_count": 2, "latest_reply": "12.000000"},
    ]
    stretch = MessagePage(limit=3, since="10.000000")
    heard = await reaching.reach.answered("T1", "UMAYA", await reaching.sees(), stretch)
    assert [(each.text, each.replies) for each in heard.entries] == [("goes on", 2)]
    assert heard.is_cut
    all_ = await reaching.reach.answered("T1", "UMAYA", await reaching.sees(), replace(stretch, limit=4))
    assert ([each.text for each in all_.entries], all_.is_cut) == (["too old", "goes on"], False)
    reaching.slack.person = {"team_id": "T2"}
    spot = Spot(id=OPS, name="#ops", user="UMAYA", private=False)
    with pytest.raises(OutOfReach):
        await reaching.reach.answered("T1", "UMAYA", spot, stretch)
