"""One plain line for each word of the method, the phases, the scale and the elements of quality: there is no other."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

_PLURAL: Final = re.compile(r"^([a-z]{2,}(?:[^\W\dsuiye]|(?<![sxhi])e)|[a-z]+[aeo]y)s(?= |$)")
"""A plain word in the plural, with which a unit begins; not *business*, *bonus* or *basis*, and not *boxes*."""


@cache
def load_terms() -> Mapping[str, Mapping[str, str]]:
    """Return the lines by group and word: `phases`, `scale`, `elements` and `terms`."""
    return tomllib.loads((files("app.decision.schema") / "terms.toml").read_text("utf-8"))


def name_element(name: str) -> str:
    """Return the name of an element of quality or a step of the scale as people write it; any other text as it is."""
    if name in load_terms()["scale"]:
        return name.replace("-", "−")
    return name.capitalize() if name in load_terms()["elements"] else name


def format_signed(steps: int) -> str:
    """Return a rating or a difference of ratings: +1, 0, −2."""
    return f"{steps:+d}".replace("-", "−") if steps else "0"


def list_lines(words: Iterable[str]) -> Mapping[str, str]:
    """Return the line of each of these words; the name of a group stands for all of its words. Raises `KeyError`."""
    groups = load_terms()
    found: dict[str, str] = {}
    for word in words:
        found |= groups[word] if word in groups else {word: groups["terms"][word]}
    return found


def explain(words: Iterable[str], told: str = "") -> str:
    """Return the words, each with its line, as a list for the model, without those that are `told` already."""
    lines = (f"{word}: {line}" for word, line in list_lines(words).items())
    return "\n".join(f"- {each}." for each in lines if each not in told)


def explain_to_people(words: Iterable[str]) -> str:
    """Return the same as a list for people, without full stops."""
    return "\n".join(f"• {name_element(word)}: {line}" for word, line in list_lines(words).items())


def count_unit(number: float, unit: str) -> str:
    """Return a unit as it stands behind this number: of one hour it says no "hours"."""
    return _PLURAL.sub(r"\1", unit, count=1) if number == 1 else unit
