"""Limits and spans as people word them ("200,000 euros at most", "10 to 30 days"), and whether an amount keeps them.

A text sets a limit only where a word says on which side of its number an amount may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from math import inf, isclose
from types import MappingProxyType
from typing import Final

from app.decision.analysis.amounts.units import convert, find_kind, split_period

_NUMBER: Final = re.compile(
    r"(?<![\w.,])(?P<money>[€$£¥]|(?:eur|usd|gbp|chf)\b)?\s?"
    r"(?P<digits>\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})+(?![\d])|\d+(?:[.,]\d+)?)"
    r"(?:[ \u00a0]?(?P<scale>(?:k|m|thousand|mio|million)(?![^\W\d_])|[km](?=€|eur|usd|\$)))?\.?"
    r"(?P<tail>(?:[ \u00a0-]?(?!(?:[€$£¥]|(?:eur|usd|gbp|chf)\b)\s?\d)[^\s,.;:()\d]+){0,6})",
    re.IGNORECASE,
)
_SCALES: Final = MappingProxyType({"k": 1_000, "thousand": 1_000})
_MILLION: Final = 1_000_000
_GROUPED: Final = re.compile(r"\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})+")
_PERIOD: Final = re.compile(
    r"(?:per|an?|each|every)[ ](?:second|minute|hour|day|week|month|quarter|year)\b|/\w+"
    r"|(?:pro|je|im)[ ](?:stunde|tag|woche|monat|quartal|jahr)\b",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[ \u00a0-]+")
_SECOND: Final = "second"
_CURRENCIES: Final = ("eur", "usd", "gbp", "chf")
LOOKED_AT: Final = 300
"""Characters before and behind a number whose words are looked at. Without a bound, a list of numbers takes its square
in time."""
UNIT_WORDS: Final = 2
"""Words behind a number that can be its unit, without a period: "hours", "volunteer hours", of which "hours"."""

_PLACED: Final = r"(?:^|(?<=[\s(,;:–-]))(?:{words})[\s:]*(?:about |only )?$"
_TAIL: Final = (
    r"[^.,;:()\d]{{0,30}}?(?<!\w)(?:{words})(?!\w)"
    r"(?! (?:than|to)\b)(?![\s:]*(?:about |only )?(?:[€$£¥]|(?:eur|usd|gbp|chf)\b)?\s?\d)"
)
"""Words behind a number, unless they belong to the next one: "at most 30 and at least 20"."""
_NOT: Final = r"(?:not?|nobody|none|never|nothing|cannot|without|\w+n['’]t)(?: [^\s.,;:()\d]+){0,4}? "
"""Who or what keeps a limit, before its words: "No teacher travels more than 4 hours", "It must not go over"."""
_OVER: Final = r"over|above|beyond|exceed(?:s|ing)?|(?:more|longer|higher|later|greater|larger|bigger) than"
_UNDER: Final = r"under|below|(?:less|fewer|shorter|lower|earlier|sooner|smaller) than"
_LEAD: Final = re.compile(
    _PLACED.format(
        words=rf"(?P<least>{_NOT}(?:{_UNDER})|(?:{_OVER}) or equal to|at (?:the )?least"
        r"|min(?:imum|imal|\.)?(?: of)?|>=|≥|mindestens)"
        rf"|(?P<most>{_NOT}(?:{_OVER})|(?:{_UNDER}) or equal to|at (?:the )?most"
        r"|max(?:imum|imal|\.)?(?: of)?|up to|within|<=|≤|höchstens"
        r"|(?:budget|limit|cap|ceiling)(?: is| of| at)?)"
        rf"|(?P<over>{_OVER}|>)|(?P<under>{_UNDER}|<)"
    ),
    re.IGNORECASE,
)
"""The words right before a number, by what they allow: over and under do not allow the number itself."""
_TAILS: Final = tuple(
    (form, re.compile(_TAIL.format(words=words), re.IGNORECASE))
    for form, words in (
        (
            "least",
            r"at (?:the )?least|minimum|upwards|onwards|(?:or|and) (?:over|above|up)"
            r"|or (?:more|longer|higher|later|greater|larger|bigger)",
        ),
        (
            "most",
            r"at (?:the )?most|max(?:imum)?|tops|(?:or|and) (?:under|below)"
            r"|or (?:less|fewer|shorter|lower|earlier|sooner|smaller)",
        ),
    )
)
_UPPER: Final = frozenset({"most", "under"})
_STRICT: Final = frozenset({"over", "under"})
_IF: Final = re.compile(
    r"(?<!\w)(?:if|when|whenever|unless|once|anything|everything|whatever)\s[^.,;:]*$", re.IGNORECASE
)
_IS_OUT: Final = re.compile(
    r"[^.;,(\n]*?(?<!\w)(?:too \w|(?:is|are|be|ruled) out\b|out of the question|impossible|forbidden|excluded"
    r"|unacceptable|unaffordable|not (?:possible|allowed|acceptable|permitted|an option)"
    r"|(?:needs?|requires?|must be) [^.;,(\n]*?(?:approv|permission|consent))",
    re.IGNORECASE,
)
"""Words before and after a number that name what is beyond a limit: "Anything over 60 needs the board's approval"."""
_OR: Final = re.compile(r"\bor\b", re.IGNORECASE)
_SIGN: Final = re.compile(r"[<>][\s:]*(?:about |only )?$")
_CLAUSE: Final = re.compile(r"[.,;:(\n]")
_RULED_OUT: Final = re.compile(rf"(?<!\w){_NOT}", re.IGNORECASE)
_DEMANDS: Final = re.compile(
    r"(?:(?!.*\b(?:that|which|who|whose)\b).*\b(?:is|are|be|must|should|to|and|but|of) )?"
    rf"(?:{_OVER})\W*(?:about |only )?",
    re.IGNORECASE,
)
"""A clause up to its number that asks for more, as in "It must be over 60"; "Purchases over 60" is only about such."""
_ENDS: Final = re.compile(
    r"(?:[ \u00a0-]?[^\s,.;:()\d]+){0,3}?\s*(?:$|[.,;:()\n/–—]|\b(?:and|but|or|to|in|for|from|of|per|an?|each|every|at"
    r"|with|without|including|by|until|before|after|as|because|altogether)\b)",
    re.IGNORECASE,
)
"""The words of a unit, up to the end of what is said of the number."""
_GOES_ON: Final = re.compile(
    r"(?:(?!\b(?:and|but|or)\b)[^.,;:(\n])*?\b(?:we|I|they|you|it|is|are|do|does|can|may|must|should|will|would|ha(?:s|ve)"
    r"|needs?|requires?|wants?|goes|go|gets?|counts?|means?)\b",
    re.IGNORECASE,
)
"""Words behind a number that tell what holds of such amounts: "Over 60 we have to tender"."""
_FROM: Final = re.compile(rf"(?:(?<!\w)(?P<no>{_NOT}))?(?<!\w)(?:from|between)(?: about)?\s*$", re.IGNORECASE)
_GOES: Final = re.compile(r"\b(?:rais\w*|ris\w+|gr[eo]w\w*|shr[iu]nk\w*|mov\w+|goes|going|went)\b", re.IGNORECASE)
"""Words of a way from one amount to another: neither is a limit."""
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_RANGE: Final = re.compile(
    r"(?P<own>[^.,;:()\d–—-]*?)\s*(?:(?<!\w)(?:to|(?P<and>and))|[–—-])\s*(?P<money>[€$£¥]|(?:eur|usd|gbp|chf)\b)?\s*",
    re.IGNORECASE,
)
"""What stands between both numbers of a range."""
_BETWEEN: Final = re.compile(r"(?<!\w)between\s*$", re.IGNORECASE)
_DIFFERENCE: Final = re.compile(
    r"(?<!or )\b(?:more|less|fewer|longer|higher|later)\b(?! than (?:about |only )?(?:[€$£¥]|(?:eur|usd|gbp|chf) )?\d)"
    r"|\b(?:shorter|lower|earlier|sooner|faster|slower|quicker|cheaper|dearer|better|worse|smaller|larger|bigger|greater"
    r"|teurer|billiger|günstiger|länger|kürzer|schneller|heute|bisher"
    r"|extra|additional|added|plus|minus|today|now|current\w*|status quo|sav\w+|gain\w*|increas\w*|reduc\w*|decreas\w*"
    r"|drop\w*|cut\w*|half|halv\w*|doubl\w*|difference|chang\w+)\b"
    r"|(?:^|[\s(])[+±−-]\d",
    re.IGNORECASE,
)
"""Words of a text that compares with another amount, such as today's: its numbers are no amounts themselves."""
_FROM_TODAY: Final = re.compile(
    r"\b(?:(?:than|above|over|below|under|als|über|unter)(?: \w+){0,2}? (?:today|now|current\w*|heute|jetzt|bisher)"
    r"|by (?:no |never )?(?:more|less|fewer|at|up|max))\b",
    re.IGNORECASE,
)
"""Words of a limit on how far an amount may be from today's: "at most 10 min longer than now", "grow by at most 5"."""
_NO_UNITS: Final = frozenset({"or", "at", "to", "and", "but", "max", "maximum", "–"})
"""Words that, right behind a number, show that it has no unit."""


