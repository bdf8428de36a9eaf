"""Approved results as the contract tests need them."""

from __future__ import annotations

from typing import Any

from app.core.conversation.conversation import Conversation
from app.core.state.decision import Version
from app.ports.store import Store
from tests.contract.store.events import claimed, said, saved, thread

DECISION = thread(900)


def version(component: str, number: int, **changes: Any) -> Version:
    """Return the n-th version of a step of the decision."""
    fields: dict[str, Any] = {
        "decision": DECISION,
        "component": component,
        "number": number,
        "data": {"items": [{"id": "o1", "text": "Keep the night shift small", "weight": 0.5}], "version_of": number},
        "extracted_at": f"2026-03-01T09:{number:02}:00.123456+00:00",
        "approved_at": f"2026-03-01T10:{number:02}:00.654321+00:00",
        "approved_by": "U1",
        "prompt_version": "3",
        "schema_version": "2",
        "model": "claude",
        "based_on": {"frame": 1},
    }
    return Version(**fields | changes)


async def talked(store: Store, number: int = 1) -> Conversation:
    """Hold a conversation with a transcript and a version."""
    conversation = await claimed(store, number)
    await store.versions.keep(conversation, version("frame", 1))
    return await saved(store, conversation, said(1), said(2))
