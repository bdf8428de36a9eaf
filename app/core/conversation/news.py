"""What the thread of a decision and those of its steps tell each other (effect `Tell`, event `NewsHeard`).

Each is told through the other's inbox, so it is heard once, in its turn, whatever process dies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from app.core.thread import ThreadKey


class StepOn(StrEnum):
    """What a step tells its decision."""

    STARTED = "started"
    WAITS = "waits"
    """A draft waits for the owner's OK."""
    WAITS_NO_MORE = "waits_no_more"
    APPROVED = "approved"
    REOPENED = "reopened"
    CLOSED = "closed"
    """Left as it was approved (C-03)."""
    ERASED = "erased"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepMove:
    """To the decision: how one of its steps goes on."""

    component: str
    thread: ThreadKey
    on: StepOn
    version: int = 0
    based_on: Mapping[str, int] = field(default_factory=dict[str, int])
    gist: str = ""
    handles: Mapping[str, int] = field(default_factory=dict[str, int])
    """The highest number that its draft gives with each letter, once it is approved or erased."""
    deadline: str = ""
    """ISO date by which the decision is due, if this step knows it."""
    owner: str = ""
    """Whose step it is as it begins; empty later on."""
    news: Literal["step_move"] = "step_move"


@dataclass(frozen=True, slots=True, kw_only=True)
class UpstreamChange:
    """To a step: one that it builds on has a newer version."""

    component: str
    title: str
    version: int
    """0 if it was erased: its versions are counted anew."""
    news: Literal["upstream_change"] = "upstream_change"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerChange:
    """To a step: the decision has been handed over (C-20)."""

    owner: str
    news: Literal["owner_change"] = "owner_change"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionErased:
    """To a step: the decision is forgotten, and the step with it."""

    news: Literal["decision_erased"] = "decision_erased"


News = Annotated[StepMove | UpstreamChange | OwnerChange | DecisionErased, Field(discriminator="news")]
