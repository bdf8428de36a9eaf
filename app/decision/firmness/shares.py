"""Shares of cases, however they were found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.decision.analysis.ratings import At


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of all cases, 0 to 1."""

    firsts: Mapping[str, float]
    """Of each alternative that may lead: cases in which it is ahead of all others."""
    level: tuple[str, ...]
    """The alternatives that lead in some case together with others."""
    turning: Mapping[At, float]
    """Of each doubtful cell of theirs: cases in which another rating of this cell alone would change who leads."""
