"""Source messages of quotes. The server looks them up, so that deleting a message deletes its quotes.

Within a text, what stands in quotation marks as somebody's own words is a quote, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from functools import cached_property
from typing import Any, Final

from app.core.conversation.conversation import Message, Role
from app.core.text.marks import clean, clean_name
from app.core.text.quotations import QuotationFilter, find_quotations, remove_marks
from app.decision.drafts.draft import SERVERS
from app.decision.record import DecisionRecord
from app.decision.rows import SUGGESTED
from app.decision.schema.component import Component
from app.decision.schema.findings import Remark
from app.decision.schema.paths import Draft, find_value, is_list, is_object, map_names, merge, nest, walk_objects
from app.decision.schema.similarity import normalize, normalize_quote, shares_half, split_words
from app.decision.tracing.unsaid_claims import OWN_WORDS, remove_claims

KEPT: Final = "Your own words stand as they were noted. Write if they have changed to these: {words}"


class Sources:
    """People's messages in these rows, including later corrections, and what earlier steps quote.

    `quoted` are quotes in approved results, `typed` is the question that people began the decision with.
    """

    def __init__(self, rows: Iterable[Message], quoted: Iterable[Mapping[str, Any]] = (), typed: str = "") -> None:
        kept, elsewhere = tuple(rows), tuple(quoted)
        self._rows = [(row.ts, row.text) for row in kept if row.ts]
        self._rows += [(str(each["message_id"]), str(each["quote"])) for each in elsewhere if each.get("message_id")]
        before = (*(str(each["quote"]) for each in elsewhere), typed)
        # The answer by a button is a person's, too, though Slack has no message of it.
        own = (row.text for row in kept if row.role is Role.PERSON or (row.role is Role.NOTE and row.author))
        self.said = tuple(map(clean, (*filter(None, before), *own)))
        """What earlier steps quote, then the texts of people, their answers by a button among them."""
        names = {clean_name(row.author_name) for row in kept if row.role is Role.PERSON and row.author_name}
        self.people = frozenset(part for name in names for part in (name, name.split()[0]))
        """Names of the people who wrote them, in full and by the first word."""

    @classmethod
    def of_step(cls, rows: Iterable[Message], so_far: DecisionRecord) -> Sources:
        """Return the sources of a step with this transcript, in a decision with these results before it."""
        return cls(rows, list_quotes(so_far.results.values()), so_far.question)

    @cached_property
    def _texts(self) -> dict[str, str]:
        texts: dict[str, str] = {}
        for ts, text in self._rows:
            texts[ts] = f"{texts.get(ts, '')}\n{normalize(clean(text))}"
        return texts

    def holds(self, quote: str) -> bool:
        """Return True if a message or an earlier step's quote has the words, apart from case, width and spaces."""
        words = normalize(clean(quote))
        return any(words in normalize(text) for text in self.said)

    def find_nearest(self, quote: str) -> str:
        """Return the words, as long as the quote and letter for letter, that share most with it; empty if too few."""
        wanted = Counter(normalize(clean(quote)).split())
        size = wanted.total()
        found = [_find_best_stretch(text, wanted) for text in self.said] if size else []
        shared, nearest = max(found, default=(0, ""))
        return nearest if 2 * shared >= size else ""

    def trace(self, draft: Draft) -> Draft:
        """Return the draft with the `message_id` (Slack's ts) of each quote.

        A quote that nobody wrote keeps the given one. If several messages contain the words, the named one is used, or
        else the first.
        """
        draft = deepcopy(draft)
        for each in walk_objects(draft):
            if "quote" in each and each.get("message_id") not in SERVERS:
                self._trace(each)
        return draft

    def _trace(self, quote: dict[str, Any]) -> None:
        words, named = normalize(quote["quote"]), quote.get("message_id", "")
        if words not in self._texts.get(named, ""):
            found = next((ts for ts, text in self._texts.items() if words in text), named)
            quote.update({"message_id": found} if found else {})


class Quotable:
    """Texts that words in quotation marks may be taken from, letter for letter."""

    def __init__(self, texts: Iterable[str], people: Collection[str] = (), names: Iterable[str] = ()) -> None:
        """`people` are those who speak; `names` of things may stand in marks, too. With many texts it takes long."""
        self._texts, self._people = tuple(normalize_quote(clean(text)) for text in texts), people
        self._names = frozenset(map(normalize_quote, names))

    def holds(self, words: str) -> bool:
        """Return True if one text contains the words, apart from case, white space and the form of marks."""
        wanted = normalize_quote(clean(words))
        return wanted in self._names or any(wanted in text for text in self._texts)

    def find_false(self, given: Any) -> str:
        """Return the first words in data that are given as somebody's own and that nobody wrote; empty if none are."""
        texts = (text for _, _, text in _walk_texts(given))
        found = (each.words for text in texts for each in find_quotations(text, self._people))
        return next((words for words in found if not self.holds(words)), "")

    def unquote(self, text: str) -> str:
        """Return the text without the marks of words that nobody wrote."""
        return remove_marks(text, self.holds, self._people)

    def unquote_draft(self, draft: Draft) -> Draft:
        """Return the draft without such marks in any of its texts. Names of its items may stand in marks."""
        draft = deepcopy(draft)
        names = {normalize_quote(name) for name in map_names([draft]).values()}
        for holder, key, text in list(_walk_texts(draft)):
            holder[key] = remove_marks(
                text, lambda words: normalize_quote(words) in names or self.holds(words), self._people
            )
        return draft

    def build_filter(self) -> QuotationFilter:
        """Return a filter that does as `unquote` for a text that comes in pieces."""
        return QuotationFilter(self.holds, self._people)


