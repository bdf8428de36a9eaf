"""The contract of states and rows: whatever stands in them is read back as it was, also what was written long ago."""

from __future__ import annotations

from dataclasses import replace

import bson
import pytest
from pydantic import TypeAdapter

from app.core.conversation.conversation import Conversation, Message
from app.core.state.interview import Interview, JudgedDraft, PreparedStep
from app.core.state.lifecycle import Lifecycle
from app.core.state.sheet import Prose, Sheet
from app.core.state.status import Kind, Status
from app.ports.store import Store
from store.crypto.cipher import build_associated_data
from tests.contract.store.events import claim, claimed, posted, said, saved, thread, ts
from tests.contract.store.former import FORMER_ID, aged
from tests.contract.store.planted import planted
from tests.contract.store.versions import DECISION
from tests.contract.store.watched import Watching, noting
from tests.mongo import Documents

OLD_STATE = (
    '{"id":"%s","thread":{"team":"T1","channel":"C1","root":"1770000000.000001"},"owner":"U1","kind":"free",'
    '"title":"Rota plan","zone":"","status":"active","lifecycle":"in_progress","phase":null,"stage":"none","pending":0,'
    '"approved":0,"goals":{"phase":"greeting","turns":0,"exchanges":0,"goal":null,"completed":[],"guessed":false,'
    '"assuming":false,"lapsed":false,"resumed":false,"leaving":false},"question":null,"schedule":null,"next_run":"",'
    '"failures":0,"planned":0,"cards":[],"version":1,"fence":0,"head":1,"run":"idle","turn":null,"asked":[],'
    '"asked_by":"","queued":[],"newest":"1770000000.000001","heard":"","answered":0,"since":0,"summary":"","plain":0,'
    '"effects":[],"applied":[]}'
)
OLD_ROW = (
    '{"seq":1,"role":"person","text":"Hello","status":"complete","ts":"1770000000.000001","author":"U1",'
    '"author_name":"","parts":[],"content":"","directive":"","acted":false,"calls":[],"still_open":"","card":null,'
    '"failure":"","reference":"","wait":0,"late":false,"model":"","usage":{"input_tokens":0,"output_tokens":0,'
    '"cache_read_tokens":0,"cache_write_tokens":0},"cost":""}'
)
OLD_EVENT = (
    '{"receipt":"%s","thread":{"team":"T1","channel":"C1","root":"1770000000.000001"},"ts":"1770000000.000001",'
    '"user":"U1","text":"Hello","opens":true,"addressed":true,"user_name":"","wait":0,"zone":"","idle":false,'
    '"cards":[],"kind":"message_posted"}'
)
"""As they were sealed before there were decisions."""


async def test_a_thread_from_before_there_were_decisions_is_claimed_and_goes_on(
    mongo_store: Store, database: Documents, watching: Watching
) -> None:
    held = await saved(mongo_store, await claimed(mongo_store), said(1))
    await mongo_store.conversations.release(held)
    key = await aged(database, watching(noting([])).keys, held)
    for collection, id_, plain in (
        ("conversations", FORMER_ID, OLD_STATE % FORMER_ID),
        ("messages", f"{FORMER_ID}:1", OLD_ROW),
        ("inbox", posted(1).receipt, OLD_EVENT % posted(1).receipt),
    ):
        sealed = key.seal(plain.encode(), build_associated_data(collection, id_, "sealed"))
        assert database[collection].update_one({"_id": id_}, {"$set": {"sealed": sealed}}).modified_count
    again = await claim(mongo_store)
    assert again == replace(
        held, id=FORMER_ID, title="Rota plan", lifecycle=Lifecycle.IN_PROGRESS, newest=ts(1), fence=held.fence + 1
    )
    assert (again.kind, again.interview, again.decision) == (Kind.FREE, None, None)
    assert await mongo_store.conversations.transcript(again, 0) == (said(1),)
    assert [row.event for row in await mongo_store.inbox.open_rows(thread())] == [posted(1, opens=True)]
    assert await mongo_store.conversations.of_owner("T1", "U1") == (again,)
    assert await saved(mongo_store, again, said(2))


async def test_a_state_and_rows_with_wishes_and_cards_of_every_kind_are_read_back_as_they_were(store: Store) -> None:
    held = await claimed(store)
    [state] = planted(TypeAdapter(Conversation), "word")
    named = {name: getattr(held, name) for name in ("id", "thread", "owner", "version", "fence")}
    rows = [replace(row, seq=seq) for seq, row in enumerate(planted(TypeAdapter(Message), "word"), 1)]
    written = await saved(store, replace(state, **named, newest=ts(1), next_run="", ends=""), *rows)
    assert await store.conversations.find(thread()) == written
    assert await store.conversations.transcript(written, 0) == tuple(rows)
    assert {row.card.kind for row in rows if row.card} >= {"step", "hub", "review", "next", "note"}
    assert {effect.kind for effect in written.effects} >= {"tell", "keep_version", "open_step"}


@pytest.mark.req("S0-012")
async def test_a_draft_of_a_hundred_kilobytes_is_saved_sealed_and_read_back(
    mongo_store: Store, database: Documents
) -> None:
    draft = {"items": [{"text": f"objective {number} " + "x" * 984} for number in range(100)]}
    interview = Interview(
        decision=DECISION,
        component="objectives",
        prepared=PREPARED,
        draft=draft,
        drafted=JudgedDraft(draft=draft, sheet=SHEET),
    )
    held = replace(await claimed(mongo_store), kind=Kind.COMPONENT, interview=interview)
    written = await saved(mongo_store, held)
    assert await mongo_store.conversations.find(thread()) == written
    assert written.interview == interview
    [document] = database.conversations.find()
    assert len(document["sealed"]) > 200_000, "the draft stands elsewhere"
    assert b"objective 7" not in bson.encode(document)


PREPARED = PreparedStep(
    title="Objectives",
    opening="What matters?",
    confirm_question="Is this right?",
    approve="Approve",
    prompt_version="1",
    schema_version="1",
    max_turns=12,
)
SHEET = Sheet(sections=(Prose(text="x" * 50_000),))


@pytest.mark.parametrize("status", Status)
async def test_the_status_that_stands_open_is_that_of_the_state(
    mongo_store: Store, database: Documents, status: Status
) -> None:
    await saved(mongo_store, replace(await claimed(mongo_store), status=status))
    [document] = database.conversations.find()
    assert document["status"] == status.value
