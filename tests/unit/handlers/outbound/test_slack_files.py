"""A file that somebody shared: Slack is asked anew what it is, and says by name why it does not give it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.errors import FetchFault, FileNotFetched, SlackRefused, SlackUnavailable
from handlers.outbound.pacer import Pacer
from handlers.outbound.slack_files import ATTEMPTS, SlackFiles
from handlers.outbound.web import Answer, SlackCaller
from tests.memory_store import MemoryLedger
from tests.unit.handlers.outbound.test_slack_access import US

WHERE = "https://files.slack.com/files-pri/T1-F1"
SCOPES = frozenset({"chat:write", "files:read"})


@dataclass
class Slack:
    """Implements `handlers.outbound.web.Web` for one file. `fails` come first, one for each call."""

    told: dict[str, Any] = field(
        default_factory=lambda: {"name": "costs.csv", "size": 9, "mode": "hosted", "url_private": WHERE}
    )
    fails: list[Exception] = field(default_factory=list[Exception])
    asked: list[str] = field(default_factory=list[str])
    downloads: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])

    async def call(self, method: str, **arguments: Any) -> Answer:
        self.asked.append(f"{method} {arguments['file']}")
        if self.fails:
            raise self.fails.pop(0)
        return {"file": self.told}

    async def upload(self, address: str, content: bytes) -> None:
        raise AssertionError(address)

    async def download(self, address: str, most: int) -> bytes:
        self.downloads.append((address, most))
        return b"a;b\n1;2"

    async def close(self) -> None: ...


class Shared:
    """A file in a workspace whose installation has these scopes; without any, Slack did not tell them."""

    def __init__(self) -> None:
        clock, self.slack = SystemClock(), Slack()
        self.pacer, self.clock = Pacer(clock, "T1", MemoryLedger(clock)), clock

    async def fetch(self, most: int = 100, scopes: frozenset[str] = SCOPES) -> tuple[str, bytes]:
        line = SlackCaller(self.slack, self.pacer, self.clock)
        found = await SlackFiles(line, replace(US, scopes=scopes)).fetch("F1", most)
        return found.name, found.content

    async def fault(self, most: int = 100, scopes: frozenset[str] = SCOPES) -> tuple[FetchFault, int]:
        with pytest.raises(FileNotFetched) as fault:
            await self.fetch(most, scopes)
        assert self.slack.downloads == [], "no byte is asked for"
        return fault.value.reason, fault.value.limit


@pytest.fixture
async def shared() -> AsyncGenerator[Shared]:
    shared = Shared()
    yield shared
    await shared.pacer.close()


@pytest.mark.req("IN-02")
@pytest.mark.parametrize("scopes", [SCOPES, frozenset[str]()])
async def test_a_file_is_looked_up_and_fetched_by_its_newest_name(shared: Shared, scopes: frozenset[str]) -> None:
    assert await shared.fetch(scopes=scopes) == ("costs.csv", b"a;b\n1;2")
    assert (shared.slack.asked, shared.slack.downloads) == (["files.info F1"], [(WHERE, 100)])
    shared.slack.told["url_private_download"] = f"{WHERE}/download"
    await shared.fetch()
    assert shared.slack.downloads[-1] == (f"{WHERE}/download", 100)


@pytest.mark.req("IN-02")
async def test_an_installation_from_before_the_scope_is_told_so_without_asking_slack(shared: Shared) -> None:
    assert await shared.fault(scopes=frozenset({"chat:write"})) == (FetchFault.NO_SCOPE, 0)
    assert shared.slack.asked == []


@pytest.mark.req("IN-02")
@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ({"file_access": "check_file_info", "mode": "file_access"}, FetchFault.HIDDEN),
        ({"file_access": "access_denied"}, FetchFault.HIDDEN),
        ({"url_private": ""}, FetchFault.HIDDEN),
        ({"mode": "tombstone"}, FetchFault.DELETED),
        ({"mode": "external"}, FetchFault.EXTERNAL),
        ({"is_external": True}, FetchFault.EXTERNAL),
    ],
)
async def test_what_slack_keeps_back_is_told_by_its_name(
    shared: Shared, told: dict[str, Any], fault: FetchFault
) -> None:
    shared.slack.told |= told
    assert (await shared.fault())[0] is fault


@pytest.mark.req("IN-02")
@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("missing_scope", FetchFault.NO_SCOPE),
        ("file_deleted", FetchFault.DELETED),
        ("file_not_found", FetchFault.HIDDEN),
    ],
)
async def test_a_refusal_of_slack_is_told_by_its_name(shared: Shared, code: str, fault: FetchFault) -> None:
    shared.slack.fails = [SlackRefused("files.info", code)]
    assert (await shared.fault())[0] is fault


@pytest.mark.req("IN-03")
async def test_of_a_file_that_slack_says_is_too_large_no_byte_is_asked_for(shared: Shared) -> None:
    assert await shared.fault(most=8) == (FetchFault.TOO_LARGE, 8)
    assert (await shared.fetch(most=9))[1]


async def test_while_slack_is_away_it_is_asked_a_few_times(shared: Shared) -> None:
    away = SlackUnavailable("files.info", after=0.0)
    shared.slack.fails = [away] * (ATTEMPTS - 1)
    assert (await shared.fetch())[0] == "costs.csv"
    shared.slack.downloads.clear()
    shared.slack.fails = [away] * ATTEMPTS
    assert (await shared.fault())[0] is FetchFault.UNAVAILABLE
