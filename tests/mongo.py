"""A real mongod for tests, as the product itself would start it, and databases that are used again and again."""

from __future__ import annotations

import asyncio
import fcntl
import shutil
import tempfile
from collections import defaultdict, deque
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from pymongo import MongoClient, WriteConcern
from pymongo.database import Database

from store.database import keeper
from store.database.embedded import run_mongod
from tests.wrapped import secrets_dir

MEMORY = Path("/dev/shm")
"""Where it exists, a write that MongoDB journals waits for no disk."""

Documents = Database[dict[str, Any]]
"""A database, to look at what is really stored."""

RESTING = 4
"""How many databases lie still before the first is lent again: by then what a killed process sent has arrived."""

_resting: dict[str, deque[str]] = defaultdict(deque)
"""By URI: what was given back, the longest ago first."""


@contextmanager
def running_mongod(folder: Path) -> Generator[str]:
    """Yield the URI of a mongod with its data in `folder`; when left, it has ended."""
    with asyncio.Runner() as runner:
        service = run_mongod(folder)
        uri = runner.run(service.__aenter__())
        try:
            yield uri
        finally:
            _resting.pop(uri, None)
            runner.run(service.__aexit__(None, None, None))
    wait_until_ended(folder)


@contextmanager
def quick_folder() -> Generator[Path]:
    """Yield a new folder, in memory where that can be had. A socket's path must be short, and so is its own."""
    folder = Path(tempfile.mkdtemp(prefix="tw-", dir=MEMORY if MEMORY.is_dir() else None))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def lent_database(client: MongoClient[dict[str, Any]], uri: str) -> Generator[str]:
    """Yield the name of an empty database. It may have its collections already: to make them takes longest by far.

    After an error it is not lent again: what still runs may write to it.
    """
    resting = _resting[uri]
    name = resting.popleft() if len(resting) >= RESTING else f"lent_{uuid4().hex[:12]}"
    empty(client[name], client[name].list_collection_names())
    shutil.rmtree(secrets_dir() / name, ignore_errors=True)
    yield name
    resting.append(name)


def empty(database: Database[dict[str, Any]], collections: Sequence[str]) -> None:
    """Delete all documents. Only the last write waits for the journal, which then has those before it."""
    for name in collections[:-1]:
        database.get_collection(name, write_concern=WriteConcern(w=1)).delete_many({})
    for name in collections[-1:]:
        database[name].delete_many({})


def as_stranger(uri: str) -> str:
    """Return the URI with a name and a password that this mongod does not know."""
    return uri.replace("://", "://nobody:wrong@")


def wait_until_ended(folder: Path) -> None:
    """Return when no keeper is left, and so no mongod: its lock is granted."""
    with (folder / "mongodb" / keeper.KEEPER_LOCK).open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
