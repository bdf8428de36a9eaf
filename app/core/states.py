"""The states of a conversation, one enum for each dimension (requirements §3.1). Stored apart, validated together."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What a thread is for."""

    FREE = "free"
    COMPONENT = "component"
    """One of the steps of a decision."""
    DECISION = "decision"
    """The decision as a whole: its first message is the hub that leads to the steps."""


class Status(StrEnum):
    """Who has the next move (T1)."""

    ACTIVE = "active"
    BACKGROUND = "background"
    WAITING_INPUT = "waiting_input"
    ARCHIVED = "archived"


class Lifecycle(StrEnum):
    """How far a thread is (T2). Free threads stay in progress."""

    INITIALIZING = "initializing"
    READY = "ready"
    IN_PROGRESS = "in_progress"
    CONFIRMED = "confirmed"
    """A valid extraction waits for a person's OK; nothing is in the record yet (C-02)."""
    COMPLETE = "complete"


class Phase(StrEnum):
    """Where the interview of a component is (T3)."""

    INTRO = "intro"
    GATHER = "gather"
    CLARIFY = "clarify"
    EXTRACT = "extract"
    CONFIRM = "confirm"


class Stage(StrEnum):
    """Where one extraction is (T4)."""

    NONE = "none"
    DISCUSS = "discuss"
    SUMMARIZE = "summarize"
    SERIALIZE = "serialize"


class GoalPhase(StrEnum):
    """Where a free thread is with its goal (T5)."""

    GREETING = "greeting"
    UNDERSTANDING = "understanding"
    PLANNING = "planning"
    EXECUTING = "executing"
    REVIEWING = "reviewing"
    COMPLETED = "completed"
    IDLE = "idle"


class GoalStatus(StrEnum):
    """How a goal ended, or that it has not (T9)."""

    ACTIVE = "active"
    COMPLETED = "completed"
    ABANDONED = "abandoned"


class InfoStatus(StrEnum):
    """Whether a piece of required information is there (T9)."""

    UNKNOWN = "unknown"
    ASKED = "asked"
    PROVIDED = "provided"


class Run(StrEnum):
    """Whether a turn is under way (T7). While it uses tools it streams: nobody outside can tell them apart."""

    IDLE = "idle"
    STREAMING = "streaming"
    AWAITING = "awaiting_permission"
    """The turn has come to something that its owner is asked about: nothing runs, and nobody holds it."""


class QuestionState(StrEnum):
    """What became of a question (T6)."""

    OPEN = "open"
    ANSWERED = "answered"
    SUPERSEDED = "superseded"
    CANCELLED = "cancelled"


class ComponentStatus(StrEnum):
    """How a component stands in its decision (T10)."""

    NOT_STARTED = "not_started"
    IN_PROGRESS = "in_progress"
    COMPLETE = "complete"
    NEEDS_REVISION = "needs_revision"
