"""Who sees a public channel, and who or what speaks in it: as Slack tells of guests, strangers and other apps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.errors import OutOfReach, SlackRefused
from app.ports import Profile, Spot, Stretch
from handlers.line import Line
from handlers.pacer import Pacer
from handlers.reach import GONE, NOWHERE, PEOPLE, SOMEBODY, WORDS, SlackReach
from handlers.web import Answer, SlackIdentity
from store.memory import MemoryLedger
from tests.unit.core.threads import THREAD

OPS = "C0000000OPS"
US = SlackIdentity(
    team="T1", team_name="Acme", bot_user="UBOT", token="x", api_url="", url="https://a.example/", scopes=frozenset()
)


@dataclass
class Slack:
    """Implements `handlers.line.Web` for one public channel that we are in."""

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
            "conversations.history": {"messages": self.messages, "response_metadata": None},
            "files.getUploadURLExternal": {"upload_url": "http://127.0.0.1:1/", "file_id": "F1"},
            "files.completeUploadExternal": {"ok": True},
        }[method]

    async def upload(self, address: str, content: bytes) -> None: ...

    async def close(self) -> None: ...


class Reaching:
    def __init__(self) -> None:
        clock, self.slack = SystemClock(), Slack()
        self.pacer = Pacer(clock, "T1", MemoryLedger(clock))
        self.reach = SlackReach(Line(self.slack, self.pacer, clock), US, self._profile_of)
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


async def test_apps_people_and_files_are_told_by_name(reaching: Reaching) -> None:
    reaching.slack.messages = [
        {"ts": "5.000000", "username": "deploys", "text": "done", "subtype": "bot_message"},
        {"ts": "4.000000", "bot_profile": {"name": "CI"}, "text": "red"},
        {"ts": "3.000000", "text": "?"},
        {"ts": "2.000000", "user": "USAM", "text": "<@UMAYA|maya> &lt;b&gt; see", "files": [{"name": "plan.pdf"}]},
        {"ts": "1.000000", "user": "USAM", "text": "<@USAM> has joined", "subtype": "channel_join"},
    ]
    heard = await reaching.reach.history("T1", "UMAYA", await reaching.sees(), Stretch(limit=9))
    assert [(each.name, each.text) for each in heard] == [
        ("usam of T1", "@umaya of T1 <b> see\n📎 plan.pdf"),
        ("An app", "?"),
        ("CI", "red"),
        ("deploys", "done"),
    ]


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
    first, second = await reaching.reach.history("T1", "UMAYA", await reaching.sees(), Stretch(limit=9))
    assert len(reaching.asked_for) == PEOPLE
    assert {first.name, second.name} == {"usam of T1", "umaya of T1"}
    assert (second.text, first.text.endswith(f"@{SOMEBODY}")) == ("Hi @u0 of T1", True)
