"""The program in operating-system processes, forked from a server that has it imported: a start takes milliseconds."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, ForkServerProcess

from tests.crash.child import Orders, serve
from tests.crash.points import Point

START_SECONDS = 120.0


def _fork_server() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.crash.child", "tests.crash.preloaded"])
    return context


CONTEXT = _fork_server()


class Program:
    """One process of the program."""

    def __init__(self, process: ForkServerProcess, line: Connection, point: Point | None) -> None:
        self._process, self._line, self.point = process, line, point
        self.ended = asyncio.Event()
        self.port = 0
        """Where it hears Slack's HTTP requests."""
        asyncio.get_running_loop().add_reader(process.sentinel, self._has_ended)

    @classmethod
    async def started(cls, orders: Orders) -> Program:
        """Start a process. Raises `RuntimeError` with its log if it ends before it serves."""
        ours, theirs = CONTEXT.Pipe()
        process = CONTEXT.Process(target=serve, args=(orders, theirs), daemon=True)
        process.start()
        theirs.close()
        program = cls(process, ours, orders.point)
        try:
            async with asyncio.timeout(START_SECONDS):
                await program._serves()
        except (EOFError, ConnectionError) as error:
            await program.ended.wait()
            if process.exitcode and process.exitcode > 0:
                raise RuntimeError((orders.folder / orders.log).read_text()) from error
        return program

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def was_killed(self) -> bool:
        """True if it ended as by `kill`; False if it runs or ended otherwise."""
        return self._process.exitcode == -signal.SIGKILL

    def kill(self) -> None:
        """End it as a power failure would."""
        if not self.ended.is_set():
            self._process.kill()

    async def close(self) -> None:
        """End it politely, or else after a while not."""
        self._line.close()
        try:
            async with asyncio.timeout(5):
                await self.ended.wait()
        except TimeoutError:
            self.kill()
            await self.ended.wait()

    async def _serves(self) -> None:
        readable = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_reader(self._line.fileno(), readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(self._line.fileno())
        self.port = self._line.recv()

    def _has_ended(self) -> None:
        asyncio.get_running_loop().remove_reader(self._process.sentinel)
        self._process.join()
        self.ended.set()
