"""The contract of lists: whose conversations they are, which were left, and for which a run is due."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.core.conversation.conversation import Conversation
from app.core.state.goal import GoalPhase, GoalState
from app.core.state.question import Question, QuestionKind
from app.core.state.schedule import Schedule, ScheduleKind
from app.core.state.status import Kind, Status, TurnState
from app.ports.store import Store
from tests.contract.store.events import ERASED, claimed, posted, said, saved, thread

START = 1770000000
WORKING = {"goals": GoalState(phase=GoalPhase.UNDERSTANDING)}
DUE: dict[str, Any] = {"status": Status.BACKGROUND, "next_run": "2026-02-02T02:40:00+00:00"}
DUE_AT = datetime(2026, 2, 2, 2, 40, tzinfo=UTC)


def after(milliseconds: int) -> str:
    """Return the ts of something so long after all that opened threads here."""
    return f"{START + 60}.{milliseconds:03d}999"


def at(milliseconds: int) -> datetime:
    """Return the same time as a moment: the store knows milliseconds."""
    return datetime.fromtimestamp(START + 60, UTC) + timedelta(milliseconds=milliseconds)


async def kept(store: Store, number: int, **state: Any) -> Conversation:
    """Hold the n-th thread's conversation in a state that was saved."""
    return await saved(store, replace(await claimed(store, number), **state))


async def opened_by(store: Store, owner: str, number: int, team: str = "T1") -> None:
    await store.inbox.take_in(replace(posted(number, thread(number, team), opens=True), user=owner))


async def owned(store: Store, limit: int = 100) -> list[str]:
    return [each.thread.root for each in await store.conversations.of_owner("T1", "U1", limit)]


async def quiet(store: Store, milliseconds: int, limit: int = 50) -> list[str]:
    return [each.thread.root for each in await store.conversations.quiet_since("T1", at(milliseconds), limit)]


async def due(store: Store, moment: datetime, limit: int = 5) -> list[str]:
    return [each.thread.root for each in await store.conversations.due("T1", moment, limit)]


def roots(*numbers: int) -> list[str]:
    return [thread(number).root for number in numbers]


# --- whose they are


async def test_an_owner_finds_the_conversation_with_the_newest_message_first(store: Store) -> None:
    for number, newest in ((1, after(2)), (2, after(3)), (3, after(1))):
        await kept(store, number, newest=newest)
    assert await owned(store) == roots(2, 1, 3)
    await saved(store, replace((await store.conversations.of_owner("T1", "U1"))[2], newest=after(4)))
    assert await owned(store) == roots(3, 2, 1)


async def test_a_conversation_that_only_began_is_listed_by_the_time_of_its_thread(store: Store) -> None:
    for number in (2000, 4000, 3000):
        await opened_by(store, "U1", number)
    await kept(store, 2000, newest="")
    assert await owned(store) == roots(4000, 3000, 2000)


async def test_of_conversations_of_one_millisecond_the_newer_thread_comes_first(store: Store) -> None:
    for number, microseconds in ((2, 500), (3, 100), (1, 900)):
        await kept(store, number, newest=f"{START}.001{microseconds}")
    assert await owned(store) == roots(3, 2, 1)


async def test_what_others_own_and_what_is_elsewhere_is_not_listed(store: Store) -> None:
    await opened_by(store, "U1", 1)
    await opened_by(store, "U2", 2)
    await opened_by(store, "U1", 3, team="T2")
    assert await owned(store) == roots(1)


async def test_what_was_handed_over_is_listed_for_its_new_owner_alone(store: Store) -> None:
    conversation = await kept(store, 1, owner="U2")
    assert await owned(store) == []
    assert await store.conversations.of_owner("T1", "U2") == (conversation,)


@pytest.mark.parametrize("kind", Kind)
async def test_threads_of_every_kind_are_listed(store: Store, kind: Kind) -> None:
    await kept(store, 1, kind=kind)
    assert await owned(store) == roots(1)


async def test_a_list_is_cut_after_the_newest(store: Store) -> None:
    for number in (1000, 2000, 3000):
        await opened_by(store, "U1", number)
    assert await owned(store, limit=2) == roots(3000, 2000)


async def test_an_erased_conversation_is_in_no_list(store: Store) -> None:
    for number, state in ((1, DUE), (2, {**WORKING, "newest": after(0)})):
        await store.conversations.erase(await kept(store, number, **state), ERASED)
    assert await owned(store) == []
    assert await quiet(store, 0) == []
    assert await due(store, DUE_AT) == []


