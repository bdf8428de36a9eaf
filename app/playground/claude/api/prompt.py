"""A Messages API request as the emulator reads it.

Shapes are checked here once, so that the rules and the scripts need no guards. Knows no rule beyond shape.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeGuard

from app.playground.claude.api.models import MODELS, Model
from app.playground.claude.api.refusals import Refusal, build_invalid_request

Json = dict[str, Any]
"""A JSON object."""

_CHARACTERS_PER_TOKEN = 4  # the emulator's estimate; the API counts with the model's own tokenizer

_MEDIA_CHARACTERS = 1_600 * _CHARACTERS_PER_TOKEN  # of a large picture; the API counts by its size, and of PDFs by page


def is_object(value: object) -> TypeGuard[Json]:
    """Return True for a JSON object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Return True for a JSON array."""
    return isinstance(value, list)


@dataclass(frozen=True)
class Message:
    """One entry of `messages`. String content reads as one text block, as the API has it."""

    role: str
    blocks: tuple[Json, ...]

    @property
    def text(self) -> str:
        """Return its text blocks, joined by newlines."""
        return "\n".join(block["text"] for block in self.blocks if block["type"] == "text")

    def of(self, kind: str) -> list[Json]:
        """Return its blocks of one type, in order."""
        return [block for block in self.blocks if block["type"] == kind]


@dataclass(frozen=True)
class Prefix:
    """Everything before one place in the conversation: the part that caching reads and thinking is bound to."""

    digest: bytes
    tokens: int


@dataclass(frozen=True)
class Prompt:
    """A well-shaped request. `body` is the original; the other fields are the same content, typed."""

    body: Mapping[str, Any]
    model: Model
    system: tuple[Json, ...]
    tools: tuple[Json, ...]
    messages: tuple[Message, ...]

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> "Prompt":
        """Read a request body. Raise `Refusal` if its shape is not the API's."""
        messages = body.get("messages")
        if not is_array(messages):
            raise build_invalid_request("messages: Field required")
        return cls(
            body=body,
            model=_read_model(body.get("model")),
            system=_read_blocks(body.get("system") or [], "system"),
            tools=tuple(_read_objects(body.get("tools") or [], "tools")),
            messages=tuple(_read_message(value, f"messages.{n}") for n, value in enumerate(messages)),
        )

    @property
    def last_user_text(self) -> str:
        """Return the newest user message with text; messages of tool results alone are skipped."""
        users = (m.text for m in reversed(self.messages) if m.role == "user")
        return next((text for text in users if text), "")

    @property
    def documents(self) -> tuple[Json, ...]:
        """Return the documents that people brought, in order, as citations count them."""
        return tuple(block for message in self.messages for block in message.of("document"))

    @property
    def streams(self) -> bool:
        """Return True if the answer is requested as server-sent events."""
        return bool(self.body.get("stream"))

    @property
    def thinking(self) -> Json:
        """Return the thinking configuration, with the model's default if none was sent."""
        sent = self.body.get("thinking")
        return sent if is_object(sent) else {"type": self.model.thinking_default}

    @property
    def shows_thinking(self) -> bool:
        """Return True if the answer contains the text of thinking, not only its signature."""
        return self.thinking.get("display", self.model.display_default) == "summarized"

    @cached_property
    def prefixes(self) -> tuple[Prefix, ...]:
        """Return the prefix before each message, and last the one that ends the request.

        `[0]` is system and tools. `cache_control` markers do not count as a change (preserved thinking).
        """
        hashed = hashlib.sha256(self.model.id.encode())
        characters = 0
        prefixes: list[Prefix] = []
        standing = [_strip_markers(block) for block in (*self.system, *self.tools)]
        said = ([m.role, [_strip_markers(block) for block in m.blocks]] for m in self.messages)
        for part in (standing, *said):
            text = canonicalize(part)
            characters += len(text) - _count_excess(part)
            hashed.update(f"{len(text)}:{text}".encode())
            prefixes.append(Prefix(hashed.digest(), count_tokens(characters)))
        return tuple(prefixes)


def _count_excess(part: object) -> int:
    """Return by how many characters the encoded bytes of pictures and documents exceed what these cost."""
    blocks = [block for each in part if is_array(each) for block in each] if is_array(part) else []
    media = [block for block in blocks if is_object(block) and is_object(block.get("source"))]
    return sum(len(str(block["source"].get("data", ""))) - _MEDIA_CHARACTERS for block in media)


def count_tokens(characters: int) -> int:
    """Return the emulator's estimate of the tokens in so many characters."""
    return -(-characters // _CHARACTERS_PER_TOKEN)


def canonicalize(value: object) -> str:
    """Return JSON that is equal for equal values: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _strip_markers(block: Json) -> Json:
    """Leave out cache markers, also of the blocks that a tool result holds."""
    plain = {key: value for key, value in block.items() if key != "cache_control"}
    content = plain.get("content")
    if block.get("type") == "tool_result" and is_array(content):
        plain["content"] = [_strip_markers(item) if is_object(item) else item for item in content]
    return plain


def _read_model(value: object) -> Model:
    if not isinstance(value, str):
        raise build_invalid_request("model: Field required")
    if value not in MODELS:
        raise Refusal(404, f"model: {value}")
    return MODELS[value]


def _read_message(value: object, where: str) -> Message:
    if not is_object(value):
        raise build_invalid_request(f"{where}: Input should be an object")
    role = value.get("role")
    if role not in ("user", "assistant"):
        raise build_invalid_request(f"{where}.role: Input should be 'user' or 'assistant'")
    return Message(role, _read_blocks(value.get("content"), f"{where}.content"))


def _read_blocks(value: object, where: str) -> tuple[Json, ...]:
    if isinstance(value, str):
        return ({"type": "text", "text": value},)
    blocks = tuple(_read_objects(value, where))
    for n, block in enumerate(blocks):
        if not isinstance(block.get("type"), str):
            raise build_invalid_request(f"{where}.{n}.type: Field required")
        if block["type"] == "text" and not isinstance(block.get("text"), str):
            raise build_invalid_request(f"{where}.{n}.text: Field required")
    return blocks


def _read_objects(value: object, where: str) -> Iterator[Json]:
    if not is_array(value):
        raise build_invalid_request(f"{where}: Input should be a valid array")
    for n, item in enumerate(value):
        if not is_object(item):
            raise build_invalid_request(f"{where}.{n}: Input should be an object")
        yield item
