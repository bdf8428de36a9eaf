"""One extraction: discuss (only without a person), summarize, serialize.

Each stage starts a fresh request with its own tools: research, none, and the submission. What its owner writes
meanwhile is read before the next request. It does not know Slack or MongoDB: it reports each stage and each finished
round, and returns the closed row. A row with finished rounds goes on after them if it would be made from the same.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import structlog

from app.agent.extraction.kept_rounds import KeptStage, Said, list_blocks, read_stages, write_stages
from app.agent.extraction.material import (
    build_material,
    build_messages,
    find_current_draft,
    list_file_blocks,
    render_heard,
    render_reasoning,
)
from app.agent.extraction.research import Research
from app.agent.extraction.submission import (
    MOST_TOKENS,
    Unusable,
    build_submission_tool,
    compute_token_limit,
    judge,
    remove_unsaid_ranges,
)
from app.agent.prompt import digest_prelude, find_reply
from app.agent.reply import ReplyTask, TurnSettings, select_resendable
from app.agent.tools.interview.said_ratings import SpokenRatings
from app.core.conversation.call import DraftExtracted, ExtractionExhausted
from app.core.conversation.conversation import Conversation, Message, MessageStatus
from app.core.copy import decision_steps
from app.core.errors import FailureKind, ModelFailed
from app.core.state.interview import JudgedDraft, Mode, Stage
from app.core.state.tool_use import build_result_block
from app.core.text.marks import clean_data, write_block
from app.core.text.sanitize import sanitize
from app.core.turns import sources
from app.decision.drafts.draft import Accepted
from app.decision.drafts.quote_sources import Sources, keep_own_words
from app.decision.playbook.step_prompt import (
    build_research_prompt,
    build_serialize_prompt,
    build_summarize_prompt,
    build_system_prompt,
)
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.decision.schema.feedback import build_unreadable
from app.decision.schema.findings import Remark
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

SAID_SINCE = "The last messages of the transcript were written after the summary. They count as well."
"""Told if the owner has written something that the summary may not know."""

CUT_OFF = "the data did not fit into one answer"
"""Fault of a truncated submission, in words for the model."""


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
    tools: Research
    reached: Callable[[Stage], Awaitable[None]]
    """Called at the start of SUMMARIZE and of SERIALIZE, before their first request."""
    hear: Callable[[Extraction], Awaitable[Extraction | None]]
    """Return this extraction with what its owner has written since; None if they have not."""
    keep: Callable[[Message], Awaitable[None]]
    """Save the row with the rounds that are finished."""
    heard: tuple[Message, ...] = ()
    """What was written since it began, as far as it has read that."""


class ExtractionTask(ReplyTask):
    """An extraction in progress, the same for both modes; direct mode begins with one turn of a discussion.

    Its row has no text; its result is its one call. If the model does not submit or does not summarize, the row is
    FAILED in either mode. A row that broke off keeps the finished rounds.
    """

    def __init__(self, model: Model, settings: TurnSettings, extraction: Extraction, draft: LiveReply) -> None:
        self._settings, self._of, self._nudged = settings, extraction, False
        self._stage = Stage.DISCUSS if extraction.mode is Mode.DIRECT else Stage.SUMMARIZE
        self._material: tuple[str, ...] = ()
        self._kept, self._made_with = dict[Stage, KeptStage](), ""
        turn = extraction.conversation.turn
        assert turn is not None, "a turn is saved before it is run"
        row = find_reply(extraction.rows, turn.reply)
        super().__init__(model, replace(row, text=""), draft)

    async def _run(self) -> Message:
        self._tell(decision_steps.SUMMARIZING, decision_steps.IS_SUMMARIZING)
        await asyncio.to_thread(self._begin)
        found = render_reasoning(await self._discuss()) if self._stage is Stage.DISCUSS else ""
        await self._enter(Stage.SUMMARIZE)
        summary = write_block("summary", await self._summarize(found))
        await self._enter(Stage.SERIALIZE)
        self._tell(decision_steps.MAKING_CARD, decision_steps.IS_MAKING_CARD)
        came = await self._serialize(found, summary)
        whole = await self._partial(MessageStatus.COMPLETE)
        return replace(whole, content="", rounds=whole.rounds + 1, calls=(came,))

    def _begin(self) -> None:
        """Take up the rounds that the row has kept, unless a message that they have read is gone."""
        of, row = self._of, self._row
        made_with = (build_system_prompt(of.component, Mode.DIRECT), of.mode, list_file_blocks(of.rows))
        self._made_with = digest_prelude(self._settings, json.dumps(made_with))
        there = {each.seq: each for each in of.rows if each.status is not MessageStatus.DELETED}
        if there.keys() >= {*row.heard}:
            self._kept, self._of = read_stages(row.content), replace(of, heard=tuple(there[seq] for seq in row.heard))
        else:
            self._row = replace(row, content="", heard=())

    def _open(self) -> KeptStage:
        """Return the stage as far as it has come, anew if what it was made from has changed.

        It begins with all that was heard until then.
        """
        of, kept = self._of, self._kept.get(self._stage)
        known = [row for row in of.heard if kept is None or row.seq in kept.heard]
        self._material = build_material(of.conversation, of.rows, of.component, of.so_far, known)
        made_from = digest_prelude(self._settings, json.dumps((self._made_with, *self._material)))
        if kept is None or kept.made_from != made_from:
            kept = KeptStage(made_from, tuple(row.seq for row in known))
        self._kept[self._stage] = kept
        return kept

    async def _hear(self, stage: KeptStage) -> KeptStage:
        """Read what the owner has written since, with the newest results if there are any."""
        heard = await self._of.hear(self._of)
        if heard is None:
            return stage
        news, self._of = heard.heard[len(self._of.heard) :], heard
        self._row = replace(self._row, heard=(*self._row.heard, *(row.seq for row in news)))
        if not stage.said:
            del self._kept[self._stage]
            return await asyncio.to_thread(self._open)
        told = {"type": "text", "text": render_heard(heard.conversation, heard.rows, news)}
        stage.said[-1] = {**stage.said[-1], "content": [*list_blocks(stage.said[-1]), told]}
        return stage

    async def _keep_round(self) -> None:
        """Save what the rounds so far have come to."""
        self._row = replace(
            self._row, content=await asyncio.to_thread(write_stages, self._kept), rounds=self._row.rounds + 1
        )
        await self._of.keep(await self._partial(MessageStatus.STREAMING))

    async def _partial(self, status: MessageStatus) -> Message:
        return self.spent(replace(self._row, status=status, stage=self._stage, acted=True))

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
        stage = await asyncio.to_thread(self._open)
        if stage.result is not None:
            return stage.result
        while True:
            stage = await self._hear(stage)
            reply = await self._ask(self._build_research_request(stage.said))
            if not reply.uses:
                break
            calls = sum(block["type"] == "tool_use" for message in stage.said for block in message["content"])
            if calls + len(reply.uses) > RESEARCH_CALLS:
                raise ModelFailed(FailureKind.UNFINISHED)
            stage.said += _build_round(reply, await self._research(reply.uses))
            await self._keep_round()
        found = (await run_in_thread(sanitize, reply.text)).strip()
        stage.end(found)
        await self._keep_round()
        return found

    def _build_research_request(self, said: Said) -> ModelRequest:
        request = self._request(build_research_prompt(self._of.component))
        return replace(request, messages=[*request.messages, *said], tools=tuple(self._of.tools.specs))

    async def _research(self, uses: Sequence[ToolUse]) -> list[dict[str, Any]]:
        """Run these calls, and remember where their results come from."""
        results, found = await self._of.tools.run(uses), self._of.tools.sources
        if found:
            known = (*sources.resolve(self._of.conversation, self._of.rows), *(self._row.sources or ()))
            self._row = replace(self._row, sources=tuple(sorted({*known, *found})))
        return results

    async def _summarize(self, found: str) -> str:
        """Ask for a summary, without tools and people. An empty one is a failure."""
        stage = await asyncio.to_thread(self._open)
        if stage.result:
            return stage.result
        stage = await self._hear(stage)
        request = self._request(found, build_summarize_prompt(self._of.component))
        reply = await self._ask(request, _Headings(self._of.component.summary_headings, self._tell).read)
        summary = (await asyncio.to_thread(lambda: self._of.unquote(sanitize(reply.text)))).strip()
        if not summary or reply.status is MessageStatus.REFUSED:
            raise ModelFailed(FailureKind.UNFINISHED)
        stage.end(summary)
        await self._keep_round()
        return summary

    async def _serialize(self, found: str, summary: str) -> DraftExtracted | ExtractionExhausted:
        """Ask for submissions until one is valid or the attempts are used up."""
        stage = await asyncio.to_thread(self._open)
        tried, issues, more = _count_judged(stage.said), tuple[str, ...](), 1
        for attempt in range(tried + 1, ATTEMPTS + 1):
            if attempt > 1:
                self._tell(decision_steps.CORRECTING, decision_steps.IS_CORRECTING)
            stage = await self._hear(stage)
            request = self._build_submission_request(found, summary, more)
            stage.said, reply = await self._ask_for_submission(request, stage.said)
            if reply.status is MessageStatus.TRUNCATED:  # truncated data can look whole
                issues, more = (CUT_OFF,), 2 * more
            else:
                wish = self._submission(reply)
                self._draft.show_activity(self._name_check())
                draft = find_current_draft(self._of.conversation, self._of.so_far)
                verdict = await asyncio.to_thread(self._judge, wish.input, draft)
                if isinstance(verdict, Accepted):
                    drafted = await asyncio.to_thread(self._of.judge, verdict)
                    self._log(attempt, succeeded=True, items=drafted.items)
                    return DraftExtracted(drafted=drafted, attempts=attempt, problems=self._row.attempts)
                issues = verdict.issues
                stage.said += _build_round(reply, self._answers(reply, wish, verdict))
            self._row = replace(self._row, attempts=(*self._row.attempts, len(issues)))
            if reply.status is not MessageStatus.TRUNCATED and attempt < ATTEMPTS:
                await self._keep_round()
            self._log(attempt, succeeded=False, issues=len(issues))
        return ExtractionExhausted(issues=issues, attempts=ATTEMPTS, problems=self._row.attempts)

    async def _ask_for_submission(self, request: ModelRequest, said: Said) -> tuple[Said, ModelReply]:
        """Ask, once more if the model ends without its tool. Return what was said before the reply, and the reply."""
        reply = await self._ask(replace(request, messages=[*request.messages, *said]))
        is_done = reply.status is not MessageStatus.COMPLETE or self._find_submission(reply) is not None
        if is_done or self._nudged:
            return said, reply
        self._nudged = True
        answer = [{"role": "assistant", "content": reply.text}] if reply.text.strip() else []
        asked = [{"role": "user", "content": HAND_IN.format(tool=self._of.component.tool)}] if answer else []
        said = [*said, *answer, *asked]
        return said, await self._ask(replace(request, messages=[*request.messages, *said]))

    def _name_check(self) -> str:
        has_table = "table" in self._of.component.asked_schema.get("properties", {})
        return decision_steps.IS_CHECKING_TABLE if has_table else decision_steps.IS_CHECKING

    def _judge(self, submitted: Any, draft: Mapping[str, Any]) -> Accepted | Unusable:
        of, told = self._of, list[Remark]()
        submitted, kept = keep_own_words(submitted, draft, Sources.of_step(of.rows, of.so_far).said)
        told += kept
        if of.mode is Mode.INTERACTIVE:
            submitted, left_out = remove_unsaid_ranges(submitted, draft, SpokenRatings(of.rows, of.so_far))
            told += left_out
        verdict = judge(of.component, submitted, of.so_far, of.said(), draft)
        return replace(verdict, remarks=(*told, *verdict.remarks)) if isinstance(verdict, Accepted) else verdict

    def _build_submission_request(self, found: str, summary: str, more: int) -> ModelRequest:
        """Return the request of the serialize stage: schema, material, and the instruction last.

        It may be answered at so many times its usual length.
        """
        of, least = self._of, self._settings.extraction_tokens
        usual = compute_token_limit(of.component, of.so_far, find_current_draft(of.conversation, of.so_far), least)
        is_newer = self._kept[Stage.SERIALIZE].heard != self._kept[Stage.SUMMARIZE].heard
        return replace(
            self._request(found, summary, SAID_SINCE if is_newer else "", build_serialize_prompt(of.component)),
            max_tokens=min(more * usual, MOST_TOKENS),
            tools=(build_submission_tool(of.component),),
            forced=of.component.tool,
        )

    def _submission(self, reply: ModelReply) -> ToolUse:
        """Return the call that submits. Raises `ModelFailed` if there is none, which does not count as an attempt."""
        wish = self._find_submission(reply)
        if wish is None:
            raise ModelFailed(FailureKind.UNFINISHED)
        return wish

    def _find_submission(self, reply: ModelReply) -> ToolUse | None:
        return next((use for use in reply.uses if use.name == self._of.component.tool), None)

    def _answers(self, reply: ModelReply, wish: ToolUse, verdict: Unusable) -> list[dict[str, Any]]:
        """Return one result for each call, because the API requires all of them; only the submission is judged."""
        tool = self._of.component.tool
        return [_build_tool_result(use, verdict.told if use is wish else build_unreadable(tool)) for use in reply.uses]

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


def _build_round(reply: ModelReply, results: list[dict[str, Any]]) -> Said:
    """Return the messages of a round with these results."""
    return [{"role": "assistant", "content": select_resendable(reply)}, {"role": "user", "content": results}]


def _count_judged(said: Said) -> int:
    """Return the number of submissions that were judged."""
    return sum(any(block["type"] == "tool_result" for block in message["content"]) for message in said)


def _build_tool_result(use: ToolUse, told: Any) -> dict[str, Any]:
    words = json.dumps(clean_data(told), ensure_ascii=False)
    return build_result_block(use.id, words, failed=True)
