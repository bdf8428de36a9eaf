"""Which tool uses of a round may be carried out: not too many, not behind a question, and only as they are kept.

Knows neither what a tool does nor whether it is allowed: that is the business of `app.agent.hands`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from app.agent.hands import AFTER_QUESTION, failed
from app.core.uses import Use, UseState

USES = 50
"""Tool uses of one turn (requirements part 5: as many as in a stage of talk)."""

TOO_MANY = f"Not done: one answer has at most {USES} tool uses. Answer from what you know, and say what is left to do."


NOT_KEPT = "Not done: in this answer you wrote characters that are not allowed. End it, and try again in the next one."
"""A turn that is not kept as the model wrote it could not go on after it had waited for its owner."""


class Called(Protocol):
    """What the model has called within the conversation."""

    @property
    def verbatim(self) -> bool:
        """False once an input had to be cleaned: then what the model wrote is not kept as it was."""
        ...

    @property
    def waits(self) -> bool:
        """True if the turn ends with what was called."""
        ...


def admitted(uses: Sequence[Use], said: Sequence[dict[str, Any]], called: Called, *, is_clean: bool) -> list[Use]:
    """The uses of a round; of those that nothing was done about yet, what cannot be done is done with a refusal.

    `said` is what was said in the turn before their results. If its words are not clean, they are not kept as they are.
    """
    before = _answered(said)
    return [_admitted(use, before + place, called, is_clean=is_clean) for place, use in enumerate(uses)]


def _admitted(use: Use, before: int, called: Called, *, is_clean: bool) -> Use:
    if use.state is not UseState.OPEN:
        return use
    if before >= USES:
        return failed(use, TOO_MANY)
    if called.waits:
        return failed(use, AFTER_QUESTION)
    return use if called.verbatim and is_clean else failed(use, NOT_KEPT)


def _answered(said: Sequence[dict[str, Any]]) -> int:
    """How many uses the rounds before this one had."""
    told = (message["content"] for message in said if message["role"] == "user")
    return sum(block["type"] == "tool_result" for content in told for block in content)
