"""The toolset of one turn in the interview of a step. It always offers the same; what may be called follows the phase.

Each result is JSON: the outcome, what was done, what is still needed, and last what to do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Self

from app.agent.tools.conversation.thread_toolset import Toolset
from app.agent.tools.interview.judgements import READY, TOOLS
from app.agent.tools.interview.notes import DISCUSSION
from app.agent.tools.interview.reply_figures import find_unsaid_in_reply
from app.agent.tools.output import report
from app.agent.tools.tool import PureTool, describe_once
from app.agent.tools.trial import InterviewTrial
from app.core.conversation.card import StepCard
from app.core.conversation.conversation import Conversation, Message
from app.core.errors import IllegalEvent
from app.core.state.interview import Phase
from app.core.text.labels import shorten
from app.core.text.quotations import QuotationFilter
from app.decision.drafts.given_handles import collect_handles
from app.decision.drafts.notebook import DraftEditor
from app.decision.drafts.quote_sources import Sources
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.ports import ToolUse

MAX_CALLS: Final = 50
"""Tool calls of one turn: more would keep the owner waiting, and cost, without end."""

SPENT: Final = "You have used tools often enough in this turn. Answer the owner now."
UNKNOWN: Final = "There is no tool of this name."
NOT_IN_DISCUSSION: Final = "not in discussion: the result is handed in when it is written, after ready_to_summarize()."
CLOSED: Final = "Not done: another call ends your turn."
NO_DRAFT: Final = "Not now: no draft waits for the owner's OK."
UNFIT: Final[Mapping[Phase, str]] = MappingProxyType(
    {
        Phase.CONFIRM: "Not while a draft waits for the owner's OK: if they want changes, resolve_confirmation().",
        Phase.EXTRACT: "Not while the result is written.",
    }
)
"""Why a tool may not be called in a phase; `NO_DRAFT` in the others."""

LAST: Final = ("resolve_confirmation", "ask_user", "ready_to_summarize")
"""Tools that end the turn, in the order in which they are run: all other calls of the same request come first."""


@dataclass(eq=False)
class InterviewToolset(Toolset[InterviewTrial]):
    """Tools of one turn. `messages` are all of the thread; `at` returns the time as a ts."""

    works_long = True
    conversation: Conversation
    messages: tuple[Message, ...]
    component: Component
    so_far: DecisionRecord
    at: Callable[[], str]

    def __post_init__(self) -> None:
        notebook = DraftEditor(self.component, self.so_far, frozenset(collect_handles(self.messages)))
        sources = Sources.of_step(self.messages, self.so_far)
        self.trial = InterviewTrial(self.conversation, self.messages, self.at, notebook=notebook, sources=sources)
        offered = tuple(tool for tool in TOOLS if tool.suits(self.component))
        self._tools = {tool.name: tool for tool in offered}
        self.specs = describe_once(tool.describe(self.component) for tool in offered)
        self._used = 0
        self._filters: list[QuotationFilter] = []

    def restore(self, reply: Message) -> Self:
        """See `Toolset.restore`. How many of its tools were called, and which have failed, the results tell."""
        said = json.loads(reply.content)
        blocks = [(each["role"], block) for each in said for block in each["content"]]
        names = {block["id"]: block["name"] for _, block in blocks if block["type"] == "tool_use"}
        told = [block for role, block in blocks if role == "user"]
        own = [each for each in told if each["type"] == "text" or names.get(each.get("tool_use_id")) in self._tools]
        self._used = sum(each["type"] == "tool_result" for each in own)
        heard = max((place for place, each in enumerate(own, 1) if each["type"] == "text"), default=0)
        failed = [names[each["tool_use_id"]] for each in own[heard:] if each.get("is_error")]
        self.trial.failed = tuple(name for name in failed if name != READY.name)
        return super().restore(reply)

    def begin_round(self, text: str) -> None:
        """Begin another round of calls; the text may ask the owner something."""
        self.trial.begin_round(text)

    def build_quotation_filter(self) -> QuotationFilter:
        """Return a filter that leaves marks only around what people wrote."""
        self._filters.append(self.trial.quotable.build_filter())
        return self._filters[-1]

    def find_unsaid(self, text: str, told: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
        """See `Toolset.find_unsaid`. Words that were given as somebody's own come first, if nobody wrote the like."""
        given = dict.fromkeys(words for each in self._filters for words in each.removed if words in text)
        made_up = [shorten(each) for each in given if not self.trial.sources.find_nearest(each)]
        cards = (row.card for row in self.trial.messages if isinstance(row.card, StepCard))
        return (*made_up, *find_unsaid_in_reply(text, told, self.so_far, cards))

    def rank(self, name: str) -> int:
        """Return a higher place for the tools that end the turn, so that no other call comes too late."""
        return LAST.index(name) + 1 if name in LAST else 0

    def use(self, tool_call: ToolUse) -> dict[str, Any]:
        """Carry out one tool call. A failure is remembered until the end of the turn."""
        block = super().use(tool_call)
        if block.get("is_error") and tool_call.name != READY.name:
            self.trial.failed = (*self.trial.failed, tool_call.name)
        return block

    def refuse_outside(self) -> str:
        """Return why nothing may be read now: only a discussion has use for it."""
        if self.trial.is_closed:
            return CLOSED
        return "" if self.trial.phase in DISCUSSION else UNFIT.get(self.trial.phase, NO_DRAFT)

    def _select(self, name: str) -> PureTool[InterviewTrial, Any]:
        self._used += 1
        if self._used > MAX_CALLS:
            raise IllegalEvent("ILLEGAL", SPENT)
        if self.trial.is_closed:
            raise IllegalEvent("ILLEGAL", CLOSED)
        tool, phase = self._tools.get(name), self.trial.phase
        if tool is None:
            raise IllegalEvent("ILLEGAL", NOT_IN_DISCUSSION if name == self.component.tool else UNKNOWN)
        if phase not in tool.availability:
            raise IllegalEvent("ILLEGAL", UNFIT.get(phase, NO_DRAFT))
        return tool

    def _failure(self, reason: str) -> str:
        return report("", result="error", problem=reason)
