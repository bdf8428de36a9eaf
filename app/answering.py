"""The turn of a held conversation, as long as it runs here: begun within the limits, ended, cut off, or dropped.

Knows what to ask and where to show it. What the end of a turn means for the conversation is the machine's business.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

import structlog
from structlog.contextvars import bound_contextvars

from app.agent.extraction import Extraction, RunningExtraction
from app.agent.metered import Metered
from app.agent.prices import cost
from app.agent.prompt import TurnPrompt, Unattended
from app.agent.running import Running, TurnSettings
from app.agent.tools.box import ThreadToolset
from app.agent.tools.interview_box import InterviewToolset
from app.agent.turn import RunningTurn
from app.casebook import Casebook
from app.clock import ts_of
from app.core import planning
from app.core.calls import SetSchedule
from app.core.context import CHARS_PER_TOKEN, first_told, new_epoch, same_epoch
from app.core.errors import FailureKind, Retryable
from app.core.findings import UsesReported
from app.core.limits import Creation, Refusal
from app.core.model import Message, MessageStatus, Usage
from app.core.owners import Owners, may_own
from app.core.states import Phase, Stage
from app.core.takeover import picks_up
from app.core.uses import Use
from app.decision import briefing
from app.decision.component import Component
from app.decision.prompt import system_prompt
from app.keeping import ReplyKeeper
from app.lease import Hold
from app.limits import Limits
from app.outside import Outside
from app.ports import Clock, Conversations, Draft, Model, Outlet
from app.recording import Recorder

log = structlog.get_logger(__name__)

LEAST_HISTORY = 1_000
"""Tokens of the talk that are always sent, however much has to be said beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voices:
    """Who answers, where it is shown and kept, and how much of it there may be."""

    model: Model
    outlet: Outlet
    conversations: Conversations
    limits: Limits
    turn: TurnSettings
    clock: Clock
    casebook: Casebook
    recorder: Recorder
    outside: Outside
    owners: Owners
    """Who may own a conversation."""
    erase_after_days: int = 0
    """After how many days what was archived is erased; 0 for never."""
    idle_minutes: int = 10
    """After how much silence of its owner a goal counts as left (S1-055)."""


