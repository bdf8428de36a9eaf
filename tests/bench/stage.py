"""One workspace with one bot in it: the playgrounds run here, the bot is a child process with a clean environment."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

from app.playground.claude import ClaudePlayground, Exchange, Turn
from app.playground.slack import SlackOptions, SlackPlayground
from app.playground.slack.values.model import Channel
from store.database import keeper
from tests.bench import bare
from tests.bench.answers import AT_ONCE, Answer
from tests.bench.child import Child, running_python
from tests.bench.sight import Sight
from tests.flow.chat import UNLIMITED
from tests.wrapped import secrets_dir

WHO = "Maya"
WRITES = ("chat.postMessage", "chat.update")
REST_SECONDS = 0.3
PATIENCE = 60.0
LIMITS_OFF = {f"THREADWISE_{name.upper()}": str(value) for name, value in UNLIMITED.items()}
"""One person asks everything here, faster than any person may."""
BUDGETS = ("TOKENS_PER_DAY", "WORKSPACE_TOKENS_PER_DAY", "DOLLARS_PER_DAY")
BUDGETS_OFF = {f"THREADWISE_{name}": "0" for name in BUDGETS}
"""Twenty answers of one person at once reserve more than a person's day."""


@dataclass(frozen=True, slots=True)
class Bot:
    """Who is measured: how it is started, and the line that says it is ready."""

    name: str
    arguments: tuple[str, ...]
    ready: str


OURS = Bot("Threadwise", ("-m", "app", "run"), "Threadwise serves")
BARE = Bot("bare loop", ("-m", "tests.bench.bare"), bare.READY)
BOTS = (OURS, BARE)


@dataclass(frozen=True, slots=True)
class Lab:
    """What all stages of a run share. `quick` asks for a smoke run, whose figures mean little."""

    folder: Path
    mongo_uri: str
    master_key: str
    quick: bool

    @property
    def mongod(self) -> Child:
        """MongoDB's own process."""
        return Child(int((self.folder / "mongodb" / keeper.DATA / "mongod.lock").read_text()))


@dataclass(frozen=True, slots=True)
class Timed:
    """One answer in seconds; `missing` counts the words that were not shown when patience ended."""

    asked: float
    """From the person's message to the request at the model's door."""
    first_text: float
    """From the first delta that left the model to the first words in Slack."""
    end_lag: float
    """From the end of the model's stream to the whole answer in Slack."""
    missing: int


