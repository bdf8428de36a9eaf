"""Script of the emulator's model: turns, written ahead or computed, with their timing and their faults.

A turn determines one answer completely. The script finds the turn for a request. Knows no HTTP.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from app.playground.claude.api.prompt import Json, Prompt
from app.playground.claude.api.refusals import build_invalid_request


@dataclass(frozen=True)
class Text:
    """Text for the person."""

    text: str


@dataclass(frozen=True)
class Thinking:
    """Thinking, which is signed when it is sent. It is left out if the request switched thinking off."""

    text: str


@dataclass(frozen=True)
class ToolCall:
    """A tool call. `raw` replaces the input's JSON in the stream, to send invalid JSON."""

    name: str
    input: Mapping[str, Any] = field(default_factory=dict[str, Any])
    raw: str | None = None


@dataclass(frozen=True)
class Block:
    """A block of any type for which the emulator has no class. `whole` is what it becomes, if not its start."""

    start: Mapping[str, Any]
    deltas: Sequence[Mapping[str, Any]] = ()
    whole: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Page:
    """A page of the web."""

    url: str
    title: str = "A page"
    text: str = "Some words."
    age: str | None = None


@dataclass(frozen=True)
class WebSearch:
    """A search by the server tool, and what it finds within the bounds of the request; or its error code."""

    query: str
    found: Sequence[Page] = ()
    error: str = ""


@dataclass(frozen=True)
class WebFetch:
    """A page that the server tool opens if the request allows it; or its error code."""

    page: Page
    error: str = ""


@dataclass(frozen=True)
class Cited:
    """Text for the person that cites these pages."""

    text: str
    pages: Sequence[Page]


@dataclass(frozen=True)
class CitedPages:
    """Text for the person that cites pages of a PDF in the request, from `first` to `last`; documents count from 0."""

    text: str
    first: int
    last: int
    document: int = 0


@dataclass(frozen=True)
class Event:
    """A bare stream event of any name; a non-streamed answer leaves it out."""

    name: str
    data: Mapping[str, Any]


Part = Text | Thinking | ToolCall | Block | Event | WebSearch | WebFetch | Cited | CitedPages


@dataclass(frozen=True)
class Pace:
    """The pace of an answer: `chunk` characters of text per delta, `seconds` between deltas."""

    chunk: int = 12
    seconds: float = 0.0
    call_chunk: int = 0
    """Characters per delta of a call's input; 0 cuts it small and at awkward places, as the API may."""


@dataclass(frozen=True)
class Gate:
    """A point after that many characters of the turn, where the stream waits until `opened` is set."""

    after: int
    opened: asyncio.Event


@dataclass(frozen=True)
class HttpFault:
    """An error instead of an answer. `retry_after` in seconds; `error_code` as in `error.details`."""

    status: int
    retry_after: float | None = None
    error_code: str | None = None
    message: str = ""
    """The API's sentence, if not the usual one of the status."""


@dataclass(frozen=True)
class HtmlFault:
    """An HTML error page without a request id, as from a proxy between the app and the API."""

    status: int = 502


@dataclass(frozen=True)
class NoAnswer:
    """A request that is accepted and never answered, not even with headers."""


CutKind = Literal["overloaded", "dropped", "reset", "ended", "malformed", "silent", "pings_only"]


@dataclass(frozen=True)
class Cut:
    """A fault that replaces the rest of the stream after that many characters.

    `overloaded`: an error event. `dropped`: the connection closes in the middle of the body. `reset`: a TCP reset,
    which may overtake data sent before. `ended`: a clean end without `message_stop`. `malformed`: a frame of invalid
    JSON. `silent`: the connection stays open and nothing comes. `pings_only`: the same with a ping every `every`
    seconds.
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

    `Gate.after` and `Cut.after` count the characters of thinking, text and tool JSON, in the order of sending. A place
    past the end is never reached. With `when`, the turn is only for a request whose last user text contains that
    substring, or for which that predicate holds.
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
        """Return True if the turn is meant for this request."""
        if callable(self.when):
            return self.when(prompt)
        return self.when is None or self.when in prompt.last_user_text


class Script:
    """The turns that are left. A request takes the first that fits; the others stay."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []
        self._always: Callable[[Prompt], Turn] | None = None

    def add(self, *turns: Turn) -> None:
        """Append turns; each answers one request."""
        self._turns.extend(turns)

    def answer_always(self, answer: Callable[[Prompt], Turn]) -> None:
        """Answer every request for which no turn was added by a call of `answer`."""
        self._always = answer

    @property
    def pending(self) -> Sequence[Turn]:
        """Return the turns that no request has taken yet."""
        return tuple(self._turns)

    def take(self, prompt: Prompt) -> Turn:
        """Take the turn for a request.

        Raise a 400 `Refusal` if there is none. Nothing retries that, so a test fails at once.
        """
        for turn in self._turns:
            if turn.answers(prompt):
                self._turns.remove(turn)
                return turn
        if self._always is not None:
            return self._always(prompt)
        words = " ".join(prompt.last_user_text.split()[:8])
        raise build_invalid_request(f"playground: no scripted turn answers {words!r}")
