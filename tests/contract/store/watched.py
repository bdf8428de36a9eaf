"""A database that tells what is about to be done to it, so that a test can die there or do something in between."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

from app.core.errors import StoreUnavailable
from store.crypto.keys import DataKeys
from store.database.connection import Database
from store.mongo.conversations import MongoConversations
from store.mongo.documents import Sightings
from store.mongo.inbox import MongoInbox
from store.mongo.permission_rules import MongoPermissions
from store.mongo.versions import MongoVersions
from tests.contract.store.clock import ManualClock
from tests.wrapped import wrapping

WRITES = frozenset(
    {"insert_one", "insert_many", "update_one", "update_many", "delete_one", "delete_many", "bulk_write"}
    | {"find_one_and_update", "replace_one"}
)
TOLD = WRITES | {"find_one", "to_list"}

Before = Callable[[str], Awaitable[None]]
"""Is told `collection.method`; what it raises happens instead."""


class _Watched:
    """A collection or a cursor over it."""

    def __init__(self, real: Any, name: str, before: Before) -> None:
        self._real, self._name, self._before = real, name, before

    def find(self, *args: Any, **kwargs: Any) -> _Watched:
        return _Watched(self._real.find(*args, **kwargs), self._name, self._before)

    def aggregate(self, *args: Any, **kwargs: Any) -> _Watched:
        return _Watched(self._real.aggregate(*args, **kwargs), self._name, self._before)

    def __getattr__(self, method: str) -> Any:
        real = getattr(self._real, method)
        if method not in TOLD:
            return real

        async def told(*args: Any, **kwargs: Any) -> Any:
            await self._before(f"{self._name}.{method}")
            return await real(*args, **kwargs)

        return told


class _Database:
    def __init__(self, database: Database, before: Before) -> None:
        self._database, self._before = database, before

    def __getitem__(self, name: str) -> _Watched:
        return _Watched(self._database[name], name, self._before)


@dataclass(frozen=True)
class Watched:
    """What another process has of the store, watched; the keys that it has read are its own."""

    inbox: MongoInbox
    conversations: MongoConversations
    versions: MongoVersions
    permissions: MongoPermissions
    keys: DataKeys
    database: Database


class Watching(Protocol):
    """Opens it. With `master_keys`, as a process that was started with others."""

    def __call__(self, before: Before, master_keys: str = "") -> Watched: ...


def watched(database: Database, master_key: str, before: Before) -> Watched:
    """Return the ports, with `before` called ahead of whatever is told."""
    seen = cast("Database", _Database(database, before))
    keys, sightings = DataKeys(seen, wrapping(master_key), ManualClock()), Sightings()
    return Watched(
        MongoInbox(seen, keys, sightings),
        MongoConversations(seen, keys, sightings),
        MongoVersions(seen, keys),
        MongoPermissions(seen, keys),
        keys,
        seen,
    )


def dying_after(writes: int) -> Before:
    """Let so many writes be done and none after, as if the process had died there."""
    left = writes

    async def before(step: str) -> None:
        nonlocal left
        if step.rpartition(".")[2] not in WRITES:
            return
        if not left:
            raise StoreUnavailable
        left -= 1

    return before


def once(place: str, act: Callable[[], Awaitable[Any]]) -> Before:
    """Do something ahead of the first step at this place."""
    waiting = [act]

    async def before(step: str) -> None:
        if step == place and waiting:
            await waiting.pop()()

    return before


def noting(steps: list[str], methods: frozenset[str] = TOLD) -> Before:
    """Write down each step that is one of these methods."""

    async def before(step: str) -> None:
        if step.rpartition(".")[2] in methods:
            steps.append(step)

    return before
