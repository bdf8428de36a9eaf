"""The smallest parts of every message: escaped text, links, mentions and emoji.

Words of people and the model reach the page only through `escape`, and only http, https and mailto addresses become
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


def unescape(text: str) -> str:
    """Undo Slack's own escaping, which knows these three entities and no others."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def escape(text: str) -> str:
    """Return HTML that shows the text, good for content and for quoted attributes."""
    return html.escape(unescape(text))


def render_literal(text: str) -> str:
    """Return HTML that shows the text, with the short names of known emoji drawn."""
    return draw_emoji(escape(text))


def draw_emoji(markup: str) -> str:
    """Draw the emoji named in text that is escaped already."""
    return _SHORT_NAME.sub(lambda found: render_emoji(found[1]), markup)


def render_lines(text: str) -> str:
    """Return HTML that shows plain text with its line breaks."""
    return "<br>".join(render_literal(line) for line in text.split("\n"))


def render_emoji(name: str) -> str:
    """Draw one emoji by its short name; an unknown one stays `:name:`, as in Slack."""
    label = f":{escape(name)}:"
    drawn = EMOJI.get(name)
    return f'<span class="emoji" title="{label}">{drawn}</span>' if drawn else label


def is_safe_link(address: str) -> bool:
    """Return True if the page may link there."""
    return _SAFE_LINK.fullmatch(address) is not None


def render_link(address: str, label: str) -> str:
    """Link HTML to an address. If the address is not safe, return the label alone."""
    return f"{open_link(address)}{label}</a>" if is_safe_link(address) else label


def open_link(address: str) -> str:
    """Return the opening tag of a link to an address that is known to be safe."""
    return f'<a href="{html.escape(address)}" target="_blank" rel="noopener noreferrer">'


def render_person(user: str, names: Names, label: str = "") -> str:
    """Return a mentioned person by their name, not by the name in the text."""
    shown = escape(names.get(user) or label.removeprefix("@") or user)
    return f'<span class="mention" data-user="{escape(user)}">@{shown}</span>'


def render_channel(channel_id: str, names: Names, label: str = "") -> str:
    """Name a mentioned channel."""
    shown = escape((names.get(channel_id) or label or channel_id).removeprefix("#"))
    return f'<span class="mention" data-channel="{escape(channel_id)}">#{shown}</span>'


def render_special(command: str, label: str = "") -> str:
    """Return `!here` and its like. The page shows a date by the reader's clock; otherwise the given label is shown."""
    name, *given = command.split("^")
    if name in _BROADCASTS:
        return f'<span class="mention broadcast">@{name}</span>'
    if name == "date" and len(given) > 1 and _MOMENT.fullmatch(given[0]):
        return f'<time data-moment="{given[0]}" data-form="{escape(given[1])}">{render_literal(label)}</time>'
    return render_literal(label or name)
