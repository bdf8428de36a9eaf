"""The tools of one turn in the interview of a step: what is offered never changes, what fits depends on the moment.

Each answer is JSON in the order of ADR-008: the result, what was done, what is still needed, and last what to do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from app.agent.tools.box import Box
from app.agent.tools.interview import TOOLS
from app.agent.tools.research import RESEARCH, Ground, ResearchTool
from app.agent.tools.sitting import Answer, Moment, Sitting
from app.core.calls import Call, DraftExtracted, DraftNoted
from app.core.errors import IllegalEvent
from app.core.model import Conversation, Message
from app.core.steps import Trigger
from app.decision.component import Component
from app.decision.handles import handles_of
from app.decision.notebook import Notebook
from app.decision.so_far import SoFar
from app.decision.sources import Sources

MAX_CALLS: Final = 50
"""Tool calls of one turn (T4)."""

SPENT: Final = "You have used tools often enough in this turn. Answer the owner now."
UNKNOWN: Final = "There is no tool of this name."
NOT_IN_DISCUSSION: Final = "not in discussion: the result is handed in when it is written, after ready_to_summarize()."
CLOSED: Final = "Not done: what you called before ends your turn."
MEND: Final = "Correct what was wrong in the input, or go on without it."
UNFIT: Final[Mapping[Moment, str]] = MappingProxyType(
    {
        Moment.DISCUSS: "Not now: no draft waits for the owner's OK.",
        Moment.CONFIRM: "Not while a draft waits for the owner's OK: if they want changes, resolve_confirmation().",
        Moment.WRITING: "Not while the result is written.",
    }
)

_HANDLE = re.compile(r'\\"item\\": \\"([A-Z]{1,2}[0-9]{1,3})\\"')
"""A handle in the answer of a tool, which is JSON in JSON."""


@dataclass(eq=False)
class InterviewBox(Box):
    """The tools of one turn. `rows` are those of the thread, the open cards among them; `at` tells the time as a ts."""

    conversation: Conversation
    rows: tuple[Message, ...]
    component: Component
    so_far: SoFar
    at: Callable[[], str]
    research: tuple[ResearchTool[Any], ...] = RESEARCH

    def __post_init__(self) -> None:
        notebook = Notebook(self.component, self.so_far, frozenset(_given(self.rows)))
        self._sitting = Sitting(self.conversation, notebook, self._occasion, Sources(self.rows))
        self._tools = {tool.name: tool for tool in TOOLS if tool.suits(self.component)}
        self._research = {tool.name: tool for tool in self.research}
        own = tuple(tool.spec(self.component) for tool in self._tools.values())
        self.specs = (*own, *(tool.spec() for tool in self.research))
        self._used = 0

    @property
    def waits(self) -> bool:
        """True after a question, after `ready_to_summarize`, and when a reply to the draft has been understood."""
        return self._sitting.waits

    def _use(self, name: str, given: Any) -> str:
        self._used += 1
        if self._used > MAX_CALLS:
            raise IllegalEvent("ILLEGAL", SPENT)
        if self._sitting.is_closed:
            raise IllegalEvent("ILLEGAL", CLOSED)
        answer = self._answer(name, given)
        self.calls = self._sitting.calls
        return _json(answer)

    def _answer(self, name: str, given: Any) -> Answer:
        moment = self._sitting.moment
        if name in self._research:
            if moment is not Moment.DISCUSS:
                raise IllegalEvent("ILLEGAL", UNFIT[moment])
            return self._looked_up(self._research[name], given)
        tool = self._tools.get(name)
        if tool is None:
            raise IllegalEvent("ILLEGAL", NOT_IN_DISCUSSION if name == self.component.tool else UNKNOWN)
        if moment not in tool.moments:
            raise IllegalEvent("ILLEGAL", UNFIT[moment])
        return tool.use(self._sitting, tool.input.model_validate(given))

    def _looked_up(self, tool: ResearchTool[Any], given: Any) -> Answer:
        query = tool.input.model_validate(given)
        found = tool.look(Ground(self.rows, self.so_far), query)
        result = "success" if found.found else "no_results"
        return Answer({"query": query.model_dump(), "found": found.found}, found.action, result)

    def _failure(self, words: str) -> str:
        return _json(Answer({"problem": words}, MEND, "error"))

    def _occasion(self) -> Trigger:
        cards = tuple(row for row in self.rows if row.seq in self.conversation.cards)
        return Trigger(cause="try", at=self.at(), cards=cards)


def _json(answer: Answer) -> str:
    return json.dumps({"result": answer.result, **answer.told, "action": answer.action}, ensure_ascii=False)


def _given(rows: tuple[Message, ...]) -> Iterator[str]:
    """Every handle that was given in these rows: none is given to something else."""
    for row in rows:
        yield from _HANDLE.findall(row.content)
        yield from handles_of([json.loads(row.data or "{}"), *(_draft(call) for call in row.calls)])


def _draft(call: Call) -> Mapping[str, Any]:
    match call:
        case DraftNoted():
            return call.draft
        case DraftExtracted():
            return call.drafted.draft
        case _:
            return {}
