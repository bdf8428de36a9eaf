"""Slack's text, both ways: what a person typed becomes plain text, what we say becomes text that pings nobody.

Pure. Slack escapes `&`, `<` and `>` in all text and writes links, people and broadcasts in angle brackets.
"""

from __future__ import annotations

import re

_BRACKETS = re.compile(r"<([^<>|]*)(?:\|([^<>]*))?>")
_CONTROL = re.compile(r"<\s*[!@#][^<>]*>")
_BROADCAST = re.compile(r"(?<![\w.])@(channel|here|everyone|group)\b", re.IGNORECASE)

WORD_JOINER = "\u2060"
"""Invisible; between @ and a word it keeps Slack from reading a mention."""


def escape(text: str) -> str:
    """Escape the three characters that Slack reads as markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def plain(text: str) -> str:
    """Give what a person meant: links as `label (address)`, entities resolved."""
    opened = _BRACKETS.sub(_opened, text)
    return opened.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").strip()


def _opened(found: re.Match[str]) -> str:
    target, label = found[1], found[2]
    if target.startswith("!"):
        return f"@{target[1:].partition('^')[0]}"
    if target[:1] in ("@", "#"):
        return f"{target[0]}{label or target[1:]}"
    return f"{label} ({target})" if label and label != target.removeprefix("mailto:") else label or target


def harmless(markdown: str) -> str:
    """Take the power out of mentions and broadcasts in a model's text: it can name people, it cannot ping them."""
    named = _CONTROL.sub(lambda found: _BRACKETS.sub(_opened, found[0].replace(" ", "")), markdown)
    return _BROADCAST.sub(f"@{WORD_JOINER}\\1", named)
