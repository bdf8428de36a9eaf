"""Check of the budgets before each request of a reply except the first, which its start has allowed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

from app.agent.claude.prices import compute_cost
from app.core.conversation.usage import Usage
from app.core.errors import OutOfBudget
from app.core.turns.rate_limits import Refusal
from app.ports import Counted, Model, ModelEvent, ModelReply, ModelRequest

Look = Callable[[Usage, str, int], Awaitable[Refusal | None]]
"""Counts the usage and cost of a reply so far; returns None if it may continue beside so many of its own requests."""


class Metered:
    """A `Model` for one reply that checks the budgets and delegates to another model.

    Near the end of a budget, requests that would be made beside each other are made one after another.
    """

    def __init__(self, model: Model, spent: Usage, look: Look, *, is_allowed: bool) -> None:
        """Start with `spent`, the usage before. `is_allowed` exempts the next request from the check."""
        self._model, self._spent, self._look, self._is_allowed = model, spent, look, is_allowed
        self._under_way, self._admission, self._ended = 0, asyncio.Lock(), asyncio.Event()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Stream as `Model.stream` does. Raises `OutOfBudget` before the request if the budget is used up."""
        async with self._admission:
            await self._admit(request)
            self._under_way += 1
        counted = Usage()
        try:
            async with aclosing(self._model.stream(request)) as events:
                async for event in events:
                    if isinstance(event, Counted | ModelReply):
                        self._spent += event.usage - counted  # several requests may be under way
                        counted = event.usage
                    yield event
        finally:
            self._under_way -= 1
            self._ended.set()

    async def _admit(self, request: ModelRequest) -> None:
        """Wait until the request may be made; only what the others under way may cost is waited for."""
        while not self._is_allowed:
            self._ended.clear()
            beside = self._under_way
            refusal = await self._look(self._spent, compute_cost(request.model, self._spent), beside)
            if refusal is None:
                return
            if not beside:
                raise OutOfBudget(refusal.seconds)
            await self._ended.wait()
        self._is_allowed = False
