"""What the playground's model will say: turns, written ahead or computed, with their timing and their faults.

A turn says everything about one answer; the script finds the turn for a request. Knows no HTTP.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from app.playground.claude.api.prompt import Json, Prompt
from app.playground.claude.api.refusals import build_invalid_request


@dataclass(frozen=True)
class Text:
    """Words for the person."""

    text: str


@dataclass(frozen=True)
class Thinking:
    """Thinking, signed on its way out. Left out of the answer when the request switched thinking off."""

    text: str


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool. `raw` replaces the input's JSON on the wire, to send JSON that is none."""

    name: str
    input: Mapping[str, Any] = field(default_factory=dict[str, Any])
    raw: str | None = None


@dataclass(frozen=True)
class Block:
    """A block of any type, for what the playground has no word for: citations, server tools, types to come."""

    start: Mapping[str, Any]
    deltas: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class Event:
    """A bare stream event of any name; a non-streamed answer leaves it out."""

    name: str
    data: Mapping[str, Any]


Part = Text | Thinking | ToolCall | Block | Event


@dataclass(frozen=True)
class Pace:
    """How text leaves: `chunk` characters a delta, `seconds` between deltas."""

    chunk: int = 12
    seconds: float = 0.0


@dataclass(frozen=True)
class Gate:
    """A place where the stream waits: after that many characters of the turn, until `opened` is set."""

    after: int
    opened: asyncio.Event


@dataclass(frozen=True)
class HttpFault:
    """An error instead of an answer. `retry_after` in seconds; `error_code` as in `error.details`."""

    status: int
    retry_after: float | None = None
    error_code: str | None = None


@dataclass(frozen=True)
class HtmlFault:
    """An error page of something between the app and the API: HTML, no request id."""

    status: int = 502


@dataclass(frozen=True)
class NoAnswer:
    """The request is taken and nothing comes back, not even headers."""


CutKind = Literal["overloaded", "dropped", "reset", "ended", "malformed", "silent", "pings_only"]


@dataclass(frozen=True)
class Cut:
    """What happens to the stream after that many characters, in place of the rest.

    `overloaded`: an error event. `dropped`: the connection closes in the middle of the body. `reset`: a TCP
    reset, which may overtake what was sent before. `ended`: a clean end without `message_stop`. `malformed`: a
    frame that is no JSON. `silent`: the connection stays open and nothing comes. `pings_only`: the same with a
    ping every `every` seconds.
    """

    kind: CutKind
    after: int = 0
    every: float = 1.0


Fault = HttpFault | HtmlFault | NoAnswer | Cut

Matcher = str | Callable[[Prompt], bool]
BY_PARTS = "by parts"
"""The stop reason of a turn that names none: `tool_use` if it calls a tool, else `end_turn`."""


@dataclass(frozen=True)
class Turn:
    """One answer. `text` is short for one `Text` part.

    Characters (`Gate.after`, `Cut.after`) count over thinking, text and tool JSON alike, in order, as they
    go over the wire; a place past the end is never reached.
    `when`: a request takes the turn if this substring is in the last user text, or this predicate holds.
    """

    text: str = ""
    parts: Sequence[Part] = ()
    stop_reason: str | None = BY_PARTS
    stop_sequence: str | None = None
    stop_details: Json | None = None
    when: Matcher | None = None
    pace: Pace = Pace()
    gates: Sequence[Gate] = ()
    fault: Fault | None = None

    def __post_init__(self) -> None:
        if self.text and self.parts:
            raise ValueError("a turn has either text or parts")
        if self.text:
            object.__setattr__(self, "parts", (Text(self.text),))
        if self.stop_reason == BY_PARTS:
            calls = any(isinstance(part, ToolCall) for part in self.parts)
            object.__setattr__(self, "stop_reason", "tool_use" if calls else "end_turn")

    def answers(self, prompt: Prompt) -> bool:
        """Whether the turn is meant for this request."""
        if callable(self.when):
            return self.when(prompt)
        return self.when is None or self.when in prompt.last_user_text


class Script:
    """The turns still to be said. A request takes the first that fits; the others stay."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []
        self._always: Callable[[Prompt], Turn] | None = None

    def add(self, *turns: Turn) -> None:
        """Append turns; each answers one request."""
        self._turns.extend(turns)

    def answer_always(self, answer: Callable[[Prompt], Turn]) -> None:
        """Answer every request for which no turn was added by calling `answer`."""
        self._always = answer

    @property
    def pending(self) -> Sequence[Turn]:
        """The turns that no request has taken yet."""
        return tuple(self._turns)

    def take(self, prompt: Prompt) -> Turn:
        """Take the turn for a request.

        Raises a 400 `Refusal`, which nobody retries, when there is none: a test then fails at once.
        """
        for turn in self._turns:
            if turn.answers(prompt):
                self._turns.remove(turn)
                return turn
        if self._always is not None:
            return self._always(prompt)
        words = " ".join(prompt.last_user_text.split()[:8])
        raise build_invalid_request(f"playground: no scripted turn answers {words!r}")