class Answering:
    """At most one turn at a time. `drafts` keeps what showed a reply until its final form is delivered."""

    def __init__(self, hold: Hold, voices: Voices) -> None:
        self._hold, self._voices = hold, voices
        self._turn: Running | None = None
        self._keeper: ReplyKeeper | None = None
        self._stages: list[Stage] = []
        self.reached = asyncio.Event()
        """Set while a stage was reached that nobody has asked for yet."""
        self._refused: Message | None = None
        self.drafts: dict[int, Draft] = {}

    @property
    def is_under_way(self) -> bool:
        """True from the beginning of a turn until its end is saved."""
        return self._turn is not None or self._refused is not None

    async def begin(self) -> None:
        """Start the turn that the state asks for. If a limit forbids it, it has ended before it began."""
        now, voices = self._hold.conversation, self._voices
        assert now.turn is not None, "a turn is saved before it is run"
        refusal, rows = await asyncio.gather(self._refusal(), voices.conversations.transcript(now, first_told(now)))
        if refusal:
            reply = _reply(rows, now.turn.reply)
            self._refused = replace(
                reply, status=MessageStatus.FAILED, failure=refusal.kind.value, wait=refusal.seconds
            )
            return
        if now.interview is None:
            await self._start_free(rows)
        else:
            await self._start_step(await voices.conversations.transcript(now, 0))

    async def _refusal(self) -> Refusal | None:
        """Why the turn may not begin; if it may, it has its place."""
        now, limits = self._hold.conversation, self._voices.limits
        if now.interview and not self._voices.casebook.knows(now.interview.component):
            return Refusal(kind=FailureKind.RETIRED, seconds=0)
        if not await self._is_theirs():
            return Refusal(kind=FailureKind.NOT_THEIRS, seconds=0)
        # One answer is one, however often it has waited for somebody.
        begin = limits.resume_answer if now.turn and now.turn.resumed else limits.begin_answer
        return await begin(now.thread.team, now.owner, self._token)

    async def _is_theirs(self) -> bool:
        """Whether the owner may own a conversation still: who was a member may have become a guest."""
        now, voices = self._hold.conversation, self._voices
        if voices.owners is Owners.ANYONE:
            return True
        profile = await voices.outlet.profile_of(now.thread.team, now.owner)
        return profile.standing is None or may_own(voices.owners, profile.standing)

    async def _start_free(self, rows: tuple[Message, ...]) -> None:
        await self._within(rows, self._voices.turn)
        await self._unheard(rows)
        now, voices = self._hold.conversation, self._voices
        assert now.turn is not None, "starting an epoch does not end a turn"
        # Of a round that is not in the state nothing counts: its row was written by somebody who died over it.
        reply = _reply(rows, now.turn.reply)
        called = reply.calls if now.turn.rounds and picks_up(now.turn, reply) else ()
        is_run = planning.is_running(now)  # what a run plans for itself is counted as its going on
        wait = 0 if is_run else await voices.limits.pause(now.thread.team, now.owner, Creation.SCHEDULE)
        tools = ThreadToolset(now, rows, self._at, wait).restore(called)
        runner = voices.outside.runner(tools.trial, lambda: self._hold.conversation)
        alone = Unattended(seconds=voices.turn.run_seconds, gives_way=self._is_asked)
        unattended = alone if is_run else None
        self._run(TurnPrompt(now, rows, tools, outside=runner, report=self._report, unattended=unattended), voices.turn)

    def _is_asked(self) -> bool:
        """True if the owner has written something that the turn under way has not read."""
        return self._hold.conversation.unanswered

    async def _report(self, row: Message, uses: tuple[Use, ...], rounds: int) -> None:
        """Save how far the uses of the turn are, while it goes on."""
        turn = self._hold.conversation.turn
        assert turn is not None, "a turn that runs here is in the state"
        assert self._keeper is not None, "a turn that runs here is shown"
        kept = self._keeper.going_on(row)
        reported = UsesReported(turn=turn.id, reply=kept, uses=uses, rounds=rounds, at=self._at())
        # Whoever cuts the turn off must not break off the save of a state that others go on from.
        await asyncio.shield(self._outlasting(reported, turn.id))

    async def _outlasting(self, event: UsesReported, cause: str) -> None:
        """Save it, waiting as long as MongoDB is away: before it is saved nothing may be begun."""
        while True:
            try:
                return await self._hold.step(event, cause)
            except Retryable as error:
                log.warning("work_put_off", error=type(error).__name__, seconds=error.after)
                await self._hold.pause(error.after)

    @property
    def reported(self) -> tuple[tuple[Use, ...], int]:
        """How far the uses of the turn are, and after how many requests."""
        turn = self._turn
        return (turn.uses, turn.rounds) if isinstance(turn, RunningTurn) else ((), 0)

    async def _start_step(self, rows: tuple[Message, ...]) -> None:
        """Begin a turn of an interview, or an extraction, which reads all that was ever said in the thread."""
        now, voices = self._hold.conversation, self._voices
        assert now.interview is not None, "only a step is interviewed"
        assert now.turn is not None, "a turn is saved before it is run"
        ground = await voices.casebook.ground(now, rows)
        component, settings = ground.component, _settings(voices.turn, ground.component)
        if now.phase is Phase.EXTRACT:
            tools = InterviewToolset(now, rows, component, ground.so_far, self._at)
            extraction = Extraction(
                conversation=now,
                rows=rows,
                component=component,
                so_far=ground.so_far,
                mode=now.interview.mode,
                judge=ground.judged,
                tools=tools,
                reached=self._reach,
            )
            self._runs(lambda: RunningExtraction(self._metered(rows), settings, extraction, self._draft(rows)))
            return
        lead = now.interview
        told = briefing.block(component, now.phase or Phase.INTRO, lead, ground.so_far)
        system = system_prompt(component, lead.mode)
        await self._within(rows, _beside(settings, told + system))
        now = self._hold.conversation
        rows = tuple(_told(row, told) if now.turn and row.seq == now.turn.reply else row for row in rows)
        tools = InterviewToolset(now, rows, component, ground.so_far, self._at)
        self._run(TurnPrompt(now, rows, tools, system), settings)

    async def _within(self, rows: tuple[Message, ...], settings: TurnSettings) -> None:
        """Begin a new epoch if the history has become too long to be sent; never while a round is open (D11)."""
        now = self._hold.conversation
        if now.turn and not now.turn.rounds and (epoch := new_epoch(now, rows, settings.context_tokens)):
            await self._hold.step(epoch, now.turn.id)

    async def _unheard(self, rows: tuple[Message, ...]) -> None:
        """Send no results of tools any more if somebody reads along now who may not hear of them: only what was said.

        An answer is a write that nobody is asked about.
        """
        now = self._hold.conversation
        turn = now.turn
        assert turn is not None, "a turn is saved before it is run"
        has_results = any(row.content and now.plain < row.seq < turn.reply for row in rows)
        if has_results and not turn.rounds and await self._voices.outside.is_overheard(now):
            await self._hold.step(same_epoch(now), turn.id)

    def _run(self, prompt: TurnPrompt, settings: TurnSettings) -> None:
        self._runs(lambda: RunningTurn(self._metered(prompt.rows), settings, prompt, self._draft(prompt.rows)))

    def _runs(self, begin: Callable[[], Running]) -> None:
        with bound_contextvars(correlation=self.cause):
            self._turn = begin()
        assert self._keeper is not None, "a turn that runs here is shown"
        self._keeper.spent = self._turn.spent

    def _metered(self, rows: tuple[Message, ...]) -> Model:
        """The model, as long as the budgets last: before each request but the first of an answer they are looked at."""
        turn = self._hold.conversation.turn
        assert turn is not None, "a turn is saved before it is run"
        spent = _reply(rows, turn.reply).usage - turn.settled
        is_allowed = not turn.resumed and not turn.rounds
        return Metered(self._voices.model, spent, self._may_go_on, is_allowed=is_allowed)

    async def _may_go_on(self, usage: Usage, price: str) -> Refusal | None:
        """Count what the answer has used so far; why it may not go on, if it may not."""
        now = self._hold.conversation
        while True:
            try:
                return await self._voices.limits.go_on(now.thread.team, now.owner, self._token, usage, price)
            except Retryable as error:
                log.warning("work_put_off", error=type(error).__name__, seconds=error.after)
                await self._hold.pause(error.after)

    def _draft(self, rows: tuple[Message, ...]) -> Draft:
        """Begin to show the reply of the turn under way."""
        now, voices = self._hold.conversation, self._voices
        assert now.turn is not None, "starting an epoch does not end a turn"
        reply = _reply(rows, now.turn.reply)
        self._keeper = ReplyKeeper.of_turn(self._hold, voices.conversations, reply)
        draft = self.drafts[reply.seq] = voices.outlet.draft(now, reply, self._keeper)
        return draft

    async def _reach(self, stage: Stage) -> None:
        self._stages.append(stage)
        self.reached.set()

    def stages_reached(self) -> tuple[Stage, ...]:
        """The stages that the extraction under way has come to since this was asked last."""
        reached, self._stages = tuple(self._stages), []
        self.reached.clear()
        return reached

    @property
    def cause(self) -> str:
        """The correlation id of the turn under way."""
        turn = self._hold.conversation.turn
        return turn.cause if turn else ""

    def _at(self) -> str:
        return ts_of(self._voices.clock.now())

    @property
    def is_over(self) -> bool:
        """True when the turn has come to its end, which is not saved yet."""
        return self._refused is not None or (self._turn is not None and self._turn.is_over)

    async def over(self) -> None:
        """Return when the turn has come to its end, well or badly."""
        if self._turn is not None:
            await self._turn.over()

    async def end(self) -> Message:
        """Wait for the end and give the reply, closed. May be asked again until `forget`. Raises what a bug raised."""
        if self._refused is not None:
            return self._refused
        assert self._turn is not None, "only a turn that was begun ends"
        reply = await self._turn.reply()
        await self.settle(reply)
        return reply

    async def settle(self, reply: Message) -> None:
        """Give its place back and count what it cost, once, however often this is asked."""
        now = self._hold.conversation
        spent = reply.usage - (now.turn.settled if now.turn else Usage())
        price = cost(reply.model, spent) if reply.cost else ""
        limits = self._voices.limits
        await limits.end_answer(now.thread.team, now.owner, self._token, spent, price)
        for plan in reply.calls if not planning.is_running(now) else ():
            if isinstance(plan, SetSchedule):
                await limits.create(now.thread.team, now.owner, float(plan.at or self._at()), {Creation.SCHEDULE: 1})

    async def cut(self, status: MessageStatus) -> Message:
        """End the turn at once, whether it was begun here or not. The model's stream is closed before this waits.

        One that has come to its end meanwhile is as it ended, unless that was to wait for somebody.
        """
        now = self._hold.conversation
        assert now.turn is not None, "only a turn under way can be cut off"
        if self._turn is None:
            row = self._refused or await self._voices.conversations.row(now, now.turn.reply)
            assert row is not None, "a turn's reply has its row before the turn begins"
            return replace(row, status=status)
        self._turn.cut()
        reply = await self.end()
        is_open = reply.status in (MessageStatus.CANCELLED, MessageStatus.HELD)
        return replace(reply, status=status) if is_open else reply

    def forget(self) -> None:
        """The end is saved: the next turn may begin."""
        self._turn = self._refused = None
        self.stages_reached()

    async def drop(self) -> None:
        """Leave a turn as it is, for whoever holds the conversation next."""
        if self._turn is not None:
            await self._turn.drop()

    async def leave(self) -> None:
        """Break the turn off for whoever goes on with it: what was shown is kept, and what it has cost."""
        await self.drop()
        self.forget()
        assert self._keeper is not None, "a turn that ran here was shown"
        try:
            await self._keeper.leave()
        except Retryable as error:  # then what it has cost is not known: nobody waits for that any more
            log.warning("work_put_off", error=type(error).__name__, seconds=error.after)

    @property
    def _token(self) -> str:
        """Names this stretch of the turn where limits are counted, the same after a crash: each is paid for once."""
        now = self._hold.conversation
        turn = now.turn
        stretch = f":{turn.resumed}" if turn and turn.resumed else ""
        return f"{now.id}:{turn.id if turn else ''}{stretch}"


def _settings(turn: TurnSettings, component: Component) -> TurnSettings:
    """Within the budget of the component: what is reserved for the answer is never used by context (S0-239)."""
    return replace(turn, context_tokens=component.context_tokens - component.reserved_tokens)


def _beside(settings: TurnSettings, said: str) -> TurnSettings:
    """What is left for the history beside the system prompt and what the model is told of the step (S0-237)."""
    left = settings.context_tokens - len(said) // CHARS_PER_TOKEN
    return replace(settings, context_tokens=max(left, LEAST_HISTORY))


def _told(row: Message, block: str) -> Message:
    return replace(row, directive="\n".join(filter(None, (row.directive, block))))


def _reply(rows: tuple[Message, ...], seq: int) -> Message:
    return next(row for row in rows if row.seq == seq)
