"""Ratings that rest on words: whether anybody spoke of an option on an objective, and which range they gave.

In doubt a rating counts as said: people answer in few words, and call things by names of their own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from app.core.conversation.conversation import Message, Role
from app.decision.record import DecisionRecord
from app.decision.tracing.worked_out.sums import find_topics

ANSWER: Final = 8
"""Words of a message that is an answer, whatever it says."""

_CLAUSE: Final = re.compile(r"[,;.!?|\n]|\b(?:and|but|while|whereas)\b", re.IGNORECASE)
_UNKNOWN: Final = re.compile(
    r"\b(?:no idea|no clue|dunno|unknown|unsure|no(?:body| one) knows|keine ahnung|wei(?:ß|ss) (?:\w+ )?nicht"
    r"|(?:do|does|did|can|could)(?:n['’]t| not|not)\s+(?:\w+\s+)?"
    r"(?:know|say|tell|judge|rate)|not (?:sure|rated|known)|skip|leave (?:it|that|them) open|later)\b",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(
    r"\W*(?:i['’]m |we['’]re )?(?:done|that['’]?s (?:all|it)|go on|next|continue|thanks?|thank you)\W*$", re.IGNORECASE
)
_RELATES: Final = re.compile(
    r"\b(?:same|alike|like|equal\w*|similar\w*|identical|ditto|all|both|they|them|these|those|others?|rest|except"
    r"|neither|either|every\w*|each|any\w*|none)\b",
    re.IGNORECASE,
)
"""Words by which a clause speaks of more than it names."""
_RATES: Final = re.compile(
    r"\d|[+−]|\b(?:zero|one|two|plus|minus|steps?|better|worse|best|worst|more|less|much|bit|little|lots?|slight\w*"
    r"|good|bad|well|poor\w*|great|fine|terrible|high|low|no difference|nothing|than|as|improve\w*|yes|yep|yeah|ok"
    r"|okay|agreed?|right|correct|exactly|sure|\w{3,}er)\b",
    re.IGNORECASE,
)
_RANGE: Final = re.compile(
    r"(?<!from )(?<![\w.,+−/-])(?:(?P<between>(?:between|zwischen)\s+)?)(?P<low>[+−-]?[0-2])\s*"
    r"(?:(?(between)(?:and|und)|(?!))|to\b|or\b|bis\b|oder\b|/|–|\.\.)\s*(?P<high>[+−-]?[0-2])(?![\w%/]|[.,]\d)",
    re.IGNORECASE,
)
"""Two steps that people give as one rating; a row of ratings, or a change from one to another, is none."""
_HEDGES: Final = re.compile(
    r"±|\b(?:between|range\w*|maybe|perhaps|could|might|possibl\w*|up to|at (?:best|worst|least|most)"
    r"|(?:best|worst) case|give or take|(?:un|not )sure|uncertain|unclear|doubt\w*|guess|depend\w*|somewhere|roughly"
    r"|either|if|unless|anything|no idea|unklar|wenn|falls|ahnung"
    r"|(?:or|oder) (?:\w+ )?(?:better|worse|more|less|same|besser|schlechter|mehr|weniger|gleich|[+−-]?[0-2])"
    r"|zwischen|vielleicht|könnte\w*|höchstens|mindestens|bestenfalls|schlimmstenfalls)\b",
    re.IGNORECASE,
)
"""Words by which a clause leaves more than one step possible."""
_HEADING: Final = re.compile(r"(?:^|(?<=[.;\n])[ ]*)([^\W\d][\w',()% ]{1,60}):")
"""What a person rates next: "cost: …", "travel, hours a week: …"."""
_COMMON: Final = frozenset(
    re.findall(
        r"\w+",
        """the and for with that this our from are has all how der die das den dem ein eine einen und mit bei von vom
        für aus wie""",
    )
)
_STEP: Final = re.compile(r"(?<![\w.,])[+−-]?[0-2](?![\w%]|[.,]\d)")


@dataclass(frozen=True)
class SpokenRatings:
    """What people said in a thread on how options do on objectives."""

    messages: Sequence[Message]
    so_far: DecisionRecord

    def knows(self, option: str, objective: str) -> bool:
        """Return False if people certainly said nothing on how an option does on an objective."""
        if any(each.activity or each.drafts_from for each in self.messages):
            return True  # what was read elsewhere, or stands in a file, is not in the thread
        return any(self._tells(words, option) for words in self._list_answers(objective))

    def find_range(self, option: str, objective: str) -> tuple[int, int] | None:
        """Return the range in the last words that rate an option on an objective; None if they give one step."""
        found: tuple[int, int] | None = None
        for words in self._list_answers(objective):
            for clause in _split(words):
                if self._concerns(clause, option) and (given := _read_steps(clause)):
                    found = given
        return found if found and found[0] < found[1] else None

    def knows_range(self, option: str, objective: str, span: tuple[int, int]) -> bool:
        """Return False if people certainly left no more than one step possible for an option on an objective."""
        if any(each.activity or each.drafts_from for each in self.messages) or self._is_proposed(span):
            return True
        answers = (clause for words in self._list_answers(objective) for clause in _split(words))
        clauses = [each for each in answers if self._concerns(each, option)]
        steps = {int(each[0].replace("−", "-")) for clause in clauses for each in _STEP.finditer(clause)}
        return any(map(_HEDGES.search, clauses)) or steps.issuperset(span)

    def _is_proposed(self, span: tuple[int, int]) -> bool:
        """Return True if the assistant has named this range: people may have agreed to it."""
        return any(_is_reply(each) and span in map(_read_steps, _split(each.text)) for each in self.messages)

    def _tells(self, words: str, option: str) -> bool:
        is_answer = len(words.split()) <= ANSWER and not _ENDS.match(words)
        return not self._is_open(words, option) and any(
            self._concerns(clause, option)
            and not _UNKNOWN.search(clause)
            and (is_answer or self._names(clause, option, self._options) or _speaks(clause))
            for clause in _split(words)
        )

    def _is_open(self, words: str, option: str) -> bool:
        """Return True if the words name the option only to say that nobody knows, and give it no step right after."""
        clauses = [*_split(words)]
        named = [place for place, each in enumerate(clauses) if self._names(each, option, self._options)]
        return bool(named) and all(
            _UNKNOWN.search(clauses[place])
            and not any(_STEP.search(each) and self._concerns(each, option) for each in clauses[place : place + 2])
            for place in named
        )

    def _concerns(self, clause: str, option: str) -> bool:
        """Return True if a clause names the option, or does not name others alone."""
        if self._names(clause, option, self._options) or _RELATES.search(clause):
            return True
        subject = re.split(r"\bthan\b", clause, maxsplit=1, flags=re.IGNORECASE)[0]
        others = (each for each in self._options if each not in (option, self.so_far.baseline))
        return bool(clause.strip()) and not any(self._names(subject, each, self._options) for each in others)

    def _list_answers(self, objective: str) -> Iterator[str]:
        """Yield what people said where this objective was spoken of, or none by name."""
        asked, last = "", max((each.seq for each in self.messages if _is_reply(each)), default=0)
        for each in self.messages:
            if _is_reply(each):
                asked = each.text
            elif each.role is Role.PERSON or (each.role is Role.NOTE and bool(each.author)):
                for text in self._select_parts(each.text, objective):
                    if self._is_about(text, asked, objective, is_new=each.seq > last):
                        yield text

    def _select_parts(self, text: str, objective: str) -> Iterator[str]:
        """Yield a text; without the parts under a heading that names other objectives alone, if it has such."""
        heads = [each for each in _HEADING.finditer(text) if self._find_objectives(each[1])]
        starts = [0, *(each.start() for each in heads)]
        for head, start, end in zip([None, *heads], starts, [*starts[1:], len(text)], strict=True):
            if text[start:end] and (head is None or objective in self._find_objectives(text[start:end])):
                yield text[start:end]

    def _find_objectives(self, text: str) -> list[str]:
        return [each for each in self._objectives if self._names(text, each, self._objectives)]

    def _is_about(self, said: str, asked: str, objective: str, *, is_new: bool) -> bool:
        if any(self._names(text, objective, self._objectives) for text in (said, asked)):
            return True
        others = [each for each in self._objectives if each != objective]
        if is_new:  # the question may have used words of its own
            return not any(_calls(f"{said}\n{asked}", each, self._objectives[each]) for each in others)
        return not any(self._names(text, each, self._objectives) for text in (said, asked) for each in others)

    def _names(self, text: str, handle: str, known: Mapping[str, frozenset[str]]) -> bool:
        return _has_handle(text, handle) or not known[handle].isdisjoint(find_topics(text, _COMMON))

    @cached_property
    def _options(self) -> Mapping[str, frozenset[str]]:
        return self._map_topics(self.so_far.alternatives)

    @cached_property
    def _objectives(self) -> Mapping[str, frozenset[str]]:
        return self._map_topics(self.so_far.objectives)

    def _map_topics(self, handles: Collection[str]) -> dict[str, frozenset[str]]:
        """Return the words by which each thing is told from the others."""
        topics = {each: find_topics(self.so_far.name(each), _COMMON) for each in handles}
        return {
            each: frozenset(word for word in own if sum(word in one for one in topics.values()) == 1) or own
            for each, own in topics.items()
        }


def _is_reply(message: Message) -> bool:
    return message.role is Role.ASSISTANT and bool(message.text)


def _speaks(clause: str) -> bool:
    """Return True if a clause may rate something."""
    return _RATES.search(clause) is not None or _RELATES.search(clause) is not None


def _has_handle(text: str, handle: str) -> bool:
    return re.search(rf"(?<!\w){handle}(?!\w)", text, re.IGNORECASE) is not None


def _calls(text: str, handle: str, topics: frozenset[str]) -> bool:
    """Return True if a text has the handle, or all words that tell a thing from others."""
    return _has_handle(text, handle) or (bool(topics) and topics <= find_topics(text, _COMMON))


def _split(words: str) -> Iterator[str]:
    """Yield the clauses; a range of steps stays in one."""
    whole = _RANGE.sub(lambda found: f"{found['low']}/{found['high']}", words)
    yield from _CLAUSE.split(whole)


def _read_steps(clause: str) -> tuple[int, int] | None:
    """Return the range that a clause gives, a single step as one; None if it gives neither."""
    if span := _RANGE.search(clause):
        low, high = sorted(int(span[name].replace("−", "-")) for name in ("low", "high"))
        return None if {"+", "-", "−"}.isdisjoint(span[0]) else (low, high)
    if single := _STEP.search(clause):
        step = int(single[0].replace("−", "-"))
        return step, step
    return None
