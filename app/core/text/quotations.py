"""Words in quotation marks that a text gives as somebody's own.

Marks around a title or a term say nothing of who said it, and stay. Only marks that stand with a person and a verb of
saying or fearing, or with a person's name, are attributed. Code is no quotation. Linear in the length of a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 400
"""Characters of a quotation. Marks that are farther apart do not belong together."""

BEFORE, AFTER = 80, 60
"""Characters before and after a quotation in which the person stands whose words it gives."""

FEW: Final = 3
"""Words of what may be a title: at some distance from the verb, only more of them are somebody's words."""

_QUOTATION = re.compile(
    rf'"(?!\s)([^"\n]{{1,{LONGEST}}})(?<!\s)"(?!\w)'
    rf"|“([^“”\n]{{1,{LONGEST}}})”|„([^„“”\n]{{1,{LONGEST}}})[“”]"
    rf"|«([^«»\n]{{1,{LONGEST}}})»|»([^«»\n]{{1,{LONGEST}}})«"
)
_OPENING = re.compile(r'(?<!\w)["“„«»](?!\s)|`')
_CODE = re.compile(rf"(`{{1,3}})[^`\n]{{1,{LONGEST}}}\1(?!`)")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")

_NOBODY = r"(?:I|It|This|That|There|Which|What|We|Card|Nobody|Ich|Es|Wir|Das)\b"
_PERSON = (
    r"(?:\b(?i:you|he|she|they|who|somebody|someone|everybody|everyone|the (?:owner|team)|du|er|sie|ihr|jemand)\b"
    rf"|<@\w+>|\b(?!{_NOBODY})[A-ZÄÖÜ]\w+)[*_]{{0,2}}"
)
_SAID = (
    r"(?i:said|says|wrote|writes|written|told (?:me|us|them|you|everyone|everybody)|asked|answered|replied|added|"
    r"mentioned|stated|stressed|insisted|explained|put it|sagte[nst]{0,2}|sagt|gesagt|schrieb(?:st|en|t)?|"
    r"geschrieben|meinte[nst]{0,2}|fears?|feared|worries|worried|believes?|believed|thinks|thought|complains|complained|"
    r"(?:is|are|was|were) (?:afraid|worried|sure)|(?:be)?fürchte[nst]{0,2}|glaubte?[nst]{0,2})"
)
_ASIDE = r"(?:\s+(?i:have|has|had|also|just|already|earlier|once|then|first|yourself|themselves|hast|haben|hat)){0,3}"
_SPOKE = re.compile(rf"(?:{_PERSON}|\b(?i:and|but|und)){_ASIDE}\s+{_SAID}\b(?P<gap>[^.!?\"“”„«»]*)$")
_OWN_WORDS = re.compile(r"\b(?i:your|his|her|their|\w+['’]s|deine[nr]?|ihre[nr]?)(?: own)? (?i:words?|worten)\W{0,4}$")
_CLOSE = re.compile(r"[*_]{0,2}(?:\s*(?i:that|dass)|[\s\w,]{0,30}:|,)?\s*[*_]{0,2}")
_SPOKE_AFTER = re.compile(
    rf"[,.!?]?[*_]{{0,2}},?\s*(?:[-–—]\s*)?(?:(?i:as)\s+)?(?:{_PERSON}{_ASIDE}\s+{_SAID}\b|{_SAID}\s+{_PERSON})"
)
_NOT_PLAIN = re.compile(r"^[\s.,;:]+|[\s.,;:]+$")


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quotation that is attributed to a person: its words, and its place with the marks."""

    words: str
    start: int
    end: int


def find_quotations(text: str, people: Collection[str] = ()) -> tuple[Quotation, ...]:
    """Return the attributed quotations of a text, in order. `people` are names that stand for a speaker by themselves.

    Points at either end of the words are left out, as they may belong to the sentence around them.
    """
    found, at, reader = list[Quotation](), 0, _LineReader(people)
    for line in text.split("\n"):
        found += (Quotation(each.words, at + each.start, at + each.end) for each in reader.read_line(line))
        at += len(line) + 1
    return tuple(found)


def remove_marks(text: str, is_said: Callable[[str], bool], people: Collection[str] = ()) -> str:
    """Return the text without the marks of attributed quotations whose words are not said; the words stay."""
    return _remove_marks(text, [each for each in find_quotations(text, people) if not is_said(each.words)])


def _remove_marks(text: str, false: list[Quotation]) -> str:
    for each in reversed(false):
        text = text[: each.start] + text[each.start + 1 : each.end - 1] + text[each.end :]
    return text


class QuotationFilter:
    """`remove_marks` for a text that comes in pieces. It holds back no more than a quotation and the words after it."""

    def __init__(self, is_said: Callable[[str], bool], people: Collection[str] = ()) -> None:
        self._is_said, self._reader = is_said, _LineReader(people)
        self._line, self._given = "", 0
        self.removed: tuple[str, ...] = ()
        """The words whose marks it has taken out."""

    def feed(self, piece: str) -> str:
        """Return the next part of the text that is certain."""
        *whole, self._line = (self._line + piece).split("\n")
        return "".join([*(self._end_line(f"{line}\n") for line in whole), self._take(is_whole=False)])

    def end(self) -> str:
        """Return the rest, and begin anew."""
        line, self._line = self._line, ""
        return self._end_line(line)

    def _end_line(self, line: str) -> str:
        held, self._line = self._line, line
        rest = self._take(is_whole=True)
        self._reader.end_line(line)
        self._line, self._given = held, 0
        return rest

    def _take(self, *, is_whole: bool) -> str:
        begin, false = self._given, list[Quotation]()
        end = self._reader.decide(self._line, begin, is_whole=is_whole)
        for each in self._reader.found:
            if not self._is_said(each.words):
                false.append(Quotation(each.words, each.start - begin, each.end - begin))
        self._given = end
        self.removed += tuple(each.words for each in false)
        return _remove_marks(self._line[begin:end], false)


class _LineReader:
    """Reader of the quotations of a text, line by line. A list has the heading before it for its first words."""

    def __init__(self, people: Collection[str]) -> None:
        names = "|".join(re.escape(each) for each in sorted(people, key=len, reverse=True) if each)
        self._named = re.compile(rf"(?<!\w)(?:{names})[*_]{{0,2}}\s*:[*_]{{0,2}}\s*$") if names else None
        self._signed = re.compile(rf"\s*(?:[-–—]\s*|\(){names and f'(?:{names})'}(?!\w)") if names else None
        self._heading, self._is_code = "", False
        self.found: tuple[Quotation, ...] = ()

    def read_line(self, line: str) -> Iterator[Quotation]:
        """Yield the attributed quotations of the next line."""
        self.decide(line, 0, is_whole=True)
        self.end_line(line)
        yield from self.found

    def end_line(self, line: str) -> None:
        """Go on to the next line."""
        words = line.strip()
        if _FENCE.match(line):
            self._is_code = not self._is_code
        elif words.endswith(":"):
            self._heading = words
        elif words and not _BULLET.match(line):
            self._heading = ""

    def decide(self, line: str, at: int, *, is_whole: bool) -> int:
        """Find the quotations from a place on in `found`; return the place up to which nothing can change any more."""
        found = list[Quotation]()
        while not self._is_code and (opening := _OPENING.search(line, at)):
            start = opening.start()
            match = (_CODE if opening[0] == "`" else _QUOTATION).match(line, start)
            needed = match.end() + AFTER if match else start + LONGEST + 4
            if not is_whole and len(line) < needed:
                self.found = tuple(found)
                return start
            at = match.end() if match else start + 1
            if match and opening[0] != "`" and self._is_attributed(line, start, at):
                words = next(filter(None, match.groups()))
                found.append(Quotation(_NOT_PLAIN.sub("", words), start, at))
        self.found = tuple(found)
        return len(line)

    def _is_attributed(self, line: str, start: int, end: int) -> bool:
        before = line[max(0, start - BEFORE) : start]
        if start <= BEFORE and not _BULLET.sub("", before, count=1).strip(" \t*_>"):
            before = f"{self._heading[-BEFORE:]} "
        after = line[end : end + AFTER]
        if _OWN_WORDS.search(before) or _SPOKE_AFTER.match(after):
            return True
        if self._named and self._signed and (self._named.search(before) or self._signed.match(after)):
            return True
        spoke = _SPOKE.search(before)
        is_long = len(line[start:end].split()) > FEW
        return spoke is not None and (is_long or _CLOSE.fullmatch(spoke["gap"]) is not None)
