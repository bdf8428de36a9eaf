"""Events that the worker raises while it works on a conversation. The inbox never holds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.core.conversation.conversation import Message
from app.core.state.interview import Stage
from app.core.state.tool_use import Use


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded:
    """End of a turn, successful or not. `reply` is its message, closed, with the model's tool calls."""

    turn: str
    reply: Message
    at: str
    """When it ended, as Slack's ts."""
    kind: Literal["turn_ended"] = "turn_ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUsesReported:
    """State of the tool uses of the open round: before a use starts, after it ends, or when one needs permission.

    Without uses, the round is closed and its results are stored in the reply.

    `reply` is the turn's message with all text of the model so far. It is HELD if the turn awaits permission.
    """

    turn: str
    reply: Message
    uses: tuple[Use, ...]
    rounds: int
    at: str
    heard: tuple[Message, ...] = ()
    """What was read before the next round, and not before."""
    kind: Literal["uses_reported"] = "uses_reported"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTakenUp:
    """Takeover of a turn whose process died. `reply` is its message as that process left it."""

    turn: str
    reply: Message
    kind: Literal["turn_taken_up"] = "turn_taken_up"


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochStarted:
    """Start of an epoch, because the history became too long to send.

    `summary` replaces the messages up to `since`, except those in `standing`.
    """

    since: int
    summary: str
    standing: tuple[int, ...] = ()
    quiet: int = 0
    """Messages of other people up to here are left out."""
    kind: Literal["epoch_started"] = "epoch_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadSummarized:
    """Summary by the model of the messages that are no longer sent; empty if it wrote none that can be used."""

    summary: str
    due: int
    """The `summary_due` of the conversation from which it was written."""
    kind: Literal["thread_summarized"] = "thread_summarized"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageReached:
    """Stage that the active extraction has reached."""

    stage: Stage
    kind: Literal["stage_reached"] = "stage_reached"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventParked:
    """Failure of all attempts to work on this receipt. It is parked, so that the thread can continue."""

    reference: str
    at: str
    """When it was parked, as Slack's ts."""
    effect: str = ""
    """The id of the effect that failed; empty if an event could not be applied."""
    reply: Message | None = None
    """The reply of the turn that was active, if there was one."""
    kind: Literal["work_parked"] = "work_parked"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelLost:
    """Slack has refused what was to be posted in the thread, so the effect was not carried out."""

    effect: str
    """The id of the effect that was refused."""
    at: str
    """When it was refused, as Slack's ts."""
    is_closed: bool = True
    """False if Slack has refused this one message, and may accept others there."""
    kind: Literal["place_lost"] = "place_lost"


InternalEvent = (
    TurnEnded
    | ToolUsesReported
    | TurnTakenUp
    | EpochStarted
    | ThreadSummarized
    | StageReached
    | EventParked
    | ChannelLost
)
