"""Slack's form of typed text: escaped text, mentions and links by id, and rich_text blocks.

Bots send text that is already in this form; people never do.
"""

import html
import re
from collections.abc import Mapping

from app.playground.slack.values.surfaces import Json

_BROADCASTS = ("here", "channel", "everyone")
_TOKEN = re.compile(r"<(?:@(?P<user>U\w+)|!(?P<range>\w+)|(?P<url>https?://[^>|]+))>")
_PICKED = re.compile(r"&lt;@(U\w+)&gt;")
_ADDRESS = re.compile(r"https?://[^\s<>]+[^\s<>.,;:!?)]")
_ESCAPES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"))


def compose_text(typed: str, names: Mapping[str, str]) -> str:
    """Return the message text for what was typed; `names` are ids of members by name.

    A mention that is already an id, as a mention picker inserts it, stays.
    """
    ids = frozenset(names.values())
    text = _PICKED.sub(lambda found: f"<@{found[1]}>" if found[1] in ids else found[0], html.escape(typed, quote=False))
    text = _ADDRESS.sub(lambda found: f"<{found[0]}>", text)
    mentions = {name.casefold(): f"<@{user}>" for name, user in names.items()}
    mentions |= {word: f"<!{word}>" for word in _BROADCASTS}
    words = "|".join(sorted(map(re.escape, mentions), key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w<])@({words})\b", re.IGNORECASE)
    return pattern.sub(lambda found: mentions[found[1].casefold()], text)


def build_rich_text(text: str, block_id: str) -> list[Json]:
    """Return the rich_text block that Slack stores beside a person's text."""
    elements: list[Json] = []
    position = 0
    for token in _TOKEN.finditer(text):
        elements += _build_plain(text[position : token.start()])
        elements.append(_build_element(token))
        position = token.end()
    elements += _build_plain(text[position:])
    section = {"type": "rich_text_section", "elements": elements}
    return [{"type": "rich_text", "block_id": block_id, "elements": [section]}]


def _build_element(token: re.Match[str]) -> Json:
    if user := token["user"]:
        return {"type": "user", "user_id": user}
    if broadcast := token["range"]:
        return {"type": "broadcast", "range": broadcast}
    return {"type": "link", "url": token["url"]}


def _build_plain(text: str) -> list[Json]:
    for character, entity in reversed(_ESCAPES):
        text = text.replace(entity, character)
    return [{"type": "text", "text": text}] if text else []
