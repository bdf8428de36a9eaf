"""Performer of the effects that the core asks for, beside the session.

Each kind of effect says how it may be repeated.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from enum import Enum, auto

import structlog

from app.core.conversation.effect import (
    Erase,
    FinishReply,
    OpenStep,
    PostEphemeral,
    PublishHome,
    React,
    SavePermissionRule,
    SendDirectMessage,
    SendNotice,
    ShowCard,
    Unreact,
    UpdateStepHead,
)
from app.core.conversation.news import StepEvent, StepMove
from app.core.copy import texts
from app.core.errors import PlaceGone, Retryable, SlackRefused, SlackUnavailable
from app.core.events import audit_entries
from app.ports import LiveReply
from app.runtime.lease import CardWriteGuard, HeldConversation, ReplyWriteGuard
from app.runtime.record.recorder import Recorded, RecordWriter

log = structlog.get_logger(__name__)

Performed = FinishReply | ShowCard | PostEphemeral | React | Unreact | PublishHome | Recorded | UpdateStepHead | Erase
"""All effects except the turn itself."""

AT_MOST_ONCE = (PostEphemeral,)
"""Effects that leave no trace in Slack to look for. A missing one is better than a second one."""


OWED = (FinishReply, ShowCard, OpenStep)
"""Effects that people wait for in the thread. If Slack refuses one, the conversation is told."""

IDEMPOTENT = (React, Unreact, PublishHome, UpdateStepHead)
"""Effects that may be performed once more at any time, so that their end can be saved together with what comes next."""


class EffectQueue(Enum):
    """Queues of effects. Each keeps its own order and waits for no other: an answer must not wait for an emoji."""

    SPEECH = auto()
    ASIDE = auto()
    HOME = auto()
    RECORD = auto()


class Outcome(Enum):
    """How the attempt at an effect has ended."""

    DONE = auto()
    """Or given up, where nobody waits for it."""
    REFUSED = auto()
    """Slack did not accept it, and may accept something else there."""
    CLOSED = auto()
    """Nothing can be posted there any more."""


LAST_WORD_SECONDS = 5.0
"""Longest wait of an erasure's notice for Slack. Meanwhile no conversation can start in that thread."""


