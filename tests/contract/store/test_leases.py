"""The contract of claims and leases: one writer at a time."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import Message, MessageStatus, Role, Transition, Turn
from app.core.conversation.effect import FinishReply, ShowCard
from app.core.errors import LostConversation, StoreUnavailable
from app.ports.store import Store
from store.crypto.codec import PutBack
from store.mongo.claims import ROWS
from tests.contract.store.events import ERASED, NEVER, claim, claimed, posted, said, saved, thread
from tests.contract.store.watched import Watching, dying_after, once
from tests.mongo import Documents


async def test_of_many_claimers_each_conversation_goes_to_exactly_one(store: Store) -> None:
    for number in range(1, 13):
        await store.inbox.take_in(posted(number, opens=True))
        await store.inbox.take_in(posted(number + 100, thread(number)))
    claimers = (store.conversations.claim_some("T1", f"worker {n}", NEVER, (), 1) for n in range(20))
    won = [each.conversation for claims in await asyncio.gather(*claimers) for each in claims]
    assert sorted(c.thread.root for c in won) == [thread(n).root for n in range(1, 13)]
    assert {c.fence for c in won} == {1}


async def test_the_oldest_work_is_claimed_first_by_the_time_of_slack(store: Store) -> None:
    for number in (3, 1, 2):
        await store.inbox.take_in(posted(number, opens=True))
    assert [(await claim(store)).thread for _ in range(3)] == [thread(1), thread(2), thread(3)]


async def test_work_of_another_team_is_not_claimed(store: Store) -> None:
    await store.inbox.take_in(posted(1, thread(1, team="T2"), opens=True))
    await store.inbox.take_in(posted(2, opens=True))
    assert (await claim(store)).thread == thread(2)
    assert await store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    [other] = await store.conversations.claim_some("T2", "worker", NEVER, (), 1)
    assert other.conversation.thread == thread(1, team="T2")


async def test_a_leased_thread_is_passed_over_for_the_next(store: Store) -> None:
    held = await claimed(store, 1)
    for number in range(10, 30):
        await store.inbox.take_in(posted(number, held.thread))
    await store.inbox.take_in(posted(50, opens=True))
    assert (await claim(store)).thread == thread(50)


async def test_busy_threads_are_passed_over_even_if_nobody_holds_them(store: Store) -> None:
    for number in (1, 2, 3):
        await store.inbox.take_in(posted(number, opens=True))
    [third] = await store.conversations.claim_some("T1", "worker", NEVER, (thread(1), thread(2)), 1)
    assert third.conversation.thread == thread(3)
    assert await store.conversations.claim_some("T1", "worker", NEVER, (thread(1), thread(2)), 1) == ()


async def test_a_lease_that_ran_out_is_taken_over_with_a_higher_fence(store: Store) -> None:
    first = await claimed(store, seconds=0)
    second = await claim(store)
    assert (second.id, second.fence) == (first.id, first.fence + 1)
    assert await store.conversations.claim_some("T1", "third", NEVER, (), 1) == ()


async def test_a_renewed_lease_is_not_taken_over(store: Store) -> None:
    first = await claimed(store, seconds=0)
    assert await store.conversations.renew(first, NEVER)
    assert await store.conversations.claim_some("T1", "second", NEVER, (), 1) == ()


async def test_a_lease_that_was_taken_over_can_be_neither_renewed_nor_released(store: Store) -> None:
    first = await claimed(store, seconds=0)
    second = await claim(store)
    assert not await store.conversations.renew(first, NEVER)
    await store.conversations.release(first)
    assert await store.conversations.claim_some("T1", "third", NEVER, (), 1) == ()
    assert await store.conversations.renew(second, NEVER)


async def test_a_released_lease_is_free_at_once_and_a_late_heartbeat_does_not_bring_it_back(store: Store) -> None:
    first = await claimed(store)
    await store.conversations.release(first)
    await store.conversations.release(first)
    assert not await store.conversations.renew(first, NEVER)
    assert (await claim(store)).fence == first.fence + 1


async def test_a_lower_fence_saves_nothing(store: Store) -> None:
    lost = await saved(store, await claimed(store, seconds=0), said(1, "first"))
    current = await claim(store)
    with pytest.raises(LostConversation):
        await saved(store, lost, said(1, "changed"), said(2, "added"))
    assert await store.conversations.transcript(current, 0) == (said(1, "first"),)
    assert await store.conversations.find(thread()) == current


@pytest.mark.parametrize(
    "pending",
    [
        {"turn": Turn(id="t", reply=1)},
        {"effects": (FinishReply(id="r:0", reply=1),)},
        {"effects": (ShowCard(id="r:0", card=1),)},
    ],
    ids=["turn", "finish", "card"],
)
async def test_a_reply_or_card_under_way_is_drafted_no_more_by_whoever_lost_it(
    store: Store, pending: dict[str, Any]
) -> None:
    shown = Message(seq=1, role=Role.ASSISTANT, text="shown", status=MessageStatus.STREAMING)
    lost = await saved(store, replace(await claimed(store, seconds=0), **pending), shown)
    current = await claim(store)
    with pytest.raises(LostConversation):
        await store.conversations.record_draft(lost, replace(shown, text="shown late"))
    assert await store.conversations.row(current, 1) == shown
    await store.conversations.record_draft(current, replace(shown, text="shown now"))
    assert await store.conversations.row(current, 1) == replace(shown, text="shown now")


async def test_a_card_under_way_beside_a_turn_is_drafted_no_more_by_whoever_lost_it(store: Store) -> None:
    rows = [
        Message(seq=1, role=Role.ASSISTANT, text="shown", status=MessageStatus.STREAMING),
        Message(seq=2, role=Role.CARD, text="asked"),
        Message(seq=3, role=Role.ASSISTANT, text="nearly done", status=MessageStatus.STREAMING),
    ]
    pending = {"turn": Turn(id="t", reply=1), "effects": (ShowCard(id="r:0", card=2), FinishReply(id="r:1", reply=3))}
    lost = await saved(store, replace(await claimed(store, seconds=0), **pending), *rows)
    current = await claim(store)
    for row in rows:
        with pytest.raises(LostConversation):
            await store.conversations.record_draft(lost, replace(row, parts=("9.9",)))
        assert await store.conversations.row(current, row.seq) == row


async def test_an_older_version_saves_nothing_even_under_the_right_fence(store: Store) -> None:
    older = await claimed(store)
    newer = await saved(store, older, said(1, "first"))
    with pytest.raises(LostConversation):
        await saved(store, older, said(1, "changed"))
    assert await store.conversations.transcript(newer, 0) == (said(1, "first"),)


async def test_of_two_saves_at_once_one_wins_and_the_other_is_told(store: Store) -> None:
    conversation = await claimed(store)
    steps = [Transition(conversation=replace(conversation, summary=str(n))) for n in range(2)]
    results = await asyncio.gather(*map(store.conversations.save, steps), return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["Conversation", "LostConversation"]
    assert await store.conversations.find(thread()) in results


async def test_a_save_keeps_the_whole_state_and_counts_the_version(store: Store) -> None:
    before = replace(await claimed(store), summary="so far", asked=(1,), applied=("r1",), plain=3)
    after = await store.conversations.save(Transition(conversation=before))
    assert after == replace(before, version=before.version + 1)
    assert await store.conversations.find(thread()) == after


async def test_finding_leases_nothing(store: Store) -> None:
    await store.inbox.take_in(posted(1, opens=True))
    assert await store.conversations.find(thread()) == await store.conversations.find(thread())
    assert (await claim(store)).fence == 1


async def test_one_search_leases_as_many_as_are_wanted_the_longest_waiting_first(store: Store) -> None:
    for number in range(1, 13):
        await store.inbox.take_in(posted(number, opens=True))
    claims = store.conversations.claim_some
    first, rest = await claims("T1", "one", NEVER, (), 10), await claims("T1", "two", NEVER, (), 10)
    assert [each.conversation.thread for each in (*first, *rest)] == [thread(number) for number in range(1, 13)]
    assert (len(first), await claims("T1", "three", NEVER, (), 10)) == (10, ())


async def test_what_was_leased_is_worked_on_although_the_lease_of_another_thread_has_failed(
    mongo_store: Store, watching: Watching
) -> None:
    for number in (1, 2, 3):
        await mongo_store.inbox.take_in(posted(number, opens=True))

    async def fail() -> None:
        raise StoreUnavailable

    other = watching(once("conversations.find_one_and_update", fail)).conversations
    held = await other.claim_some("T1", "worker", NEVER, (), 3)
    assert len(held) == 2
    left = await mongo_store.conversations.claim_some("T1", "another", NEVER, (), 3)
    assert {each.conversation.thread for each in (*held, *left)} == {thread(1), thread(2), thread(3)}


async def test_a_search_of_which_no_lease_succeeds_is_told_as_an_outage(mongo_store: Store, watching: Watching) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))
    with pytest.raises(StoreUnavailable):
        await watching(dying_after(0)).conversations.claim_some("T1", "worker", NEVER, (), 3)


@pytest.mark.req("MW-09")
async def test_a_claim_brings_all_open_rows_of_its_thread_hidden_ones_too(store: Store) -> None:
    for number in range(1, 4):
        await store.inbox.take_in(posted(number, thread(), opens=True))
    await store.inbox.count_failure(thread(), 60)
    await store.inbox.take_in(posted(4, thread()))
    await store.inbox.take_in(posted(5, opens=True))
    one, other = await store.conversations.claim_some("T1", "one", NEVER, (), 10)
    assert one.rows is not None
    assert one.rows == await store.inbox.open_rows(thread())
    assert (len(one.rows), other.rows) == (4, await store.inbox.open_rows(other.conversation.thread))


async def test_a_thread_with_more_rows_than_a_search_brings_has_them_read_after_the_lease(mongo_store: Store) -> None:
    for number in range(ROWS + 1):
        await mongo_store.inbox.take_in(posted(number + 1, thread(), opens=True))
    (held,) = await mongo_store.conversations.claim_some("T1", "one", NEVER, (), 10)
    assert held.rows is None


@pytest.mark.req("MW-09")
async def test_rows_that_another_holder_may_have_closed_since_the_search_are_not_brought(
    mongo_store: Store, watching: Watching
) -> None:
    await mongo_store.inbox.take_in(posted(1, opens=True))

    async def be_faster() -> None:
        held = await claim(mongo_store)
        await mongo_store.inbox.close_rows([posted(1).receipt])
        await mongo_store.inbox.take_in(posted(2, thread()))
        await mongo_store.conversations.release(held)

    slow = watching(once("conversations.find_one_and_update", be_faster)).conversations
    (late,) = await slow.claim_some("T1", "slow", NEVER, (), 3)
    assert (late.conversation.fence, late.rows) == (2, None)


async def test_a_save_that_releases_keeps_the_state_and_frees_the_conversation(store: Store) -> None:
    held = await saved(store, await claimed(store), said(1))
    after = await store.conversations.save_and_release(replace(held, title="Done"))
    assert (after.version, after.title) == (held.version + 1, "Done")
    assert not await store.conversations.renew(after, NEVER), "a late heartbeat does not revive it"
    assert await claim(store) == replace(after, fence=held.fence + 1)


async def test_a_save_that_releases_changes_nothing_of_a_newer_version_or_lease(store: Store) -> None:
    held = await claimed(store)
    newer = await saved(store, held, said(1))
    with pytest.raises(LostConversation):
        await store.conversations.save_and_release(held)
    assert await store.conversations.renew(newer, NEVER)
    await store.conversations.release(newer)
    other = await claim(store)
    with pytest.raises(LostConversation):
        await store.conversations.save_and_release(newer)
    assert await store.conversations.renew(other, NEVER)
    assert await store.conversations.find(thread()) == other


async def test_an_erased_conversation_is_lost_to_a_save_that_releases(store: Store) -> None:
    held = await saved(store, await claimed(store), said(1))
    await store.conversations.erase(held, ERASED)
    with pytest.raises(LostConversation):
        await store.conversations.save_and_release(held)
    assert await store.conversations.find(thread()) is None


async def test_after_a_save_that_releases_no_older_version_is_accepted(mongo_store: Store, database: Documents) -> None:
    held = await saved(mongo_store, await claimed(mongo_store), said(1))
    former = database.conversations.find_one()
    assert former
    after = await mongo_store.conversations.save_and_release(held)
    database.conversations.replace_one({"_id": after.id}, former)
    with pytest.raises(PutBack):
        await mongo_store.conversations.find(thread())


async def test_rows_that_the_last_holder_closes_after_its_release_are_brought_applied_or_not_at_all(
    mongo_store: Store, watching: Watching
) -> None:
    held = await claimed(mongo_store)

    async def ends() -> None:
        now = replace(held, applied=(posted(1).receipt,))
        await mongo_store.conversations.save_and_release(now)

    async def closes() -> None:
        await mongo_store.inbox.close_rows([posted(1).receipt])

    await ends()
    slow = watching(once("conversations.find_one_and_update", closes)).conversations
    (late,) = await slow.claim_some("T1", "slow", NEVER, (), 3)
    assert {row.receipt for row in late.rows or ()} <= set(late.conversation.applied)
