"""The contract of people's rules: one for each thing that was decided, their own alone, and none that can be read."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any

import bson
import pytest
from pymongo.errors import DuplicateKeyError, WriteError
from structlog.testing import capture_logs

from app.ports.store import Store
from store.crypto.cipher import MasterKeys
from store.mongo.permission_rules import filter_by_person
from store.open import open_store
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import ERASED, claimed
from tests.contract.store.rules import rule
from tests.contract.store.watched import Watching, once
from tests.mongo import Documents
from tests.wrapped import wrapping


async def test_a_rule_comes_back_whole(store: Store) -> None:
    await store.permissions.keep(rule())
    assert await store.permissions.list("T1", "U1") == (rule(),)


async def test_rules_come_by_tool_and_scope_in_whatever_order_they_were_kept(store: Store) -> None:
    ordered = [rule(tool=tool, scope=scope) for tool in ("fetch", "post_message") for scope in ("a", "b", "c")]
    for each in (ordered[number] for number in (4, 1, 5, 0, 3, 2)):
        await store.permissions.keep(each)
    assert await store.permissions.list("T1", "U1") == tuple(ordered)


async def test_who_decides_again_has_one_rule_and_it_is_the_new_one(store: Store) -> None:
    never = rule(allows=False, at="2026-03-02T09:00:00+00:00", label="post in #night-shift, again")
    for each in (rule(), never):
        await store.permissions.keep(each)
    assert await store.permissions.list("T1", "U1") == (never,)


@pytest.mark.req("SE-05")
@pytest.mark.parametrize("allows", [False, True], ids=["never", "always"])
async def test_an_older_decision_that_comes_late_does_not_take_the_place_of_a_newer_one(
    store: Store, allows: bool
) -> None:
    newer = rule(allows=allows, at="2026-03-01T09:00:01+00:00")
    for each in (newer, rule(allows=not allows)):
        await store.permissions.keep(each)
    assert await store.permissions.list("T1", "U1") == (newer,)


async def test_of_decisions_about_the_same_at_once_one_stays_and_it_is_whole(store: Store) -> None:
    made = [rule(label=f"by {number}", allows=number % 2 == 0) for number in range(20)]
    await asyncio.gather(*map(store.permissions.keep, made))
    [left] = await store.permissions.list("T1", "U1")
    assert left in made


@pytest.mark.parametrize(
    "about", [{"user": "U2"}, {"team": "T2"}, {"tool": "post"}, {"scope": "#night"}, {"scope": ""}], ids=str
)
async def test_a_rule_about_anything_else_is_another_one_and_stays_when_this_one_is_revoked(
    store: Store, about: dict[str, str]
) -> None:
    other = rule(**about)
    for each in (rule(), other):
        await store.permissions.keep(each)
    assert await store.permissions.revoke("T1", "U1", rule().tool, rule().scope)
    assert await store.permissions.list(other.team, other.user) == (other,)


@pytest.mark.req("SE-05")
@pytest.mark.parametrize(("allows", "stays"), [(True, False), (False, True)], ids=["always", "never"])
async def test_an_always_that_may_have_been_stored_before_does_not_come_back_after_it_was_revoked(
    store: Store, allows: bool, stays: bool
) -> None:
    decided = rule(allows=allows)
    for _ in range(2):
        await store.permissions.keep(decided, unsure=True)
    assert await store.permissions.list("T1", "U1") == (decided,)
    await store.permissions.revoke("T1", "U1", decided.tool, decided.scope)
    await store.permissions.keep(decided, unsure=True)
    assert await store.permissions.list("T1", "U1") == ((decided,) if stays else ())
    await store.permissions.keep(decided)
    assert await store.permissions.list("T1", "U1") == (decided,), "it can be decided anew"


@pytest.mark.parametrize(("team", "user"), [("T1", "U2"), ("T2", "U1"), ("T1", "U"), ("T1:U1", "U1")])
async def test_nobody_is_given_the_rules_of_somebody_else(store: Store, team: str, user: str) -> None:
    await store.permissions.keep(rule())
    assert await store.permissions.list(team, user) == ()
    assert not await store.permissions.revoke(team, user, rule().tool, rule().scope)
    assert await store.permissions.list("T1", "U1") == (rule(),)


async def test_what_is_revoked_is_gone_and_can_be_decided_anew(store: Store) -> None:
    await store.permissions.keep(rule())
    assert await store.permissions.revoke("T1", "U1", rule().tool, rule().scope)
    assert await store.permissions.list("T1", "U1") == ()
    assert not await store.permissions.revoke("T1", "U1", rule().tool, rule().scope)
    await store.permissions.keep(rule(allows=False))
    assert await store.permissions.list("T1", "U1") == (rule(allows=False),)


async def test_all_rules_of_one_person_are_revoked_at_once_and_nobody_elses(store: Store) -> None:
    others = (rule(user="U2"), rule(team="T2"))
    for each in (rule(), rule(scope="#ops", allows=False), *others):
        await store.permissions.keep(each)
    assert await store.permissions.revoke_all("T1", "U1") == 2
    assert await store.permissions.list("T1", "U1") == ()
    assert [await store.permissions.list(each.team, each.user) for each in others] == [(each,) for each in others]
    assert await store.permissions.revoke_all("T1", "U1") == 0
    await store.permissions.keep(rule(), unsure=True)
    assert await store.permissions.list("T1", "U1") == (), "it may have been stored before"


async def test_where_nobody_has_decided_anything_there_is_nothing_to_revoke(store: Store) -> None:
    assert await store.permissions.list("T1", "U1") == ()
    assert not await store.permissions.revoke("T1", "U1", rule().tool, rule().scope)


async def test_rules_stay_when_a_conversation_is_erased(store: Store) -> None:
    await store.permissions.keep(rule())
    await store.conversations.erase(await claimed(store), ERASED)
    assert await store.permissions.list("T1", "U1") == (rule(),)


# --- what MongoDB alone must do for it


async def reopened(database: Documents, uri: str, master_keys: str) -> Store:
    """The store as another process opens it."""
    return await open_store(uri, database.name, wrapping(master_keys), ManualClock())


async def test_another_process_finds_the_rules_and_what_it_revokes_is_gone_for_all(
    mongo_store: Store, database: Documents, mongo_uri: str, master_key: str
) -> None:
    await mongo_store.permissions.keep(rule())
    other = await reopened(database, mongo_uri, master_key)
    assert await other.permissions.list("T1", "U1") == (rule(),)
    assert await other.permissions.revoke("T1", "U1", rule().tool, rule().scope)
    other.close()
    assert await mongo_store.permissions.list("T1", "U1") == ()


async def test_who_is_overtaken_by_the_same_decision_counts_as_the_earlier(
    mongo_store: Store, watching: Watching
) -> None:
    await mongo_store.permissions.keep(rule(scope="any other"))

    async def overtake() -> None:
        await mongo_store.permissions.keep(rule(allows=False))
        raise DuplicateKeyError("E11000: what MongoDB says to an upsert that another one overtook")

    await watching(once("permissions.replace_one", overtake)).permissions.keep(rule())
    assert rule(allows=False) in await mongo_store.permissions.list("T1", "U1")


async def test_processes_that_decide_first_at_once_seal_with_the_same_key(
    mongo_store: Store, database: Documents, mongo_uri: str, master_key: str
) -> None:
    other = await reopened(database, mongo_uri, master_key)
    made = [rule(scope=f"C{number}") for number in range(10)]
    stores = (mongo_store, other)
    await asyncio.gather(*(stores[number % 2].permissions.keep(each) for number, each in enumerate(made)))
    for each in stores:
        assert await each.permissions.list("T1", "U1") == tuple(made)
    other.close()


async def test_rules_are_read_and_revoked_after_the_master_key_was_replaced(
    mongo_store: Store, database: Documents, mongo_uri: str, master_key: str
) -> None:
    await mongo_store.permissions.keep(rule())
    new = MasterKeys.generate()
    between = await reopened(database, mongo_uri, f"{new},{master_key}")
    await between.upkeep.rotate_keys()
    between.close()
    after = await reopened(database, mongo_uri, new)
    await after.permissions.keep(rule(allows=False))
    assert await after.permissions.list("T1", "U1") == (rule(allows=False),)
    assert await after.permissions.revoke("T1", "U1", rule().tool, rule().scope)
    after.close()


async def test_of_a_rule_nothing_stands_open_but_whose_it_is_what_tool_may_or_not_and_since_when(
    mongo_store: Store, database: Documents
) -> None:
    await mongo_store.permissions.keep(rule())
    [document] = database.permissions.find()
    assert b"night" not in bson.encode(document)
    del document["sealed"]
    id_ = document.pop("_id")
    assert document == {
        "team": "T1",
        "user": "U1",
        "schema_version": 1,
        "tool": "post_message",
        "allows": True,
        "at": datetime.fromisoformat("2026-03-01T09:00:00.123"),
    }
    assert id_.startswith("T1:U1:")
    assert len(id_) == len("T1:U1:") + 64


async def test_who_reads_the_database_cannot_tell_that_two_people_decided_about_the_same(
    mongo_store: Store, database: Documents
) -> None:
    for user in ("U1", "U2"):
        await mongo_store.permissions.keep(rule(user=user))
    digests = {document["_id"].rpartition(":")[2] for document in database.permissions.find()}
    assert len(digests) == 2


async def test_a_rule_that_was_forged_or_moved_is_reported_once_and_permits_nothing(
    mongo_store: Store, database: Documents
) -> None:
    await mongo_store.permissions.keep(rule())
    await mongo_store.permissions.keep(rule(user="U2", scope="#public"))
    hers = database.permissions.find_one({"user": "U2"}) or {}
    database.permissions.update_one({"user": "U1"}, {"$set": {"sealed": hers["sealed"]}})
    id_ = (database.permissions.find_one({"user": "U1"}) or {})["_id"]
    with capture_logs() as lines:
        for _ in range(2):
            assert await mongo_store.permissions.list("T1", "U1") == ()
    assert [(line["event"], line["reference"]) for line in lines] == [("rule_unreadable", id_)]
    assert await mongo_store.permissions.list("T1", "U2") == (rule(user="U2", scope="#public"),)


async def test_a_never_that_is_changed_to_an_always_from_outside_permits_nothing(
    mongo_store: Store, database: Documents
) -> None:
    await mongo_store.permissions.keep(rule(allows=False))
    database.permissions.update_one({}, {"$set": {"allows": True}})
    assert await mongo_store.permissions.list("T1", "U1") == ()


async def test_a_tool_whose_name_has_words_is_refused(mongo_store: Store) -> None:
    with pytest.raises(WriteError, match="failed validation"):
        await mongo_store.permissions.keep(rule(tool="our private plans"))


async def test_rules_are_read_by_an_index(mongo_store: Store, database: Documents) -> None:
    await mongo_store.permissions.keep(rule())
    read: dict[str, Any] = {"find": "permissions", "filter": filter_by_person("T1", "U1")}
    plan = str(database.command("explain", read, verbosity="queryPlanner")["queryPlanner"]["winningPlan"])
    assert "'indexName': 'of_person'" in plan
