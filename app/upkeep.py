"""What whoever runs the app does to its database by hand: `threadwise keys rotate` and `threadwise erase`.

Others may go on working meanwhile. What was broken off is gone on with by doing it again.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from enum import Enum, auto

from app.clock import SystemClock
from app.core.audit import AuditEvent, AuditType
from app.core.errors import SettingsError, StoreUnavailable
from app.core.model import Conversation
from app.settings import Settings
from app.wiring import opened_store
from store.store import Rotated, Store

BY_COMMAND = AuditEvent(type=AuditType.CONVERSATION_ERASED, reason="erase_command")


class Erasure(Enum):
    """What became of the wish to erase a conversation."""

    DONE = auto()
    UNKNOWN = auto()
    """There is none with this id (any more)."""
    DECLINED = auto()


async def rotate_keys(settings: Settings) -> Rotated:
    """Seal every key with the first master key. Raises `SettingsError`."""
    async with _store(settings) as store:
        return await store.upkeep.rotate_keys()


async def erase(settings: Settings, id_: str, agreed: Callable[[Conversation], bool]) -> Erasure:
    """Forget the conversation with this id, if `agreed` says so of what was found. Raises `SettingsError`."""
    async with _store(settings) as store:
        conversation = await store.upkeep.named(id_)
        if conversation is None:
            return Erasure.UNKNOWN
        if not agreed(conversation):
            return Erasure.DECLINED
        await store.conversations.erase(conversation, BY_COMMAND)
        return Erasure.DONE


@asynccontextmanager
async def _store(settings: Settings) -> AsyncGenerator[Store]:
    try:
        async with opened_store(settings, SystemClock()) as store:
            yield store
    except StoreUnavailable as error:
        raise SettingsError("MongoDB went away. Run this again: it goes on where it was broken off.") from error
