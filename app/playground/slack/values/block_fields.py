"""Reading of unchecked Block Kit: every field is there, or empty.

Knows JSON's shapes, not their meaning.
"""

from typing import Any, cast

Json = dict[str, Any]


def read_mapping(value: object) -> Json:
    """Return the object, or an empty one in place of anything else."""
    return cast(Json, value) if isinstance(value, dict) else {}


def read_items(value: object) -> list[object]:
    """Return the items of an array, none in place of anything else."""
    return cast(list[object], value) if isinstance(value, list) else []


def read_mappings(value: object) -> list[Json]:
    """Return the objects of an array, leaving out its other items."""
    return [cast(Json, item) for item in read_items(value) if isinstance(item, dict)]


def read_text(value: object) -> str:
    """Return the string, or an empty one in place of anything else."""
    return value if isinstance(value, str) else ""
