"""The toolset of one turn. Each call is tried at once, so that the model hears the outcome.

It counts when the end of the turn is saved.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, Self, cast

from pydantic import ValidationError

from app.agent.tools.conversation import goal_tools, question_tools, schedule_tools
from app.agent.tools.output import ToolResult
from app.agent.tools.tool import Input, PureTool, T, build_schema
from app.agent.tools.trial import Trial
from app.core.conversation.call import Call, WorkCall
from app.core.conversation.conversation import Conversation, Message
from app.core.copy import texts
from app.core.errors import IllegalEvent, TooLong
from app.core.state.tool_use import build_result_block
from app.core.text.marks import clean_result
from app.core.text.quotations import QuotationFilter
from app.core.text.sanitize import sanitize
from app.decision.schema.similarity import suggest_name
from app.ports import ToolUse

TOOLS: Mapping[str, PureTool[Trial, Any]] = MappingProxyType(
    {
        tool.name: tool
        for tool in (
            question_tools.ASK,
            question_tools.RESOLVE,
            goal_tools.NAME,
            goal_tools.RECORD,
            goal_tools.PROPOSE,
            goal_tools.START,
            goal_tools.FINISH,
            goal_tools.FEEL,
            schedule_tools.SCHEDULE,
            schedule_tools.CANCEL,
            schedule_tools.CONTINUE,
            schedule_tools.COMPLETE,
            question_tools.OFFER,
        )
    }
)

SPECS = tuple(tool.describe() for tool in TOOLS.values())
"""The same for every turn, because the API binds the model's thinking to the tools that it was offered."""

NOT_NOW = "That cannot be done now."
UNKNOWN = "There is no tool of this name."
TOO_LONG = "That is too long."
AFTER_QUESTION = "Not done: you have asked a question, and the answer comes first."
AFTER_RUN = "Not done: you have ended the run."


