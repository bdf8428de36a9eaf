"""Components: the steps of a decision as data. Their rules are named here and written elsewhere.

Knows neither where components are stored (`app.decision.playbook.playbook`) nor what people said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cached_property
from typing import Annotated, Any, Self, cast

from jsonschema import FormatChecker, validators
from jsonschema.protocols import Validator
from jsonschema.validators import Draft202012Validator
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from app.core.file_content import FileKind
from app.core.state.interview import Phase
from app.decision.schema.paths import omit

Key = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z_]{1,40}$")]
Prefix = Annotated[str, StringConstraints(pattern=r"^[A-Z]{1,2}$")]
Text = Annotated[str, StringConstraints(min_length=1)]


def _is_whole(_: object, value: object) -> bool:
    """JSON Schema takes 2.0 for an integer, but a rating must not print as +2.0."""
    return type(value) is int


_WHOLE = Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_whole)
_STRICT: Any = cast(Any, validators).extend(Draft202012Validator, type_checker=_WHOLE)


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Criterion(_Data):
    """A condition for approval: at least `least` elements or characters at each place of the path.

    If the criterion has a `rule`, that rule judges it. The path then only tells what the criterion is about.
    """

    path: str = ""
    least: int = Field(default=0, ge=0)
    need: Text
    """The lack in words; `{item}` is the item that has it."""
    rule: str = ""
    is_written_up: bool = False
    """True for what the write-up makes of the talk: approval needs it, and nobody in the talk is asked for it."""

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        if bool(self.rule) == bool(self.least and self.path):
            raise ValueError("a criterion has a rule, or else a path and a least number")
        return self


class KeyedList(_Data):
    """A list for the model that is a map in the record, because strict tools know no maps.

    The `key` fields, joined by colons, become the key. The value is the whole row (`*`), the other fields (empty), or
    one field.
    """

    path: Text
    key: tuple[Text, ...] = Field(min_length=1)
    value: str


class Readiness(_Data):
    """Earliest moment of an automatic extraction, measured by what people have said."""

    messages: int = Field(ge=0)
    mentions: tuple[Text, ...] = ()
    """Without a model, these words decide instead of the count, if there are any."""
    done: tuple[Text, ...]
    """Phrases with which people say that they are done."""


class FirstQuestion(_Data):
    """A question with buttons that a step asks at its start, if an earlier step left items to choose from."""

    prompt: Text
    among: Text
    """Path of the items, starting with the component."""
    chosen: str = ""
    """Path of the item that an earlier step chose already: then nobody is asked to choose."""


class Component(_Data):
    """One step of a decision. Each conversation stores the versions of its prompt and schema."""

    key: Key
    order: int = Field(ge=1)
    title: Text
    purpose: Text
    after: str = ""
    """Component that must be started before this one; empty if none."""
    closes_decision: bool = False
    """True if completing this component allows closing the decision."""
    first_question: FirstQuestion | None = None
    confirm_question: Text
    approve: Text = "Approve"
    """Label of the approval button."""
    sheet: Text = "lists"
    """Name of the presenter of the result (`app.decision.layout.sheets`). `lists` can present any result."""
    from_tables: bool = False
    """True if the rows and columns of a table can become the items and amounts of a result."""
    deadline: str = ""
    """Path of the decision's due date; empty if this component has none."""
    question: str = ""
    """Path of the question that the decision is to answer; empty if this component does not word it."""
    long_discussion: bool = False
    """True if there is more to talk about than in other components, so that the maximum of turns is higher."""
    concerns: tuple[Key, ...] = ()
    """Later components to review if this one changes."""
    findings: tuple[Text, ...] = ()
    """Names of what earlier steps found and this one works on (`app.decision.playbook.found_so_far`)."""
    terms: tuple[Text, ...] = ()
    """Words of the method that this step uses."""
    explained: tuple[Text, ...] = ()
    """Those of them that its opening explains to people."""
    lacking: Mapping[str, Text] = Field(default_factory=dict)
    """What is said of a place in earlier results, by its path, if nothing is there."""
    summary_headings: tuple[Text, ...] = Field(min_length=1)
    prompt_version: Text
    schema_version: Text
    context_tokens: int = Field(gt=0)
    reserved_tokens: int = Field(gt=0)
    """Tokens of the context that are reserved for the answer."""
    readiness: Readiness
    rules: tuple[Text, ...] = ()
    mends: tuple[Text, ...] = ()
    """Derivations that the server writes into a draft, in this order."""
    kept: tuple[Text, ...] = ()
    """Paths that the server fills and the model is never asked for."""
    handles: Mapping[str, Prefix] = Field(default_factory=dict)
    """Paths of the items that get ids from the server, each with the prefix of its handles."""
    references: Mapping[str, tuple[Prefix, ...]] = Field(default_factory=dict)
    """Paths of references to such items, each with the prefixes that it allows."""
    keyed: tuple[KeyedList, ...] = ()
    aliases: Mapping[str, Mapping[str, str]] = Field(default_factory=dict)
    """Synonyms of a value, by path."""
    criteria: tuple[Criterion, ...] = ()
    texts: Mapping[str, str] = Field(default_factory=dict)
    """Sentences of this component by name."""
    json_schema: Mapping[str, Any]
    """Form that the model fills in. Items have handles, and no other fields are allowed."""
    opening: Text
    guidance: Mapping[Phase, Text]

    @cached_property
    def asked_schema(self) -> Mapping[str, Any]:
        """Return the schema without the fields that the server fills, and without demanding what has to be said.

        That is what a criterion asks for, or what is due beside another value: it may stay open in a submission.
        """
        schema = deepcopy(dict(self.json_schema))
        for path in self.kept:
            *outer, last = path.split(".")
            node = schema
            for step in outer:
                node = node["properties"][step.removesuffix("[]")]
                node = node["items"] if step.endswith("[]") else node
            del node["properties"][last]
            if "required" in node:
                node["required"] = [each for each in node["required"] if each != last]
        _open(schema, "", schema, [each.path for each in self.criteria if each.path])
        asked = str(omit(schema, "$defs"))
        for name in [each for each in schema.get("$defs", {}) if f"#/$defs/{each}'" not in asked]:
            del schema["$defs"][name]
        return schema

    @cached_property
    def parts(self) -> Mapping[str, Mapping[str, Any]]:
        """Return all parts outside of items that the model is asked for, by path, with objects expanded."""
        return dict(_walk_parts(self.asked_schema, []))

    def can_draft_from(self, kind: FileKind) -> bool:
        """Return True if a draft can be made from such a file alone, citing its cells, pages or document."""
        return self.from_tables if kind is FileKind.TABLE else kind is not FileKind.IMAGE

    @property
    def tool(self) -> str:
        """Return the name of the finalization tool."""
        return f"submit_{self.key}"

    @cached_property
    def validator(self) -> Validator:
        """Return a validator that checks formats too and takes no float, not even 2.0, for an integer."""
        return _STRICT(_inline(self.json_schema, self.json_schema), format_checker=FormatChecker())

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        if set(self.guidance) != set(Phase):
            raise ValueError(f"{self.key}: guidance is due for each phase")
        Draft202012Validator.check_schema(self.json_schema)
        keyed = [keyed.path for keyed in self.keyed]
        asked = [each.path for each in self.criteria]
        for path in (
            *self.handles,
            *self.references,
            *self.kept,
            *keyed,
            *self.aliases,
            *asked,
            self.deadline,
            self.question,
        ):
            if path and find_subschema(self.json_schema, path.replace("[]", ".[]").split(".")) is None:
                raise ValueError(f"{self.key}: the schema has no {path!r}")
        return self


