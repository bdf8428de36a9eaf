"""The contract of approved results: kept once, given whole and in order, and to nobody who looks at the database."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import pytest
from pydantic import TypeAdapter
from structlog.testing import capture_logs

from app.core.errors import LostConversation
from app.core.state.decision import Version
from app.core.thread import ThreadKey
from app.ports.store import Store
from store.crypto.cipher import build_associated_data
from store.crypto.codec import VERSIONS
from store.mongo.versions import IN_ORDER, filter_by_decision
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import ERASED, claimed, thread
from tests.contract.store.former import aware
from tests.contract.store.keyring import key_of
from tests.contract.store.versions import DECISION, version
from tests.contract.store.watched import Watching, noting, once
from tests.mongo import Documents


async def kept(store: Store, *versions: Version, number: int = 1) -> str:
    """Keep versions of the n-th thread's step and return the id of its conversation."""
    conversation = await claimed(store, number)
    for each in versions:
        await store.versions.keep(conversation, each)
    return conversation.id


@pytest.mark.req("S0-040", "M-007")
async def test_a_version_comes_back_whole_with_its_component_and_when_it_was_extracted(store: Store) -> None:
    await kept(store, version("objectives", 1))
    [found] = await store.versions.list(DECISION)
    assert found == version("objectives", 1)
    assert (found.component, found.extracted_at) == ("objectives", "2026-03-01T09:01:00.123456+00:00")


async def test_of_a_number_the_version_that_was_kept_first_stays(store: Store) -> None:
    first, again = version("objectives", 1), version("objectives", 1, data={"other": True})
    await kept(store, first, again)
    assert await store.versions.list(DECISION) == (first,)


async def test_a_version_is_amended_in_its_place_and_none_is_made_by_that(store: Store) -> None:
    first, second, other = (version("objectives", number) for number in (1, 2, 3))
    amended = version("objectives", 1, data={"quote": "(deleted)"})
    conversation = await claimed(store)
    for each in (first, second):
        await store.versions.keep(conversation, each)
    for each in (amended, other):
        await store.versions.amend(conversation, each)
    assert await store.versions.list(DECISION) == (amended, second)


async def test_of_an_erased_step_nothing_is_amended(store: Store) -> None:
    conversation = await claimed(store)
    await store.versions.keep(conversation, version("objectives", 1))
    await store.conversations.erase(conversation, ERASED)
    with pytest.raises(LostConversation):
        await store.versions.amend(conversation, version("objectives", 1))
    assert await store.versions.list(DECISION) == ()


async def test_versions_come_by_component_and_number_in_whatever_order_they_were_kept(store: Store) -> None:
    await kept(store, version("objectives", 10), version("objectives", 9), version("objectives", 1), number=1)
    await kept(store, version("alternatives", 2), version("alternatives", 1), number=2)
    found = [(each.component, each.number) for each in await store.versions.list(DECISION)]
    assert found == [("alternatives", 1), ("alternatives", 2), ("objectives", 1), ("objectives", 9), ("objectives", 10)]


async def test_each_step_has_numbers_of_its_own(store: Store) -> None:
    mine, other = version("objectives", 1), version("alternatives", 1)
    await kept(store, mine, number=1)
    await kept(store, other, number=2)
    assert await store.versions.list(DECISION) == (other, mine)


@pytest.mark.parametrize(
    "elsewhere",
    [
        thread(901),
        ThreadKey(team="T1", channel="C2", root=DECISION.root),
        ThreadKey(team="T2", channel="C1", root=DECISION.root),
    ],
    ids=["thread", "channel", "team"],
)
async def test_the_versions_of_other_decisions_are_not_given(store: Store, elsewhere: ThreadKey) -> None:
    await kept(store, version("objectives", 1))
    assert await store.versions.list(elsewhere) == ()
    assert await store.versions.list(DECISION) != ()


# --- what MongoDB alone must do for it


@pytest.mark.req("S0-012")
async def test_of_a_version_nothing_stands_open_but_whose_and_which_it_is_and_who_approved_it_when(
    mongo_store: Store, database: Documents
) -> None:
    id_ = await kept(mongo_store, version("objectives", 1))
    [document] = database.extractions.find()
    sealed, hmac = document.pop("sealed"), document.pop("hmac")
    assert document == {
        "_id": f"{id_}:1",
        "team": "T1",
        "schema_version": 1,
        "conversation": id_,
        "decision": {"channel": "C1", "root": DECISION.root},
        "component": "objectives",
        "number": 1,
        "approved_at": datetime(2026, 3, 1, 10, 1, 0, 654000, tzinfo=UTC).replace(tzinfo=None),
        "approved_by": "U1",
    }
    assert b"night shift" not in sealed
    assert len(hmac) == 32


async def test_who_can_guess_the_content_of_a_version_still_cannot_tell_it_by_its_hmac(
    mongo_store: Store, database: Documents, master_key: str
) -> None:
    same = version("objectives", 1)
    ids = [await kept(mongo_store, same, number=1), await kept(mongo_store, same, number=2)]
    hmacs = {document["conversation"]: document["hmac"] for document in database.extractions.find()}
    assert hmacs[ids[0]] != hmacs[ids[1]]
    plain = TypeAdapter(Version).dump_json(same)
    assert key_of(database, ids[0], master_key).digest(plain) == hmacs[ids[0]], "this is not the content"
    assert sha256(plain).digest() not in hmacs.values()


