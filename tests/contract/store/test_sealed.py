"""Confidentiality at rest: nothing that anybody wrote stands open, and nothing that is not listed can (design D13)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import bson
import pytest
from pydantic import TypeAdapter
from pymongo.errors import WriteError

from app.core.conversation.conversation import Conversation, Message, Transition
from app.core.events.heard import MessagePosted, SlackEvent
from app.core.state.decision import Version
from app.core.state.goal import GoalPhase
from app.core.state.status import Status
from app.ports import Entry
from app.ports.store import KeptFile, Store
from store.database.schema import SHAPES
from tests.contract.store.events import NEVER, claim, claimed, happened, posted, said, saved, thread, ts
from tests.contract.store.planted import planted
from tests.contract.store.rules import rule
from tests.contract.store.versions import version
from tests.mongo import Documents

WORD = "Rumpelstilzchen"
EVENT: TypeAdapter[SlackEvent] = TypeAdapter(SlackEvent)

EVERYWHERE = "_id team schema_version"
THREAD = "channel root"
AUDIT = "_id team schema_version conversation at type reason actor before after correlation counts.*"
OPEN = {
    "inbox": f"{EVERYWHERE} {THREAD} conversation ts state attempts hidden_until done_at",
    "conversations": f"{EVERYWHERE} {THREAD} current owner version fence head lease_until holder "
    "status active_at next_run_at quiet_from ends_at " + " ".join(f"trail.{field}" for field in AUDIT.split()),
    "messages": f"{EVERYWHERE} conversation seq ts status fence",
    "extractions": f"{EVERYWHERE} conversation decision.channel decision.root component number approved_at approved_by",
    "files": f"{EVERYWHERE} {THREAD} conversation file piece pieces",
    "keys": f"{EVERYWHERE} has_secret generation",
    "tombstones": EVERYWHERE,
    "permissions": f"{EVERYWHERE} user tool allows at",
    "places": f"{EVERYWHERE} at",
    "marks": f"{EVERYWHERE} version",
    "pacing": f"{EVERYWHERE} version numbers.* expires_at",
    "rate_limits": f"{EVERYWHERE} version numbers.* expires_at",
    "audit_events": AUDIT,
}
"""Every field that is stored open: ids, enums, times and counters, nothing else. Whoever adds one must add it here."""

OPEN_IN_A_VERSION: dict[str, Any] = {
    "decision": thread(9),
    "component": "objectives",
    "approved_at": "2026-03-01T09:00:00+00:00",
    "approved_by": "U1",
}


def leaves(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Give each field that a validator allows, those inside of objects and lists by their path."""
    kind = schema.get("bsonType", "object" if "properties" in schema else None)
    if kind == "array":
        yield from leaves(schema["items"], path)
    elif kind == "object":
        more = schema["additionalProperties"]
        assert more is False or "properties" not in schema, f"{path} takes any field"
        fields: dict[str, Any] = schema.get("properties") or {"*": more}
        for name, field in fields.items():
            yield from leaves(field, f"{path}.{name}".lstrip("."))
    else:
        yield path, schema


@pytest.mark.req("S0-008", "S0-011")
async def test_every_field_that_stands_open_is_on_the_list(mongo_store: Store, database: Documents) -> None:
    found = {each["name"]: each["options"]["validator"]["$jsonSchema"] for each in database.list_collections()}
    for name, schema in found.items():
        fields = dict(leaves(schema))
        unsealed = {path for path, field in fields.items() if field.get("bsonType") != "binData"}
        assert unsealed == set(OPEN.get(name, "").split()), name
        assert set(fields) - unsealed <= {"sealed", "hmac"}, name
    assert set(found) == set(OPEN)


