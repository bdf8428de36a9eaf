"""Findings of a check: issues, which the model has to correct, and remarks, which people are told.

A remark that blocks is an inconsistency. While it is open, no extraction starts by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
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
    waits: bool = False
    """True if the value is demanded beside another one and may be unsaid: approval waits for it, and nothing else."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A question or a note on data that is accepted."""

    text: str
    blocking: bool = False
    about: Sequence[Sequence[object]] = field(default=((),), compare=False)
    """The things that it asks about, each with its values: handles, ratings, amounts, days."""
    rule: str = field(default="", compare=False)
    """The rule that asks; empty if it tells what the server did to the data."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Return digests of its rule and what it asks about, which no other wording changes.

        Empty if it is said each time: a contradiction that blocks, and what the server did.
        """
        if self.blocking or not self.rule:
            return ()
        return tuple(sha256(repr((self.rule, *map(str, each))).encode()).hexdigest()[:16] for each in self.about)


Finding: TypeAlias = Issue | Remark


def select_issues(findings: tuple[Finding, ...]) -> tuple[Issue, ...]:
    """Return the findings that the model has to correct."""
    return tuple(each for each in findings if isinstance(each, Issue))


def select_remarks(findings: tuple[Finding, ...]) -> tuple[Remark, ...]:
    """Return the findings that people are told."""
    return tuple(each for each in findings if isinstance(each, Remark))
