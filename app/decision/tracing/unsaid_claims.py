"""Facts of a draft without a quote of their own, such as what an uncertainty depends on: those that nobody said.

Words that a draft gives as people's own are such facts as well. A fact in words was said if people used most of its
words. A choice, such as who decides alone, was said if a message
speaks of it at all.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from app.decision.schema.paths import Draft, find_value, find_values, merge, nest, read_name
from app.decision.tracing.sums import find_topics

DRIVER: Final = "driver"
RESOLVABLE: Final = "resolvable"
AUTHORITY: Final = "decision_maker.authority"
OWN_WORDS: Final = (
    "headline_conflict.statement",
    "user_understanding",
    "user_leaning",
    "decision.in_the_users_words",
)
"""Places of what stands in a result as people's own words."""
UNSAID: Final = " [suggested, nobody said it]"
"""What follows such a fact where the model is told it."""
MOST_WORDS: Final = 2 / 3
"""Share of the words of a fact that people have to have used."""
SHORT: Final = 40
"""Characters of a message that answers yes or no, and nothing else."""

_FOUND_OUT: Final = re.compile(
    r"\b(?:find|found|know|known|hear|learn|answers?|tell|ask|call|tests?|confirm\w*|in time|too late|until|before"
    r"|by (?:the )?(?:end|january|february|march|april|may|june|july|august|september|october|november|december))\b",
    re.IGNORECASE,
)
_ANSWER: Final = re.compile(r"^\W*(?:yes|yep|no|nope|nobody|not)\b", re.IGNORECASE)
_DECIDES: Final = MappingProxyType(
    {
        "sole": r"alone|myself|himself|herself|solely?|decides?|my (?:own )?(?:decision|call)|up to (?:me|him|her)",
        "joint": r"together|both|jointly|all of us|we decide|vote|consensus|board|committee|team|majority|agree\w*",
        "needs_approval": r"approv\w*|signs?|signed|permission|consent|green light|confirm\w*|agree\w*|say so|ok|okay",
        "recommends": r"recommend\w*|prepare|propos\w*|advis\w*|suggest\w*|signs?|decides?",
    }
)


def find_unsaid_claims(
    draft: Mapping[str, Any], said: Collection[str], before: Mapping[str, Any] | None = None
) -> tuple[str, ...]:
    """Return the places of facts that nobody said: `U1.driver`, `decision_maker.authority`, `user_leaning`.

    `before` is the draft that a person has just edited by hand; what is new beside it is the person's.
    """
    own = _list_claims(before) if before is not None else {}
    edited = {place for place, value in _list_claims(draft).items() if before is not None and own.get(place) != value}
    return tuple(each for each in _find_unsaid(draft, said) if each not in edited)


def list_new_words(draft: Mapping[str, Any], before: Mapping[str, Any]) -> tuple[str, ...]:
    """Return such facts in words that the draft has and the one `before` has not: a person has just written them."""
    own = _list_claims(before)
    told = ((place, each) for place, each in _list_claims(draft).items() if place != AUTHORITY)
    return tuple(each for place, each in told if isinstance(each, str) and own.get(place) != each)


def remove_claims(draft: Mapping[str, Any], places: Collection[str]) -> Draft:
    """Return the draft without the facts at those of these places that belong to no item."""
    return merge(draft, nest({each: None for each in (AUTHORITY, *OWN_WORDS) if each in places}))


def mark_claims(draft: Mapping[str, Any], places: Collection[str]) -> Draft:
    """Return the draft with a mark for the model on the facts at those of these places that belong to no item."""
    found = {each: find_value(draft, each) for each in (AUTHORITY, *OWN_WORDS) if each in places}
    return merge(draft, nest({place: f"{each}{UNSAID}" for place, each in found.items() if each}))


def _list_claims(draft: Mapping[str, Any]) -> dict[str, Any]:
    items = find_values(draft, "uncertainties[]")
    found = {f"{each['handle']}.{name}": each[name] for each in items for name in (DRIVER, RESOLVABLE) if name in each}
    single = {each: find_value(draft, each) for each in (AUTHORITY, *OWN_WORDS)}
    return {**found, **{place: each for place, each in single.items() if each}}


def _find_unsaid(draft: Mapping[str, Any], said: Collection[str]) -> Iterator[str]:
    used = frozenset[str]().union(*map(find_topics, said))
    for each in find_values(draft, "uncertainties[]"):
        if _is_news(each.get(DRIVER), used):
            yield f"{each['handle']}.{DRIVER}"
        if RESOLVABLE in each and not any(_tells_when(text, find_topics(read_name(each))) for text in said):
            yield f"{each['handle']}.{RESOLVABLE}"
    cue = _DECIDES.get(find_value(draft, AUTHORITY) or "")
    if cue and not any(re.search(rf"\b(?:{cue})\b", text, re.IGNORECASE) for text in said):
        yield AUTHORITY
    yield from (each for each in OWN_WORDS if _is_news(find_value(draft, each), used))


def _is_news(words: str | None, used: frozenset[str]) -> bool:
    """Return True if people have not used most of these words."""
    topics = find_topics(words or "")
    return len(topics & used) < len(topics) * MOST_WORDS


def _tells_when(text: str, topics: frozenset[str]) -> bool:
    """Return True for a message on finding out about these things, and for a bare yes or no."""
    is_answer = len(text) <= SHORT and _ANSWER.match(text) is not None
    return is_answer or (bool(topics & find_topics(text)) and _FOUND_OUT.search(text) is not None)
