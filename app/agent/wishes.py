"""What the model wishes a tool to do outside, made fit to be kept: cleaned before it is stored or sent back (S0-010).

Thinking is bound to the messages before it alone: the input of a call may be changed until the next request is made.
"""

from __future__ import annotations

from typing import Any

from app.agent.hands import UNCLEAN, failed, opened
from app.agent.tools.box import TOO_LONG, sanitized
from app.core.errors import TooLong
from app.core.uses import Use
from app.ports import ToolUse


def wished(wish: ToolUse) -> Use:
    """The use that was wished for; one whose input had to be cleaned is not carried out, for nobody has said that."""
    try:
        clean = sanitized(wish.input)
    except TooLong:
        return failed(opened(wish.id, wish.name, {}), TOO_LONG)
    use = opened(wish.id, wish.name, clean)
    return use if clean == wish.input else failed(use, UNCLEAN)


def fit(block: dict[str, Any]) -> dict[str, Any]:
    """The block of a wish as it is kept: with its input clean, or without one that is too long."""
    try:
        return {**block, "input": sanitized(block["input"])}
    except TooLong:
        return {**block, "input": {}}
