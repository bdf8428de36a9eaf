"""Selection of the tool uses of a round that may run: not too many, none after a question, none that is not kept.

What a tool does, and whether it is permitted, is known to `app.agent.hands`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.agent.hands import AFTER_QUESTION, fail
from app.agent.tools.box import Toolset
from app.core.uses import Use, UseState

USES = 50
"""Tool uses of one turn, as in an interview: more would keep the owner waiting, and cost, without end."""

TOO_MANY = f"Not done: one answer has at most {USES} tool uses. Answer from what you know, and say what is left to do."

NOT_KEPT = "Not done: in this answer you wrote characters that are not allowed. End it, and try again in the next one."
"""A turn whose words are not kept as the model wrote them cannot go on after it has waited for its owner."""


def select_runnable(
    uses: Sequence[Use], said: Sequence[dict[str, Any]], tools: Toolset[Any], *, is_clean: bool
) -> list[Use]:
    """Return the uses of a round, those that may not run with a refusal. A use that was begun stays as it is.

    `said` holds the API's messages of the turn before the results. `is_clean` tells whether its text is kept as it is.
    """
    before = _count_uses(said)
    return [_admit(use, before + place, tools, is_clean=is_clean) for place, use in enumerate(uses)]


def _admit(use: Use, before: int, tools: Toolset[Any], *, is_clean: bool) -> Use:
    if use.state is not UseState.OPEN:
        return use
    if before >= USES:
        return fail(use, TOO_MANY)
    if tools.waits:
        return fail(use, AFTER_QUESTION)
    return use if tools.verbatim and is_clean else fail(use, NOT_KEPT)


def _count_uses(said: Sequence[dict[str, Any]]) -> int:
    """Return how many uses the rounds before this one had."""
    contents = (message["content"] for message in said if message["role"] == "user")
    return sum(block["type"] == "tool_result" for content in contents for block in content)
