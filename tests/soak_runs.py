"""Due schedules by the thousand, worked off by several processes on one MongoDB that are killed at random.

A part of `make soak`. Each fourth job takes two runs. The verdict reads what people see, thread by thread: what each
run has to say, once and in order; and what the program remembers: that nothing is planned any more.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import SecretStr

from app.clock import SystemClock
from app.core.events import MessagePosted
from app.core.model import Conversation, Step
from app.core.schedule import Schedule, ScheduleKind
from app.core.states import Lifecycle, Status
from app.core.thread import ThreadKey
from app.playground.claude import Prompt, ToolCall, Turn
from app.playground.slack.model import Channel, Message
from app.wiring import opened_store
from store.embedded import embedded
from store.store import Store
from tests.crash.stage import Stage, nursed, staging
from tests.crash.verdict import Kind, Wrong
from tests.flow.chat import text_of, unread_settings

PER_CHANNEL = 4
"""Jobs: a channel takes one post a second."""

LEASE = 60.0  # seconds for which a conversation is held while it is planted
PATIENCE, CALM = 1_800.0, 120.0  # seconds until all is said, and after which nothing may be under way any more
GLANCE = 0.05  # seconds between looks at what was said
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
    threads: dict[ThreadKey, tuple[str, ...]] = field(default_factory=dict[ThreadKey, tuple[str, ...]])

    def __post_init__(self) -> None:
        self.dice = random.Random(self.plan.seed)
        self.stage.claude.script.answer_always(_answer)

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
            runs = 1 + (number % 4 == 0)
            self.threads[thread] = tuple(f"Job {number}, run {run}." for run in range(1, runs + 1))
            await _plan(store, thread, owner.id, f"Job {number}.")
        for channel in channels:
            _let_the_bot_in(self.stage, channel)

    async def worked_off(self) -> None:
        """Wait until every run has said what it has to say, and kill a process now and then."""
        async with asyncio.timeout(PATIENCE):
            while (said := sum(map(len, self.said().values()))) < self.expected:
                if said // self.plan.runs_per_kill > self.stage.kills and self.stage.programs:
                    self.dice.choice(self.stage.programs).kill()
                await asyncio.sleep(GLANCE)

    def said(self) -> dict[ThreadKey, tuple[str, ...]]:
        """What the runs have said so far."""
        return {thread: tuple(word for text in self._seen(thread) for word in _words(text)) for thread in self.threads}

    def marked(self) -> int:
        """How many messages tell of a run that was broken off."""
        return sum(not _words(text) for thread in self.threads for text in self._seen(thread))

    def _seen(self, thread: ThreadKey) -> list[str]:
        return [text_of(each) for each in self.stage.slack.workspace.replies(thread.channel, thread.root)]

    async def wrong(self, store: Store) -> list[Wrong]:
        """What is not as it should be."""
        found: list[Wrong] = []
        said = self.said()
        for thread, expected in self.threads.items():
            if missing := set(expected) - set(said[thread]):
                found.append(Wrong(Kind.LOST, f"nobody has read {sorted(missing)}"))
            elif said[thread] != expected:
                found.append(Wrong(Kind.TWICE, f"{expected} was to be read, and this was: {said[thread]}"))
            now = await store.conversations.find(thread)
            if now is None or (now.status, now.schedule) != (Status.ACTIVE, None):
                found.append(Wrong(Kind.STRAY, f"something is still planned where {expected} was to be read"))
        return found


def _answer(prompt: Prompt) -> Turn:
    """What a run says: the job's number, and which of its runs this is."""
    asked = prompt.last_user_text
    job = re.search(r"Job (\d+)\.", asked)
    assert job, "only jobs are asked of this model"
    number, goes_on = int(job[1]), '"ran": 1' in asked
    message = f"Job {number}, run {1 + goes_on}."
    if number % 4 or goes_on:
        return Turn(parts=[ToolCall("complete_work", {"message": message})])
    return Turn(parts=[ToolCall("continue_work", {"message": message, "state_update": {"ran": 1}})])


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


async def _plan(store: Store, thread: ThreadKey, owner: str, instruction: str) -> None:
    """Begin a conversation in which this is planned, and nothing else was ever said."""
    receipt = f"planted:{thread.channel}:{thread.root}"
    opener = MessagePosted(
        receipt=receipt, thread=thread, ts=thread.root, user=owner, text=instruction, opens=True, addressed=True
    )
    await store.inbox.take_in(opener)
    stub = await store.conversations.claim(thread.team, "planting", LEASE, ())
    assert stub is not None
    assert stub.thread == thread, "nobody else is at work yet"
    planned = await store.conversations.save(Step(conversation=_planned(stub, instruction)))
    await store.inbox.done([receipt])
    await store.conversations.release(planned)


def _planned(stub: Conversation, instruction: str) -> Conversation:
    schedule = Schedule(kind=ScheduleKind.IMMEDIATE, zone="UTC", instruction=instruction)
    return replace(
        stub,
        lifecycle=Lifecycle.IN_PROGRESS,
        status=Status.BACKGROUND,
        schedule=schedule,
        next_run=SystemClock().now().isoformat(),
    )


@asynccontextmanager
async def _store(stage: Stage) -> AsyncGenerator[Store]:
    """The store of the processes, opened here."""
    given = stage.environment
    values = {
        "mongodb_uri": SecretStr(given["MONGODB_URI"]),
        "master_key": SecretStr(given["THREADWISE_MASTER_KEY"]),
        "database": given["THREADWISE_DATABASE"],
    }
    async with opened_store(unread_settings(values), SystemClock()) as store:
        yield store


async def run(plan: Plan, mongo_uri: str, folder: Path) -> Outcome:
    """Plan the jobs, start the processes, and wait until all is done."""
    settings = {f"THREADWISE_{name}": value for name, value in SETTINGS.items()}
    async with staging(mongo_uri, folder, settings=settings, limits=False) as stage, _store(stage) as store:
        jobs = Jobs(stage, plan)
        await jobs.plant(store)
        stage.wanted = plan.processes
        began = time.monotonic()
        await asyncio.gather(*(stage.start() for _ in range(plan.processes)))
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
    """The same on a MongoDB of its own, in a folder that is made."""
    folder.mkdir()
    async with embedded(folder) as uri:
        return await run(plan, uri, folder)


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
        "runs taken over": logs.count('"turn_taken_over"'),
        "marked": jobs.marked(),
        "lost": kinds[Kind.LOST],
        "twice": kinds[Kind.TWICE],
        "stray": kinds[Kind.STRAY],
        "open leases": leases,
    }
