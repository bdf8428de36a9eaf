"""The worked examples: finished decisions to look at and to try things on.

Each is a folder with one file for each step, which holds the person's messages and the result: a record with ids, or a
draft with handles. The people are invented.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from app.decision.playbook.playbook import load_proact
from app.decision.schema.handles import build_draft, map_handles
from app.decision.schema.paths import Draft

_FOLDERS: Final = ("example", "second_example")
"""In the order in which they are offered. A decision that names no question is of the first."""


@cache
def list_questions() -> tuple[str, ...]:
    """Return the decision questions of the examples. Each names its example."""
    frames = (_load_drafts(each)["problem_frame"] for each in _FOLDERS)
    return tuple(str(each["focal_decision"]["statement"]) for each in frames)


def read_question() -> str:
    """Return the decision question of the first example."""
    return list_questions()[0]


def load_drafts(question: str = "") -> Mapping[str, Draft]:
    """Return the result of each step, by handle. All callers share it, so it must not be changed."""
    return _load_drafts(_find_folder(question))


def list_said(key: str, question: str = "") -> tuple[str, ...]:
    """Return the person's messages in a step. Raises `FileNotFoundError` if there is no such step."""
    return tuple(_read_file(_find_folder(question), key)["said"])


def _find_folder(question: str) -> str:
    return next((each for each, its in zip(_FOLDERS, list_questions(), strict=True) if its == question), _FOLDERS[0])


@cache
def _load_drafts(folder: str) -> Mapping[str, Draft]:
    components = {each.key: each for each in load_proact().components}
    found = {key: _read_file(folder, key) for key in components}
    names = map_handles(each["record"] for each in found.values() if "record" in each)
    return MappingProxyType(
        {
            key: each["draft"] if "draft" in each else build_draft(components[key], each["record"], names)
            for key, each in found.items()
        }
    )


@cache
def _read_file(folder: str, key: str) -> dict[str, Any]:
    return json.loads((files("app.decision.playbook") / folder / f"{key}.json").read_text("utf-8"))
