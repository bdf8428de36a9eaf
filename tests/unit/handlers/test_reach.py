"""Who sees a public channel, and who or what speaks in it: as Slack tells of guests, strangers and other apps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.errors import OutOfReach, SlackRefused
from app.ports import Profile, Spot
from handlers.line import Line
from handlers.pacer import Pacer
from handlers.reach import NOWHERE, WORDS, SlackReach
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

    async def call(self, method: str, **arguments: Any) -> Answer:
        if self.refusal:
            raise SlackRefused(method, self.refusal)
        return {
            "users.info": {"user": self.person},
            "conversations.info": {
                "channel": {"id": OPS, "name": "ops", "is_channel": True, "is_private": False, "is_member": True}
            },
            "conversations.members": {"members": list(self.members)},
            "conversations.history": {"messages": self.messages, "response_metadata": None},
            "files.getUploadURLExternal": {"upload_url": "http://127.0.0.1:1/", "file_id": "F1"},
            "files.completeUploadExternal": {"ok": True},
        }[method]

    async def upload(self, address: str, content: bytes) -> None: ...

    async def close(self) -> None: ...


async def profile_of(team: str, user: str) -> Profile:
    await asyncio.sleep(0)
    return Profile(name=f"{user.lower()} of {team}")


class Reaching:
    def __init__(self) -> None:
        clock, self.slack = SystemClock(), Slack()
        self.pacer = Pacer(clock, "T1", MemoryLedger(clock))
        self.reach = SlackReach(Line(self.slack, self.pacer, clock), US, profile_of)

    async def sees(self) -> Spot:
        return await self.reach.channel("T1", "UMAYA", OPS)


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
    heard = await reaching.reach.history("T1", "UMAYA", await reaching.sees(), "", 9)
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
