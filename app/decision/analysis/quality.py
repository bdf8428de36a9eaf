"""Decision quality: seven elements that the person scores, and an overall score equal to the lowest of them.

A score judges how the decision was made, not how it will turn out. At 100, more effort on an element is not worth its
cost. While an element has no score, the overall score is undefined.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.decision.analysis.ratings import Flaw, InvalidInput

FULL: Final = 100
"""Per cent. A decision is affirmed only if all elements reach it."""
ACCEPTABLE: Final = 80


class Element(StrEnum):
    """The seven elements, in display order."""

    FRAME = "Helpful Problem Frame"
    OBJECTIVES = "Clear Objectives"
    ALTERNATIVES = "Creative Alternatives"
    INFORMATION = "Reliable Consequence Information"
    REASONING = "Logically Correct Reasoning"
    TRADEOFFS = "Clear Tradeoffs"
    COMMITMENT = "Commitment to Follow Through"


@dataclass(frozen=True, slots=True)
class Quality:
    """The scorecard. `overall` and `weakest` are undefined, not 0, while an element is missing."""

    overall: int | None
    weakest: tuple[Element, ...]
    """All elements with the lowest score."""
    missing: tuple[Element, ...]
    acceptable: bool
    affirmable: bool
    """True if no element is left to improve, so that the person may affirm the decision."""
    improvements: tuple[Element, ...]
    """The elements with a score, from the lowest to the highest."""


def judge_quality(scores: Mapping[Element, int]) -> Quality:
    """Return the scorecard of the scores given so far. Raises `InvalidInput` (OFF_SCALE)."""
    for element, score in scores.items():
        if not 0 <= score <= FULL:
            raise InvalidInput(Flaw.OFF_SCALE, element)
    scored = [element for element in Element if element in scores]
    missing = tuple(element for element in Element if element not in scores)
    overall = None if missing else min(scores.values())  # a mean would hide the weakest element
    return Quality(
        overall,
        weakest=tuple(element for element in scored if scores[element] == overall),
        missing=missing,
        acceptable=overall is not None and overall >= ACCEPTABLE,
        affirmable=overall == FULL,
        improvements=tuple(sorted(scored, key=lambda element: scores[element])),
    )
