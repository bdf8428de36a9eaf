"""Tools: one description for all of them, and two ways to run.

A `PureTool` tries a call on the conversation. An `ExternalTool` also reaches outside of it, through ports.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel, ConfigDict

from app.agent.claude.capabilities import inline_references
from app.agent.tools.context import Access, Offer, PermissionPrompt, TurnContext
from app.agent.tools.output import ToolResult
from app.agent.tools.trial import Trial
from app.core.state.interview import Phase
from app.decision.schema.component import Component


class Input(BaseModel):
    """Input of a tool. A field that it does not name is refused.

    The model reads the schema, with the names and docstrings of inputs and the values of enums: none may change.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)


class Nothing(Input):
    """Input of a tool that needs none."""


LONG = 500
"""Characters of a text that nobody reaches without being told: such a bound is not described."""

I = TypeVar("I", bound=Input)  # noqa: E741
T = TypeVar("T", bound=Trial)


@cache
def build_schema(shape: type[Input]) -> dict[str, Any]:
    """Return the schema of an input. It is made once and sent with each request, so it must not be changed.

    Pydantic takes half a millisecond to make one, and every other conversation would wait for it.
    """
    whole = shape.model_json_schema()
    for each in whole.get("$defs", {}).values():
        if "enum" in each:
            each.pop("description", None)  # of its class; what a field is about, the field says
    return _strip(inline_references(whole))


def _strip(node: Any, *, is_map: bool = False) -> Any:
    """Return the schema without what tells the model nothing, since a refusal names it: titles, docstrings, defaults,
    that nothing else may be given, null for what is left out, and the type of a list of values. What a yes or no is
    when it is left out follows from its description.

    In a map of properties or definitions the keys are names.
    """
    if isinstance(node, list):
        return [_strip(each) for each in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    known = _leave_out_null(cast("dict[str, Any]", node))
    return {
        key: _strip(each, is_map=not is_map and key in ("properties", "$defs"))
        for key, each in known.items()
        if is_map or not (_is_noise(key, each) or (key == "type" and "enum" in known))
    }


def _leave_out_null(node: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a field that may be left out without saying that null stands for that."""
    choices: list[dict[str, Any]] = node.get("anyOf", [])
    if len(choices) != 2 or choices[1] != {"type": "null"}:
        return node
    return choices[0] | {key: each for key, each in node.items() if key not in ("anyOf", "default")}


def describe_once(specs: Iterable[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return the tools with each description of a field at its first place only: the next field of it has its name."""
    seen = set[str]()
    return tuple({**spec, "input_schema": _describe_once(spec["input_schema"], seen)} for spec in specs)


def _describe_once(node: Any, seen: set[str], *, is_map: bool = False) -> Any:
    if isinstance(node, list):
        return [_describe_once(each, seen) for each in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    kept = dict[str, Any]()
    for key, each in cast("dict[str, Any]", node).items():
        if not is_map and key == "description":
            if each in seen:
                continue
            seen.add(each)
        kept[key] = _describe_once(each, seen, is_map=not is_map and key in ("properties", "$defs"))
    return kept


def _is_noise(key: str, value: Any) -> bool:
    return (
        key == "title"
        or key == "additionalProperties"
        or (key == "minLength" and value == 1)
        or (key == "maxLength" and value >= LONG)
        or (key == "default" and (value in ("", [], {}) or isinstance(value, bool)))
        or (key == "description" and str(value).startswith("Input of "))
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class ToolSpec(Generic[I]):
    """Description of a tool: what the model reads, when it may be called, and what the owner is asked.

    A tool equals itself alone: the schema that a server gives has no hash.
    """

    name: str
    description: str
    input: type[I]
    availability: frozenset[Phase] = frozenset(Phase)
    """Phases in which the toolset of an interview lets it be called. A free thread has no phases."""
    suits: Callable[[Component], bool] = lambda _: True
    """Tells whether the interview of a component offers it."""
    properties: Callable[[Component], Mapping[str, Any]] = lambda _: {}
    """Properties of the input that each component describes in its own way; None for one that it does not offer."""
    access: Access
    prompt: Callable[[TurnContext, I], Awaitable[PermissionPrompt]] | None = None
    """What the owner is asked before it writes. A tool that reads has it if a policy may forbid a scope of it."""
    scopes: str = ""
    """Pattern of the scopes of its prompts; empty without a prompt."""

    def describe(self, component: Component | None = None) -> dict[str, Any]:
        """Return the tool as the API wants it; the same for the whole of a conversation."""
        schema = build_schema(self.input)
        if component is not None:
            whole = {**schema["properties"], **self.properties(component)}
            schema = {**schema, "properties": {name: each for name, each in whole.items() if each is not None}}
        return {"name": self.name, "description": self.description, "input_schema": schema}


@dataclass(frozen=True, kw_only=True, eq=False)
class PureTool(ToolSpec[I], Generic[T, I]):
    """A tool that tries a call on the conversation, and sees no port.

    `run` raises `IllegalEvent` with words for the model, and has changed nothing then.
    """

    access: Access = Access.NONE
    run: Callable[[T, I], ToolResult]


@dataclass(frozen=True, kw_only=True, eq=False)
class ExternalTool(ToolSpec[I]):
    """A tool that reaches outside of its thread.

    `run` and `prompt` raise `OutOfReach` with words for the model. An `address` in the result is where people find
    what was made. Plain text instead of a `ToolResult` names no source: nobody else may read it unasked.
    """

    run: Callable[[TurnContext, I], Awaitable[ToolResult | str]]
    delegates: bool = False
    """True if it has `TurnContext.subtasks`, and the time for them."""
    offered: Offer = Offer.FREE
    brief: str = ""
    """What it finds, in a few words, for a list of tools that read (`look_up`). A tool without that is sent whole."""
    working: Callable[[Mapping[str, Any]], str] = lambda _: ""
    """Return what it is about to do, from its input as the model wrote it: *reading #ops*."""
    trace: Callable[[Mapping[str, Any]], str] = lambda _: ""
    """Return what it has looked at or done, from the fields of its result: *#ops (20 messages)*, *posted to #ops*. What
    begins with *1* is counted together with its like: *1 conversation*. Neither may quote anything or hold an id: all
    who read the thread see it. Without words, the name of the tool stands there."""
    tell: Callable[[Mapping[str, Any]], str] = lambda _: ""
    """Return what came of it in a sentence for people, from the fields of its result. Without words, it says that it
    was used. The fields are data of others, which the caller cleans and cuts."""
    links: Callable[[Mapping[str, Any]], Sequence[tuple[str, str]]] = lambda _: ()
    """Return title and address of the web pages that it comes from, from the fields of its result. The answer names
    them below its words."""
    seconds: float = 0.0
    """Seconds that it may take, where that is more than others may."""
    is_repeatable: bool = False
    """True for a write that leaves nothing behind: one that was broken off may be done again, and nobody has to look
    whether it was done."""