async def test_a_version_that_was_changed_is_reported_once_and_left_out_whoever_changed_it(
    mongo_store: Store, database: Documents, master_key: str
) -> None:
    id_ = await kept(mongo_store, *(version("objectives", number) for number in (1, 2, 3, 4)))
    second = database.extractions.find_one({"number": 2}) or {}
    plain = TypeAdapter(Version).dump_json(version("objectives", 3, data={"by": "somebody with the key"}))
    forged = key_of(database, id_, master_key).seal(plain, build_associated_data("extractions", f"{id_}:3", "sealed"))
    for number, change in ((1, {"sealed": second["sealed"]}), (3, {"sealed": forged}), (4, {"hmac": bytes(32)})):
        database.extractions.update_one({"number": number}, {"$set": change})
    with capture_logs() as lines:
        for _ in range(2):
            assert await mongo_store.versions.list(DECISION) == (version("objectives", 2),)
    assert [(line["event"], line["reference"]) for line in lines] == [
        ("version_unreadable", f"{id_}:{number}") for number in (1, 3, 4)
    ]


@pytest.mark.parametrize(
    ("act", "place"),
    [
        ("keep", "extractions.insert_one"),
        ("keep", "conversations.find_one"),
        ("amend", "extractions.update_one"),
        ("amend", "conversations.find_one"),
    ],
)
async def test_a_version_that_is_kept_or_amended_while_its_conversation_is_erased_leaves_nothing(
    mongo_store: Store, database: Documents, watching: Watching, act: str, place: str
) -> None:
    held = await claimed(mongo_store)
    late = watching(once(place, lambda: mongo_store.conversations.erase(held, ERASED)))
    await mongo_store.versions.keep(held, version("objectives", 1))
    assert await late.versions.list(DECISION), "it has the key and may use it for a minute"
    with pytest.raises(LostConversation):
        await getattr(late.versions, act)(held, version("objectives", 2 if act == "keep" else 1))
    for name in ("extractions", "marks"):
        assert database[name].count_documents({}) == 0
    assert database["keys"].count_documents({"_id": f"conversation:{held.id}"}) == 0


async def test_of_a_version_that_was_amended_no_word_of_before_is_left(
    mongo_store: Store, database: Documents, master_key: str
) -> None:
    conversation = await claimed(mongo_store)
    await mongo_store.versions.keep(conversation, version("objectives", 1))
    before = (database.extractions.find_one() or {})["hmac"]
    await mongo_store.versions.amend(conversation, version("objectives", 1, data={"quote": "(deleted)"}))
    [document] = database.extractions.find()
    kept = VERSIONS.open(key_of(database, conversation.id, master_key), aware(document))
    assert kept.data == {"quote": "(deleted)"}
    assert document["hmac"] != before


async def test_versions_whose_key_is_gone_are_left_out_without_a_word(
    mongo_store: Store, database: Documents, clock: ManualClock
) -> None:
    erased = await kept(mongo_store, version("frame", 1), number=1)
    await kept(mongo_store, version("objectives", 1), number=2)
    database["keys"].delete_one({"_id": f"conversation:{erased}"})
    clock.advance(60)
    with capture_logs() as lines:
        assert await mongo_store.versions.list(DECISION) == (version("objectives", 1),)
    assert lines == []


async def test_all_versions_are_read_in_two_queries_and_in_one_when_the_keys_are_at_hand(
    mongo_store: Store, watching: Watching
) -> None:
    for number, component in enumerate(("frame", "objectives", "alternatives"), 1):
        await kept(mongo_store, *(version(component, each) for each in (1, 2)), number=number)
    queries: list[str] = []
    other = watching(noting(queries))
    await other.keys.prove()  # as a start does
    queries.clear()
    assert len(await other.versions.list(DECISION)) == 6
    assert queries == ["extractions.to_list", "keys.to_list"]
    assert len(await other.versions.list(DECISION)) == 6
    assert queries[2:] == ["extractions.to_list"]


async def test_versions_are_read_and_erased_by_an_index_and_neither_sorted_nor_scanned(
    mongo_store: Store, database: Documents
) -> None:
    await kept(mongo_store, version("objectives", 1))
    read: dict[str, Any] = {"find": "extractions", "filter": filter_by_decision(DECISION), "sort": dict(IN_ORDER)}
    erased = {"delete": "extractions", "deletes": [{"q": {"team": "T1", "conversation": "c"}, "limit": 0}]}
    for command, index in ((read, "of_decision"), (erased, "of_conversation")):
        plan = str(database.command("explain", command, verbosity="queryPlanner")["queryPlanner"]["winningPlan"])
        assert f"'indexName': '{index}'" in plan
        assert "COLLSCAN" not in plan
        assert "'stage': 'SORT'" not in plan
