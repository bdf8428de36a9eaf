"""The words that the formats of a report share, so that Markdown and HTML use the same words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from app.core.copy.decision_steps import NOT_KNOWN
from app.core.state.decision import ComponentStatus
from app.core.state.sheet import Bar, Head, Mark, Rating
from app.core.text.labels import join_words
from app.decision.report.dossier import Report, ReportStep
from app.decision.schema.days import format_day
from app.decision.schema.terms import format_signed, load_terms

UNKNOWN = "·"
NOTHING = "Nothing in it."
FIRST_PAGE = "At a glance"
OUTDATED = "Changed since:"
NOT_APPROVED = "Nothing is approved in this step yet."

MARKS: Mapping[Mark, str] = {
    Mark.CHECK: "please check",
    Mark.SUGGESTED: "suggested by Threadwise",
    Mark.BASELINE: "baseline",
    Mark.GAP: "incomplete",
    Mark.SET_ASIDE: "set aside",
    Mark.STANDS_OUT: "stands out",
}

STATUSES: Mapping[ComponentStatus, str] = {
    ComponentStatus.NOT_STARTED: "Not started",
    ComponentStatus.IN_PROGRESS: "In progress",
    ComponentStatus.COMPLETE: "Complete",
    ComponentStatus.NEEDS_REVISION: "Needs another look",
}

DIFFERENCES: Mapping[int, str] = {int(step): line for step, line in load_terms()["scale"].items()}
"""Meaning of a rating, against the baseline."""

_UNPRINTABLE = re.compile(r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")


def clean_text(text: str) -> str:
    """Replace characters that XML 1.0 does not allow, because SVG in HTML is read by its rules."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def format_rating(rating: Rating) -> str:
    """Return a rating as tables show it: *+1*, *+1?* in doubt, *·* if nobody rated it, or *not known*."""
    if rating.unknown:
        return NOT_KNOWN
    value = UNKNOWN if rating.value is None else format_signed(rating.value)
    return f"{value}?" if rating.doubtful else value


def describe_rating(rating: Rating) -> str:
    """Return a rating in words, with its sign."""
    if rating.unknown:
        return NOT_KNOWN
    said = "not rated" if rating.value is None else f"{format_signed(rating.value)}, {DIFFERENCES[rating.value]}"
    return f"{said}, in doubt" if rating.doubtful else said


def format_head(head: Head) -> str:
    """Return the handle and name of a row or a column."""
    return f"{head.handle} {head.name}"


def format_score(bar: Bar) -> str:
    """Return the score of a bar; mark the weakest."""
    score = "missing" if bar.score is None else f"{bar.score} %"
    return f"{score}, weakest" if bar.weakest else score


def format_moment(iso: str, zone: str) -> str:
    """Return an ISO time in a zone that people call so: *2 March 2026, 14:02 (New York)*; without a name in UTC."""
    return f"{format_day(iso)}, {datetime.fromisoformat(iso):%H:%M} {f'({zone})' if zone else 'UTC'}"


def list_cover(report: Report) -> tuple[tuple[str, str], ...]:
    """Return the key facts as labels and values."""
    stale = sum(step.needs_another_look for step in report.steps)
    approved = sum(step.version > 0 and not step.needs_another_look for step in report.steps)
    looks = f", {stale} to look at again" if stale else ""
    return (
        ("Owner", report.owner),
        ("Decide by", format_day(report.deadline) if report.deadline else "No date set"),
        ("Approved", f"{approved} of {len(report.steps)} steps{looks}"),
        ("As of", format_moment(report.made_at, report.zone)),
        ("State", _describe_state(report, is_whole=approved == len(report.steps))),
        *((("Asked at first", report.typed),) if report.typed not in ("", report.question) else ()),
    )


def _describe_state(report: Report, *, is_whole: bool) -> str:
    """Return if the decision goes on, in the words of its hub once every step is approved."""
    if report.closed:
        return "Closed"
    if report.example:
        return "An example to look at and to try things on"
    return "Open: every step is in the record, and nobody has closed the decision" if is_whole else "Open"


def describe_version(step: ReportStep) -> str:
    """Describe the version of a step: its number, approver, time and base; empty if there is none."""
    if not step.version:
        return ""
    by = f"by {step.approved_by} " if step.approved_by else ""
    approval = f"approved {by}on {format_day(step.approved_at)}"
    basis = (f"based on {join_words(step.based_on)}",) if step.based_on else ()
    return " · ".join((f"Version {step.version}", approval, *basis))
