"""The hands of a turn: its tool uses, each brought as far as it may go (T7, T8, S3).

What only reads runs at once, side by side. What writes is judged first: done, denied, or asked about. Before something
is begun that must not be done twice, its beginning is saved; whoever finds it begun and not done leaves it alone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from types import MappingProxyType
from typing import Any, TypeVar

import structlog
from pydantic import ValidationError

from app.agent.tools.box import faults
from app.agent.tools.outside import Effect, Field, OuterTool, Purpose, Result, address_of
from app.core import sources
from app.core.errors import OutOfReach, Retryable, SlackRefused, SlackUnavailable
from app.core.permissions import Judgement, Verdict, Wanted
from app.core.uses import DENIED, UNKNOWN_OUTCOME, Use, UseState

log = structlog.get_logger(__name__)

SECONDS = 30.0
"""How long one tool may take."""

ATTEMPTS = 3
"""How often something is tried whose outcome is unknown; it is done once under its key all the same."""

AWAY = "That cannot be reached just now. Go on without it, and say so."
FAILED = "That could not be done. Go on without it, and say so."
UNCLEAN = "The input holds characters that are not allowed. Call it again without them."
AFTER_QUESTION = "Not done: you have asked a question, and the answer comes first."
RENAMED = "What this would have done has changed since it was allowed, so it was not done."

KNOWN = (ValidationError, OutOfReach, Retryable, SlackRefused, TimeoutError)
"""What may go wrong; anything else is a bug."""

T = TypeVar("T")
Judge = Callable[[Wanted], Awaitable[Judgement]]
"""Judges a use when it comes up: what is revoked or forbidden while a turn goes on counts from then on."""
Report = Callable[[tuple[Use, ...]], Awaitable[None]]
"""Saves how far the uses are."""


def _no_field(_key: str, _since: str) -> Field:
    raise AssertionError("who has tools has a field for them")


async def _asks(_wanted: Wanted) -> Judgement:
    return Judgement(verdict=Verdict.ASK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """The tools that reach outside, and what they need. `now` tells the moment as a ts."""

    tools: Mapping[str, OuterTool[Any]] = field(default_factory=lambda: MappingProxyType({}))
    field_of: Callable[[str, str], Field] = _no_field
    """What a tool has to work with: for a key and the ts before its first attempt, empty before that."""
    judge: Judge = _asks
    now: Callable[[], str] = str
    seconds: float = SECONDS

    @property
    def specs(self) -> tuple[dict[str, Any], ...]:
        """The tools as the API wants them."""
        return tuple(tool.spec() for tool in self.tools.values())

    async def read(self, uses: Sequence[Use]) -> list[Use]:
        """Carry out those that only read, side by side; the others as they are."""
        return list(await asyncio.gather(*(self._read(use) for use in uses)))

    async def write(self, uses: Sequence[Use], report: Report, known: Sequence[str] = ()) -> list[Use]:
        """Carry out those that write, in order, as far as they are allowed; the first that is to be asked stops it.

        `known` are the places that what the model knows came from.
        """
        done = list(uses)
        for place, use in enumerate(done):
            if use.tool not in self.tools or use.state is UseState.DONE:
                continue
            judged = await self._judged(use, tuple(known))
            done[place] = judged
            if judged.state is UseState.ASKED:
                break
            if judged.state is UseState.ALLOWED:
                begun = done[place] = replace(judged, state=UseState.STARTED, since=judged.since or self.now())
                await report(tuple(done))
                done[place] = await self._carried_out(begun, judged.since)
                await report(tuple(done))
        return done

    async def _read(self, use: Use) -> Use:
        tool = self.tools.get(use.tool)
        if tool is None or tool.effect is not Effect.READ or use.state is UseState.DONE:
            return use
        begun = replace(use, since=self.now())
        try:
            async with asyncio.timeout(self.seconds):
                scope = (await _tried(lambda: self._purpose(begun))).scope if tool.purpose else ""
                judgement = await self.judge(Wanted(tool=use.tool, scope=scope, reads=True))
        except Exception as error:  # noqa: BLE001 – a bug in one tool must not end the turn
            return _came_to_nothing(use, error)
        if judgement.verdict is Verdict.DENIED:
            return _denied(use)
        return await self._carried_out(begun, begun.since)

    async def _judged(self, use: Use, known: tuple[str, ...]) -> Use:
        """A use that writes: allowed, done with a refusal, or to be asked about."""
        if use.state is UseState.DENIED:
            return _denied(use)
        try:
            async with asyncio.timeout(self.seconds):
                purpose = await _tried(lambda: self._purpose(use))
                judgement = await self.judge(_wanted(use, purpose, known))
        except Exception as error:  # noqa: BLE001 – a bug in one tool must not end the turn
            return _came_to_nothing(use, error)
        about = replace(
            use,
            title=purpose.title,
            shown=purpose.shown,
            scope=purpose.scope,
            covers=purpose.covers,
            makes=purpose.makes,
            target=purpose.target.place if purpose.target else "",
            standing=judgement.standing,
            remarks=judgement.remarks,
            ruled=judgement.covers,
            by_rule=bool(judgement.by),
        )
        if judgement.verdict is Verdict.DENIED:
            return _denied(about)
        if use.state is UseState.ALLOWED:
            # What a name stands for may have changed while somebody thought about it.
            return use if _is_same(use, purpose) else failed(use, RENAMED)
        is_allowed = judgement.verdict is Verdict.ALLOWED
        return replace(about, state=UseState.ALLOWED if is_allowed else UseState.ASKED)

    async def _purpose(self, use: Use) -> Purpose:
        tool = self.tools[use.tool]
        assert tool.purpose is not None, "who is asked for it has one"
        given = tool.input.model_validate_json(use.input)
        return await tool.purpose(self.field_of(use.id, use.since), given)

    async def _carried_out(self, use: Use, since: str) -> Use:
        """Do it; `since` is empty if it was never attempted, so that nobody looks for what cannot be there."""
        tool = self.tools[use.tool]
        moments = chain((since,), repeat(use.since))
        try:
            given = tool.input.model_validate_json(use.input)
            async with asyncio.timeout(self.seconds):
                came = await _tried(lambda: tool.run(self.field_of(use.id, next(moments)), given))
        except Exception as error:  # noqa: BLE001 – a bug in one tool must not end the turn
            is_uncertain = tool.effect is Effect.WRITE and _is_ambiguous(error)
            return _came_to_nothing(use, error, UNKNOWN_OUTCOME if is_uncertain else "")
        log.info("tool_used", kind=use.tool)
        told = came if isinstance(came, Result) else Result(came, (sources.of_tool(use.tool),))
        return replace(
            use, state=UseState.DONE, result=told.words, sources=told.sources, address=address_of(told.words)
        )


def _wanted(use: Use, purpose: Purpose, known: tuple[str, ...]) -> Wanted:
    """What is judged of a use that writes."""
    return Wanted(
        tool=use.tool,
        scope=purpose.scope,
        reads=False,
        covers=purpose.covers,
        target=purpose.target,
        sources=known,
        granted=use.state is UseState.ALLOWED,
    )


def _is_same(use: Use, purpose: Purpose) -> bool:
    """True if a call would do what its owner was asked about, where it would be read by the same circle."""
    is_named_so = (purpose.scope, purpose.title) == (use.scope, use.title)
    if use.standing is None or purpose.target is None:
        return is_named_so
    now = (purpose.target.kind, purpose.target.sharing)
    return is_named_so and now == (use.standing.kind, use.standing.sharing)


NO_HANDS = Hands()
"""Of a turn that may not reach outside."""


async def _tried(act: Callable[[], Awaitable[T]]) -> T:
    """Do something, again while it is away. What may have been done once stays unknown until it is found done."""
    unknown: SlackUnavailable | None = None
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return await act()
        except KNOWN as error:
            unknown = error if isinstance(error, SlackUnavailable) and error.ambiguous else unknown
            if attempt == ATTEMPTS or not isinstance(error, Retryable):
                raise unknown or error from error
            await asyncio.sleep(min(error.after, 5.0))
    raise AssertionError("the last attempt returns or raises")


def failed(use: Use, words: str) -> Use:
    """A use that came to nothing, and why, for the model."""
    return replace(use, state=UseState.DONE, result=words, failed=True)


def opened(id_: str, tool: str, given: Any) -> Use:
    """A use as the model wrote it."""
    return Use(id=id_, tool=tool, input=json.dumps(given, ensure_ascii=False, separators=(",", ":")))


def _denied(use: Use) -> Use:
    log.info("tool_denied", kind=use.tool)
    return failed(use, DENIED.format(tool=use.tool))


def _came_to_nothing(use: Use, error: Exception, words: str = "") -> Use:
    """A use that an error ended; of what is no bug the model is told why."""
    if isinstance(error, KNOWN):
        log.warning("tool_failed", kind=use.tool, error=type(error).__name__)
        return failed(use, words or _words(error))
    log.error("tool_broken", kind=use.tool, exc_info=error)
    return failed(use, words or FAILED)


def _is_ambiguous(error: Exception) -> bool:
    """True if what was tried may have been done all the same; of a bug nobody knows where it struck."""
    is_lost = isinstance(error, TimeoutError) or (isinstance(error, SlackUnavailable) and error.ambiguous)
    return is_lost or not isinstance(error, KNOWN)


def _words(error: Exception) -> str:
    """What the model is told of an error; nothing of it is quoted."""
    if isinstance(error, ValidationError):
        return faults(error)
    return error.words if isinstance(error, OutOfReach) else AWAY
