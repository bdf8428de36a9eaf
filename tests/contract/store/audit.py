"""Reads the audit trail of either store. No port does: it is written for whoever runs the app."""

from __future__ import annotations

from pydantic import TypeAdapter

from app.core.conversation.audit import AuditEvent
from app.ports.store import Store
from tests.memory_store import MemoryStore
from tests.mongo import Documents

EVENT = TypeAdapter(AuditEvent)


def audit_trail(store: Store, database: Documents) -> dict[str, AuditEvent]:
    """Return what has arrived in the trail, by the events' ids."""
    if isinstance(store, MemoryStore):
        return dict(store.audit)
    return {document["_id"]: EVENT.validate_python(document) for document in database.audit_events.find()}
