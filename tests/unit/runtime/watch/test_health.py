"""Ready is what has all its parts, and each of them works."""

from __future__ import annotations

import pytest

from app.core.errors import StoreUnavailable
from app.runtime.watch.health import PATIENCE, Readiness, report_ready
from tests.fakes import virtual
from tests.virtual import VirtualClock


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
