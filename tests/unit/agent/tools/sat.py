"""An interview as its tools meet it: one step of a decision, what was said in it, and a box of tools."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from app.agent.tools.interview.interview_toolset import InterviewToolset
from app.core.conversation.call import Call, DraftNoted
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role
from app.core.state.interview import Inconsistency, Interview, Phase, PreparedStep, Stage
from app.core.state.lifecycle import Lifecycle
from app.core.state.question import Question, QuestionKind
from app.core.state.status import Kind
from app.decision.playbook.playbook import load_proact
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from app.ports import ToolUse
from tests.unit.core.threads import THREAD, conversation, said
from tests.unit.decision.components.worked import before

PREPARED = PreparedStep(
    title="A step",
    opening="Hello",
    confirm_question="Is it right?",
    approve="Approve",
    prompt_version="1",
    schema_version="1",
    max_turns=10,
)
DEEP = json.loads("[" * 25 + "]" * 25)
DISCUSSION = (Phase.INTRO, Phase.GATHER, Phase.CLARIFY)
QUESTION = Question(id="1.1", kind=QuestionKind.CHOICE, prompt="Which?", options=("A", "B"))
TWO = {"about": "money", "statement_a": "at most 50k", "statement_b": "100k is fine"}
MADE = Inconsistency(about="money", one="at most 50k", other="100k is fine")
"""What `TWO` tells, as it is kept."""

ROWS = (
    said(1, "We could HIRE somebody, said Maya", author_name="Maya Okafor"),
    Message(seq=2, role=Role.ASSISTANT, text="Hire whom?", parts=("1770000000.000002",)),
    said(3, "A nurse. " + "Or not. " * 60 + "Hire a nurse in spring. " + "We will see. " * 60),
    Message(seq=4, role=Role.ASSISTANT, text="", status=MessageStatus.STREAMING),
)
QUOTABLE = (
    said(1, "We lost four families last winter, and I will not see that again."),
    Message(seq=2, role=Role.ASSISTANT, text="The assistant wrote this itself."),
    Message(seq=3, role=Role.PERSON, text="By a button"),
)
"""Messages of which what people wrote can be quoted."""


def interviewed(phase: Phase = Phase.GATHER, **interview: Any) -> Conversation:
    """The thread of a step in this phase."""
    key = interview.setdefault("component", "issue_raising")
    usual: dict[str, Any] = {"decision": THREAD, "prepared": PREPARED, "has_content": True, "edition": 4}
    held = Interview(**(usual | interview))
    stage = Stage.NONE if phase is Phase.CONFIRM else Stage.DISCUSS
    lifecycle = Lifecycle.CONFIRMED if phase is Phase.CONFIRM else Lifecycle.IN_PROGRESS
    return conversation(kind=Kind.COMPONENT, phase=phase, stage=stage, lifecycle=lifecycle, interview=held, title=key)


class Box:
    """A box of tools, and what it says; every answer is JSON in the order that the model expects."""

    def __init__(self, now: Conversation | None = None, rows: tuple[Message, ...] = ROWS, **more: Any) -> None:
        now = now or interviewed()
        assert now.interview
        key = now.interview.component
        so_far: DecisionRecord = more.pop("so_far", before(key))
        self.tools = InterviewToolset(now, rows, load_proact()[key], so_far, lambda: "1770000900.000001", **more)

    @property
    def calls(self) -> tuple[Call, ...]:
        return self.tools.calls

    @property
    def draft(self) -> Draft:
        (noted,) = [call for call in self.calls if isinstance(call, DraftNoted)]
        return dict(noted.draft)

    def use(self, name: str, /, **given: Any) -> tuple[dict[str, Any], bool]:
        return self.sends(name, given)

    def sends(self, name: str, given: Any) -> tuple[dict[str, Any], bool]:
        block = self.tools.use(ToolUse(id="t1", name=name, input=given))
        assert (block["type"], block["tool_use_id"]) == ("tool_result", "t1")
        told = json.loads(block["content"])
        assert next(iter(told)) == "result"
        assert "action" not in told or (list(told)[-1] == "action" and told["action"])
        assert "try again" not in block["content"].lower()
        failed = block.get("is_error", False)
        assert failed == (told["result"] == "error")
        assert "action" not in told or not failed
        return told, failed

    def does(self, name: str, /, **given: Any) -> dict[str, Any]:
        told, failed = self.use(name, **given)
        assert not failed, told
        return told

    def fails(self, name: str, /, **given: Any) -> str:
        before_, told = self.calls, self.use(name, **given)
        assert told[1], told[0]
        assert self.calls == before_
        return told[0]["problem"]

    def notes(self, path: str, **fields: Any) -> str:
        return self.does("note_item", list=path, fields=fields)["item"]


def reply(box: Box, content: str = "") -> tuple[Message, ...]:
    """The rows when this turn has been saved."""
    return (*ROWS[:3], replace(ROWS[3], status=MessageStatus.COMPLETE, calls=box.calls, content=content))
