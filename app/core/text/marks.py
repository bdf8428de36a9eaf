"""Marks that tell the model who wrote what, and the cleaner of all words of people, tools and the database.

Text between two marks is clean, so it cannot imitate a mark or hide invisible characters. Words are cleaned once, when
they are added to a request or stored for one. A sent request is repeated unchanged. Pure, and linear in the length of a
text.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from typing import Any, Final, cast

import regex

from app.core.text.sanitize import keep_visible

FORM: Final = 6
"""Raise it when stored rows read differently to the model; open threads then start a new epoch."""

TAGS: Final = (
    "message",
    "note",
    "file",
    "state",
    "step",
    "reply",
    "transcript",
    "draft",
    "earlier_steps",
    "chosen",
    "summary",
    "task",
    "place",
    "read",
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
"""Elements that the program never writes, and that models take for instructions of an operator."""

REMARKS: Final = (
    "Earlier conversation summarized",
    "Conversation interrupted",
    "Used tools without a word",
    "Request interrupted by user",
    "Tool execution interrupted",
    "Cut off at the greatest length",
)
"""Beginnings of remarks that the program writes in square brackets."""

LONGEST_NAME: Final = 40
"""Characters of a name: enough to identify a person, too few for a sentence about their role."""

LONGEST_FILE_NAME: Final = 110
"""Characters of a file's name, which is not told shorter than it is asked for by."""

LONGEST_ID: Final = 40

ROLES: Final = ("owner", "operator", "system", "assistant", "developer", "administrator", "admin", "threadwise")
"""Words that no name may contain. The program alone states roles, beside the name."""

NAMELESS: Final = "Somebody"

UNSEEN: Final = "(nothing that people can see)"
"""Replaces text of which nothing is left, because the API refuses empty text."""

_GAP: Final = r"[\s\p{M}]{0,8}"
_TAG: Final = "|".join(map(regex.escape, (*TAGS, *FOREIGN)))
_OPENERS: Final = regex.compile(
    rf"(?V1)<(?={_GAP}/?{_GAP}(?:(?i:{_TAG})(?![\w-])|[A-Za-z0-9_:.-]{{0,40}}[[\w\p{{M}}]--\p{{ASCII}}])"
    rf"|{_GAP}\|[^>\n|]{{0,60}}\|{_GAP}>)"
)
"""Beginnings of a mark. A tag with non-ASCII letters is never code, and may imitate a mark."""

_BRACKETS: Final = regex.compile(
    rf"(?i)\[(?={_GAP}(?:/?{_GAP}INST{_GAP}\]|"
    rf"{'|'.join(_GAP.join(map(regex.escape, each.split())) for each in REMARKS)}))"
)
_FENCES: Final = regex.compile(r"(?i)(?<=```)[^\S\n]{0,8}((?:system|assistant)(?![\w\p{M}]))")

_BRACKETED: Final = regex.compile(r"[(\[{<][^()\[\]{}<>]*[)\]}>]?")
_NO_NAME: Final = regex.compile(r"[^\p{L}\p{M}\p{Nd}\u200C\u200D .'’_-]|\p{Variation_Selector}")
_ROLE: Final = regex.compile(rf"(?i)(?<![\p{{L}}\p{{M}}\p{{N}}])(?:{'|'.join(ROLES)})(?![\p{{L}}\p{{M}}\p{{N}}])")
_UNQUOTED: Final = str.maketrans('<>"', "‹›'")
_NO_ID: Final = regex.compile(r"[^A-Za-z0-9._:+ -]")


def clean(text: str) -> str:
    """Return the visible part of a text, with its marks disarmed; a second call changes nothing.

    The opening bracket of a mark is replaced by a similar character; its words stay.
    """
    seen = keep_visible(text)
    if "<" not in seen and "[" not in seen and "```" not in seen:
        return seen
    # Concurrent: if it runs in an OS thread, the others continue.
    seen = _OPENERS.sub("‹", seen, concurrent=True)
    return _FENCES.sub(r" (\1)", _BRACKETS.sub("(", seen, concurrent=True), concurrent=True)


def clean_line(text: str) -> str:
    """Return the same in one line, so that the text cannot start a line among those of the program."""
    return clean(" ".join(keep_visible(text).split()))


def clean_name(name: str) -> str:
    """Return the name of a person, an app or a channel: letters, digits, spaces and `.'’_-`, `LONGEST_NAME` at most.

    Text in brackets and the words of `ROLES` are left out. Two people may have the same name, so the text beside a name
    tells them apart.
    """
    seen = keep_visible(unicodedata.normalize("NFKC", keep_visible(name[: 8 * LONGEST_NAME])))
    plain = " ".join(_NO_NAME.sub(" ", _BRACKETED.sub(" ", seen)).split())[:LONGEST_NAME]
    return " ".join(keep_visible(_ROLE.sub(" ", plain)).split()) or NAMELESS


def clean_file_name(name: str) -> str:
    """Return the name of a file in one line, without what could end the attribute in which it stands."""
    return clean_line(name).translate(_UNQUOTED)[:LONGEST_FILE_NAME].rstrip()


def clean_data(value: Any) -> Any:
    """Return data with every text in it clean, including the names of its fields."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list | tuple):
        return [clean_data(each) for each in cast("list[Any]", value)]
    if isinstance(value, Mapping):
        return {clean(str(name)): clean_data(each) for name, each in cast("Mapping[Any, Any]", value).items()}
    return value


def clean_result(result: str) -> str:
    """Return a tool's result, which is JSON or a sentence, with every text in it clean."""
    try:
        return json.dumps(clean_data(json.loads(result)), ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):  # a thousand brackets are no data
        return clean(result)


def mark(tag: str, text: str, **attributes: str) -> str:
    """Return an element around words, which are cleaned here. `tag` is one of `TAGS`; empty attributes are left out.

    The attributes `name` and `file` are written as `from`, and cleaned as a name and as that of a file.
    """
    assert tag in TAGS, "a mark that the cleaner knows nothing of could be imitated"
    return f"<{tag}{_write_attributes(attributes)}>{clean(text)}</{tag}>"


def write_block(tag: str, text: str) -> str:
    """Return an element whose words have lines of their own."""
    assert tag in TAGS, "a mark that the cleaner knows nothing of could be imitated"
    return f"<{tag}>\n{clean(text)}\n</{tag}>"


def _write_attributes(given: Mapping[str, str]) -> str:
    names = {"name": clean_name, "file": clean_file_name}
    known = {
        key: names[key](each) if key in names else _NO_ID.sub("", each)[:LONGEST_ID] for key, each in given.items()
    }
    return "".join(f' {"from" if key in names else key}="{each}"' for key, each in known.items() if each)
