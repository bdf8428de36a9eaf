"""Rules of the API for a conversation: roles, empty text, unanswered tools, misplaced thinking.

Stricter than the API in one point: two turns of one role in a row, which it joins, are refused. An app that sends them
has lost count of the turns. Pure, except for the memory of paused turns.
"""

import itertools
from collections.abc import Iterator, Sequence

from app.playground.claude.prompt import Message, Prompt, canonical
from app.playground.claude.refusals import invalid
from app.playground.claude.signatures import Signer


class PausedTurns:
    """The turns that ended in `pause_turn`: the only ones a request may end with, sent back unchanged."""

    def __init__(self) -> None:
        self._paused: set[str] = set()

    def add(self, content: Sequence[object]) -> None:
        """Remember the content of a paused answer."""
        self._paused.add(canonical(content))

    def __contains__(self, message: Message) -> bool:
        return message.role == "assistant" and canonical(message.blocks) in self._paused


class History:
    """The rules that need earlier answers."""

    def __init__(self, signer: Signer, paused: PausedTurns) -> None:
        self._signer = signer
        self._paused = paused

    def check(self, prompt: Prompt) -> None:
        """Refuse the first error in the conversation."""
        self._roles(prompt.messages)
        _content(prompt)
        _tool_ids(prompt.messages)
        _tool_rounds(prompt.messages)
        self._thinking(prompt)

    def _roles(self, messages: Sequence[Message]) -> None:
        """Require that the user begins, that turns alternate, and that the user comes last (prefill is gone)."""
        if not messages:
            raise invalid("messages: at least one message is required")
        if messages[0].role != "user":
            raise invalid("messages: first message must use the user role")
        for before, after in itertools.pairwise(messages):
            if before.role == after.role and before not in self._paused:
                raise invalid(
                    f"messages: roles must alternate between user and assistant, but found"
                    f" multiple {after.role} roles in a row"
                )
        if messages[-1].role == "assistant" and messages[-1] not in self._paused:
            raise invalid(
                "This model does not support assistant message prefill. The conversation must end with a user message."
            )

    def _thinking(self, prompt: Prompt) -> None:
        """Require that a thinking block is unaltered, from this emulator, and in the conversation it was made in."""
        thinking = [(n, block) for n, m in enumerate(prompt.messages) for block in m.of("thinking")]
        for n, block in thinking:
            self._signer.check(block, prompt, prompt.prefixes[n])


def _content(prompt: Prompt) -> None:
    """Require that no message and no text block is empty."""
    for n, message in enumerate(prompt.messages):
        if not message.blocks:
            raise invalid(f"messages.{n}: messages must have non-empty content")
    places = [("system", prompt.system), *(("messages", m.blocks) for m in prompt.messages)]
    for where, blocks in places:
        if any(block["type"] == "text" and not block["text"].strip() for block in blocks):
            raise invalid(f"{where}: text content blocks must be non-empty")


def _tool_ids(messages: Sequence[Message]) -> None:
    seen: set[str] = set()
    for n, tool_id in _used(messages):
        if tool_id in seen:
            raise invalid(f"messages.{n}.content: `tool_use` ids must be unique")
        seen.add(tool_id)


def _used(messages: Sequence[Message]) -> Iterator[tuple[int, str]]:
    for n, message in enumerate(messages):
        for block in message.of("tool_use"):
            yield n, str(block.get("id"))


def _tool_rounds(messages: Sequence[Message]) -> None:
    """Require that each call is answered once, at the start of the next message."""
    asked: list[str] = []
    for n, message in enumerate(messages):
        answered = [str(block.get("tool_use_id")) for block in message.of("tool_result")]
        _answers(n, asked, answered)
        if not all(block["type"] == "tool_result" for block in message.blocks[: len(answered)]):
            raise invalid(f"messages.{n}.content: `tool_result` blocks must come first")
        asked = [str(block.get("id")) for block in message.of("tool_use")]


def _answers(n: int, asked: list[str], answered: list[str]) -> None:
    missing = [tool_id for tool_id in asked if tool_id not in answered]
    if missing:
        raise invalid(
            f"messages.{n - 1}: `tool_use` ids were found without `tool_result` blocks immediately"
            f" after: {', '.join(missing)}"
        )
    for tool_id in answered:
        if tool_id not in asked:
            raise invalid(f"messages.{n}: unexpected `tool_use_id` found in `tool_result` blocks: {tool_id}")
        if answered.count(tool_id) > 1:
            raise invalid(f"messages.{n}: each `tool_use` must have a single result: {tool_id}")
