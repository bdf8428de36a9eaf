"""The folder in which `demo --keep` keeps its data: database, erasure secrets, the look-alike's workspace and the keys.

The master key lies beside what it protects, so this is for trying things out, not for what has to stay secret.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import secrets
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError

from app.core.errors import SettingsError
from app.playground.slack import SlackPlayground
from store.crypto.cipher import MasterKeys

SAVED_EVERY = 2.0
"""Seconds after which changes of the workspace are written down; those of a demo that is killed sooner are lost."""


class DemoKeys(BaseModel):
    """What two demos need in common to be one. `seed` gives the look-alike's ids and tokens, `database` is the name."""

    seed: int
    master_key: str
    database: str


def create_seed() -> int:
    """Return a seed for the emulator's tokens, so that no other user of this machine can act as the app."""
    return secrets.randbits(128)


def create_keys() -> DemoKeys:
    """Return new keys for one demo."""
    return DemoKeys(
        seed=create_seed(),
        master_key=MasterKeys.generate(),
        database=f"threadwise_demo_{secrets.token_hex(4)}",
    )


@dataclass(frozen=True, slots=True)
class DemoFolder:
    """An open folder, which no other demo uses meanwhile."""

    path: Path
    keys: DemoKeys

    @property
    def workspace(self) -> Path:
        """Return the file of the look-alike's workspace."""
        return self.path / "workspace.json"

    def read_workspace(self) -> bytes:
        """Return the workspace as it was kept, empty before the first time."""
        return self.workspace.read_bytes() if self.workspace.exists() else b""

    @asynccontextmanager
    async def save(self, slack: SlackPlayground) -> AsyncGenerator[None]:
        """Write the workspace down whenever it has changed, for the length of the block and at its end."""
        changed = asyncio.Event()
        stop_hearing = slack.workspace.watch(lambda _: changed.set())
        saving = asyncio.create_task(self._save_often(slack, changed))
        try:
            yield
        finally:
            stop_hearing()
            saving.cancel()
            with suppress(asyncio.CancelledError):
                await saving
            _replace(self.workspace, slack.keep())

    async def _save_often(self, slack: SlackPlayground, changed: asyncio.Event) -> None:
        while True:
            await changed.wait()
            changed.clear()
            _replace(self.workspace, slack.keep())
            await asyncio.sleep(SAVED_EVERY)


@contextmanager
def open_folder(path: Path) -> Generator[DemoFolder]:
    """Yield the folder, made for its owner alone if it is new.

    Raise `SettingsError` if another demo uses it, or if it cannot be written or read.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise SettingsError(f"{error.filename}: {error.strerror}. `demo --keep` keeps its data there.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield DemoFolder(path, _read_keys(path / "keys.json"))
    except BlockingIOError as error:
        raise SettingsError(f"Another demo keeps its data in {path}. End it, or start one without --keep.") from error
    finally:
        os.close(lock)


def _read_keys(path: Path) -> DemoKeys:
    if not path.exists():
        _replace(path, create_keys().model_dump_json().encode())
    try:
        return DemoKeys.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise SettingsError(f"{path} cannot be read. Delete {path.parent} to begin anew.") from error


def _replace(path: Path, content: bytes) -> None:
    """Write a file for its owner alone: the former content or the new one is there, never a part."""
    part = path.with_suffix(".part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
    part.replace(path)