@pytest.mark.req("S0-008", "S0-011", "S0-012")
async def test_no_word_that_is_planted_anywhere_can_be_read_in_the_database(
    mongo_store: Store, database: Documents
) -> None:
    store = mongo_store
    [state], [version] = planted(TypeAdapter(Conversation), WORD), planted(TypeAdapter(Version), WORD)
    cards, events = list(planted(TypeAdapter(Message), WORD)), list(planted(EVENT, WORD))
    await store.inbox.take_in(posted(1, opens=True, text=WORD))
    for number, event in enumerate(events, 2):  # what says which, and when, stands open
        await store.inbox.take_in(replace(event, thread=thread(), receipt=f"r{number}", **times(event, number)))
    conversation = await claim(store)
    rows = [replace(row, seq=seq, ts=ts(seq)) for seq, row in enumerate(cards, 1)]
    named = {name: getattr(conversation, name) for name in ("id", "thread", "owner", "version", "fence")}
    moment = "2026-03-01T09:00:00+00:00"
    # these stand open where it is listed by them
    named |= {"newest": ts(1), "spoken": ts(1), "next_run": moment, "ends": moment}
    for listed in (
        {"status": Status.BACKGROUND},
        {"status": Status.ACTIVE, "goals": replace(state.goals, phase=GoalPhase.PLANNING)},
    ):
        conversation = await saved(store, replace(state, **named | listed), *rows)
        named["version"] = conversation.version
    conversation = await saved(store, replace(state, **named), *rows, audit=(happened("a"),))
    await store.conversations.record_draft(conversation, replace(rows[0], text=f"{WORD} drafted"))
    await store.versions.keep(conversation, replace(version, **OPEN_IN_A_VERSION))
    await store.permissions.keep(rule(scope=WORD, label=WORD))
    await store.files.keep(conversation, KeptFile(file="F1", content=f"[{WORD}]", tokens=1, problem=WORD, gap=WORD))
    await store.places.note_once("T1", "channel:C1")
    await store.conversations.erase(await claimed(store, 900), happened("erased"))
    await store.inbox.close_rows(["r2"])
    await store.inbox.park(["r3"])
    await store.limits.exchange("T1", "messages:U1", Entry(numbers={"taken": (1.0,)}), NEVER)
    await store.pacing.exchange("T1", "chat.update", Entry(numbers={"sent": (1.0,)}), NEVER)
    await store.conversations.release(conversation)
    await store.conversations.save(Transition(conversation=await claim(store), audit=(happened("b"),)))

    dump = b"".join(map(bson.encode, (each for name in SHAPES for each in database[name].find())))
    oplog = b"".join(map(bson.encode, database.client.local["oplog.rs"].find({"ns": {"$regex": f"^{database.name}"}})))
    assert all(database[name].count_documents({}) for name in SHAPES), "a collection was left out"
    assert set(database.list_collection_names()) == set(SHAPES)
    assert thread().root.encode() in dump
    assert thread().root.encode() in oplog, "these are not the stored bytes"
    assert WORD.encode() not in dump + oplog
    read = await store.inbox.open_rows(thread())
    assert WORD in str(read), "nothing was planted"
    assert WORD in str(await store.conversations.transcript(conversation, 0))
    assert WORD in str(await store.versions.list(thread(9)))
    assert WORD in str(await store.permissions.list("T1", "U1"))


def times(event: SlackEvent, number: int) -> dict[str, str]:
    """The open time of an event; `at` is a field of its own where it is not `ts`."""
    return {"ts": ts(number)} if isinstance(event, MessagePosted) else {"at": ts(number)}


@pytest.mark.parametrize(
    ("collection", "field", "value"),
    [
        ("inbox", "text", "open content"),
        ("inbox", "state", "eaten"),
        ("inbox", "attempts", -1),
        ("conversations", "summary", "open content"),
        ("conversations", "title", "open content"),
        ("conversations", "status", "open content"),
        ("conversations", "active_at", "open content"),
        ("conversations", "next_run_at", "2026-03-01T09:00:00+00:00"),
        ("conversations", "quiet_from", None),
        ("conversations", "version", "1"),
        ("conversations", "trail", [{"text": "open content"}]),
        ("messages", "sealed", "open content"),
        ("messages", "text", "open content"),
        ("messages", "status", "open content"),
        ("extractions", "data", {"statement": "open content"}),
        ("extractions", "decision.question", "open content"),
        ("extractions", "component", "open content"),
        ("extractions", "hmac", "open content"),
        ("keys", "secret", b"open key"),
        ("permissions", "scope", "open content"),
        ("permissions", "label", "open content"),
        ("permissions", "tool", "open content"),
        ("permissions", "allows", "open content"),
        ("places", "what", "open content"),
    ],
)
async def test_a_field_that_is_not_allowed_is_refused(
    mongo_store: Store, database: Documents, collection: str, field: str, value: object
) -> None:
    conversation = await saved(mongo_store, await claimed(mongo_store), said(1))
    await mongo_store.versions.keep(conversation, version("frame", 1))
    await mongo_store.permissions.keep(rule())
    await mongo_store.places.note_once("T1", "channel:C1")
    with pytest.raises(WriteError, match="failed validation"):
        database[collection].update_one({}, {"$set": {field: value}})
