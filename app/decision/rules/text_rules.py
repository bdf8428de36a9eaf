"""Rules that compare texts of a draft: duplicates, and texts in two lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

from app.decision.record import DecisionRecord
from app.decision.schema.findings import Finding, Issue, Remark
from app.decision.schema.paths import Draft, is_object, read_name, walk_lists
from app.decision.schema.similarity import normalize, split_words

MANY: Final = 20
"""Number of items in one list from which groups help."""
ALIKE: Final = 0.75
"""Share of the words of a text that are all of another one, from which a question is asked."""


def no_duplicates(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Require that no text occurs twice in a list. Case, width and spaces are ignored."""
    for name, listed in walk_lists(draft):
        texts = [normalize(_find_words(each)) for each in listed]
        for index, text in enumerate(texts):
            if text and text in texts[:index]:
                shown = _find_words(listed[index])
                yield Issue(f"{name}.{index}", "something that is not in the list yet", "there twice", shown)


def one_box_each(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about a text in two lists, which is a contradiction. People say where it belongs."""
    boxes = Counter(
        text for _, listed in walk_lists(draft) for text in {normalize(_find_words(each)) for each in listed}
    )
    items = {normalize(_find_words(each)): each for _, listed in walk_lists(draft) for each in listed}
    for text, count in boxes.items():
        if count > 1 and text and is_object(items[text]):
            yield Remark(f"“{_find_words(items[text])}” stands in two lists. Where does it belong?", blocking=True)


def near_duplicates(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about items of one list of which one only says a little more; where each has its own word, they differ."""
    for _, listed in walk_lists(draft):
        items = [(each["handle"], read_name(each)) for each in listed if is_object(each) and "handle" in each]
        for (one, its), (other, theirs) in combinations(items, 2):
            fewer, more = sorted(map(split_words, (its, theirs)), key=len)
            if normalize(its) != normalize(theirs) and fewer <= more and len(fewer) >= ALIKE * len(more):
                yield Remark(f"{one} “{its}” and {other} “{theirs}” sound alike. Are they one?", about=[(one, other)])


def many_items(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Propose groups for a long list."""
    if any(len(listed) >= MANY for _, listed in walk_lists(draft)):
        yield Remark(f"That is a long list. Shall we group the {MANY} and more items first?")


def _find_words(each: Any) -> str:
    return each if isinstance(each, str) else read_name(each) if is_object(each) else ""