@dataclass(frozen=True, slots=True)
class WrittenAmount:
    """A number in a text, with the words that can be its unit."""

    number: float
    tail: tuple[str, ...]
    period: str
    """Such as "a year"; empty if none stands in the words behind it."""
    is_scaled: bool
    """True if a scale stands behind the number, as in 200k."""

    def read_in(self, unit: str) -> float | None:
        """Return the amount in this unit; None if it was written in another one, or in none."""
        return self._read_in(unit, self.period)

    def read_loosely(self, unit: str) -> float | None:
        """Return the amount in this unit if only one of both has a period, or if it is a bare 200k and that is money.

        Whether it means the same thing is open.
        """
        base, period = split_period(unit)
        if convert(1, base, _SECOND) is not None:  # so many hours and so many hours a week are different things
            return None
        own, end = (self.period, unit) if self.period and period else ("", base)
        found = self._read_in(end, own)
        if found is None and self.is_scaled:
            money = (convert(self.number, f"{each} {own}".strip(), end) for each in _CURRENCIES)
            found = next((each for each in money if each is not None), None)
        return found

    def read_as_own(self, unit: str) -> float | None:
        """Return the amount in this unit, in which a number without a unit is taken to be, and so is 20k in money."""
        if unit and not self.has_unit:
            return self.number
        is_bare = self.is_scaled and not self.period and not split_period(unit)[1]
        found = self.read_in(unit)
        return self.read_loosely(unit) if found is None and is_bare else found

    @property
    def kind(self) -> str:
        """Return the kind of its unit (`find_kind`)."""
        kinds = (find_kind(each) for each in self.tail[:UNIT_WORDS])
        return next((each for each in kinds if each), "")

    @property
    def has_unit(self) -> bool:
        """Return True if a word of its own says what is counted."""
        is_named = bool(self.tail) and self.tail[0].casefold() not in _NO_UNITS
        return bool(self.period) or self.is_scaled or is_named

    def _read_in(self, unit: str, period: str) -> float | None:
        names = (*(" ".join(self.tail[:count]) for count in range(1, UNIT_WORDS + 1)), *self.tail[1:UNIT_WORDS])
        found = (convert(self.number, f"{each} {period}".strip(), unit) for each in names)
        return next((each for each in found if each is not None), None)


