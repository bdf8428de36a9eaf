"""Due schedules by the thousand, worked off by several processes on one MongoDB that are killed at bad moments.

A part of `make soak`. Each fourth job takes two runs, each fifth one comes again and was missed for days. The verdict
reads what people see, thread by thread: what each run has to say, once and in order; and what the program remembers:
that nothing is planned any more but what comes again, and that in the future.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.core.thread import ThreadKey
from app.playground.slack.values.model import Change, Channel, Message
from app.ports.store import Store
from handlers.slack import action_ids
from store.database.embedded import run_mongod
from tests import soak_jobs
from tests.crash.person import offers
from tests.crash.points import Point, Side
from tests.crash.stage import Stage, nursed, staging
from tests.crash.verdict import Kind, Wrong
from tests.flow.chat import text_of

PER_CHANNEL = 4
"""Jobs: a channel takes one post a second."""

PATIENCE, CALM = 3_600.0, 120.0  # seconds until all is said, and after which nothing may be under way any more
BEGUN = Point(Side.STORE, "conversations.save", "after")
"""Begun, and the model not asked: whoever begins the first run of all dies there, however few runs there are."""

MOMENTS = (
    Point(Side.STORE, "conversations.claim_some", "after"),  # claimed, and nothing done
    None,  # anywhere
    Point(Side.STORE, "conversations.claim_thread", "after"),  # the same, as soon as it was found due
    Point(Side.STORE, "inbox.take_in", "after"),  # found due, and nobody told
    BEGUN,
    None,
    Point(Side.MONGO, "update messages", "after"),  # the row saved, and the state not
    Point(Side.STORE, "conversations.record_draft", "before"),  # posted, and not noted where
    Point(Side.STORE, "conversations.save", "before", 2),
    Point(Side.STORE, "conversations.save", "after", 3),
    Point(Side.STORE, "inbox.close_rows", "before"),  # over, and its event still open
)
"""Where those die in turn that take the place of others: between claim and run, a run and its end, and at any time."""

WORD = re.compile(r"Job (\d+), run (\d)\.")

SETTINGS = {
    "LEASE_SECONDS": "3.0",
    "HEARTBEAT_SECONDS": "0.6",
    "WRITE_SECONDS": "1.5",
    "POLL_SECONDS": "0.5",
    "LOOK_SECONDS": "1.0",
    "TOKENS_PER_DAY": "0",
    "WORKSPACE_TOKENS_PER_DAY": "0",
}
"""All jobs are one person's, whose budget of a day would end before them."""


Progress = Callable[[int, int], None]
"""Told how many runs have been read, and of how many, whenever there is one more."""

STEPS = 20
"""How often it is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is asked of it."""

    jobs: int
    seed: int
    processes: int = 4
    runs_per_kill: int = 40


@dataclass(frozen=True, slots=True)
class Outcome:
    """What it came to: its figures and what is wrong."""

    table: dict[str, int]
    wrong: tuple[Wrong, ...]


