"""A workspace, a model and a database, with the program in processes of its own that may be killed at any time."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from typing import Any

from aiohttp import ClientError
from pydantic import SecretStr
from pymongo import AsyncMongoClient, MongoClient

from app.clock import SystemClock
from app.playground.claude import ClaudePlayground
from app.playground.slack import SlackOptions, SlackPlayground
from app.ports.store import Store
from app.wiring import connect_store
from handlers.slack.manifest import BOT_EVENTS, SCOPES
from store.crypto.cipher import MasterKeys
from tests.crash.child import Orders
from tests.crash.points import Point
from tests.crash.processes import Program
from tests.crash.tripwire import disarm
from tests.crash.verdict import Kind, Wrong
from tests.flow.chat import unread_settings
from tests.flow.process import QUICKLY
from tests.mongo import lent_database
from tests.wrapped import secrets_dir

Document = dict[str, Any]
START_ATTEMPTS, HEAR_ATTEMPTS = 5, 20
STALE = 0.02  # seconds between looks at the database, which nobody tells us of


@dataclass
class Stage:
    """Everything the program lives in. `environment` is what its processes are started with."""

    slack: SlackPlayground
    claude: ClaudePlayground
    environment: dict[str, str]
    folder: Path
    http: bool
    mongo: AsyncMongoClient[Document]
    programs: list[Program] = field(default_factory=list[Program])
    wanted: int = 1
    """How few processes there may be before one is started in the place of one that died."""
    points: Iterator[Point | None] = field(default_factory=lambda: repeat(None))
    """Where those die that are started in place of others."""
    starts: int = 0
    killed_at: list[Point | None] = field(default_factory=list[Point | None])
    """The points of the processes that were killed; None of one without a point."""
    retries: int = 0
    """How often somebody had to press *Retry*."""

    @property
    def kills(self) -> int:
        """How many processes were killed."""
        return len(self.killed_at)

    @property
    def armed(self) -> bool:
        """True while a point waits for its call."""
        return self._orders().armed.exists()

    def arm(self) -> None:
        """From now on calls are counted."""
        self._orders().armed.touch()

    def disarm(self) -> bool:
        """Calls are counted no longer; False if they were not."""
        return disarm(self._orders().armed)

    def taped(self) -> list[str]:
        """What was called while a tape was armed."""
        tape = self._orders().taped
        return tape.read_text().splitlines() if tape.exists() else []

    async def start(self, point: Point | None = None, *, tape: bool = False) -> None:
        """Start a process that dies at this point, and let Slack know where it is.

        While MongoDB or Slack are away none comes up, so it is tried a few times.
        """
        program = await self._come_up(point, tape=tape)
        self.programs.append(program)
        if self.http and not program.ended.is_set():
            await self._hear(program)

    async def _come_up(self, point: Point | None, *, tape: bool) -> Program:
        attempts = 0
        while True:
            self.starts, attempts = self.starts + 1, attempts + 1
            try:
                return await Program.started(self._orders(point, tape=tape))
            except RuntimeError:
                if attempts == START_ATTEMPTS:
                    raise

    async def replace_the_dead(self) -> None:
        """Start a process for each one too few, until cancelled. Raises `AssertionError` if one ended by itself."""
        while True:
            deaths = [asyncio.ensure_future(program.ended.wait()) for program in self.programs]
            try:
                await asyncio.wait(deaths, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for death in deaths:
                    death.cancel()
            for dead in [program for program in self.programs if program.ended.is_set()]:
                assert dead.was_killed, f"a process ended by itself; its log is in {self.folder}"
                self.programs.remove(dead)
                self.killed_at.append(dead.point)
            while len(self.programs) < self.wanted:
                await self.start(next(self.points))
            if self.http:
                await self._hear(self.programs[0])

    async def _hear(self, program: Program) -> None:
        """Have Slack deliver to this process. Its challenge must be answered in 3 of Slack's seconds: on a busy
        machine that may take a few tries.
        """
        for attempt in range(1, HEAR_ATTEMPTS + 1):
            try:
                await self.slack.subscribe(f"http://127.0.0.1:{program.port}/slack/events")
            except (TimeoutError, ClientError):
                if attempt == HEAR_ATTEMPTS and not program.ended.is_set():
                    raise
            else:
                return

    async def kill_holder(self) -> None:
        """Kill the process that holds a conversation: the name of a holder begins with its process id."""
        held = await self.database.conversations.find_one({"holder": {"$exists": True}}, sort=[("lease_until", -1)])
        pid = int(held["holder"].partition("-")[0]) if held else 0
        next((program for program in self.programs if program.pid == pid), self.programs[0]).kill()

    @asynccontextmanager
    async def store(self) -> AsyncGenerator[Store]:
        """The store of its processes, opened here."""
        given = self.environment
        values = {
            "mongodb_uri": SecretStr(given["MONGODB_URI"]),
            "master_key": SecretStr(given["THREADWISE_MASTER_KEY"]),
            "database": given["THREADWISE_DATABASE"],
        }
        async with connect_store(unread_settings(values), SystemClock()) as store:
            yield store

    @property
    def database(self) -> Any:
        """The program's database."""
        return self.mongo[self.environment["THREADWISE_DATABASE"]]

    async def open_rows(self) -> int:
        """How many events are not finished with."""
        return await self.database.inbox.count_documents({"state": {"$ne": "done"}})

    async def open_leases(self) -> int:
        """How many conversations somebody holds."""
        query = {"$expr": {"$gt": ["$lease_until", "$$NOW"]}}
        return await self.database.conversations.count_documents(query)

    def undelivered(self) -> int:
        """How many events and clicks Slack has neither got through nor given up."""
        journal = self.slack.journal
        over = {entry["name"] for kind in ("ack", "lost") for entry in journal.of(kind)}
        return len({entry["name"] for entry in journal.of("delivery")} - over)

    def takeovers(self) -> int:
        """How often a process went on where another one had died or had lost its lease, by the processes' logs."""
        return sum(log.read_text().count('"turn_taken_over"') for log in self.folder.glob("*.log"))

    async def rests(self, patience: float) -> tuple[Wrong, ...]:
        """Wait until nothing is under way, in Slack or in the database; say what still is when patience ends."""
        try:
            async with asyncio.timeout(patience):
                while await self.open_rows() or await self.open_leases() or self.undelivered():
                    await asyncio.sleep(STALE)
        except TimeoutError:
            rows, leases, events = await self.open_rows(), await self.open_leases(), self.undelivered()
            still = f"{rows} inbox rows, {leases} leases and {events} deliveries are still open"
            return (Wrong(Kind.LOST, still),)
        return ()

    def refused(self) -> tuple[Wrong, ...]:
        """What the strict model refused: a history that the API would not take."""
        entries = self.claude.journal.of("refused")
        return (Wrong(Kind.STRAY, f"the model refused {len(entries)} requests"),) if entries else ()

    def _orders(self, point: Point | None = None, *, tape: bool = False) -> Orders:
        return Orders(
            environment=self.environment,
            folder=self.folder,
            log=f"{self.starts}.log",
            http=self.http,
            point=point,
            tape=tape,
        )


