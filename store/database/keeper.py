"""The keeper: a program that runs mongod for as long as a process uses it, started by `store.database.embedded`.

It runs as plain `python -S -E`, so it imports the standard library only (12 MB). It neither polls nor trusts process
ids. Every user holds a shared lock on one file, and the keeper waits for the exclusive one. The kernel grants it when
the last user has ended, killed or not. Knows nothing of MongoDB but that it holds a lock on its data.
"""

from __future__ import annotations

import ctypes
import fcntl
import functools
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

USERS_LOCK = "users.lock"
"""Held shared by every process that uses mongod, and exclusively by the keeper once there are none."""
KEEPER_LOCK = "keeper.lock"
"""Held exclusively by the process that starts the keeper, then by the keeper. Free if and only if there is none."""
DATA = "db"
LOG = "mongod.log"
FAILURE = "failure.txt"
"""Output of mongod before the keeper gave up; absent otherwise."""

PR_SET_PDEATHSIG = 1
HEALTHY = 10.0  # seconds a mongod must have lived for its end not to count as a failed start
TRIES = 4  # failed starts in a row; the keeper gives up after about a second, and its users may start another
FIRST_WAIT = 0.1  # seconds before the second try, doubled before each of the next
LOG_LIMIT = 16 * 2**20  # bytes at which a starting mongod begins a new log; nothing else shortens it
OUTPUT_LIMIT = 2**16  # bytes of a failed start's output that are kept


class Keeper:
    """Supervisor of the command: runs it, and restarts it if it ends, until no user is left."""

    def __init__(self, home: Path, command: list[str]) -> None:
        self._home = home
        self._command = command
        self._libc = ctypes.CDLL(None) if sys.platform == "linux" else None
        self._child: subprocess.Popen[bytes] | None = None
        self._alone = threading.Event()

    def run(self) -> None:
        """Return when the last user has left or mongod cannot be started. mongod has ended by then."""
        threading.Thread(target=self._leave_with_the_last_user, daemon=True).start()
        failures, wait, output = 0, 0.0, b""
        while failures < TRIES and not self._alone.wait(wait):
            self._wait_for_data()
            started = time.monotonic()
            output = self._run_once()
            failures = failures + 1 if time.monotonic() - started < HEALTHY else 0
            wait = FIRST_WAIT * 2 ** (failures - 1) if failures else 0.0
        if not self._alone.is_set():
            (self._home / FAILURE).write_bytes(output)

    def _leave_with_the_last_user(self) -> None:
        # Never closed: the lock must outlive the keeper's other one, or a new user could find a keeper that is leaving.
        users = os.open(self._home / USERS_LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(users, fcntl.LOCK_EX)
        self._alone.set()
        if self._child:
            self._child.terminate()

    def _wait_for_data(self) -> None:
        """Wait until the mongod of a killed keeper has shut down and released its data."""
        with (self._home / DATA / "mongod.lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)

    def _run_once(self) -> bytes:
        path = self._home / LOG
        with path.open("wb" if path.exists() and path.stat().st_size > LOG_LIMIT else "ab") as log:
            start = log.tell()
            tie = functools.partial(self._tie_to, os.getpid())
            try:
                # In the main OS thread: Linux sends the death signal when the *thread* that forked ends.
                self._child = subprocess.Popen(
                    self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=tie
                )
            except OSError as error:
                return str(error).encode()
        if self._alone.is_set():  # it may have been set before there was a child to terminate
            self._child.terminate()
        self._child.wait()
        with path.open("rb") as log:
            log.seek(start)
            return log.read(OUTPUT_LIMIT)

    def _tie_to(self, keeper: int) -> None:
        """Ask the kernel, in the child, for SIGTERM when the keeper dies."""
        if self._libc:
            self._libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
            if os.getppid() != keeper:  # it died before the kernel was asked
                os._exit(1)


def main(home: str, lock: str, *command: str) -> None:
    """Become a daemon and keep `command` running. `lock` is the inherited descriptor of the keeper's lock."""
    if os.fork():
        os._exit(0)  # the starting process can reap this one at once
    os.setsid()  # Ctrl-C in the terminal of one user is not meant for mongod
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # for mongod, too, which inherits it with the environment
    Keeper(Path(home), list(command)).run()
    os.close(int(lock))


if __name__ == "__main__":
    main(*sys.argv[1:])
