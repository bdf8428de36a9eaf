"""Facts of a draft without a quote of their own, such as what an uncertainty depends on: those that nobody said.

Words that a draft gives as people's own are such facts as well, and so are names of people. A fact in words was said if
people used most of its words, and a name if they used one of it. A choice, such as who decides alone, was said if a
message speaks of it at all. In a long talk nearly every word is used once, so the words of a fact have to stand in a
few messages that follow each other.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from app.core.state.interview import Interview
from app.decision.record import DecisionRecord
from app.decision.rows import find_place, name_cause
from app.decision.schema.paths import Draft, find_value, find_values, merge, nest, read_name
from app.decision.tracing.worked_out.sums import find_topics

DRIVER: Final = "driver"
CAUSE: Final = "uncertainty.driver"
"""The field of a rating that says what its doubt comes from."""
RESOLVABLE: Final = "resolvable"
PRIORITY: Final = "priority"
AUTHORITY: Final = "decision_maker.authority"
DECIDER: Final = "decision_maker.name"
OWNER: Final = "owner"
NAMED: Final = MappingProxyType({"parties[]": "name", "planned_actions[]": OWNER})
"""Lists whose items name a person or a group, and the field that does."""
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
TOGETHER: Final = 4
"""Messages in a row in which these words have to stand: what is said of one thing, asked about, and answered."""
SHORT: Final = 40
"""Characters of a message that answers yes or no, and nothing else."""

_FACTS: Final = MappingProxyType({"uncertainties": (DRIVER, RESOLVABLE), "potential_decisions": (PRIORITY,)})
"""Lists whose items hold such facts, and their fields."""

NO_DOUBTS: Final[Mapping[str, Collection[str]]] = MappingProxyType({})

_FOUND_OUT: Final = re.compile(
    r"\b(?:(?:find|found)(?: \w+){0,2} out"
    r"|know|known|hear|learn|answers?|tell|ask|call|tests?|confirm\w*|in time|too late|until|before"
    r"|wei(?:ß|ss)|wissen|erfahr\w*|frag\w*|klär\w*|hör\w*|antwort\w*|bestätig\w*|rechtzeitig|zu spät|bis"
    r"|by (?:the )?(?:end|january|february|march|april|may|june|july|august|september|october|november|december))\b",
    re.IGNORECASE,
)
_ANSWER: Final = re.compile(r"^\W*(?:yes|yep|no|nope|nobody|not|ja|nein|niemand|nicht)\b", re.IGNORECASE)
_RANKS: Final = re.compile(
    r"\b(?:priorit\w*|high\w*|medium|low\w*|urgent\w*|important\w*|first|last|later|most|least|main\w*|key|big\w*"
    r"|matters?|critical|pressing|minor|wait|asap|wichtig\w*|dringend\w*|zuerst|vorrang\w*)\b",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"(?:[^.;!?\n]|[.](?=\d))+")
_GOES_ON: Final = re.compile(r"\W*(?:he|she|they|also|and|then)\b", re.IGNORECASE)
_MYSELF: Final = re.compile(r"\b(?:I|me|my|myself|mine|we|us|ich|mich|mir|wir|uns)\b", re.IGNORECASE)
FEWEST: Final = 2
"""Words that a sentence shares with a next step to be taken for the one that plans it."""
_PARTS: Final = re.compile(r"[,;()/–—]")
_NAME: Final = re.compile(r"[^\W\d_][\w'’-]*")
_TITLED: Final = re.compile(r"\b(?:mr|mrs|ms|miss|mx|dr|prof|sir|herr|frau)\b\.?\s+([^\W\d_]\S*)", re.IGNORECASE)
_DECIDES: Final = MappingProxyType(
    {
        "sole": r"alone|myself|himself|herself|solely?|decides?|my (?:own )?(?:decision|call)|up to (?:me|him|her)"
        r"|allein\w*|entscheide\w*",
        "joint": r"together|both|jointly|all of us|we decide|vote|consensus|board|committee|team|majority|agree\w*"
        r"|zusammen|gemeinsam|beide|mehrheit|abstimm\w*|vorstand|wir entscheiden",
        "needs_approval": r"approv\w*|signs?|signed|permission|consent|green light|confirm\w*|agree\w*|say so|ok|okay"
        r"|zustimm\w*|stimmt\b[^.;!?]*\bzu|genehmig\w*|bewillig\w*|einverstanden|segnet|freigabe",
        "recommends": r"recommend\w*|prepare|propos\w*|advis\w*|suggest\w*|signs?|decides?"
        r"|empfehl\w*|empfiehlt|vorschlag\w*|schl(?:age|ägt|agen)\b[^.;!?]*\bvor|entscheide\w*",
    }
)


def find_unsaid_claims(
    draft: Mapping[str, Any],
    said: Collection[str],
    before: Mapping[str, Any] | None = None,
    people: Collection[str] = (),
    doubts: Mapping[str, Collection[str]] = NO_DOUBTS,
) -> tuple[str, ...]:
    """Return the places of facts that nobody said: `U1.driver`, `A2:O1.driver`, `user_leaning`.

    `before` is the draft that a person has just edited by hand; what is new beside it is the person's. `people` are
    names that are known without a message, and `doubts` what is known by handle of what uncertainties depend on.
    """
    own = _list_claims(before) if before is not None else {}
    edited = {place for place, value in _list_claims(draft).items() if before is not None and own.get(place) != value}
    known = {f"{handle}.{DRIVER}": frozenset[str]().union(*map(find_topics, each)) for handle, each in doubts.items()}
    every, causes = [find_topics(" ".join(each)) for each in doubts.values()], _map_causes(draft)
    heard = {
        place
        for place, each in _list_claims(draft).items()
        if (place in known and not _is_news(each, [known[place]])) or (place in causes and not _is_news(each, every))
    }
    unsaid = [*_find_unsaid(draft, (*said, *people)), *_find_unassigned(draft, said)]
    return tuple(each for each in dict.fromkeys(unsaid) if each not in edited and each not in heard)


def list_new_words(draft: Mapping[str, Any], before: Mapping[str, Any]) -> tuple[str, ...]:
    """Return such facts in words that the draft has and the one `before` has not: a person has just written them."""
    own = _list_claims(before)
    told = ((place, each) for place, each in _list_claims(draft).items() if place != AUTHORITY)
    new = ((place, each) for place, each in told if isinstance(each, str) and own.get(place) != each)
    return tuple(f"{place} {each}" if place.endswith(f".{PRIORITY}") else each for place, each in new)


def find_unsaid_names(draft: Mapping[str, Any], said: Collection[str], people: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names of people and groups in a draft by which nobody has called them, or not for this next step.

    `people` are names that are known without a message.
    """
    used = frozenset[str]().union(*map(find_topics, (*said, *people)))
    strange = [name for name in list_named_people(draft) if _is_stranger(name, used)]
    owners = {f"{each['handle']}.{OWNER}": each.get(OWNER) for each in find_values(draft, "planned_actions[]")}
    unassigned = (
        f"{owners[place]} ({place})" for place in _find_unassigned(draft, said) if owners[place] not in strange
    )
    return (*strange, *unassigned)