@asynccontextmanager
async def nursed(stage: Stage) -> AsyncGenerator[None]:
    """Replace the dead for the length of the block, which ends at once with what went wrong if that fails."""
    async with asyncio.TaskGroup() as group:
        nurse = group.create_task(stage.replace_the_dead())
        yield
        nurse.cancel()


@asynccontextmanager
async def staging(
    mongo_uri: str, folder: Path, *, http: bool = False, settings: dict[str, str] | None = None, **options: Any
) -> AsyncGenerator[Stage]:
    """Set the stage. `options` go to the playground's Slack, `settings` to the program's environment."""
    folder.mkdir(exist_ok=True)
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)  # a client that dies in mid-request is no error here
    async with AsyncExitStack() as stack:
        claude = ClaudePlayground()
        await claude.start()
        stack.push_async_callback(claude.stop)
        chosen: dict[str, Any] = {
            "time_scale": 20.0,
            "delivery": "http" if http else "socket",
            "scopes": frozenset(SCOPES),
            "events": frozenset(BOT_EVENTS),
            **options,
        }
        slack = SlackPlayground(SlackOptions(**chosen))
        await slack.start()
        stack.push_async_callback(slack.stop)
        emptied = stack.enter_context(MongoClient[Document](mongo_uri))
        database = stack.enter_context(lent_database(emptied, mongo_uri))
        environment = {**_environment(slack, claude, mongo_uri, database), **(settings or {})}
        mongo = await stack.enter_async_context(AsyncMongoClient[Document](mongo_uri))
        stage = Stage(slack, claude, environment, folder, http, mongo)
        try:
            yield stage
        finally:
            await asyncio.gather(*(program.close() for program in stage.programs))


def _environment(slack: SlackPlayground, claude: ClaudePlayground, mongo_uri: str, database: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "AUTONOMOUS_LOOP": "true",
        "HOME": os.environ.get("HOME", "/"),
        "SLACK_API_URL": slack.api_url,
        "SLACK_BOT_TOKEN": slack.bot_token,
        "SLACK_APP_TOKEN": slack.app_token,
        "SLACK_SIGNING_SECRET": slack.signing_secret,
        "ANTHROPIC_BASE_URL": claude.url,
        "ANTHROPIC_API_KEY": claude.api_key,
        "MONGODB_URI": mongo_uri,
        "THREADWISE_SECRETS_DIR": str(secrets_dir()),
        "THREADWISE_MASTER_KEY": MasterKeys.generate(),
        "THREADWISE_DATABASE": database,
        "THREADWISE_HTTP_PORT": "0",
        "THREADWISE_LOOK_SECONDS": "0.5",
        **QUICKLY,
    }
