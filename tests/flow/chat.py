"""A whole conversation through the real program: real Bolt, real Anthropic SDK, real MongoDB, over sockets.

Tests read like a chat: `await chat.says("hi")`, `await chat.sees("hello")`.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import tempfile
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from pymongo import MongoClient

from app.agent.prompt import SYSTEM
from app.agent.thread_summary import SYSTEM as SUMMARY_PROMPT
from app.agent.tools.context import Offer
from app.agent.tools.conversation.thread_toolset import SPECS
from app.agent.tools.external.discovery import EXTERNAL_TOOLS, select_tools
from app.cli.demo.served_demo import build_registration
from app.core.conversation.conversation import Conversation
from app.core.conversation.transition import QUEUED
from app.core.thread import ThreadKey
from app.core.turns.history import CHARS_PER_TOKEN
from app.playground.claude import ClaudePlayground, Gate, Turn
from app.playground.claude.api.prompt import Prompt
from app.playground.slack import SlackOptions, SlackPlayground
from app.playground.slack.people.people import PATIENCE
from app.playground.slack.values.model import File, Message
from app.ports.store import Store
from app.settings import Settings
from app.wiring import Application, Opening, connect_store, run_app
from store.crypto.cipher import MasterKeys
from store.database.schema import IS_OPEN
from tests import pressable
from tests.flow import epochs, insides, overheard
from tests.flow.unpaced import unpaced
from tests.mongo import lent_database
from tests.wrapped import secrets_dir

QUICK: dict[str, Any] = {
    "lease_seconds": 1.0,
    "heartbeat_seconds": 0.2,
    "write_seconds": 0.6,
    "poll_seconds": 0.2,
    "request_seconds": 20.0,
    "drain_seconds": 5.0,
}
"""Times that keep tests quick and are still in the order that the rules want."""


BOTH_WAYS = pytest.mark.parametrize("chat", ["socket", "http"], indirect=True)
"""For what depends on how Slack delivers: every kind of payload, repeated ones, and a program that ends."""

UNLIMITED: dict[str, Any] = {
    "messages_per_minute": 0,
    "workspace_messages_per_minute": 0,
    "answers_per_minute": 0,
    "workspace_answers_per_minute": 0,
    "answers_at_once": 0,
    "workspace_answers_at_once": 0,
}
"""For crowds that no workspace has."""


def hangs(text: str, after: int = 10) -> Turn:
    """An answer of which no more than its first characters ever come."""
    return Turn(text=text, gates=[Gate(after, asyncio.Event())])


def window_with_room(tokens: int) -> int:
    """Give the window in which the history of a free thread has this many tokens beside prompt and tools."""
    free = select_tools(EXTERNAL_TOOLS, Offer.FREE)
    specs = (*SPECS, *(tool.describe() for name, tool in free.items() if name != "search_web"))
    return tokens + (len(SYSTEM) + len(json.dumps(specs))) // CHARS_PER_TOKEN


def asks_for_summary(prompt: Prompt) -> bool:
    """Tell whether a request is for what stands in place of a thread's older messages."""
    return any(block["text"] == SUMMARY_PROMPT for block in prompt.system)


def _keep_for_talk(turn: Turn) -> Turn:
    """Leave requests for a summary to the turns that are written for them; without one it is quoted."""

    def is_talk(prompt: Prompt) -> bool:
        return not asks_for_summary(prompt)

    return turn if turn.when else replace(turn, text="", when=is_talk)


