"""Who writes to the database without keys forges no approved result, no permission rule and no key."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from structlog.testing import capture_logs

from app.core.errors import StoreUnavailable
from app.ports.store import Store
from store.admin.diagnosis import Trouble
from store.open import MongoStore
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import thread, ts
from tests.contract.store.forging import SOMETIME, Document, Documents, at_rest, document_of, refused, with_work
from tests.contract.store.rules import rule
from tests.contract.store.versions import DECISION, version
from tests.contract.store.watched import Watching, dying_after

# --- approved results


@pytest.mark.req("SE-14")
@pytest.mark.parametrize(
    "change",
    [
        {"conversation": "other"},
        {"decision": {"channel": "C1", "root": ts(901)}},
        {"component": "alternatives"},
        {"number": 9},
        {"approved_at": SOMETIME},
        {"approved_by": "U9"},
        {"hmac": bytes(32)},
        {"team": "T2"},
    ],
    ids=str,
)
async def test_a_version_of_which_an_open_field_is_changed_is_left_out(
    mongo_store: Store, database: Documents, change: Document
) -> None:
    mine, other = await at_rest(mongo_store, 1), await at_rest(mongo_store, 2)
    for each in (version("objectives", 1), version("objectives", 2)):
        await mongo_store.versions.keep(mine, each)
    if "conversation" in change:
        change = {"conversation": other.id}
    database.extractions.update_one({"number": 1}, {"$set": change})
    with capture_logs() as lines:
        found = [
            each
            for decision in (DECISION, thread(901), replace(DECISION, team="T2"))
            for each in await mongo_store.versions.list(decision)
        ]
    assert found == [version("objectives", 2)]
    assert [(line["event"], line["reference"]) for line in lines] == [("version_unreadable", f"{mine.id}:1")]


@pytest.mark.req("SE-14", "SE-19")
async def test_versions_that_are_swapped_are_left_out(mongo_store: Store, database: Documents) -> None:
    step = await at_rest(mongo_store, 1)
    for number in (1, 2, 3):
        await mongo_store.versions.keep(step, version("objectives", number))
    first, second = (document_of(database, "extractions", number=number) for number in (1, 2))
    fields = ("sealed", "hmac", "number", "approved_at")
    for mine, other in ((first, second), (second, first)):
        swapped = {field: other[field] for field in fields}
        database.extractions.update_one({"_id": mine["_id"]}, {"$set": swapped})
    with capture_logs() as lines:
        assert await mongo_store.versions.list(DECISION) == (version("objectives", 3),)
    assert [line["event"] for line in lines] == ["version_unreadable"] * 2


@pytest.mark.req("SE-14")
async def test_what_a_version_was_before_words_were_taken_out_of_it_cannot_be_put_back(
    mongo_store: Store, database: Documents
) -> None:
    mine = await at_rest(mongo_store, 1)
    for each in (version("objectives", 1), version("objectives", 2)):
        await mongo_store.versions.keep(mine, each)
    befores: list[Document] = []
    for quote in ("(deleted)", "(deleted, too)"):
        befores.append(document_of(database, "extractions", number=1))
        await mongo_store.versions.amend(mine, version("objectives", 1, data={"quote": quote}))
    newest = document_of(database, "extractions", number=1)
    for before in befores:
        database.extractions.replace_one({"number": 1}, before)
        assert await mongo_store.versions.list(DECISION) == (version("objectives", 2),)
    cases = await cast("MongoStore", mongo_store).diagnosis.cases()
    assert [(each.trouble, each.id) for each in cases] == [(Trouble.VERSION_UNREADABLE, f"{mine.id}:1")]
    database.extractions.replace_one({"number": 1}, newest)
    assert len(await mongo_store.versions.list(DECISION)) == 2


# --- rules


@pytest.mark.req("SE-14")
@pytest.mark.parametrize(
    "change", [{"user": "U9"}, {"tool": "fetch"}, {"allows": False}, {"at": SOMETIME}, {"team": "T2"}], ids=str
)
async def test_a_rule_of_which_an_open_field_is_changed_permits_nothing_to_anybody(
    mongo_store: Store, database: Documents, change: Document
) -> None:
    await mongo_store.permissions.keep(rule())
    forged = document_of(database, "permissions")["_id"]
    await mongo_store.permissions.keep(rule(scope="#public"))
    database.permissions.update_one({"_id": forged}, {"$set": change})
    with capture_logs() as lines:
        found = [await mongo_store.permissions.list(team, user) for team in ("T1", "T2") for user in ("U1", "U9")]
    assert [rule for rules in found for rule in rules] == [rule(scope="#public")]
    assert [(line["event"], line["reference"]) for line in lines] == [("rule_unreadable", forged)]


@pytest.mark.req("SE-14")
async def test_a_rule_that_is_relabelled_to_somebody_else_in_every_way_counts_as_none(
    mongo_store: Store, database: Documents
) -> None:
    await mongo_store.permissions.keep(rule())
    await mongo_store.permissions.keep(rule(user="U2", scope="#public"))
    mine, hers = (document_of(database, "permissions", user=user) for user in ("U1", "U2"))
    copy = {**mine, "_id": f"{hers['_id'][:-8]}deadbeef", "user": "U2"}
    database.permissions.insert_one(copy)
    database.permissions.update_one({"_id": hers["_id"]}, {"$set": {"sealed": mine["sealed"]}})
    with capture_logs() as lines:
        assert await mongo_store.permissions.list("T1", "U2") == ()
    assert {line["reference"] for line in lines} == {copy["_id"], hers["_id"]}
    assert await mongo_store.permissions.list("T1", "U1") == (rule(),)
    await mongo_store.permissions.keep(rule(user="U2", scope="#public"))
    assert await mongo_store.permissions.list("T1", "U2") == (rule(user="U2", scope="#public"),)


@pytest.mark.req("SE-14")
async def test_a_rule_that_was_replaced_or_revoked_cannot_be_put_back(mongo_store: Store, database: Documents) -> None:
    await mongo_store.permissions.keep(rule())
    first = document_of(database, "permissions")
    await mongo_store.permissions.keep(rule(scope="#public"))
    await mongo_store.permissions.keep(rule(allows=False))
    database.permissions.replace_one({"_id": first["_id"]}, first)
    with capture_logs() as lines:
        assert await mongo_store.permissions.list("T1", "U1") == (rule(scope="#public"),)
    assert [(line["event"], line["error"]) for line in lines] == [("rule_unreadable", "PutBack")]
    await mongo_store.permissions.keep(rule())
    second = document_of(database, "permissions", _id=first["_id"])
    assert await mongo_store.permissions.revoke("T1", "U1", rule().tool, rule().scope)
    for former in (first, second):
        database.permissions.insert_one(former)
        assert await mongo_store.permissions.list("T1", "U1") == (rule(scope="#public"),)
        database.permissions.delete_one({"_id": first["_id"]})
    await mongo_store.permissions.keep(rule())
    assert len(await mongo_store.permissions.list("T1", "U1")) == 2


@pytest.mark.req("SE-14")
async def test_who_dies_while_a_rule_is_revoked_leaves_none_that_counts(
    mongo_store: Store, watching: Watching, database: Documents
) -> None:
    await mongo_store.permissions.keep(rule())
    with pytest.raises(StoreUnavailable):
        await watching(dying_after(1)).permissions.revoke("T1", "U1", rule().tool, rule().scope)
    assert database.permissions.count_documents({}) == 1
    assert await mongo_store.permissions.list("T1", "U1") == ()
    assert await mongo_store.permissions.revoke("T1", "U1", rule().tool, rule().scope)


@pytest.mark.req("SE-14")
async def test_who_dies_while_a_rule_is_kept_leaves_one_that_counts_and_can_be_replaced(
    mongo_store: Store, watching: Watching, database: Documents
) -> None:
    await mongo_store.permissions.keep(rule())
    with pytest.raises(StoreUnavailable):
        await watching(dying_after(1)).permissions.keep(rule(allows=False))
    assert await mongo_store.permissions.list("T1", "U1") == (rule(allows=False),)
    await mongo_store.permissions.keep(rule())
    assert await mongo_store.permissions.list("T1", "U1") == (rule(),)


# --- keys


async def test_keys_that_are_swapped_open_nothing_and_keep_nobody_else_waiting(
    mongo_store: Store, database: Documents, clock: ManualClock
) -> None:
    ones = [await with_work(mongo_store, number) for number in (1, 2)]
    first, second = (document_of(database, "keys", _id=f"conversation:{each.id}") for each in ones)
    for mine, other in ((first, second), (second, first)):
        database["keys"].update_one({"_id": mine["_id"]}, {"$set": {"sealed": other["sealed"]}})
    clock.advance(60)
    await refused(mongo_store, ones[0])
