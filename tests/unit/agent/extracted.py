"""An extraction of the first step with a scripted model, on paper: what it is made from, and what the model submits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.agent.extraction import research
from app.agent.extraction.extraction import Extraction, ExtractionTask
from app.agent.reply import TurnSettings
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Turn
from app.core.state.interview import Interview, JudgedDraft, Mode, PreparedStep, Stage
from app.core.state.sheet import Sheet
from app.decision.drafts.draft import Accepted
from app.decision.schema.paths import walk_objects
from app.decision.tracing.said import SaidFigures
from app.ports import ModelRequest, ToolUse
from tests.unit.agent.scripted import MODEL, PaperDraft, Part, ScriptedModel, answers
from tests.unit.core.threads import THREAD, conversation, reply, said
from tests.unit.decision.components.worked import PLAYBOOK, before, minimal

SETTINGS = TurnSettings(model=MODEL, max_tokens=1_000, context_tokens=32_000)
ISSUES = PLAYBOOK["issue_raising"]
ROWS = (
    said(1, "Do we hire or rent?", author_name="Maya"),
    reply(2, "What would you be choosing between?"),
    said(3, "A driver, or a van.", author_name="Maya"),
    reply(4, "⏳ Putting", MessageStatus.STREAMING, parts=("9.1",)),
)
SEARCH: dict[str, Any] = {"name": "search_web", "description": "Find pages.", "input_schema": {"type": "object"}}


def leading(component: str = "issue_raising", **values: Any) -> Conversation:
    """A conversation whose extraction is under way."""
    prepared = PreparedStep(
        title="", opening="", confirm_question="", approve="", prompt_version="", schema_version="", max_turns=10
    )
    interview = Interview(decision=THREAD, component=component, prepared=prepared, **values)
    return conversation(head=4, turn=Turn(id="4.1", reply=4), interview=interview)


def judge(accepted: Accepted) -> JudgedDraft:
    items = sum("handle" in each for each in walk_objects(accepted.draft))
    return JudgedDraft(draft=accepted.draft, sheet=Sheet(), missing=accepted.missing, items=items)


class Research(research.Research):
    """Tools of the discuss stage that find nothing, and keep what was wished for."""

    def __init__(self) -> None:
        self.wishes: list[ToolUse] = []
        self.sources = set[str]()

    @property
    def specs(self) -> tuple[dict[str, Any], ...]:
        return (SEARCH,)

    async def run(self, calls: Sequence[ToolUse]) -> list[dict[str, Any]]:
        self.wishes += calls
        return [
            {"type": "tool_result", "tool_use_id": call.id, "content": '{"result": "no_results"}', "is_error": False}
            for call in calls
        ]


async def hears_nothing(_: Extraction) -> None:
    """Nobody writes while it works."""


async def keeps_nothing(_: Message) -> None:
    """Nothing is saved."""


class Extracted:
    """An extraction under way. `reached` keeps the stages that were said to begin."""

    def __init__(
        self,
        *scripts: list[Part],
        mode: Mode = Mode.INTERACTIVE,
        of: Conversation | None = None,
        step: str = "",
        after: Message | None = None,
        later: Sequence[Message] = (),
    ) -> None:
        """`after` is the row of an extraction that broke off, `later` what was written since it began."""
        self.model, self.draft, self.tools = ScriptedModel(*scripts), PaperDraft(), Research()
        self.reached: list[Stage] = []
        self.kept: list[Message] = []
        self.news: list[tuple[Message, ...]] = []
        """What is written before each request, the first one first."""
        now = of or leading()
        extraction = Extraction(
            conversation=now,
            rows=(*ROWS[:3], replace(after, status=MessageStatus.STREAMING) if after else ROWS[3], *later),
            component=PLAYBOOK[step] if step else ISSUES,
            so_far=before(step or ISSUES.key),
            mode=mode,
            judge=judge,
            said=SaidFigures,
            unquote=str,
            tools=self.tools,
            reached=self._reach,
            hear=self._hear,
            keep=self._keep,
        )
        self.run = ExtractionTask(self.model, SETTINGS, extraction, self.draft)

    async def _reach(self, stage: Stage) -> None:
        self.reached.append(stage)

    async def _hear(self, before: Extraction) -> Extraction | None:
        news = self.news.pop(0) if self.news else ()
        return replace(before, heard=(*before.heard, *news)) if news else None

    async def _keep(self, row: Message) -> None:
        self.kept.append(row)

    async def closed(self) -> Message:
        return await self.run.reply()

    @property
    def submissions(self) -> list[ModelRequest]:
        """The requests of the serialize stage."""
        return [request for request in self.model.asked if request.forced]

    def told(self, place: int) -> list[dict[str, Any]]:
        """What the model was told of that submission, counted from 0: one answer for each of its calls."""
        return [json.loads(block["content"]) for block in self.submissions[place + 1].messages[-1]["content"]]


def summary(text: str = "Decisions that could be made: D1, driver or van.") -> list[Part]:
    return answers(text=text)


def submits(data: Any, tool: str = ISSUES.tool, id: str = "t1") -> list[Part]:
    return answers(ToolUse(id=id, name=tool, input=data))


def valid() -> dict[str, Any]:
    return minimal("issue_raising")


def invalid(**changes: Any) -> dict[str, Any]:
    """A draft without one of its lists, and with what is changed."""
    draft = {**minimal("issue_raising"), **changes}
    del draft["uncertainties"]
    return draft


def stages(mode: Mode, *scripts: list[Part]) -> list[list[Part]]:
    """Scripts of the last two stages, with the discussion before them that direct mode has."""
    return [*([answers(text="It is about a driver.")] if mode is Mode.DIRECT else []), *scripts]
