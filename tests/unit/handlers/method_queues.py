"""Budgets of queues, and what somebody makes of them who makes each call as early as allowed."""

from __future__ import annotations

from handlers.slack.budget import TIERS, Budget, Trust

UPDATES, POSTS = TIERS["chat.update"], TIERS["chat.postMessage"]
WINDOW = UPDATES.window
NOW = 1_772_323_200.0
"""A time of day, as large as they are: what is left of a second's digits matters."""

PROVEN = Budget(tier=UPDATES, trust=Trust(proven=UPDATES.calls))
"""Slack has taken a full tier before."""


def later(budget: Budget, now: float) -> Budget:
    """The same budget as it is read at that time."""
    return Budget.of(budget.tier, budget.entry(1), now)


def over(budget: Budget, seconds: float, *, preview: bool, start: float = NOW) -> tuple[list[float], Budget]:
    """When calls are made by somebody who makes each as early as allowed for so long; and what is left then."""
    now, made = start, list[float]()
    while True:
        budget = later(budget, now)
        wait = budget.wait(now, preview=preview)
        now += wait + 1e-6 if wait else 0
        if now - start >= seconds:
            return made, budget
        if not wait:
            budget = budget.spend(now, preview=preview)
            made.append(now - start)


def within(made: list[float], seconds: float) -> int:
    """The most calls in any so many seconds."""
    return max((sum(at <= each < at + seconds for each in made) for at in made), default=0)
