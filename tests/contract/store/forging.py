"""Stored conversations to be forged, and the check that what was forged is refused alone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

from structlog.testing import capture_logs

from app.core.conversation.conversation import Conversation
from app.ports.store import Store
from store.admin.diagnosis import Trouble
from store.open import MongoStore
from tests.contract.store.events import NEVER, claim, claimed, posted, said, saved, thread
from tests.mongo import Documents

Document = dict[str, Any]
SOMETIME = datetime(2026, 3, 1, tzinfo=UTC)


async def at_rest(store: Store, number: int) -> Conversation:
    """Leave a conversation with two messages, and work that came after."""
    held = await saved(store, await claimed(store, number), said(1), said(2))
    await store.inbox.close_rows([posted(number).receipt])
    await store.conversations.release(held)
    return held


async def with_work(store: Store, number: int) -> Conversation:
    kept = await at_rest(store, number)
    await store.inbox.take_in(posted(number + 100, thread(number)))
    return kept


def document_of(database: Documents, collection: str, **which: Any) -> Document:
    found = database[collection].find_one(which)
    assert found
    return found


async def refused(store: Store, conversation: Conversation) -> None:
    """Claim all that can be claimed: this conversation is not, it is reported as unreadable, and another one is."""
    other = await with_work(store, 50)
    with capture_logs() as lines:
        worked_on = await claim(store)
        assert worked_on.thread == other.thread
        assert await store.conversations.claim_some("T1", "worker", NEVER, (), 1) == ()
    cases = await cast("MongoStore", store).diagnosis.cases()
    assert conversation.id in {each.id for each in cases if each.trouble is Trouble.CONVERSATION_UNREADABLE}
    assert {line["event"] for line in lines} <= {"conversation_unreadable"}
    assert await store.conversations.transcript(worked_on, 0) == (said(1), said(2))
    assert await saved(store, worked_on, said(3))
