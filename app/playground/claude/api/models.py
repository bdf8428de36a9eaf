"""Capabilities of each model, in one table that every rule that depends on the model reads.

Windows, outputs and refusals are those of API version 2026-10-21. Knows nothing of requests.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

THINKING_TYPES = ("adaptive", "between_tools", "disabled", "enabled")
EFFORTS = ("low", "medium", "high", "xhigh", "max")


@dataclass(frozen=True)
class Model:
    """One row of the capability table. Tokens are counted as the API counts them."""

    id: str
    name: str
    line: str
    thinking: frozenset[str]
    thinking_default: str
    """Meaning of an absent `thinking`."""
    display_default: str = "omitted"
    """Display of thinking when `thinking.display` is absent: `summarized` or `omitted`."""
    forced_tools: bool = False
    """True if `tool_choice` may be `any` or `tool`."""
    binds_thinking: bool = True
    """True if a returned thinking block must be in the conversation it was made in."""
    searches: bool = True
    """True if the newest server tools of the web may be offered."""
    efforts: tuple[str, ...] = EFFORTS
    max_input_tokens: int = 1_000_000
    max_tokens: int = 128_000

    def info(self) -> dict[str, Any]:
        """Return the body of `GET /v1/models/{id}`."""
        return {
            "type": "model",
            "id": self.id,
            "display_name": self.name,
            "line": self.line,
            "created_at": "2026-01-01T00:00:00Z",
            "lifecycle": "active",
            "deprecated_at": None,
            "retires_at": None,
            "max_input_tokens": self.max_input_tokens,
            "max_tokens": self.max_tokens,
            "capabilities": self._capabilities(),
        }

    def _capabilities(self) -> dict[str, Any]:
        def of(names: tuple[str, ...], accepted: frozenset[str]) -> dict[str, Any]:
            return {name: {"supported": name in accepted} for name in names}

        thinks = bool(self.thinking - {"disabled"})
        return {
            "effort": {"supported": bool(self.efforts), **of(EFFORTS, frozenset(self.efforts))},
            "structured_outputs": {"supported": True},
            "thinking": {"supported": thinks, "types": of(THINKING_TYPES, self.thinking)},
        }


_ROWS = (
    Model(
        id="claude-sonnet-5-5",
        name="Claude Sonnet 5.5",
        line="sonnet",
        thinking=frozenset({"adaptive", "between_tools"}),
        thinking_default="adaptive",
    ),
    Model(
        id="claude-opus-5-5",
        name="Claude Opus 5.5",
        line="opus",
        thinking=frozenset({"adaptive"}),
        thinking_default="adaptive",
    ),
    Model(
        id="claude-haiku-5-5",
        name="Claude Haiku 5.5",
        line="haiku",
        thinking=frozenset({"adaptive", "disabled"}),
        thinking_default="adaptive",
    ),
    Model(
        id="claude-haiku-4-5",
        name="Claude Haiku 4.5",
        line="haiku",
        thinking=frozenset({"enabled", "disabled"}),
        thinking_default="disabled",
        display_default="summarized",
        forced_tools=True,
        binds_thinking=False,
        searches=False,
        efforts=(),
        max_input_tokens=200_000,
        max_tokens=64_000,
    ),
    Model(
        id="claude-fable-5-1",
        name="Claude Fable 5.1",
        line="fable",
        thinking=frozenset({"adaptive"}),
        thinking_default="adaptive",
    ),
)

MODELS: Mapping[str, Model] = {model.id: model for model in _ROWS}
