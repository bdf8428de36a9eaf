"""Source messages of quotes. The server looks them up, so that deleting a message deletes its quotes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from copy import deepcopy
from functools import cached_property
from typing import Any

from app.core.conversation.conversation import Message, Role
from app.core.text.marks import clean
from app.decision.drafts.draft import SERVERS
from app.decision.schema.paths import Draft, walk_objects
from app.decision.schema.similarity import normalize, normalize_quote


class Sources:
    """People's messages in these rows, including later corrections."""

    def __init__(self, rows: Iterable[Message]) -> None:
        kept = tuple(rows)
        self._rows = [(row.ts, row.text) for row in kept if row.ts]
        # The answer by a button is a person's, too, though Slack has no message of it.
        self._said = [
            clean(row.text) for row in kept if row.role is Role.PERSON or (row.role is Role.NOTE and row.author)
        ]

    @cached_property
    def _texts(self) -> dict[str, str]:
        texts: dict[str, str] = {}
        for ts, text in self._rows:
            texts[ts] = f"{texts.get(ts, '')}\n{normalize(clean(text))}"
        return texts

    def holds(self, quote: str) -> bool:
        """Return True if one message of a person contains the quote, apart from case, width and spaces."""
        words = normalize(clean(quote))
        return any(words in normalize(text) for text in self._said)

    def find_nearest(self, quote: str) -> str:
        """Return the words, as long as the quote and letter for letter, that share most with it; empty if too few."""
        wanted = Counter(normalize(clean(quote)).split())
        size = wanted.total()
        found = [_find_best_stretch(text, wanted) for text in self._said] if size else []
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
