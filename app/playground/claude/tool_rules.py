"""What the API refuses in tool definitions, `tool_choice` and output schemas. Pure."""

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from jsonschema.exceptions import SchemaError
from jsonschema.validators import Draft202012Validator

from app.playground.claude.prompt import Json, Prompt, is_array, is_object
from app.playground.claude.refusals import invalid

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_NOT_STRICT = frozenset(
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "maxItems"]
)

_MOST_STRICT = 20
_MOST_OPTIONAL = 24


def tools_are_well_defined(prompt: Prompt) -> None:
    """Tools have valid, distinct names and valid object schemas. Server tools (`type`) are not looked into."""
    for n, tool in enumerate(prompt.tools):
        if tool.get("type", "custom") == "custom":
            _custom_tool(tool, f"tools.{n}.custom")
    names = [tool.get("name") for tool in prompt.tools]
    if len(set(names)) < len(names):
        raise invalid("tools: Tool names must be unique.")


def _custom_tool(tool: Json, where: str) -> None:
    name, schema = tool.get("name"), tool.get("input_schema")
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        raise invalid(f"{where}.name: String should match pattern '^{_NAME.pattern}$'")
    if not is_object(schema):
        raise invalid(f"{where}.input_schema: Field required")
    if schema.get("type") != "object":
        raise invalid(f"{where}.input_schema.type: Input should be 'object'")
    if not _is_schema(json.dumps(schema)):
        raise invalid(f"{where}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12")
    if tool.get("strict"):
        _grammar_schema(schema, where)


@lru_cache(maxsize=512)
def _is_schema(text: str) -> bool:
    """True if this text is a valid schema. To judge one takes milliseconds, and every request brings the same again."""
    try:
        Draft202012Validator.check_schema(json.loads(text))
    except SchemaError:
        return False
    return True


def strict_tools_fit_one_grammar(prompt: Prompt) -> None:
    """All strict tools of a request become one grammar: 20 of them at most, with 24 optional parameters in all."""
    strict = [tool for tool in prompt.tools if tool.get("strict")]
    if len(strict) > _MOST_STRICT:
        raise invalid(f"Too many strict tools ({len(strict)}). The maximum number of strict tools is {_MOST_STRICT}.")
    optional = sum(_optional(part) for tool in strict for part in _subschemas(tool["input_schema"]))
    if optional > _MOST_OPTIONAL:
        raise invalid(
            f"Schemas contains too many optional parameters ({optional}), which would make grammar compilation"
            f" inefficient. Reduce the number of optional parameters in your tool schemas (limit: {_MOST_OPTIONAL})."
        )


def _optional(schema: Json) -> int:
    return len(schema.get("properties", {}).keys() - set(schema.get("required", ())))


def output_format_is_strict(prompt: Prompt) -> None:
    """The schema of `output_config.format` is held to the same subset as a strict tool's."""
    config = prompt.body.get("output_config")
    wanted = config.get("format") if is_object(config) else None
    if is_object(wanted) and is_object(wanted.get("schema")):
        _grammar_schema(wanted["schema"], "output_config.format.schema")


def _grammar_schema(schema: Json, where: str) -> None:
    """Refuse what grammar-constrained sampling cannot hold; the SDK's `transform_schema` leaves the same out."""
    for part in _subschemas(schema):
        kind = part.get("type")
        if kind == "object" and part.get("additionalProperties") is not False:
            raise invalid(f"{where}: For 'object' type, 'additionalProperties' must be explicitly set to false")
        refused = sorted(_NOT_STRICT & part.keys())
        if part.get("minItems", 0) > 1:
            refused.append("minItems")
        if refused:
            raise invalid(f"{where}: For '{kind}' type, {', '.join(refused)} is not supported")


def _subschemas(schema: object) -> Iterator[Json]:
    """The schema and every schema in it; properties that happen to be called `minimum` are no keywords."""
    if not is_object(schema):
        return
    yield schema
    inner: list[Any] = [schema.get("items")]
    for name in ("properties", "$defs"):
        named = schema.get(name)
        inner += named.values() if is_object(named) else ()
    for name in ("anyOf", "oneOf", "allOf"):
        listed = schema.get(name)
        inner += listed if is_array(listed) else ()
    for part in inner:
        yield from _subschemas(part)


def tool_choice(prompt: Prompt) -> None:
    """A choice needs tools; `any` and `tool` are refused by models that think on their own terms, or are thinking."""
    choice = prompt.body.get("tool_choice")
    if not is_object(choice):
        return
    kind = choice.get("type")
    if kind not in ("auto", "any", "tool", "none"):
        raise invalid("tool_choice.type: Input should be 'auto', 'any', 'tool' or 'none'")
    if not prompt.tools:
        raise invalid("tool_choice: may only be specified while providing tools")
    if kind in ("any", "tool") and not prompt.model.forced_tools:
        raise invalid(f"tool_choice.type: {kind!r} is not supported by {prompt.model.id}")
    if kind in ("any", "tool") and prompt.thinking.get("type") != "disabled":
        raise invalid("Thinking may not be enabled when tool_choice forces tool use.")
    if kind == "tool" and choice.get("name") not in [tool.get("name") for tool in prompt.tools]:
        raise invalid(f"tool_choice: Tool {choice.get('name')!r} not found in provided tools")


TOOL_RULES: tuple[Callable[[Prompt], None], ...] = (
    tools_are_well_defined,
    strict_tools_fit_one_grammar,
    output_format_is_strict,
    tool_choice,
)
