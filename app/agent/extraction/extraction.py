"""One extraction: discuss (only without a person), summarize, serialize.

Each stage starts a fresh request with its own tools: research, none, and the submission. It does not know Slack or
MongoDB, and saves nothing: it reports each stage and returns the closed row.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import structlog

from app.agent.extraction.material import (
    build_material,
    build_messages,
    find_current_draft,
    list_file_blocks,
    render_reasoning,
    render_summary,
)
from app.agent.extraction.submission import MOST_TOKENS, Unusable, build_submission_tool, compute_token_limit, judge
from app.agent.reply import ReplyTask, TurnSettings, select_resendable
from app.core.conversation.call import DraftExtracted, ExtractionExhausted
from app.core.conversation.conversation import Conversation, Message, MessageStatus
from app.core.copy import decision_steps
from app.core.errors import FailureKind, ModelFailed
from app.core.state.interview import JudgedDraft, Mode, Stage
from app.core.state.tool_use import build_result_block
from app.core.text.marks import clean_data
from app.core.text.sanitize import sanitize
from app.core.turns import sources
from app.decision.drafts.draft import Accepted
from app.decision.playbook.step_prompt import (
    build_research_prompt,
    build_serialize_prompt,
    build_summarize_prompt,
    build_system_prompt,
)
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.decision.schema.feedback import build_unreadable
from app.decision.tracing.said import SaidFigures
from app.ports import LiveReply, Model, ModelReply, ModelRequest, ToolUse
from app.threaded import run_in_thread

log = structlog.get_logger(__name__)

ATTEMPTS = 4
"""Submissions: one, and three retries."""

RESEARCH_CALLS = 50
"""Tool calls of the discuss stage; they are no turns."""

HAND_IN = "You have not called {tool}. Call it with the result as it stands."
"""Asked once of a model that ends without its tool."""

CUT_OFF = "the data did not fit into one answer"
"""Fault of a truncated submission, in words for the model."""


class ResearchTools(Protocol):
    """The tools of the discuss stage."""

    @property
    def specs(self) -> Sequence[dict[str, Any]]:
        """Return the tools in the API's format."""
        ...

    @property
    def sources(self) -> Collection[str]:
        """Return the labels of the places that results came from."""
        ...

    async def run(self, calls: Sequence[ToolUse]) -> list[dict[str, Any]]:
        """Run the calls of a request and return the API's blocks with their results. An unknown tool is an error."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """Input of an extraction: the rows, the component, and the judge of accepted data."""

    conversation: Conversation
    rows: tuple[Message, ...]
    component: Component
    so_far: DecisionRecord
    mode: Mode
    judge: Callable[[Accepted], JudgedDraft]
    """It reads what people said for each figure, so it runs in a thread."""
    said: Callable[[], SaidFigures]
    """Return the numbers and dates that were said; as `judge`."""
    unquote: Callable[[str], str]
    """Return a text without quotation marks around words that nobody wrote; as `judge`."""
    tools: ResearchTools
    reached: Callable[[Stage], Awaitable[None]]
    """Called at the start of SUMMARIZE and of SERIALIZE, before their first request."""


class ExtractionTask(ReplyTask):
    """An extraction in progress, the same for both modes; direct mode begins with one turn of a discussion.

    Its row has no text; its result is its one call. If the model does not submit or does not summarize, the row is
    FAILED in either mode.
    """

    def __init__(self, model: Model, settings: TurnSettings, extraction: Extraction, draft: LiveReply) -> None:
        self._settings, self._of, self._nudged = settings, extraction, False
        self._stage = Stage.DISCUSS if extraction.mode is Mode.DIRECT else Stage.SUMMARIZE
        self._material: tuple[str, ...] = ()
        self._problems: tuple[int, ...] = ()
        """How many problems each refused submission had, in order."""
        turn = extraction.conversation.turn
        row = next(row for row in extraction.rows if turn and row.seq == turn.reply)
        super().__init__(model, replace(row, text="", content=""), draft)

    async def _run(self) -> Message:
        self._tell(decision_steps.SUMMARIZING, decision_steps.IS_SUMMARIZING)
        of = self._of
        self._material = await asyncio.to_thread(build_material, of.conversation, of.rows, of.component, of.so_far)
        found = render_reasoning(await self._discuss()) if self._stage is Stage.DISCUSS else ""
        await self._enter(Stage.SUMMARIZE)
        summary = render_summary(await self._summarize(found))
        await self._enter(Stage.SERIALIZE)
        self._tell(decision_steps.MAKING_CARD, decision_steps.IS_MAKING_CARD)
        came = await self._serialize(found, summary)
        return replace(await self._partial(MessageStatus.COMPLETE), calls=(came,))

    async def _partial(self, status: MessageStatus) -> Message:
        tried = ExtractionExhausted(issues=(), attempts=len(self._problems), problems=self._problems)
        calls = (tried,) if self._problems else ()
        return self.spent(replace(self._row, status=status, stage=self._stage, acted=True, calls=calls))

    def _tell(self, preview: str, status: str) -> None:
        """Show how far it is: in the message that the card replaces, and in the thread's status."""
        self._draft.show(preview)
        self._draft.show_activity(status)

    def _tell_activity(self, tool: str) -> None:
        """Say what is looked up; a submission is told of as a stage."""
        if self._stage is Stage.DISCUSS:
            super()._tell_activity(tool)

    async def _enter(self, stage: Stage) -> None:
        self._stage = stage
        await self._of.reached(stage)

    async def _discuss(self) -> str:
        """Run the one turn without people: research within its limit, then a text."""
        request = self._request(build_research_prompt(self._of.component))
        request = replace(request, tools=tuple(self._of.tools.specs))
        calls = 0
        while (reply := await self._ask_model(request)).uses:
            calls += len(reply.uses)
            if calls > RESEARCH_CALLS:
                raise ModelFailed(FailureKind.UNFINISHED)
            results = await self._of.tools.run(reply.uses)
            if self._of.tools.sources:
                known = sources.resolve(self._of.conversation, self._of.rows)
                self._row = replace(self._row, sources=tuple(sorted({*known, *self._of.tools.sources})))
            request = _build_next_request(request, reply, results)
        return (await run_in_thread(sanitize, reply.text)).strip()

    async def _summarize(self, found: str) -> str:
        """Ask for a summary, without tools and people. An empty one is a failure."""
        request = self._request(found, build_summarize_prompt(self._of.component))
        reply = await self._ask(request, _Headings(self._of.component.summary_headings, self._tell).read)
        summary = (await asyncio.to_thread(lambda: self._of.unquote(sanitize(reply.text)))).strip()
        if not summary or reply.status is MessageStatus.REFUSED:
            raise ModelFailed(FailureKind.UNFINISHED)
        return summary

    async def _serialize(self, found: str, summary: str) -> DraftExtracted | ExtractionExhausted:
        """Ask for submissions until one is valid or the attempts are used up."""
        request, issues = self._build_submission_request(found, summary), tuple[str, ...]()
        draft = find_current_draft(self._of.conversation, self._of.so_far)
        for attempt in range(1, ATTEMPTS + 1):
            if attempt > 1:
                self._tell(decision_steps.CORRECTING, decision_steps.IS_CORRECTING)
            request, reply = await self._ask_for_submission(request)
            if reply.status is MessageStatus.TRUNCATED:  # truncated data can look whole
                issues = (CUT_OFF,)
                request = replace(request, max_tokens=min(2 * request.max_tokens, MOST_TOKENS))
            else:
                wish = self._submission(reply)
                self._draft.show_activity(self._name_check())
                verdict = await asyncio.to_thread(self._judge, wish.input, draft)
                if isinstance(verdict, Accepted):
                    drafted = await asyncio.to_thread(self._of.judge, verdict)
                    self._log(attempt, succeeded=True, items=drafted.items)
                    return DraftExtracted(drafted=drafted, attempts=attempt, problems=self._problems)
                issues, request = (
                    verdict.issues,
                    _build_next_request(request, reply, self._answers(reply, wish, verdict)),
                )
            self._log(attempt, succeeded=False, issues=len(issues))
            self._problems = (*self._problems, len(issues))
        return ExtractionExhausted(issues=issues, attempts=ATTEMPTS, problems=self._problems)

    async def _ask_for_submission(self, request: ModelRequest) -> tuple[ModelRequest, ModelReply]:
        """Ask, once more if the model ends without its tool. Return the request that was answered, and the reply."""
        reply = await self._ask_model(request)
        is_done = reply.status is not MessageStatus.COMPLETE or self._submits(reply)
        if is_done or self._nudged:
            return request, reply
        self._nudged = True
        said = [{"role": "assistant", "content": reply.text}] if reply.text.strip() else []
        asked = [{"role": "user", "content": HAND_IN.format(tool=self._of.component.tool)}] if said else []
        request = replace(request, messages=[*request.messages, *said, *asked])
        return request, await self._ask_model(request)

    def _submits(self, reply: ModelReply) -> bool:
        return any(use.name == self._of.component.tool for use in reply.uses)

    def _name_check(self) -> str:
        has_table = "table" in self._of.component.asked_schema.get("properties", {})
        return decision_steps.IS_CHECKING_TABLE if has_table else decision_steps.IS_CHECKING

    def _judge(self, submitted: Any, draft: Mapping[str, Any]) -> Accepted | Unusable:
        return judge(self._of.component, submitted, self._of.so_far, self._of.said(), draft)

    def _build_submission_request(self, found: str, summary: str) -> ModelRequest:
        """Return the request of the serialize stage: schema, material, and the instruction last."""
        of, least = self._of, self._settings.extraction_tokens
        return replace(
            self._request(found, summary, build_serialize_prompt(of.component)),
            max_tokens=compute_token_limit(
                of.component, of.so_far, find_current_draft(of.conversation, of.so_far), least
            ),
            tools=(build_submission_tool(of.component),),
            forced=of.component.tool,
        )

    def _submission(self, reply: ModelReply) -> ToolUse:
        """Return the call that submits. Raises `ModelFailed` if there is none, which does not count as an attempt."""
        wish = next((use for use in reply.uses if use.name == self._of.component.tool), None)
        if wish is None:
            raise ModelFailed(FailureKind.UNFINISHED)
        return wish

    def _answers(self, reply: ModelReply, wish: ToolUse, verdict: Unusable) -> list[dict[str, Any]]:
        """Return one result for each call, because the API requires all of them; only the submission is judged."""
        tool = self._of.component.tool
        return [_build_tool_result(use, verdict.told if use is wish else build_unreadable(tool)) for use in reply.uses]

    async def _ask_model(self, request: ModelRequest) -> ModelReply:
        return await self._ask(request, _discard_text)

    def _request(self, *parts: str) -> ModelRequest:
        return ModelRequest(
            model=self._settings.model,
            system=build_system_prompt(self._of.component, Mode.DIRECT, "\n".join(self._material)),
            messages=build_messages(*self._material, *parts, files=list_file_blocks(self._of.rows)),
            max_tokens=self._settings.max_tokens,
        )

    def _log(self, attempt: int, *, succeeded: bool, items: int = 0, issues: int = 0) -> None:
        """Log the outcome of an attempt, and never the data."""
        say = log.info if succeeded else log.warning
        component = self._of.component.key
        say("extraction_tried", component=component, attempt=attempt, succeeded=succeeded, items=items, issues=issues)


class _Headings:
    """Reader of a summary while it is written, which tells each heading that begins."""

    def __init__(self, headings: Sequence[str], tell: Callable[[str, str], None]) -> None:
        self._headings, self._tell = headings, tell
        self._line = ""

    def read(self, text: str) -> None:
        """Read the next piece of the summary."""
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            name = line.strip(" #*:_")
            if name in self._headings:
                number = self._headings.index(name) + 1
                where: dict[str, object] = {"part": name, "number": number, "count": len(self._headings)}
                self._tell(decision_steps.WRITING_UP.format(**where), decision_steps.IS_WRITING_UP.format(**where))


def _discard_text(_: str) -> None:
    """Discard the text: people see the progress instead."""


def _build_next_request(request: ModelRequest, reply: ModelReply, results: list[dict[str, Any]]) -> ModelRequest:
    """Return the next request with these results; the earlier messages stay unchanged."""
    said = [{"role": "assistant", "content": select_resendable(reply)}, {"role": "user", "content": results}]
    return replace(request, messages=[*request.messages, *said])


def _build_tool_result(use: ToolUse, told: Any) -> dict[str, Any]:
    words = json.dumps(clean_data(told), ensure_ascii=False)
    return build_result_block(use.id, words, failed=True)
