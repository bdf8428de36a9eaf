"""Erasure secrets: files in a folder outside of MongoDB, without which no data key opens. Destroying one erases.

A secret is on disk before it is returned, and its tombstone is on disk before it is destroyed. Several processes may
share the folder, on one machine or over a volume. Writers hold its lock, and readers see whole files only. Does not
know what a secret is for, nor how its name was chosen.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import re
import secrets
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import structlog

from app.core.errors import SecretsUnavailable, SettingsError
from store.database.file_lock import try_lock

T = TypeVar("T")

log = structlog.get_logger(__name__)

AT_WORK = "Somebody works on this database: stop each `threadwise run` and repeat this."
HELD_ALONE = "`threadwise restored` works on this database. Start this again when it has ended."
SECRET_BYTES = 32
_NAME = re.compile(r"[0-9a-f]{32,}")
_SHARDS = "0123456789abcdef"
"""One folder per first character of a name: 6,250 files in each, with 100,000 conversations."""
_PRIVATE_FILE, _PRIVATE_FOLDER, _OTHERS = 0o600, 0o700, 0o077


class ErasureSecrets:
    """The folder of one database. Names have 32 hexadecimal digits or more. Raises `SecretsUnavailable`."""

    def __init__(self, root: Path, database: str) -> None:
        self.path = root.expanduser().absolute() / database
        self._kept, self._buried = self.path / "secrets", self.path / "tombstones"
        self._generations = self.path / "generations"

    def prepare(self) -> None:
        """Create the folder with mode 0700 if there is none. Blocks.

        Raise `SettingsError` if the folder cannot be made private.
        """
        try:
            self._prepare()
        except OSError as error:
            raise SettingsError(
                f"THREADWISE_SECRETS_DIR: the folder {self.path} must be for this program alone: {error.strerror}. "
                "Give it to the user that runs Threadwise, with mode 0700, or name another."
            ) from error

    def prove_writable(self) -> None:
        """Write a secret's worth of bytes, and remove them. Blocks. Raise `SettingsError` if that is not possible."""
        trial = self.path / "trial"
        try:
            with self._lock():
                self._put(trial, bytes(SECRET_BYTES))
                trial.unlink()
        except OSError as error:
            raise SettingsError(
                f"The folder {self.path} cannot be written: {error.strerror}. Until it can, no conversation begins and "
                "none is erased; those there are go on."
            ) from error

    @contextmanager
    def hold(self, *, alone: bool) -> Generator[None]:
        """Be one of the holders of the database, or the only one, for the length of the block.

        A process that ends, in whichever way, holds it no more. Raise `SettingsError` if that cannot be now, or the
        folder cannot be written.
        """
        self.prepare()
        try:
            holders = os.open(self.path / "holders", os.O_RDWR | os.O_CREAT, _PRIVATE_FILE)
        except OSError as error:
            raise SettingsError(f"The folder {self.path} cannot be written: {error.strerror}.") from error
        try:
            if not try_lock(holders, fcntl.LOCK_EX if alone else fcntl.LOCK_SH):
                raise SettingsError(AT_WORK if alone else HELD_ALONE)
            yield
        finally:
            os.close(holders)

    def loose(self) -> int:
        """Count the files that others than their owner may read or write. Blocks."""
        return sum(1 for path in self.path.rglob("*") if path.stat().st_mode & _OTHERS)

    async def make(self, names: Collection[str]) -> Mapping[str, bytes]:
        """Return these secrets, creating missing ones, but none that has a tombstone.

        The returned secrets are on disk, and survive a crash.
        """
        return await _run_in_thread(lambda: self._make(names))

    async def read(self, names: Collection[str]) -> Mapping[str, bytes]:
        """Return those of these secrets that exist."""
        return await _run_in_thread(lambda: self._read(names))

    async def bury(self, names: Collection[str]) -> None:
        """Write tombstones and, once these are on disk, destroy the secrets. Idempotent."""
        await _run_in_thread(lambda: self._bury(names))

    async def is_buried(self, name: str) -> bool:
        """Return True if the secret has a tombstone."""
        return await _run_in_thread(lambda: _build_path(self._buried, name).exists())

    async def list_names(self) -> set[str]:
        """Return the names of all secrets."""
        return await _run_in_thread(lambda: _list_names(self._kept))

    async def list_others(self) -> tuple[str, ...]:
        """Return the names of other databases whose secrets are beside these, in order."""
        return await _run_in_thread(self._list_others)

    async def list_buried(self) -> set[str]:
        """Return the names on all tombstones."""
        return await _run_in_thread(lambda: _list_names(self._buried))

    async def generation(self, name: str) -> int:
        """Return the last known generation of the database of this name; 0 if there is none."""
        return await _run_in_thread(lambda: self._generation(name))

    async def raise_generation(self, name: str, number: int) -> None:
        """Raise the known generation of the database of this name. It is never lowered."""
        await _run_in_thread(lambda: self._raise_generation(name, number))

    def _list_others(self) -> tuple[str, ...]:
        found: list[str] = []
        for beside in self.path.parent.iterdir():
            with suppress(OSError):  # no folder of secrets, or one of another user
                if beside != self.path and _list_names(beside / "secrets"):
                    found.append(beside.name)
        return tuple(sorted(found))

    def _generation(self, name: str) -> int:
        try:
            return int((self._generations / name).read_text())
        except FileNotFoundError:
            return 0

    def _raise_generation(self, name: str, number: int) -> None:
        with self._lock():
            if number > self._generation(name):
                self._put(self._generations / name, str(number).encode())
                _sync(self._generations)

    def _prepare(self) -> None:
        self.path.parent.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
        for folder in (self.path, self._kept, self._buried, self._generations):
            folder.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
            if folder.stat().st_mode & _OTHERS:
                folder.chmod(_PRIVATE_FOLDER)
            if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, "it cannot be written")
            _sync(folder.parent)
        for folder in (self._kept, self._buried):
            for shard in _SHARDS:
                (folder / shard).mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
            _sync(folder)

    def _make(self, names: Collection[str]) -> Mapping[str, bytes]:
        with self._lock():
            living = [name for name in names if not _build_path(self._buried, name).exists()]
            there = self._read(living)
            for name in living:
                if name not in there:
                    self._put(_build_path(self._kept, name), secrets.token_bytes(SECRET_BYTES))
            self._sync_shards(self._kept, living)
            return self._read(living)

    def _read(self, names: Collection[str]) -> Mapping[str, bytes]:
        found: dict[str, bytes] = {}
        for name in names:
            with suppress(FileNotFoundError):
                found[name] = _build_path(self._kept, name).read_bytes()
        return {name: secret for name, secret in found.items() if len(secret) == SECRET_BYTES}

    def _bury(self, names: Collection[str]) -> None:
        with self._lock():
            for name in names:
                self._put(_build_path(self._buried, name), b"")
            self._sync_shards(self._buried, names)
            for name in names:
                _destroy(_build_path(self._kept, name))
            self._sync_shards(self._kept, names)

    def _put(self, path: Path, content: bytes) -> None:
        """Write a file atomically. The caller holds the lock and syncs the folder."""
        new = self.path / "new"
        _write(new, content, os.O_CREAT | os.O_TRUNC)
        new.rename(path)

    def _sync_shards(self, folder: Path, names: Collection[str]) -> None:
        """Sync the folders of all names, also of existing files: their writer may have died before syncing."""
        for shard in {_build_path(folder, name).parent for name in names}:
            _sync(shard)

    @contextmanager
    def _lock(self) -> Generator[None]:
        with _open_file(self.path / "lock", os.O_RDWR | os.O_CREAT) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _build_path(folder: Path, name: str) -> Path:
    if not _NAME.fullmatch(name):  # a path must not pass as a name
        raise ValueError("no name of a secret")
    return folder / name[0] / name


