"""The smallest parts of every message: escaped text, links, mentions and emoji.

Words of people and the model reach the page only through `escaped`, and only http, https and mailto addresses become
links. Knows no blocks and no mrkdwn.
"""

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path

Names = Mapping[str, str]
"""Names of people and channels by id."""

EMOJI: Mapping[str, str] = json.loads((Path(__file__).parents[2] / "page" / "emoji.json").read_text(encoding="utf-8"))
"""Slack's short names of the emoji that are drawn; the page reads the same file for reactions."""

_SAFE_LINK = re.compile(r"(?:https?://|mailto:)[^\s\x00-\x1f<>\"]+", re.IGNORECASE)
_SHORT_NAME = re.compile(r":([a-z0-9_+-]+):")
_MOMENT = re.compile(r"[0-9]{1,10}")  # seconds since 1970
_BROADCASTS = frozenset({"channel", "everyone", "here"})


def unescaped(text: str) -> str:
    """Undo Slack's own escaping, which knows these three entities and no others."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def escaped(text: str) -> str:
    """Return HTML that shows the text, good for content and for quoted attributes."""
    return html.escape(unescaped(text))


def literal(text: str) -> str:
    """Return HTML that shows the text, with the short names of known emoji drawn."""
    return emojified(escaped(text))


def emojified(markup: str) -> str:
    """Draw the emoji named in text that is escaped already."""
    return _SHORT_NAME.sub(lambda found: emoji(found[1]), markup)


def lines(text: str) -> str:
    """Return HTML that shows plain text as it is broken into lines."""
    return "<br>".join(literal(line) for line in text.split("\n"))


def emoji(name: str) -> str:
    """Draw one emoji by its short name; an unknown one stays `:name:`, as in Slack."""
    label = f":{escaped(name)}:"
    drawn = EMOJI.get(name)
    return f'<span class="emoji" title="{label}">{drawn}</span>' if drawn else label


def is_safe_link(address: str) -> bool:
    """Return True if the page may link there."""
    return _SAFE_LINK.fullmatch(address) is not None


def link(address: str, label: str) -> str:
    """Link HTML to an address; where the address is not safe, the label stands alone."""
    return f"{link_tag(address)}{label}</a>" if is_safe_link(address) else label


def link_tag(address: str) -> str:
    """Return the opening tag of a link to an address that is known to be safe."""
    return f'<a href="{html.escape(address)}" target="_blank" rel="noopener noreferrer">'


def person(user: str, names: Names, label: str = "") -> str:
    """Return a mentioned person by their name, not by the name in the text."""
    shown = escaped(names.get(user) or label.removeprefix("@") or user)
    return f'<span class="mention" data-user="{escaped(user)}">@{shown}</span>'


def channel(channel_id: str, names: Names, label: str = "") -> str:
    """Name a mentioned channel."""
    shown = escaped((names.get(channel_id) or label or channel_id).removeprefix("#"))
    return f'<span class="mention" data-channel="{escaped(channel_id)}">#{shown}</span>'


def special(command: str, label: str = "") -> str:
    """Return `!here` and its like. The page shows a date by the reader's clock; otherwise the given label is shown."""
    name, *given = command.split("^")
    if name in _BROADCASTS:
        return f'<span class="mention broadcast">@{name}</span>'
    if name == "date" and len(given) > 1 and _MOMENT.fullmatch(given[0]):
        return f'<time data-moment="{given[0]}" data-form="{escaped(given[1])}">{literal(label)}</time>'
    return literal(label or name)
