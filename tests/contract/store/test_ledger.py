"""The contract of the ledger, and what MongoDB alone must do for it."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from pymongo.errors import WriteError

from app.ports import Entry, Ledger
from app.ports.store import Store
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import NEVER
from tests.memory_store import memory_store
from tests.mongo import Documents


@pytest.fixture(params=["pacing", "limits"])
def ledger(request: pytest.FixtureRequest, store: Store) -> Ledger:
    return store.pacing if request.param == "pacing" else store.limits


async def test_what_was_never_written_is_empty_and_of_version_0(ledger: Ledger) -> None:
    assert await ledger.read("T1", "chat.update") == Entry()


async def test_what_is_exchanged_is_read_back_with_a_version_more(ledger: Ledger) -> None:
    numbers = {"sent": (1770000000.25, 2.0), "nothing": (), "held message:T1:C1:17.5 $x": (0.1,), "": (1.0,)}
    assert await ledger.exchange("T1", "k", Entry(numbers=numbers), NEVER)
    assert await ledger.read("T1", "k") == Entry(numbers=numbers, version=1)


async def test_an_exchange_replaces_all_numbers_and_merges_none(ledger: Ledger) -> None:
    await ledger.exchange("T1", "k", Entry(numbers={"old": (1.0,), "both": (2.0, 3.0)}), NEVER)
    await ledger.exchange("T1", "k", Entry(numbers={"both": (4.0,)}, version=1), NEVER)
    assert await ledger.read("T1", "k") == Entry(numbers={"both": (4.0,)}, version=2)


@pytest.mark.parametrize("stale", [0, 1, 3])
async def test_an_exchange_for_another_version_changes_nothing(ledger: Ledger, stale: int) -> None:
    for version in range(2):
        assert await ledger.exchange("T1", "k", Entry(numbers={"at": (float(version),)}, version=version), NEVER)
    assert not await ledger.exchange("T1", "k", Entry(numbers={"at": (9.0,)}, version=stale), NEVER)
    assert await ledger.read("T1", "k") == Entry(numbers={"at": (1.0,)}, version=2)


async def test_what_does_not_exist_has_no_other_version_than_0(ledger: Ledger) -> None:
    assert not await ledger.exchange("T1", "k", Entry(version=1), NEVER)
    assert await ledger.read("T1", "k") == Entry()


async def test_teams_and_keys_are_told_apart(ledger: Ledger) -> None:
    for number, (team, key) in enumerate([("T1", "a"), ("T1", "b"), ("T2", "a")]):
        assert await ledger.exchange(team, key, Entry(numbers={"n": (float(number),)}), NEVER)
    assert [(await ledger.read(*at)).numbers["n"] for at in (("T1", "a"), ("T1", "b"), ("T2", "a"))] == [
        (0.0,),
        (1.0,),
        (2.0,),
    ]


async def test_whole_numbers_may_be_given_as_such(ledger: Ledger) -> None:
    assert await ledger.exchange("T1", "k", Entry(numbers={"n": (1, 2)}), NEVER)
    assert (await ledger.read("T1", "k")).numbers == {"n": (1.0, 2.0)}


async def count(ledger: Ledger, times: int) -> int:
    """Add to one number so many times, against all who do the same. Returns how many races were lost."""
    lost = 0
    for _ in range(times):
        while True:
            entry = await ledger.read("T1", "count")
            (counted,) = entry.numbers.get("n", (0.0,))
            if await ledger.exchange("T1", "count", Entry(numbers={"n": (counted + 1,)}, version=entry.version), NEVER):
                break
            lost += 1
    return lost


async def test_of_many_who_exchange_at_once_nobodys_update_is_lost(ledger: Ledger) -> None:
    await asyncio.gather(*(count(ledger, 5) for _ in range(8)))
    assert await ledger.read("T1", "count") == Entry(numbers={"n": (40.0,)}, version=40)


async def test_between_two_processes_no_update_is_lost(mongo_store: Store, other_store: Store) -> None:
    lost = await asyncio.gather(*(count(store.limits, 10) for store in (mongo_store, other_store) for _ in range(3)))
    assert sum(lost), "there was no race"
    for store in (mongo_store, other_store):
        assert await store.limits.read("T1", "count") == Entry(numbers={"n": (60.0,)}, version=60)


async def test_pacing_and_limits_are_kept_apart(mongo_store: Store, database: Documents) -> None:
    await mongo_store.pacing.exchange("T1", "k", Entry(), NEVER)
    assert await mongo_store.limits.read("T1", "k") == Entry()
    assert (database.pacing.count_documents({}), database.rate_limits.count_documents({})) == (1, 0)


@pytest.mark.parametrize("name", ["pacing", "rate_limits"])
async def test_only_numbers_can_be_stored(mongo_store: Store, database: Documents, name: str) -> None:
    for ledger in (mongo_store.pacing, mongo_store.limits):
        await ledger.exchange("T1", "k", Entry(numbers={"n": (1.0,)}), NEVER)
    for wrong in ({"numbers.n": ["text"]}, {"numbers.n": "text"}, {"numbers.n": {"a": 1.0}}, {"note": "text"}):
        with pytest.raises(WriteError):
            database[name].update_one({}, {"$set": wrong})


@pytest.mark.parametrize("name", ["pacing", "rate_limits"])
async def test_mongodb_forgets_an_entry_so_long_after_its_last_exchange(
    mongo_store: Store, database: Documents, name: str
) -> None:
    ledger = mongo_store.pacing if name == "pacing" else mongo_store.limits
    await ledger.exchange("T1", "k", Entry(), 3600)
    before = database.command("hello")["localTime"]
    await ledger.exchange("T1", "k", Entry(version=1), 7200)
    after = database.command("hello")["localTime"]
    [document] = database[name].find()
    assert before <= document["expires_at"] - timedelta(seconds=7200) <= after
    [ttl] = [index for index in database[name].list_indexes() if "expireAfterSeconds" in index]
    assert (dict(ttl["key"]), ttl["expireAfterSeconds"]) == ({"expires_at": 1}, 0)


async def test_the_twin_forgets_an_entry_so_long_after_its_last_exchange(clock: ManualClock) -> None:
    ledger = memory_store(clock).limits
    await ledger.exchange("T1", "k", Entry(), 10)
    clock.advance(9)
    await ledger.exchange("T1", "k", Entry(numbers={"n": (1.0,)}, version=1), 10)
    clock.advance(9)
    assert (await ledger.read("T1", "k")).version == 2
    clock.advance(1)
    assert await ledger.read("T1", "k") == Entry()
    assert await ledger.exchange("T1", "k", Entry(), 10)