class Performer:
    """Performer for one held conversation. It performs at most one effect of each lane at a time, beside the session.

    `drafts` are the live replies of this process.
    """

    def __init__(self, hold: HeldConversation, recorder: RecordWriter, drafts: dict[int, LiveReply]) -> None:
        self._hold, self._recorder, self._drafts = hold, recorder, drafts
        self._outlet, self._conversations = recorder.outlet, recorder.conversations
        self._under_way: dict[EffectQueue, tuple[Performed, asyncio.Task[Outcome]]] = {}
        # The former holder may have posted these already without storing their places.
        self._tried = {effect.card for effect in hold.conversation.effects if isinstance(effect, ShowCard)}
        looked_for = (OpenStep, SendDirectMessage, SavePermissionRule)
        self._begun = {effect.id for effect in hold.conversation.effects if isinstance(effect, looked_for)}

    @property
    def is_speaking(self) -> bool:
        """Return True while a reply is delivered or the conversation is erased: no turn may start meanwhile."""
        return EffectQueue.SPEECH in self._under_way

    @property
    def tasks(self) -> list[asyncio.Task[Outcome]]:
        """Return the tasks in progress, to wait for."""
        return [task for _, task in self._under_way.values()]

    def next_of(self, effects: Iterable[Performed]) -> list[Performed]:
        """Return the first effect of each idle lane. An erasure comes after all others."""
        pending, first = list(effects), dict[EffectQueue, Performed]()
        for effect in pending:
            if not isinstance(effect, Erase) or (len(pending) == 1 and not self._under_way):
                first.setdefault(_select_queue(effect), effect)
        return [effect for lane, effect in first.items() if lane not in self._under_way]

    def begin(self, effect: Performed) -> None:
        """Start one of `next_of`."""
        self._under_way[_select_queue(effect)] = effect, asyncio.ensure_future(self._perform(effect))

    def list_ended(self) -> list[tuple[Performed, asyncio.Task[Outcome]]]:
        """Return the effects that have ended, in success or failure. Each is returned until `forget`.

        The result of a task tells if the effect is still owed.
        """
        return [(effect, task) for effect, task in self._under_way.values() if task.done()]

    def forget(self, effect: Performed) -> None:
        """Forget an effect, either because its end is saved or because it will be tried again."""
        del self._under_way[_select_queue(effect)]

    async def drop(self) -> None:
        """Leave the effects in progress to the next holder of the conversation; complete an erasure."""
        for effect, task in self._under_way.values():
            if not isinstance(effect, Erase):
                task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self._under_way.clear()

    async def _perform(self, effect: Performed) -> Outcome:
        """Perform the effect, through any outage of Slack or MongoDB. Give it up if Slack will never accept it."""
        while True:
            try:
                self._hold.check()
                await self._do(effect)
            except SlackRefused as refusal:
                is_closed, is_owed = isinstance(refusal, PlaceGone), isinstance(effect, OWED)
                event = ("place_lost" if is_closed else "speech_refused") if is_owed else "effect_given_up"
                log.warning(event, effect=effect.kind, method=refusal.method, code=refusal.code)
                if is_owed:
                    return Outcome.CLOSED if is_closed else Outcome.REFUSED
            except Retryable as error:
                ambiguous = isinstance(error, SlackUnavailable) and error.ambiguous
                if not (isinstance(effect, AT_MOST_ONCE) and ambiguous):
                    log.warning("work_put_off", effect=effect.kind, error=type(error).__name__, seconds=error.after)
                    await self._hold.pause(error.after)
                    continue
            return Outcome.DONE

    async def _do(self, effect: Performed) -> None:
        if isinstance(effect, Recorded):
            unsure = effect.id in self._begun
            self._begun.add(effect.id)
            await self._recorder.record(self._hold.conversation, effect, unsure=unsure)
            return
        match effect:
            case FinishReply():
                await self._finish(effect.reply)
            case ShowCard():
                await self._show(effect.card)
            case Erase():
                await self._erase(effect)
            case _:
                await self._say_aside(effect)

    async def _say_aside(self, effect: PostEphemeral | React | Unreact | PublishHome | UpdateStepHead) -> None:
        thread, outlet = self._hold.conversation.thread, self._outlet
        match effect:
            case PostEphemeral():
                await outlet.tell(self._hold.conversation, effect)
            case React():
                await outlet.react(thread, effect.ts, effect.name)
            case Unreact():
                await outlet.unreact(thread, effect.ts, effect.name)
            case PublishHome():
                await outlet.publish_home(thread.team, effect.user)
            case UpdateStepHead():
                await outlet.update_step_head(self._hold.conversation, effect.component)

    async def _finish(self, seq: int) -> None:
        now = self._hold.conversation
        reply = await self._hold.row(seq)
        assert reply is not None, "a reply is written before it is delivered"
        keeper = ReplyWriteGuard(self._hold, reply)
        await self._outlet.finish(now, reply, keeper, self._drafts.get(seq))
        self._drafts.pop(seq, None)

    async def _show(self, seq: int) -> None:
        now = self._hold.conversation
        card = await self._hold.row(seq)
        assert card is not None, "a card is written before it is shown"
        keeper = CardWriteGuard(self._hold, seq)
        unsure = seq in self._tried
        self._tried.add(seq)
        await self._outlet.show_card(now, card, keeper, unsure=unsure)

    async def _erase(self, effect: Erase) -> None:
        """Erase first, then notify, so that the erasure is done even if the notice fails."""
        now = self._hold.conversation
        await self._conversations.erase(now, audit_entries.audit_erasure(effect))
        self._hold.lost.set()
        log.info("conversation_erased", conversation=now.id)
        told = texts.format_erased(self._recorder.copies_days, has_old_copies=now.has_old_copies)
        words = (
            self._outlet.tell(now, PostEphemeral(id=effect.id, user=effect.user, text=told)),
            self._outlet.publish_home(now.thread.team, effect.user),  # Home still shows its title
        )
        for result in await asyncio.gather(*map(_limit_time, words), return_exceptions=True):
            if isinstance(result, (SlackRefused, Retryable, TimeoutError)):
                log.warning("erasure_not_told", error=type(result).__name__)
            elif result:
                raise result


def _select_queue(effect: Performed) -> EffectQueue:
    if isinstance(effect, Recorded):
        is_after_card = isinstance(effect, SendNotice) and _tells_of_card(effect)
        return EffectQueue.SPEECH if is_after_card else EffectQueue.RECORD
    match effect:
        case FinishReply() | ShowCard() | Erase():
            return EffectQueue.SPEECH
        case PostEphemeral() | React() | Unreact() | UpdateStepHead():
            return EffectQueue.ASIDE
        case PublishHome():
            return EffectQueue.HOME


def _tells_of_card(notice: SendNotice) -> bool:
    """Return True for a notice that goes out after the card that it tells of was posted."""
    return isinstance(notice.news, StepMove) and notice.news.on is StepEvent.SHOWN


async def _limit_time(word: Awaitable[None]) -> None:
    async with asyncio.timeout(LAST_WORD_SECONDS):
        await word
