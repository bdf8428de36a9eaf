"""Notices between the thread of a decision and those of its steps (effect `SendNotice`, event `NoticeReceived`).

Each goes through the receiver's inbox, so it is applied once and in order, even if a process dies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from app.core.thread import ThreadKey


class StepEvent(StrEnum):
    """Change of a step, as reported to its decision."""

    STARTED = "started"
    WAITS = "waits"
    """A draft waits for the owner's OK."""
    WAITS_NO_MORE = "waits_no_more"
    SHOWN = "shown"
    """A card that its owner has to look at stands in its thread."""
    APPROVED = "approved"
    REOPENED = "reopened"
    CLOSED = "closed"
    """Closed with its last approved version."""
    ERASED = "erased"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepMove:
    """Notice to the decision of a change in one of its steps."""

    component: str
    thread: ThreadKey
    on: StepEvent
    version: int = 0
    based_on: Mapping[str, int] = field(default_factory=dict[str, int])
    gist: str = ""
    handles: Mapping[str, int] = field(default_factory=dict[str, int])
    """The highest number that its draft has given with each letter, sent once it is approved or erased."""
    deadline: str = ""
    """ISO date by which the decision is due, if this step knows it."""
    question: str = ""
    """The question that the decision is to answer, if this step words it."""
    owner: str = ""
    """The owner when the step begins; empty later on."""
    lacks: bool = False
    """True if the draft that waits cannot be approved yet, because something is missing."""
    card: int = 0
    """`seq` of the card that is shown; 0 if this tells of none."""
    ts: str = ""
    """Slack's ts of that card, which is known once it was posted."""
    news: Literal["step_move"] = "step_move"


@dataclass(frozen=True, slots=True, kw_only=True)
class UpstreamChange:
    """Notice to a step that an earlier step it builds on has a newer version."""

    component: str
    title: str
    version: int
    """0 if the earlier step was erased: its versions are then counted anew."""
    quiet: bool = False
    """True if a finished step only records it, because another one is to be looked at first."""
    later: tuple[str, ...] = ()
    """Titles of the finished steps that need another look after this one."""
    causes: tuple[str, ...] = ()
    """All newer results that the step builds on, such as *Objectives v2*, in the order of the steps."""
    news: Literal["upstream_change"] = "upstream_change"


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStepMove:
    """Notice to a step that the one after it has begun, or that its thread was erased."""

    component: str
    """The step after it."""
    thread: ThreadKey | None
    news: Literal["next_step_move"] = "next_step_move"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerChange:
    """Notice to a step that its decision has a new owner."""

    owner: str
    news: Literal["owner_change"] = "owner_change"


@dataclass(frozen=True, slots=True, kw_only=True)
class NameChange:
    """Notice to a step that its decision is called by another question."""

    name: str
    news: Literal["name_change"] = "name_change"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionErased:
    """Notice to a step that its decision was erased, and that the step is erased with it."""

    news: Literal["decision_erased"] = "decision_erased"


News = Annotated[
    StepMove | UpstreamChange | NextStepMove | OwnerChange | NameChange | DecisionErased, Field(discriminator="news")
]
