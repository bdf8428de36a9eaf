"""One tool in place of many that read: the model has a line of each, and calls them by their names.

Only what leaves for the model and comes from it differs. What is judged, carried out, shown and kept in the history is
a use of the tool itself.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from pydantic import Field, ValidationError

from app.agent.tools.tool import ExternalTool, Input, ToolSpec, build_schema
from app.ports import ModelReply, ToolUse

NAME: Final = "look_up"
DESCRIPTION: Final = (
    "Look something up, as far as the owner can, with a tool that only reads (? may be left out; since and until are "
    "ISO 8601, on the owner's clock):\n{lines}"
)
LINE: Final = "- {name}({fields}): {brief}"
NOT_THERE: Final = "Give tool and input. The tools are: {names}."
HELP: Final = "{problem}. The tool {name}: {description} Its input: {schema}"


class LookUp(Input):
    """Input of `look_up`."""

    tool: str
    input: dict[str, Any] = Field(default={})


def describe_lookups(tools: Iterable[ExternalTool[Any]]) -> dict[str, Any]:
    """Return these tools as one, in the API's format."""
    lines = (
        LINE.format(name=tool.name, fields=", ".join(_list_fields(tool)), brief=tool.brief)
        for tool in sorted(tools, key=lambda each: each.name)
    )
    return {
        "name": NAME,
        "description": DESCRIPTION.format(lines="\n".join(lines)),
        "input_schema": build_schema(LookUp),
    }


def _list_fields(tool: ExternalTool[Any]) -> Iterable[str]:
    schema = build_schema(tool.input)
    for name, field in schema["properties"].items():
        many = "[]" if field.get("type") == "array" else ""
        yield f"{name}{many}{'' if name in schema.get('required', ()) else '?'}"


def explain_use(problem: str, tool: ToolSpec[Any]) -> str:
    """Return what was wrong with an input, and all that there is to know of the tool."""
    schema = json.dumps(build_schema(tool.input)["properties"], ensure_ascii=False)
    return HELP.format(problem=problem, name=tool.name, description=tool.description, schema=schema)


def unfold_reply(reply: ModelReply, names: Container[str]) -> ModelReply:
    """Return the reply with uses of the tools of these names themselves. What names none of them stays as it came."""
    if not any(use.name == NAME for use in reply.uses):
        return reply
    blocks = [_unfold_block(block, names) for block in json.loads(reply.content)]
    uses = tuple(_unfold_use(use, names) for use in reply.uses)
    return replace(reply, uses=uses, content=json.dumps(blocks, ensure_ascii=False, separators=(",", ":")))


def _unfold_use(use: ToolUse, names: Container[str]) -> ToolUse:
    given = _read(use.name, use.input, names)
    return replace(use, name=given.tool, input=given.input) if given else use


def _unfold_block(block: dict[str, Any], names: Container[str]) -> dict[str, Any]:
    given = _read(block["name"], block["input"], names) if block["type"] == "tool_use" else None
    return {**block, "name": given.tool, "input": given.input} if given else block


def _read(name: str, given: Any, names: Container[str]) -> LookUp | None:
    if name != NAME:
        return None
    try:
        read = LookUp.model_validate(given)
    except ValidationError:
        return None
    return read if read.tool in names else None


def fold_messages(messages: Sequence[dict[str, Any]], names: Container[str]) -> list[dict[str, Any]]:
    """Return the API's messages with uses of the tools of these names as the model makes them."""
    return [_fold_message(message, names) for message in messages]


def _fold_message(message: dict[str, Any], names: Container[str]) -> dict[str, Any]:
    if message["role"] != "assistant" or isinstance(message["content"], str):
        return message
    blocks = cast("list[dict[str, Any]]", message["content"])
    if not any(_is_folded(block, names) for block in blocks):
        return message
    return {**message, "content": [_fold_block(block) if _is_folded(block, names) else block for block in blocks]}


def _is_folded(block: Mapping[str, Any], names: Container[str]) -> bool:
    return block["type"] == "tool_use" and block["name"] in names


def _fold_block(block: dict[str, Any]) -> dict[str, Any]:
    return {**block, "name": NAME, "input": {"tool": block["name"], "input": block["input"]}}
