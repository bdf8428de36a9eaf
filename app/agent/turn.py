"""One turn with the model, from the transcript to a closed reply. It is shown while it grows, and can be cut off.

It does not know Slack or MongoDB, and saves nothing: it updates the live reply and returns the closed row.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import structlog

from app.agent import endings
from app.agent.activity import describe_traces, describe_work, trace_uses
from app.agent.prompt import TurnPrompt, find_reply
from app.agent.reply import ReplyTask, TurnSettings, ignore, select_resendable
from app.agent.reply_text import ReplyText
from app.agent.subtask import SubtaskRunner, UseSubtasks
from app.agent.thread_summary import SECONDS, UnwrittenSummary, accept_summary, build_summary_request
from app.agent.tool_runner import READ_FIRST, clean_block, clean_input, fail, open_use, select_runnable
from app.agent.tools.context import Access
from app.agent.tools.conversation.schedule_tools import ENDING
from app.agent.tools.output import shorten_result
from app.core.conversation.call import CompleteRun, ContinueRun, YieldRun
from app.core.conversation.conversation import ROUNDS, Message, MessageStatus
from app.core.copy import texts
from app.core.errors import FailureKind, ModelFailed, OutOfBudget
from app.core.state.tool_use import Use, UseState
from app.core.text.question_marks import asks, ends_asking
from app.core.text.sanitize import purify, sanitize
from app.core.turns import sources
from app.core.turns.history import build_api_messages, build_partial_reply, format_heard
from app.core.turns.takeover import can_resume
from app.core.turns.unfinished import keep_finished
from app.ports import LiveReply, Model, ModelReply, ModelRequest, ToolUse
from app.threaded import run_in_thread, run_to_end

log = structlog.get_logger(__name__)

NOT_ALONE = "Not yet: look first at what came of your other calls, then call this by itself."
"""Refusal of a call that ends a run beside other tools: no one would see their results."""

GOES_FIRST = "Not done, and not asked about: the owner has written, and that goes first. The run goes on after it."
"""Refusal of a question by a run while the owner waits for an answer, because it could keep them waiting forever."""


class TurnTask(ReplyTask):
    """A turn in progress.

    A round is one request. While the model uses tools, another round follows with their results. The raw text goes to
    the live reply, which shows its safe part; the row stores sanitized text.
    """

    def __init__(self, model: Model, settings: TurnSettings, prompt: TurnPrompt, draft: LiveReply) -> None:
        self._settings, self._prompt, self._tools, self._unattended = settings, prompt, prompt.tools, prompt.unattended
        self._runner = replace(
            prompt.outside,
            subtasks=self._begin_subtasks,
            ask=self._ask_for_tool,
            hinder=str if prompt.unattended else prompt.hinder,
        )
        now = asyncio.get_running_loop().time()
        self._until = now + prompt.unattended.seconds if prompt.unattended else math.inf
        self._now, self._told, self._so_far = prompt.conversation, list[dict[str, Any]](), dict[str, Use]()
        turn, self._has_asked = prompt.conversation.turn, prompt.conversation.question is not None
        assert turn is not None, "a turn is saved before it is run"
        row = find_reply(prompt.rows, turn.reply)
        known = turn if can_resume(turn, row) else None
        self.uses: tuple[Use, ...] = known.uses if known else ()
        """The tool uses of the open round."""
        self.rounds = known.rounds if known else 0
        """Number of requests made."""
        self._sources = {*sources.resolve(prompt.conversation, prompt.rows), *(row.sources or ())}
        is_resumed = self.rounds > 0
        self._said = build_partial_reply(prompt.conversation, row) if is_resumed else []
        self._kept = self.uses
        begun, is_silent = row.stands if is_resumed else prompt.notice, prompt.unattended is not None
        self._text = ReplyText(draft, begun, row.text, is_silent=is_silent)
        self._nudged = endings.was_nudged(self._said)
        self._acted, self._asks, self._round_text, self._gave_way = is_resumed, row.asks, "", False
        self._finished = (
            (self._tools.calls[: row.finished_calls], row.finished_text)
            if self.uses
            else (self._tools.calls, len(begun))
        )
        """Calls, and length of the text, of the finished rounds."""
        self._traces = list(trace_uses(self._said, self._runner.tools))
        """What the tools have looked at and done."""
        super().__init__(
            model,
            row
            if is_resumed
            else replace(row, heard=(), heard_at=(), prelude=prompt.prelude, drafts_from=prompt.drafts_from),
            draft,
        )

    async def _run(self) -> Message:
        if unwritten := self._prompt.unwritten:
            self._now = replace(self._now, summary=await self._summarize(unwritten))
        # Cleaning and formatting a long thread takes long and would block all other conversations.
        self._told, self._text.quotations = await asyncio.to_thread(
            lambda: (
                build_api_messages(self._now, self._prompt.rows, self._runner.reading),
                self._tools.build_quotation_filter(),
            )
        )
        while True:
            if not self.uses and (ended := await self._ask_model()):
                break
            if self.uses and (ended := await self._run_uses()):
                break
        if ended is not MessageStatus.HELD:
            self._cite()
        return await self._whole(ended)

    async def _ask_for_tool(self, request: ModelRequest) -> ModelReply:
        """Ask for a tool, at the cost of this answer."""
        self._text.show_below(texts.SEARCHING_WEB)
        return await self._ask(request)

    def _cite(self) -> None:
        """Name the web pages that the words come from, unless the words name them. A run that is silent stays so."""
        if self._unattended and self._text.whole == self._text.stands:
            return
        links = endings.cite_pages(self._said, self._runner.tools, self._text.whole)
        if links and self._text.has_room(links):
            self._text.add_paragraph(links)

    async def _summarize(self, unwritten: UnwrittenSummary) -> str:
        """Ask for the summary of what is no longer sent, and return what stands for it. A failure leaves quotes."""
        request = await asyncio.to_thread(build_summary_request, self._settings, self._now, unwritten.rows)
        self._text.show_below(texts.REMEMBERING)
        written = ""
        try:
            async with asyncio.timeout_at(min(self._until, asyncio.get_running_loop().time() + SECONDS)):
                reply = await self._ask(request)
                written = accept_summary(reply.status, await run_in_thread(sanitize, reply.text))
        except (TimeoutError, ModelFailed) as failure:
            log.warning("summary_failed", error=type(failure).__name__)
        return await unwritten.keep(written)

    async def _ask_model(self) -> MessageStatus | None:
        """Ask once. Return the status in which the turn ends with that reply, None if it continues."""
        if self.rounds >= ROUNDS:
            return MessageStatus.LIMITED
        # The tools used up the time: a request would be in vain.
        if self.rounds and asyncio.get_running_loop().time() >= self._until:
            return MessageStatus.LIMITED
        reply = await self._try_round()
        if isinstance(reply, MessageStatus):
            return reply
        self.rounds += 1
        self.uses = tuple(map(self._open, reply.uses))
        self._text.outgrow()
        is_cut_early = reply.status is MessageStatus.TRUNCATED and not reply.text.strip()
        self._acted = self._acted or bool(self.uses) or is_cut_early
        if self.uses:
            return None
        if self._goes_on(reply):
            self._finish_round()
            await self._keep_round((), ())
            return None
        if reply.status is MessageStatus.COMPLETE and not reply.text.strip():
            self._synthesize()
        return reply.status

    async def _try_round(self) -> ModelReply | MessageStatus:
        """Ask once. Return the status in which the turn ends if it has come to a limit, with all that it has."""
        try:
            async with asyncio.timeout_at(None if self._unattended is None else self._until):
                return await self._round()
        except TimeoutError as error:
            raise ModelFailed(FailureKind.TIMEOUT) from error
        except OutOfBudget as failure:
            return self._out_of_budget(failure)
        except ModelFailed as failure:
            if failure.kind is FailureKind.TOO_LONG and self.rounds and not self._text.newest:
                self._row = replace(self._row, failure=failure.kind.value)
                return MessageStatus.LIMITED  # a turn after it leaves these results out
            raise

    def _out_of_budget(self, failure: OutOfBudget) -> MessageStatus:
        """End between two requests, with all words and results so far. A run continues once there is a new budget.

        Until then its next run is refused and therefore postponed.
        """
        if self._unattended:
            self._gave_way = True
            return MessageStatus.COMPLETE
        self._row = replace(self._row, failure=failure.kind.value, wait=math.ceil(failure.after or 0))
        return MessageStatus.LIMITED

    async def _run_uses(self) -> MessageStatus | None:
        """Run this round's uses as far as permitted. Return the status in which the turn ends, None if it continues."""
        await self._use_tools()
        if any(use.state is UseState.ASKED for use in self.uses):
            if not self._gives_way():
                return MessageStatus.HELD
            self.uses = tuple(use if use.state is UseState.DONE else fail(use, GOES_FIRST) for use in self.uses)
        self._said.append({"role": "user", "content": [use.block() for use in self.uses]})
        self._traces += trace_uses(self._said[-2:], self._runner.tools)
        done, self.uses = self.uses, ()
        self._finish_round()
        if self._tools.waits:
            self._part()
            return MessageStatus.COMPLETE
        if self._has_said_all(done):
            return MessageStatus.COMPLETE
        self._gave_way = self._gives_way()
        if self._gave_way:
            return MessageStatus.COMPLETE
        # A run has no one to press *Continue*.
        if not (self._settings.autonomous or self._unattended):
            return MessageStatus.LIMITED
        await self._keep_round(done, await self._read_news())
        return None

    def _has_said_all(self, done: Sequence[Use]) -> bool:
        """Return True if people were asked something and only notes came with it, of which nothing is to be said.

        What they have written meanwhile is answered at once.
        """
        is_all_noted = all(use.id in self._tools.noted for use in done)
        return self._unattended is None and is_all_noted and self._is_asking and not self._prompt.has_news()

    @property
    def _is_asking(self) -> bool:
        """Return True if the words end with a question, and nothing was read or done outside since that began."""
        return ends_asking(endings.collect_newest_words(self._said, self._runner.takes))

    async def _read_news(self) -> tuple[Message, ...]:
        """Add what was written since to the results of this round, so that the next request has it."""
        newest = max((self._now.turn.reply if self._now.turn else 0, *self._row.heard))
        heard = () if self._unattended else await self._prompt.hear(newest)
        if heard:
            self._sources |= sources.label_heard(self._now, heard)
            words = await asyncio.to_thread(self._take_in, heard)
            self._said[-1]["content"].append({"type": "text", "text": words})
            at = [len(await run_in_thread(sanitize, self._text.whole))] * len(heard)
            self._draft.go_on_below(len(self._text.whole))
            self._asks = False  # what was asked before is answered, or left, by these words
            seqs = (*self._row.heard, *(row.seq for row in heard))
            self._row = replace(self._row, heard=seqs, heard_at=(*self._row.heard_at, *at))
        return heard

    def _take_in(self, heard: tuple[Message, ...]) -> str:
        """Return what people wrote meanwhile as the model reads it. It may quote that from now on."""
        self._tools.hear(heard)
        self._text.quotations = self._tools.build_quotation_filter()
        return format_heard(self._now, heard)

    def _gives_way(self) -> bool:
        return self._unattended is not None and self._unattended.gives_way()

    async def _use_tools(self) -> None:
        """Run this round's uses as far as permitted: calls first, then reads, then writes."""
        await self._tools.prepare([use.tool for use in self.uses])
        inner = await run_to_end(self._call_tools) if self._tools.works_long else self._call_tools()
        is_clean = await run_in_thread(sanitize, self._text.whole) == self._text.whole
        cleaned = select_runnable(inner, self._said, self._tools, is_clean=is_clean)
        reading = [
            use for use in cleaned if use.state is UseState.OPEN and self._runner.tools[use.tool].access is Access.READ
        ]
        ended = list[Use]()

        def count(use: Use) -> None:
            ended.append(use)
            if len(ended) < len(reading):
                self._show_tools(reading, len(ended))

        self._show_tools(reading)
        self.uses = self._bound(await self._runner.read(cleaned, count))
        self._label()
        self.uses = self._bound(await self._runner.write(self.uses, self._save, sorted(self._sources)))
        self._label()

    def _bound(self, uses: Sequence[Use]) -> tuple[Use, ...]:
        """Return the uses with results that each take a share of the window at most."""
        return tuple(replace(use, result=shorten_result(use.result, self._settings.result_chars)) for use in uses)

    def _call_tools(self) -> list[Use]:
        """Run the calls to the conversation itself, those that end the turn last. Return all uses in their order."""
        self._tools.begin_round(self._round_text)
        called = list(self.uses)
        for place in sorted(range(len(called)), key=lambda place: self._tools.rank(called[place].tool)):
            if called[place].tool not in self._runner.tools:
                called[place] = self._call(called[place])
        return called

    def _begin_subtasks(self, use: Use) -> UseSubtasks:
        runner = SubtaskRunner(ask=self._ask_beside, settings=self._settings, runner=self._runner)
        return UseSubtasks(runner=runner, use=use, progress=self._keep_progress)

    async def _ask_beside(self, request: ModelRequest) -> ModelReply:
        """Ask for a sub-task, which shows nothing. Its cost is the turn's."""
        return await self._ask(request, begun=ignore)

    def _keep_progress(self, use: Use, done: int, total: int) -> None:
        """Keep what a use has brought so far, for a turn that is stopped."""
        self._so_far[use.id] = self._bound([use])[0]
        self._draft.show_activity(texts.LOOKING_AROUND.format(done=done, total=total))

    def _label(self) -> None:
        """Record the sources of this round's results; a write in the same round counts as knowing them."""
        self._sources.update(label for use in self.uses for label in use.sources)

    def _call(self, use: Use) -> Use:
        """Run a call to the conversation itself."""
        if use.state is UseState.DONE:
            return use
        if use.tool in ENDING and any(each.tool in self._runner.tools for each in self.uses):
            return fail(use, NOT_ALONE)
        if self._tools.rank(use.tool) and self._prompt.has_news():
            return fail(use, READ_FIRST)
        block = self._tools.use(ToolUse(id=use.id, name=use.tool, input=json.loads(use.input)))
        return replace(use, state=UseState.DONE, result=block["content"], failed=bool(block.get("is_error")))

    def _show_tools(self, uses: Sequence[Use], done: int = 0) -> None:
        """Show what the tools are about to do, of which so many are done, until there is text again."""
        self._text.show_below(describe_work(uses, self._runner.tools, done))

    def _part(self) -> None:
        """Show the last message of a run; a silent run adds nothing to what people have read."""
        match self._tools.calls[-1:]:
            case (CompleteRun(silent=True),):
                self._text.take_back()
            case (CompleteRun(message=words) | ContinueRun(message=words),) if words:
                self._text.add_paragraph(words)
            case _:
                pass

    def _finish_round(self) -> None:
        self._finished = self._tools.calls, len(self._text.whole)

    async def _keep_round(self, done: tuple[Use, ...], heard: tuple[Message, ...]) -> None:
        """Save the results of the rounds so far, unless they are saved, so that none is requested again.

        A run, which shows nothing before its end, is repeated as a whole.
        """
        if self._unattended is None and (not done or heard or self._kept != done):
            await self._prompt.report(await self._whole(MessageStatus.STREAMING), (), self.rounds, heard)

    async def _save(self, uses: tuple[Use, ...]) -> None:
        """Save the state of the uses, with the text before them."""
        self.uses = self._kept = uses
        await self._prompt.report(await self._whole(MessageStatus.STREAMING), uses, self.rounds, ())
        self._show_tools([use for use in uses if use.state is UseState.STARTED])

    def _synthesize(self) -> None:
        """Show the results since the last text if the model has ended without text."""
        found = "" if self._unattended else endings.summarize_results(self._said, self._runner.tools)
        if found:
            log.info("synthesis", reference=f"synthesis_{self._now.id}:{self._row.seq}")
            self._text.add_paragraph(found)

    def _goes_on(self, reply: ModelReply) -> bool:
        """Return True if the model must be asked again although it uses no tool.

        The stop reason decides, and once in a turn the words.
        """
        if reply.stop_reason == endings.PAUSED:
            return True
        if self._nudged or self._has_asked or not select_resendable(reply):
            return False
        nudge = endings.choose_nudge(reply.stop_reason, reply.text, is_planned=self._tools.is_planned)
        if nudge:
            self._nudged = True
            self._said.append(nudge)
        return bool(nudge)

    async def _round(self) -> ModelReply:
        """Ask once and return the reply, whose text is then stored."""
        request = ModelRequest(
            model=self._settings.model,
            system=self._prompt.system,
            messages=self._runner.fold([*self._told, *self._said]),
            max_tokens=self._settings.max_tokens,
            tools=(*self._tools.specs, *self._runner.specs),
        )
        self._text.begin_paragraph()
        self._draft.show_activity(texts.WRITING_DOWN if self._is_asking else texts.STILL_THINKING)
        reply = self._runner.unfold(await self._ask(request, self._text.hear))
        self._text.end_request()
        self._round_text = reply.text
        self._asks = self._asks or asks(reply.text)
        if content := [*select_resendable(reply), *endings.explain_cut(reply)]:
            before: list[dict[str, Any]] = []
            if self._said and self._said[-1]["role"] == "assistant":  # the first part of a paused reply
                before = self._said.pop()["content"]
            self._said.append({"role": "assistant", "content": [*before, *map(self._clean, content)]})
        return reply

    def _open(self, tool_call: ToolUse) -> Use:
        if tool_call.name in self._runner.tools:
            return clean_input(tool_call)
        return self._runner.refuse_lookup(tool_call) or open_use(tool_call.id, tool_call.name, tool_call.input)

    def _clean(self, block: dict[str, Any]) -> dict[str, Any]:
        return clean_block(block) if block["type"] == "tool_use" and self._runner.takes(block["name"]) else block

    async def _whole(self, status: MessageStatus) -> Message:
        text = await run_in_thread(sanitize, self._text.whole)
        # Words removed from the text must not reach the model or the store through the array.
        is_kept = text == self._text.whole and self._tools.verbatim
        content = self._dump() if is_kept and self._said else ""
        is_growing = bool(content) and status in (MessageStatus.STREAMING, MessageStatus.HELD)
        standing = len(text) if is_growing and status is MessageStatus.STREAMING else 0
        said = replace(
            self._row, text=text, content=content, status=status, standing=standing, activity=self._describe(text)
        )
        if is_growing:
            finished_calls, finished_text = self._finished
            said = replace(said, finished_calls=len(finished_calls), finished_text=finished_text)
        if status is MessageStatus.COMPLETE and self._tools.works_long:
            said = replace(
                said, unsaid=await asyncio.to_thread(self._tools.find_unsaid, text, [*self._told, *self._said])
            )
        calls = (*self._tools.calls, *((YieldRun(),) if self._gave_way else ()))
        labels = tuple(sorted(self._sources))
        return self.spent(
            replace(said, acted=self._acted, asks=self._asks, calls=calls, rounds=self.rounds, sources=labels)
        )

    async def _partial(self, status: MessageStatus) -> Message:
        self._text.hear_out()
        labels, text = tuple(sorted(self._sources)), await run_in_thread(purify, self._text.shown)
        row = replace(
            self._row, text=text, content="", calls=(), rounds=self.rounds, standing=0, activity=self._describe(text)
        )
        broken = replace(row, status=status, sources=labels)
        whole = self._text.whole
        clean = text if self._text.shown is whole else await run_in_thread(purify, whole)
        is_kept = clean == whole and self._tools.verbatim and self._unattended is None
        return self.spent(self._keep_finished(broken) if is_kept else broken)

    def _describe(self, text: str) -> str:
        """Return the line that stays below the reply. A run that says nothing shows nothing."""
        if self._unattended and not text.strip():
            return ""
        done = [use.block() for use in self.uses if use.state is UseState.DONE]  # in the open round
        said = [*self._said[-1:], {"role": "user", "content": done}] if done else []
        return describe_traces([*self._traces, *trace_uses(said, self._runner.tools)])

    def _keep_finished(self, row: Message) -> Message:
        finished, _ = self._finished
        whole = replace(row, content=self._dump(), calls=finished, finished_calls=len(finished))
        acted = replace(whole, acted=self._acted, asks=self._asks)
        uses = [use if use.state is UseState.DONE else self._so_far.get(use.id, use) for use in self.uses]
        labels = tuple(sorted({*(row.sources or ()), *(label for use in uses for label in use.sources)}))
        return keep_finished(replace(acted, sources=labels), uses, self._text.newest)

    def _dump(self) -> str:
        return json.dumps(self._said, ensure_ascii=False, separators=(",", ":"))
