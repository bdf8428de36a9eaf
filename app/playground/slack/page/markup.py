"""Markdown, mrkdwn and rich text as HTML."""

import html
import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from itertools import groupby
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from app.playground.slack.page.inline import (
    Names,
    channel,
    emoji,
    emojified,
    escaped,
    is_safe_link,
    lines,
    link,
    link_tag,
    literal,
    person,
    special,
    unescaped,
)
from app.playground.slack.values.block_fields import Json, mapping_in, mappings_in, text_in

Env = MutableMapping[str, Any]

_REFERENCE = re.compile(r"<@(?P<user>\w+)>|(?P<address>https?://[^\s<>]*[^\s<>.,;:!?)\]'\"])", re.IGNORECASE)


def markdown_html(text: str, names: Names) -> str:
    """Render a whole Markdown text."""
    return _MARKDOWN.render(text, {"names": names, "in_link": False})


class _SlackMarkdown(MarkdownIt):
    """Markdown that links where the page may link, and nowhere else."""

    def validateLink(self, url: str) -> bool:
        return is_safe_link(url)


class _SlackRenderer(RendererHTML):
    """Markdown-it's HTML, less what a message may not carry: inline styles, images, foreign classes."""

    def text(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        content = tokens[idx].content
        rendered: list[str] = []
        end = 0
        for found in _REFERENCE.finditer(content):
            rendered += _literal(content[end : found.start()]), _inline_reference(found, env)
            end = found.end()
        return "".join(rendered) + _literal(content[end:])

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        env["in_link"] = True
        return link_tag(str(tokens[idx].attrs["href"]))

    def link_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        env["in_link"] = False
        return "</a>"

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        address = str(tokens[idx].attrs["src"])
        label = html.escape(tokens[idx].content or address)
        return label if env["in_link"] else link(address, label)

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return f"<pre>{html.escape(tokens[idx].content.rstrip())}</pre>\n"

    code_block = fence

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return '<div class="table"><table>'

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return "</table></div>"

    def th_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        align = str(tokens[idx].attrs.get("style", "")).removeprefix("text-align:")
        return f'<{tokens[idx].tag} class="{align or "left"}">'

    td_open = th_open

    def softbreak(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return "<br>"


def _literal(text: str) -> str:
    return emojified(html.escape(text))


def _inline_reference(found: re.Match[str], env: Env) -> str:
    if found["user"]:
        return person(found["user"], env["names"])
    label = html.escape(found["address"])
    return label if env["in_link"] else link(found["address"], label)


_MARKDOWN = _SlackMarkdown("commonmark", {"html": False}, renderer_cls=_SlackRenderer).enable(
    ["table", "strikethrough"]
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
