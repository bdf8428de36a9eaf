"""Runner of a turn's tool calls. Each call goes as far as permissions allow."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, repeat
from types import MappingProxyType
from typing import Any, TypeVar

import structlog
from pydantic import ValidationError

from app.agent.tools.context import Access, Ask, PermissionPrompt, Subtasks, TurnContext, find_address
from app.agent.tools.conversation.thread_toolset import (
    TOO_LONG,
    Toolset,
    describe_faults,
    sanitize_value,
)
from app.agent.tools.look_up import NAME, NOT_THERE, describe_lookups, explain_use, fold_messages, unfold_reply
from app.agent.tools.output import ToolResult
from app.agent.tools.tool import ExternalTool, describe_once
from app.core.errors import (
    ForbiddenMeanwhile,
    OutcomeUnknown,
    OutOfReach,
    Retryable,
    SlackRefused,
    SlackUnavailable,
    TooLong,
)
from app.core.state.permission import Judgement, PermissionRequest, PermissionVerdict
from app.core.state.tool_use import DENIED, UNKNOWN_OUTCOME, Use, UseState
from app.core.text.sanitize import keep_visible
from app.core.turns import sources
from app.ports import ModelReply, ToolUse


def clean_input(tool_call: ToolUse) -> Use:
    """Return the use of a tool call. It has failed if its input had to be cleaned: the model did not write the rest.

    It has failed as well if its input holds what nobody can see: a card would show less than is sent.
    """
    try:
        clean = sanitize_value(tool_call.input)
    except TooLong:
        return fail(open_use(tool_call.id, tool_call.name, {}), TOO_LONG)
    use = open_use(tool_call.id, tool_call.name, clean)
    is_shown = keep_visible(use.input) == use.input
    return use if is_shown and clean == tool_call.input else fail(use, UNCLEAN)


def clean_block(block: dict[str, Any]) -> dict[str, Any]:
    """Return the block of a tool call as it is stored: with its input clean, or without one that is too long."""
    try:
        return {**block, "input": sanitize_value(block["input"])}
    except TooLong:
        return {**block, "input": {}}


OFFERS = 16
"""Sets of tools whose description is kept: of threads, of steps, and of the audiences that get fewer."""

USES = 50
"""Tool uses of one turn, as in an interview; more would keep the owner waiting and cost without limit."""

TOO_MANY = f"Not done: one answer has at most {USES} tool uses. Answer from what you know, and say what is left to do."

NOT_KEPT = "Not done: in this answer you wrote characters that are not allowed. End it, and try again in the next one."
"""Refusal of a use in a turn whose stored text differs from the model's: it could not continue after waiting."""


def select_runnable(
    uses: Sequence[Use], said: Sequence[dict[str, Any]], tools: Toolset[Any], *, is_clean: bool
) -> list[Use]:
    """Return the uses of a round, those that may not run with a refusal. A use that was begun stays as it is.

    `said` holds the API's messages of the turn before the results. `is_clean` tells whether its text is kept as it is.
    """
    before = _count_uses(said)
    return [_admit(use, before + place, tools, is_clean=is_clean) for place, use in enumerate(uses)]


def _admit(use: Use, before: int, tools: Toolset[Any], *, is_clean: bool) -> Use:
    if use.state is not UseState.OPEN:
        return use
    if before >= USES:
        return fail(use, TOO_MANY)
    if refusal := tools.refuse_outside():
        return fail(use, refusal)
    return use if tools.verbatim and is_clean else fail(use, NOT_KEPT)


def _count_uses(said: Sequence[dict[str, Any]]) -> int:
    """Return how many uses the rounds before this one had."""
    contents = (message["content"] for message in said if message["role"] == "user")
    return sum(block["type"] == "tool_result" for content in contents for block in content)


log = structlog.get_logger(__name__)

SECONDS = 30.0
"""Seconds for one tool."""

ATTEMPTS = 3
"""Attempts of a call while Slack is unavailable. Its key makes sure that it is done once."""

AWAY = "That cannot be reached just now. Go on without it, and say so."
FAILED = "That could not be done. Go on without it, and say so."
UNCLEAN = "The input holds characters that are not allowed. Call it again without them."
READ_FIRST = "Not done: the owner has written meanwhile. Read that first; do this again only if it is still wanted."
READ_NEXT = (
    "Not done: the owner has written meanwhile, with a file, and that is read when your next answer begins. End this "
    "one now, and do this then if it is still wanted."
)
RENAMED = "What this would have done has changed since it was allowed, so it was not done."

