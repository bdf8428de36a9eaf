"""The limits of the turn of a held conversation: whether it may begin and go on, and what it has used."""

from __future__ import annotations

from app.agent.claude.prices import compute_cost
from app.agent.metered import Metered
from app.agent.prompt import find_reply
from app.core.conversation.call import SetSchedule
from app.core.conversation.conversation import Message
from app.core.conversation.usage import Usage
from app.core.pending import scheduling
from app.core.turns.rate_limits import Creation, Refusal, build_amount
from app.ports import Model
from app.runtime.lease import HeldConversation
from app.runtime.limits import Limits


class TurnLimits:
    """Counter of the current turn of a held conversation. Each part of a turn is counted once, also after a crash."""

    def __init__(self, hold: HeldConversation, limits: Limits, model: Model) -> None:
        self._hold, self._limits, self._model = hold, limits, model

    async def begin(self) -> Refusal | None:
        """Count the turn among the answers in progress. Return why it may not start; None if it may.

        An answer counts once, however often it has waited for a person.
        """
        now = self._hold.conversation
        begin = self._limits.resume_answer if now.turn and now.turn.resumed else self._limits.begin_answer
        return await begin(now.thread.team, now.owner, self._token)

    def meter(self, rows: tuple[Message, ...]) -> Model:
        """Return the model with a check of the budgets before each request except an answer's first."""
        turn = self._hold.conversation.turn
        assert turn is not None, "a turn is saved before it is run"
        spent = find_reply(rows, turn.reply).usage - turn.settled
        is_allowed = not turn.resumed and not turn.rounds
        return Metered(self._model, spent, self._may_go_on, is_allowed=is_allowed)

    async def find_schedule_wait(self) -> int:
        """Return the seconds until the owner may schedule work again; 0 if they may now."""
        thread, owner = self._hold.conversation.thread, self._hold.conversation.owner
        return await self._hold.outlast(lambda: self._limits.pause(thread.team, owner, Creation.SCHEDULE))

    async def settle(self, reply: Message, at: str) -> None:
        """Release the turn's place and count its cost, once, however often this is called."""
        now = self._hold.conversation
        spent = reply.usage - (now.turn.settled if now.turn else Usage())
        price = compute_cost(reply.model, spent) if reply.cost else ""
        await self._limits.end_answer(now.thread.team, now.owner, self._token, spent, price)
        for plan in reply.calls if not scheduling.is_running(now) else ():
            if isinstance(plan, SetSchedule):
                await self._limits.create(now.thread.team, now.owner, float(plan.at or at), {Creation.SCHEDULE: 1})

    async def _may_go_on(self, usage: Usage, price: str, beside: int) -> Refusal | None:
        """Count the answer's usage so far. Return why it may not go on beside its other requests; None if it may."""
        now = self._hold.conversation
        spent = build_amount(usage, price)
        return await self._hold.outlast(
            lambda: self._limits.go_on(now.thread.team, now.owner, self._token, spent, beside)
        )

    @property
    def _token(self) -> str:
        """Return the name of this part of the turn, which is the same after a crash."""
        now, turn = self._hold.conversation, self._hold.conversation.turn
        stretch = f":{turn.resumed}" if turn and turn.resumed else ""
        return f"{now.id}:{turn.id if turn else ''}{stretch}"
