"""A conversation with the rehearsal model that offers it all tools; those that reach outside are the real ones."""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import ValidationError

from app.agent.tools.conversation.thread_toolset import SPECS, TOOLS
from app.agent.tools.external.discovery import EXTERNAL_TOOLS
from app.agent.tools.output import ToolResult
from app.core.errors import OutOfReach
from app.core.state.tool_use import Use, interrupt_use
from app.playground.claude import Pace, Prompt, Text, ToolCall
from app.playground.claude.api.script import Part
from app.playground.claude.demo.model import LABEL, rehearsal
from tests.contract.playground_claude.asking import SONNET, Json
from tests.unit.agent.tools.outer.afield import Afield

CLOCK = "Time: Sat 21 Nov 2026 12:10 (America/New_York)"


@dataclass
class Outside:
    """A conversation with the rehearsal model whose calls are really made, unless the test says what came of them."""

    tools: frozenset[str] = frozenset({*TOOLS, *EXTERNAL_TOOLS}) - {"search_web"}
    at: Afield = field(default_factory=Afield)
    messages: list[Json] = field(default_factory=list[Json])
    calls: list[ToolCall] = field(default_factory=list[ToolCall])
    """Of the newest answer."""
    _results: list[Json] = field(default_factory=list[Json])

    def says(self, words: str, *state: str) -> str:
        """The owner says something; gives the model's words. Calls wait for what comes of them."""
        told = "\n".join((CLOCK, *state))
        return self._asks([*self._results, {"type": "text", "text": f"{words}\n\n<state>\n{told}\n</state>"}])

    def comes(self, told: str, *, error: bool = False) -> str:
        """The turn goes on with this for its call."""
        return self.come(*((told, error) for _ in self._results))

    def come(self, *outcomes: tuple[str, bool]) -> str:
        """The turn goes on with one of these for each of its calls: what is told, and whether it is an error."""
        came = zip(self._results, outcomes, strict=True)
        return self._asks([{**result, "content": told, "is_error": error} for result, (told, error) in came])

    async def goes_on(self) -> str:
        """The turn goes on with what the real tool says."""
        call = self.call
        try:
            given = EXTERNAL_TOOLS[call.name].input.model_validate(dict(call.input))
            told = await EXTERNAL_TOOLS[call.name].run(self.at.context, given)
            return self.comes(told.text if isinstance(told, ToolResult) else told)
        except (OutOfReach, ValidationError) as error:
            return self.comes(str(error), error=True)

    def is_stopped(self) -> None:
        """The owner does not want it: what the model is told of that comes with their next words."""
        use = interrupt_use(Use(id="t", tool=self.calls[0].name, input="{}"))
        self._results = [{**result, "content": use.result, "is_error": True} for result in self._results]

    @property
    def call(self) -> ToolCall:
        (call,) = self.calls
        return call

    def _asks(self, content: list[Json]) -> str:
        self.messages.append({"role": "user", "content": content})
        specs = [*SPECS, *(tool.describe() for tool in EXTERNAL_TOOLS.values())]
        offered = [spec for spec in specs if spec["name"] in self.tools]
        prompt = Prompt.read({"model": SONNET, "messages": self.messages, "tools": offered})
        parts: list[Part] = list(rehearsal(Pace(chunk=200))(prompt).parts)
        self.calls = [part for part in parts if isinstance(part, ToolCall)]
        words = "".join(part.text for part in parts if isinstance(part, Text))
        assert not words or LABEL in words, "not labelled as a rehearsal"
        ids = [f"t{len(self.messages)}_{n}" for n, _ in enumerate(self.calls)]
        uses = [
            {"type": "tool_use", "id": id_, "name": call.name, "input": dict(call.input)}
            for id_, call in zip(ids, self.calls, strict=True)
        ]
        text = [{"type": "text", "text": words}] if words else []
        self.messages.append({"role": "assistant", "content": [*text, *uses]})
        self._results = [{"type": "tool_result", "tool_use_id": id_, "content": "Done."} for id_ in ids]
        return words
