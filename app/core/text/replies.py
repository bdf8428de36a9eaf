"""Recognition of yes, no and a choice, in the languages that most workspaces write, and in emoji.

Only a whole message is a yes or a no: "incorrect", "no good" and "yes, we could" are not. Every function is total and
takes linear time, because only the first `LOOKED_AT` characters are searched for words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import regex

from app.core.text import phrases

LOOKED_AT = 300
"""Characters of a text that are compared with words and labels; a longer text matches none."""

CUT: Final = "…"
"""End of a folded text that was cut. No other folded text contains it, because folding makes three dots of it."""


class Verdict(StrEnum):
    """Meaning of an answer to a confirmation."""

    YES = "yes"
    NO = "no"


class _Role(StrEnum):
    POLITE = "polite"
    """Adds nothing to an answer."""
    OBJECTION = "objection"
    """Revokes a part of the answer before it."""


_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
LAST = -1
_PLACES: Mapping[str, int] = {
    **{word: place for words in (_CARDINALS, _ORDINALS) for place, word in enumerate(words, 1)},
    "last": LAST,
}

_QUESTION_MARKS = "?？؟⸮"
_TONE = ":skin-tone-"
_UNSEEN = regex.compile(_TONE + r"\d:|[\p{Cf}\p{Variation_Selector}\p{Emoji_Modifier}\u20E3]")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´", "'"))
_EMOJI_CODES_AT_END = re.compile(r"(?:\s*:[a-z0-9_'+-]{1,60}:)+\s*\Z")


def _fold_characters(text: str) -> str:
    if text.isascii() and _TONE not in text:
        return " ".join(text.replace("`", "'").lower().split())
    seen = unicodedata.normalize("NFKC", _UNSEEN.sub("", text.translate(_APOSTROPHES)))
    return " ".join(unicodedata.normalize("NFKC", seen.casefold()).split())


def fold(text: str) -> str:
    """Return the text without case, width, spaces, skin tones and invisible characters, for comparison."""
    plain = " ".join(text.split())
    return _fold_characters(plain[:LOOKED_AT]) + (CUT if len(plain) > LOOKED_AT else "")


def _flatten(lists: Iterable[str]) -> list[str]:
    return [_fold_characters(phrase) for listed in lists for phrase in listed.split(",")]


def _runs_on(char: str) -> bool:
    """Return True for characters next to which a word may end without a space: symbols, Japanese and Chinese."""
    return ord(char) >= 0x2E80 or unicodedata.category(char)[0] not in "LMN"


def _either(words: Iterable[str]) -> str:
    return "|".join(regex.escape(word) for word in sorted(set(words), key=len, reverse=True))


def _build_pattern(words: Sequence[str], *, bound: str) -> str:
    """Return a pattern for the longest of these phrases.

    `bound` must follow a phrase after which any character may stand.
    """
    closed = _either(word for word in words if not _runs_on(word[-1]))
    open_ = _either(word for word in words if _runs_on(word[-1]))
    return rf"(?:(?<!\w)(?:{closed})(?!\w)|(?:{open_}){bound})"


_ROLES: Mapping[str, Verdict | _Role] = {
    **dict.fromkeys(_flatten(phrases.POLITE.values()), _Role.POLITE),
    **dict.fromkeys(_flatten(phrases.OBJECTION.values()), _Role.OBJECTION),
    **dict.fromkeys(_flatten(phrases.YES.values()), Verdict.YES),
    **dict.fromkeys(_flatten(phrases.NO.values()), Verdict.NO),
}

# In scripts without spaces, an answer may be the beginning of another word: "不" begins "不错", which means not bad.
_BESIDE = _build_pattern([word for word, role in _ROLES.items() if isinstance(role, _Role)], bound="")
_ANSWER = _build_pattern(
    [word for word, role in _ROLES.items() if isinstance(role, Verdict)], bound=rf"(?=\W|\Z|{_BESIDE})"
)
_GAP = r"[\s\p{P}--[?؟⸮…/\\&@#%\p{Pd}]]|\p{Pd}(?!\d)|~(?=\s|\Z)"
_NEXT = regex.compile(rf"(?V1)(?P<phrase>{_ANSWER}|{_BESIDE})|{_GAP}")
_PAUSE = regex.compile(r"[,;:!、。–—]|\.\s|\s-+\s")

_POLITENESS = _build_pattern([word for word, role in _ROLES.items() if role is _Role.POLITE], bound=r"(?=\W|\Z)")
_TRIMMED = regex.compile(rf"(?V1)\A(?:{_GAP})+|(?:{_GAP})+\Z")
_BARE = regex.compile(rf"(?V1)\A(?:{_POLITENESS}|{_GAP})+|(?:{_POLITENESS}|{_GAP})+\Z")

_ELSE = regex.compile(
    rf"(?:{_either(_flatten([phrases.OTHERWISE]))})(?:\s*[:：]|\s+[-–—]\s)(.*)", regex.DOTALL | regex.IGNORECASE
)
_KIND = "option|number|choice"
_PLACE = regex.compile(
    rf"(?:(?:{_KIND}) )?(?P<spelt>{_either(_CARDINALS)})"
    rf"|(?:(?:{_KIND}) |no\.? ?|nr\.? ?)?#? ?(?P<counted>\d{{1,2}})"
    rf"|(?:the )?(?P<ordered>\d{{1,2}}(?=st|nd|rd|th)|{_either(_ORDINALS)}|last)(?:st|nd|rd|th)?(?: (?:one|{_KIND}))?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """Beginning of a message, classified."""

    verdict: Verdict | None = None
    """None if it begins with neither yes nor no, or with both."""
    whole: bool = False
    """True if the message contains nothing else."""
    objects: bool = False
    """True if a "but" with more text follows."""
    pauses: bool = False
    """True if a comma or similar mark precedes the rest."""


def read_lead(text: str) -> Lead:
    """Return whether a message is yes or no, or begins with one. A doubtful message has no verdict."""
    said = fold(text)
    verdicts: set[Verdict] = set()
    at = answered = 0
    role = None
    while role is not _Role.OBJECTION and (found := _NEXT.match(said, at)):
        at = found.end()
        role = _ROLES.get(found["phrase"] or "")
        if isinstance(role, Verdict):
            verdicts.add(role)
            answered = at
    objects = role is _Role.OBJECTION
    return Lead(
        verdict=verdicts.pop() if len(verdicts) == 1 else None,
        whole=at == len(said) and not objects,
        objects=objects and any(map(str.isalnum, said[at:])),
        pauses=bool(_PAUSE.search(said, answered, at)),
    )


def is_question(text: str) -> bool:
    """Return True if a text ends with a question mark; brackets, marks and emoji may follow it."""
    end = _EMOJI_CODES_AT_END.sub("", text[-LOOKED_AT:])
    for char in reversed(end):
        if char in _QUESTION_MARKS:
            return True
        if char.isalnum():
            return False
    return False


def trim(said: str) -> str:
    """Remove punctuation from both ends of a folded text."""
    return _TRIMMED.sub("", said)


def strip_politeness(said: str) -> str:
    """Remove punctuation and words such as "please" and "thanks" from both ends of a folded text."""
    return _BARE.sub("", said)


def read_place(said: str) -> tuple[str, int] | None:
    """Return the number or word, and its place, of "2", "#2", "option 2" or "the second one".

    `LAST` is the last place.
    """
    found = _PLACE.fullmatch(said)
    if not found:
        return None
    named = found["spelt"] or found["counted"] or found["ordered"]
    return named, _PLACES[named] if named in _PLACES else int(named)


def read_something_else(text: str) -> str | None:
    """Return the text after "something else:"; None for another text, or if nothing follows."""
    found = _ELSE.match(text.strip())
    return (found[1].strip() or None) if found else None


def begins_with(label: str, said: str) -> bool:
    """Return True if a folded label begins with a folded text, and a word ends there."""
    if not said or not label.startswith(said):
        return False
    rest = label[len(said) :]
    return not rest or _runs_on(said[-1]) or _runs_on(rest[0])
