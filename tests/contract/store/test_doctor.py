"""What is stuck is found with its age, what is well is not, and what is done about it loses nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from app.core.conversation.conversation import Conversation, Transition
from app.core.conversation.effect import FinishReply, PublishHome, ShowCard
from app.core.conversation.transition import parse_ts
from app.core.errors import LostConversation
from app.core.state.schedule import Schedule, ScheduleKind
from app.core.state.status import Status
from app.ports import Queue
from app.ports.store import Store
from store.admin.diagnosis import Case, Trouble
from store.crypto.cipher import SealBroken
from store.open import MongoStore, open_store
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import NEVER, claim, claimed, happened, posted, said, saved, thread, ts
from tests.contract.store.versions import version
from tests.mongo import Documents
from tests.wrapped import wrapping

PENDING = PublishHome(id="r:0", user="U1")
APPROVED_AT = datetime(2026, 3, 1, 10, 1, 0, 654_000, tzinfo=UTC)


@pytest.fixture
def store_(mongo_store: Store) -> MongoStore:
    return cast("MongoStore", mongo_store)


async def found(store: MongoStore, trouble: Trouble) -> Sequence[Case]:
    return [case for case in await store.diagnosis.cases() if case.trouble is trouble]


def lately() -> str:
    """Name this moment as Slack does; it is old itself ten minutes on, so each test asks anew."""
    return f"{datetime.now(UTC).timestamp():.6f}"


async def at_rest(store: Store, number: int = 1, **changes: Any) -> Conversation:
    """Leave a conversation that nobody holds, with no event open."""
    conversation = replace(await claimed(store, number), **changes)
    kept = await saved(store, conversation)
    await store.inbox.close_rows((posted(number).receipt,))
    await store.conversations.release(kept)
    return kept


# --- how much waits


async def test_what_waits_is_counted_for_one_team_with_its_oldest(store: Store) -> None:
    assert await store.inbox.queue("T1") == Queue()
    for number in (3, 2, 4, 5):
        await store.inbox.take_in(posted(number, opens=True))
    await store.inbox.take_in(posted(1, thread(1, team="T2"), opens=True))
    await store.inbox.close_rows([posted(2).receipt])
    await store.inbox.park([posted(5).receipt])
    assert await store.inbox.queue("T1") == Queue(open=2, parked=1, oldest=ts(3))


# --- found


async def test_a_store_in_which_all_goes_well_has_no_cases(store_: MongoStore, database: Documents) -> None:
    await at_rest(store_)
    held = await saved(store_, await claimed(store_, 2), said(1))
    database.inbox.update_many({}, {"$set": {"ts": lately()}})
    assert held.fence
    assert await store_.diagnosis.cases() == ()


async def test_a_parked_row_is_found_with_its_attempts_and_its_age(store_: MongoStore) -> None:
    await store_.inbox.take_in(posted(1, opens=True))
    await store_.inbox.count_failure(thread(), 60)
    await store_.inbox.park([posted(1).receipt])
    [case] = await found(store_, Trouble.PARKED)
    assert (case.id, case.thread, case.since, case.count) == (posted(1).receipt, thread(), parse_ts(ts(1)), 1)
    assert await found(store_, Trouble.WAITING) == []


@pytest.mark.parametrize(("minutes", "cases"), [(9, 0), (11, 1)])
async def test_a_row_is_open_for_long_after_ten_minutes(
    store_: MongoStore, database: Documents, minutes: int, cases: int
) -> None:
    await store_.inbox.take_in(posted(1, opens=True))
    ago = datetime.now(UTC) - timedelta(minutes=minutes)
    database.inbox.update_one({}, {"$set": {"ts": f"{ago.timestamp():.6f}"}})
    assert len(await found(store_, Trouble.WAITING)) == cases


async def test_a_lease_is_dead_a_minute_after_its_time(store_: MongoStore, database: Documents) -> None:
    held = await claimed(store_)
    assert await found(store_, Trouble.HELD) == []
    ended = datetime.now(UTC).replace(microsecond=0)
    for seconds, expected in ((30, []), (90, [held.id])):
        database.conversations.update_one({}, {"$set": {"lease_until": ended - timedelta(seconds=seconds)}})
        assert [case.id for case in await found(store_, Trouble.HELD)] == expected


@pytest.mark.parametrize(("minutes", "cases"), [(9, 0), (11, 1)])
async def test_a_schedule_is_overdue_ten_minutes_after_its_time(store_: MongoStore, minutes: int, cases: int) -> None:
    due = datetime.now(UTC) - timedelta(minutes=minutes)
    await at_rest(store_, status=Status.BACKGROUND, next_run=due.isoformat())
    assert len(await found(store_, Trouble.OVERDUE)) == cases


async def test_a_schedule_whose_run_is_under_way_is_not_overdue(store_: MongoStore) -> None:
    due = datetime.now(UTC) - timedelta(hours=1)
    await at_rest(store_, status=Status.BACKGROUND, next_run=due.isoformat(), planned=1)
    assert await found(store_, Trouble.OVERDUE) == []


async def test_a_schedule_whose_last_runs_failed_is_found_with_their_number(store_: MongoStore) -> None:
    plan = Schedule(kind=ScheduleKind.SCHEDULED, zone="UTC", run_at="2030-01-01T00:00:00+00:00")
    failing = await at_rest(store_, schedule=plan, failures=2)
    [case] = await found(store_, Trouble.FAILING)
    assert (case.id, case.count) == (failing.id, 2)


async def test_a_thread_that_cannot_be_written_in_is_found_until_it_is_put_away(store_: MongoStore) -> None:
    closed = await at_rest(store_, unsaid=(FinishReply(id="r:0", reply=1), ShowCard(id="r:1", card=2)))
    await at_rest(store_, 2, unsaid=(FinishReply(id="r:0", reply=1),), status=Status.ARCHIVED)
    [case] = await found(store_, Trouble.UNSAID)
    assert (case.id, case.count) == (closed.id, 2)


async def test_effects_are_stuck_where_no_row_is_open_and_nobody_works(store_: MongoStore) -> None:
    stuck = await at_rest(store_, effects=(PENDING,), newest=ts(1))
    [case] = await found(store_, Trouble.UNPERFORMED)
    assert (case.id, case.thread, case.count) == (stuck.id, thread(), 1)
    await store_.inbox.take_in(posted(2, thread()))
    assert await found(store_, Trouble.UNPERFORMED) == []
    await claim(store_)
    await store_.inbox.close_rows([posted(2, thread()).receipt])
    assert await found(store_, Trouble.UNPERFORMED) == []


async def test_effects_that_came_lately_are_not_stuck(store_: MongoStore) -> None:
    await at_rest(store_, effects=(PENDING,), newest=lately())
    assert await found(store_, Trouble.UNPERFORMED) == []


async def test_what_cannot_be_opened_is_found_and_keeps_nothing_else_from_being_found(
    store_: MongoStore, database: Documents
) -> None:
    broken, stuck = await at_rest(store_), await at_rest(store_, 2, effects=(PENDING,), newest=ts(2))
    database.conversations.update_one({"_id": broken.id}, {"$set": {"sealed": bytes(40)}})
    assert [case.id for case in await found(store_, Trouble.CONVERSATION_UNREADABLE)] == [broken.id]
    assert [case.id for case in await found(store_, Trouble.UNPERFORMED)] == [stuck.id]


async def test_keys_of_another_master_key_are_found_with_what_they_keep_shut(
    store_: MongoStore, database: Documents, mongo_uri: str, master_key: str
) -> None:
    shut = await at_rest(store_)
    [key] = database["keys"].find({"_id": f"conversation:{shut.id}"})
    database["keys"].update_one({"_id": key["_id"]}, {"$set": {"sealed": bytes(80)}})
    other = await open_store(mongo_uri, database.name, wrapping(master_key), ManualClock())
    assert [case.id for case in await found(other, Trouble.KEY_UNREADABLE)] == [f"conversation:{shut.id}"]
    assert [case.id for case in await found(other, Trouble.CONVERSATION_UNREADABLE)] == [shut.id]
    other.close()


async def test_a_version_that_was_changed_is_found_and_one_that_was_erased_with_its_step_is_not(
    store_: MongoStore, database: Documents, mongo_uri: str, master_key: str
) -> None:
    for number in (1, 2, 3):
        step = await at_rest(store_, number)
        await store_.versions.keep(step, version("objectives", 1))
    changed, gone, _ = [each["_id"] for each in database.extractions.find()]
    database.extractions.update_one({"_id": changed}, {"$set": {"hmac": bytes(32)}})
    database["keys"].delete_one({"_id": f"conversation:{gone.partition(':')[0]}"})
    other = await open_store(mongo_uri, database.name, wrapping(master_key), ManualClock())
    cases = await found(other, Trouble.VERSION_UNREADABLE)
    other.close()
    assert [(case.id, case.since) for case in cases] == [(changed, APPROVED_AT)]


async def test_a_case_tells_nothing_that_anybody_wrote(store_: MongoStore) -> None:
    await at_rest(store_, 1, title="Lyon", effects=(PENDING,), newest=ts(1))
    await store_.inbox.take_in(posted(2, opens=True, text="Lyon"))
    await store_.inbox.park([posted(2).receipt])
    cases = await store_.diagnosis.cases()
    assert len(cases) == 2
    assert "Lyon" not in repr(cases)


# --- helped


async def test_a_parked_row_that_is_tried_again_is_work_as_if_it_had_never_failed(
    store_: MongoStore, database: Documents
) -> None:
    await store_.inbox.take_in(posted(1, opens=True))
    for _ in range(3):
        await store_.inbox.count_failure(thread(), 3_600)
    await store_.inbox.park([posted(1).receipt])
    assert await store_.remedies.retry_parked(posted(1).receipt)
    assert (await claim(store_)).thread == thread()
    [row] = await store_.inbox.open_rows(thread())
    assert (row.event, row.attempts) == (posted(1, opens=True), 0)


async def test_a_row_that_was_told_as_given_up_is_not_closed_unread_when_it_is_tried_again(
    store_: MongoStore, database: Documents
) -> None:
    receipt, other = posted(1).receipt, posted(2, thread()).receipt
    held = await claimed(store_)
    given_up = await saved(store_, replace(held, applied=(receipt, other)), said(1, "kept"), audit=(happened("a"),))
    await store_.inbox.park([receipt])
    await store_.conversations.release(given_up)
    assert await store_.remedies.retry_parked(receipt)
    now = await claim(store_)
    assert (now.applied, now.head) == ((other,), 1)
    assert await store_.conversations.row(now, 1) == said(1, "kept")
    document = database.conversations.find_one()
    assert document
    assert document["fence"] == now.fence == held.fence + 2


async def test_a_row_that_was_given_up_long_ago_is_not_taken_for_one_that_was_put_back(store_: MongoStore) -> None:
    receipt = posted(1).receipt
    held = await claimed(store_)
    await store_.inbox.park([receipt])
    later = replace(held, applied=(receipt,)).keep_applied([])
    await store_.conversations.release(await saved(store_, later, said(1)))
    assert await store_.remedies.retry_parked(receipt)
    assert not (await claim(store_)).has_closed(receipt)


async def test_a_row_of_a_conversation_that_is_worked_on_is_left_parked(store_: MongoStore) -> None:
    held = await claimed(store_)
    await store_.inbox.park([posted(1).receipt])
    assert not await store_.remedies.retry_parked(posted(1).receipt)
    assert await store_.inbox.queue("T1") == Queue(parked=1)
    assert await store_.conversations.renew(held, NEVER)


async def test_what_is_not_parked_any_more_is_not_tried_again(store_: MongoStore) -> None:
    kept = await at_rest(store_)
    assert not await store_.remedies.retry_parked(posted(1).receipt)
    assert not await store_.remedies.retry_parked("unknown")
    assert not await store_.remedies.retry_waiting(posted(1).receipt)
    assert await store_.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    assert (await store_.conversations.find(thread())) == kept


async def test_a_row_that_waits_for_its_next_attempt_can_have_it_now(store_: MongoStore) -> None:
    await store_.inbox.take_in(posted(1, opens=True))
    await store_.inbox.count_failure(thread(), 3_600)
    assert await store_.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    assert await store_.remedies.retry_waiting(posted(1).receipt)
    await claim(store_)
    [row] = await store_.inbox.open_rows(thread())
    assert row.attempts == 0


async def test_a_lease_is_released_only_when_its_time_is_over_and_its_trail_arrives(
    store_: MongoStore, database: Documents
) -> None:
    held = await saved(store_, await claimed(store_), said(1), audit=(happened("kept"),))
    assert not await store_.remedies.release(held.id)
    database.conversations.update_one({}, {"$set": {"lease_until": datetime.now(UTC) - timedelta(minutes=2)}})
    assert await store_.remedies.release(held.id)
    assert [event["_id"] for event in database.audit_events.find()] == [f"{held.id}:1:0"]
    assert not await store_.remedies.release(held.id)
    assert await found(store_, Trouble.HELD) == []
    assert (await claim(store_)).id == held.id


async def test_a_conversation_that_cannot_be_opened_is_let_go_again_when_its_row_is_to_be_tried(
    store_: MongoStore, database: Documents
) -> None:
    kept = await saved(store_, await claimed(store_), said(1))
    await store_.inbox.park([posted(1).receipt])
    await store_.conversations.release(kept)
    database.conversations.update_one({}, {"$set": {"sealed": bytes(40)}})
    with pytest.raises(SealBroken):
        await store_.remedies.retry_parked(posted(1).receipt)
    document = database.conversations.find_one()
    assert document
    assert "holder" not in document
    assert await store_.inbox.queue("T1") == Queue(parked=1)


async def test_whoever_held_the_conversation_before_has_lost_it(store_: MongoStore) -> None:
    held = await claimed(store_, seconds=0)
    await store_.inbox.park([posted(1).receipt])
    assert await store_.remedies.retry_parked(posted(1).receipt)
    with pytest.raises(LostConversation):
        await store_.conversations.save(Transition(conversation=held))
