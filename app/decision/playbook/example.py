"""The worked example: a finished decision to look at and to try things on.

One file for each step holds the person's messages and the resulting record. The people in it are invented.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from app.decision.playbook.playbook import proact
from app.decision.schema.handles import names_of, to_draft
from app.decision.schema.paths import Draft


def question() -> str:
    """Return the decision question."""
    return str(drafts()["problem_frame"]["focal_decision"]["statement"])


@cache
def drafts() -> Mapping[str, Draft]:
    """Return the result of each step, by handle. All callers share it, so it must not be changed."""
    components = proact().components
    records = {each.key: _step(each.key)["record"] for each in components}
    names = names_of(records.values())
    return MappingProxyType({each.key: to_draft(each, records[each.key], names) for each in components})


def said(key: str) -> tuple[str, ...]:
    """Return the person's messages in a step. Raises `FileNotFoundError` if there is no such step."""
    return tuple(_step(key)["said"])


@cache
def _step(key: str) -> dict[str, Any]:
    return json.loads((files("app.decision.playbook") / "example" / f"{key}.json").read_text("utf-8"))
