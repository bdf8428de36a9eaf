"""What is meant by a name: exact ones first, and never a guess where several fit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any, Final, TypeVar

from app.decision.schema.similarity import normalize

HITS: Final = 10
"""Things of a name that are told."""

LONGEST: Final = 100
"""Characters of a name or title."""

SEVERAL: Final = (
    "Several fit. Unless the whole name of just one is what was said, ask the owner which one is meant, and never "
    "choose yourself."
)
MORE: Final = "There are {count} more: ask for more of the name."
NOT_ALL: Final = "There are more than could be looked at: say so if none of these is meant."

_BREAKS: Final = re.compile(r"[^\w]+|_")

Named = TypeVar("Named")


def find_named(words: str, known: Sequence[tuple[Sequence[str], Named]]) -> list[Named]:
    """Return what has all of these words in one of its names: exact names first, then in the order of the names."""
    wanted = _simplify(words)
    parts = wanted.split()
    hits = list[tuple[tuple[bool, bool, str], Named]]()
    for names, each in known:
        simple = [_simplify(name) for name in names]
        if parts and all(part in " ".join(simple) for part in parts):
            begins_a_word = any(f" {parts[0]}" in f" {name}" for name in simple)
            hits.append(((wanted not in simple, not begins_a_word, simple[0]), each))
    return [each for _, each in sorted(hits, key=lambda hit: hit[0])]


def build_action(found: Sequence[object], words: str, nothing: str, *, is_cut: bool) -> str:
    """Return what to do with the hits. `words` say it where there are some, and `nothing` where there are none."""
    said = [words if found else nothing]
    said += [SEVERAL] if len(found) > 1 else []
    said += [MORE.format(count=len(found) - HITS)] if len(found) > HITS else []
    said += [NOT_ALL] if is_cut else []
    return " ".join(said)


def tell(one: str, names: Sequence[Any]) -> str:
    """Return a sentence for people on what was found by name."""
    several = "people" if one == "person" else f"{one}s"
    listed = f": {', '.join(map(str, names))}" if names else ""
    return f"Found {len(names) or 'no'} {one if len(names) == 1 else several}{listed}."


def _simplify(name: str) -> str:
    """Return a name without case, accents, signs and the strokes between its words."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", normalize(name)) if not unicodedata.combining(char))
    return " ".join(_BREAKS.sub(" ", plain).split())
