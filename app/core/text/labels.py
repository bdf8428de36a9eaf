"""Labels to choose from: short enough for buttons, and recognized in typed text; and names in a text.

A label is recognized only if the text cannot mean another one. Knows labels alone, not the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Final

from app.core.text import replies
from app.core.text.cutting import CUT, cut
from app.core.text.replies import Verdict, fold

MAX_LABEL = 75
"""Characters on a Slack button and in a line of a select."""

MORE: Final = "{count} more"
"""Those that a list leaves out."""

_SHORTEST_PREFIX = 2
_NAMING = re.compile(r"\w\s+\w|[^\W\d_]\d")
MENTIONED = re.compile(r"(?<!\w)@([UW][A-Z0-9]{7,20})\b")
"""A person whom a message mentions, as Slack names them."""
_STOP = re.compile(r"[,.:;!]\s|\s[–—-]\s|\n")


def join_words(words: Iterable[str], most: int = 0) -> str:
    """Return words as a list in a sentence: A, B and C. Empty ones are left out, and the full stops at their ends.

    With `most` these are the first ones, and the number of the others: A, B and 2 more.
    """
    given = [*filter(None, map(remove_stop, words))]
    if 0 < most < len(given):
        given[most:] = [MORE.format(count=len(given) - most)]
    return " and ".join(filter(None, (", ".join(given[:-1]), *given[-1:])))


def remove_stop(name: str) -> str:
    """Return a name without the full stop at its end; dots that tell of more stay."""
    return name if name.endswith("..") else name.removesuffix(".")


def shorten(text: str, end: str = CUT) -> str:
    """Return the text if a button can hold it, else its beginning with `end`.

    The cut is at the end of a word, or else between two user-perceived characters.
    """
    return cut(text, MAX_LABEL, end)


def fit_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Cut labels that are too long for a button; number those that become equal. The labels given are distinct."""
    taken = {fold(label) for label in labels if len(label) <= MAX_LABEL}
    fit: list[str] = []
    for label in labels:
        ends = (CUT if number == 1 else f"{CUT} ({number})" for number in count(1))
        forms = (shorten(label, end) for end in ends)
        fit.append(label if len(label) <= MAX_LABEL else next(form for form in forms if fold(form) not in taken))
        taken.add(fold(fit[-1]))
    return tuple(fit)


def are_distinct(labels: Sequence[str]) -> bool:
    """Return True if no label is empty, and no two are equal apart from case, width and spaces."""
    return len({fold(label) for label in labels} - {""}) == len(labels)


def are_crossed(yes: str, no: str) -> bool:
    """Return True if typing "yes" would choose a button that says "No", or the other way round."""
    begun = [replies.read_lead(label) for label in (yes, no)]
    meant = [lead.verdict if lead.whole or lead.pauses else None for lead in begun]
    return meant[0] is Verdict.NO or meant[1] is Verdict.YES


def find_by_label(labels: Sequence[str], text: str) -> int | None:
    """Return the option whose label is the whole text, apart from punctuation and "please" around it."""
    return _take_only(_find_same([fold(label) for label in labels], fold(text)))


def find_by_name(labels: Sequence[str], text: str) -> int | None:
    """Return the option that a text names by label, by place or by the beginning of the label.

    A text that can mean two options names none, unless it is the label of one of them.
    """
    options, said = [fold(label) for label in labels], fold(text)
    if said in options:
        return options.index(said)
    bare = replies.strip_politeness(said)
    plain = (_find_same(options, said) or _find_at_place(options, bare)) | _find_beginning(options, said)
    return _take_only(plain or _find_beginning(options, bare))


def find_in_lead(labels: Sequence[str], text: str) -> int | None:
    """Return the option that the words before the first stop of a text name, as `find_by_name` reads them.

    A number or an ordinal alone names none: it may begin a list or a story.
    """
    lead = _STOP.split(text.strip(), maxsplit=1)[0]
    return find_by_name(labels, lead) if _NAMING.search(lead) else None


def _find_same(options: list[str], said: str) -> set[int]:
    if said in options:
        return {options.index(said)}
    for form in filter(None, (replies.trim(said), replies.strip_politeness(said))):
        if same := {place for place, option in enumerate(options) if replies.trim(option) == form}:
            return same
    return set()


def _find_at_place(options: list[str], bare: str) -> set[int]:
    """Return the option at the named place, and each option whose label begins with that number or word."""
    told, place = replies.read_place(bare) or ("", 0)
    at = len(options) if place == replies.LAST else place
    if not 1 <= at <= len(options):
        return set()
    return {at - 1} | {other for other, option in enumerate(options) if replies.begins_with(option, told)}


def _find_beginning(options: list[str], said: str) -> set[int]:
    if len(said) < _SHORTEST_PREFIX:
        return set()
    return {place for place, option in enumerate(options) if replies.begins_with(option, said)}


def _take_only(places: set[int]) -> int | None:
    return places.pop() if len(places) == 1 else None


def list_mentioned(text: str) -> tuple[str, ...]:
    """Return the ids of the people whom a message mentions, each once."""
    return tuple(dict.fromkeys(MENTIONED.findall(text)))


def name_mentioned(text: str, names: Mapping[str, str]) -> str:
    """Return the text with people's names in place of their ids. A person without a name keeps the id."""
    return MENTIONED.sub(lambda found: f"@{names.get(found[1], found[1])}", text)
