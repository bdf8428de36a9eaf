"""The box of tools that one turn is given. What is called is tried at once on a copy of the conversation, so that the
model hears what came of it; it counts when the end of the turn is saved.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import Any, cast

from pydantic import ValidationError

from app.agent.tools import asking, goal, planning, working
from app.agent.tools.tool import Tool
from app.core import texts
from app.core.calling import called
from app.core.calls import (
    AskPerson,
    Call,
    CancelSchedule,
    CompleteWork,
    ContinueWork,
    ResolveQuestion,
    SetSchedule,
    WorkCall,
)
from app.core.errors import IllegalEvent, TooLong
from app.core.goal import summary
from app.core.marks import clean_result
from app.core.model import Conversation, Message
from app.core.planning import told
from app.core.question import read_back, resolved
from app.core.sanitize import sanitize
from app.core.steps import Trigger
from app.core.uses import result_block
from app.ports import ToolUse

TOOLS: Mapping[str, Tool[Any]] = MappingProxyType(
    {
        tool.name: tool
        for tool in (
            asking.ASK,
            asking.RESOLVE,
            goal.NAME,
            goal.RECORD,
            goal.PROPOSE,
            goal.START,
            goal.FINISH,
            goal.FEEL,
            planning.SCHEDULE,
            planning.CANCEL,
            working.CONTINUE,
            working.COMPLETE,
        )
    }
)

SPECS = tuple(tool.spec() for tool in TOOLS.values())
"""The same for every turn: thinking is bound to the tools that were there (reference: preserved thinking)."""

ASKED = "The question is shown to the owner. Your turn ends here; the answer comes with their next message."
CANCELLED = "It will not be done any more."
RUN_ENDED = "The run ends here."
NOT_NOW = "That cannot be done now."
UNKNOWN = "There is no tool of this name."
TOO_LONG = "That is too long."
PLANNED_OFTEN = "Not planned: the owner has planned a lot in the last hour. It can be planned in {wait}; tell them."
AFTER_QUESTION = "Not done: you have asked a question, and the answer comes first."
AFTER_RUN = "Not done: you have ended the run."


class Box(ABC):
    """What all boxes share: an input is cleaned before it is looked at, and what cannot be is told in words."""

    specs: tuple[dict[str, Any], ...] = ()
    """The tools as the API wants them, the same for all turns of a conversation: thinking is bound to them."""
    calls: tuple[Call, ...] = ()
    """What counts of what was called, in order."""
    used = False
    """True once anything was called, whatever came of it."""
    verbatim = True
    """False once an input had to be cleaned: then what the model wrote is not kept as it was."""

    @property
    @abstractmethod
    def waits(self) -> bool:
        """True when the turn ends with what was called."""

    def use(self, wish: ToolUse) -> dict[str, Any]:
        """Carry out one call, and give the block that tells the model what came of it."""
        self.used = True
        try:
            words, failed = self._use(wish.name, self._cleaned(wish.input)), False
        except IllegalEvent as refusal:
            words, failed = self._failure(_refused(refusal)), True
        except ValidationError as error:
            words, failed = self._failure(faults(error)), True
        except TooLong:
            words, failed = self._failure(TOO_LONG), True
        return result_block(wish.id, clean_result(words), failed=failed)

    @abstractmethod
    def _use(self, name: str, given: Any) -> str:
        """Carry out one call and give the words for it; what is raised instead has changed nothing.

        Raises `IllegalEvent`, `ValidationError` or `TooLong`.
        """

    def _failure(self, words: str) -> str:
        """How the model is told what was wrong."""
        return words

    def _cleaned(self, given: Any) -> Any:
        """What the model wrote, sanitised. Raises `TooLong`."""
        was_verbatim, self.verbatim = self.verbatim, False
        clean = sanitized(given)
        self.verbatim = was_verbatim and clean == given
        return clean


class Toolbox(Box):
    """The tools of one turn of a free thread."""

    specs = SPECS

    def __init__(
        self, conversation: Conversation, cards: tuple[Message, ...], at: Callable[[], str], wait: int = 0
    ) -> None:
        """`wait`: in how many seconds the owner may plan something again, who has planned too often; else 0."""
        self._now, self._cards, self._at, self._wait = conversation, cards, at, wait

    def restored(self, calls: tuple[Call, ...]) -> Toolbox:
        """The same, after what was called before the turn had to wait."""
        for call in calls:
            trigger = Trigger(cause="try", at=self._at(), cards=self._cards)
            with suppress(IllegalEvent):  # the owner has changed something meanwhile: it means nothing then
                self._now = called(self._now, call, trigger).conversation
        self.calls, self.used = calls, bool(calls)
        return self

    @property
    def waits(self) -> bool:
        """True after a question, and when a run has been ended."""
        return any(isinstance(call, AskPerson | WorkCall) for call in self.calls)

    def _use(self, name: str, given: Any) -> str:
        tool = TOOLS.get(name)
        if tool is None:
            raise IllegalEvent("ILLEGAL", UNKNOWN)
        if self.waits:
            raise IllegalEvent("ILLEGAL", AFTER_RUN if isinstance(self.calls[-1], WorkCall) else AFTER_QUESTION)
        before, trigger = self._now, Trigger(cause="try", at=self._at(), cards=self._cards)
        call = tool.call(tool.input.model_validate(given))
        if isinstance(call, SetSchedule):
            if self._wait:
                raise IllegalEvent("ILLEGAL", PLANNED_OFTEN.format(wait=texts.wait(self._wait)))
            call = replace(call, at=trigger.at)
        self._now = called(before, call, trigger).conversation
        self.calls = (*self.calls, call)
        return self._words(call, before, trigger.at)

    def _words(self, call: Call, before: Conversation, at: str) -> str:
        match call:
            case AskPerson():
                return ASKED
            case ResolveQuestion():
                assert before.question is not None, "an answer was found for it"
                return read_back(before.question, resolved(before.question, call.value))
            case SetSchedule():
                return told(self._now, at)
            case CancelSchedule():
                return CANCELLED
            case ContinueWork() | CompleteWork():
                return RUN_ENDED
            case _:
                return summary(self._now.goals)


def sanitized(value: Any) -> Any:
    """What the model wrote, hygienic like every text of it, before it is looked at."""
    if isinstance(value, str):
        return sanitize(value)
    if isinstance(value, list):
        return [sanitized(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {sanitize(str(key)): sanitized(item) for key, item in cast("dict[Any, Any]", value).items()}
    return value


def _refused(refusal: IllegalEvent) -> str:
    """What the model hears, and may pass on to people: of a schedule in the words that people read."""
    if refusal.code == "BAD_SCHEDULE":
        return texts.BAD_SCHEDULE.format(reason=refusal.detail)
    return refusal.detail or NOT_NOW


def faults(error: ValidationError) -> str:
    """What is wrong with an input, field by field; what was given is not repeated."""
    faults = (f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors(include_input=False))
    return "; ".join(faults)