@dataclass(frozen=True, slots=True)
class Bound:
    """The highest or the lowest amount that a limit allows."""

    amount: WrittenAmount
    is_upper: bool
    is_strict: bool = False
    """True if the amount itself is not allowed: "under 60"."""

    def allows(self, amount: float, bound: float) -> bool:
        """Return True if the amount keeps the limit; both are in one unit."""
        return not self.is_strict if isclose(amount, bound) else (amount < bound) == self.is_upper


def read_written_amounts(text: str) -> tuple[WrittenAmount, ...]:
    """Return the numbers of a text with what can be their units."""
    return tuple(map(_build_amount, _NUMBER.finditer(text)))


def read_target(text: str, unit: str) -> float | None:
    """Return the one amount that a text names, in this unit; None for none, several, a limit, and a difference."""
    try:
        return float(text)
    except ValueError:
        named = read_written_amounts(text)
    is_plain = len(named) == 1 and not _DIFFERENCE.search(text) and not any(read_bounds(text))
    return named[0].read_as_own(unit) if is_plain else None


def read_bounds(text: str) -> Iterator[Bound]:
    """Yield the limits that a text sets; one without a unit has that of the next: "at least 10 and at most 20 days".

    It sets none beyond a number whose other side it names: "over 60 is too much", "under 10 or over 30". Nor does it
    where it speaks of amounts over or under a number and demands none: "Purchases over 60 go to the board". Nor does a
    text that starts from today's amount.
    """
    found = [] if _FROM_TODAY.search(text) else [*_read_placed(text)]
    either = {place for place, pair in enumerate(pairwise(found)) if _is_either(text, *pair)}
    for place, (number, bound) in enumerate(found):
        beside = found[place + 1][1].amount if place + 1 < len(found) else bound.amount
        amount = bound.amount if bound.amount.has_unit else replace(beside, number=bound.amount.number)
        if either.isdisjoint((place, place - 1)) and (not bound.is_strict or _is_demanded(text, number, bound)):
            yield replace(bound, amount=amount)


