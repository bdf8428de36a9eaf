"""Findings of a check: issues, which the model has to correct, and remarks, which people are told.

A remark that blocks is an inconsistency. While it is open, no extraction starts by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias


class IssueKind(StrEnum):
    """Kinds of errors in a field, in the words of the feedback."""

    INVALID = "invalid"
    MISSING = "missing"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Issue:
    """Reason why data is refused. It tells of one field and never of the schema."""

    field: str
    requirement: str
    """The condition that the field has to meet."""
    problem: str = ""
    provided: Any = None
    kind: IssueKind = IssueKind.INVALID


@dataclass(frozen=True, slots=True)
class Remark:
    """A question or a note on data that is accepted."""

    text: str
    blocking: bool = False


Finding: TypeAlias = Issue | Remark


def select_issues(findings: tuple[Finding, ...]) -> tuple[Issue, ...]:
    """Return the findings that the model has to correct."""
    return tuple(each for each in findings if isinstance(each, Issue))


def select_remarks(findings: tuple[Finding, ...]) -> tuple[Remark, ...]:
    """Return the findings that people are told."""
    return tuple(each for each in findings if isinstance(each, Remark))
