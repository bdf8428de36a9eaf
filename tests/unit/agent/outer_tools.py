"""Tools that reach outside, made for tests: what they did, and what goes wrong with them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import cast

from app.agent.tool_runner import ToolRunner
from app.agent.tools.context import Access, Ask, PermissionPrompt, TurnContext
from app.agent.tools.tool import ExternalTool, Input
from app.core.state.permission import Judgement, PermissionRequest, PermissionVerdict
from app.core.state.tool_use import Use

Act = Callable[["Given"], Awaitable[str] | str]


class Given(Input):
    """Input of every tool here."""

    to: str = "ops"
    text: str = ""


@dataclass(frozen=True)
class Called:
    """What a call here knows of its turn."""

    key: str
    ask: Ask | None = None


@dataclass
class Workshop:
    """Tools `look` (reads) and `put` (writes). Without an act, a tool tells what it was given."""

    verdicts: dict[str, PermissionVerdict] = field(default_factory=dict[str, PermissionVerdict])
    """By scope; else it is to be asked about."""
    looks: Act | None = None
    puts: Act | None = None
    names: Act | None = None
    """What `put` does to find out what it would do."""
    seconds: float = 5.0
    repeatable: bool = False
    """Whether `put` leaves nothing behind."""
    own_seconds: float = 0.0
    """What `put` may take, if more."""
    done: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Key and text, of each attempt to put something."""
    contexts: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Key and since, of every context that was asked for."""
    places: dict[str, str] = field(default_factory=dict[str, str])
    """Which scope a name means; else its own."""
    judged: list[PermissionRequest] = field(default_factory=list[PermissionRequest])
    told: list[tuple[tuple[str, str], ...]] = field(default_factory=list[tuple[tuple[str, str], ...]])
    """What was reported, and in between what was done: id and state of each use."""

    @property
    def hands(self) -> ToolRunner:
        look = ExternalTool(name="look", description="x", input=Given, access=Access.READ, run=self._look)
        put = ExternalTool(
            name="put",
            description="x",
            input=Given,
            access=Access.WRITE,
            run=self._put,
            prompt=self._prompt,
            is_repeatable=self.repeatable,
            seconds=self.own_seconds,
        )
        return ToolRunner(
            tools={"look": look, "put": put},
            context_of=self._context,
            judge=self._judge,
            now=lambda: "1770000000.000009",
            seconds=self.seconds,
        )

    async def report(self, uses: tuple[Use, ...]) -> None:
        self.told.append(tuple((use.id, use.state.value) for use in uses))

    def _context(self, key: str, since: str, _reads: bool) -> TurnContext:
        self.contexts.append((key, since))
        return cast("TurnContext", Called(key))

    async def _judge(self, wanted: PermissionRequest) -> Judgement:
        self.judged.append(wanted)
        otherwise = PermissionVerdict.ALLOWED if wanted.granted else PermissionVerdict.ASK
        return Judgement(verdict=self.verdicts.get(wanted.scope or wanted.tool, otherwise))

    async def _look(self, _context: TurnContext, given: Given) -> str:
        return await _acted(self.looks, given)

    async def _put(self, context: TurnContext, given: Given) -> str:
        self.done.append((context.key, given.text))
        self.told.append((("done", given.text),))
        return await _acted(self.puts, given)

    async def _prompt(self, _context: TurnContext, given: Given) -> PermissionPrompt:
        if self.names:
            await _acted(self.names, given)
        scope = self.places.get(given.to, given.to)
        return PermissionPrompt(
            title=f"post to #{given.to}", shown=given.text, scope=scope, covers=f"posting to #{given.to}"
        )


async def _acted(act: Act | None, given: Given) -> str:
    if act is None:
        return f"{given.to}: {given.text}"
    came = act(given)
    return came if isinstance(came, str) else await came


def fails(*errors: Exception) -> Act:
    """Raise these one after the other, then go well."""
    left = list(errors)

    def act(_given: Given) -> str:
        if left:
            raise left.pop(0)
        return "at last"

    return act


async def forever(_given: Given) -> str:
    await asyncio.Event().wait()
    raise AssertionError
