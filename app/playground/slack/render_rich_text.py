"""The `rich_text` block: the output of Slack's own composer, and of apps that need exact formatting.

Sections, lists, quotes and preformatted text, with all their elements that can be shown as text.
"""

from collections.abc import Callable, Mapping

from app.playground.slack.render_inline import (
    Names,
    channel,
    emoji,
    escaped,
    lines,
    link,
    person,
    special,
)
from app.playground.slack.render_json import Json, mapping_in, mappings_in, text_in

_DEEPEST_INDENT = 8
"""Slack's limit of a list's `indent`."""


def rich_text_html(block: Json, names: Names) -> str:
    """Render a `rich_text` block, or a table cell of that type."""
    return "".join(_part(part, names) for part in mappings_in(block.get("elements")))


def _part(part: Json, names: Names) -> str:
    kind = text_in(part.get("type"))
    if kind == "rich_text_list":
        return _list(part, names)
    content = "".join(_element(element, names) for element in mappings_in(part.get("elements")))
    return _PARTS.get(kind, "<p>{}</p>").format(content)


_PARTS = {"rich_text_quote": "<blockquote>{}</blockquote>", "rich_text_preformatted": "<pre>{}</pre>"}


def _list(part: Json, names: Names) -> str:
    tag = "ol" if part.get("style") == "ordered" else "ul"
    indent = part.get("indent")
    level = indent if indent in range(1, _DEEPEST_INDENT + 1) else 0
    items = "".join(
        f"<li>{''.join(_element(element, names) for element in mappings_in(item.get('elements')))}</li>"
        for item in mappings_in(part.get("elements"))
    )
    return f'<{tag} class="indent-{level}">{items}</{tag}>'


def _element(element: Json, names: Names) -> str:
    draw = _ELEMENTS.get(text_in(element.get("type")), _fallback)
    rendered = draw(element, names)
    style = mapping_in(element.get("style"))
    for name, tag in _STYLES.items():
        if style.get(name) is True:
            rendered = f"<{tag}>{rendered}</{tag}>"
    return rendered


_STYLES = {"code": "code", "bold": "strong", "italic": "em", "strike": "s"}


def _text(element: Json, names: Names) -> str:
    return lines(text_in(element.get("text")))


def _link(element: Json, names: Names) -> str:
    address = text_in(element.get("url"))
    return link(address, escaped(text_in(element.get("text")) or address))


def _person(element: Json, names: Names) -> str:
    return person(text_in(element.get("user_id")), names)


def _channel(element: Json, names: Names) -> str:
    return channel(text_in(element.get("channel_id")), names)


def _broadcast(element: Json, names: Names) -> str:
    return special(text_in(element.get("range")))


def _emoji(element: Json, names: Names) -> str:
    return emoji(text_in(element.get("name")))


def _fallback(element: Json, names: Names) -> str:
    """Show the fallback text of dates, colours, user groups and newer elements."""
    said = (text_in(element.get(field)) for field in ("fallback", "value", "usergroup_id", "type"))
    return escaped(next(filter(None, said), ""))


_ELEMENTS: Mapping[str, Callable[[Json, Names], str]] = {
    "text": _text,
    "link": _link,
    "user": _person,
    "channel": _channel,
    "broadcast": _broadcast,
    "emoji": _emoji,
}
