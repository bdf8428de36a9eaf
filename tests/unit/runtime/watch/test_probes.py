"""Ready is what has all its parts, and each of them works; and the three paths over HTTP."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import ClientSession
from structlog.testing import capture_logs

from app.core.errors import SettingsError, StoreUnavailable
from app.core.turns.rate_limits import Amount
from app.ports import Queue, Unwatched
from app.runtime.watch.backlog import Asked, Books
from app.runtime.watch.health import PATIENCE, Readiness, report_ready
from app.runtime.watch.metrics import Metrics
from app.runtime.watch.probes import Probes, serve
from app.runtime.watch.watching import WatchPort, run_watch
from tests.contract.store.clock import ManualClock
from tests.fakes import virtual
from tests.unit.watch.numbers import numbers
from tests.virtual import VirtualClock


@dataclass
class Place:
    """The probes as they are served, and what they look at."""

    port: int = 0
    readiness: Readiness = field(default_factory=lambda: Readiness("mongodb", "slack"))
    is_away: bool = False

    async def waits(self) -> Queue:
        if self.is_away:
            raise StoreUnavailable
        return Queue(open=2)

    async def books(self) -> Books:
        return Books(rules=3, spent=Amount(tokens=70, millionths=250_000))

    @property
    def asked(self) -> Asked:
        return Asked(waits=self.waits, books=self.books)

    async def get(self, path: str) -> tuple[int, str, Any]:
        async with ClientSession() as http, http.get(f"http://127.0.0.1:{self.port}{path}") as answer:
            return answer.status, answer.content_type, await answer.read()


@pytest.fixture
async def place() -> AsyncGenerator[Place]:
    place = Place()
    async with serve(Probes(place.readiness, Metrics(ManualClock(), ()), place.asked), "127.0.0.1", 0) as place.port:
        yield place


async def test_a_process_that_is_not_ready_lives_all_the_same(place: Place) -> None:
    assert await place.get("/healthz") == (200, "text/plain", b"ok\n")
    assert (await place.get("/readyz"))[0] == 503


async def test_who_is_not_ready_says_which_part_is_to_blame(place: Place) -> None:
    with place.readiness.register("mongodb", report_ready):
        status, kind, said = await place.get("/readyz")
        assert (status, kind, said) == (503, "application/json", b'{"mongodb": true, "slack": false}')
        with place.readiness.register("slack", report_ready):
            assert (await place.get("/readyz"))[0] == 200


async def test_metrics_are_prometheus_text(place: Place) -> None:
    status, kind, page = await place.get("/metrics")
    assert (status, kind, numbers(page, "inbox_rows")) == (200, "text/plain", {("open",): 2})
    assert b"process_resident_memory_bytes" in page
    assert b"_created" not in page


@pytest.mark.req("SE-18")
async def test_metrics_tell_how_many_rules_there_are_and_what_the_workspace_has_spent_today(place: Place) -> None:
    _, _, page = await place.get("/metrics")
    told = [numbers(page, name)[()] for name in ("rules", "spent_tokens_today", "spent_dollars_today")]
    assert told == [3, 70, 0.25]


async def test_metrics_are_told_without_the_inbox_while_mongodb_is_away(place: Place) -> None:
    place.is_away = True
    status, _, page = await place.get("/metrics")
    assert (status, str(numbers(page, "inbox_rows")[("open",)])) == (200, "nan")


async def test_requests_are_not_logged_and_other_paths_are_not_there(place: Place) -> None:
    with capture_logs() as lines:
        assert (await place.get("/metrics/conversations"))[0] == 404
    assert lines == []


async def test_a_port_that_is_taken_is_told_in_one_sentence_that_names_the_setting(place: Place) -> None:
    probes = Probes(place.readiness, Metrics(ManualClock(), ()), place.asked)
    with pytest.raises(SettingsError, match="THREADWISE_WATCH_PORT"):
        async with serve(probes, "127.0.0.1", place.port):
            pass


async def test_where_no_port_is_set_nothing_is_counted_and_nothing_listens() -> None:
    async def asks() -> Any:
        raise AssertionError("nobody asked")

    asked = Asked(waits=asks, books=asks)
    async with run_watch(WatchPort("127.0.0.1", 0), asked, ManualClock(), ()) as (watch, readiness):
        assert isinstance(watch, Unwatched)
        assert await readiness.standing() == {"mongodb": False, "slack": False, "worker": False}


def test_where_no_port_is_set_prometheus_is_not_even_loaded() -> None:
    code = "import sys, app.runtime.watch.watching; sys.exit('prometheus_client' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


async def works() -> bool:
    return True


async def is_away() -> bool:
    raise StoreUnavailable


async def is_broken() -> bool:
    return False


async def test_a_part_counts_only_while_it_is_there() -> None:
    readiness = Readiness("mongodb", "slack")
    assert await readiness.standing() == {"mongodb": False, "slack": False}
    with readiness.register("mongodb", works):
        assert await readiness.standing() == {"mongodb": True, "slack": False}
        with readiness.register("slack", report_ready):
            assert await readiness.standing() == {"mongodb": True, "slack": True}
    assert await readiness.standing() == {"mongodb": False, "slack": False}


@pytest.mark.parametrize("ask", [is_away, is_broken])
async def test_what_says_no_or_cannot_be_reached_does_not_work(ask: type) -> None:
    readiness = Readiness("mongodb")
    with readiness.register("mongodb", ask):
        assert await readiness.standing() == {"mongodb": False}


@virtual
async def test_what_does_not_answer_is_not_waited_for_and_keeps_no_other_part_waiting() -> None:
    clock, readiness = VirtualClock(), Readiness("a", "b", "c")

    async def hangs() -> bool:
        await clock.sleep(3_600)
        return True

    with readiness.register("a", hangs), readiness.register("b", works), readiness.register("c", hangs):
        assert await readiness.standing() == {"a": False, "b": True, "c": False}
    assert clock.monotonic() == PATIENCE
