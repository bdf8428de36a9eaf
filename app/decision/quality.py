"""Decision quality: seven elements that the person scores, and a whole that is as good as the weakest of them.

A score judges how the decision was made, not how it will turn out. 100 means that more effort on this element is not
worth its cost. While an element has no score the whole has none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.decision.ratings import Flaw, InvalidInput

FULL: Final = 100
"""Per cent. A decision is affirmed only if all elements have it (S0-207)."""
ACCEPTABLE: Final = 80


class Element(StrEnum):
    """The seven elements, in display order (C-18)."""

    FRAME = "Helpful Problem Frame"
    OBJECTIVES = "Clear Objectives"
    ALTERNATIVES = "Creative Alternatives"
    INFORMATION = "Reliable Consequence Information"
    REASONING = "Logically Correct Reasoning"
    TRADEOFFS = "Clear Tradeoffs"
    COMMITMENT = "Commitment to Follow Through"


class Priority(StrEnum):
    """How pressing it is to improve an element."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


LIMITS: Final = ((Priority.CRITICAL, 30), (Priority.HIGH, 50), (Priority.MEDIUM, 70), (Priority.LOW, FULL))
"""The highest score of each priority."""


@dataclass(frozen=True, slots=True)
class Improvement:
    """An element that has a score, and how pressing it is to improve it."""

    element: Element
    score: int
    priority: Priority


@dataclass(frozen=True, slots=True)
class Quality:
    """The scorecard. `overall` and `weakest` are undefined, not 0, while an element is missing."""

    overall: int | None
    weakest: tuple[Element, ...]
    """All elements with the lowest score."""
    missing: tuple[Element, ...]
    acceptable: bool
    affirmable: bool
    """True if nothing is left to improve, so that the person may affirm the decision."""
    improvements: tuple[Improvement, ...]
    """From the lowest score to the highest."""


def overall_score(scores: Collection[int]) -> int:
    """The chain is as strong as its weakest link (S0-196): the minimum, 0 for no scores, never a mean."""
    return min(scores, default=0)


def quality(scores: Mapping[Element, int]) -> Quality:
    """The scorecard of the scores given so far. Raises `InvalidInput` (OFF_SCALE)."""
    for element, score in scores.items():
        if not 0 <= score <= FULL:
            raise InvalidInput(Flaw.OFF_SCALE, element)
    scored = [element for element in Element if element in scores]
    missing = tuple(element for element in Element if element not in scores)
    overall = None if missing else overall_score(scores.values())
    improvements = (Improvement(element, scores[element], _priority(scores[element])) for element in scored)
    return Quality(
        overall,
        weakest=tuple(element for element in scored if scores[element] == overall),
        missing=missing,
        acceptable=overall is not None and overall >= ACCEPTABLE,
        affirmable=overall == FULL,
        improvements=tuple(sorted(improvements, key=lambda each: each.score)),
    )


def _priority(score: int) -> Priority:
    return next(priority for priority, limit in LIMITS if score <= limit)
