"""What a component is: one step of a decision, as data. Its rules are named here and written elsewhere.

Knows neither where components are kept (`app.decision.playbook`) nor what people said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from functools import cached_property
from typing import Annotated, Any, Self, cast

from jsonschema import FormatChecker, validators
from jsonschema.protocols import Validator
from jsonschema.validators import Draft202012Validator
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from app.core.states import Phase

Key = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z_]{1,40}$")]
Prefix = Annotated[str, StringConstraints(pattern=r"^[A-Z]{1,2}$")]
Text = Annotated[str, StringConstraints(min_length=1)]


def _is_whole(_: object, value: object) -> bool:
    """JSON Schema takes 2.0 for an integer; a rating that prints as +2.0 is none."""
    return type(value) is int


_WHOLE = Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_whole)
_STRICT: Any = cast(Any, validators).extend(Draft202012Validator, type_checker=_WHOLE)


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Criterion(_Data):
    """What has to be there before a person can approve: `least` elements or characters at each place of the path.

    A criterion with a `rule` is judged by that rule, which says more exactly what is needed; its path only says what it
    is about.
    """

    path: str = ""
    least: int = Field(default=0, ge=0)
    need: Text
    """What is still needed, in words; `{item}` is the item that lacks it."""
    rule: str = ""

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        if bool(self.rule) == bool(self.least and self.path):
            raise ValueError("a criterion has a rule, or else a path and a least number")
        return self


class Keyed(_Data):
    """A list for the model that is a map in the record, since strict tools know no maps.

    The `key` fields, joined by colons, become the key. The value is the whole row (`*`), the rest of it (empty) or one
    of its fields.
    """

    path: Text
    key: tuple[Text, ...] = Field(min_length=1)
    value: str


class Readiness(_Data):
    """The earliest moment of an automatic extraction, by what people have said (S0-230 to S0-235)."""

    messages: int = Field(ge=0)
    mentions: tuple[Text, ...] = ()
    """If there are any, then without a model it is these that decide and not the count."""
    done: tuple[Text, ...]
    """How people say that this was all."""


class FirstQuestion(_Data):
    """What a step asks with buttons as soon as it begins, if an earlier one has left anything to choose from."""

    prompt: Text
    among: Text
    """Where the items stand, the component first."""


class Component(_Data):
    """One step of a decision. Prompt and schema versions are kept with each conversation (S0-014)."""

    key: Key
    order: int = Field(ge=1)
    title: Text
    purpose: Text
    after: str = ""
    """The component that has to be started before; empty if none."""
    closes_decision: bool = False
    """True if the decision can be closed when this one is complete."""
    first_question: FirstQuestion | None = None
    confirm_question: Text
    approve: Text = "Approve"
    """The label of the button that approves."""
    sheet: Text = "lists"
    """Who lays the result out for people (`app.decision.sheets`); anything can be laid out as lists."""
    deadline: str = ""
    """Where the date stands by which the decision is due; empty if this component has none."""
    discuss_turns: int = Field(default=10, ge=1)
    """Turns after which a discussion ends by itself (S4-012)."""
    concerns: tuple[Key, ...] = ()
    """Later components to be looked at again when this one changes (domain 8)."""
    summary_headings: tuple[Text, ...] = Field(min_length=1)
    prompt_version: Text
    schema_version: Text
    context_tokens: int = Field(gt=0)
    reserved_tokens: int = Field(gt=0)
    """Of the context, for the answer (S0-239)."""
    readiness: Readiness
    rules: tuple[Text, ...] = ()
    mends: tuple[Text, ...] = ()
    """What the server writes itself, in this order."""
    kept: tuple[Text, ...] = ()
    """Where the server keeps something that no model is asked for."""
    handles: Mapping[str, Prefix] = Field(default_factory=dict)
    """Where items are that the server gives ids, and with which letters their handles begin."""
    references: Mapping[str, tuple[Prefix, ...]] = Field(default_factory=dict)
    """Where handles of such items stand, and of which kind they are."""
    keyed: tuple[Keyed, ...] = ()
    aliases: Mapping[str, Mapping[str, str]] = Field(default_factory=dict)
    """Other names for the same, by path."""
    criteria: tuple[Criterion, ...] = ()
    texts: Mapping[str, str] = Field(default_factory=dict)
    """Sentences of this component, by name."""
    json_schema: Mapping[str, Any]
    """What the model fills in: items by handle, nothing that the schema does not name."""
    opening: Text
    guidance: Mapping[Phase, Text]

    @cached_property
    def asked_schema(self) -> Mapping[str, Any]:
        """The schema without what the server keeps to itself."""
        schema = deepcopy(dict(self.json_schema))
        for path in self.kept:
            *outer, last = path.split(".")
            node = schema
            for step in outer:
                node = node["properties"][step]
            del node["properties"][last]
        return schema

    @property
    def tool(self) -> str:
        """The name of the finalisation tool (S4-041)."""
        return f"submit_{self.key}"

    @cached_property
    def validator(self) -> Validator:
        """Checks formats as well; no number with a fraction, not even of zero, is a whole one."""
        return _STRICT(self.json_schema, format_checker=FormatChecker())

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        if set(self.guidance) != set(Phase):
            raise ValueError(f"{self.key}: guidance is due for each phase")
        Draft202012Validator.check_schema(self.json_schema)
        keyed = [keyed.path for keyed in self.keyed]
        asked = [each.path for each in self.criteria]
        for path in (*self.handles, *self.references, *self.kept, *keyed, *self.aliases, *asked, self.deadline):
            if path and subschema(self.json_schema, path.replace("[]", ".[]").split(".")) is None:
                raise ValueError(f"{self.key}: the schema has no {path!r}")
        return self


def subschema(schema: Mapping[str, Any], steps: list[Any]) -> dict[str, Any] | None:
    """The part of the schema that governs a place; what is said beside a `$ref` goes before what it refers to."""
    node = _resolved(schema, schema)
    for step in steps:
        is_element = isinstance(step, int) or step == "[]"
        inner = node.get("items") if is_element else node.get("properties", {}).get(step)
        if inner is None:
            return None
        node = _resolved(schema, inner)
    return node


def general(steps: list[Any]) -> str:
    """The path of a place without the indexes, as criteria write it."""
    return re.sub(r"\.(?=\[)", "", ".".join("[]" if isinstance(step, int) else step for step in steps))


def _resolved(schema: Mapping[str, Any], node: Mapping[str, Any]) -> dict[str, Any]:
    reference = node.get("$ref", "")
    target: dict[str, Any] = schema["$defs"][reference.rsplit("/", 1)[1]] if reference else {}
    return {**target, **node}