def _list_names(folder: Path) -> set[str]:
    return {name for shard in folder.iterdir() for name in os.listdir(shard) if _NAME.fullmatch(name)}


def _destroy(path: Path) -> None:
    """Overwrite the file first, so that a file system that writes in place keeps no copy."""
    with suppress(FileNotFoundError):
        _write(path, bytes(SECRET_BYTES), 0)
        path.unlink()


def _write(path: Path, content: bytes, how: int) -> None:
    with _open_file(path, os.O_WRONLY | how) as file:
        if os.write(file, content) < len(content):
            raise OSError(errno.ENOSPC, "not all of it was written")
        os.fsync(file)


def _sync(folder: Path) -> None:
    with _open_file(folder, os.O_RDONLY) as descriptor:
        os.fsync(descriptor)


@contextmanager
def _open_file(path: Path, how: int) -> Generator[int]:
    descriptor = os.open(path, how, _PRIVATE_FILE)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


async def _run_in_thread(act: Callable[[], T]) -> T:
    """Run a function in an OS thread: a disk takes milliseconds to write, and a busy one seconds."""
    try:
        return await asyncio.to_thread(act)
    except OSError as error:
        log.error("erasure_secrets_unavailable", error=type(error).__name__, number=error.errno)  # noqa: TRY400
        raise SecretsUnavailable(
            f"The folder of the erasure secrets cannot be read or written: {error.strerror}. `threadwise check` tells "
            "which it is. Then run this again."
        ) from error