@dataclass
class Chat:
    """One workspace with the program in it, seen from the people's side."""

    slack: SlackPlayground
    claude: ClaudePlayground
    settings: Settings
    http: bool
    mongo: MongoClient[dict[str, Any]]
    """What looks into its database."""
    heard: StringIO = field(default_factory=StringIO)
    """All that was logged."""
    opening: Opening = unpaced
    """How the program opens its store."""
    scripted: list[Turn] = field(default_factory=list[Turn])
    """All that the model was told to say."""
    is_put_back: bool = False
    """True once an older copy of its database was put back: an answer may then go on from any former one."""
    app: Application | None = None
    _life: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def starts(self) -> None:
        """Start the program."""
        self.app = await self._life.enter_async_context(run_app(self.settings, http=self.http, opening=self.opening))

    async def stops(self) -> None:
        """Stop the program; Slack, Claude and MongoDB stay."""
        await self._life.aclose()
        self.app = None

    def will_answer(self, *turns: Turn | str) -> None:
        """Script what the model says next."""
        scripted = [_keep_for_talk(Turn(text=turn) if isinstance(turn, str) else turn) for turn in turns]
        self.scripted += scripted
        self.claude.script.add(*scripted)

    async def says(
        self,
        text: str,
        *,
        who: str = "Maya",
        where: str = "#general",
        thread: str | None = None,
        files: Mapping[str, bytes] | Sequence[File] = (),
    ) -> str:
        """A person writes, perhaps with files, by their names; gives the message's ts."""
        people = self.slack.people
        brought = [people.brings(who, *each) for each in files.items()] if isinstance(files, Mapping) else files
        return await people.says(who, where, text, thread, brought)

    async def sees(
        self, words: str, *, thread: str, who: str = "Maya", where: str = "#general", patience: float = 30
    ) -> Message:
        """Wait until somebody else's message in the thread shows these words, and give it."""

        def shown() -> list[Message]:
            return [m for m in self.thread(thread, who=who, where=where) if words in text_of(m)]

        return (await self.slack.people.waits(shown, patience))[0]

    async def exchanges(
        self,
        text: str,
        answer: str,
        *,
        who: str = "Maya",
        where: str = "#general",
        thread: str | None = None,
        files: Mapping[str, bytes] | Sequence[File] = (),
    ) -> str:
        """A person writes, and sees the model answer just this; gives the person's message's ts."""
        self.will_answer(answer)
        written = await self.says(text, who=who, where=where, thread=thread, files=files)
        await self.sees(answer, thread=thread or written, who=who, where=where)
        return written

    async def queues(self, text: str, *, thread: str) -> str:
        """Maya writes during an answer, and sees that her message waits; gives its ts."""
        written = await self.says(text, thread=thread)
        await self.until(lambda: QUEUED in self.marks(written))
        return written

    def thread(self, thread: str, *, who: str = "Maya", where: str = "#general") -> list[Message]:
        """What the app has in this thread, ephemeral messages for this person included."""
        bot = self.slack.bot_user_id
        return [m for m in self.slack.people.sees(who, where, thread) if m.user == bot]

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is true: of the workspace, or of what changes without it, such as a file or a log."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not true():
                    await asyncio.sleep(0.01)
        except TimeoutError:
            raise TimeoutError(f"It did not become true. The workspace:\n{self.slack.people.transcript()}") from None

    def deliveries_of(self, kind: str) -> list[str]:
        """The ids of the events of one type that Slack has delivered, without retries."""
        payloads = [entry["payload"] for entry in self.slack.journal.of("delivery")]
        return list(dict.fromkeys(p["event_id"] for p in payloads if p.get("event", {}).get("type") == kind))

    @property
    def store(self) -> Store:
        """The store of the program that runs."""
        assert self.app is not None
        return self.app.store

    async def conversation(self, thread: str, where: str = "#general") -> Conversation:
        """What the program remembers of a thread."""
        channel = self.slack.workspace.channel_named(where)
        key = ThreadKey(team=self.slack.team_id, channel=channel.id if channel else where, root=thread)
        found = await self.store.conversations.find(key)
        assert found is not None, f"there is no conversation at {key}"
        return found

    async def documents(self, collection: str, which: dict[str, Any] | None = None) -> int:
        """How many documents a collection holds."""
        return self.mongo[self.settings.database][collection].count_documents(which or {})

    def id_of(self, who: str) -> str:
        """The id in Slack of a person of this name."""
        member = self.slack.workspace.member(who)
        assert member, f"there is no {who}"
        return member.id

    def now(self, message: Message) -> Message:
        """The message as it stands now."""
        found = self.slack.workspace.message(message.channel, message.ts)
        assert found, "it is gone"
        return found

    def marks(self, ts: str, where: str = "#general") -> list[str]:
        """The names of the reactions that a message has."""
        channel = self.slack.workspace.channel_named(where)
        message = self.slack.workspace.message(channel.id, ts) if channel else None
        return [given.name for given in message.reactions] if message else []

    async def filled_inbox(self, rows: int) -> None:
        """Wait until this many events have been taken in. What comes during an answer is open until that has ended."""
        while await self.documents("inbox") < rows:
            await asyncio.sleep(0.01)

    async def applied(self, rows: int, thread: str) -> None:
        """Wait until the state contains this many events of the thread, while an answer keeps them open."""
        while len((await self.conversation(thread)).applied) < rows:
            await asyncio.sleep(0.01)

    async def settled_inbox(self, rows: int) -> None:
        """Wait until this many events have been taken in and the program has applied them all."""
        await self.filled_inbox(rows)
        while await self.documents("inbox", IS_OPEN):
            await asyncio.sleep(0.01)

    async def rests(self) -> None:
        """Wait until the program has heard all that people did, and has nothing left to do."""
        assert self.app is not None
        while self.slack.is_delivering or self.app.worker.busy:
            await asyncio.sleep(0.01)

    def calls(self, method: str) -> list[dict[str, Any]]:
        """The journal's entries of one Web API method."""
        return [entry for entry in self.slack.journal.of("call") if entry["method"] == method]


