"""What the thread of a decision remembers: its steps, how each stands (T10), and where each is led.

The order of the steps and what builds on what come with the decision when it begins: no playbook is known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from app.core.states import ComponentStatus
from app.core.thread import ThreadKey


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionStep:
    """One component of a decision."""

    key: str
    title: str
    after: str = ""
    """The step that has to be started before; empty if none."""
    concerns: tuple[str, ...] = ()
    """The steps that are to be looked at again when this one changes."""
    closes: bool = False
    """True if the decision can be closed when this step is complete."""
    status: ComponentStatus = ComponentStatus.NOT_STARTED
    thread: ThreadKey | None = None
    version: int = 0
    """The newest approved version; 0 if there is none."""
    based_on: Mapping[str, int] = field(default_factory=dict[str, int])
    """Which version of each earlier step that version was made with."""
    handles: Mapping[str, int] = field(default_factory=dict[str, int])
    """The highest number that was given with each letter: none is given twice, though the step is begun anew."""
    erased: int = 0
    """How often its thread was erased."""
    waits: bool = False
    """True while a draft waits for the owner's OK."""
    gist: str = ""
    """What was found in it, in a few words."""
    deadline: str = ""
    """ISO date by which the decision is due, as that version has it; empty if it tells none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A group of steps with one owner (design, vocabulary)."""

    question: str
    steps: tuple[DecisionStep, ...]
    deadline: str = ""
    """ISO date, as the problem frame has it."""
    closed: bool = False
    example: bool = False
    """True if it was opened to look at, and is nobody's own."""

    def step(self, key: str) -> DecisionStep | None:
        """The step with this key."""
        return next((each for each in self.steps if each.key == key), None)

    def having(self, step: DecisionStep) -> Decision:
        """The same decision with this step in place of the one of its key."""
        return replace(self, steps=tuple(step if each.key == step.key else each for each in self.steps))


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """An approved result of a step: nothing changes it any more. `data` is a record, with ids (C-17)."""

    decision: ThreadKey
    component: str
    number: int
    """Counted from 1 in its step."""
    data: Mapping[str, Any]
    extracted_at: str
    """ISO, UTC (S0-040)."""
    approved_at: str
    """ISO, UTC."""
    approved_by: str
    """Slack's user id."""
    prompt_version: str
    schema_version: str
    model: str = ""
    """Which model wrote it; empty if people did."""
    based_on: Mapping[str, int] = field(default_factory=dict[str, int])
    """Which version of each earlier component it was made with."""