KNOWN = (ValidationError, OutOfReach, Retryable, SlackRefused, TimeoutError)
"""Errors that a tool may raise; any other is a bug."""

T = TypeVar("T")
Judge = Callable[[PermissionRequest], Awaitable[Judgement]]
"""Judges a use when its turn comes, so that a rule revoked during the turn applies at once."""
Report = Callable[[tuple[Use, ...]], Awaitable[None]]
"""Saves how far the uses have come."""


def _refuse_context(_key: str, _since: str, _reads: bool) -> TurnContext:
    raise AssertionError("a runner with tools has a context for them")


async def _ask(_wanted: PermissionRequest) -> Judgement:
    return Judgement(verdict=PermissionVerdict.ASK)


@lru_cache(maxsize=OFFERS)
def _describe_tools(
    tools: tuple[tuple[str, ExternalTool[Any]], ...], folded: frozenset[str]
) -> tuple[dict[str, Any], ...]:
    """Return the tools in the API's format. Turns share what is made for them, so it must not be changed."""
    lines = [tool for name, tool in tools if name in folded]
    whole = [tool.describe() for name, tool in tools if name not in folded]
    return describe_once([*([describe_lookups(lines)] if lines else []), *whole])


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRunner:
    """External tools of one turn, by name, with their context and judge. `now` returns the time as a ts."""

    tools: Mapping[str, ExternalTool[Any]] = field(default_factory=lambda: MappingProxyType({}))
    context_of: Callable[[str, str, bool], TurnContext] = _refuse_context
    """Makes the context of a call: from its key, the ts before its first attempt (empty before), and if it reads."""
    judge: Judge = _ask
    now: Callable[[], str] = str
    seconds: float = SECONDS
    subtasks: Callable[[Use], Subtasks] | None = None
    """Returns what a use of a tool that delegates begins its sub-tasks with."""
    ask: Ask | None = None
    """Asks the model for a tool, at the cost of the turn."""
    hinder: Callable[[], str] = str
    """Returns why no further write begins, because the owner has written meanwhile; empty if one may."""
    folded: frozenset[str] = frozenset()
    """Names of the tools that the model is offered as lines of `look_up`."""

    @property
    def reading(self) -> frozenset[str]:
        """Return the names of the tools that read, and may be used again."""
        return frozenset(tool.name for tool in self.tools.values() if tool.access is Access.READ)

    @property
    def specs(self) -> tuple[dict[str, Any], ...]:
        """Return the tools in the API's format."""
        return _describe_tools(tuple(self.tools.items()), self.folded)

    def fold_lookups(self) -> ToolRunner:
        """Return the runner that offers the tools with a brief as lines of `look_up`."""
        return replace(self, folded=frozenset(name for name, tool in self.tools.items() if tool.brief))

    def fold(self, messages: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
        """Return the API's messages with uses of the tools as the model makes them."""
        return fold_messages(messages, self.folded) if self.folded else messages

    def unfold(self, reply: ModelReply) -> ModelReply:
        """Return the reply with uses of the tools themselves."""
        return unfold_reply(reply, self.folded) if self.folded else reply

    def takes(self, name: str) -> bool:
        """Return True if a call of this name is no call to the conversation itself."""
        return name in self.tools or (name == NAME and bool(self.folded))

    def refuse_lookup(self, tool_call: ToolUse) -> Use | None:
        """Return the failed use of a `look_up` that names no tool; None of any other call."""
        if tool_call.name in self.tools or not self.takes(tool_call.name):
            return None
        return fail(open_use(tool_call.id, NAME, {}), NOT_THERE.format(names=", ".join(sorted(self.folded))))

    def without_subtasks(self) -> ToolRunner:
        """Return the runner without tools that delegate: for sub-tasks themselves, and where none can be begun."""
        alone = {name: tool for name, tool in self.tools.items() if not tool.delegates}
        return replace(self, tools=alone, subtasks=None)

    async def read(self, uses: Sequence[Use], finished: Callable[[Use], None] = lambda _: None) -> list[Use]:
        """Run the uses that read, side by side. The others are returned as they are. Each that ends is told of."""

        async def run(use: Use) -> Use:
            done = await self._read(use)
            if done is not use:
                finished(done)
            return done

        return list(await asyncio.gather(*map(run, uses)))

    async def write(self, uses: Sequence[Use], report: Report, known: Sequence[str] = ()) -> list[Use]:
        """Run the uses that write, in order, as far as they are allowed. Stop at the first that needs an answer.

        `known` are the places that the model's knowledge came from. Once `hinder` gives a reason, no further
        one begins.
        """
        done = list(uses)
        for place, use in enumerate(done):
            if use.tool not in self.tools or use.state is UseState.DONE:
                continue
            if reason := self.hinder():
                done[place] = fail(use, reason)
                continue
            judged = await self._judge_use(use, tuple(known))
            done[place] = judged
            if judged.state is UseState.ASKED:
                done[place + 1 :] = [await self._look_ahead(later, tuple(known)) for later in done[place + 1 :]]
                break
            if judged.state is UseState.ALLOWED:
                begun = done[place] = self._begin(use, judged)
                try:
                    await report(tuple(done))
                except ForbiddenMeanwhile:
                    done[place] = _deny(use)
                    continue
                done[place] = await self._carry_out(begun, judged.since)
                await report(tuple(done))
        return done

    def _begin(self, use: Use, judged: Use) -> Use:
        """Return an allowed use as it is saved while it runs. One that may be done again is judged again then."""
        if self.tools[use.tool].is_repeatable:
            return replace(judged, state=use.state)
        return replace(judged, state=UseState.STARTED, since=judged.since or self.now())

    async def _read(self, use: Use) -> Use:
        tool = self.tools.get(use.tool)
        if tool is None or tool.access is not Access.READ or use.state is UseState.DONE:
            return use
        begun = replace(use, since=self.now())
        try:
            async with asyncio.timeout(self.seconds):
                scope = (await _try(lambda: self._prompt(begun))).scope if tool.prompt else ""
                judgement = await self.judge(PermissionRequest(tool=use.tool, scope=scope, reads=True))
        except Exception as error:  # noqa: BLE001 – a bug in one tool must not end the turn
            return self._fail_with(use, error)
        if judgement.verdict is PermissionVerdict.DENIED:
            return _deny(use)
        return await self._carry_out(begun, begun.since)

    async def _look_ahead(self, use: Use, known: tuple[str, ...]) -> Use:
        """Return a later use as one to be asked about, if it is one, so that several can be allowed together.

        One that cannot be done ends at once, so that the card does not count it.
        """
        tool = self.tools.get(use.tool)
        if tool is None or tool.access is Access.READ or use.state is not UseState.OPEN:
            return use
        judged = await self._judge_use(use, known, ahead=True)
        cannot_be_done = judged.failed and not judged.title
        return judged if judged.state is UseState.ASKED or cannot_be_done else use

    async def _judge_use(self, use: Use, known: tuple[str, ...], *, ahead: bool = False) -> Use:
        """Return a use that writes: allowed, done with a refusal, or to be asked about."""
        if use.state is UseState.DENIED:
            return _deny(use)
        try:
            async with asyncio.timeout(self.seconds):
                prompt = await _try(lambda: self._prompt(use))
                judgement = await self.judge(replace(_build_request(use, prompt, known), ahead=ahead))
        except Exception as error:  # noqa: BLE001 – a bug in one tool must not end the turn
            return self._fail_with(use, error)
        about = replace(
            use,
            title=prompt.title,
            shown=prompt.shown,
            scope=prompt.scope,
            covers=prompt.covers,
            makes=prompt.makes,
            described=prompt.described,
            said_of=prompt.said_of,
            target=prompt.target.place if prompt.target else "",
            standing=judgement.standing,
            remarks=judgement.remarks,
            ruled=judgement.covers,
            recommended=judgement.recommended,
            by_rule=bool(judgement.by),
        )
        if judgement.verdict is PermissionVerdict.DENIED:
            return _deny(about)
        is_allowed = judgement.verdict is PermissionVerdict.ALLOWED
        if use.state is UseState.ALLOWED and not _is_same(use, prompt):
            return fail(use, RENAMED)  # the name may refer to another target since the owner was asked
        if use.state is UseState.ALLOWED and is_allowed:
            return use
        return replace(about, state=UseState.ALLOWED if is_allowed else UseState.ASKED)

    async def _prompt(self, use: Use) -> PermissionPrompt:
        tool = self.tools[use.tool]
        assert tool.prompt is not None, "a tool that writes has one, and of the others it was looked at"
        given = tool.input.model_validate_json(use.input)
        return await tool.prompt(self._build_context(use, use.since), given)

    def _build_context(self, use: Use, since: str) -> TurnContext:
        tool = self.tools[use.tool]
        context = self.context_of(use.id, since, tool.access is Access.READ)
        context = replace(context, ask=self.ask) if self.ask else context
        return replace(context, subtasks=self.subtasks(use)) if tool.delegates and self.subtasks else context

    async def _carry_out(self, use: Use, since: str) -> Use:
        """Run a use. `since` is empty if it was never attempted: then no tool searches for what it may have done."""
        tool = self.tools[use.tool]
        moments = chain((since,), repeat(use.since))
        try:
            given = tool.input.model_validate_json(use.input)
            async with asyncio.timeout(max(self.seconds, tool.seconds)):
                output = await _try(lambda: tool.run(self._build_context(use, next(moments)), given))
        except Exception as error:  # noqa: BLE001 – a bug in one tool must not end the turn
            is_uncertain = tool.access is Access.WRITE and not tool.is_repeatable and _is_ambiguous(error)
            return self._fail_with(use, error, UNKNOWN_OUTCOME if is_uncertain else "")
        log.info("tool_used", kind=use.tool)
        result = output if isinstance(output, ToolResult) else ToolResult(output, (sources.build_tool_label(use.tool),))
        return replace(
            use,
            state=UseState.DONE,
            result=result.text,
            failed=result.failed,
            sources=result.sources,
            address=find_address(result.text),
        )

    def _fail_with(self, use: Use, error: Exception, reason: str = "") -> Use:
        """Return a use that an error ended. Unless it is a bug, the model is told why."""
        if isinstance(error, KNOWN):
            log.warning("tool_failed", kind=use.tool, error=type(error).__name__)
            return fail(use, reason or self._explain(error, self.tools[use.tool]))
        log.error("tool_broken", kind=use.tool, exc_info=error)
        return fail(use, reason or FAILED)

    def _explain(self, error: Exception, tool: ExternalTool[Any]) -> str:
        """Return why a use failed, in words for the model that quote nothing of the error."""
        if isinstance(error, ValidationError):
            faults = describe_faults(error, tool.input)
            return explain_use(faults, tool) if tool.name in self.folded else faults
        return error.words if isinstance(error, OutOfReach) else AWAY


def _build_request(use: Use, prompt: PermissionPrompt, known: tuple[str, ...]) -> PermissionRequest:
    """Return the request for permission of a use that writes."""
    return PermissionRequest(
        tool=use.tool,
        scope=prompt.scope,
        reads=False,
        covers=prompt.covers,
        target=prompt.target,
        sources=known,
        granted=use.state is UseState.ALLOWED,
        named=tuple(covered.scope for covered in use.ruled),
        described=prompt.described,
    )


def _is_same(use: Use, prompt: PermissionPrompt) -> bool:
    """Return True if a use would do what its owner was asked about, before the same circle of readers."""
    is_named_so = (prompt.scope, prompt.title, prompt.described) == (use.scope, use.title, use.described)
    if use.standing is None or prompt.target is None:
        return is_named_so
    now = (prompt.target.kind, prompt.target.sharing)
    return is_named_so and now == (use.standing.kind, use.standing.sharing)


NO_TOOLS = ToolRunner()
"""For a turn without external tools."""


async def _try(act: Callable[[], Awaitable[T]]) -> T:
    """Await a call, again while Slack is away. If one attempt had an unknown outcome, so has the call as a whole."""
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


def fail(use: Use, reason: str) -> Use:
    """Return a use as failed, with the reason for the model."""
    return replace(use, state=UseState.DONE, result=reason, failed=True)


def open_use(id_: str, tool: str, given: Any) -> Use:
    """Return the use of a tool call as the model wrote it."""
    return Use(id=id_, tool=tool, input=json.dumps(given, ensure_ascii=False, separators=(",", ":")))


def _deny(use: Use) -> Use:
    log.info("tool_denied", kind=use.tool)
    return fail(use, DENIED.format(tool=use.tool))


def _is_ambiguous(error: Exception) -> bool:
    """Return True if the call may have taken effect all the same. A bug may have struck before or after that."""
    is_lost = isinstance(error, TimeoutError | OutcomeUnknown) or (
        isinstance(error, SlackUnavailable) and error.ambiguous
    )
    return is_lost or not isinstance(error, KNOWN)
