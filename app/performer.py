"""Performs what the machine asks for, beside the session; each kind of effect says how it may be repeated."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import structlog

from app.answering import ReplyKeeper
from app.core import texts, trail
from app.core.effects import Erase, FinishReply, OfferErase, React, TellPrivately, Unreact
from app.core.errors import Retryable, SlackRefused, SlackUnavailable
from app.lease import Hold
from app.ports import Conversations, Draft, Outlet

log = structlog.get_logger(__name__)

Performed = FinishReply | TellPrivately | React | Unreact | OfferErase | Erase
"""All but the turn itself."""

AT_MOST_ONCE = (TellPrivately, OfferErase)
"""What Slack forgets anyway, so that one too many is worse than none."""

SPEECH = (FinishReply, Erase)
"""Kept in order among themselves. What is not speech (marks, private words) has a lane of its own: no answer waits
until Slack has room for an emoji."""


LAST_WORD_SECONDS = 5.0
"""How long the news of an erasure may wait for Slack: meanwhile nobody can begin a conversation in that thread."""


class Performer:
    """Of one held conversation: at most one effect of each lane at a time, while the session goes on listening.

    `drafts` are the replies that were shown from here.
    """

    def __init__(self, hold: Hold, outlet: Outlet, conversations: Conversations, drafts: dict[int, Draft]) -> None:
        self._hold, self._outlet, self._conversations, self._drafts = hold, outlet, conversations, drafts
        self._under_way: dict[bool, tuple[Performed, asyncio.Task[None]]] = {}

    @property
    def is_speaking(self) -> bool:
        """True while a reply is delivered or the conversation is erased: no turn may begin meanwhile."""
        return True in self._under_way

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """What is under way, to wait for."""
        return [task for _, task in self._under_way.values()]

    def next_of(self, effects: Iterable[Performed]) -> list[Performed]:
        """The first of each lane where nothing is under way; an erasure is the last thing that is ever done."""
        pending, first = list(effects), dict[bool, Performed]()
        for effect in pending:
            if not isinstance(effect, Erase) or (len(pending) == 1 and not self._under_way):
                first.setdefault(isinstance(effect, SPEECH), effect)
        return [effect for lane, effect in first.items() if lane not in self._under_way]

    def begin(self, effect: Performed) -> None:
        """Begin one of `next_of`."""
        self._under_way[isinstance(effect, SPEECH)] = effect, asyncio.ensure_future(self._perform(effect))

    def ended(self) -> list[tuple[Performed, asyncio.Task[None]]]:
        """Those that came to their end, well or badly; each until `forget`."""
        return [(effect, task) for effect, task in self._under_way.values() if task.done()]

    def forget(self, effect: Performed) -> None:
        """That it has been performed is saved, or it is to be tried again."""
        del self._under_way[isinstance(effect, SPEECH)]

    async def drop(self) -> None:
        """Break off what is under way, for whoever holds the conversation next; after an erasure there is nobody."""
        for effect, task in self._under_way.values():
            if not isinstance(effect, Erase):
                task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self._under_way.clear()

    async def _perform(self, effect: Performed) -> None:
        """Do it, however long Slack or MongoDB are away; or give it up where Slack will never take it."""
        while True:
            try:
                self._hold.check()
                await self._do(effect)
            except SlackRefused as refusal:
                log.warning("effect_given_up", effect=effect.kind, method=refusal.method, code=refusal.code)
            except Retryable as error:
                ambiguous = isinstance(error, SlackUnavailable) and error.ambiguous
                if not (isinstance(effect, AT_MOST_ONCE) and ambiguous):
                    log.warning("work_put_off", effect=effect.kind, error=type(error).__name__, seconds=error.after)
                    await self._hold.pause(error.after)
                    continue
            return

    async def _do(self, effect: Performed) -> None:
        thread, outlet = self._hold.conversation.thread, self._outlet
        match effect:
            case FinishReply():
                await self._finish(effect.reply)
            case TellPrivately():
                await outlet.tell(thread, effect.user, effect.text)
            case React():
                await outlet.react(thread, effect.ts, effect.name)
            case Unreact():
                await outlet.unreact(thread, effect.ts, effect.name)
            case OfferErase():
                await outlet.offer_erase(thread, effect.user)
            case Erase():
                await self._erase(effect)

    async def _finish(self, seq: int) -> None:
        now = self._hold.conversation
        reply = await self._conversations.row(now, seq)
        assert reply is not None, "a reply is written before it is delivered"
        keeper = ReplyKeeper(self._hold, self._conversations, reply)
        await self._outlet.finish(now, reply, keeper, self._drafts.get(seq))
        self._drafts.pop(seq, None)

    async def _erase(self, effect: Erase) -> None:
        """Forget first, speak then: what was promised is done, even if nobody can be told."""
        now = self._hold.conversation
        await self._conversations.erase(now, trail.erasure(effect))
        self._hold.lost.set()
        log.info("conversation_erased", conversation=now.id)
        try:
            async with asyncio.timeout(LAST_WORD_SECONDS):
                await self._outlet.tell(now.thread, effect.user, texts.ERASED)
        except (SlackRefused, Retryable, TimeoutError) as error:
            log.warning("erasure_not_told", error=type(error).__name__)