def list_known_doubts(so_far: DecisionRecord) -> Mapping[str, tuple[str, ...]]:
    """Return what each uncertainty depends on by the approved results of other steps, without their suggestions."""
    found: dict[str, tuple[str, ...]] = {}
    for key, result in so_far.results.items():
        for each in find_values(result, "uncertainties[]"):
            place = f"{each['handle']}.{DRIVER}"
            if DRIVER in each and place not in so_far.suggested.get(key, ()):
                found[each["handle"]] = (*found.get(each["handle"], ()), each[DRIVER])
    return found


def list_known_people(so_far: DecisionRecord) -> tuple[str, ...]:
    """Return the names of people and groups in the approved frame: later steps may speak of them without a message."""
    return list_named_people(so_far.results.get("problem_frame") or {})


def list_named_people(draft: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of people and groups in a draft."""
    decider = find_value(draft, DECIDER)
    return (*(name for _, _, name in _list_named(draft)), *([decider] if decider else []))


def find_kept_claims(
    draft: Mapping[str, Any], interview: Interview, so_far: DecisionRecord, said: Collection[str]
) -> tuple[str, ...]:
    """Return the places of facts that a step has kept although nobody has said them in its messages either.

    They stand in the draft as in the approved version, or as on the last card.
    """
    drafted = interview.drafted
    judged = [(so_far.before, so_far.suggested.get(interview.component, ()))]
    judged += [(drafted.draft, drafted.suggested)] if drafted else []
    former = {
        (place, str(each)) for was, places in judged for place, each in _list_claims(was).items() if place in places
    }
    kept = [place for place, each in _list_claims(draft).items() if (place, str(each)) in former]
    return tuple(each for each in _find_unsaid(draft, said) if each in kept) if kept else ()


def leave_out_approved(
    draft: Mapping[str, Any], places: Collection[str], before: Mapping[str, Any], suggested: Collection[str]
) -> tuple[str, ...]:
    """Return these places without those whose facts people approved as their own in the version before.

    `suggested` are the places of that version that it showed as suggestions: approving them did not make them said.
    """
    now, then = _list_claims(draft), _list_claims(before)
    own = {place for place, each in then.items() if place not in suggested and now.get(place) == each}
    return tuple(place for place in places if place not in own)


def select_marked(draft: Mapping[str, Any], places: Collection[str], told: str) -> tuple[str, ...]:
    """Return those of these places whose facts stand in the text with their mark."""
    return tuple(place for place, each in _list_claims(draft).items() if place in places and f"{each}{UNSAID}" in told)


def remove_claims(draft: Mapping[str, Any], places: Collection[str]) -> Draft:
    """Return the draft without the facts at these places."""
    return _replace_claims(draft, dict.fromkeys(places))


def mark_claims(draft: Mapping[str, Any], places: Collection[str]) -> Draft:
    """Return the draft with a mark for the model on the facts at these places."""
    found = {place: each for place, each in _list_claims(draft).items() if place in places}
    return _replace_claims(draft, {place: f"{each}{UNSAID}" for place, each in found.items()})


def _replace_claims(draft: Mapping[str, Any], values: Mapping[str, str | None]) -> Draft:
    """Return the draft with these values at their places; None removes one."""
    single = {each: values[each] for each in (AUTHORITY, *OWN_WORDS) if each in values}
    kept = merge(draft, nest(single))
    for path, fields in _FACTS.items():
        if items := find_values(draft, f"{path}[]"):
            kept = {**kept, path: [_replace_facts(each, fields, values) for each in items]}
    if not values.keys() & _map_causes(draft).keys():
        return kept
    table: Draft = draft["table"]
    return {**kept, "table": {**table, "cells": [_replace_cause(each, values) for each in table["cells"]]}}


def _replace_cause(cell: Mapping[str, Any], values: Mapping[str, str | None]) -> Draft:
    place = name_cause(find_place(cell))
    return merge(cell, nest({CAUSE: values[place]})) if place in values else dict(cell)


def _map_causes(draft: Mapping[str, Any]) -> dict[str, str]:
    """Return what the doubts of ratings come from, by place."""
    cells = find_values(draft, "table.cells[]")
    return {name_cause(find_place(each)): cause for each in cells if (cause := find_value(each, CAUSE))}


def _replace_facts(item: Mapping[str, Any], fields: Collection[str], values: Mapping[str, str | None]) -> Draft:
    places = {name: f"{item.get('handle', '')}.{name}" for name in fields}
    return merge(item, {name: values[place] for name, place in places.items() if place in values})


def _list_claims(draft: Mapping[str, Any]) -> dict[str, Any]:
    items = ((each, fields) for path, fields in _FACTS.items() for each in find_values(draft, f"{path}[]"))
    found = {f"{each['handle']}.{name}": each[name] for each, fields in items for name in fields if name in each}
    found |= _map_causes(draft)
    found |= {f"{each['handle']}.{field}": name for each, field, name in _list_named(draft)}
    single = {each: find_value(draft, each) for each in (AUTHORITY, DECIDER, *OWN_WORDS)}
    return {**found, **{place: each for place, each in single.items() if each}}


def _find_unsaid(draft: Mapping[str, Any], said: Collection[str]) -> Iterator[str]:
    topics = [*map(find_topics, said)]
    used, together = frozenset[str]().union(*topics), _join_neighbours(topics)
    for each in find_values(draft, "uncertainties[]"):
        if _is_news(each.get(DRIVER), together):
            yield f"{each['handle']}.{DRIVER}"
        if RESOLVABLE in each and not any(_tells_when(text, find_topics(read_name(each))) for text in said):
            yield f"{each['handle']}.{RESOLVABLE}"
    for each in find_values(draft, "potential_decisions[]"):
        if PRIORITY in each and not any(_ranks(text, each) for text in said):
            yield f"{each['handle']}.{PRIORITY}"
    yield from (place for place, cause in _map_causes(draft).items() if _is_news(cause, together))
    yield from (f"{each['handle']}.{field}" for each, field, name in _list_named(draft) if _is_stranger(name, used))
    if _is_stranger(find_value(draft, DECIDER) or "", used):
        yield DECIDER
    cue = _DECIDES.get(find_value(draft, AUTHORITY) or "")
    if cue and not any(re.search(rf"\b(?:{cue})\b", text, re.IGNORECASE) for text in said):
        yield AUTHORITY
    yield from (each for each in OWN_WORDS if _is_news(find_value(draft, each), together))


def _find_unassigned(draft: Mapping[str, Any], said: Collection[str]) -> Iterator[str]:
    """Yield the places of owners whom nobody named for their next step, though somebody said that it is to be done.

    A sentence plans a step if it shares more of its words than any other. Where one that speaks of the owner shares at
    least half as many, the owner may be meant, and so where one that comes later shares any, or is short: "me".
    """
    actions = find_values(draft, "planned_actions[]")
    sentences = [*_read_sentences(said)] if actions else []
    for each in actions:
        names, topics = _find_proper(each.get(OWNER) or ""), find_topics(each.get("action", ""))
        shared = [len(topics & find_topics(text)) for text, _ in sentences]
        planned = max(shared, default=0)
        if not names or planned < FEWEST:
            continue
        later = shared.index(planned)
        speaking = [place for place, sentence in enumerate(sentences) if _speaks_of(names, *sentence)]
        if not any(
            2 * shared[place] >= planned or (place > later and (shared[place] or len(sentences[place][0]) <= SHORT))
            for place in speaking
        ):
            yield f"{each['handle']}.{OWNER}"


def _read_sentences(said: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each sentence of the messages with what it is read with: the one before, if it goes on after that."""
    for text in said:
        before = ""
        for sentence in _SENTENCE.findall(text):
            before = f"{before} {sentence}" if _GOES_ON.match(sentence) else sentence
            yield sentence, before


def _speaks_of(names: frozenset[str], sentence: str, context: str) -> bool:
    """Return True if a sentence may name this owner: by a name, or as who writes it."""
    return bool(names & find_topics(context)) or _MYSELF.search(sentence) is not None


def _list_named(draft: Mapping[str, Any]) -> list[tuple[Mapping[str, Any], str, str]]:
    """Return the items that name somebody, with the field and the name."""
    fields = ((each, field) for path, field in NAMED.items() for each in find_values(draft, path))
    return [(each, field, each[field]) for each, field in fields if each.get(field)]


def _is_stranger(name: str, used: frozenset[str]) -> bool:
    """Return True if people have not used a proper name in it, so that nobody is known by it.

    One word of a name is enough to know somebody, but for the one after a title.
    """
    titled = frozenset[str]().union(*map(find_topics, _TITLED.findall(name)))
    return bool(titled - used) or any(proper and not proper & used for proper in map(_find_proper, _PARTS.split(name)))


def _find_proper(part: str) -> frozenset[str]:
    """Return the beginnings of the words written large, without one that only begins the text, and without COO."""
    found = _NAME.findall(part)
    begins = len(found) > 1 and not found[1][0].isupper()
    return find_topics(" ".join(each for each in found[begins:] if each[0].isupper() and not each.isupper()))


def _join_neighbours(topics: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Return the topics of each few messages that follow each other; one empty set if there are none."""
    starts = range(max(1, len(topics) - TOGETHER + 1))
    return [frozenset[str]().union(*topics[start : start + TOGETHER]) for start in starts]


def _is_news(words: str | None, together: Collection[frozenset[str]]) -> bool:
    """Return True if people have used most of these words in none of these groups of messages."""
    topics = find_topics(words or "")
    return all(len(topics & used) < len(topics) * MOST_WORDS for used in together)


def _tells_when(text: str, topics: frozenset[str]) -> bool:
    """Return True for a message on finding out about these things, and for a bare yes or no."""
    is_answer = len(text) <= SHORT and _ANSWER.match(text) is not None
    return is_answer or (bool(topics & find_topics(text)) and _FOUND_OUT.search(text) is not None)


def _ranks(text: str, item: Mapping[str, Any]) -> bool:
    """Return True for a message that may say how much an item counts beside others, or that is a short answer to it."""
    is_about = re.search(rf"\b{item['handle']}\b", text) or find_topics(read_name(item)) & find_topics(text)
    return bool(is_about or len(text) <= SHORT) and _RANKS.search(text) is not None