@pytest.mark.parametrize("status", Status)
async def test_a_conversation_is_listed_whoever_has_the_next_move_and_with_its_whole_state(
    store: Store, status: Status
) -> None:
    conversation = await kept(store, 1, status=status, title="Rota plan", newest=after(1))
    assert await store.conversations.of_owner("T1", "U1") == (conversation,)


CRON = Schedule(kind=ScheduleKind.CRON, cron="0 9 * * 1-5", zone="Europe/Berlin", instruction="Send the digest.")
ONCE = Schedule(kind=ScheduleKind.SCHEDULED, run_at=DUE["next_run"], zone="UTC", instruction="Remind me.")


@pytest.mark.req("S2-042", "S2-049")
@pytest.mark.parametrize("plan", [CRON, ONCE], ids=["cron", "once"])
async def test_a_plan_is_stored_with_its_kind_its_times_and_the_next_run_until_there_is_none(
    store: Store, plan: Schedule
) -> None:
    planned = await kept(store, 1, schedule=plan, **DUE)
    stored = await store.conversations.find(thread(1))
    assert stored
    assert stored.schedule
    assert (stored.status, stored.next_run) == ("background", "2026-02-02T02:40:00+00:00")
    assert (stored.schedule.kind, stored.schedule.cron, stored.schedule.run_at) == {
        "cron": ("cron", "0 9 * * 1-5", ""),
        "scheduled": ("scheduled", "", "2026-02-02T02:40:00+00:00"),
    }[plan.kind]
    assert await due(store, DUE_AT) == roots(1)
    await saved(store, replace(planned, schedule=None, next_run="", status=Status.ACTIVE))
    stored = await store.conversations.find(thread(1))
    assert stored
    assert (stored.status, stored.schedule, stored.next_run) == ("active", None, "")
    assert await due(store, DUE_AT) == []


@pytest.mark.req("S2-051")
async def test_an_open_question_is_stored_with_its_kind_prompt_and_options_until_there_is_none(store: Store) -> None:
    asked = Question(id="1.2", kind=QuestionKind.CHOICE, prompt="Which?", options=("PDF", "CSV"), card=2)
    waiting = await kept(store, 1, status=Status.WAITING_INPUT, question=asked)
    stored = await store.conversations.find(thread(1))
    assert stored
    assert stored.question
    assert (stored.question.kind, stored.question.prompt, stored.question.options) == (
        "choice",
        "Which?",
        ("PDF", "CSV"),
    )
    await saved(store, replace(waiting, status=Status.ACTIVE, question=None))
    stored = await store.conversations.find(thread(1))
    assert stored
    assert stored.question is None


async def test_listing_takes_nothing_from_its_holder(store: Store) -> None:
    held = await kept(store, 1, **WORKING, newest=after(0))
    assert await store.conversations.of_owner("T1", "U1") == await store.conversations.quiet_since("T1", at(0))
    assert await saved(store, held, said(1))


# --- which were left


async def test_a_conversation_was_left_from_its_newest_message_on(store: Store) -> None:
    await kept(store, 1, **WORKING, newest=after(5))
    assert await quiet(store, 4) == []
    assert await quiet(store, 5) == roots(1)
    assert await quiet(store, 6) == roots(1)
    assert await store.conversations.quiet_since("T2", at(6)) == ()


@pytest.mark.parametrize("phase", GoalPhase)
async def test_only_a_goal_that_is_worked_on_can_be_left(store: Store, phase: GoalPhase) -> None:
    worked_on = phase in (GoalPhase.UNDERSTANDING, GoalPhase.PLANNING, GoalPhase.EXECUTING, GoalPhase.REVIEWING)
    await kept(store, 1, goals=GoalState(phase=phase), newest=after(0))
    assert await quiet(store, 0) == (roots(1) if worked_on else [])


NOT_LEFT = {
    "a component": {"kind": Kind.COMPONENT},
    "a decision": {"kind": Kind.DECISION},
    "background": {"status": Status.BACKGROUND},
    "waiting": {"status": Status.WAITING_INPUT},
    "archived": {"status": Status.ARCHIVED},
    "answering": {"run": TurnState.STREAMING},
}


@pytest.mark.parametrize("busy", NOT_LEFT.values(), ids=NOT_LEFT)
async def test_nobody_has_left_what_is_under_way_or_waits_for_somebody(store: Store, busy: dict[str, Any]) -> None:
    await kept(store, 1, **WORKING, newest=after(0), **busy)
    assert await quiet(store, 0) == []


