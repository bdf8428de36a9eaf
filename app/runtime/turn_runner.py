"""The turn of a held conversation while it runs in this process: started within the limits, ended, cut, or dropped.

It knows the request to make and the place of the reply. The core decides how the end of a turn changes the
conversation.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import structlog
from structlog.contextvars import bound_contextvars

from app.agent.attachments import Attachments, ReadFiles, attach
from app.agent.extraction.extraction import Extraction, ExtractionTask
from app.agent.extraction.research import Research
from app.agent.file_reading import FileReading
from app.agent.prompt import SYSTEM as FREE_PROMPT
from app.agent.prompt import (
    BackgroundLimits,
    TurnPrompt,
    add_directive,
    digest_prelude,
    find_finished,
    find_first_read,
    find_hindrance,
    find_reply,
)
from app.agent.reply import ReplyTask, TurnSettings, apply_budget, reduce_context
from app.agent.thread_summary import UnwrittenSummary
from app.agent.tool_runner import READ_FIRST
from app.agent.tools.context import Offer
from app.agent.tools.conversation.thread_toolset import ThreadToolset
from app.agent.tools.interview.interview_toolset import InterviewToolset
from app.agent.turn import TurnTask
from app.clock import format_ts
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Transition
from app.core.copy import file_access
from app.core.errors import FailureKind, Retryable
from app.core.events.internal import ThreadSummarized, ToolUsesReported
from app.core.machine import apply
from app.core.owners import Owners, can_own
from app.core.pending import scheduling
from app.core.state.interview import Mode, Phase, Stage
from app.core.state.tool_use import Use
from app.core.turns.directive import describe_day
from app.core.turns.history import (
    find_doubted,
    find_opening,
    find_owner_name,
    has_other_prelude,
    is_opening_answered,
    list_arrived,
    list_bound,
    list_told,
    renew_summary,
    repeat_epoch,
    start_epoch,
)
from app.core.turns.rate_limits import Refusal
from app.core.turns.takeover import close_reply
from app.core.turns.unfinished import keep_finished
from app.decision.playbook.step_prompt import TalkSoFar, build_block, build_system_prompt
from app.ports import Clock, Conversations, LiveReply, Model, Outlet
from app.runtime.lease import HeldConversation, ReplyWriteGuard
from app.runtime.limits import Limits
from app.runtime.outside.external_tools import Outside
from app.runtime.record.extracting import hear_more
from app.runtime.record.reader import DecisionReader
from app.runtime.record.recorder import RecordWriter
from app.runtime.turn_limits import TurnLimits

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """The model, ports and settings of turns."""

    model: Model
    outlet: Outlet
    conversations: Conversations
    limits: Limits
    turn: TurnSettings
    clock: Clock
    casebook: DecisionReader
    recorder: RecordWriter
    outside: Outside
    files: Attachments
    owners: Owners
    """Kinds of people who may own a conversation."""
    erase_after_days: int = 0
    """Days until an archived conversation is erased; 0 for never."""
    idle_minutes: int = 10
    """Minutes of the owner's silence after which a goal counts as left."""
    most_questions: int = 3
    """Replies that may ask something about a goal before a plan is made on assumptions."""


