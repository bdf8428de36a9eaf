"""Where an outer tool works: a thread of Maya's, her other conversations, and Slack as far as she sees it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from app.agent.tools.context import PermissionPrompt, TurnContext
from app.agent.tools.external.discovery import EXTERNAL_TOOLS
from app.agent.tools.output import ToolResult
from app.agent.tools.tool import ExternalTool
from app.agent.tools.trial import Trial
from app.core.conversation.conversation import Conversation, Message, Transition
from app.core.conversation.shared_file import SharedFile
from app.core.errors import NotJoined, OutOfReach
from app.core.file_content import FileText
from app.core.state.readers import Readers
from app.core.thread import ThreadKey
from app.core.turns.rate_limits import Creation
from app.ports import Heard, ListedChannel, Listing, MessagePage, Person, Spot
from tests.contract.store.clock import ManualClock
from tests.memory_store import memory_store
from tests.unit.core.threads import OWNER, THREAD, posted

OPS = Spot(id="C0000000OPS", name="#ops", user=OWNER, private=False)
DIRECT = ThreadKey(team="T1", channel="D1", root="1770000005.000001")
SEEN = (OPS.id, "C1", "C7", "D1")
NOW = datetime(2026, 3, 6, 23, 30, tzinfo=UTC).astimezone(ZoneInfo("Europe/Berlin"))


@dataclass
class FakeReach:
    """Implements `app.ports.SlackAccess`: what stands in which channel, and what was put where."""

    spots: dict[str, Spot] = field(
        default_factory=lambda: {"#ops": OPS} | {id_: replace(OPS, id=id_, private=id_ == "D1") for id_ in SEEN}
    )
    unjoined: dict[str, bool] = field(default_factory=dict[str, bool])
    """Channels that she sees and the app is not in, and whether they are public."""
    looks: list[str] = field(default_factory=list[str])
    """What was looked at, in order."""
    said: dict[str, tuple[Heard, ...]] = field(default_factory=dict[str, tuple[Heard, ...]])
    older: dict[str, tuple[Heard, ...]] = field(default_factory=dict[str, tuple[Heard, ...]])
    """Messages of channels from before any time that is asked about, which were answered after it."""
    since: list[str] = field(default_factory=list[str])
    read_by: dict[str, Readers] = field(default_factory=dict[str, Readers])
    """Who can read a place, by its id."""
    abridged: frozenset[str] = frozenset()
    """Those who are no full members."""
    listed: tuple[ListedChannel, ...] = ()
    """All channels that she sees."""
    staff: dict[str, tuple[Person, ...]] = field(default_factory=dict[str, tuple[Person, ...]])
    """The members of a channel; of the workspace under an empty id."""
    is_cut: bool = False
    """True if there are more channels and people than are listed."""
    posts: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Channel and text, by key."""
    files: list[tuple[str, bytes, str]] = field(default_factory=list[tuple[str, bytes, str]])

    async def channel(self, team: str, user: str, name: str) -> Spot:
        self.looks.append(name)
        if name in self.unjoined:
            raise NotJoined("not in", is_public=self.unjoined[name])
        if name not in self.spots or self.spots[name].user != user:
            raise OutOfReach("nowhere")
        return self.spots[name]

    async def channels(self, team: str, user: str) -> Listing[ListedChannel]:
        self.looks.append("all channels")
        return Listing(entries=self.listed, is_cut=self.is_cut)

    async def people(self, team: str, user: str, within: str) -> Listing[Person]:
        self.looks.append(f"people of {within or 'the workspace'}")
        return Listing(entries=self.staff.get(within, ()), is_cut=self.is_cut)

    async def readers(self, team: str, user: str, place: str) -> Readers:
        self.looks.append(f"readers of {place}")
        if place not in self.read_by:
            raise OutOfReach("nobody tells")
        return self.read_by[place]

    async def guests(self, team: str, people: frozenset[str]) -> frozenset[str]:
        return people & self.abridged

    async def history(self, team: str, user: str, spot: Spot, stretch: MessagePage) -> tuple[Heard, ...]:
        self.since.append(stretch.since)
        return self._within(spot.id, stretch)

    async def answered(self, team: str, user: str, spot: Spot, stretch: MessagePage) -> Listing[Heard]:
        before = float(stretch.until or "inf")
        older = tuple(each for each in self.older.get(spot.id, ()) if float(each.ts) < before)
        return Listing(entries=older[-stretch.limit :], is_cut=len(older) > stretch.limit)

    async def thread(self, thread: ThreadKey, stretch: MessagePage) -> tuple[Heard, ...]:
        return self._within(thread.root, stretch)

    def _within(self, where: str, stretch: MessagePage) -> tuple[Heard, ...]:
        since, until = float(stretch.since or 0), float(stretch.until or "inf")
        return tuple(each for each in self.said.get(where, ()) if since <= float(each.ts) < until)[-stretch.limit :]

    async def post(self, team: str, spot: Spot, text: str, key: str, since: str) -> str:
        self.posts.setdefault(key, (spot.id, text))
        return f"https://acme.example/archives/{spot.id}/{key}"

    async def file(self, thread: ThreadKey, name: str, content: bytes, title: str) -> str:
        assert thread == THREAD
        self.files.append((name, content, title))
        return ""


