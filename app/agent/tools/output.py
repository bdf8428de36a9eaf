"""Results of tools as the model reads them: JSON that begins with the outcome and ends with what to do next."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolResult:
    """Text for the model, and the places that it came from."""

    text: str
    sources: tuple[str, ...] = ()
    """Slack's ids of channels, or labels of other conversations."""
    failed: bool = False
    """True if the tool itself says that it did not do what was asked."""
    noted: bool = False
    """True for a note that was taken as it was given: nothing of it has to be said to people."""


def report(action: str, /, *, result: str = "success", **fields: Any) -> str:
    """Return the outcome, the fields in their order, and last what the model should do next, unless it is empty."""
    told = {"result": result, **fields, **({"action": action} if action else {})}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def count_items(count: int, one: str) -> str:
    """Return how many items there are, in words: `one` is the name of a single one, and takes an s."""
    return f"{count or 'no'} {one if count == 1 else f'{one}s'}"


def report_findings(query: Mapping[str, Any], action: str, **found: Any) -> str:
    """Return what was asked for and what was found. If all of it is empty, the outcome is `no_results`."""
    return report(action, result="success" if any(found.values()) else "no_results", query=query, **found)


LEFT_OUT = "…(the result is too long: {count} more characters are left out. Ask for less at once, or say that.)"


def shorten_result(text: str, most: int) -> str:
    """Return a result in at most `most` characters, with a remark on how many are left out."""
    if len(text) <= most:
        return text
    kept = max(most - len(LEFT_OUT), 0)
    return text[:kept] + LEFT_OUT.format(count=len(text) - kept)
