"""Data that the model wrote: JSON under limits, and strings without markup.

Errors carry a kind, never the content. Knows no schema: other modules check the form of the data.
"""

from __future__ import annotations

import html
import json
import re
from itertools import takewhile
from typing import NoReturn, TypeAlias, cast

import regex

from app.core.errors import ExtractionError, ExtractionFailure, TooLong
from app.core.text.sanitize import purify, sanitize

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

MAX_DEPTH = 20
"""Arrays and objects within each other."""

MAX_STRING = 10_000
"""Characters of one string."""

CUT = "...[truncated]"

NESTED_TAGS = 5
"""Tags may hide in tags, as `<scr<b>ipt>` does. A string with deeper ones loses every `<`."""

_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_CHARACTER = regex.compile(r"\X")
_ELEMENT = re.compile(
    "a|abbr|acronym|address|applet|area|article|aside|audio|b|base|basefont|bdi|bdo|bgsound|big|blink|blockquote|"
    "body|br|button|canvas|caption|center|cite|code|col|colgroup|data|datalist|dd|del|details|dfn|dialog|dir|div|"
    "dl|dt|em|embed|fieldset|figcaption|figure|font|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|"
    "hgroup|hr|html|i|iframe|image|img|input|ins|isindex|kbd|keygen|label|legend|li|link|listing|main|map|mark|"
    "marquee|math|menu|menuitem|meta|meter|nav|nobr|noembed|noframes|noscript|object|ol|optgroup|option|output|p|"
    "param|picture|plaintext|portal|pre|progress|q|rb|rp|rt|rtc|ruby|s|samp|script|search|section|select|slot|"
    "small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|"
    "time|title|tr|track|tt|u|ul|var|video|wbr|xmp"
)
"""Other tags are no markup: `List<String>` and `x<y and y>z` stay, unless they contain an event handler."""

_MARKUP = re.compile(
    r"<!--[^<]*?--\s*>|<(?:!(?!--)|\?)[^<>]*>"
    r"|<(?P<end>/\s*)?(?P<name>[A-Za-z][^\s/<>]*+)"
    r"""(?P<attributes>(?:=\s*+(?:"[^"<]*"|'[^'<]*')|=(?!\s*+["'])|[^<>=])*+)>"""
)
"""A comment, a declaration or a tag. Python's own parser reads unfinished ones differently from version to version."""
_UNSHOWN = ("script", "style")
_BEGUN_TAG = re.compile(rf"<(?=[!?]|/?(?:{_ELEMENT.pattern})\b)", re.IGNORECASE)
_ANY_BEGUN_TAG = re.compile(r"<(?=[!?/A-Za-z])")
_HANDLER = re.compile(r"\bon\w+\s*=", re.IGNORECASE)


def parse(raw: str) -> Json:
    """Parse JSON under the limits, after sanitizing the text. Raises `ExtractionError`."""
    try:
        text = sanitize(raw)
        _check_depth(text)
        return cast(Json, json.loads(text, parse_constant=_refuse_number, parse_float=_parse_finite))
    except TooLong:
        raise ExtractionError(ExtractionFailure.TOO_LONG) from None
    except ValueError:  # its message may quote the content
        raise ExtractionError(ExtractionFailure.MALFORMED) from None


def clean(value: Json, depth: int = 0) -> Json:
    """Make all strings plain text of at most `MAX_STRING` characters; other values stay. Raises `ExtractionError`."""
    if isinstance(value, str):
        return _cut(_strip_markup(value))
    if isinstance(value, (list, dict)) and depth >= MAX_DEPTH:
        raise ExtractionError(ExtractionFailure.TOO_DEEP)
    if isinstance(value, list):
        return [clean(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: clean(item, depth + 1) for key, item in value.items()}
    return value


def show_brackets(text: str) -> str:
    """Return what a person typed, with ‹ in place of each < if `clean` would take words for markup and drop them."""
    if _strip_markup(text) == _resolve_entities(text):
        return text
    return _ENTITY.sub(lambda entity: "‹" if html.unescape(entity[0]) == "<" else entity[0], text).replace("<", "‹")


def _check_depth(text: str) -> None:
    """Check the nesting by counting brackets outside of strings, so that a deep text causes no deep recursion."""
    depth = 0
    for token in _STRUCTURE.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > MAX_DEPTH:
            raise ExtractionError(ExtractionFailure.TOO_DEEP)


def _refuse_number(_: str) -> NoReturn:
    raise ValueError


def _parse_finite(digits: str) -> float:
    number = float(digits)
    return number if abs(number) != float("inf") else _refuse_number(digits)


def _strip_markup(text: str) -> str:
    """Resolve entities once, then remove tags until none is left, because a removal can create one."""
    plain = _resolve_entities(text)
    if "<" not in plain:
        return plain
    for _ in range(NESTED_TAGS):
        bare = purify(_remove_tags(plain))
        if bare == plain:
            bare = purify(_remove_begun_tags(plain))
        if bare == plain:
            return plain
        plain = bare
    return purify(plain.replace("<", ""))


def _resolve_entities(text: str) -> str:
    return purify(_ENTITY.sub(lambda entity: html.unescape(entity[0]), text))


def _remove_tags(text: str) -> str:
    """Remove tags, comments and declarations, and what stands in scripts and styles; none of them has a `<` in it."""
    kept, at, unshown = list[str](), 0, ""
    for found in _MARKUP.finditer(text):
        name, is_end = (found["name"] or "").lower(), bool(found["end"])
        if unshown:
            if is_end and name == unshown:
                unshown, at = "", found.end()
        elif not name or _ELEMENT.fullmatch(name) or _HANDLER.search(found["attributes"]):
            kept.append(text[at : found.start()])
            at = found.end()
            unshown = name if name in _UNSHOWN and not is_end else ""
    return "".join((*kept, "" if unshown else text[at:]))


def _remove_begun_tags(text: str) -> str:
    """Remove the `<` of tags whose attributes contain another one; `_remove_tags` takes them for none."""
    last = text.rfind(">") + 1
    begun = _ANY_BEGUN_TAG if _HANDLER.search(text) else _BEGUN_TAG
    return begun.sub("", text[:last]) + text[last:]


def _cut(text: str) -> str:
    """Cut the string between two user-perceived characters. A character longer than the limit is cut inside."""
    if len(text) <= MAX_STRING:
        return text
    ends = (character.end() for character in _CHARACTER.finditer(text))
    return text[: max(takewhile(MAX_STRING.__ge__, ends), default=MAX_STRING)] + CUT