def read_span(text: str, unit: str) -> tuple[tuple[Bound, float], ...]:
    """Return the bounds of a text that defines a span of amounts, each with its number in this unit.

    The result is empty if the text sets none in such a unit, if no amount can keep all, or if the text speaks of a
    difference: "10 days faster".
    """
    if _DIFFERENCE.search(text):
        return ()
    found = ((each, each.amount.read_as_own(unit)) for each in _read_span_bounds(text))
    bounds = tuple((each, number) for each, number in found if number is not None)
    lowest = max((number for each, number in bounds if not each.is_upper), default=-inf)
    highest = min((number for each, number in bounds if each.is_upper), default=inf)
    return bounds if lowest < highest else ()


def _read_placed(text: str) -> Iterator[tuple[re.Match[str], Bound]]:
    """Yield each limit with its number, of a range that of the end which its words speak of: "within 3 to 5 weeks"."""
    numbers, second = [*_NUMBER.finditer(text)], None
    is_change = len(numbers) > 1 and bool(_DIFFERENCE.search(text) or _GOES.search(text))
    for one, other in zip_longest(numbers, numbers[1:]):
        ends = _read_range(text, one, other) if other else ()
        bounds = (
            ()
            if one is second
            else _choose_ends(text, one, ends, is_change=is_change)
            if ends
            else (_read_bound(text, one),)
        )
        for each in filter(None, bounds):
            second = other if ends else None
            if not ((ends or each.is_strict) and _tells_what_is_beyond(text, one)):
                yield one, each


def _choose_ends(text: str, one: re.Match[str], ends: tuple[Bound, ...], *, is_change: bool) -> tuple[Bound, ...]:
    """Return the ends of a range that are limits: both after "from" and "over", else the one that its words allow.

    After "from" it is none in a text that speaks of a change from one amount to another.
    """
    lower, upper = ends
    form = _read_form(text, one)
    if form == "over":
        return replace(lower, is_strict=True), upper
    if form:
        return (replace(upper if form in _UPPER else lower, is_strict=form in _STRICT),)
    unit, begun = " ".join((*upper.amount.tail[:1], upper.amount.period)).strip(), _FROM.search(_get_before(text, one))
    start, end = lower.amount.read_in(unit), upper.amount.number
    are_years = not unit and _YEAR.fullmatch(one["digits"]) and 1900 <= end < 2100
    is_span = begun and not begun["no"] and not are_years and not is_change
    return ends if is_span and start is not None and start < end else ()