@dataclass
class Jobs:
    """The threads in which something is planned, each with the words that are to be read in it."""

    stage: Stage
    plan: Plan
    progress: Progress
    threads: dict[ThreadKey, tuple[str, ...]] = field(default_factory=dict[ThreadKey, tuple[str, ...]])
    said: dict[ThreadKey, tuple[str, ...]] = field(default_factory=dict[ThreadKey, tuple[str, ...]])
    """What the runs have said so far."""
    kills: int = 0
    """How many were wanted so far."""
    _more: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.plan.seed)
        self.stage.claude.script.answer_always(soak_jobs.answer)
        self.stage.slack.workspace.watch(self._hear)

    def _hear(self, change: Change) -> None:
        """Read a thread again in which something has changed: there are too many to read them all."""
        message = getattr(change, "message", None)
        if message is None or not message.thread_ts:
            return
        thread = ThreadKey(team=self.stage.slack.team_id, channel=message.channel, root=message.thread_ts)
        if thread in self.threads:
            whole = [text_of(message) for message in self._seen(thread) if not _is_broken_off(message)]
            self.said[thread] = tuple(word for text in whole for word in _words(text))
            self._more.set()

    @property
    def expected(self) -> int:
        """How many runs there are."""
        return sum(map(len, self.threads.values()))

    async def plant(self, store: Store) -> None:
        """Plan every job, due at once."""
        owner = self.stage.slack.workspace.member("Maya")
        assert owner
        channels = [_channel(self.stage, number) for number in range(-(-self.plan.jobs // PER_CHANNEL))]
        for number in range(self.plan.jobs):
            channel = channels[number // PER_CHANNEL]
            thread = ThreadKey(team=self.stage.slack.team_id, channel=channel.id, root=_root(self.stage, channel))
            self.threads[thread] = soak_jobs.words_of(number)
            await soak_jobs.plan(store, thread, owner.id, number)
        for channel in channels:
            _let_the_bot_in(self.stage, channel)

    async def worked_off(self) -> None:
        """Wait until every run has said what it has to say; now and then a process dies."""
        async with asyncio.timeout(PATIENCE):
            while (said := sum(map(len, self.said.values()))) < self.expected:
                self.progress(said, self.expected)
                if said // self.plan.runs_per_kill > self.kills:
                    self.kills += 1
                    self._kill()
                self._more.clear()
                await self._more.wait()

    def _kill(self) -> None:
        """Let the next process die that comes to its moment; one that has none dies at once."""
        fearless = [each for each in self.stage.programs if each.point is None]
        if fearless:
            self.dice.choice(fearless).kill()
        else:
            self.stage.arm()

    def marked(self) -> int:
        """How many messages tell of a run that was broken off, whatever it had said."""
        return sum(_is_broken_off(message) for thread in self.threads for message in self._seen(thread))

    def _seen(self, thread: ThreadKey) -> list[Message]:
        return self.stage.slack.workspace.replies(thread.channel, thread.root)

    async def wrong(self, store: Store) -> list[Wrong]:
        """What is not as it should be."""
        found: list[Wrong] = []
        for number, (thread, expected) in enumerate(self.threads.items()):
            said = self.said.get(thread, ())
            if missing := set(expected) - set(said):
                found.append(Wrong(Kind.LOST, f"nobody has read {sorted(missing)}"))
            elif said != expected:
                found.append(Wrong(Kind.TWICE, f"{expected} was to be read, and this was: {said}"))
            now = await store.conversations.find(thread)
            if now is None or not soak_jobs.is_at_rest(now, number):
                found.append(Wrong(Kind.STRAY, f"the plan is not where {expected} should have left it"))
        return found


def _is_broken_off(message: Message) -> bool:
    """True if this says that it was interrupted: its run is made again, in a message of its own."""
    return offers(message, action_ids.RETRY)


def _words(text: str) -> list[str]:
    return [found[0] for found in WORD.finditer(text)]


def _channel(stage: Stage, number: int) -> Channel:
    """A channel in which we are not yet, so that nobody tells us of what is written there now."""
    workspace = stage.slack.workspace
    people = tuple(each.id for each in workspace.members.values() if not each.is_bot)
    return workspace.add_channel(Channel(workspace.mint.id("C"), f"jobs-{number}", "channel", people, 0))


def _root(stage: Stage, channel: Channel) -> str:
    workspace = stage.slack.workspace
    return workspace.post(Message(channel.id, workspace.mint.ts(), channel.members[0], "Please do this.")).ts


def _let_the_bot_in(stage: Stage, channel: Channel) -> None:
    workspace = stage.slack.workspace
    workspace.channels[channel.id] = replace(channel, members=(*channel.members, workspace.app.user.id))


def _moments(stage: Stage) -> Iterator[Point | None]:
    """Where those die that take the place of others. After the first another dies, at the latest over what it left."""
    stage.arm()
    yield from itertools.cycle(MOMENTS)


def _quietly(_said: int, _expected: int) -> None:
    """For who is not interested."""


async def run(plan: Plan, mongo_uri: str, folder: Path, progress: Progress = _quietly) -> Outcome:
    """Plan the jobs, start the processes, and wait until all is done."""
    settings = {f"THREADWISE_{name}": value for name, value in SETTINGS.items()}
    async with staging(mongo_uri, folder, settings=settings, limits=False) as stage, stage.store() as store:
        jobs = Jobs(stage, plan, progress)
        await jobs.plant(store)
        stage.wanted, stage.points = plan.processes, _moments(stage)
        stage.arm()
        began = time.monotonic()
        await asyncio.gather(*(stage.start(BEGUN) for _ in range(plan.processes)))
        async with nursed(stage):
            troubles: list[Wrong] = []
            try:
                await jobs.worked_off()
            except TimeoutError:
                troubles.append(Wrong(Kind.LOST, "not all was said in time"))
            seconds = round(time.monotonic() - began)
            troubles += await stage.rests(CALM)
            troubles += await jobs.wrong(store)
        return Outcome(_table(jobs, troubles, seconds, await stage.open_leases()), tuple(troubles))


async def run_alone(plan: Plan, folder: Path) -> Outcome:
    """The same on a MongoDB of its own, in a folder that is made; tells on stderr how far it is."""
    folder.mkdir()
    async with run_mongod(folder) as uri:
        return await run(plan, uri, folder, _showing())


def _showing() -> Progress:
    began, shown = time.monotonic(), 0

    def show(said: int, expected: int) -> None:
        nonlocal shown
        if said * STEPS // expected > shown:
            shown = said * STEPS // expected
            print(f"{said:>6} of {expected} runs, {time.monotonic() - began:>4.0f} s", file=sys.stderr, flush=True)

    return show


def _table(jobs: Jobs, wrong: list[Wrong], seconds: int, leases: int) -> dict[str, int]:
    kinds = Counter(each.kind for each in wrong)
    logs = "".join(log.read_text() for log in jobs.stage.folder.glob("*.log"))
    return {
        "seed": jobs.plan.seed,
        "processes": jobs.plan.processes,
        "seconds": seconds,
        "due jobs": jobs.plan.jobs,
        "runs": jobs.expected,
        "processes killed": jobs.stage.kills,
        "at bad moments": sum(point is not None for point in jobs.stage.killed_at),
        "runs taken over": logs.count('"turn_taken_over"'),
        "marked": jobs.marked(),
        "lost": kinds[Kind.LOST],
        "twice": kinds[Kind.TWICE],
        "stray": kinds[Kind.STRAY],
        "open leases": leases,
    }