def list_quotes(results: Iterable[Draft]) -> Iterator[dict[str, Any]]:
    """Yield the quotes in results, each with the Slack ts of its message as `message_id` if that is known."""
    for each in results:
        yield from (one for one in walk_objects(each) if one.get("quote"))


def list_texts(*data: Any) -> Iterator[str]:
    """Yield all texts in data, quotes as well."""
    for each in data:
        yield from (text for _, _, text in _walk_texts(each, ()))


def list_approved_texts(component: Component, so_far: DecisionRecord) -> Iterator[str]:
    """Yield the texts of approved results as a step sees them, without suggestions: approval is no saying."""
    for key, each in {**so_far.results, **so_far.later, component.key: so_far.before}.items():
        yield from list_texts(_remove_ideas(remove_claims(each, so_far.suggested.get(key, ()))))


def _remove_ideas(data: Any) -> Any:
    """Return the data without the model's own items; what they quote stays."""
    if is_list(data):
        return [_remove_ideas(each) for each in data]
    if not is_object(data):
        return data
    is_idea = data.get("origin") == SUGGESTED
    return {name: _remove_ideas(each) for name, each in data.items() if name == "evidence" or not is_idea}


def _walk_texts(data: Any, left_out: Collection[str] = ("quote",)) -> Iterator[tuple[Any, Any, str]]:
    """Yield each text with its holder and its key there."""
    pairs: Iterable[tuple[Any, Any]] = (
        data.items() if is_object(data) else enumerate(data) if is_list(data) else ((0, data),)
    )
    for key, each in pairs:
        if isinstance(each, str):
            if key not in left_out:
                yield data, key, each
        elif is_object(each) or is_list(each):
            yield from _walk_texts(each, left_out)


def keep_own_words(submitted: Any, before: Mapping[str, Any], said: Collection[str]) -> tuple[Any, tuple[Remark, ...]]:
    """Return a model's submission, of any shape, in which what was noted as people's own words stands as it was noted.

    Other words take its place only if one message has them letter for letter. Of those that are not alike, people are
    told in a remark.
    """
    known, kept, remarks = [normalize_quote(clean(text)) for text in said], dict[str, Any](), list[Remark]()
    for path in OWN_WORDS:
        noted, given = find_value(before, path), find_value(submitted, path)
        words = normalize_quote(clean(given)) if isinstance(noted, str) and isinstance(given, str) else ""
        if words and words != normalize_quote(noted) and not any(words in text for text in known):
            kept[path] = noted
            remarks += [] if shares_half(split_words(given), split_words(noted)) else [Remark(KEPT.format(words=given))]
    return (merge(submitted, nest(kept)) if kept else submitted), tuple(remarks)


def remove_false_quotes(draft: Draft, texts: Collection[str]) -> Draft:
    """Return the draft without quotes that are not verbatim in one of these messages, joined or shortened ones as well.

    Only case, white space and the form of quotation marks may differ. The item stays, and people are asked to check it.
    """
    draft, known = deepcopy(draft), [normalize_quote(clean(text)) for text in texts]
    for item in walk_objects(draft):
        if "evidence" in item:
            item["evidence"] = [each for each in item["evidence"] if _is_verbatim(each, known)]
    return draft


def _is_verbatim(quote: Mapping[str, Any], texts: list[str]) -> bool:
    words = normalize_quote(quote["quote"])
    return quote.get("message_id") in SERVERS or any(words in text for text in texts)


def _find_best_stretch(text: str, wanted: Counter[str]) -> tuple[int, str]:
    """Return how many of the wanted words the best stretch of that many words has, and the stretch."""
    words = list(re.finditer(r"\S+", text))
    plain, size = [normalize(each[0]) for each in words], wanted.total()
    best, held, shared = (0, ""), Counter[str](), 0
    for end, word in enumerate(plain):
        held[word] += 1
        shared += held[word] <= wanted[word]
        if end >= size:
            gone = plain[end - size]
            shared -= held[gone] <= wanted[gone]
            held[gone] -= 1
        if shared > best[0]:
            begin = max(end - size + 1, 0)
            best = (shared, text[words[begin].start() : words[end].end()])
    return best
