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
    draw_emoji,
    escape,
    is_safe_link,
    open_link,
    render_channel,
    render_emoji,
    render_lines,
    render_link,
    render_literal,
    render_person,
    render_special,
    unescape,
)
from app.playground.slack.values.block_fields import Json, read_mapping, read_mappings, read_text

Env = MutableMapping[str, Any]

_REFERENCE = re.compile(r"<@(?P<user>\w+)>|(?P<address>https?://[^\s<>]*[^\s<>.,;:!?)\]'\"])", re.IGNORECASE)


def render_markdown(text: str, names: Names) -> str:
    """Render a whole Markdown text."""
    return _MARKDOWN.render(text, {"names": names, "in_link": False})


class _SlackMarkdown(MarkdownIt):
    """Markdown with links only to addresses that are safe for the page."""

    def validateLink(self, url: str) -> bool:
        return is_safe_link(url)


class _SlackRenderer(RendererHTML):
    """Markdown-it's HTML without the parts that a message may not have: inline styles, images, foreign classes."""

    def text(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        content = tokens[idx].content
        rendered: list[str] = []
        end = 0
        for found in _REFERENCE.finditer(content):
            rendered += _render_literal(content[end : found.start()]), _inline_reference(found, env)
            end = found.end()
        return "".join(rendered) + _render_literal(content[end:])

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        env["in_link"] = True
        return open_link(str(tokens[idx].attrs["href"]))

    def link_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        env["in_link"] = False
        return "</a>"

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        address = str(tokens[idx].attrs["src"])
        label = html.escape(tokens[idx].content or address)
        return label if env["in_link"] else render_link(address, label)

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


def _render_literal(text: str) -> str:
    return draw_emoji(html.escape(text))


def _inline_reference(found: re.Match[str], env: Env) -> str:
    if found["user"]:
        return render_person(found["user"], env["names"])
    label = html.escape(found["address"])
    return label if env["in_link"] else render_link(found["address"], label)


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


def render_mrkdwn(text: str, names: Names) -> str:
    """Render a whole text: paragraphs, quotes and code blocks."""
    return "".join(
        f"<pre>{escape(part)}</pre>" if index % 2 else _render_prose(part, names)
        for index, part in enumerate(_FENCE.split(text))
    )


def render_inline(text: str, names: Names) -> str:
    """Render one line."""
    rendered: list[str] = []
    end = 0
    for found in _SPAN.finditer(text):
        rendered += render_literal(text[end : found.start()]), _render_span(found, names)
        end = found.end()
    return "".join(rendered) + render_literal(text[end:])


def _render_prose(text: str, names: Names) -> str:
    return "".join(
        _TAGS[kind].format("<br>".join(render_inline(_QUOTE.sub("", line, 1), names) for line in run))
        for kind, run in groupby(text.split("\n"), _classify_line)
    )


def _classify_line(line: str) -> str:
    if not line.strip():
        return "gap"
    return "quote" if _QUOTE.match(line) else "paragraph"


_TAGS = {"gap": "", "quote": "<blockquote>{}</blockquote>", "paragraph": "<p>{}</p>"}


def _render_span(found: re.Match[str], names: Names) -> str:
    kind = found.lastgroup or ""
    inner = found[kind]
    match kind:
        case "code":
            return f"<code>{escape(inner)}</code>"
        case "reference":
            return _render_reference(inner, names)
        case "address":
            return render_link(unescape(inner), escape(inner))
        case _:
            return f"<{kind}>{render_inline(inner, names)}</{kind}>"


def _render_reference(inner: str, names: Names) -> str:
    target, _, label = inner.partition("|")
    match target[:1]:
        case "@":
            return render_person(target[1:], names, label)
        case "#":
            return render_channel(target[1:], names, label)
        case "!":
            return render_special(target[1:], label)
        case _:
            return render_link(unescape(target), render_literal(label or target))


_DEEPEST_INDENT = 8
"""Slack's limit of a list's `indent`."""


def render_rich_text(block: Json, names: Names) -> str:
    """Render a `rich_text` block, or a table cell of that type."""
    return "".join(_render_part(part, names) for part in read_mappings(block.get("elements")))


def _render_part(part: Json, names: Names) -> str:
    kind = read_text(part.get("type"))
    if kind == "rich_text_list":
        return _render_list(part, names)
    content = "".join(_render_element(element, names) for element in read_mappings(part.get("elements")))
    return _PARTS.get(kind, "<p>{}</p>").format(content)


_PARTS = {"rich_text_quote": "<blockquote>{}</blockquote>", "rich_text_preformatted": "<pre>{}</pre>"}


def _render_list(part: Json, names: Names) -> str:
    tag = "ol" if part.get("style") == "ordered" else "ul"
    indent = part.get("indent")
    level = indent if indent in range(1, _DEEPEST_INDENT + 1) else 0
    items = "".join(
        f"<li>{''.join(_render_element(element, names) for element in read_mappings(item.get('elements')))}</li>"
        for item in read_mappings(part.get("elements"))
    )
    return f'<{tag} class="indent-{level}">{items}</{tag}>'


def _render_element(element: Json, names: Names) -> str:
    draw = _ELEMENTS.get(read_text(element.get("type")), _render_fallback)
    rendered = draw(element, names)
    style = read_mapping(element.get("style"))
    for name, tag in _STYLES.items():
        if style.get(name) is True:
            rendered = f"<{tag}>{rendered}</{tag}>"
    return rendered


_STYLES = {"code": "code", "bold": "strong", "italic": "em", "strike": "s"}


def _render_link(element: Json, names: Names) -> str:
    address = read_text(element.get("url"))
    return render_link(address, escape(read_text(element.get("text")) or address))


def _render_fallback(element: Json, names: Names) -> str:
    """Show the fallback text of dates, colours, user groups and newer elements."""
    said = (read_text(element.get(field)) for field in ("fallback", "value", "usergroup_id", "type"))
    return escape(next(filter(None, said), ""))


_ELEMENTS: Mapping[str, Callable[[Json, Names], str]] = {
    "text": lambda element, _: render_lines(read_text(element.get("text"))),
    "link": _render_link,
    "user": lambda element, names: render_person(read_text(element.get("user_id")), names),
    "channel": lambda element, names: render_channel(read_text(element.get("channel_id")), names),
    "broadcast": lambda element, _: render_special(read_text(element.get("range"))),
    "emoji": lambda element, _: render_emoji(read_text(element.get("name"))),
}
