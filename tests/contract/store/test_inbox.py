"""The contract of the inbox."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from pydantic import TypeAdapter

from app.core.events.heard import Opener, SlackEvent, find_initial_owner
from app.core.thread import ThreadKey
from app.ports import Acceptance
from app.ports.store import Store
from tests.contract.store.events import (
    NEVER,
    claim,
    claimed,
    decided,
    deleted,
    due,
    left,
    posted,
    step_begun,
    thread,
    ts,
)
from tests.contract.store.planted import planted


async def test_an_event_is_new_once_and_then_a_duplicate(store: Store) -> None:
    event = posted(1, opens=True)
    assert [await store.inbox.take_in(event) for _ in range(3)] == [
        Acceptance.NEW,
        Acceptance.DUPLICATE,
        Acceptance.DUPLICATE,
    ]
    assert [row.event for row in await store.inbox.open_rows(thread())] == [event]


async def test_of_racing_deliveries_of_one_event_exactly_one_is_new(store: Store) -> None:
    event = posted(1, opens=True)
    taken = await asyncio.gather(*(store.inbox.take_in(event) for _ in range(20)))
    assert Counter(taken) == {Acceptance.NEW: 1, Acceptance.DUPLICATE: 19}
    assert len(await store.inbox.open_rows(thread())) == 1


async def test_racing_openers_of_one_thread_get_one_conversation_and_are_all_kept(store: Store) -> None:
    openers = [posted(number, thread(), opens=True) for number in range(1, 11)]
    taken = await asyncio.gather(*(store.inbox.take_in(event) for event in openers))
    assert set(taken) == {Acceptance.NEW}
    assert len(await store.inbox.open_rows(thread())) == 10
    assert await store.conversations.claim_some("T1", "one", NEVER, (), 1)
    assert await store.conversations.claim_some("T1", "two", NEVER, (), 1) == (), "the thread has two conversations"


async def test_a_reply_in_a_thread_that_is_not_ours_is_foreign_and_not_kept(store: Store) -> None:
    assert await store.inbox.take_in(posted(2, thread(1))) is Acceptance.FOREIGN
    assert await store.inbox.open_rows(thread(1)) == ()
    assert await store.conversations.find(thread(1)) is None


@pytest.mark.parametrize("found", [left, due])
async def test_what_the_calendar_finds_is_kept_once_and_only_where_there_is_a_conversation(
    store: Store, found: Callable[[int, ThreadKey], SlackEvent]
) -> None:
    event = found(2, thread())
    assert await store.inbox.take_in(event) is Acceptance.FOREIGN
    assert await store.conversations.find(thread()) is None
    await store.inbox.take_in(posted(1, opens=True))
    await store.inbox.close_rows([posted(1).receipt])
    assert [await store.inbox.take_in(event) for _ in range(2)] == [Acceptance.NEW, Acceptance.DUPLICATE]
    assert (await claim(store)).thread == thread()
    assert [row.event for row in await store.inbox.open_rows(thread())] == [event]
    await store.inbox.park([event.receipt])
    assert await store.inbox.take_in(event) is Acceptance.DUPLICATE


@pytest.mark.req("IN-05")
async def test_a_deletion_that_overtakes_its_message_keeps_it_out_of_a_conversation(store: Store) -> None:
    await store.inbox.take_in(posted(1, opens=True))
    away = deleted(3, thread(), 2)
    assert await store.inbox.take_in(away) is Acceptance.NEW
    late = posted(2, thread())
    assert [await store.inbox.take_in(late) for _ in range(2)] == [Acceptance.DUPLICATE] * 2
    assert [row.event for row in await store.inbox.open_rows(thread())] == [posted(1, opens=True), away]
    assert await store.inbox.take_in(posted(4, thread())) is Acceptance.NEW


@pytest.mark.req("IN-05")
async def test_a_deletion_that_overtakes_the_first_message_leaves_nothing_to_begin(store: Store) -> None:
    assert await store.inbox.take_in(deleted(2, thread(), 1)) is Acceptance.FOREIGN
    assert await store.inbox.take_in(posted(1, opens=True)) is Acceptance.DUPLICATE
    assert await store.conversations.find(thread()) is None
    assert (await store.inbox.queue("T1")).open == 0
    assert await store.inbox.take_in(posted(3, thread(), opens=True)) is Acceptance.NEW, "what is said later counts"


async def test_the_deletion_of_a_message_that_is_here_takes_no_row_away(store: Store) -> None:
    message, away = posted(1, opens=True), deleted(2, thread(), 1)
    await store.inbox.take_in(message)
    await store.inbox.take_in(away)
    assert [row.event for row in await store.inbox.open_rows(thread())] == [message, away]


async def test_a_thread_is_told_from_its_namesake_in_another_team_and_channel(store: Store) -> None:
    await store.inbox.take_in(posted(1, opens=True))
    for namesake in (thread(1, team="T2"), ThreadKey(team="T1", channel="C2", root=thread(1).root)):
        assert await store.inbox.take_in(posted(2, namesake)) is Acceptance.FOREIGN


async def test_the_first_opener_owns_a_conversation_that_is_free_and_empty(store: Store) -> None:
    await store.inbox.take_in(posted(1, opens=True))
    stub = await store.conversations.find(thread())
    assert stub
    assert (stub.thread, stub.owner) == (thread(), "U1")
    assert (stub.version, stub.fence, stub.head, stub.effects) == (0, 0, 0, ())


@pytest.mark.parametrize("begun", [decided, step_begun])
async def test_a_decision_or_step_begins_its_conversation_owned_by_whoever_began_it(
    store: Store, begun: Callable[[int, ThreadKey], Opener]
) -> None:
    event = begun(1, thread())
    assert [await store.inbox.take_in(event) for _ in range(2)] == [Acceptance.NEW, Acceptance.DUPLICATE]
    stub = await claim(store)
    assert (stub.thread, stub.owner, stub.version, stub.head) == (thread(), "U2", 0, 0)
    assert [row.event for row in await store.inbox.open_rows(thread())] == [event]
    assert await store.inbox.take_in(posted(2, thread())) is Acceptance.NEW, "what is said there is not ours"


@pytest.mark.parametrize("begun", [decided, step_begun])
async def test_where_there_is_a_conversation_already_no_decision_or_step_begins_another(
    store: Store, begun: Callable[[int, ThreadKey], Opener]
) -> None:
    held = await claimed(store)
    assert await store.inbox.take_in(begun(2, thread())) is Acceptance.NEW
    assert await store.conversations.find(thread()) == held
    assert held.owner == "U1"
    assert await store.conversations.claim_some("T1", "other", NEVER, (), 1) == (), "the thread has two conversations"


EVERY_KIND = [*planted(TypeAdapter[SlackEvent](SlackEvent), "word")]


async def test_what_begins_nothing_is_foreign_where_there_is_no_conversation(store: Store) -> None:
    others = [event for event in EVERY_KIND if find_initial_owner(event) is None]
    assert {await store.inbox.take_in(event) for event in others} == {Acceptance.FOREIGN}
    assert await store.conversations.find(others[0].thread) is None


async def test_an_event_of_every_kind_is_read_back_as_it_was(store: Store) -> None:
    await store.inbox.take_in(posted(1, opens=True))
    events = {f"r{number}": event for number, event in enumerate(EVERY_KIND)}
    events = {receipt: replace(event, receipt=receipt, thread=thread()) for receipt, event in events.items()}
    for event in events.values():
        assert await store.inbox.take_in(event) is Acceptance.NEW
    read = {row.receipt: row.event for row in await store.inbox.open_rows(thread())}
    assert {receipt: read[receipt] for receipt in events} == events


async def test_open_rows_come_in_the_order_of_slack_and_not_of_arrival(store: Store) -> None:
    await store.inbox.take_in(posted(1, opens=True))
    for number in (5, 3, 9, 4):
        await store.inbox.take_in(posted(number, thread()))
    await store.inbox.take_in(deleted(6, thread(), target=4))
    rows = await store.inbox.open_rows(thread())
    assert [row.event.at for row in rows] == [ts(number) for number in (1, 3, 4, 5, 6, 9)]
    assert [row.event.kind for row in rows if getattr(row.event, "ts", "") == ts(4)] == [
        "message_posted",
        "message_deleted",
    ]


async def test_a_done_row_is_no_work_and_still_known_as_a_duplicate(store: Store) -> None:
    event = posted(1, opens=True)
    await store.inbox.take_in(event)
    await store.inbox.close_rows([event.receipt])
    await store.inbox.close_rows([event.receipt])
    assert await store.inbox.open_rows(thread()) == ()
    assert await store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    assert await store.inbox.take_in(event) is Acceptance.DUPLICATE


async def test_a_parked_row_is_no_work_and_still_known_as_a_duplicate(store: Store) -> None:
    bad, good = posted(1, opens=True), posted(2, thread())
    for event in (bad, good):
        await store.inbox.take_in(event)
    await store.inbox.park([bad.receipt])
    assert [row.receipt for row in await store.inbox.open_rows(thread())] == [good.receipt]
    assert (await claim(store)).thread == thread()
    assert await store.inbox.take_in(bad) is Acceptance.DUPLICATE


async def test_a_failure_counts_for_each_open_row_of_its_thread_and_for_no_other(store: Store) -> None:
    first, second, closed, other = (
        posted(1, opens=True),
        posted(2, thread()),
        posted(3, thread()),
        posted(4, opens=True),
    )
    await store.inbox.take_in(first)
    assert await store.inbox.count_failure(thread(), 0) == {first.receipt: 1}
    for event in (second, closed, other):
        await store.inbox.take_in(event)
    await store.inbox.close_rows([closed.receipt])
    assert await store.inbox.count_failure(thread(), 0) == {first.receipt: 2, second.receipt: 1}
    assert [row.attempts for row in await store.inbox.open_rows(thread())] == [2, 1]
    assert [row.attempts for row in await store.inbox.open_rows(other.thread)] == [0]


async def test_failed_rows_are_no_work_until_their_time_but_are_seen_by_whoever_comes_for_another(store: Store) -> None:
    conversation = await claimed(store)
    await store.inbox.count_failure(thread(), NEVER)
    await store.conversations.release(conversation)
    assert await store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    await store.inbox.take_in(posted(2, thread()))
    assert await claim(store)
    assert len(await store.inbox.open_rows(thread())) == 2


async def test_failed_rows_are_work_again_when_their_time_has_come(store: Store) -> None:
    conversation = await claimed(store)
    await store.inbox.count_failure(thread(), 0)
    await store.conversations.release(conversation)
    assert (await claim(store)).thread == thread()


async def test_nothing_is_closed_or_counted_where_nothing_is_open(store: Store) -> None:
    await store.inbox.close_rows([])
    await store.inbox.park(["unheard of"])
    assert await store.inbox.count_failure(thread(), NEVER) == {}


async def test_all_that_is_open_is_given_up_at_once_and_counted(store: Store) -> None:
    for number in (1, 2, 3):
        await store.inbox.take_in(posted(number, opens=True))
    await store.inbox.close_rows([posted(1).receipt])
    assert await store.upkeep.park_all() == 2
    assert await store.upkeep.park_all() == 0
    assert await store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    queue = await store.inbox.queue("T1")
    assert (queue.open, queue.parked) == (0, 2)
