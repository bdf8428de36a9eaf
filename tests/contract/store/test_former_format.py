"""What was sealed before seals were bound to what stands open still opens, is sealed anew, and opens no way around."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from app.core.conversation.conversation import Conversation
from app.ports.store import Store
from store.crypto.cipher import SealBroken
from store.crypto.codec import FORMAT
from store.open import open_store
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import NEVER, claim, claimed, posted, said, saved, thread, ts
from tests.contract.store.former import FORMER_ID, aged, former_rule
from tests.contract.store.rules import rule
from tests.contract.store.versions import DECISION, version
from tests.contract.store.watched import Watching, noting
from tests.mongo import Documents
from tests.wrapped import wrapping


@pytest.fixture
async def before(mongo_store: Store, database: Documents, watching: Watching) -> Conversation:
    """A conversation at rest, with rows, a version and work, as they were stored in former times."""
    held = await saved(mongo_store, await claimed(mongo_store), said(1), said(2))
    await mongo_store.versions.keep(held, version("objectives", 1))
    await mongo_store.conversations.release(held)
    await aged(database, watching(noting([])).keys, held)
    return replace(held, id=FORMER_ID)


@pytest.mark.req("SE-14")
async def test_a_conversation_of_before_opens_and_is_sealed_anew_when_it_is_next_written(
    mongo_store: Store, database: Documents, before: Conversation
) -> None:
    assert await mongo_store.conversations.find(thread()) == before
    assert await mongo_store.versions.list(DECISION) == (version("objectives", 1),)
    now = await claim(mongo_store)
    assert [row.event for row in await mongo_store.inbox.open_rows(thread())] == [posted(1, opens=True)]
    assert await mongo_store.conversations.transcript(now, 0) == (said(1), said(2))
    now = await saved(mongo_store, now, said(2, "edited"), said(3))
    await mongo_store.versions.amend(now, version("objectives", 1))
    for name in ("conversations", "extractions"):
        assert [each["sealed"][:1] for each in database[name].find()] == [FORMAT]
    assert [each["sealed"][:1] == FORMAT for each in database.messages.find(sort=[("seq", 1)])] == [False, True, True]
    assert await mongo_store.conversations.transcript(now, 0) == (said(1), said(2, "edited"), said(3))
    assert await mongo_store.versions.list(DECISION) == (version("objectives", 1),)


@pytest.mark.req("SE-14")
@pytest.mark.parametrize("change", [{"owner": "U9"}, {"root": ts(99)}, {"head": 1}, {"version": 5}], ids=str)
async def test_what_stands_open_of_a_conversation_of_before_is_compared_with_what_is_sealed(
    mongo_store: Store, database: Documents, before: Conversation, change: dict[str, Any]
) -> None:
    database.conversations.update_one({"_id": before.id}, {"$set": change})
    with capture_logs() as lines:
        assert await mongo_store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    assert [(line["event"], line["conversation"]) for line in lines] == [("conversation_unreadable", before.id)]


@pytest.mark.req("SE-14")
async def test_rows_events_and_versions_of_before_are_compared_too(
    mongo_store: Store, database: Documents, before: Conversation
) -> None:
    database.messages.update_one({"seq": 1}, {"$set": {"status": "deleted"}})
    database.inbox.update_one({}, {"$set": {"ts": ts(99)}})
    database.extractions.update_one({}, {"$set": {"component": "alternatives"}})
    with pytest.raises(SealBroken, match="something else stands open"):
        await mongo_store.conversations.row(before, 1)
    assert await mongo_store.inbox.open_rows(thread()) == ()
    assert await mongo_store.versions.list(DECISION) == ()


@pytest.mark.req("SE-14")
async def test_the_state_of_before_cannot_be_put_back_once_the_conversation_was_worked_on(
    mongo_store: Store, database: Documents, before: Conversation
) -> None:
    former = database.conversations.find_one()
    rows = [*database.messages.find(sort=[("seq", 1)])]
    assert former
    now = await saved(mongo_store, await claim(mongo_store), said(2, "edited"), said(3))
    await mongo_store.conversations.release(now)
    database.messages.replace_one({"seq": 2}, rows[1])
    with pytest.raises(SealBroken):
        await mongo_store.conversations.row(now, 2)
    database.conversations.replace_one({"_id": before.id}, former)
    with capture_logs() as lines:
        assert await mongo_store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    assert [(line["event"], line["error"]) for line in lines] == [("conversation_unreadable", "PutBack")]


async def test_a_conversation_of_before_that_had_said_nothing_yet_is_begun(
    mongo_store: Store, database: Documents, before: Conversation
) -> None:
    emptied = {"$set": {"version": 0, "head": 0}, "$unset": {"sealed": ""}}
    database.conversations.update_one({"_id": before.id}, emptied)
    new = await claim(mongo_store)
    assert (new.id, new.owner, new.version, new.head) == (before.id, "U1", 0, 0)


@pytest.mark.req("SE-14")
async def test_a_conversation_of_before_loses_its_seal_for_no_new_one_once_it_was_worked_on(
    mongo_store: Store, database: Documents, before: Conversation
) -> None:
    await mongo_store.conversations.release(await saved(mongo_store, await claim(mongo_store)))
    emptied = {"$set": {"owner": "U9", "version": 0, "head": 0}, "$unset": {"sealed": ""}}
    database.conversations.update_one({"_id": before.id}, emptied)
    with capture_logs():
        assert await mongo_store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()


# --- rules


async def restarted(database: Documents, uri: str, master_key: str) -> Store:
    return await open_store(uri, database.name, wrapping(master_key), ManualClock())


@pytest.mark.req("SE-14")
async def test_rules_of_before_are_sealed_anew_at_the_start_and_no_copy_of_them_counts_any_more(
    mongo_store: Store, database: Documents, watching: Watching, mongo_uri: str, master_key: str
) -> None:
    keys = watching(noting([])).keys
    former = await former_rule(database, keys, rule())
    forged = await former_rule(database, keys, rule(scope="#public"))
    database.permissions.update_one({"_id": forged["_id"]}, {"$set": {"user": "U9"}})
    key = database["keys"].find_one({"_id": "permissions:T1"})
    assert key
    after = await restarted(database, mongo_uri, master_key)
    assert await after.permissions.list("T1", "U1") == (rule(),)
    assert await after.permissions.list("T1", "U9") == ()
    assert database["keys"].count_documents({"_id": "permissions:T1"}) == 0
    assert database.permissions.count_documents({"_id": former["_id"]}) == 0
    anew = [*database.permissions.find({"user": "U1"})]
    assert await after.permissions.revoke("T1", "U1", rule().tool, rule().scope)
    database.permissions.insert_many(anew)
    assert await after.permissions.list("T1", "U1") == (), "a copy of the rule as it was sealed anew"
    database.permissions.delete_many({"user": "U1"})
    database.permissions.insert_one(former)
    assert await after.permissions.list("T1", "U1") == ()
    database["keys"].insert_one(key)
    assert await after.permissions.list("T1", "U1") == ()
    after.close()
    again = await restarted(database, mongo_uri, master_key)
    assert await again.permissions.list("T1", "U1") == ()
    again.close()


@pytest.mark.req("SE-14")
@pytest.mark.parametrize("change", [{"user": "U9"}, {"allows": False}, {"tool": "fetch"}], ids=str)
async def test_a_rule_of_before_that_is_relabelled_becomes_nobodys(
    mongo_store: Store,
    database: Documents,
    watching: Watching,
    mongo_uri: str,
    master_key: str,
    change: dict[str, Any],
) -> None:
    former = await former_rule(database, watching(noting([])).keys, rule())
    database.permissions.update_one({"_id": former["_id"]}, {"$set": change})
    after = await restarted(database, mongo_uri, master_key)
    for user in ("U1", "U9"):
        assert await after.permissions.list("T1", user) == ()
    after.close()


async def test_a_decision_that_is_newer_than_a_rule_of_before_outlasts_a_start_that_was_broken_off(
    mongo_store: Store, database: Documents, watching: Watching, mongo_uri: str, master_key: str
) -> None:
    await former_rule(database, watching(noting([])).keys, rule())
    never = rule(allows=False)
    await mongo_store.permissions.keep(never)
    after = await restarted(database, mongo_uri, master_key)
    assert await after.permissions.list("T1", "U1") == (never,)
    after.close()
