"""Slack's own markup, mrkdwn, as HTML.

Code is taken first, then `<…>` references and addresses, then bold, italic and strike, which never cross a line.
"""

import re
from itertools import groupby

from app.playground.slack.render_inline import (
    Names,
    channel,
    escaped,
    link,
    literal,
    person,
    special,
    unescaped,
)

_FENCE = re.compile(r"```\n?(.+?)\n?```", re.DOTALL)
_QUOTE = re.compile(r"^(?:&gt;|>)[ ]?")
_SPAN = re.compile(
    r"""
    `(?P<code>[^`\n]+)`
    | <(?P<reference>[^<>\n]+)>
    | (?P<address>https?://[^\s<>|]*[^\s<>|.,;:!?)\]'"*_~])
    | (?<![\w*])\*(?P<strong>(?=\S)[^*\n]+(?<=\S))\*(?![\w*])
    | (?<![\w_])_(?P<em>(?=\S)[^_\n]+(?<=\S))_(?![\w_])
    | (?<![\w~])~(?P<s>(?=\S)[^~\n]+(?<=\S))~(?![\w~])
    """,
    re.VERBOSE,
)


def mrkdwn_html(text: str, names: Names) -> str:
    """Render a whole text: paragraphs, quotes and code blocks."""
    return "".join(
        f"<pre>{escaped(part)}</pre>" if index % 2 else _prose(part, names)
        for index, part in enumerate(_FENCE.split(text))
    )


def inline_html(text: str, names: Names) -> str:
    """Render one line."""
    rendered: list[str] = []
    end = 0
    for found in _SPAN.finditer(text):
        rendered += literal(text[end : found.start()]), _span(found, names)
        end = found.end()
    return "".join(rendered) + literal(text[end:])


def _prose(text: str, names: Names) -> str:
    return "".join(
        _TAGS[kind].format("<br>".join(inline_html(_QUOTE.sub("", line, 1), names) for line in run))
        for kind, run in groupby(text.split("\n"), _kind)
    )


def _kind(line: str) -> str:
    if not line.strip():
        return "gap"
    return "quote" if _QUOTE.match(line) else "paragraph"


_TAGS = {"gap": "", "quote": "<blockquote>{}</blockquote>", "paragraph": "<p>{}</p>"}


def _span(found: re.Match[str], names: Names) -> str:
    kind = found.lastgroup or ""
    inner = found[kind]
    match kind:
        case "code":
            return f"<code>{escaped(inner)}</code>"
        case "reference":
            return _reference(inner, names)
        case "address":
            return link(unescaped(inner), escaped(inner))
        case _:
            return f"<{kind}>{inline_html(inner, names)}</{kind}>"


def _reference(inner: str, names: Names) -> str:
    target, _, label = inner.partition("|")
    match target[:1]:
        case "@":
            return person(target[1:], names, label)
        case "#":
            return channel(target[1:], names, label)
        case "!":
            return special(target[1:], label)
        case _:
            return link(unescaped(target), literal(label or target))
