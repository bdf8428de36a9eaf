"""An answer as the API streams it, composed from a turn of the script."""

import itertools
import json
import secrets
import string
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from app.playground.claude.api.prompt import Json, Prompt
from app.playground.claude.api.refusals import build_invalid_request
from app.playground.claude.api.script import (
    Block,
    Cited,
    CitedPages,
    Cut,
    Event,
    Part,
    Text,
    Thinking,
    ToolCall,
    Turn,
    WebFetch,
    WebSearch,
)
from app.playground.claude.api.usage import Usage, count_output


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
        yield _build_frame("message_start", message=message)
        at, indices = 0, itertools.count()
        for item in self.items:
            if isinstance(item, Event):
                yield Frame(item.name, dict(item.data), at)
                continue
            yield from _build_block_frames(item, next(indices), at)
            at += sum(piece.length for piece in item.pieces)
        yield _build_frame("message_delta", at, delta=self.stop, usage=self.usage.at_end())
        yield _build_frame("message_stop", at)


def _build_frame(kind: str, at: int = 0, **fields: object) -> Frame:
    return Frame(kind, {"type": kind, **fields}, at)


def _build_block_frames(block: AnswerBlock, index: int, at: int) -> Iterator[Frame]:
    yield _build_frame("content_block_start", at, index=index, content_block=block.start)
    if index == 0:
        yield _build_frame("ping", at)
    for piece in block.pieces:
        data = {"type": "content_block_delta", "index": index, "delta": piece.delta}
        yield Frame("content_block_delta", data, at, piece.length)
        at += piece.length
    yield _build_frame("content_block_stop", at, index=index)


_ALPHABET = string.ascii_letters + string.digits
_AWKWARD = (9, 1, 4, 2, 17)  # characters a tool-JSON delta: cuts inside keys, escapes and numbers
_SMALL_DELTAS = 500
"""Small deltas at the start of an input; the SDK parses all of it with each delta, which is quadratic."""
_LARGE_DELTA = 96

Sign = Callable[[str], str]
"""Returns the signature of a thinking block for its shown text."""


def create_id(kind: str) -> str:
    """Return an id in the API's form: `msg_01…`, `req_01…`, `toolu_01…`."""
    return f"{kind}_01" + "".join(secrets.choice(_ALPHABET) for _ in range(22))


def compose(turn: Turn, prompt: Prompt, usage: Usage, sign: Sign) -> Answer:
    """Return the answer to a request; `usage` holds its input, the output is counted here."""
    thinks = prompt.thinking.get("type") != "disabled"
    parts = [part for part in turn.parts if thinks or not isinstance(part, Thinking)]
    composer = _Composer(turn, prompt, sign)
    thought = "".join(part.text for part in parts if isinstance(part, Thinking))
    said = "".join(_read_part(part) for part in parts)
    return Answer(
        id=create_id("msg"),
        model=prompt.model.id,
        items=tuple(composer.item(part) for part in parts),
        usage=replace(usage, output=count_output(said), thinking=count_output(thought) if thought else 0),
        stop=_build_stop(turn),
    )


def _build_stop(turn: Turn) -> Json:
    details = turn.stop_details
    if turn.stop_reason == "refusal" and details is None:
        details = {"type": "refusal", "category": None, "explanation": None}
    return {
        "stop_reason": turn.stop_reason,
        "stop_sequence": turn.stop_sequence,
        "stop_details": details,
    }


def _read_part(part: Part) -> str:
    match part:
        case Text() | Thinking() | CitedPages():
            return part.text
        case ToolCall():
            return _render_tool_input(part)
        case _:
            return ""


def _render_tool_input(call: ToolCall) -> str:
    """Return the input as a model writes it, with spaces after separators; an empty input is not written."""
    if call.raw is not None:
        return call.raw
    return json.dumps(call.input, ensure_ascii=False) if call.input else ""


