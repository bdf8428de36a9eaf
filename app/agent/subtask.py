"""Sub-tasks of a turn. Each looks at one place with a few requests of its own, and with tools that only read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any, Final

import structlog

from app.agent.reply import TurnSettings, select_resendable
from app.agent.tool_runner import ToolRunner, clean_block, clean_input, fail, open_use
from app.agent.tools.context import Access, Finding, Lookup
from app.agent.tools.external.excerpts import clean_text
from app.agent.tools.output import ToolResult, shorten_result
from app.core.errors import ModelFailed, OutOfBudget
from app.core.state.tool_use import Use, UseState
from app.core.text.marks import clean, clean_line
from app.ports import ModelReply, ModelRequest, ToolUse

SYSTEM = resources.files("app.agent").joinpath("prompts/subtask.txt").read_text("utf-8").strip()

ROUNDS: Final = 4
"""Model requests of one sub-task."""

READS: Final = 5
"""Tool uses of one of its rounds."""

SECONDS: Final = 90.0
"""Time for one sub-task. A reading may wait for Slack's limits a minute."""

LONGEST: Final = 1_500
"""Characters of what it reports."""

TOO_MANY: Final = f"Not done: at most {READS} tools at once."
ONLY_READS: Final = "There is no such tool here: you can only read."
LAST: Final = "That is all that you can read. Report now."

LATE: Final = "It took too long."
SPENT: Final = "The budget is used up."
NO_REPORT: Final = "Nothing came of it."
BROKEN: Final = "It could not be done."

log = structlog.get_logger(__name__)

Ask = Callable[[ModelRequest], Awaitable[ModelReply]]
"""Asks the model on the account of the turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubtaskRunner:
    """Runner of the sub-tasks of one turn, with the turn's model, limits and permissions."""

    ask: Ask
    settings: TurnSettings
    runner: ToolRunner
    """The one of the turn. Of its tools those that read, and begin no sub-tasks themselves, are offered."""

    async def look(self, key: str, lookup: Lookup) -> Finding:
        """Carry out one sub-task, of this key. Its failure is a finding, too."""
        runner, reads = self._select_readers(lookup), list[Use]()
        try:
            async with asyncio.timeout(SECONDS):
                text, reason = await self._look(key, lookup, runner, reads)
        except TimeoutError:
            text, reason = "", LATE
        except OutOfBudget:
            text, reason = "", SPENT
        except ModelFailed as failure:
            log.warning("subtask_failed", error=type(failure).__name__)
            text, reason = "", NO_REPORT
        except Exception:
            log.exception("subtask_broken")
            text, reason = "", BROKEN
        done = [use for use in reads if not use.failed]
        return Finding(
            text=clean_text(text, LONGEST),
            reason=reason,
            read=tuple(dict.fromkeys(filter(None, map(_name_source, done)))),
            sources=tuple(sorted({label for use in done for label in use.sources})),
        )

    def _select_readers(self, lookup: Lookup) -> ToolRunner:
        alone = self.runner.without_subtasks()
        tools = {
            name: tool for name, tool in alone.tools.items() if name in lookup.tools and tool.access is Access.READ
        }
        return replace(alone, tools=tools, folded=frozenset(), seconds=SECONDS)

    async def _look(self, key: str, lookup: Lookup, runner: ToolRunner, reads: list[Use]) -> tuple[str, str]:
        """Return the report, or why there is none. `reads` takes each use as it was done."""
        [first] = await self._read(runner, [open_use(key, lookup.tool, lookup.given)], reads)
        if first.failed:
            return "", first.result
        said = [{"role": "user", "content": [{"type": "text", "text": _build_task(lookup, first)}]}]
        text = ""
        for number in range(1, ROUNDS + 1):
            reply = await self.ask(self._build_request(said, runner))
            text = reply.text
            if not reply.uses:
                break
            uses = [_open(use, runner, place) for place, use in enumerate(reply.uses)]
            done = await self._read(runner, uses, reads)
            last = [{"type": "text", "text": LAST}] if number == ROUNDS - 1 else []
            said.append({"role": "assistant", "content": [_clean(block) for block in select_resendable(reply)]})
            said.append({"role": "user", "content": [*(use.block() for use in done), *last]})
        return text, "" if text.strip() else NO_REPORT

    async def _read(self, runner: ToolRunner, uses: Sequence[Use], reads: list[Use]) -> list[Use]:
        done = await runner.read(uses)
        reads += done
        most = self.settings.result_chars // ROUNDS
        return [replace(use, result=shorten_result(use.result, most)) for use in done]

    def _build_request(self, said: Sequence[dict[str, Any]], runner: ToolRunner) -> ModelRequest:
        settings = self.settings
        return ModelRequest(
            model=settings.model, system=SYSTEM, messages=[*said], max_tokens=settings.max_tokens, tools=runner.specs
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UseSubtasks:
    """Implements `Subtasks` for one tool use."""

    runner: SubtaskRunner
    use: Use
    progress: Callable[[Use, int, int], None]
    """Takes the use as it would be if it ended here, and how many sub-tasks of how many have ended."""

    async def look(self, number: int, lookup: Lookup) -> Finding:
        """See `Subtasks.look`."""
        return await self.runner.look(f"{self.use.id}:{number}", lookup)

    def report(self, done: int, total: int, so_far: ToolResult) -> None:
        """See `Subtasks.report`."""
        use = replace(self.use, state=UseState.DONE, result=so_far.text, sources=so_far.sources)
        self.progress(use, done, total)


def _build_task(lookup: Lookup, first: Use) -> str:
    return (
        f"<task>\n{clean(lookup.task)}\n</task>\n<place>{clean_line(lookup.place)}</place>\n"
        f'<read tool="{first.tool}">\n{first.result}\n</read>'
    )


def _open(tool_call: ToolUse, runner: ToolRunner, place: int) -> Use:
    """Return the use of a call, with a refusal if it may not run: nothing that writes is among the runner's tools."""
    use = clean_input(tool_call)
    if use.tool not in runner.tools:
        return fail(use, ONLY_READS)
    return use if place < READS or use.failed else fail(use, TOO_MANY)


def _clean(block: dict[str, Any]) -> dict[str, Any]:
    return clean_block(block) if block["type"] == "tool_use" else block


def _name_source(use: Use) -> str:
    """Return the place that a use has read, by the names in its result."""
    query: dict[str, Any] = json.loads(use.result)["query"]
    thread = query.get("thread") or query.get("conversation") or ""
    return " ".join(filter(None, (str(query.get("channel") or ""), str(thread))))
