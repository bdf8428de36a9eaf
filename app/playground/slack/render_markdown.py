"""The `markdown` block: standard Markdown through markdown-it, without raw HTML.

Tables and strikethrough are on, as in Slack. An image becomes a link to it: the page loads nothing from elsewhere.
"""

import html
import re
from collections.abc import MutableMapping, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from app.playground.slack.render_inline import Names, emojified, is_safe_link, link, link_tag, person

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
            rendered += _literal(content[end : found.start()]), _reference(found, env)
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


def _reference(found: re.Match[str], env: Env) -> str:
    if found["user"]:
        return person(found["user"], env["names"])
    label = html.escape(found["address"])
    return label if env["in_link"] else link(found["address"], label)


_MARKDOWN = _SlackMarkdown("commonmark", {"html": False}, renderer_cls=_SlackRenderer).enable(
    ["table", "strikethrough"]
)
