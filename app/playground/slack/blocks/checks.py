"""Checks of single values in blocks: each returns the problem in Slack's words.

Pure. `rules` assigns checks to fields.
"""

import re
from collections.abc import Callable
from math import inf
from typing import Any, cast

_DECIMAL = re.compile(r"-?\d+(\.\d+)?")

#: Returns the problem of a value in Slack's words; None if there is none.
Check = Callable[[Any], str | None]


def require_at_most(most: int) -> Check:
    """Return a check for a string of at most `most` characters, which may be empty."""

    def check(value: Any) -> str | None:
        if not isinstance(value, str):
            return "must provide a string"
        return f"must be less than {most + 1} characters" if len(value) > most else None

    return check


def require_characters(most: int) -> Check:
    """Return a check for a string of 1 to `most` characters."""
    short_enough = require_at_most(most)
    return lambda value: "must be more than 0 characters" if value == "" else short_enough(value)


def require_items(most: int, least: int = 1) -> Check:
    """Return a check for an array of `least` to `most` items."""

    def check(value: Any) -> str | None:
        if not isinstance(value, list):
            return "must provide an array"
        count = len(cast(list[Any], value))
        if count < least:
            return f"no less than {least} items allowed"
        return f"no more than {most} items allowed" if count > most else None

    return check


def require_word(*allowed: str) -> Check:
    """Return a check for one of these strings."""
    return lambda value: None if value in allowed else "must be a valid enum value"


def require_one_of(*types: str) -> Check:
    """Return a check for an object of one of these types."""

    def check(value: Any) -> str | None:
        kind = cast(dict[str, Any], value).get("type") if isinstance(value, dict) else None
        return None if kind in types else f"must be a {' or '.join(types)} object"

    return check


def require_between(least: int, most: float = inf) -> Check:
    """Return a check for an integer within these bounds."""

    def check(value: Any) -> str | None:
        if not isinstance(value, int):
            return "must provide an integer"
        if value < least:
            return f"must be greater than or equal to {least}"
        return f"must be less than or equal to {most}" if value > most else None

    return check


def check_flag(value: Any) -> str | None:
    """Check that the value is a boolean."""
    return None if isinstance(value, bool) else "must provide a boolean"


def check_decimal(value: Any) -> str | None:
    """Check that the value is a number as text, which is Slack's form for the bounds of a number."""
    if not isinstance(value, str):
        return "must provide a string"
    return None if _DECIMAL.fullmatch(value) else "must be a valid number"


def require_fields(required: tuple[str, ...], optional: tuple[str, ...] = ()) -> Check:
    """Return a check for an object with these fields and no others."""

    def check(value: Any) -> str | None:
        if not isinstance(value, dict):
            return "must provide an object"
        given = cast(dict[str, Any], value)
        if missing := next((name for name in required if name not in given), None):
            return f"missing required field: {missing}"
        strange = sorted(given.keys() - {*required, *optional})
        return f"invalid additional property: {strange[0]}" if strange else None

    return check


def allow_null(check: Check) -> Check:
    """Return a check that allows null beside the values of `check`."""
    return lambda value: None if value is None else check(value)
