"""Reading of files, each in a process of its own, which is killed when it takes too long."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import structlog
from pydantic import TypeAdapter, ValidationError

from app.core.errors import FileFault, FileRefused
from app.core.file_content import FileContent
from app.files.file_limits import OUT_OF_MEMORY, FileLimits
from app.processes import build_environment

COMMAND = (sys.executable, "-s", "-B", "-X", "utf8", "-m", "app.files.child")
FOLDER = Path(__file__).parents[2]
"""Folder that holds this program, from which the child imports it: it inherits no search path."""
AT_ONCE = 2
"""Files that are read at the same time; the others wait. Each may take all of the memory that one file may."""
CHUNK = 1 << 16
ANSWER_SPACE = 4_000_000
"""Bytes of an answer beside the text, of which one character takes up to 12 in JSON, and the file itself."""
BYTES_A_CHARACTER = 12
FAULTS_BY_SIGNAL = {
    signal.SIGALRM: FileFault.TOO_LONG_TO_READ,
    signal.SIGXCPU: FileFault.TOO_LONG_TO_READ,
    signal.SIGKILL: FileFault.TOO_MUCH_MEMORY,
}
"""The kernel kills with SIGKILL when the machine runs out of memory. Other signals are crashes of a parser."""
_CONTENT = TypeAdapter(FileContent)
log = structlog.get_logger(__name__)


class ProcessFileReader:
    """Reader of files that lives through whatever they contain."""

    def __init__(self, limits: FileLimits, command: Sequence[str] = COMMAND) -> None:
        self._limits = limits
        self._command = command
        self._places = asyncio.Semaphore(AT_ONCE)

    async def read(self, content: bytes, name: str) -> FileContent:
        """Return what the bytes say. Raise `FileRefused`.

        The time begins when it is this file's turn. If the caller is cancelled, the process is killed.
        """
        if not content:
            raise FileRefused(FileFault.EMPTY)
        if len(content) > self._limits.bytes:
            raise FileRefused(FileFault.TOO_LARGE, self._limits.bytes)
        async with self._places:
            return await self._ask(content, name)

    async def _ask(self, content: bytes, name: str) -> FileContent:
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                env=build_environment(),
                cwd=FOLDER,
                start_new_session=True,
            )
        except OSError as error:
            log.warning("file_reader_not_started", error=type(error).__name__, number=error.errno)
            raise FileRefused(FileFault.FAILED) from error
        try:
            async with asyncio.timeout(self._limits.seconds):
                request = json.dumps({"name": name, "limits": asdict(self._limits)}).encode() + b"\n"
                _, answer = await asyncio.gather(_send(process, request, content), self._receive(process))
                status = await process.wait()
        except TimeoutError as error:
            raise FileRefused(FileFault.TOO_LONG_TO_READ) from error
        finally:
            await _end(process)
        if status:
            raise FileRefused(_explain_end(status))
        return _read_answer(answer)

    async def _receive(self, process: Process) -> bytes:
        """Return the answer, up to the size that an honest one can have: the child may be in the hands of a file."""
        assert process.stdout
        limits = self._limits
        characters = max(limits.characters, limits.pages * limits.page_characters) * 2
        most = ANSWER_SPACE + characters * BYTES_A_CHARACTER + 2 * limits.bytes
        answer = bytearray()
        while piece := await process.stdout.read(CHUNK):
            answer += piece
            if len(answer) > most:
                raise FileRefused(FileFault.BROKEN)
        return bytes(answer)


async def _send(process: Process, *pieces: bytes) -> None:
    """Write all; a process that has ended early tells why by its status."""
    assert process.stdin
    with contextlib.suppress(ConnectionError):
        for piece in pieces:
            process.stdin.write(piece)
            await process.stdin.drain()
        process.stdin.close()


async def _end(process: Process) -> None:
    """Kill the process and what it may have started, and wait for its end.

    What it wrote last is read away: asyncio tells no end of a process before its pipes are empty.
    """
    assert process.stdout
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    while await process.stdout.read(CHUNK):
        pass
    await process.wait()


def _explain_end(status: int) -> FileFault:
    if status < 0:
        return FAULTS_BY_SIGNAL.get(signal.Signals(-status), FileFault.BROKEN)
    if status == OUT_OF_MEMORY:
        return FileFault.TOO_MUCH_MEMORY
    log.warning("file_reader_failed", code=status)
    return FileFault.FAILED


def _read_answer(answer: bytes) -> FileContent:
    """Return the content. Raise `FileRefused` with the fault that was found, or if this is no answer."""
    head, _, data = answer.partition(b"\n")
    try:
        told = json.loads(head)
        if "fault" in told:
            raise FileRefused(FileFault(told["fault"]), int(told["limit"]))
        return _CONTENT.validate_python({**told, "data": data})
    except (ValueError, TypeError, KeyError, RecursionError, ValidationError) as error:
        raise FileRefused(FileFault.BROKEN) from error
