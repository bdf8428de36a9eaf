"""Rules for the frame: one open question, in one tier, with an owner who may decide it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final

from app.decision.comparing import plain
from app.decision.findings import Finding, Issue, Remark
from app.decision.paths import Draft, places, value, values
from app.decision.so_far import SoFar

TIERS: Final = ("already_made[]", "focal", "deferred[]")
CLOSED: Final = ("should", "shall", "do", "does", "is", "are", "can", "could", "will", "would", "may", "must")
"""First words of a question with only two answers, unless it says "or"."""


def one_tier_each(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Require each decision to be in one tier: made, in focus or deferred."""
    seen: dict[str, str] = {}
    for tier in TIERS:
        for place in places(draft, f"decision_hierarchy.{tier}.statement"):
            text = plain(place.value)
            if seen.setdefault(text, tier) != tier:
                yield Issue(place.name, "a decision that stands in no other tier", "stands in two tiers", place.value)


def one_decision_maker(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Ask about two deciders, unless they decide together."""
    deciders = [each["name"] for each in values(draft, "parties[]") if each["role"] == "decision_maker"]
    if len(deciders) > 1 and value(draft, "decision_maker.authority") != "joint":
        yield Remark(f"{' and '.join(deciders)} are both named as the one who decides. Who is it?", blocking=True)


def open_question(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Ask about a statement that allows only yes or no, because it contains its solution."""
    statement = value(draft, "focal_decision.statement") or ""
    begun = plain(statement).partition(" ")[0]
    if statement and not statement.rstrip().endswith("?"):
        yield Remark("The decision is not put as a question yet. Which question would settle it?")
    elif begun in CLOSED and " or " not in plain(statement):
        yield Remark("The question allows only yes or no. What would that give you, and how else could you get it?")


def decider(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Ask for the rule of a group, and for the decider if the person only advises."""
    authority = value(draft, "decision_maker.authority")
    if authority == "joint" and not value(draft, "decision_maker.decision_rule"):
        yield Remark("A group decides: by consensus, by vote, or does the chair decide?")
    if authority == "recommends":
        yield Remark("This person recommends. Who decides, and how will they be involved?")


def deadline(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Ask about a deadline in the past."""
    given = value(draft, "focal_decision.deadline")
    if given and date.fromisoformat(given) < so_far.today:
        yield Remark(f"The deadline {given} is over. By when does it have to be decided?", blocking=True)
