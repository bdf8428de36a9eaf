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

from app.decision.playbook.playbook import load_proact
from app.decision.schema.handles import build_draft, map_handles
from app.decision.schema.paths import Draft


def read_question() -> str:
    """Return the decision question."""
    return str(load_drafts()["problem_frame"]["focal_decision"]["statement"])


@cache
def load_drafts() -> Mapping[str, Draft]:
    """Return the result of each step, by handle. All callers share it, so it must not be changed."""
    components = load_proact().components
    records = {each.key: _load_step(each.key)["record"] for each in components}
    names = map_handles(records.values())
    return MappingProxyType({each.key: build_draft(each, records[each.key], names) for each in components})


def list_said(key: str) -> tuple[str, ...]:
    """Return the person's messages in a step. Raises `FileNotFoundError` if there is no such step."""
    return tuple(_load_step(key)["said"])


@cache
def _load_step(key: str) -> dict[str, Any]:
    return json.loads((files("app.decision.playbook") / "example" / f"{key}.json").read_text("utf-8"))
