"""Files of the scripted demo model: the things that a person lists, as rows, as JSON or as a list. Pure."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from app.playground.claude.rehearsal_hearing import shortened

_NAME = "From our conversation"
_LONGEST_NAME = 80
_HEADER = ("No.", "What")
_SPLIT = re.compile(r"\s*[,;\n]\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_FORMAT = re.compile(r"\b(csv|json|markdown)\b", re.IGNORECASE)
_CALLED = re.compile(
    r"\b(?:called|named) [\"“]?(?P<name>[^:\"”]+?)[\"”]?(?= (?:of|from|with)\b|:|[.!?]?$)", re.IGNORECASE
)


def format_in(words: str) -> str | None:
    """The format that words name, as `create_file` calls it; None if they name none."""
    found = _FORMAT.search(words)
    return found[1].lower() if found else None


def name_in(words: str) -> str | None:
    """What a file shall be called; None if the words do not say."""
    found = _CALLED.search(words)
    return shortened(found["name"], _LONGEST_NAME) if found else None


def items_of(words: str) -> list[str]:
    """The things that are listed, one or more."""
    listed = (item.strip(' -•*."“”') for item in _SPLIT.split(words))
    return [item for item in listed if item]


def file_of(items: Sequence[str], kind: str | None, name: str | None) -> Mapping[str, Any]:
    """A file of these things, as `create_file` takes it."""
    given: dict[str, Any] = {"name": name or _NAME, "format": kind or "markdown"}
    match kind:
        case "csv":
            return given | {"rows": [list(_HEADER), *([n, item] for n, item in enumerate(items, 1))]}
        case "json":
            return given | {"content": json.dumps(list(items), ensure_ascii=False)}
        case _:
            return given | {"content": "\n".join(f"- {item}" for item in items)}


def items_in(given: Mapping[str, Any]) -> list[str]:
    """The things that a file of ours holds."""
    match given["format"]:
        case "csv":
            return [str(row[1]) for row in given["rows"][1:]]
        case "json":
            return list(json.loads(given["content"]))
        case _:
            return [line.removeprefix("- ") for line in str(given["content"]).splitlines()]
