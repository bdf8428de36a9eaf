"""The marks that tell the model who says what, and the one cleaner of all words of people, tools and the database.

Rule: what stands between two marks is clean, so nothing in it poses as a mark of ours or holds what people cannot see.
Words are cleaned once, when they are appended to a request or kept for one; what was sent is sent again as it was.
Pure, and linear in the length of a text.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from typing import Any, Final, cast

import regex

from app.core.sanitize import visible

FORM: Final = 1
"""Raise it with every change of how a stored row reads to the model: open threads then begin a new epoch."""

TAGS: Final = (
    "message",
    "note",
    "state",
    "step",
    "reply",
    "transcript",
    "draft",
    "earlier_steps",
    "chosen",
    "summary",
)
"""The elements that the program writes."""

FOREIGN: Final = (
    "system",
    "system-reminder",
    "assistant",
    "human",
    "owner",
    "operator",
    "thinking",
    "tool_use",
    "tool_result",
    "function_calls",
    "function_results",
    "antml",
)
"""Elements that the program never writes, and that models take for the words of whoever runs them."""

REMARKS: Final = (
    "Earlier conversation summarized",
    "Conversation interrupted",
    "Used tools without a word",
    "Request interrupted by user",
    "Tool execution interrupted",
)
"""What the program writes in square brackets, by how it begins."""

LONGEST_NAME: Final = 40
"""Characters of a name: enough to know somebody by, too few for a sentence about who that is."""

LONGEST_ID: Final = 40

ROLES: Final = ("owner", "operator", "system", "assistant", "developer", "administrator", "admin", "threadwise")
"""Words that are in nobody's name: who has which role is said beside the name, and by the program alone."""

NAMELESS: Final = "Somebody"

UNSEEN: Final = "(nothing that people can see)"
"""In place of words of which nothing is left; the API refuses empty text."""

_GAP: Final = r"[\s\p{M}]{0,8}"
_TAG: Final = "|".join(map(regex.escape, (*TAGS, *FOREIGN)))
_OPENERS: Final = regex.compile(
    rf"(?V1)<(?={_GAP}/?{_GAP}(?:(?i:{_TAG})(?![\w-])|[A-Za-z0-9_:.-]{{0,40}}[[\w\p{{M}}]--\p{{ASCII}}])"
    rf"|{_GAP}\|[^>\n|]{{0,60}}\|{_GAP}>)"
)
"""What begins a mark. A tag in other letters than ASCII is no code of anybody's, and may look like one of ours."""

_BRACKETS: Final = regex.compile(
    rf"(?i)\[(?={_GAP}(?:/?{_GAP}INST{_GAP}\]|"
    rf"{'|'.join(_GAP.join(map(regex.escape, each.split())) for each in REMARKS)}))"
)
_FENCES: Final = regex.compile(r"(?i)(?<=```)[^\S\n]{0,8}((?:system|assistant)(?![\w\p{M}]))")

_BRACKETED: Final = regex.compile(r"[(\[{<][^()\[\]{}<>]*[)\]}>]?")
_NO_NAME: Final = regex.compile(r"[^\p{L}\p{M}\p{Nd}\u200C\u200D .'’_-]|\p{Variation_Selector}")
_ROLE: Final = regex.compile(rf"(?i)(?<![\p{{L}}\p{{M}}\p{{N}}])(?:{'|'.join(ROLES)})(?![\p{{L}}\p{{M}}\p{{N}}])")
_NO_ID: Final = regex.compile(r"[^A-Za-z0-9._:+ -]")


def clean(text: str) -> str:
    """Return all that people can see of a text, with the marks in it disarmed; doing it again changes nothing.

    A mark loses the bracket it begins with to one that looks alike: its words stay.
    """
    # Concurrent: where it is done in a thread, others go on meanwhile.
    seen = _OPENERS.sub("‹", visible(text), concurrent=True)
    return _FENCES.sub(r" (\1)", _BRACKETS.sub("(", seen, concurrent=True), concurrent=True)


def clean_line(text: str) -> str:
    """Return the same in one line: what stands among lines of ours cannot begin one."""
    return clean(" ".join(visible(text).split()))


def clean_name(name: str) -> str:
    """Return what a person, an app or a channel is called: letters, digits, spaces and `.'’_-`, `LONGEST_NAME` at most.

    What stands in brackets is left out, and so are the words of `ROLES`. Two people may be called the same: what tells
    them apart is never the name but what is said beside it.
    """
    seen = visible(unicodedata.normalize("NFKC", visible(name[: 8 * LONGEST_NAME])))
    plain = " ".join(_NO_NAME.sub(" ", _BRACKETED.sub(" ", seen)).split())[:LONGEST_NAME]
    return " ".join(visible(_ROLE.sub(" ", plain)).split()) or NAMELESS


def clean_data(value: Any) -> Any:
    """Return data with every text in it clean, the names of its fields among them."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list | tuple):
        return [clean_data(each) for each in cast("list[Any]", value)]
    if isinstance(value, Mapping):
        return {clean(str(name)): clean_data(each) for name, each in cast("Mapping[Any, Any]", value).items()}
    return value


def clean_result(result: str) -> str:
    """Return what a tool gave, which is JSON or a sentence, with every text in it clean."""
    try:
        return json.dumps(clean_data(json.loads(result)), ensure_ascii=False)
    except (ValueError, RecursionError):  # a thousand brackets are no data
        return clean(result)


def mark(tag: str, text: str, **attributes: str) -> str:
    """Write an element around words that are cleaned here. `tag` is one of `TAGS`; empty attributes are left out.

    The attribute `name` is written as `from`, by the rule for names.
    """
    assert tag in TAGS, "a mark that the cleaner knows nothing of could be imitated"
    return f"<{tag}{_attributes(attributes)}>{clean(text)}</{tag}>"


def block(tag: str, text: str) -> str:
    """Write an element whose words stand in lines of their own."""
    assert tag in TAGS, "a mark that the cleaner knows nothing of could be imitated"
    return f"<{tag}>\n{clean(text)}\n</{tag}>"


def _attributes(given: Mapping[str, str]) -> str:
    known = {key: clean_name(each) if key == "name" else _id(each) for key, each in given.items()}
    return "".join(f' {"from" if key == "name" else key}="{each}"' for key, each in known.items() if each)


def _id(given: str) -> str:
    return _NO_ID.sub("", given)[:LONGEST_ID]
