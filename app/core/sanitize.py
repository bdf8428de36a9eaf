"""What the model wrote, made safe before it is stored or shown (S0-026): nothing invisible, no markers of prompts.

Pure, and total but for the limit of length. The order is S0-027's: length, control characters, markers, valid UTF-8.
Text is composed (NFC) before markers are looked for, since some characters only compose into those of a marker.
This is hygiene, not the defence against injected prompts: that is tools that are gated and outputs that are validated.
"""

from __future__ import annotations

import re
import unicodedata

import regex

from app.core.errors import TooLong

MAX_BYTES = 100_000
"""UTF-8 bytes of one answer (S0-028, C-16)."""

MARKER_SPACES = 8
"""So many spaces are looked over at each place inside a marker; more are no marker. It bounds what is held back."""

MARKS_COMPOSED = 30
"""Marks on one letter that are ordered and composed; a longer pile stays as it is, since ordering takes its square.

Unicode (UAX #15, stream-safe text): no language has more.
"""

_ZERO_WIDTH = r"[\p{Default_Ignorable_Code_Point}--\p{Variation_Selector}--\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0]"
"""Bidi controls are among them. Spared are marks and letters of Hebrew, Khmer and Korean that happen to be unseen."""

_JOINED_SCRIPTS = (
    r"\p{Arabic}\p{Syriac}\p{Mongolian}\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}\p{Telugu}"
    r"\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Khmer}\p{Myanmar}"
)
_PICTURE = r"\p{Extended_Pictographic}"
_UNSEEN = regex.compile(
    rf"(?V1)(?:(?!(?<=[{_PICTURE}\p{{Emoji_Modifier}}\uFE0F])\u200D{_PICTURE})"
    rf"(?!(?<=[{_JOINED_SCRIPTS}])[\u200C\u200D][{_JOINED_SCRIPTS}])"
    rf"(?:[\p{{Cc}}--[\n\t]]|{_ZERO_WIDTH}))++"
)
_MAY_BE_UNSEEN = regex.compile(rf"(?V1)[\p{{Cc}}--[\n\t]]|{_ZERO_WIDTH}")
"""S0-029, and what people cannot see either; joiners stay where they are spelling: in emoji and in joined scripts."""

_SPARED = regex.compile(
    r"(?V1)(?:(?!\u200C|\u200D|\p{GCB=Prepend})\p{Cf}|\p{Noncharacter_Code_Point}"
    r"|(?<!\p{Extended_Pictographic})(?!(?<=[0-9#*])\uFE0F\u20E3)[\uFE0E\uFE0F]"
    r"|(?<![\p{Mongolian}&&\p{L}])[\u180B-\u180D\u180F]|(?<!\p{Hebrew})\u034F|(?<![\p{Khmer}&&\p{L}])[\u17B4\u17B5]"
    r"|\u115F(?![\u1161-\u11FF])|(?<![\u1100-\u115E])\u1160"
    r"|[\u3164\uFFA0\uFE00-\uFE0D\U000E0100-\U000E01EF])"
)
"""What an answer may hold and nobody can see: enough to write a hidden text with. Spared is what spells a word."""

_LINE_ENDS = regex.compile("[\u2028\u2029]")

_EXTENDS = r"[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=V}\p{GCB=T}]"
_MARKS = regex.compile(f"{_EXTENDS}*")
_PILE = regex.compile(f"({_EXTENDS}{{{MARKS_COMPOSED + 1},}})")
_NEVER_COMPOSES = frozenset("\n\t !\"#$%&'()*+,-./0123456789:;?@[\\]^_`{|}~")
_LAST_CHARACTER = regex.compile(rf"(?rV1)(?<![\u200D\p{{Regional_Indicator}}])(?!{_EXTENDS}|\u200D).", regex.DOTALL)

_SPACES = rf"[^\S\n]{{0,{MARKER_SPACES}}}"
_ROLES = ("system", "assistant")
_ROLE = f"(?:{'|'.join(_ROLES)})"
_MARKER = (
    rf"(?:\[{_SPACES}(?:/{_SPACES})?INST{_SPACES}\]|<{_SPACES}\|{_SPACES}{_ROLE}{_SPACES}\|{_SPACES}>"
    rf"|(?<=```){_SPACES}(?P<language>{_ROLE})(?![\w\p{{M}}]))"
)
_ANY_MARKER = regex.compile(_MARKER, regex.IGNORECASE)
_MARKER_AT_END = regex.compile(rf"{_MARKER}\Z", regex.IGNORECASE)
_MARKER_ENDS = regex.compile(r"[\]>]|[mt](?![\w\p{M}])", regex.IGNORECASE)
_ROLE_ENDS = "|".join(role[::-1] for role in _ROLES)
_ROLE_BEGINS = "|".join(role[length - 1 :: -1] for role in _ROLES for length in range(len(role) - 1, 0, -1))
_BEGUN_BACKWARDS = regex.compile(
    rf"(?:(?:(?:{_SPACES}T)?SNI|NI|I)?(?:{_SPACES}/)?{_SPACES}\["
    rf"|(?:(?:(?:{_SPACES}\|)?{_SPACES}(?:{_ROLE_ENDS})|(?:{_ROLE_BEGINS}))?{_SPACES}\|)?{_SPACES}<)*+",
    regex.IGNORECASE,
)
_LONGEST = 3 + 4 * MARKER_SPACES + len("<|assistant|>")
_HALF = re.compile("[\ud800-\udfff]")