class _Composer:
    """Maker of blocks that counts the turn's characters."""

    def __init__(self, turn: Turn, prompt: Prompt, sign: Sign) -> None:
        self._sizes = itertools.repeat(turn.pace.chunk)
        self._call_chunk = turn.pace.call_chunk
        self._shows_thinking = prompt.shows_thinking
        self._documents = prompt.documents
        self._sign = sign
        self._at = 0
        stops = [gate.after for gate in turn.gates]
        if isinstance(turn.fault, Cut):
            stops.append(turn.fault.after)
        self._stops = stops

    def item(self, part: Part) -> AnswerBlock | Event:
        """Return the block of a part."""
        match part:
            case Text():
                return self._text(part)
            case CitedPages():
                return self._cite(part)
            case Thinking():
                return self._thinking(part)
            case ToolCall():
                return self._tool(part)
            case Block():
                pieces = tuple(Piece(dict(delta)) for delta in part.deltas)
                return AnswerBlock(dict(part.start), pieces, dict(part.whole or part.start))
            case Event():
                return part
            case WebSearch() | WebFetch() | Cited():
                raise AssertionError("web parts are blocks by now")
            case _:
                assert_never(part)

    def _text(self, part: Text) -> AnswerBlock:
        pieces = tuple(
            Piece({"type": "text_delta", "text": text}, len(text)) for text in self._cut(part.text, self._sizes)
        )
        return AnswerBlock({"type": "text", "text": ""}, pieces, {"type": "text", "text": part.text})

    def _cite(self, part: CitedPages) -> AnswerBlock:
        """Return text with the citation of its pages behind it."""
        document = self._documents[part.document]
        asked: Json = document.get("citations") or {}
        if not asked.get("enabled"):
            raise build_invalid_request("playground: the turn cites a document without citations")
        citation: Json = {
            "type": "page_location",
            "cited_text": part.text,
            "document_index": part.document,
            "document_title": document.get("title"),
            "file_id": None,
            "start_page_number": part.first,
            "end_page_number": part.last + 1,
        }
        plain = self._text(Text(part.text))
        cited = Piece({"type": "citations_delta", "citation": citation})
        start: Json = {**plain.start, "citations": []}
        return AnswerBlock(start, (*plain.pieces, cited), {**plain.whole, "citations": [citation]})

    def _thinking(self, part: Thinking) -> AnswerBlock:
        """Return thinking; if its display is omitted, it is empty and still has a signature."""
        shown = part.text if self._shows_thinking else ""
        signature = self._sign(shown)
        pieces = [
            Piece({"type": "thinking_delta", "thinking": text}, len(text)) for text in self._cut(shown, self._sizes)
        ]
        pieces.append(Piece({"type": "signature_delta", "signature": signature}))
        empty = {"type": "thinking", "thinking": "", "signature": ""}
        return AnswerBlock(empty, tuple(pieces), {**empty, "thinking": shown, "signature": signature})

    def _tool(self, call: ToolCall) -> AnswerBlock:
        """Return a tool call; the first delta of its input is always empty."""
        sizes = itertools.repeat(self._call_chunk) if self._call_chunk else _list_small_sizes()
        texts = itertools.chain([""], self._cut(_render_tool_input(call), sizes))
        pieces = tuple(Piece({"type": "input_json_delta", "partial_json": text}, len(text)) for text in texts)
        empty: Json = {"type": "tool_use", "id": create_id("toolu"), "name": call.name, "input": {}}
        empty["caller"] = {"type": "direct"}
        return AnswerBlock(empty, pieces, {**empty, "input": dict(call.input)})

    def _cut(self, text: str, sizes: Iterable[int]) -> Iterator[str]:
        """Cut text into deltas, never across a place where the turn waits or breaks off."""
        begin, end = self._at, self._at + len(text)
        next_size = iter(sizes)
        while self._at < end:
            stops = [stop for stop in self._stops if stop > self._at]
            until = min(self._at + next(next_size), end, *stops)
            yield text[self._at - begin : until - begin]
            self._at = until


def _list_small_sizes() -> Iterator[int]:
    small = itertools.islice(itertools.cycle(_AWKWARD), _SMALL_DELTAS)
    return itertools.chain(small, itertools.repeat(_LARGE_DELTA))
