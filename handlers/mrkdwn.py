"""Slack's text in both directions: a person's input as plain text, and our text without notifications. Pure.

Slack escapes `&`, `<` and `>` in all text, and writes links, people and broadcasts in angle brackets.
"""

from __future__ import annotations

import re
from datetime import datetime

from app.core import stream
from app.core.sanitize import safe_prefix
from app.core.texts import escape
from handlers.links import WORD_JOINER, honest, honest_prefix

_BRACKETS = re.compile(r"<([^<>|]*)(?:\|([^<>]*))?>")
_CONTROL = re.compile(r"<\s*([@#]\w|!(here|channel|everyone|group|subteam|date)\b)[^<>\n]{0,200}>")
_POWER = re.compile(r"<(?=\s*[!@#])")
_BROADCAST = re.compile(r"(?<![a-z0-9])@(?=(channel|here|everyone|group)(?![a-z0-9]))", re.IGNORECASE)

_LONGEST_CONTROL = 220
_UNDECIDED_CONTROL = re.compile(r"<\s*(?:[@#!][^<>\n]{0,210})?\Z")
_UNDECIDED_POWER = re.compile(r"<\s*\Z")
_UNDECIDED_BROADCAST = re.compile(r"@[a-z]{0,8}\Z", re.IGNORECASE)


def plain(text: str) -> str:
    """Return a person's text with links as `label (address)` and resolved entities."""
    opened = _BRACKETS.sub(_opened, text)
    return opened.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").strip()


def _opened(found: re.Match[str]) -> str:
    target, label = found[1], found[2]
    if target.startswith("!date^"):
        return label or target
    if target.startswith("!"):
        return f"@{(label or target[1:].partition('^')[0]).removeprefix('@')}"
    if target[:1] in ("@", "#"):
        return f"{target[0]}{label or target[1:]}"
    return f"{label} ({target})" if label and label != target.removeprefix("mailto:") else label or target


def verbatim(text: str) -> str:
    """Return others' text for use in our mrkdwn: it reads as written, links nothing and notifies no one."""
    return escape(harmless(text))


def time(moment: datetime, form: str, otherwise: str) -> str:
    """Return a time that Slack shows on the reader's own clock; `otherwise` is the fallback.

    Slack's forms are such as `{time}` and `{date_short_pretty}`, which says "tomorrow" as long as that is true.
    """
    return f"<!date^{int(moment.timestamp())}^{form}|{otherwise}>"


def harmless(markdown: str) -> str:
    """Disarm mentions and broadcasts in a model's text: it can name people, but not notify them.

    Text that resembles one, such as `<!DOCTYPE html>` in code, keeps its appearance. Links lead where they say.
    """
    for pattern, _, replace in _STEPS:
        markdown = pattern.sub(replace, markdown)
    return honest(markdown)


def harmless_prefix(markdown: str) -> str:
    """Do the same for a growing text: the result is a prefix of the result for any longer text."""
    for pattern, undecided, replace in _STEPS:
        found = undecided.search(markdown, max(len(markdown.rstrip()) - _LONGEST_CONTROL, 0))
        markdown = pattern.sub(replace, markdown[: found.start()] if found else markdown)
    return honest_prefix(markdown)


def pages(answer: str) -> tuple[str, ...]:
    """Return the pages of a reply that was sanitised before it was stored."""
    return stream.pages(harmless(answer))


def previews(growing: str) -> tuple[str, ...]:
    """Return the pages of a growing reply from its raw text. A page that is full is final."""
    return stream.previews(harmless_prefix(safe_prefix(growing)))


def _named(found: re.Match[str]) -> str:
    return _BRACKETS.sub(_opened, f"<{found[0][1:].lstrip()}")


_STEPS = (
    (_CONTROL, _UNDECIDED_CONTROL, _named),
    (_POWER, _UNDECIDED_POWER, f"<{WORD_JOINER}"),
    (_BROADCAST, _UNDECIDED_BROADCAST, f"@{WORD_JOINER}"),
)
"""Pattern, the end of a growing text for which it is undecided, and the replacement."""