@dataclass
class Stage:
    """A bot's workspace and model. `latency` is what Slack takes for a call; it may be changed between turns."""

    slack: SlackPlayground
    claude: ClaudePlayground
    latency: dict[str, float]
    database: str = field(default_factory=lambda: f"bench_{uuid4().hex[:12]}")
    child: Child | None = None
    _numbers: count[int] = field(default_factory=lambda: count(1_000))

    @property
    def bot(self) -> Child:
        """The process, once it runs."""
        assert self.child is not None
        return self.child

    def channels(self, number: int) -> list[str]:
        """Make that many channels with everybody in them, and give their ids."""
        workspace, members = self.slack.workspace, tuple(self.slack.workspace.members)
        names = [f"bench-{next(self._numbers)}" for _ in range(number)]
        ids = [workspace.mint.id("C") for _ in names]
        for id_, name in zip(ids, names, strict=True):
            workspace.add_channel(Channel(id_, name, "channel", members, int(time.time())))
        return ids

    def says(self, turn: Turn) -> None:
        """Let the model say this to everybody from now on."""
        self.claude.script.answer_always(lambda _: turn)

    async def turn(self, answer: Answer, channel: str, thread: str = "", patience: float = PATIENCE) -> Timed:
        """Ask, in a thread of ours or with a mention in a new one, and time the answer."""
        said_at, words = time.time(), f"please, number {next(self._numbers)}."
        text = words if thread else f"@Threadwise {words}"
        ts = await self.slack.people.says(WHO, channel, text, thread or None)
        sight = Sight(self.slack, channel, thread or ts, answer)
        with suppress(TimeoutError):
            await asyncio.wait_for(sight.whole.wait(), patience)
        sight.close()
        exchange = self.exchange(words)
        await exchange.ended.wait()
        first_sent_at, ended_at = exchange.first_sent_at or said_at, exchange.ended_at or said_at
        return Timed(
            asked=exchange.at - said_at,
            first_text=(sight.first_at or time.time()) - first_sent_at,
            end_lag=max(0.0, (sight.whole_at or time.time()) - ended_at),
            missing=sight.missing,
        )

    def exchange(self, words: str) -> Exchange:
        """The newest request to the model that asks in these words."""
        asked = (e for e in reversed(self.claude.requests) if words in e.prompt.last_user_text)
        found = next(asked, None)
        assert found is not None, f"the model was never asked {words!r}"
        return found

    def writes(self) -> list[dict[str, Any]]:
        """The journal's entries of the posts and edits so far, those that were refused among them."""
        return [entry for entry in self.slack.journal.of("call") if entry["method"] in WRITES]

    async def rest(self) -> None:
        """Let the bot close its books after the last word: it may take its button away and say that it is done."""
        await asyncio.sleep(REST_SECONDS + 2 * self.latency["*"])

    async def warm_up(self) -> None:
        """Have one answer given, so that what is made once is made."""
        self.says(AT_ONCE.turn())
        await self.turn(AT_ONCE, self.channels(1)[0])
        await self.rest()


@asynccontextmanager
async def prepared(latency: float = 0.0, **options: Any) -> AsyncGenerator[Stage]:
    """A stage without its bot. `options` go to the playground's Slack."""
    calls = {"*": latency}
    stage = Stage(SlackPlayground(SlackOptions(latency=calls, **options)), ClaudePlayground(), calls)
    async with AsyncExitStack() as stack:
        for playground in (stage.claude, stage.slack):
            await playground.start()
            stack.push_async_callback(playground.stop)
        yield stage


@asynccontextmanager
async def at_work(stage: Stage, bot: Bot, lab: Lab, **more: str) -> AsyncGenerator[Stage]:
    """Let a bot work on the stage for the length of the block; `more` goes to its environment."""
    environment = {
        "SLACK_API_URL": stage.slack.api_url,
        "SLACK_BOT_TOKEN": stage.slack.bot_token,
        "SLACK_APP_TOKEN": stage.slack.app_token,
        "SLACK_SIGNING_SECRET": stage.slack.signing_secret,
        "ANTHROPIC_BASE_URL": stage.claude.url,
        "ANTHROPIC_API_KEY": stage.claude.api_key,
        "THREADWISE_MASTER_KEY": lab.master_key,
        "THREADWISE_DATA_DIR": str(lab.folder),
        "THREADWISE_SECRETS_DIR": str(secrets_dir()),
        "THREADWISE_DATABASE": stage.database,
        "AUTONOMOUS_LOOP": "true",
        **LIMITS_OFF,
        **BUDGETS_OFF,
        **more,
    }
    log = lab.folder / f"{uuid4().hex}.log"
    async with running_python(bot.arguments, environment, bot.ready, log) as stage.child:
        yield stage


@asynccontextmanager
async def both_at_work(lab: Lab, latency: float = 0.0, **options: Any) -> AsyncGenerator[Mapping[Bot, Stage]]:
    """Each bot on a stage of its own, warmed up."""
    async with AsyncExitStack() as stack:

        async def begun(bot: Bot) -> Stage:
            stage = await stack.enter_async_context(prepared(latency, **options))
            await stack.enter_async_context(at_work(stage, bot, lab))
            await stage.warm_up()
            return stage

        yield dict(zip(BOTS, await asyncio.gather(*map(begun, BOTS)), strict=True))
