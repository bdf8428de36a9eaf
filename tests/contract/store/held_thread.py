"""A conversation as one process after another holds it: with the real machine, and nothing but a store between them.

Each wish that was ever saved is remembered, and so is each line of the trail: at the end none may be missing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any, TypeVar

from app.core.conversation.audit import AuditEvent
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Transition
from app.core.conversation.effect import Effect, FinishReply, PostEphemeral, RunTurn, ShowCard
from app.core.errors import IllegalEvent
from app.core.events.acts import (
    ArchiveConfirmed,
    ArchiveRequested,
    ScheduleCancelled,
    StopRequested,
)
from app.core.events.heard import SlackEvent
from app.core.events.internal import TurnEnded
from app.core.machine import apply
from app.core.turns import takeover
from app.ports import Acceptance
from app.ports.store import Store
from tests.unit.core.live import Live
from tests.unit.core.threads import THREAD

T = TypeVar("T")

CUTS = (StopRequested, ArchiveRequested, ArchiveConfirmed, ScheduleCancelled)


class HeldThread:
    """`held` is the copy of the process that works on it; None when there is none, or it has died."""

    def __init__(self, store: Store, runner: asyncio.Runner) -> None:
        self.store, self._runner = store, runner
        self.live = Live()
        """The thread as the store has it."""
        self.held: Conversation | None = None
        self.ghosts: list[Conversation] = []
        """Copies of processes that were taken for dead."""
        self.applied: dict[str, int] = {}
        """How often each event was stepped."""
        self.trail: dict[str, AuditEvent] = {}
        self._wished: dict[str, Effect] = {}
        self._performed: set[str] = set()

    def do(self, act: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(act)

    def take_in(self, event: SlackEvent) -> None:
        taken = self.do(self.store.inbox.take_in(event))
        if taken is Acceptance.NEW:
            self.applied[event.receipt] = 0

    def holds(self) -> bool:
        """Claim it if nobody has, and close what the last holder left open, as a session does."""
        if self.held is None:
            claims = self.do(self.store.conversations.claim_some("T1", "worker", 0.0, (), 1))
            self.held = claims[0].conversation if claims else None
            if self.held and self.held.turn:
                self._read()
                if closed := takeover.close_after_crash(self.held, self.live.reply):
                    self.end_turn(closed)
        self._read()
        return self.held is not None

    def _read(self) -> None:
        """The thread as the store has it."""
        now = self.held or self.do(self.store.conversations.find(THREAD))
        assert now
        rows = self.do(self.store.conversations.transcript(now, 0))
        self.live.now, self.live.rows = now, {row.seq: row for row in rows}

    def die(self) -> None:
        assert self.held
        self.ghosts.append(self.held)
        self.held = None

    def _save(self, made: Transition) -> None:
        before = made.conversation.version
        self.held = self.do(self.store.conversations.save(made))
        assert self.held.version == before + 1
        self._wished |= {effect.id: effect for effect in made.conversation.effects}
        for index, event in enumerate(made.audit):
            self.trail[f"{self.held.id}:{self.held.version}:{index}"] = event
        self._read()

    def step_next(self) -> bool:
        """Step the oldest event that the state does not contain yet. False if there is none."""
        assert self.held
        rows = self.do(self.store.inbox.open_rows(THREAD))
        now = self.held.keep_applied([row.receipt for row in rows])
        row = next((row for row in rows if row.receipt not in now.applied), None)
        if row is None:
            return False
        now = replace(now, applied=(*now.applied, row.receipt))
        facts = self.live.facts(row.event)
        try:
            made = apply.apply(now, row.event, row.receipt, facts)
        except IllegalEvent as refusal:
            made = apply.refuse(now, row.event, refusal.code, row.receipt, facts)
        self._save(made)
        self.applied[row.receipt] += 1
        return True

    def end_turn(self, reply: Message) -> None:
        assert self.held
        assert self.held.turn
        ended = TurnEnded(turn=self.held.turn.id, reply=reply, at=self.live.ts)
        self._save(apply.apply(self.held, ended, ended.turn, self.live.facts(ended)))

    def next_effect(self) -> Effect | None:
        effects = self.held.effects if self.held else ()
        return next((effect for effect in effects if not isinstance(effect, RunTurn)), None)

    def perform(self, *, dies: bool) -> None:
        """Do the first wish; who dies over it has done it and cannot tell."""
        effect = self.next_effect()
        assert effect
        assert self.held
        row = self.live.rows.get(getattr(effect, "reply", 0) or getattr(effect, "card", 0))
        if isinstance(effect, (FinishReply, ShowCard)):
            assert row, "what is to be shown has its row"
            self.do(self.store.conversations.record_draft(self.held, replace(row, parts=(f"9.{row.seq}",))))
        if dies and not isinstance(effect, PostEphemeral):
            self.die()
            return
        self._performed.add(effect.id)
        self._save(Transition(conversation=self.held.without_effect(effect.id)))

    def come_to_rest(self) -> None:
        """Do all there is to do, answer every question to us, and let go of it."""
        if not self.holds():
            return
        while self.step_next() or self.next_effect() or (self.held and self.held.turn):
            if self.next_effect():
                self.perform(dies=False)
            elif self.held and self.held.turn:
                self.end_turn(replace(self.live.reply, text="Done.", status=MessageStatus.COMPLETE))
        assert self.held
        self.do(self.store.inbox.close_rows([row.receipt for row in self.do(self.store.inbox.open_rows(THREAD))]))
        self.do(self.store.conversations.release(self.held))
        self.held = None

    def lost(self) -> list[str]:
        """Wishes that are neither done nor to be done, though nothing has overtaken them."""
        now = self.live.now
        open_ = {effect.id for effect in now.effects} | self._performed
        retried = {row.seq for row in self.live.transcript if row.status not in (MessageStatus.COMPLETE,)}
        return [
            id_
            for id_, effect in self._wished.items()
            if id_ not in open_
            and not isinstance(effect, RunTurn)
            and not (isinstance(effect, FinishReply) and effect.reply in retried)
        ]
