"""Check of data against the schema of its component: invalid, missing and unknown fields.

An unmet criterion is no error of a draft: after little talk, the draft states what is still needed. Rules beyond one
schema are not checked here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from jsonschema.exceptions import ValidationError

from app.decision.schema.component import Component, find_subschema, generalize_path
from app.decision.schema.findings import Issue, IssueKind
from app.decision.schema.outline import LEFT_OUT
from app.decision.schema.paths import ROOT
from app.decision.schema.similarity import suggest_name

_PROBLEMS: Final = {
    "type": "wrong type",
    "enum": "not one of these",
    "pattern": "not a handle of this kind",
    "format": "no such date",
    "minLength": "too short",
    "maxLength": "too long",
    "minimum": "too low",
    "maximum": "too high",
    "minItems": "too few",
    "maxItems": "too many",
}


def find_schema_issues(component: Component, data: Any) -> tuple[Issue, ...]:
    """Return all errors, each field once, in the order of the data."""
    found: dict[tuple[IssueKind, str], Issue] = {}
    errors = sorted(component.validator.iter_errors(data), key=lambda error: list(map(str, error.absolute_path)))
    for error in errors:
        for issue, path in _build_issues(component, error):
            if not _is_asked_by_a_criterion(component, error, path):
                found.setdefault((issue.kind, issue.field), issue)
    return tuple(found.values())


def breaks_form(component: Component, data: Any) -> bool:
    """Return True if the data has errors other than values that people may not have said yet."""
    return any(not each.waits for each in find_schema_issues(component, data))


def describe_requirement(schema: dict[str, Any]) -> str:
    """Return the condition that a value has to meet, in words."""
    if "pattern" in schema and "description" in schema:
        return f"a {schema['description']}"
    words = f"one of {', '.join(map(str, schema['enum']))}" if "enum" in schema else _describe_type(schema)
    return f"{words}; {schema['description']}" if "description" in schema else words


def _build_issues(component: Component, error: ValidationError) -> Iterator[tuple[Issue, list[Any]]]:
    """Yield the issues of an error, each with the steps to its field."""
    here: list[Any] = list(error.absolute_path)
    instance: Any = error.instance
    governing: Any = error.schema
    match error.validator:
        case "required":
            for name in governing["required"]:
                if name not in instance:
                    path = [*here, name]
                    wanted, waits = _describe_required(component, path), "then" in error.absolute_schema_path
                    yield Issue(_format_path(path), wanted, kind=IssueKind.MISSING, waits=waits), path
        case "additionalProperties":
            for name in [name for name in instance if name not in governing["properties"]]:
                meant = suggest_name(name, _list_writable(governing["properties"]))
                yield Issue(_format_path([*here, name]), meant, kind=IssueKind.UNKNOWN), [*here, name]
        case _:
            problem = "empty text" if instance == "" else _PROBLEMS.get(str(error.validator), "not allowed")
            yield Issue(_format_path(here), _describe_required(component, here), problem, instance), here


def _list_writable(properties: dict[str, Any]) -> list[str]:
    """Return the fields that the model writes."""
    return [name for name, each in properties.items() if not each.get("description", "").startswith(LEFT_OUT)]


def _is_asked_by_a_criterion(component: Component, error: ValidationError, path: list[Any]) -> bool:
    if error.validator not in ("required", "minItems", "minLength"):
        return False
    asked = [criterion.path for criterion in component.criteria]
    name = generalize_path(path)
    return name in asked or (error.validator == "required" and any(each.startswith(f"{name}.") for each in asked))


def _describe_required(component: Component, path: list[Any]) -> str:
    return describe_requirement(find_subschema(component.json_schema, path) or {})


def _format_path(path: list[Any]) -> str:
    return ".".join(map(str, path)) or ROOT


def _describe_type(schema: dict[str, Any]) -> str:
    match schema.get("type"):
        case "string" if "maxLength" in schema:
            return f"a text of {_describe_length(schema.get('minLength', 0), schema['maxLength'])} characters"
        case "string":
            return "a date (YYYY-MM-DD)" if schema.get("format") == "date" else "a text"
        case "integer" | "number" as kind:
            name = "a whole number" if kind == "integer" else "a number"
            return f"{name} from {schema['minimum']} to {schema['maximum']}" if "maximum" in schema else name
        case "array":
            return f"a list of {_describe_length(schema.get('minItems', 0), schema['maxItems'])}"
        case "boolean":
            return "true or false"
        case _:
            return "an object"


def _describe_length(least: int, most: int) -> str:
    return f"{least} to {most}" if least > 1 else f"at most {most}"