class Toolset(ABC, Generic[T]):
    """Tools of one turn, and the trial that they are called on. An input is cleaned before a tool sees it."""

    specs: tuple[dict[str, Any], ...] = ()
    """The tools as the API wants them, the same for all turns of a conversation: thinking is bound to them."""
    trial: T
    works_long = False
    """True if a call may take so long that it would block the event loop."""
    used = False
    """True once anything was called, even if it failed."""
    noted: frozenset[str] = frozenset()
    """Ids of the calls that noted something as it was given."""
    verbatim = True
    """False once an input had to be cleaned: then the model's own words are not kept."""

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls that count, in order."""
        return self.trial.calls

    @property
    def waits(self) -> bool:
        """True if the turn ends with a call that was made."""
        return self.trial.waits

    def restore(self, reply: Message) -> Self:
        """Return the same after the finished rounds of a reply that goes on."""
        self.trial.restore(reply.calls)
        self.used = bool(reply.calls)
        return self

    def hear(self, rows: tuple[Message, ...]) -> None:
        """Take in what people wrote meanwhile and the model reads now."""
        self.trial.hear(rows)

    def refuse_outside(self) -> str:
        """Return why no tool may reach outside of the thread now, in words for the model; empty if it may."""
        return AFTER_QUESTION if self.waits else ""

    @property
    def is_planned(self) -> bool:
        """Return True if something is done later by itself, or if nothing can be planned with these tools."""
        return True

    async def prepare(self, names: Collection[str]) -> None:
        """Look up what the tools of these names need to know, before they are called."""

    def begin_round(self, text: str) -> None:
        """Begin the calls of another model request, whose text is given."""

    def build_quotation_filter(self) -> QuotationFilter | None:
        """Return the filter of the reply's words; None where quotation marks are not checked. It can take long."""

    def find_unsaid(self, text: str, told: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
        """Return the amounts and dates of a reply that nobody said, where that is checked. It can take long.

        `told` are the messages of its last request.
        """
        return ()

    def rank(self, name: str) -> int:
        """Return the place of a tool among the calls of one request: the lowest are run first."""
        return 0

    def use(self, tool_call: ToolUse) -> dict[str, Any]:
        """Carry out one tool call, and return the block with its result for the model."""
        self.used, failed = True, False
        try:
            done = self._run(tool_call.name, self._clean(tool_call.input))
            text = done.text
            if done.noted:
                self.noted |= {tool_call.id}
        except IllegalEvent as refusal:
            text, failed = self._failure(_explain_refusal(refusal)), True
        except TooLong:
            text, failed = self._failure(TOO_LONG), True
        return build_result_block(tool_call.id, clean_result(text), failed=failed)

    @abstractmethod
    def _select(self, name: str) -> PureTool[T, Any]:
        """Return the tool of this name. Raises `IllegalEvent` if it may not be called now."""

    def _run(self, name: str, given: Any) -> ToolResult:
        tool = self._select(name)
        try:
            read = tool.input.model_validate(given)
        except ValidationError as error:
            raise IllegalEvent("INVALID", describe_faults(error, tool.input)) from None
        return tool.run(self.trial, read)

    def _failure(self, reason: str) -> str:
        """Return a failed call for the model."""
        return reason

    def _clean(self, given: Any) -> Any:
        """Return an input sanitised. Raises `TooLong`."""
        was_verbatim, self.verbatim = self.verbatim, False
        clean = sanitize_value(given)
        self.verbatim = was_verbatim and clean == given
        return clean


class ThreadToolset(Toolset[Trial]):
    """Tools of one turn of a free thread."""

    specs = SPECS

    def __init__(
        self,
        conversation: Conversation,
        messages: tuple[Message, ...],
        at: Callable[[], str],
        find_schedule_wait: Callable[[], Awaitable[int]] | None = None,
    ) -> None:
        """`messages` hold at least the open cards. The others are as in `Trial`."""
        self.trial = Trial(conversation, messages, at)
        self._find_schedule_wait = find_schedule_wait

    @property
    def is_planned(self) -> bool:
        """See `Toolset.is_planned`."""
        return self.trial.conversation.schedule is not None

    async def prepare(self, names: Collection[str]) -> None:
        """See `Toolset.prepare`. Few turns plan anything, so how soon the owner may plan is asked when one does."""
        if schedule_tools.SCHEDULE.name in names and self._find_schedule_wait:
            self.trial.schedule_wait = await self._find_schedule_wait()

    def _select(self, name: str) -> PureTool[Trial, Any]:
        tool = TOOLS.get(name)
        if tool is None:
            raise IllegalEvent("ILLEGAL", UNKNOWN)
        if self.waits:
            raise IllegalEvent("ILLEGAL", AFTER_RUN if isinstance(self.calls[-1], WorkCall) else AFTER_QUESTION)
        return tool


def sanitize_value(value: Any) -> Any:
    """Return an input of the model with all its texts sanitised. Raises `TooLong`."""
    if isinstance(value, str):
        return sanitize(value)
    if isinstance(value, list):
        return [sanitize_value(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {sanitize(str(key)): sanitize_value(item) for key, item in cast("dict[Any, Any]", value).items()}
    return value


def _explain_refusal(refusal: IllegalEvent) -> str:
    """Return why a call was refused. The model may pass it on, so of a schedule it is in words that people read."""
    if refusal.code == "BAD_SCHEDULE":
        return texts.BAD_SCHEDULE.format(reason=refusal.detail)
    return refusal.detail or NOT_NOW


def describe_faults(error: ValidationError, shape: type[Input]) -> str:
    """Return what is wrong with an input, field by field, without repeating what was given.

    For a name that there is not, the one that is probably meant is suggested.
    """
    return "; ".join(_describe_fault(fault, shape) for fault in error.errors(include_input=False))


def _describe_fault(fault: Mapping[str, Any], shape: type[Input]) -> str:
    place = ".".join(map(str, fault["loc"]))
    if fault["type"] != "extra_forbidden":
        return f"{place}: {fault['msg']}"
    *outer, name = fault["loc"]
    known = _list_names(build_schema(shape), outer)
    return f"there is no `{place}`" + (f"; {suggest_name(str(name), known)}" if known else "")


def _list_names(schema: dict[str, Any], steps: Sequence[str | int]) -> list[str]:
    """Return the names of the fields at a place of an input."""
    node = schema
    for step in steps:
        node = node["properties"][step] if isinstance(step, str) else node["items"]
        node = next((each for each in node.get("anyOf", ()) if "items" in each), node)
    return list(node["properties"])
