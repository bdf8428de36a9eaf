"""Threads whose schedule runs, fails and is asked about."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from app.core.conversation.call import SetSchedule
from app.core.conversation.card import ScheduleCard, ScheduleState
from app.core.conversation.conversation import MessageStatus, Role
from app.core.conversation.transition import parse_ts
from app.core.errors import FailureKind
from app.core.state.status import Status, TurnState
from tests.unit.core.live import AT_ONCE, DAILY, ONCE, Live
from tests.unit.core.lives import in_background

NEXT_NINE = "2026-02-03T09:00:00+00:00"
PLANS = pytest.mark.parametrize("plan", [DAILY, ONCE, AT_ONCE], ids=["cron", "scheduled", "immediate"])


def running(plan: SetSchedule = DAILY) -> Live:
    """One in the midst of a run; it is after nine, and after noon."""
    live = in_background(plan).wait(10 * 60).is_due()
    assert live.now.run is TurnState.STREAMING
    return live


def fails(live: Live, kind: FailureKind = FailureKind.INVALID, **values: Any) -> Live:
    return live.replies("", status=MessageStatus.FAILED, failure=kind.value, **values)


def runs_and_fails(live: Live, kind: FailureKind = FailureKind.INVALID) -> Live:
    """The run that is planned comes due when it shall, and fails."""
    seconds = (datetime.fromisoformat(live.now.next_run) - parse_ts(live.ts)).total_seconds()
    return fails(live.wait(max(seconds, 0) / 60).is_due(), kind)


def failed_often(plan: SetSchedule = DAILY) -> Live:
    """One whose owner is asked whether to go on, with that question shown."""
    live = fails(running(plan))
    live = runs_and_fails(runs_and_fails(live)).posts_cards()
    assert live.now.status is Status.WAITING_INPUT
    return live


def later(live: Live) -> timedelta:
    """How long after this moment the next run is."""
    return datetime.fromisoformat(live.now.next_run) - parse_ts(live.ts)


def planned(live: Live) -> ScheduleState:
    return live.card(ScheduleCard).state


def wishes(live: Live) -> list[str]:
    """What was asked in the owner's name."""
    return [row.text for row in live.transcript if row.role is Role.PERSON and not row.ts]
