"""What an extraction without people may look up before it writes: its step, and what the owner can see elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.agent.tool_runner import ToolRunner, clean_input, fail
from app.agent.tools.conversation.thread_toolset import Toolset
from app.agent.tools.output import shorten_result
from app.core.state.tool_use import Use, UseState
from app.ports import ToolUse
from app.threaded import run_to_end


@dataclass(eq=False, kw_only=True)
class Research:
    """Tools of the discuss stage, whose calls change nothing."""

    tools: Toolset[Any]
    outside: ToolRunner
    longest: int
    """Characters of one result."""
    sources: set[str] = field(default_factory=set[str])
    """The places that the results so far came from."""

    @property
    def specs(self) -> tuple[dict[str, Any], ...]:
        """Return the tools in the API's format."""
        return (*self.tools.specs, *self.outside.specs)

    async def run(self, calls: Sequence[ToolUse]) -> list[dict[str, Any]]:
        """Run the calls of one request. Return the API's blocks with their results; a refusal is one as well."""
        uses = await run_to_end(lambda: [self._begin(call) for call in calls])
        refusal = self.tools.refuse_outside()
        free = [fail(use, refusal) if refusal and use.state is UseState.OPEN else use for use in uses]
        done = await self.outside.read(free)
        self.sources.update(label for use in done for label in use.sources)
        return [replace(use, result=shorten_result(use.result, self.longest)).block() for use in done]

    def _begin(self, call: ToolUse) -> Use:
        """Carry out a call to the step itself. One that reaches outside is returned as it is to be run."""
        if call.name in self.outside.tools:
            return clean_input(call)
        block = self.tools.use(call)
        result, failed = block["content"], bool(block.get("is_error"))
        return Use(id=call.id, tool=call.name, input="{}", state=UseState.DONE, result=result, failed=failed)
