"""One extraction: discuss (only where nobody answers), summarize, serialize (requirements T4, S4).

Each stage asks afresh (design D11), with its own tools: research, none, and the one that submits. Knows nothing of
Slack or MongoDB, and saves nothing: it says which stage begins, and gives the closed row back.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import structlog

from app.agent.extraction.material import (
    build_material,
    build_messages,
    find_current_draft,
    render_reasoning,
    render_summary,
)
from app.agent.extraction.submission import MOST_TOKENS, Unusable, build_submission_tool, compute_token_limit, judged
from app.agent.reply import Running, TurnSettings, select_resendable
from app.core.conversation.call import DraftExtracted, ExtractionExhausted
from app.core.conversation.conversation import Conversation, Message, MessageStatus
from app.core.copy import decision_steps
from app.core.errors import FailureKind, ModelFailed
from app.core.state.interview import Drafted, Mode, Phase, Stage
from app.core.state.tool_use import build_result_block
from app.core.text.marks import clean_data
from app.core.text.sanitize import sanitize
from app.decision.drafts.draft import Accepted
from app.decision.playbook.step_prompt import (
    build_directive,
    build_serialize_prompt,
    build_summarize_prompt,
    build_system_prompt,
)
from app.decision.record import SoFar
from app.decision.schema.component import Component
from app.decision.schema.feedback import build_unreadable
from app.ports import Draft, Model, ModelReply, ModelRequest, ToolUse
from app.threaded import run_in_thread

log = structlog.get_logger(__name__)

ATTEMPTS = 4
"""Submissions: one, and three retries (S4-028, C-10)."""

RESEARCH_CALLS = 50
"""Tool calls of the discuss stage (domain §2.15); they are no turns."""

CUT_OFF = "the data did not fit into one answer"
"""What is wrong, in words for the model, with a submission that broke off."""


class ResearchTools(Protocol):
    """The tools of the discuss stage (S4-056)."""

    @property
    def specs(self) -> Sequence[dict[str, Any]]:
        """The tools as the API wants them."""
        ...

    def use(self, tool_call: ToolUse) -> dict[str, Any]:
        """Carry out one call, and give the block that tells the model what came of it. An unknown tool is an error."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What is extracted: from which rows, by which component, and how what is accepted is judged for people."""

    conversation: Conversation
    rows: tuple[Message, ...]
    component: Component
    so_far: SoFar
    mode: Mode
    judge: Callable[[Accepted], Drafted]
    tools: ResearchTools
    reached: Callable[[Stage], Awaitable[None]]
    """Called when SUMMARIZE and when SERIALIZE begins, before anything is asked."""


