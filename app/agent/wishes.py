"""Inputs of external tools, made fit to be stored and sent back to the model.

The API binds the model's thinking to the messages before it. So the input of a call may be changed until the next
request is made.
"""

from __future__ import annotations

from typing import Any

from app.agent.hands import UNCLEAN, fail, open_use
from app.agent.tools.box import TOO_LONG, sanitize_value
from app.core.errors import TooLong
from app.core.uses import Use
from app.ports import ToolUse


def clean_input(tool_call: ToolUse) -> Use:
    """Return the use of a tool call. It has failed if its input had to be cleaned: nobody wrote what is left."""
    try:
        clean = sanitize_value(tool_call.input)
    except TooLong:
        return fail(open_use(tool_call.id, tool_call.name, {}), TOO_LONG)
    use = open_use(tool_call.id, tool_call.name, clean)
    return use if clean == tool_call.input else fail(use, UNCLEAN)


def clean_block(block: dict[str, Any]) -> dict[str, Any]:
    """Return the block of a tool call as it is stored: with its input clean, or without one that is too long."""
    try:
        return {**block, "input": sanitize_value(block["input"])}
    except TooLong:
        return {**block, "input": {}}
