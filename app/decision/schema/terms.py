"""One plain line for each word of the method, the phases, the scale and the elements of quality: there is no other."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Final

from app.core.text.labels import join_words

FEW: Final = 3
"""Elements that are named one by one."""
ALIKE: Final = "{count} elements alike"
NONE_WEAKEST: Final = "none, all seven elements are at 100 %"

_LINK: Final = re.compile(r" (?:an?|per|each|every|of|in|on|at|to|for|from|with)\b|/")
"""What ends that part of a unit which is counted: *volunteer hours* of *volunteer hours per week*."""
_PLURAL: Final = re.compile(
    r"(?<![^ ])(?!(?:news|lens|chaos|bias|canvas|atlas)\b|[^\Waeiouy]+ps\b)"
    r"(?:[a-z]{2,}(?:[^\W\dsuiye]|(?<![sxhi])e)|[a-z]+[aeo]y)s(?= |$)"
)
"""A plain word in the plural; not *business*, *bonus*, *basis* or *news*, not *kbps*, and not *boxes*."""

DIGITS: Final = 10
"""Digits of an amount that are told; all before the point are."""


@cache
def load_terms() -> Mapping[str, Mapping[str, str]]:
    """Return the lines by group and word: `phases`, `scale`, `elements` and `terms`."""
    return tomllib.loads((files("app.decision.schema") / "terms.toml").read_text("utf-8"))


def name_element(name: str) -> str:
    """Return the name of an element of quality or a step of the scale as people write it; any other text as it is."""
    if name in load_terms()["scale"]:
        return name.replace("-", "−")
    return name.capitalize() if name in load_terms()["elements"] else name


def name_elements(names: Collection[str]) -> str:
    """Return elements by name; many are counted, because a list of most of them says nothing."""
    return join_words(map(name_element, names)) if len(names) <= FEW else ALIKE.format(count=len(names))


def format_signed(steps: float) -> str:
    """Return a rating, or a sum or a difference of ratings: +1, 0, −2, +1.5."""
    return f"{'+' if steps > 0 else ''}{format_amount(steps)}"


def format_amount(number: float, unit: str = "") -> str:
    """Return an amount as people write it, with its unit if it has one: 88,000, 3.2, −5 EUR, level 2."""
    sign, size = "−" if number < 0 else "", abs(number)
    rounded = Decimal(f"{size:.{max(DIGITS, len(str(int(size))))}g}")
    told = f"{sign}{rounded:,f}"
    return f"{unit} {told}" if _is_before(unit) else f"{told} {count_unit(number, unit)}".strip()


def format_change(start: float, end: float, unit: str = "") -> tuple[str, str]:
    """Return two amounts of one unit, which the second one at least tells: 50 and 75 EUR, level 0 and level 2."""
    return format_amount(start, unit if _is_before(unit) else ""), format_amount(end, unit)


def count_unit(number: float, unit: str) -> str:
    """Return a unit as it stands behind this number: of one hour it says no "hours"."""
    found = [*_PLURAL.finditer(_LINK.split(unit, maxsplit=1)[0])] if number == 1 else []
    return f"{unit[: found[-1].end() - 1]}{unit[found[-1].end() :]}" if found else unit


def _is_before(unit: str) -> bool:
    """Return True for a unit that people say before its number. Of several levels they would say so: "2 levels"."""
    return unit.casefold() == "level"


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
    known = told.replace("−", "-")  # people read the sign of a step, the model writes it
    return "\n".join(f"- {each}." for each in lines if each.replace("−", "-") not in known)


def explain_to_people(words: Iterable[str]) -> str:
    """Return the same as a list for people, without full stops."""
    return "\n".join(f"• {name_element(word)}: {line}" for word, line in list_lines(words).items())