def _open(node: dict[str, Any], path: str, root: Mapping[str, Any], asked: list[str]) -> None:
    """Let a value be left out, and a list be short, at these paths and at those that hold them."""
    if path in asked:
        node.pop("minItems", None)
    for condition in ("if", "then"):
        node.pop(condition, None)
    inner = {f"{path}.{name}".lstrip("."): each for name, each in node.get("properties", {}).items()}
    wanted = {each for each in inner if any(f"{one}.".startswith(f"{each}.") for one in asked)}
    free = {each.rpartition(".")[2] for each in wanted if resolve(root, inner[each]).get("type") != "array"}
    if "required" in node:
        node["required"] = [each for each in node["required"] if each not in free]
    for name, each in inner.items():
        _open(each, name, root, asked)
    if "items" in node:
        _open(node["items"], f"{path}[]", root, asked)


def find_subschema(schema: Mapping[str, Any], steps: list[Any]) -> dict[str, Any] | None:
    """Return the part of the schema that governs a place, resolved."""
    node = resolve(schema, schema)
    for step in steps:
        is_element = isinstance(step, int) or step == "[]"
        inner = node.get("items") if is_element else node.get("properties", {}).get(step)
        if inner is None:
            return None
        node = resolve(schema, inner)
    return node


def _walk_parts(schema: Mapping[str, Any], steps: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    here = find_subschema(schema, [*steps]) or {}
    for name in here.get("properties", {}):
        part = find_subschema(schema, [*steps, name]) or {}
        if part.get("type") == "object":
            yield from _walk_parts(schema, [*steps, name])
        else:
            yield ".".join([*steps, name]), {"type": "", **part}


def generalize_path(steps: list[Any]) -> str:
    """Return the path of a place without indexes, as criteria write it."""
    return re.sub(r"\.(?=\[)", "", ".".join("[]" if isinstance(step, int) else step for step in steps))


def resolve(schema: Mapping[str, Any], node: Mapping[str, Any]) -> dict[str, Any]:
    """Return a part of the schema with what it refers to. Keywords beside a `$ref` override its target."""
    reference = node.get("$ref", "")
    target: dict[str, Any] = schema["$defs"][reference.rsplit("/", 1)[1]] if reference else {}
    return {**target, **node}


def _inline(schema: Mapping[str, Any], node: Any) -> Any:
    """Return the node with what it refers to in the place of references: to look them up takes longer than to check."""
    if isinstance(node, list):
        return [_inline(schema, each) for each in cast("list[Any]", node)]
    if isinstance(node, Mapping):
        whole = resolve(schema, cast("Mapping[str, Any]", node))
        return {name: _inline(schema, each) for name, each in whole.items() if name not in ("$ref", "$defs")}
    return node
