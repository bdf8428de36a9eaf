"""The calendar: what time alone brings about is taken in once, whoever looks and however often (C-25, T1)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.clock import format_ts
from app.core.conversation.call import SetSchedule
from app.core.conversation.card import FiledCard
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Transition
from app.core.errors import StoreUnavailable
from app.core.events.acts import ArchiveConfirmed, EraseConfirmed, ReopenRequested
from app.core.events.heard import GoalIdled, MessagePosted, RunDue, SlackEvent
from app.core.state.decision import Decision, DecisionStep
from app.core.state.interview import Interview
from app.core.state.status import Status
from app.core.thread import ThreadKey
from app.ports import Acceptance
from app.ports.store import Store
from app.runtime.intake import WakingIntake, wake_nobody
from app.runtime.scheduler import LOOKED_AT, Scheduler, SchedulerSettings
from tests.fakes import virtual
from tests.memory_store import memory_store
from tests.unit.agent.tools.sat import PREPARED
from tests.unit.core.live import DAILY, ONCE, Live
from tests.virtual import START, VirtualClock

SETTINGS = SchedulerSettings(team="T1", idle_minutes=10, look=5.0)
WISH = "I want to build a todo app"


def thread(number: int) -> ThreadKey:
    return ThreadKey(team="T1", channel="C1", root=f"{number}.000001")


async def keep(store: Store, live: Live, number: int = 1) -> Conversation:
    """Store a thread as it stands, with its newest word said now."""
    where = thread(number)
    opener = MessagePosted(
        receipt=f"m{number}", thread=where, ts=format_ts(START), user="UOWNER", text="Hi", opens=True, addressed=True
    )
    await store.inbox.take_in(opener)
    [claimed] = await store.conversations.claim_some("T1", "worker", 60, (), 1)
    now = live.now
    state = Conversation(
        id=claimed.conversation.id,
        thread=where,
        owner=now.owner,
        fence=claimed.conversation.fence,
        status=now.status,
        lifecycle=now.lifecycle,
        goals=now.goals,
        schedule=now.schedule,
        next_run=now.next_run,
        planned=now.planned,
        newest=format_ts(START),
    )
    saved = await store.conversations.save(Transition(conversation=state))
    await store.conversations.release(saved)
    await store.inbox.close_rows([opener.receipt])
    return saved


async def found(store: Store, number: int = 1) -> list[SlackEvent]:
    return [row.event for row in await store.inbox.open_rows(thread(number))]


def looking(store: Store) -> Scheduler:
    return Scheduler(WakingIntake(store.inbox, wake_nobody), store.conversations, VirtualClock(), SETTINGS)


@pytest.mark.req("S1-054", "S1-055", "S1-056")
@virtual
async def test_a_goal_counts_as_left_after_ten_minutes_of_silence_and_not_a_second_before() -> None:
    store = memory_store(VirtualClock())
    kept = await keep(store, Live().says(WISH).replies("What kind?"))
    await asyncio.sleep(10 * 60 - 1)
    await looking(store).look()
    assert await found(store) == []
    await asyncio.sleep(1)
    await looking(store).look()
    assert await found(store) == [
        GoalIdled(
            receipt=f"idle:{kept.id}:{kept.newest}",
            thread=thread(1),
            at=format_ts(START + timedelta(minutes=10)),
            newest=kept.newest,
        )
    ]


@virtual
async def test_where_nobody_pursues_a_goal_silence_means_nothing() -> None:
    store = memory_store(VirtualClock())
    await keep(store, Live().talks())
    await asyncio.sleep(3_600)
    await looking(store).look()
    assert await found(store) == []


@pytest.mark.req("S2-009", "S2-010")
@pytest.mark.parametrize("plan", [DAILY, ONCE])
@virtual
async def test_a_run_is_found_when_it_is_due_and_named_by_its_time(plan: SetSchedule) -> None:
    store = memory_store(VirtualClock())
    kept = await keep(store, Live().talks("Hi", plan))
    due = datetime.fromisoformat(kept.next_run)
    await asyncio.sleep(max((due - START).total_seconds(), 0))
    await looking(store).look()
    (event,) = await found(store)
    assert isinstance(event, RunDue)
    assert (event.receipt, event.due) == (f"due:{kept.id}:{kept.next_run}", kept.next_run)
    assert datetime.fromtimestamp(float(event.at), UTC) >= due


@pytest.mark.req("S2-006")
@virtual
async def test_an_active_thread_is_never_looked_at_for_runs() -> None:
    store = memory_store(VirtualClock())
    await keep(store, Live().talks("Hi", DAILY).cancels())
    await asyncio.sleep(24 * 3_600)
    await looking(store).look()
    assert not [event for event in await found(store) if isinstance(event, RunDue)]


@pytest.mark.req("S2-009")
@virtual
async def test_of_two_processes_that_look_again_and_again_one_is_heard_once() -> None:
    store = memory_store(VirtualClock())
    await keep(store, Live().talks("Hi", DAILY))
    await asyncio.sleep(24 * 3_600)
    for calendar in (looking(store), looking(store)):
        await calendar.look()
        await calendar.look()
    (event,) = await found(store)
    await store.inbox.close_rows([event.receipt])
    await looking(store).look()
    assert await found(store) == []


@virtual
async def test_however_many_long_runs_are_under_way_the_next_one_that_is_due_is_found() -> None:
    store = memory_store(VirtualClock())
    for number in range(1, LOOKED_AT + 1):
        await keep(store, Live().talks("Hi", DAILY).is_due(), number)
    behind = 99  # its thread comes after all others, as texts are sorted
    await keep(store, Live().talks("Hi", DAILY), behind)
    await asyncio.sleep(24 * 3_600)
    await looking(store).look()
    assert len(await found(store, behind)) == 1


class FailingIntake:
    """An intake whose store cannot be reached at first, and which then has a bug."""

    def __init__(self, store: Store, *failures: Exception) -> None:
        self._intake, self._failures = WakingIntake(store.inbox, wake_nobody), list(failures)

    async def accept(self, event: SlackEvent) -> Acceptance:
        if self._failures:
            raise self._failures.pop(0)
        return await self._intake.accept(event)


@pytest.mark.req("S2-009")
@virtual
async def test_looking_outlasts_outages_and_what_cannot_be_read() -> None:
    store = memory_store(VirtualClock())
    await keep(store, Live().talks("Hi", DAILY))
    intake = FailingIntake(store, StoreUnavailable(), ZeroDivisionError())
    looks = asyncio.ensure_future(Scheduler(intake, store.conversations, VirtualClock(), SETTINGS).run())
    await asyncio.sleep(9 * 3_600 + 60)
    looks.cancel()
    assert len(await found(store)) == 1


# --- conversations that end

DAYS = 24 * 3_600
ENDING = SchedulerSettings(team="T1", idle_minutes=10, archive_after_days=30)


def ending(store: Store, settings: SchedulerSettings = ENDING) -> Scheduler:
    return Scheduler(WakingIntake(store.inbox, wake_nobody), store.conversations, VirtualClock(), settings)


async def put(store: Store, number: int = 1, **state: Any) -> Conversation:
    """Keep a thread in this state besides."""
    kept = await keep(store, Live().talks("Hi"), number)
    claims = await store.conversations.claim_some("T1", "worker", 60, (), 1)
    held = claims[0].conversation if claims else kept
    return await store.conversations.save(Transition(conversation=replace(held, **state)))


@pytest.mark.req("SE-18")
@virtual
async def test_what_was_silent_for_as_long_as_is_set_is_archived_and_not_a_second_before() -> None:
    store = memory_store(VirtualClock())
    kept = await keep(store, Live().talks("Hi"))
    await asyncio.sleep(30 * DAYS - 1)
    await ending(store).look()
    assert await found(store) == []
    await asyncio.sleep(1)
    for calendar in (ending(store), ending(store)):
        await calendar.look()
    (event,) = await found(store)
    assert event == ArchiveConfirmed(
        receipt=f"silent:{kept.id}:{kept.newest}",
        thread=kept.thread,
        ts="",
        at=format_ts(START + timedelta(days=30)),
        user="UOWNER",
        silent=kept.newest,
    )


@pytest.mark.req("SE-18")
@virtual
async def test_nothing_is_archived_where_that_is_not_set_or_while_something_is_planned() -> None:
    store = memory_store(VirtualClock())
    await keep(store, Live().talks("Hi"))
    await keep(store, Live().talks("Hi", DAILY), 2)
    await put(store, 3, status=Status.ARCHIVED)
    await asyncio.sleep(60 * DAYS)
    await ending(store, SETTINGS).look()
    assert await found(store) == []
    await ending(store).look()
    assert [type(event) for event in await found(store)] == [ArchiveConfirmed]
    others = [event for number in (2, 3) for event in await found(store, number)]
    assert not [event for event in others if isinstance(event, ArchiveConfirmed)]


@pytest.mark.req("SE-18")
@virtual
async def test_what_was_archived_is_erased_when_the_time_has_come_that_its_note_told() -> None:
    store = memory_store(VirtualClock())
    ends = (START + timedelta(days=7)).isoformat()
    kept = await put(store, status=Status.ARCHIVED, ends=ends)
    await asyncio.sleep(7 * DAYS - 1)
    await ending(store, SETTINGS).look()
    assert await found(store) == []
    await asyncio.sleep(1)
    await ending(store, SETTINGS).look()
    (event,) = await found(store)
    assert isinstance(event, EraseConfirmed)
    assert (event.receipt, event.user, event.ends) == (f"ended:{kept.id}:{ends}", "UOWNER", ends)


@pytest.mark.req("SE-18")
@virtual
async def test_a_decision_ends_with_its_last_step_and_a_step_only_with_its_decision() -> None:
    store = memory_store(VirtualClock())
    lead = Interview(component="issue_raising", decision=thread(1), prepared=PREPARED)
    steps = (DecisionStep(key="issue_raising", title="Issues", thread=thread(2)),)
    await put(store, 1, decision=Decision(question="Should we?", steps=steps))
    late = format_ts(START + timedelta(days=1))
    await put(store, 2, interview=lead, newest=late)
    await asyncio.sleep(30 * DAYS)
    await ending(store).look()
    assert (await found(store), await found(store, 2)) == ([], [])
    await asyncio.sleep(1 * DAYS)
    await ending(store).look()
    assert ([type(event) for event in await found(store)], await found(store, 2)) == ([ArchiveConfirmed], [])


@pytest.mark.req("SE-18")
@pytest.mark.parametrize(
    ("written", "status", "kind"),
    [
        (1, Status.ACTIVE, ReopenRequested),
        (-1, Status.ACTIVE, EraseConfirmed),
        (1, Status.ARCHIVED, EraseConfirmed),
    ],
    ids=["since", "before", "and archived again"],
)
@virtual
async def test_a_decision_in_a_step_of_which_somebody_goes_on_working_is_reopened_instead_of_erased(
    written: int, status: Status, kind: type[EraseConfirmed | ReopenRequested]
) -> None:
    store = memory_store(VirtualClock())
    lead = Interview(component="issue_raising", decision=thread(1), prepared=PREPARED)
    steps = (DecisionStep(key="issue_raising", title="Issues", thread=thread(2)),)
    hub = await put(store, 1, decision=Decision(question="Should we?", steps=steps))
    filed = Message(
        seq=1, role=Role.CARD, text="", status=MessageStatus.OPEN, card=FiledCard(by="UOWNER", at=format_ts(START))
    )
    ends = (START + timedelta(days=7)).isoformat()
    archived = replace(hub, status=Status.ARCHIVED, ends=ends, head=1, cards=(1,))
    await store.conversations.save(Transition(conversation=archived, messages=(filed,)))
    await put(store, 2, interview=lead, status=status, newest=format_ts(START + timedelta(days=written)))
    await asyncio.sleep(7 * DAYS)
    for calendar in (ending(store, SETTINGS), ending(store, SETTINGS)):
        await calendar.look()
    (event,) = await found(store)
    assert isinstance(event, kind)
    assert (event.user, event.ends) == ("UOWNER", ends)


@virtual
async def test_what_ends_is_looked_for_in_batches_and_not_at_each_look() -> None:
    store = memory_store(VirtualClock())
    for number in range(1, LOOKED_AT + 3):
        await keep(store, Live().talks("Hi"), number)
    await asyncio.sleep(30 * DAYS)
    calendar = ending(store)

    async def archived() -> int:
        return sum([len(await found(store, number)) for number in range(1, LOOKED_AT + 3)])

    for _ in range(2):
        await calendar.look()
        assert await archived() == LOOKED_AT
