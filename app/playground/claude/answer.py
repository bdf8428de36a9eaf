"""An answer in the API's terms: sent whole as a message, or event by event as frames.

Only this module knows the order of a stream. Pure; knows no bytes and no timing.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from app.playground.claude.prompt import Json
from app.playground.claude.script import Event
from app.playground.claude.usage import Usage


@dataclass(frozen=True)
class Piece:
    """One delta, with the number of the turn's characters in it."""

    delta: Json
    length: int = 0


@dataclass(frozen=True)
class AnswerBlock:
    """A content block: its start, its deltas, and its whole."""

    start: Json
    pieces: tuple[Piece, ...]
    whole: Json


@dataclass(frozen=True)
class Frame:
    """One event of the stream; `at` is the number of the turn's characters before it, `length` the number in it."""

    event: str
    data: Json
    at: int = 0
    length: int = 0


@dataclass(frozen=True)
class Answer:
    """The whole answer to one request."""

    id: str
    model: str
    items: tuple[AnswerBlock | Event, ...]
    usage: Usage
    stop: Json

    @property
    def content(self) -> list[Json]:
        """Return the content array of the finished message."""
        return [item.whole for item in self.items if isinstance(item, AnswerBlock)]

    def message(self) -> Json:
        """Return the body of a non-streamed answer."""
        usage = {**self.usage.at_start(), **self.usage.at_end()}
        return self._envelope(self.content, self.stop, usage)

    def _envelope(self, content: list[Json], stop: Json, usage: Json) -> Json:
        return {
            "model": self.model,
            "id": self.id,
            "type": "message",
            "role": "assistant",
            "content": content,
            **stop,
            "usage": usage,
        }

    def frames(self) -> Iterator[Frame]:
        """Yield the stream in the API's order; a ping follows the first `content_block_start`."""
        message = self._envelope([], dict.fromkeys(self.stop), self.usage.at_start())
        yield _frame("message_start", message=message)
        at, indices = 0, itertools.count()
        for item in self.items:
            if isinstance(item, Event):
                yield Frame(item.name, dict(item.data), at)
                continue
            yield from _block_frames(item, next(indices), at)
            at += sum(piece.length for piece in item.pieces)
        yield _frame("message_delta", at, delta=self.stop, usage=self.usage.at_end())
        yield _frame("message_stop", at)


def _frame(kind: str, at: int = 0, **fields: object) -> Frame:
    return Frame(kind, {"type": kind, **fields}, at)


def _block_frames(block: AnswerBlock, index: int, at: int) -> Iterator[Frame]:
    yield _frame("content_block_start", at, index=index, content_block=block.start)
    if index == 0:
        yield _frame("ping", at)
    for piece in block.pieces:
        data = {"type": "content_block_delta", "index": index, "delta": piece.delta}
        yield Frame("content_block_delta", data, at, piece.length)
        at += piece.length
    yield _frame("content_block_stop", at, index=index)