def text_of(message: Message) -> str:
    """All the words of a message: its blocks' or, without blocks, its text."""
    if not message.blocks:
        return message.text
    words: list[str] = []

    def collect(thing: Any) -> None:
        if isinstance(thing, dict):
            for key, value in thing.items():  # pyright: ignore[reportUnknownVariableType]
                words.append(value) if key == "text" and isinstance(value, str) else collect(value)
        elif isinstance(thing, list):
            for item in thing:  # pyright: ignore[reportUnknownVariableType]
                collect(item)

    collect(message.blocks)
    return "\n".join(words)


@asynccontextmanager
async def chatting(
    mongo_uri: str, *, http: bool = False, opening: Opening = unpaced, **options: Any
) -> AsyncGenerator[Chat]:
    """A workspace with the program running in it. `options` go to the playground's Slack, which counts calls if
    the program does, too: where its store is opened as people open theirs.
    """
    settings = {name: options.pop(name) for name in list(options) if name in Settings.model_fields}
    async with AsyncExitStack() as stack:
        stack.enter_context(without_certificates())
        claude = ClaudePlayground()
        await claude.start()
        stack.push_async_callback(claude.stop)
        port = free_port() if http else 0
        place: dict[str, Any] = {"delivery": "http", "events_url": f"http://127.0.0.1:{port}/slack/events"}
        chosen: dict[str, Any] = {
            "time_scale": 20.0,
            "limits": opening is connect_store,
            **build_registration(),
            **(place if http else {}),
            **options,
        }
        slack = SlackPlayground(SlackOptions(**chosen))
        await slack.start()
        stack.push_async_callback(slack.stop)
        heard = stack.enter_context(overheard.listening())
        mongo = stack.enter_context(MongoClient[dict[str, Any]](mongo_uri))
        database = stack.enter_context(lent_database(mongo, mongo_uri))
        values = _settings(slack, claude, mongo_uri, {"http_port": port, "database": database, **settings})
        chat = Chat(slack, claude, values, http, mongo, heard, opening)
        stack.push_async_callback(chat.stops)
        await chat.starts()
        yield chat
        await chat.stops()
        unfit = refused(claude)
        assert not unfit, unfit
        unheard = await pressable.unheard(chat.slack.journal.of("call"))
        assert not unheard, f"nobody listens to {unheard}"
        kept = overheard.stored(mongo[chat.settings.database])
        leaked = overheard.leaks(overheard.said(chat), heard.getvalue(), kept)
        assert not leaked, leaked
        read = insides.find_all(chat)
        assert not read, read
        broken = epochs.find_broken(chat)
        assert not broken, "\n".join(broken)


def fixture_of(opened: Callable[..., AbstractAsyncContextManager[Chat]], *, runs: bool = True, **options: Any) -> Any:
    """A fixture of a workspace with these options. If `runs` is false, the program does not run in it yet."""

    @pytest.fixture
    async def room(mongo_uri: str) -> AsyncGenerator[Chat]:
        async with opened(mongo_uri, **options) as chat:
            if not runs:
                await chat.stops()
            yield chat

    return room


def refused(claude: ClaudePlayground) -> list[str]:
    """Why the API would not take what it was sent: no history may be such, however well the chat looks."""
    unfit = {entry["id"] for entry in claude.journal.of("refused")}
    return [entry["message"] for entry in claude.journal.of("refusal") if entry["id"] in unfit]


@contextmanager
def without_certificates() -> Generator[None]:
    """Trust nobody for the length of the block: no TLS is spoken, and of a start the system's list takes longest."""
    with pytest.MonkeyPatch.context() as environment, tempfile.TemporaryDirectory() as empty:
        environment.delenv("SSL_CERT_FILE", raising=False)
        environment.setenv("SSL_CERT_DIR", empty)
        yield


def free_port() -> int:
    """A free port below those that systems give out themselves: nobody else is given it before it is listened on."""
    while True:
        port = 20_000 + secrets.randbelow(10_000)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def _settings(slack: SlackPlayground, claude: ClaudePlayground, mongo_uri: str, more: dict[str, Any]) -> Settings:
    values: dict[str, Any] = {
        **QUICK,
        "slack_api_url": slack.api_url,
        "slack_bot_token": SecretStr(slack.bot_token),
        "slack_app_token": SecretStr(slack.app_token),
        "slack_signing_secret": SecretStr(slack.signing_secret),
        "anthropic_base_url": claude.url,
        "anthropic_api_key": SecretStr(claude.api_key),
        "mongodb_uri": SecretStr(mongo_uri),
        "master_key": SecretStr(MasterKeys.generate()),
        "data_dir": Path("unused"),
        "autonomous_loop": True,
        **more,
    }
    return unread_settings(values)


def unread_settings(values: dict[str, Any]) -> Settings:
    """Settings with these values and else the defaults, whatever the environment says."""
    defaults: dict[str, Any] = {name: field.default for name, field in Settings.model_fields.items()}
    defaults["secrets_dir"] = str(secrets_dir())
    return Settings.model_construct(None, **{**defaults, **values})
