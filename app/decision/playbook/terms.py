"""One plain line for each word of the method, the phases, the scale and the elements of quality."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files


@cache
def load_terms() -> Mapping[str, Mapping[str, str]]:
    """Return the lines by group and word: `phases`, `scale`, `elements` and `terms`."""
    return tomllib.loads((files("app.decision.playbook") / "terms.toml").read_text("utf-8"))


def explain(group: str, words: Iterable[str] = ()) -> str:
    """Return the words of a group, each with its line, as a list for the model; all of them if none are named."""
    lines = load_terms()[group]
    return "\n".join(f"- {word}: {lines[word]}." for word in words or lines)


def explain_to_people(group: str, words: Iterable[str] = ()) -> str:
    """Return the same as a list for people, without a full stop."""
    lines = load_terms()[group]
    return "\n".join(f"• {word}: {lines[word]}" for word in words or lines)
