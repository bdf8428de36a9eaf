"""Looks at the budgets before each request of an answer but the first, which was allowed when the answer began."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

from app.agent.claude.prices import compute_cost
from app.core.conversation.usage import Usage
from app.core.errors import OutOfBudget
from app.core.turns.rate_limits import Refusal
from app.ports import Counted, Model, ModelReply, ModelRequest, TextDelta

Look = Callable[[Usage, str], Awaitable[Refusal | None]]
"""Count what an answer has used and cost so far; None if it may go on."""


class Metered:
    """Implements `app.ports.Model` for one answer, over another one."""

    def __init__(self, model: Model, spent: Usage, look: Look, *, is_allowed: bool) -> None:
        """`spent` is what the answer has used before; `is_allowed`: its next request needs no look."""
        self._model, self._spent, self._look, self._is_allowed = model, spent, look, is_allowed

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Counted | ModelReply, None]:
        """See `Model.stream`. Raises `OutOfBudget` where nothing was asked any more."""
        if not self._is_allowed and (
            refusal := await self._look(self._spent, compute_cost(request.model, self._spent))
        ):
            raise OutOfBudget(refusal.seconds)
        self._is_allowed = False
        before = self._spent
        async with aclosing(self._model.stream(request)) as events:
            async for event in events:
                if isinstance(event, Counted | ModelReply):
                    self._spent = before + event.usage
                yield event