async def test_a_conversation_leaves_the_quiet_ones_and_comes_back_as_its_state_does(store: Store) -> None:
    conversation = await kept(store, 1, **WORKING, newest=after(0))
    for state, listed in (
        ({"run": TurnState.STREAMING}, []),
        ({"run": TurnState.IDLE}, roots(1)),
        ({"newest": after(9)}, []),
        ({"newest": after(0)}, roots(1)),
        ({"goals": GoalState(phase=GoalPhase.IDLE)}, []),
    ):
        conversation = await saved(store, replace(conversation, **state))
        assert await quiet(store, 8) == listed, state


async def test_those_that_were_left_longest_come_first(store: Store) -> None:
    for number, newest in ((1, 3), (2, 1), (3, 2), (4, 9)):
        await kept(store, number, **WORKING, newest=after(newest))
    assert await quiet(store, 8) == roots(2, 3, 1)
    assert await quiet(store, 8, limit=2) == roots(2, 3)


# --- what is due


async def test_a_run_is_due_from_its_time_on(store: Store) -> None:
    await kept(store, 1, **DUE)
    assert await due(store, DUE_AT - timedelta(milliseconds=1)) == []
    assert await due(store, DUE_AT) == roots(1)
    assert await store.conversations.due("T2", DUE_AT) == ()


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.WAITING_INPUT, Status.ARCHIVED])
async def test_nothing_is_due_where_nothing_goes_on_in_the_background(store: Store, status: Status) -> None:
    await kept(store, 1, **DUE | {"status": status})
    assert await due(store, DUE_AT) == []


async def test_a_conversation_is_due_as_long_as_its_state_says_so(store: Store) -> None:
    conversation = await kept(store, 1, **DUE)
    for state, listed in (
        ({"next_run": "2026-02-02T02:41:00+00:00"}, []),
        (DUE, roots(1)),
        ({"next_run": ""}, []),
        (DUE, roots(1)),
        ({"planned": 1}, []),
        ({"planned": 0}, roots(1)),
        ({"paused": True}, []),
        ({"paused": False}, roots(1)),
        ({"status": Status.WAITING_INPUT}, []),
    ):
        conversation = await saved(store, replace(conversation, **state))
        assert await due(store, DUE_AT) == listed, state


async def test_runs_that_are_under_way_keep_nobody_behind_them_from_being_seen(store: Store) -> None:
    for number in range(1, 4):
        await kept(store, number, **DUE, planned=1)
    await kept(store, 4, **DUE)
    assert await due(store, DUE_AT, limit=3) == roots(4)


async def test_what_is_due_longest_comes_first(store: Store) -> None:
    for number, minute in ((1, 39), (2, 38), (3, 40), (4, 41)):
        await kept(store, number, **DUE | {"next_run": f"2026-02-02T02:{minute}:00+00:00"})
    assert await due(store, DUE_AT) == roots(2, 1, 3)
    assert await due(store, DUE_AT, limit=2) == roots(2, 1)


# --- which end


async def silent(store: Store, milliseconds: int, passed: int = 0, limit: int = 50) -> list[str]:
    found = await store.conversations.silent_since("T1", at(milliseconds), passed, limit)
    return [each.thread.root for each in found]


@pytest.mark.req("SE-18")
async def test_what_is_open_and_silent_is_found_the_oldest_first_and_page_by_page(store: Store) -> None:
    for number, newest in ((1, after(3)), (2, after(1)), (3, after(2))):
        await kept(store, number, newest=newest)
    await kept(store, 4, newest=after(1), **DUE)
    await kept(store, 5, newest=after(1), status=Status.ARCHIVED)
    await kept(store, 6, newest=after(1), status=Status.WAITING_INPUT)
    assert await silent(store, 0) == []
    assert await silent(store, 2) == roots(2, 6, 3)
    assert await silent(store, 3, 2, 1) == roots(3)
    assert await silent(store, 3, 4) == []


@pytest.mark.req("SE-18")
async def test_what_is_to_be_erased_is_found_when_its_time_has_come_and_not_once_it_is_reopened(store: Store) -> None:
    for number in (2, 1):
        await kept(store, number, status=Status.ARCHIVED, ends=at(number).isoformat())
    await kept(store, 3, status=Status.ARCHIVED)

    async def ended(milliseconds: int) -> list[str]:
        return [each.thread.root for each in await store.conversations.ended("T1", at(milliseconds))]

    assert [await ended(moment) for moment in (0, 1, 2)] == [[], roots(1), roots(1, 2)]
    (first, _) = await store.conversations.ended("T1", at(2))
    await saved(store, replace(first, status=Status.ACTIVE, ends=""))
    assert await ended(2) == roots(2)
