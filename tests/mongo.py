"""A real mongod for tests, as the product itself would start it."""

from __future__ import annotations

import asyncio
import fcntl
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from store import keeper
from store.embedded import embedded


@contextmanager
def running_mongod(folder: Path) -> Generator[str]:
    """Yield the URI of a mongod with its data in `folder`; when left, it has ended."""
    with asyncio.Runner() as runner:
        service = embedded(folder)
        uri = runner.run(service.__aenter__())
        try:
            yield uri
        finally:
            runner.run(service.__aexit__(None, None, None))
    wait_until_ended(folder)


def as_stranger(uri: str) -> str:
    """Return the URI with a name and a password that this mongod does not know."""
    return uri.replace("://", "://nobody:wrong@")


def wait_until_ended(folder: Path) -> None:
    """Return when no keeper is left, and so no mongod: its lock is granted."""
    with (folder / "mongodb" / keeper.KEEPER_LOCK).open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
