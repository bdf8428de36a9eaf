"""Links in a model's Markdown: those that lead where they say stay, all others become text that shows their address.

Pure. A link is disarmed by an invisible character before its address: no word of it is lost. Code is left as it is.
"""

from __future__ import annotations

import html
import re
from functools import partial

from app.core.markdown import Blocks, Kind

WORD_JOINER = "\u2060"
"""Invisible; where it stands Slack reads neither a mention nor a link."""

_SAFE = r"(?:https?://|mailto:)"
_LINKS = (
    r"(?P<code>\\.|(?<!`)(?P<ticks>`{1,2})(?!`)[^`\n]{1,300}(?P=ticks)(?!`))"
    rf"|\[(?P<label>(?:[^\[\]\n]|\[[^\[\]\n]{{0,300}}\]){{0,300}})\]\(\s?<?{_SAFE}(?P<host>[^\s/?#()<>\[\]]{{1,255}})"
    r"(?=[\s/?#)>])"
    rf"|(?P<address><{_SAFE}[^\s<>|]{{1,300}}>)"
    r"|(?P<bad>\](?=\()|<(?=[A-Za-z][A-Za-z0-9+.-]{1,31}:))"
    r"|(?P<definition>(?<=\])(?=:))"
)
_LINK = re.compile(_LINKS, re.IGNORECASE)
_LINK_OR_OPEN_CODE = re.compile(rf"(?P<open>(?<!`)`{{1,2}}(?!`)[^`\n]{{0,302}}\Z)|{_LINKS}", re.IGNORECASE)
_UNDECIDED = re.compile(r"(?<=\])\(\s?[^\s()\[\]]{0,275}\Z|<[^\s<>]{0,320}\Z|\\\Z")
_ADDRESS_BEGINS = re.compile(r"(?<=\])[(:]|<")
_DEFINES = re.compile(r"[\s>*+.)\d-]*+\[")
_SHOWN_HOST = re.compile(
    r"(?:https?://|www\.|@)[\w.-]+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|info|biz|io|ai|app|dev|co|me|eu|us|uk"
    r"|de|fr|nl|ch|at|es|it|jp|cn|in|br|ru)\b",
    re.IGNORECASE,
)


def honest(markdown: str) -> str:
    """Disarm links to what is no web or mail address, and links whose label shows another address than theirs."""
    lines, last, blocks = _complete(markdown)
    return "".join(lines) + (last if blocks.take(last) is not Kind.TEXT else _judged(last))


def honest_prefix(markdown: str) -> str:
    """Do the same to a text that still grows: what it gives is a prefix of what it gives of any longer text.

    Held back are the addresses of links that are not decided, at most some 300 characters.
    """
    lines, last, blocks = _complete(markdown)
    kind = blocks.take(last)
    if kind is Kind.OPENS:  # or a code span, or text
        last = _up_to(_ADDRESS_BEGINS, last)
    elif kind is Kind.TEXT:
        last = _growing(_up_to(_UNDECIDED, last))
    return "".join(lines) + last


def _complete(markdown: str) -> tuple[list[str], str, Blocks]:
    """The lines that are complete, judged; the last one as it is; and where it stands."""
    *lines, last = markdown.split("\n")
    blocks = Blocks()
    return [_judged_line(f"{line}\n", blocks) for line in lines], last, blocks


def _judged_line(line: str, blocks: Blocks) -> str:
    return _judged(line) if blocks.take(line) is Kind.TEXT else line


def _growing(line: str) -> str:
    """Whether a code span that is open will be closed nobody knows: what differs is left out."""
    opened = next((found for found in _LINK_OR_OPEN_CODE.finditer(line) if found["open"]), None)
    if not opened:
        return _judged(line)
    return _judged(line[: opened.start()]) + _up_to(_ADDRESS_BEGINS, opened[0])


def _up_to(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return text[: found.start()] if found else text


def _judged(line: str) -> str:
    definition = WORD_JOINER if _DEFINES.match(line) else ""  # it would make links of brackets far away
    return _LINK.sub(partial(_judged_link, definition), line)


def _judged_link(definition: str, found: re.Match[str]) -> str:
    match found.lastgroup:
        case "bad":
            return f"{found[0]}{WORD_JOINER}"
        case "definition":
            return definition
        case "host" if not _leads_where_it_says(found["label"], found["host"]):
            end = found.end("label") + 1 - found.start()
            return f"{found[0][:end]}{WORD_JOINER}{found[0][end:]}"
        case _:
            return found[0]


def _leads_where_it_says(label: str, host: str) -> bool:
    target = _bare(host)
    said = html.unescape(label.replace("\\", ""))
    return all(_bare(shown) == target or target.endswith(f".{_bare(shown)}") for shown in _SHOWN_HOST.findall(said))


def _bare(host: str) -> str:
    """A host without scheme, user, port and www."""
    name = host.lower().rpartition("//")[2].rpartition("@")[2].partition(":")[0]
    return name.removeprefix("www.").rstrip(".")