class TurnRunner:
    """Runner of at most one turn at a time. `drafts` holds live replies until their final form is delivered."""

    def __init__(self, hold: HeldConversation, resources: Resources) -> None:
        self._hold, self._resources = hold, resources
        self._limits = TurnLimits(hold, resources.limits, resources.model)
        self._turn: ReplyTask | None = None
        self._keeper: ReplyWriteGuard | None = None
        self._stages: list[Stage] = []
        self.reached = asyncio.Event()
        """Set while a stage was reached and not yet returned by `stages_reached`."""
        self._refused: Message | None = None
        self._read = ReadFiles()
        """The files of the turn, and what people are told above the reply of those that could not be read."""
        self._files = FileReading()
        self.drafts: dict[int, LiveReply] = {}

    @property
    def is_under_way(self) -> bool:
        """Return True from the start of a turn until its end is saved."""
        return self._turn is not None or self._refused is not None

    @property
    def is_reading(self) -> bool:
        """Return True while the files of a turn that is about to begin are read."""
        return self._files.is_under_way

    async def begin(self) -> None:
        """Start the turn that the state asks for. If a limit forbids it, the turn has already ended.

        If its files have to be read first, that starts instead. Then call this again when `over` returns.
        """
        now = self._hold.conversation
        assert now.turn is not None, "a turn is saved before it is run"
        if self.is_reading:
            return
        if read := self._files.take():
            await self._start(attach(now, await self._read_rows(find_first_read(now)), read), read)
            return
        refusal, rows = await asyncio.gather(self._refusal(), self._hold.transcript(find_first_read(now)))
        if refusal:
            reply = find_reply(rows, now.turn.reply)
            self._refused = replace(
                reply, status=MessageStatus.FAILED, failure=refusal.kind.value, wait=refusal.seconds
            )
        elif now.files:
            live = self._draft(rows)
            live.show_activity(file_access.IS_READING)
            self._files.begin(partial(self._read_files, now), live)
        else:
            await self._start(rows, ReadFiles())

    async def _start(self, rows: tuple[Message, ...], read: ReadFiles) -> None:
        now = self._hold.conversation
        await self._resources.files.forget_unshared(now, read)
        if read.is_renewed:
            await self._hold.apply(repeat_epoch(now), self.cause)
        self._read = read
        await (self._start_step if now.interview else self._start_free)(rows)

    async def _read_files(self, now: Conversation) -> ReadFiles:
        """Return the files that the turn sends; for an extraction all that there is room for."""
        lead, files, turn = now.interview, self._resources.files, self._resources.turn
        if now.phase is Phase.EXTRACT:
            return await files.read_all(now, turn.context_tokens)
        settings = apply_budget(turn, self._resources.casebook.component(lead.component)) if lead else turn
        return await files.read(now, await self._read_rows(find_first_read(now)), settings.context_tokens)

    async def _refusal(self) -> Refusal | None:
        """Return why the turn may not start. If it may, count it among the answers in progress."""
        now = self._hold.conversation
        if now.interview and not self._resources.casebook.knows(now.interview.component):
            return Refusal(kind=FailureKind.RETIRED, seconds=0)
        if not await self._is_theirs():
            return Refusal(kind=FailureKind.NOT_THEIRS, seconds=0)
        if now.turn and now.turn.resumed and await self._resources.outside.is_overheard(now):
            return Refusal(kind=FailureKind.OVERHEARD, seconds=0)
        return await self._limits.begin()

    async def _is_theirs(self) -> bool:
        """Return True if the owner may still own a conversation.

        A member may have become a guest, or have left the company while their schedules come round.
        """
        now, resources = self._hold.conversation, self._resources
        profile = await resources.outlet.profile_of(now.thread.team, now.owner)
        return profile.standing is None or can_own(resources.owners, profile.standing)

    async def _start_free(self, rows: tuple[Message, ...]) -> None:
        now, resources = self._hold.conversation, self._resources
        assert now.turn is not None, "a turn is saved before it is run"
        is_run = scheduling.is_running(now)  # schedules that a run sets for itself count as the same run
        tools = ThreadToolset(now, rows, self._at, None if is_run else self._limits.find_schedule_wait)
        if finished := find_finished(now.turn, rows):
            tools.restore(finished)
        runner = resources.outside.runner(tools.trial, lambda: self._hold.conversation, resources.files.read_again)
        offered = json.dumps((*tools.specs, *runner.specs))
        await self._within(rows, reduce_context(resources.turn, FREE_PROMPT + offered))
        prelude = digest_prelude(resources.turn, FREE_PROMPT + offered)
        await self._unbind(rows, prelude)
        now = self._hold.conversation
        alone = BackgroundLimits(
            seconds=resources.turn.run_seconds, gives_way=lambda: self._hold.conversation.unanswered
        )
        unattended = alone if is_run else None
        prompt = TurnPrompt(now, rows, tools, outside=runner, prelude=prelude, unattended=unattended)
        await self._run(prompt, resources.turn)

    def _has_news(self) -> bool:
        """Return True if the owner has written since the turn has last read, and the turn can read that."""
        return self._find_hindrance() == READ_FIRST

    def _find_hindrance(self) -> str:
        return find_hindrance(self._hold.conversation)

    async def _hear(self, after: int) -> tuple[Message, ...]:
        """Return the messages after this row, if one is the owner's and waits, or one of the owner's has changed."""
        if not self._has_news():
            return ()
        rows = await self._read_rows(after)
        planned = self._hold.conversation.planned
        is_said = [row for row in rows if row.role in (Role.PERSON, Role.NOTE) and row.seq != planned]
        return tuple(row for row in is_said if row.status is not MessageStatus.DELETED and row.text.strip())

    async def _read_rows(self, after: int) -> tuple[Message, ...]:
        return await self._hold.outlast(lambda: self._hold.transcript(after))

    async def _report(self, row: Message, uses: tuple[Use, ...], rounds: int, heard: tuple[Message, ...]) -> None:
        """Save the progress of the turn's tool uses while the turn goes on."""
        turn = self._hold.conversation.turn
        assert turn is not None, "a turn that runs here is in the state"
        assert self._keeper is not None, "a turn that runs here is shown"
        reported = ToolUsesReported(turn=turn.id, reply=row, uses=uses, rounds=rounds, at=self._at(), heard=heard)
        # A cut of the turn must not cancel this save, because others continue from the saved state.
        await asyncio.shield(self._save_report(reported, turn.id, self._keeper))

    async def _save_report(self, event: ToolUsesReported, cause: str, keeper: ReplyWriteGuard) -> None:
        """Save the event, waiting while MongoDB is away. No tool call may start before it is saved."""

        def report(now: Conversation) -> Transition:
            return apply.apply(now, replace(event, reply=keeper.update(event.reply)), cause)

        await self._hold.outlast(lambda: self._hold.change(report))

    @property
    def reported(self) -> tuple[tuple[Use, ...], int]:
        """Return the progress of the turn's tool uses, and the number of requests so far."""
        turn = self._turn
        return (turn.uses, turn.rounds) if isinstance(turn, TurnTask) else ((), 0)

    async def _start_step(self, rows: tuple[Message, ...]) -> None:
        """Start a turn of an interview, or an extraction, which reads the whole transcript."""
        now, resources = self._hold.conversation, self._resources
        assert now.interview is not None, "only a step is interviewed"
        assert now.turn is not None, "a turn is saved before it is run"
        is_extracting = now.phase is Phase.EXTRACT
        ground = await (resources.casebook.full_ground if is_extracting else resources.casebook.ground)(now, rows)
        component, settings = ground.component, apply_budget(resources.turn, ground.component)
        tools = InterviewToolset(now, rows, component, ground.so_far, self._at)
        runner = resources.outside.runner(
            tools.trial, lambda: self._hold.conversation, resources.files.read_again, Offer.STEPS
        )
        if is_extracting:
            extraction = Extraction(
                conversation=now,
                rows=rows,
                component=component,
                so_far=ground.so_far,
                mode=now.interview.mode,
                judge=ground.judge_submitted,
                said=lambda: ground.figures,
                unquote=lambda text: ground.quotable.unquote(text),
                tools=Research(tools=tools, outside=runner.without_subtasks(), longest=settings.result_chars),
                reached=self._reach,
                hear=partial(hear_more, resources.casebook.full_ground, self._hear),
                keep=lambda row: self._report(row, (), row.rounds, ()),
            )
            self._runs(lambda: ExtractionTask(self._limits.meter(rows), settings, extraction, self._draft(rows)))
            return
        if finished := find_finished(now.turn, rows):
            tools.restore(finished)
        runner = runner.fold_lookups()
        talk = TalkSoFar(
            today=describe_day(now, rows),
            owner=find_owner_name(now, rows),
            arrived=list_arrived(now, rows),
            doubted=find_doubted(now, rows),
            opened=is_opening_answered(now, rows),
            said=ground.sources.said,
        )
        block = partial(build_block, component, now.phase or Phase.INTRO, now.interview, ground.so_far)
        system = build_system_prompt(component, Mode.INTERACTIVE)  # who has written is there to answer
        offered = json.dumps((*tools.specs, *runner.specs))
        await self._within(rows, reduce_context(settings, system + offered + await asyncio.to_thread(block, talk)))
        system = build_system_prompt(component, Mode.INTERACTIVE, find_opening(self._hold.conversation, rows))
        prelude = digest_prelude(settings, system + offered)
        await self._unbind(rows, prelude)
        now = self._hold.conversation
        if not finished:  # else it is told what it was told before its first round
            told = await asyncio.to_thread(block, replace(talk, earlier=list_told(now, rows)))
            rows = add_directive(rows, now.turn.reply if now.turn else 0, told)
        offers = tuple(file for file, kind in self._read.new.items() if component.can_draft_from(kind))
        prompt = TurnPrompt(now, rows, tools, system, outside=runner, prelude=prelude, drafts_from=offers)
        await self._run(prompt, settings)

    async def _within(self, rows: tuple[Message, ...], settings: TurnSettings) -> None:
        """Start a new epoch if the history is too long to send, or its summary is out of date.

        Never while a round is open.
        """
        now = self._hold.conversation
        if now.turn is None or now.turn.rounds:
            return
        epoch = start_epoch(now, rows, settings.context_tokens)
        if epoch is None and now.summary_due:
            epoch = renew_summary(now, rows)
        if epoch:
            await self._hold.apply(epoch, now.turn.id)

    async def _find_unwritten(self) -> UnwrittenSummary | None:
        """Return the summary that the turn has to ask for before it begins; None if none is due."""
        now = self._hold.conversation
        if not now.summary_due or now.turn is None or now.turn.rounds:
            return None
        rows = await self._hold.transcript(now.summarized)
        return UnwrittenSummary(rows=rows, keep=partial(self._keep_summary, now.turn.id, now.summary_due))

    async def _keep_summary(self, turn: str, due: int, summary: str) -> str:
        """Save what the model wrote for this state of the messages, and return the summary that is to be sent."""
        event = ThreadSummarized(summary=summary, due=due)
        await asyncio.shield(self._hold.outlast(lambda: self._hold.apply(event, turn)))
        return self._hold.conversation.summary

    async def _unbind(self, rows: tuple[Message, ...], prelude: str) -> None:
        """Send only messages if replies were made after another prelude, or a reader may no longer see their results.

        An answer is a write for which no permission is asked. Never while a round is open.
        """
        now, turn = self._hold.conversation, self._hold.conversation.turn
        assert turn is not None, "a turn is saved before it is run"
        is_bound = not turn.rounds and bool(list_bound(now, rows))
        if is_bound and (has_other_prelude(now, rows, prelude) or await self._resources.outside.is_overheard(now)):
            await self._hold.apply(repeat_epoch(now), turn.id)

    async def _run(self, prompt: TurnPrompt, settings: TurnSettings) -> None:
        """Start a turn. Each round is saved when it ends, and what the owner writes meanwhile is read after it."""
        unwritten = await self._find_unwritten()
        prompt = replace(prompt, report=self._report, hear=self._hear, has_news=self._has_news)
        prompt = replace(prompt, hinder=self._find_hindrance, unwritten=unwritten, notice=self._read.notice)
        self._runs(lambda: TurnTask(self._limits.meter(prompt.rows), settings, prompt, self._draft(prompt.rows)))

    def _runs(self, begin: Callable[[], ReplyTask]) -> None:
        with bound_contextvars(correlation=self.cause):
            self._turn = begin()
        assert self._keeper is not None, "a turn that runs here is shown"
        self._keeper.spent = self._turn.spent

    def _draft(self, rows: tuple[Message, ...]) -> LiveReply:
        """Start to show the reply of the current turn."""
        now, resources = self._hold.conversation, self._resources
        assert now.turn is not None, "starting an epoch does not end a turn"
        reply = find_reply(rows, now.turn.reply)
        if live := self._files.live:  # it has shown that files are read
            self._files.live = None
            return live
        self._keeper = ReplyWriteGuard.of_turn(self._hold, reply)
        draft = self.drafts[reply.seq] = resources.outlet.draft(now, reply, self._keeper)
        return draft

    async def _reach(self, stage: Stage) -> None:
        self._stages.append(stage)
        self.reached.set()

    def stages_reached(self) -> tuple[Stage, ...]:
        """Return the stages that the current extraction has reached since the last call."""
        reached, self._stages = tuple(self._stages), []
        self.reached.clear()
        return reached

    @property
    def cause(self) -> str:
        """Return the correlation id of the current turn."""
        turn = self._hold.conversation.turn
        return turn.cause if turn else ""

    def _at(self) -> str:
        return format_ts(self._resources.clock.now())

    @property
    def is_over(self) -> bool:
        """Return True if the turn has ended and its end is not saved yet."""
        return self._refused is not None or (self._turn is not None and self._turn.is_over)

    async def over(self) -> None:
        """Return when the turn has ended, in success or failure, or when its files are read."""
        await self._files.over()
        if self._turn is not None:
            await self._turn.over()

    async def end(self) -> Message:
        """Wait for the end and return the closed reply.

        May be repeated until `forget`. Raise the exception of a bug.
        """
        if self._refused is not None:
            return self._refused
        assert self._turn is not None, "only a turn that was begun ends"
        reply = await self._turn.reply()
        await self.settle(reply)
        return reply

    async def settle(self, reply: Message) -> None:
        """Release the turn's place and count its cost, once, however often this is called."""
        await self._limits.settle(reply, self._at())

    async def cut(self, status: MessageStatus) -> Message:
        """End the turn at once, whether or not it started here. The model's stream is closed first.

        A turn that has ended meanwhile keeps its ending, unless it waits for a person.
        """
        now = self._hold.conversation
        assert now.turn is not None, "only a turn under way can be cut off"
        if self._turn is None:
            row = self._refused or await self._resources.conversations.row(now, now.turn.reply)
            assert row is not None, "a turn's reply has its row before the turn begins"
            return close_reply(now.turn, replace(row, status=status, standing=len(row.stands)))
        self._turn.cut()
        reply = await self.end()
        if reply.status is MessageStatus.HELD:
            return keep_finished(replace(reply, status=status), self.reported[0], "")
        return replace(reply, status=status) if reply.status is MessageStatus.CANCELLED else reply

    def forget(self) -> None:
        """Allow the next turn, now that the end of this one is saved."""
        self._turn = self._refused = None
        self._files.end()
        self.stages_reached()

    async def drop(self) -> None:
        """Leave the turn unchanged for the next holder of the conversation."""
        await self._files.drop()
        if self._turn is not None:
            await self._turn.drop()

    async def leave(self) -> None:
        """Break the turn off for the process that continues it: the shown text and the cost are saved."""
        await self.drop()
        self.forget()
        assert self._keeper is not None, "a turn that ran here was shown"
        try:
            await self._keeper.leave()
        except Retryable as error:  # the cost stays unknown: there is no time left to wait for it
            log.warning("work_put_off", error=type(error).__name__, seconds=error.after)
