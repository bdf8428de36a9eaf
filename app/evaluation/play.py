"""A play that is over: what was said in each step, by whom, and what was stored. Plain values for scoring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any

from app.core.conversation.usage import Usage
from app.evaluation.person import Person


class Speaker(StrEnum):
    """Author of a line."""

    PERSON = "person"
    OPENING = "opening"
    """The app's own first words in a step, which no model wrote."""
    FACILITATOR = "facilitator"
    """A reply of the model in the talk."""
    CARD = "card"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One message, or one press of a button."""

    speaker: Speaker
    text: str
    ts: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Requests, tokens and cost of the model."""

    requests: int = 0
    usage: Usage = field(default_factory=Usage)
    dollars: float = 0.0
    unpriced: int = 0
    """Replies without a known price."""

    def __add__(self, other: Spent) -> Spent:
        """Return the sum of both."""
        return Spent(
            requests=self.requests + other.requests,
            usage=self.usage + other.usage,
            dollars=self.dollars + other.dollars,
            unpriced=self.unpriced + other.unpriced,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedStep:
    """One step of a decision that was played."""

    key: str
    title: str
    lines: tuple[Line, ...]
    stored: Mapping[str, Any]
    """The approved result by handle, or the draft so far."""
    computed: frozenset[float] = frozenset()
    """Numbers that the server has computed for this step."""
    flagged: tuple[str, ...] = ()
    """Contradictions that the model noted, in its words."""
    approved: bool
    spent: Spent = field(default_factory=Spent)
    seconds: float = 0.0
    stuck: str = ""
    """Reason why it was not approved; empty if it was."""

    def says(self, speaker: Speaker) -> Iterable[Line]:
        """Return the lines of this speaker."""
        return (line for line in self.lines if line.speaker is speaker)


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """What one person and the app made of one decision. `steps` are those that began, in order."""

    person: Person
    today: date
    steps: tuple[PlayedStep, ...]

    @property
    def spent(self) -> Spent:
        """Return what all steps cost together."""
        return sum((each.spent for each in self.steps), Spent())

    @property
    def approved(self) -> int:
        """Return the number of approved steps."""
        return sum(each.approved for each in self.steps)

    def list_said(self, step: PlayedStep) -> tuple[str, ...]:
        """Return all that the person said up to this step and in it, with the question of the decision."""
        until = self.steps[: self.steps.index(step) + 1]
        return (self.person.question, *(line.text for each in until for line in each.says(Speaker.PERSON)))

    def before(self, step: PlayedStep) -> tuple[PlayedStep, ...]:
        """Return the approved steps before this one."""
        return tuple(each for each in self.steps[: self.steps.index(step)] if each.approved)
