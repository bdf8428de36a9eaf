"""Slack's text, both ways: what a person typed becomes plain text, what we say becomes text that pings nobody.

Pure. Slack escapes `&`, `<` and `>` in all text and writes links, people and broadcasts in angle brackets.
"""

from __future__ import annotations

import re

_BRACKETS = re.compile(r"<([^<>|]*)(?:\|([^<>]*))?>")
_CONTROL = re.compile(r"<\s*([@#]\w|!(here|channel|everyone|group|subteam|date)\b)[^<>\n]{0,200}>")
_POWER = re.compile(r"<(?=\s*[!@#])")
_BROADCAST = re.compile(r"(?<![a-z0-9])@(?=(channel|here|everyone|group)(?![a-z0-9]))", re.IGNORECASE)

WORD_JOINER = "\u2060"
"""Invisible; after @ or < it keeps Slack from reading a mention."""


def escape(text: str) -> str:
    """Escape the three characters that Slack reads as markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def plain(text: str) -> str:
    """Give what a person meant: links as `label (address)`, entities resolved."""
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


def harmless(markdown: str) -> str:
    """Take the power out of mentions and broadcasts in a model's text: it can name people, it cannot ping them.

    What only looks like one, such as `<!DOCTYPE html>` in code, stays as it is to the eye.
    """
    named = _CONTROL.sub(lambda found: _BRACKETS.sub(_opened, f"<{found[0][1:].lstrip()}"), markdown)
    return _BROADCAST.sub(f"@{WORD_JOINER}", _POWER.sub(f"<{WORD_JOINER}", named))
