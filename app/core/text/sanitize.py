"""The model's text made safe to store and show: without invisible characters and without prompt markers.

Pure, and total apart from the limit of length. The order is: length, control characters, markers, valid UTF-8. Text is
composed (NFC) before the search for markers, because some characters only compose into those of a marker.

This is hygiene and no defence against prompt injection: gated tools and validated outputs are.
"""

from __future__ import annotations

import re
import unicodedata

import regex

from app.core.errors import TooLong

MAX_BYTES = 100_000
"""UTF-8 bytes of one answer."""

MARKER_SPACES = 8
"""Spaces that are skipped at each place inside a marker; with more it is no marker. This bounds the text held back."""

MARKS_COMPOSED = 30
"""Marks on one letter that are ordered and composed; ordering a longer pile would take quadratic time.

Unicode (UAX #15, stream-safe text): no language has more.
"""

_ZERO_WIDTH = r"[\p{Default_Ignorable_Code_Point}--\p{Variation_Selector}--\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0]"
"""Includes bidi controls. Invisible marks and letters of Hebrew, Khmer and Korean are spared."""

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
"""Control and invisible characters. Joiners stay where they are spelling: in emoji and in joined scripts."""

_SPARED = regex.compile(
    r"(?V1)(?:(?!\u200C|\u200D|\p{GCB=Prepend})\p{Cf}|\p{Noncharacter_Code_Point}"
    r"|(?<!\p{Extended_Pictographic})(?!(?<=[0-9#*])\uFE0F\u20E3)[\uFE0E\uFE0F]"
    r"|(?<![\p{Mongolian}&&\p{L}])[\u180B-\u180D\u180F]|(?<!\p{Hebrew})\u034F|(?<![\p{Khmer}&&\p{L}])[\u17B4\u17B5]"
    r"|\u115F(?![\u1161-\u11FF])|(?<![\u1100-\u115E])\u1160"
    r"|[\u3164\uFFA0\uFE00-\uFE0D\U000E0100-\U000E01EF])"
)
"""Invisible characters that an answer may contain, enough to hide a text in. Those that spell a word are spared."""

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
    """Return the text as it may be stored and shown; a second call changes nothing. Raises `TooLong`."""
    _check_length(text)
    clean = purify(text)
    _check_length(clean)  # composing lengthens a few scripts
    return clean


def purify(text: str) -> str:
    """Apply `sanitize` without the limit of length.

    A code fence whose language is `system` or `assistant` loses the language: the marker is gone, and the code is still
    code. Languages that only begin so, such as `systemverilog`, stay.
    """
    return _replace_halves(_remove_markers(_compose(_remove_unseen(text)), ended=True))


def keep_visible(text: str) -> str:
    """Return the visible part of anyone's text, with every word of it; a second call changes nothing."""
    return _replace_halves(_compose(_remove_spared(_remove_unseen(_LINE_ENDS.sub("\n", text)))))


def cut_safe_prefix(text: str) -> str:
    """Return the part of an unfinished answer that may be shown; it is a prefix of that of any longer text.

    Held back are the last character, which may still change, and a possible beginning of a marker: about 50 characters.
    The same is held back for each marker that such a removal would complete.
    """
    seen = _remove_unseen(text[:-1] if "\ud800" <= text[-1:] <= "\udbff" else text)
    last = _LAST_CHARACTER.search(seen)
    seen = seen[: last.start() + (last[0] in _NEVER_COMPOSES)] if last else ""
    return _replace_halves(_cut_begun_marker(_remove_markers(_compose(seen), ended=False)))


def _check_length(text: str) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise TooLong(MAX_BYTES, size)


def _remove_unseen(text: str) -> str:
    """Remove invisible characters.

    Halves of a character that were separated are joined first, because they could hide one.
    """
    if _HALF.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _UNSEEN.sub("", text, concurrent=True) if _MAY_BE_UNSEEN.search(text) else text


def _remove_spared(text: str) -> str:
    """Remove characters that `sanitize` spares.

    Characters behind them may become invisible by that, two or three times over.
    """
    while (seen := _remove_unseen(_SPARED.sub("", text))) != text:
        text = seen
    return text


def _compose(text: str) -> str:
    if text.isascii():
        return text
    parts = _PILE.split(text)  # every second part is a pile
    parts[::2] = [unicodedata.normalize("NFC", part) for part in parts[::2]]
    return "".join(parts)


def _remove_markers(text: str, *, ended: bool) -> str:
    """Remove markers in one pass, including those that a removal creates.

    A marker can only be complete at a bracket or letter that ends one, so only there is the end of the kept text
    checked. Unless the text has `ended`, its last word may be incomplete and stays.
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
            # A space keeps "```system```" from becoming a fence. Combining marks on the marker's last bracket are
            # removed with it.
            kept.extend(" " if marker["language"] else "")
            at = at if marker["language"] else _find_end_of_marks(text, at)
    kept.extend(text[at:])
    return "".join(kept)


def _cut_begun_marker(text: str) -> str:
    """Remove an end that may become a marker, and then an end that this exposes. The text has no whole marker.

    Runs of beginnings are removed in one step, because a loop would check them one by one.
    """
    begun = _BEGUN_BACKWARDS.match(text[::-1])
    end = len(text) - (begun.end() if begun else 0)
    while (begun := _MARKER_AT_END.search(text[max(end - _LONGEST, 0) : end], partial=True)) and begun[0]:
        end -= len(begun[0])
    return text[:end]


def _find_end_of_marks(text: str, at: int) -> int:
    marks = _MARKS.match(text, at)
    return marks.end() if marks else at


def _replace_halves(text: str) -> str:
    """Make the text valid UTF-8: half a character becomes the replacement character."""
    return _HALF.sub("\ufffd", text)
