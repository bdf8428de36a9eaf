"""What the worker itself finds out while it works on a conversation. None of it is ever in the inbox."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.core.conversation.conversation import Message
from app.core.state.interview import Stage
from app.core.state.tool_use import Use


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded:
    """A turn is over, well or badly; `reply` is its row, closed, with what the model called for."""

    turn: str
    reply: Message
    at: str
    """When it ended, as Slack's ts."""
    cards: tuple[Message, ...] = ()
    """Filled in by the worker: the rows of the cards that still change."""
    ready: bool = False
    """Filled in by the worker, of a step: the draft is enough for an extraction to begin by itself (C-09)."""
    kind: Literal["turn_ended"] = "turn_ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsesReported:
    """How far the tool uses of the open round are, before one of them is begun, after it, or when one is to be asked.

    Without any, the round that is not open any more: all that came of it stands in the row.

    `reply` is the turn's row with all that the model has said so far; it is HELD if the turn waits.
    """

    turn: str
    reply: Message
    uses: tuple[Use, ...]
    rounds: int
    at: str
    cards: tuple[Message, ...] = ()
    """Filled in by the worker: the rows of the cards that still change."""
    kind: Literal["uses_reported"] = "uses_reported"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTakenUp:
    """A turn whose process died goes on by itself; `reply` is its row as that process left it."""

    turn: str
    reply: Message
    kind: Literal["turn_taken_up"] = "turn_taken_up"


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochStarted:
    """The history became too long to send: rows up to `since` are from now on told by `summary`, but for `standing`."""

    since: int
    summary: str
    standing: tuple[int, ...] = ()
    quiet: int = 0
    """What others said up to here is left out."""
    kind: Literal["epoch_started"] = "epoch_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageReached:
    """The extraction under way has come to this stage (T4)."""

    stage: Stage
    kind: Literal["stage_reached"] = "stage_reached"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkParked:
    """Work on this receipt failed too often and is given up, so that the thread can go on."""

    reference: str
    at: str
    """When it was given up, as Slack's ts."""
    effect: str = ""
    """The id of the effect that cannot be performed; empty if it was an event that could not be applied."""
    reply: Message | None = None
    """Filled in by the worker: the reply row of a turn that was under way."""
    cards: tuple[Message, ...] = ()
    """Filled in by the worker: the rows of the cards that still change."""
    kind: Literal["work_parked"] = "work_parked"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceLost:
    """Slack takes no words any more where the thread is: what was to be said there has not been."""

    effect: str
    """The id of the effect that was refused."""
    at: str
    """When it was, as Slack's ts."""
    cards: tuple[Message, ...] = ()
    """Filled in by the worker: the rows of the cards that still change."""
    kind: Literal["place_lost"] = "place_lost"


Inner = TurnEnded | UsesReported | TurnTakenUp | EpochStarted | StageReached | WorkParked | PlaceLost