Tools = Mapping[str, ExternalTool[Any]]


class Afield:
    """Uses tools as the turn does; every answer is JSON in the order that the model expects."""

    def __init__(self, thread: ThreadKey = THREAD, trial: Trial | None = None, tools: Tools = EXTERNAL_TOOLS) -> None:
        self._trial, self._tools = trial, tools
        self.reach = FakeReach()
        self.store = memory_store(ManualClock())
        self.conversation = trial.conversation if trial else Conversation(id="here", thread=thread, owner=OWNER)
        self.approved: dict[ThreadKey, Mapping[str, Mapping[str, Any]]] = {}
        """Results of decisions' steps."""
        self.came_from: tuple[str, ...] = ()
        """The labels of what the newest call brought."""
        self.wait, self.made = 0, list[Creation]()
        """How long the owner has to wait before they may make something, and what they wanted to make."""
        self.shared: dict[str, FileText] = {}
        """Files of the thread that Slack still has, by id."""
        self._count = 0

    async def remembers(self, rows: tuple[Message, ...] = (), **values: Any) -> Conversation:
        """Let there be another conversation; without a thread it begins after the one before."""
        self._count += 1
        new = {"thread": ThreadKey(team="T1", channel="C7", root=f"177000{self._count:04}.000001"), "owner": OWNER}
        thread = (new | values)["thread"]
        event = replace(posted(self._count, "hi", opens=True), thread=thread, receipt=f"m{self._count}")
        await self.store.inbox.take_in(event)
        [held] = await self.store.conversations.claim_some("T1", "w", 60, (), 1)
        kept = replace(held.conversation, **(new | values | {"head": len(rows)}))
        saved = await self.store.conversations.save(Transition(conversation=kept, messages=rows))
        await self.store.conversations.release(saved)
        await self.store.inbox.close_rows([event.receipt])
        return saved

    @property
    def context(self) -> TurnContext:
        return TurnContext(
            trial=self._trial or Trial(self.conversation, (), lambda: "1770000000.000001"),
            reach=self.reach,
            conversations=self.store.conversations,
            results=self._results,
            now=NOW,
            key="here:call1",
            since="1770000000.000001",
            may_make=self._may_make,
            open_file=self.open_file,
        )

    async def open_file(self, file: SharedFile) -> FileText:
        if file.id not in self.shared:
            raise OutOfReach("It was deleted.")
        return self.shared[file.id]

    async def _may_make(self, made: Creation) -> int:
        self.made.append(made)
        return self.wait

    async def _results(self, decision: ThreadKey) -> Mapping[str, Mapping[str, Any]]:
        return self.approved.get(decision, {})

    async def does(self, name: str, /, **given: Any) -> dict[str, Any]:
        tool = self._tools[name]
        came = await tool.run(self.context, tool.input.model_validate(given))
        assert isinstance(came, ToolResult), "every tool of ours tells where its result came from"
        said, self.came_from = came.text, came.sources
        told = json.loads(said)
        order = list(told)
        assert (order[:2], order[-1]) == (["result", "query"], "action")
        assert told["action"]
        assert "try again" not in said.lower()
        return told

    async def prompt(self, name: str, /, **given: Any) -> PermissionPrompt:
        tool = self._tools[name]
        assert tool.prompt
        return await tool.prompt(self.context, tool.input.model_validate(given))