def _tells_what_is_beyond(text: str, found: re.Match[str]) -> bool:
    end = found.end("digits")
    return bool(_IS_OUT.match(text, end, end + LOOKED_AT) or _IF.search(_get_before(text, found)))


def _get_before(text: str, found: re.Match[str]) -> str:
    return text[max(found.start() - LOOKED_AT, 0) : found.start()]


def _is_demanded(text: str, found: re.Match[str], bound: Bound) -> bool:
    """Return True if amounts over or under a number are what the text asks for, and not what it speaks of."""
    before, tail = _get_before(text, found), found.start("tail")
    said = _CLAUSE.split(before)[-1].lstrip()
    if _SIGN.search(before):
        return True
    is_told = _RULED_OUT.search(said) or _GOES_ON.match(text, tail, tail + LOOKED_AT)
    is_asked = bound.is_upper or _DEMANDS.fullmatch(said)
    return bool(is_asked and not is_told and _ENDS.match(text, tail))


def _is_either(text: str, one: tuple[re.Match[str], Bound], other: tuple[re.Match[str], Bound]) -> bool:
    """Return True if amounts on the far side of either number are meant, and none can be on that of both."""
    lower, upper = sorted((one[1], other[1]), key=lambda each: each.is_upper)
    is_apart = lower.is_upper != upper.is_upper and lower.amount.number > upper.amount.number
    return is_apart and _OR.search(text, one[0].end("digits"), other[0].start()) is not None


def _read_form(text: str, found: re.Match[str]) -> str:
    """Return which amounts the words beside a number allow, or nothing: a name of a group of `_LEAD`."""
    if before := _LEAD.search(_get_before(text, found)):
        return before.lastgroup or ""
    return next((form for form, tail in _TAILS if tail.match(text, found.end("digits"))), "")


def _read_bound(text: str, found: re.Match[str]) -> Bound | None:
    form = _read_form(text, found)
    return Bound(_build_amount(found), form in _UPPER, form in _STRICT) if form else None


def _read_span_bounds(text: str) -> Iterator[Bound]:
    numbers = [*_NUMBER.finditer(text)]
    for one, other in pairwise(numbers):
        yield from _read_range(text, one, other)
    yield from filter(None, (_read_bound(text, each) for each in numbers))


def _read_range(text: str, one: re.Match[str], other: re.Match[str]) -> tuple[Bound, ...]:
    """Return both ends of a range: "10 to 30 days". The unit may stand at one of them only."""
    between = _RANGE.fullmatch(text, max(one.end("digits"), one.end("scale")), other.start())
    if between is None or (between["and"] and not _BETWEEN.search(_get_before(text, one))):
        return ()
    lower, upper = _build_amount(one), _build_amount(other)
    if money := between["money"] or one["money"]:
        upper = replace(upper, tail=(money, *upper.tail))
    if not between["own"].strip():
        scale = 1 if one["scale"] or not other["scale"] else upper.number / _read_digits(other["digits"])
        lower = replace(upper, number=lower.number * scale)
    return Bound(lower, is_upper=False), Bound(upper, is_upper=True)


def _build_amount(found: re.Match[str]) -> WrittenAmount:
    scale, words = (found["scale"] or "").casefold(), found["tail"]
    period = _PERIOD.search(words)
    tail = tuple(filter(None, _WORD.split(words[: period.start()] if period else words)))
    times = _SCALES.get(scale, _MILLION) if scale else 1
    return WrittenAmount(
        _read_digits(found["digits"]) * times,
        (found["money"], *tail) if found["money"] else tail,
        period[0] if period else "",
        bool(scale),
    )


def _read_digits(digits: str) -> float:
    """Return the number; 15.000 is 15,000."""
    if _GROUPED.fullmatch(digits):
        return float(re.sub(r"\D", "", digits))
    return float(digits.replace(",", "."))
