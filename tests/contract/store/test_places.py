"""The contract of places: what is done once is done once."""

from __future__ import annotations

import asyncio

import pytest
from pymongo.errors import WriteError

from app.ports.store import Store
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import ERASED, claimed
from tests.mongo import Documents


async def test_of_all_who_come_to_a_place_at_once_exactly_one_is_first(store: Store) -> None:
    came = await asyncio.gather(*(store.places.note_once("T1", "channel:C1") for _ in range(20)))
    assert sorted(came) == [False] * 19 + [True]
    assert not await store.places.note_once("T1", "channel:C1"), "it was forgotten"


async def test_a_place_is_known_once_somebody_was_first_and_asking_does_not_make_it_so(store: Store) -> None:
    assert not await store.places.is_noted("T1", "home:U1")
    assert not await store.places.is_noted("T1", "home:U1")
    assert await store.places.note_once("T1", "home:U1")
    assert await store.places.is_noted("T1", "home:U1")


async def test_places_and_teams_are_told_apart(store: Store) -> None:
    assert await store.places.note_once("T1", "home:U1")
    for team, place in (("T2", "home:U1"), ("T1", "home:U2"), ("T1", "messages:U1")):
        assert not await store.places.is_noted(team, place)
        assert await store.places.note_once(team, place)


async def test_a_place_is_still_known_after_a_conversation_was_erased(store: Store) -> None:
    await store.places.note_once("T1", "messages:U1")
    await store.conversations.erase(await claimed(store), ERASED)
    assert await store.places.is_noted("T1", "messages:U1")


async def test_a_place_keeps_when_it_was_and_takes_no_name_with_words(
    mongo_store: Store, database: Documents, clock: ManualClock
) -> None:
    clock.advance(5)
    await mongo_store.places.note_once("T1", "channel:C1")
    with pytest.raises(WriteError, match="failed validation"):
        await mongo_store.places.note_once("T1", "our private plans")
    [place] = database.places.find()
    assert place == {"_id": "T1:channel:C1", "team": "T1", "schema_version": 1, "at": clock.now().replace(tzinfo=None)}