def sanitize(text: str) -> str:
    """Return the text as it may be stored and shown; doing it again changes nothing. Raises `TooLong`."""
    _check_length(text)
    clean = purify(text)
    _check_length(clean)  # composing lengthens a few scripts
    return clean


def purify(text: str) -> str:
    """Do all of `sanitize` but the limit of length.

    Of a code fence whose language is `system` or `assistant` the fence stays and the language goes (S0-030): the marker
    is gone, and the code between the fences is still code. Languages that only begin so, as `systemverilog`, stay.
    """
    return _whole(_unmarked(_composed(_seen(text)), ended=True))


def visible(text: str) -> str:
    """Return what people can see of a text that anybody wrote, every word of it; doing it again changes nothing."""
    return _whole(_composed(_spelled(_seen(_LINE_ENDS.sub("\n", text)))))


def safe_prefix(text: str) -> str:
    """Return what of an unfinished answer may be shown; it is a prefix of the same for any longer text, and of the end.

    Held back is the last character while it may still change, and what may become a marker: at most some 50 characters,
    and as many of each marker that the removal of those would leave begun.
    """
    seen = _seen(text[:-1] if "\ud800" <= text[-1:] <= "\udbff" else text)
    last = _LAST_CHARACTER.search(seen)
    seen = seen[: last.start() + (last[0] in _NEVER_COMPOSES)] if last else ""
    return _whole(_without_begun_marker(_unmarked(_composed(seen), ended=False)))


def _check_length(text: str) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise TooLong(MAX_BYTES, size)


def _seen(text: str) -> str:
    """Without what nobody can see. Halves of a character that came apart are joined first, or they could hide one."""
    if _HALF.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _UNSEEN.sub("", text, concurrent=True) if _MAY_BE_UNSEEN.search(text) else text


def _spelled(text: str) -> str:
    """Without what is spared in answers. What stood behind that may be seen no more either: two or three times over."""
    while (seen := _seen(_SPARED.sub("", text))) != text:
        text = seen
    return text


def _composed(text: str) -> str:
    parts = _PILE.split(text)  # every second one is a pile
    parts[::2] = [unicodedata.normalize("NFC", part) for part in parts[::2]]
    return "".join(parts)


def _unmarked(text: str, *, ended: bool) -> str:
    """Remove markers, also those that the removal of others makes, in one pass.

    A marker can only be complete at a bracket or letter that ends one; there the end of what is kept is looked at.
    Whether a word at the end of a text that has not `ended` is a whole word is not known yet: it stays.
    """
    if not _ANY_MARKER.search(text):
        return text
    kept: list[str] = []
    at = 0
    for end in _MARKER_ENDS.finditer(text):
        if not ended and end.end() == len(text) and end[0].isalpha():
            break
        kept.extend(text[at : end.end()])
        at = end.end()
        if marker := _MARKER_AT_END.search("".join(kept[-_LONGEST:])):
            del kept[-len(marker[0]) :]
            # A space keeps "```system```" from becoming a fence. Marks on the bracket that ended a marker go with it.
            kept.extend(" " if marker["language"] else "")
            at = at if marker["language"] else _end_of_marks(text, at)
    kept.extend(text[at:])
    return "".join(kept)


def _without_begun_marker(text: str) -> str:
    """Leave out the end that may become a marker, and what may become one when that is gone; there is no whole one.

    Runs of beginnings, which the loop would look at one by one, are left out in one step.
    """
    begun = _BEGUN_BACKWARDS.match(text[::-1])
    end = len(text) - (begun.end() if begun else 0)
    while (begun := _MARKER_AT_END.search(text[max(end - _LONGEST, 0) : end], partial=True)) and begun[0]:
        end -= len(begun[0])
    return text[:end]


def _end_of_marks(text: str, at: int) -> int:
    marks = _MARKS.match(text, at)
    return marks.end() if marks else at


def _whole(text: str) -> str:
    """Make it valid UTF-8 (S0-031): half a character is shown as the replacement character."""
    return _HALF.sub("\ufffd", text)
