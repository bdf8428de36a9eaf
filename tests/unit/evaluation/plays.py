"""Plays written by hand, as short as a rule needs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from app.evaluation.person import Contradiction, Person, Refusal
from app.evaluation.play import Line, Play, PlayedStep, Speaker
from app.evaluation.scoring import Rule, Score, score_play

TODAY = date(2026, 11, 22)  # a Sunday
MODEL, PERSON, CARD = Speaker.FACILITATOR, Speaker.PERSON, Speaker.CARD


def person(**more: Any) -> Person:
    """A person who weighs a lease against a purchase."""
    known: dict[str, Any] = {
        "key": "kim",
        "name": "A van",
        "kind": "money against time",
        "question": "How should we deliver from May on?",
        "ratings": {"lease": {"cost": 1, "noise": 2}},
        "scores": {"frame": 80},
        "refused": (Refusal(step="problem_frame", path="focal_decision.deadline", words="I won't guess the date."),),
        "contradictions": (
            Contradiction(step="problem_frame", second="It costs 900", named=(("700", "seven hundred"), ("900",))),
        ),
    }
    return Person.model_validate({**known, **more})


def step(key: str, *lines: tuple[Speaker, str], stored: Mapping[str, Any] | None = None, **more: Any) -> PlayedStep:
    """A step with these lines and this result."""
    said = tuple(Line(speaker=speaker, text=text) for speaker, text in lines)
    return replace(PlayedStep(key=key, title=key, lines=said, stored=stored or {}, approved=True), **more)


def play(*steps: PlayedStep, **more: Any) -> Play:
    """A play of these steps by that person."""
    return Play(person=person(**more), today=TODAY, steps=steps)


def score(rule: Rule, *steps: PlayedStep, **more: Any) -> Score:
    """What a rule finds in a play of these steps."""
    return next(each for each in score_play(play(*steps, **more)) if each.rule is rule)


def holds(rule: Rule, *steps: PlayedStep, **more: Any) -> bool:
    """True if the rule had something to look at, and nothing breaks it."""
    found = score(rule, *steps, **more)
    return found.tried > 0 and not found.breaks


def breaks(rule: Rule, *steps: PlayedStep, **more: Any) -> bool:
    """True if exactly one place breaks the rule."""
    return len(score(rule, *steps, **more).breaks) == 1


OPTIONS = {
    "alternatives": [
        {"handle": "A1", "name": "Courier as today", "description": "It goes on", "is_status_quo": True},
        {"handle": "A2", "name": "Lease a van", "description": "An electric one"},
    ],
    "status_quo_id": "A1",
}
GOALS = {
    "fundamental_objectives": [
        {"handle": "O1", "description": "Low cost"},
        {"handle": "O2", "description": "Little noise"},
    ]
}