class RunningExtraction(Running):
    """An extraction under way, the same for both modes (S4-002): direct mode begins with the one turn of a discussion.

    Its row says nothing; what came of it is its one call. A model that does not submit, or does not summarise, ends it
    as FAILED, whatever the mode (C-10).
    """

    def __init__(self, model: Model, settings: TurnSettings, extraction: Extraction, draft: Draft) -> None:
        self._settings, self._of = settings, extraction
        self._stage = Stage.DISCUSS if extraction.mode is Mode.DIRECT else Stage.SUMMARIZE
        self._material: tuple[str, ...] = ()
        turn = extraction.conversation.turn
        row = next(row for row in extraction.rows if turn and row.seq == turn.reply)
        super().__init__(model, replace(row, text="", content=""), draft)

    async def _run(self) -> Message:
        self._draft.show(decision_steps.SUMMARIZING)
        of = self._of
        self._material = await asyncio.to_thread(build_material, of.conversation, of.rows, of.so_far)
        found = render_reasoning(await self._discuss()) if self._stage is Stage.DISCUSS else ""
        await self._enter(Stage.SUMMARIZE)
        summary = render_summary(await self._summarize(found))
        await self._enter(Stage.SERIALIZE)
        self._draft.show(decision_steps.CHECKING)
        came = await self._serialize(found, summary)
        return replace(await self._partial(MessageStatus.COMPLETE), calls=(came,))

    async def _partial(self, status: MessageStatus) -> Message:
        return self.spent(replace(self._row, status=status, stage=self._stage, acted=True))

    async def _enter(self, stage: Stage) -> None:
        self._stage = stage
        await self._of.reached(stage)

    async def _discuss(self) -> str:
        """The one turn without people (S4-018, S4-048): research as much as is allowed, then words."""
        request = self._request(build_directive(self._of.component, Phase.EXTRACT))
        request = replace(request, tools=tuple(self._of.tools.specs))
        calls = 0
        while (reply := await self._asked(request)).uses:
            calls += len(reply.uses)
            if calls > RESEARCH_CALLS:
                raise ModelFailed(FailureKind.UNFINISHED)
            request = _build_next_request(request, reply, [self._of.tools.use(wish) for wish in reply.uses])
        return (await run_in_thread(sanitize, reply.text)).strip()

    async def _summarize(self, found: str) -> str:
        """Without tools and people (S4-013). An empty summary is none."""
        reply = await self._asked(self._request(found, build_summarize_prompt(self._of.component)))
        summary = (await run_in_thread(sanitize, reply.text)).strip()
        if not summary or reply.status is MessageStatus.REFUSED:
            raise ModelFailed(FailureKind.UNFINISHED)
        return summary

    async def _serialize(self, found: str, summary: str) -> DraftExtracted | ExtractionExhausted:
        """Let the model submit until it is valid, or has had its attempts."""
        request, issues = self._submitting(found, summary), ()
        draft = find_current_draft(self._of.conversation, self._of.so_far)
        for attempt in range(1, ATTEMPTS + 1):
            reply = await self._asked(request)
            if reply.status is MessageStatus.TRUNCATED:  # what there is of the data looks whole, and is not
                issues = (CUT_OFF,)
                request = replace(request, max_tokens=min(2 * request.max_tokens, MOST_TOKENS))
            else:
                wish = self._submission(reply)
                verdict = await asyncio.to_thread(judged, self._of.component, wish.input, self._of.so_far, draft)
                if isinstance(verdict, Accepted):
                    drafted = self._of.judge(verdict)
                    self._log(attempt, succeeded=True, items=drafted.items)
                    return DraftExtracted(drafted=drafted, attempts=attempt)
                issues, request = (
                    verdict.issues,
                    _build_next_request(request, reply, self._answers(reply, wish, verdict)),
                )
            self._log(attempt, succeeded=False, issues=len(issues))
        return ExtractionExhausted(issues=issues, attempts=ATTEMPTS)

    def _submitting(self, found: str, summary: str) -> ModelRequest:
        """The request of the serialize stage: schema, transcript, and what is asked for last (S0-229)."""
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
        """The call that submits. Raises `ModelFailed` if there is none: that is no attempt (S4-008, S4-050)."""
        wish = next((use for use in reply.uses if use.name == self._of.component.tool), None)
        if wish is None:
            raise ModelFailed(FailureKind.UNFINISHED)
        return wish

    def _answers(self, reply: ModelReply, wish: ToolUse, verdict: Unusable) -> list[dict[str, Any]]:
        """One result for each call, since the API wants all of them answered; only the submission counts."""
        tool = self._of.component.tool
        return [_build_tool_result(use, verdict.told if use is wish else build_unreadable(tool)) for use in reply.uses]

    async def _asked(self, request: ModelRequest) -> ModelReply:
        return await self._ask(request, _discard_text)

    def _request(self, *parts: str) -> ModelRequest:
        return ModelRequest(
            model=self._settings.model,
            system=build_system_prompt(self._of.component, Mode.DIRECT),
            messages=build_messages(*self._material, *parts),
            max_tokens=self._settings.max_tokens,
        )

    def _log(self, attempt: int, *, succeeded: bool, items: int = 0, issues: int = 0) -> None:
        """S0-019: what came of an attempt, and never the data."""
        say = log.info if succeeded else log.warning
        component = self._of.component.key
        say("extraction_tried", component=component, attempt=attempt, succeeded=succeeded, items=items, issues=issues)


def _discard_text(_: str) -> None:
    """People are shown how far it is, and nothing of the words."""


def _build_next_request(request: ModelRequest, reply: ModelReply, results: list[dict[str, Any]]) -> ModelRequest:
    """The request that goes on after these results; what was sent before stays as it was (design D11)."""
    said = [{"role": "assistant", "content": select_resendable(reply)}, {"role": "user", "content": results}]
    return replace(request, messages=[*request.messages, *said])


def _build_tool_result(use: ToolUse, told: Any) -> dict[str, Any]:
    words = json.dumps(clean_data(told), ensure_ascii=False)
    return build_result_block(use.id, words, failed=True)
