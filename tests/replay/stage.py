"""The worker of one tree on a store in memory, in virtual time, between ports that note each call in order."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, is_dataclass, replace
from functools import cache
from inspect import signature
from itertools import count
from typing import Any, cast

from pydantic import TypeAdapter

from tests.replay.layout import find, is_there
from tests.replay.tree import Json
from tests.replay.values import OWNER, TEAM
from tests.virtual import VirtualClock

PORTS = ("inbox", "conversations", "versions", "permissions", "places", "limits")
RANDOM = re.compile(
    r"v2-[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\btw-[0-9a-f]{8}\b|\b[0-9]+-[0-9a-f]{8}\b"
    r'|(?<=")[0-9a-f]{16}(?=")'
)
"""Ids of conversations and items, references of failures, names of workers, digests of receipts with such ids."""
PATIENCE = 500
"""Half seconds after which a session that does not come to rest is given up."""


class Noted:
    """A port that notes who calls what with which values, and passes it on."""

    def __init__(self, name: str, port: Any, calls: list[Json]) -> None:
        self._name, self._port, self._calls = name, port, calls

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._port, name)
        if not callable(method):
            return method

        def call(*args: Any, **kwargs: Any) -> Any:
            given = signature(method).bind(*args, **kwargs).arguments
            made = [plain(value) for value in given.values()]
            self._calls.append({"what": f"{self._name}.{name}", "given": {}, "made": made})
            return method(*args, **kwargs)

        return call


@cache
def adapter_of(type_: Any) -> TypeAdapter[Any]:
    """What writes values of a type as the store does."""
    return TypeAdapter(type_)


def plain(value: Any) -> Any:
    """A value as JSON; of what is no value, such as a keeper, only that there is one."""
    if is_dataclass(value):
        is_event = hasattr(value, "kind") and hasattr(value, "receipt")
        try:
            return adapter_of(find("SlackEvent") if is_event else type(value)).dump_python(
                value, mode="json", by_alias=True
            )
        except Exception:  # noqa: BLE001 – whatever pydantic cannot write is no value
            return "…"
    match value:
        case list() | tuple():
            return [*map(plain, cast("list[Any]", value))]
        case set() | frozenset():
            return sorted(map(plain, cast("set[Any]", value)), key=str)
        case _:
            pass
    return json.loads(json.dumps(value, default=lambda _: "…"))


@dataclass
class ScriptedModel:
    """Answers each request with the next of what it was told to."""

    scripts: list[Json] = field(default_factory=list[Json])
    unforeseen: int = 0
    """Requests that it had no answer for."""

    async def stream(self, request: Any) -> AsyncGenerator[Any, None]:
        """Words first, then the end with what is to be used; or a failure, or words and then nothing any more."""
        self.unforeseen += not self.scripts
        script = self.scripts.pop(0)
        usage = find("Usage")(input_tokens=100, output_tokens=10)
        yield find("Counted")(usage=usage, model="claude-x", reference="req_1")
        text = script.get("text", "")
        for piece in filter(None, (text[:5], text[5:])):
            yield find("TextDelta")(text=piece)
            await asyncio.sleep(0.2)
        if kind := script.get("fails"):
            raise find("ModelFailed")(find("FailureKind")(kind), "req_1")
        if script.get("waits"):
            await asyncio.Event().wait()
        uses = script.get("uses", [])
        blocks: list[Json] = [{"type": "text", "text": text}] if text else []
        blocks += [{"type": "tool_use", **use} for use in uses]
        yield find("ModelReply")(
            uses=tuple(find("ToolUse")(**use) for use in uses),
            text=text,
            content=json.dumps(blocks),
            status=find("MessageStatus")("complete"),
            usage=usage,
            model="claude-x",
            reference="req_1",
        )


class Paper:
    """A reply while it is shown."""

    def __init__(self, keeper: Any, ts: str) -> None:
        self._keeper, self._ts, self._text = keeper, ts, ""

    def show(self, text: str) -> None:
        """Keep the newest text."""
        self._text = text

    def go_on_below(self, at: int) -> None:
        """It has one page."""

    def show_activity(self, words: str) -> None:
        """Nobody looks at the status."""

    async def close(self) -> tuple[str, ...]:
        """Record it, as whoever shows it in Slack does."""
        await self._keeper.record(self._text, (self._ts,))
        return (self._ts,)


class PaperOutlet:
    """Slack that takes everything."""

    def __init__(self, calls: list[Json]) -> None:
        self._calls, self._posts = calls, count(1)

    def draft(self, conversation: Any, reply: Any, keeper: Any) -> Any:
        """Begin to show a reply."""
        return Noted("draft", Paper(keeper, self._ts()), self._calls)

    async def finish(self, conversation: Any, reply: Any, keeper: Any, draft: Any) -> None:
        """Give a reply its last form, and record where it stands."""
        keeper.check()
        await keeper.record(reply.text, reply.parts or (self._ts(),))

    async def show_card(self, conversation: Any, card: Any, keeper: Any, *, unsure: bool) -> None:
        """Show a card, and record where it stands."""
        keeper.check()
        await keeper.record("", card.parts or (self._ts(),))

    async def begin_step(self, decision: Any, component: str, *, unsure: bool) -> Any:
        """Post the first message of a step."""
        return replace(decision.thread, root=self._ts())

    async def update_step_head(self, decision: Any, component: str) -> None:
        """Edit the first message of a step."""

    async def tell(self, conversation: Any, told: Any) -> None:
        """Say something privately."""

    async def tell_directly(self, conversation: Any, told: Any, *, unsure: bool) -> None:
        """Say something in direct messages."""

    async def publish_home(self, team: str, user: str) -> None:
        """Show a Home."""

    async def react(self, thread: Any, ts: str, name: str) -> None:
        """Leave a mark."""

    async def unreact(self, thread: Any, ts: str, name: str) -> None:
        """Take a mark back."""

    async def profile_of(self, team: str, user: str) -> Any:
        """Tell of a person."""
        return find("Profile")(name=f"Name of {user}", zone="Europe/Berlin")

    def _ts(self) -> str:
        return f"1780000000.{next(self._posts):06d}"


class PaperReach:
    """A workspace with one channel, which everybody in it reads."""

    async def channel(self, team: str, user: str, name: str) -> Any:
        """Find the channel."""
        return find("Spot")(id="C0000000OPS", name="#ops", user=user, private=False)

    async def readers(self, team: str, user: str, place: str) -> Any:
        """Tell who reads it."""
        return find("Readers")(name="#ops", people=frozenset({OWNER}), everyone=True)

    async def guests(self, team: str, people: frozenset[str]) -> frozenset[str]:
        """Nobody is a guest."""
        return frozenset()

    async def history(self, team: str, user: str, spot: Any, stretch: Any) -> tuple[Any, ...]:
        """Give one message."""
        return (find("Heard")(ts="1769999000.000001", user="U7", text="The heating is out."),)

    async def answered(self, team: str, user: str, spot: Any, stretch: Any) -> tuple[Any, ...]:
        """Nothing was answered."""
        return ()

    async def thread(self, thread: Any, stretch: Any) -> tuple[Any, ...]:
        """Nothing stands in threads."""
        return ()

    async def post(self, team: str, spot: Any, text: str, key: str, since: str) -> str:
        """Post, and give the address."""
        return f"https://acme.example/archives/{spot.id}/{key}"

    async def file(self, thread: Any, name: str, content: bytes, title: str) -> str:
        """Take a file."""
        return "https://acme.example/files/F1"


class Stage:
    """A worker at work, and what people do."""

    def __init__(self) -> None:
        self.calls: list[Json] = []
        self.model = ScriptedModel()
        clock, settings = VirtualClock(), find("Settings")(_env_file=None, poll_seconds=60.0, AUTONOMOUS_LOOP=True)
        self._clock, self._real = clock, find("memory_store")(clock)
        noted = {name: Noted(name, getattr(self._real, name), self.calls) for name in PORTS}
        store = replace(self._real, **noted)
        reach, outlet = PaperReach(), PaperOutlet(self.calls)
        model = Noted("model", self.model, self.calls)
        outside = (Noted("outlet", outlet, self.calls), model, Noted("reach", reach, self.calls))
        self._worker: Any = _join(settings, store, clock, outside, self._wake)
        self._events: TypeAdapter[Any] = adapter_of(find("SlackEvent"))
        self._inbox, self._count = store.inbox, count(1)

    def _wake(self, thread: Any, receipt: str) -> None:
        self._worker.wake(thread, receipt)

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[Stage]:
        """Let it work for the length of the block."""
        listening = self._real.signals.listen(TEAM, self._worker.wake)
        tasks = [asyncio.ensure_future(work) for work in (self._worker.run(), listening)]
        try:
            yield self
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def will(self, *scripts: Json) -> None:
        """Say how the model answers next."""
        self.model.scripts += scripts

    async def state(self, thread: Json) -> Json:
        """The conversation of a thread as it is kept."""
        found = await self._real.conversations.find(find("ThreadKey")(**thread))
        return plain(found) if found else {}

    async def hears(self, kind: str, thread: Json, *, rests: bool = True, **fields: Any) -> None:
        """Something comes from outside; then it works until it rests."""
        number, now = next(self._count), f"{self._clock.now().timestamp():.6f}"
        event: Json = {"kind": kind, "receipt": f"{kind}:{number}", "thread": thread, "ts": now, "at": now}
        await self._inbox.take_in(self._events.validate_python(event | {"user": OWNER} | fields))
        await (self.rests() if rests else asyncio.sleep(1))

    async def rests(self) -> None:
        """Wait until nothing is to do."""
        for _ in range(PATIENCE):
            await asyncio.sleep(0.5)
            if not self._worker.busy:
                return
        raise TimeoutError("the session does not come to rest")


class NoFiles:
    """A source of files in a workspace where nobody shares any."""

    async def fetch(self, *_: Any) -> Any:
        """Fail: nobody has shared one."""
        raise AssertionError("no file is shared")


def _join(settings: Any, store: Any, clock: Any, outside: tuple[Noted, Noted, Noted], wake: Any) -> Any:
    """Make a worker as the program of this tree does. `outside` are outlet, model and reach."""
    outlet, model, reach = outside
    if is_there("share"):
        shared = find("share")(settings, store, TEAM, clock, wake)
        if len(signature(find("resources")).parameters) < len(("shared", "outlet", "model", "outside", "source")):
            return find("worker")(shared, find("resources")(shared, outlet, model, reach), find("Unwatched")())
        beyond = find("outside")(shared, reach, find("NO_SERVERS"), find("Unwatched")())
        return find("worker")(shared, find("resources")(shared, outlet, model, beyond, NoFiles()), find("Unwatched")())
    resources = find("resources")(settings, store, outlet, model, find("outside")(settings, store, reach, clock))
    return find("worker")(settings, TEAM, store, resources, find("Unwatched")())


Script = Callable[[Stage], Coroutine[Any, Any, None]]


async def noted(script: Script) -> list[Json]:
    """Play a session and give the calls to the ports in order; what is random has a name of its own instead."""
    async with Stage().at_work() as stage:
        await script(stage)
        assert (stage.model.scripts, stage.model.unforeseen) == ([], 0), "the model was not asked as it was to be"
    names: dict[str, str] = {}
    text = RANDOM.sub(lambda found: names.setdefault(found[0], f"id-{len(names) + 1}"), json.dumps(stage.calls))
    return json.loads(text)
