"""What each model accepts when it has to submit data, in one table. A model that is not listed is asked for least.

From Anthropic's notes on each model. None takes `temperature` any more: the API version of the SDK (2026-10-21) refuses
it for every model, so nothing sends it (S0-218, C-15).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What one model accepts."""

    forced_tool: bool = False
    """`tool_choice` may name the tool, as long as the model does not think; else there is only `auto`."""
    strict: bool = False
    """Tools may be strict: then what is submitted has the shape of the schema."""
    least_thinking: Literal["", "between_tools", "disabled"] = ""
    """The `thinking` that begins with the answer; empty if the model always thinks, or nobody knows."""


_EARLIER = Capabilities(forced_tool=True, strict=True, least_thinking="disabled")

MODELS: Mapping[str, Capabilities] = {
    "claude-haiku-4-5": _EARLIER,
    "claude-sonnet-4-5": _EARLIER,
    "claude-opus-4-5": _EARLIER,
    "claude-sonnet-4-6": _EARLIER,
    "claude-opus-4-6": _EARLIER,
    "claude-opus-4-7": _EARLIER,
    "claude-opus-4-8": _EARLIER,
    "claude-sonnet-5": _EARLIER,
    "claude-opus-5": _EARLIER,
    "claude-haiku-5-5": Capabilities(strict=True, least_thinking="disabled"),
    "claude-sonnet-5-5": Capabilities(strict=True, least_thinking="between_tools"),
    "claude-opus-5-5": Capabilities(strict=True),
    "claude-fable-5-1": Capabilities(strict=True),
}

_DATE = re.compile(r"-\d{8}$")


def capabilities(model: str) -> Capabilities:
    """What the model accepts; its id may end with a date."""
    return MODELS.get(_DATE.sub("", model), Capabilities())
