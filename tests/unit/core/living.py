"""A thread that lives through an arbitrary history, and what holds of every thread after every event."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from app.core.conversation.conversation import Conversation, Transition, read_turn_state
from app.core.conversation.effect import Erase, RunTurn
from app.core.errors import IllegalEvent
from app.core.events.heard import Event
from app.core.machine import apply
from app.core.machine.invariants import find_broken
from tests.machine_docs import moves_in, replay_run
from tests.unit.core.live import Live

L = TypeVar("L", bound=Live)


class LivingThread(RuleBasedStateMachine, Generic[L]):
    """`before` is the state before the last event. What is asked for is done when it is its turn, or never."""

    lasting: ClassVar[tuple[type[Any], ...]] = (RunTurn, Erase)
    """What takes its time, and what is the last thing that is ever done."""

    def __init__(self, live: L) -> None:
        super().__init__()
        self.live = live
        self.before: Conversation = live.now
        self._count = 0

    @property
    def now(self) -> Conversation:
        return self.live.now

    @property
    def made(self) -> Transition:
        """What the last event made of it."""
        return self.live.made

    def words(self) -> str:
        """Words that stand in no other message."""
        self._count += 1
        return f"word-{self._count}-"

    def happens(self, event: Event, cause: str = "", **found: Any) -> bool:
        """Step an event, caused by its receipt if nothing else is said, and save. False if it was refused."""
        self.before, cause = self.now, cause or getattr(event, "receipt", "")
        try:
            self.live.apply(event, cause, **found)
        except IllegalEvent as refusal:
            self.live.save(apply.refuse(self.now, event, refusal.code, cause, self.live.facts(event)))
            return False
        return True

    @precondition(lambda self: any(not isinstance(effect, self.lasting) for effect in self.now.effects))
    @rule()
    def perform(self) -> None:
        """Do the first effect that does not take its time."""
        effect = next(effect for effect in self.now.effects if not isinstance(effect, self.lasting))
        self.before = self.now
        self.live.save(Transition(conversation=self.now.without_effect(effect.id)))

    @invariant()
    def nothing_is_broken(self) -> None:
        assert find_broken(self.now) == ()

    @invariant()
    def the_docs_show_each_move_of_the_run(self) -> None:
        assert moves_in(self.made) <= replay_run()[0]
        assert self.made.conversation.run is read_turn_state(self.made.conversation.turn)

    @invariant()
    def the_head_counts_rows_without_gaps(self) -> None:
        assert sorted(self.live.rows) == list(range(1, self.now.head + 1))

    @invariant()
    def effects_have_ids_of_their_own(self) -> None:
        ids = [effect.id for effect in self.now.effects]
        assert len(ids) == len(set(ids))
