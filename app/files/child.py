"""The process that reads one file: it binds itself by limits, reads from standard input, answers, and ends.

Standard input holds one line of JSON (name and limits) and then the file, up to its end. The answer is one line of
JSON, and behind it the bytes of an image or PDF. The parent knows no more of it than that: see `process_reader`.
"""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import json
import math
import os
import resource
import signal
import sys
from typing import BinaryIO

from app.core.errors import FileRefused
from app.files.file_limits import OUT_OF_MEMORY, FileLimits
from app.files.parsing import parse_file

FILES = 64
"""Open files: those that Python has while it imports."""
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38


def bind(limits: FileLimits) -> None:
    """Limit this process for good: its memory and time, no file to write, no further process, no end after its parent.

    The clock is stopped by the kernel as well as by the parent, which may be killed meanwhile.
    """
    for kind, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, math.ceil(limits.seconds) + 1),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        _lower(kind, most)
    signal.setitimer(signal.ITIMER_REAL, limits.seconds + 1)
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def answer(asked: BinaryIO, given: BinaryIO) -> None:
    """Read one file and write what came of it: its content, or the fault."""
    request = json.loads(asked.readline())
    limits = FileLimits(**request["limits"])
    bind(limits)
    try:
        found = parse_file(asked.read(), request["name"], limits)
    except FileRefused as error:
        given.write(json.dumps({"fault": error.reason, "limit": error.limit}).encode() + b"\n")
        return
    head = {field.name: getattr(found, field.name) for field in dataclasses.fields(found) if field.name != "data"}
    given.write(json.dumps(head).encode() + b"\n")
    given.write(found.data)


def _lower(kind: int, most: int) -> None:
    """Set a limit, unless a lower one holds already. Systems other than Linux may not know all of them."""
    hard = resource.getrlimit(kind)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(*(() if sys.platform == "linux" else (ValueError, OSError))):
        # Of time, the lower limit ends a process by a signal that says so, and the upper one by SIGKILL.
        resource.setrlimit(kind, (most - 1 if kind == resource.RLIMIT_CPU else most, most))


if __name__ == "__main__":
    try:
        answer(sys.stdin.buffer, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
