"""What a check of data finds: an issue, which the model has to correct, or a remark, which people are told.

A remark that blocks is an inconsistency: as long as it is open no extraction begins by itself (C-06).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias


class IssueKind(StrEnum):
    """What is wrong with a field, in the words of the feedback (S4-030)."""

    INVALID = "invalid"
    MISSING = "missing"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Issue:
    """Why data is refused. It tells of one field and never of the schema (S4-036)."""

    field: str
    requirement: str
    """What this field has to be."""
    problem: str = ""
    provided: Any = None
    kind: IssueKind = IssueKind.INVALID


@dataclass(frozen=True, slots=True)
class Remark:
    """A question or a note on data that is accepted."""

    text: str
    blocking: bool = False


Finding: TypeAlias = Issue | Remark


def issues(findings: tuple[Finding, ...]) -> tuple[Issue, ...]:
    """Those that the model has to correct."""
    return tuple(each for each in findings if isinstance(each, Issue))


def remarks(findings: tuple[Finding, ...]) -> tuple[Remark, ...]:
    """Those that people are told."""
    return tuple(each for each in findings if isinstance(each, Remark))
