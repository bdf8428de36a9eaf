"""The finished rounds of an extraction, stage by stage, as its reply keeps them for an extraction that goes on there.

They are messages of the API without thinking, which is bound to the messages before it. Those of each stage follow a
message with the stage's name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from app.core.state.interview import Stage
from app.core.turns.history import THOUGHTS

Said = list[dict[str, Any]]

_NAMES: Final = frozenset(map(str, Stage))


class KeptRounds:
    """Messages of each stage, in the order of the stages."""

    def __init__(self, content: str = "") -> None:
        """Read what `write` gave; empty for nothing."""
        self._said: dict[Stage, Said] = {}
        for message in json.loads(content or "[]"):
            name = _read_text(message) if message["role"] == "user" else ""
            if name in _NAMES:
                self._said[Stage(name)] = []
            else:
                self._said[next(reversed(self._said))].append(message)

    def list_said(self, stage: Stage) -> Said:
        """Return the messages of a stage after its request."""
        return [*self._said.get(stage, [])]

    def read_result(self, stage: Stage) -> str | None:
        """Return the text that a stage ended with; None if it has not ended."""
        last = self._said.get(stage, [])[-1:]
        return _read_text(last[0]) if last and last[0]["role"] == "assistant" else None

    def keep(self, stage: Stage, said: Sequence[Mapping[str, Any]]) -> None:
        """Replace the messages of a stage."""
        self._said[stage] = drop_thoughts(said)

    def end(self, stage: Stage, text: str) -> None:
        """Add the text that a stage ends with."""
        said = [*self.list_said(stage), {"role": "assistant", "content": [{"type": "text", "text": text}]}]
        self._said[stage] = said

    def write(self) -> str:
        """Return all as JSON; empty if nothing is kept."""
        named = [each for stage, said in self._said.items() for each in (_name(stage), *said)]
        return json.dumps(named, ensure_ascii=False, separators=(",", ":")) if named else ""


def drop_thoughts(said: Sequence[Mapping[str, Any]]) -> Said:
    """Return the messages without thinking, as lists of blocks."""
    return [
        {**message, "content": [block for block in _list_blocks(message) if block["type"] not in THOUGHTS]}
        for message in said
    ]


def _name(stage: Stage) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": stage.value}]}


def _list_blocks(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _read_text(message: Mapping[str, Any]) -> str:
    return "".join(block["text"] for block in message["content"] if block["type"] == "text")
