"""MongoDB without set-up: a mongod that starts with the first process that uses it and ends with the last.

Any number of processes may share a data folder. The keeper (`keeper`) alone owns mongod, whichever process
started it. A process may be killed at any point: the kernel then frees its lock.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import shutil
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

from pymongo.errors import PyMongoError

from app.core.errors import SettingsError
from app.processes import build_environment
from store.database import keeper
from store.database.file_lock import try_lock
from store.database.mongod import Home, find_cause, find_mongod, make_writable

log = logging.getLogger(__name__)

START_LIMIT = 30.0  # seconds; measured 0.4 to 1.5 on a busy machine, more after a crash with much data
END_LIMIT = 10.0  # seconds; measured 0.4 to 1 on a busy machine
RETRY = 0.02  # seconds between checks of a starting mongod
WATCH = 1.0  # seconds between checks that the keeper of a mongod in use lives


@asynccontextmanager
async def run_mongod(data_dir: Path, program: Path | None = None) -> AsyncGenerator[str]:
    """Yield the URI of a mongod that accepts writes and keeps its data under `data_dir`.

    For the length of the block it stays up, and is restarted if it dies. After it, unless others use the mongod, it has
    ended and its files can be copied. `program` is the mongod to run, by default the result of `find_mongod`. Raise
    `SettingsError` with the cause if it cannot be started.
    """
    program = program or find_mongod()
    home = Home.under(data_dir)
    try:
        async with _use_mongod(home, program):
            yield home.uri
    finally:
        await _await_rest(home)


@asynccontextmanager
async def _use_mongod(home: Home, program: Path) -> AsyncGenerator[None]:
    """Be one of the users of mongod for the length of the block."""
    with _open_file(home.path / keeper.USERS_LOCK) as users:
        try:
            async with asyncio.timeout(START_LIMIT):
                await _join(users)
                await _attach(home, program)
        except TimeoutError as error:
            said = home.path / keeper.LOG
            raise SettingsError(f"The embedded MongoDB is not ready after {START_LIMIT:.0f} s; see {said}.") from error
        watch = asyncio.create_task(_keep_attached(home, program))
        try:
            yield
        finally:
            watch.cancel()
            with suppress(asyncio.CancelledError):
                await watch


async def _await_rest(home: Home) -> None:
    """Return once mongod has ended, if nobody else uses it."""
    with _open_file(home.path / keeper.USERS_LOCK) as users, suppress(TimeoutError):
        async with asyncio.timeout(END_LIMIT):
            while _is_kept(home) and not _has_users(users):
                await asyncio.sleep(RETRY)


def _is_kept(home: Home) -> bool:
    with _open_file(home.path / keeper.KEEPER_LOCK) as lock:
        return not try_lock(lock, fcntl.LOCK_SH)


def _has_users(users: int) -> bool:
    """Return True if a process holds the lock shared. A keeper that ends its mongod holds it alone."""
    try:
        return not try_lock(users, fcntl.LOCK_EX) and try_lock(users, fcntl.LOCK_SH)
    finally:
        fcntl.flock(users, fcntl.LOCK_UN)


@contextmanager
def _open_file(path: Path) -> Generator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


async def _join(users: int) -> None:
    """Register as a user. Wait while a keeper without users ends its mongod."""
    while not try_lock(users, fcntl.LOCK_SH):
        await asyncio.sleep(RETRY)


async def _attach(home: Home, program: Path) -> None:
    """Return once mongod accepts writes, whichever process started it."""
    await _ensure_keeper(home, program)
    while not await _is_ready(home):
        await asyncio.sleep(RETRY)
        await _ensure_keeper(home, program, again=True)


async def _is_ready(home: Home) -> bool:
    try:
        # The socket itself first: the client polls only every half second.
        _, writer = await asyncio.open_unix_connection(home.socket)
        writer.close()
        return await make_writable(home)
    except (OSError, PyMongoError) as error:
        log.debug("the embedded MongoDB is not ready: %s", error)
        return False


async def _ensure_keeper(home: Home, program: Path, *, again: bool = False) -> None:
    """Start a keeper if there is none. It inherits the lock, so that the lock is never free in between.

    Raise `SettingsError` if `again` and the last keeper has given up.
    """
    failure = home.path / keeper.FAILURE
    with _open_file(home.path / keeper.KEEPER_LOCK) as lock:
        if not try_lock(lock, fcntl.LOCK_EX):
            return
        if again and failure.exists():
            cause = find_cause(failure.read_text(), shutil.disk_usage(home.path).free)
            raise SettingsError(f"The embedded MongoDB does not start: {cause}")
        failure.unlink(missing_ok=True)
        command = [sys.executable, "-S", "-E", keeper.__file__, str(home.path), str(lock), *home.command(program)]
        nowhere = asyncio.subprocess.DEVNULL
        starter = await asyncio.create_subprocess_exec(
            *command, stdin=nowhere, stdout=nowhere, stderr=nowhere, pass_fds=(lock,), env=build_environment()
        )
        await starter.wait()  # it forks at once: this is not the keeper itself


async def _keep_attached(home: Home, program: Path) -> None:
    """Restart mongod if the keeper was killed, which kills mongod, too."""
    while True:
        await asyncio.sleep(WATCH)
        try:
            await _ensure_keeper(home, program)
        except OSError:
            log.warning("the keeper of the embedded MongoDB cannot be started", exc_info=True)
