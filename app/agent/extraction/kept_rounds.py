"""The finished rounds of an extraction, stage by stage, as its reply keeps them for an extraction that goes on there.

They are messages of the API. Those of each stage follow a message that names the stage, and what it began with.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from app.core.state.interview import Stage

Said = list[dict[str, Any]]

_NAME: Final = '{"stage":'


@dataclass(slots=True)
class KeptStage:
    """One stage: what it began with, and what was said in it since."""

    made_from: str = ""
    """Digest of what its requests begin with."""
    heard: tuple[int, ...] = ()
    """`seq` of each message in that which was written while the extraction was under way."""
    said: Said = field(default_factory=Said)

    @property
    def result(self) -> str | None:
        """Return the text that it ended with; None if it has not ended."""
        return (
            list_blocks(self.said[-1])[-1].get("text") if self.said and self.said[-1]["role"] == "assistant" else None
        )

    def end(self, text: str) -> None:
        """Add the text that it ends with."""
        self.said.append({"role": "assistant", "content": [{"type": "text", "text": text}]})


def read_stages(content: str) -> dict[Stage, KeptStage]:
    """Return the stages in what `write_stages` gave, in their order; none of an empty text."""
    stages, current = dict[Stage, KeptStage](), KeptStage()
    for message in json.loads(content or "[]"):
        name: str = message["content"][0].get("text", "")
        if message["role"] == "user" and name.startswith(_NAME):
            known = json.loads(name)
            current = stages[Stage(known["stage"])] = KeptStage(known["made_from"], tuple(known["heard"]))
        else:
            current.said.append(message)
    return stages


def write_stages(stages: Mapping[Stage, KeptStage]) -> str:
    """Return all stages as JSON."""
    return _dump([each for stage, kept in stages.items() for each in _list_messages(stage, kept)])


def list_blocks(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the content of a message as blocks."""
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _list_messages(stage: Stage, kept: KeptStage) -> Iterable[Mapping[str, Any]]:
    name = _dump({"stage": stage.value, "made_from": kept.made_from, "heard": kept.heard})
    yield {"role": "user", "content": [{"type": "text", "text": name}]}
    yield from ({**message, "content": list_blocks(message)} for message in kept.said)


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
