"""A message in the page: its blocks, or else its text, as sanitized HTML.

The output is safe for any input: fixed tags and attributes, everything else escaped. Knows no channel and no thread; a
block it cannot draw becomes a labelled placeholder.
"""

import html
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any

from app.playground.slack.page.inline import Names, escaped, is_safe_link, lines, link
from app.playground.slack.page.markup import markdown_html, mrkdwn_html, rich_text_html
from app.playground.slack.values.block_fields import Json, items_in, mapping_in, mappings_in, text_in
from app.playground.slack.values.controls import KINDS, OVERFLOW

_BUTTON_STYLES = frozenset({"primary", "danger"})
_ALIGNMENTS = frozenset({"left", "center", "right"})


def message_html(text: str, blocks: list[dict[str, Any]] | None, names: Names) -> str:
    """Render a message; `names` has the names of people and channels by id.

    Text beside blocks is their fallback for notifications and is not shown, as in Slack.
    """
    if not blocks:
        return mrkdwn_html(text, names)
    return "".join(_block(block, names) for block in mappings_in(blocks))


def _block(block: Json, names: Names) -> str:
    kind = text_in(block.get("type"))
    draw = _BLOCKS.get(kind)
    return f'<div class="block {kind}">{draw(block, names)}</div>' if draw else _placeholder(kind, "block")


def _placeholder(kind: str, role: str) -> str:
    return f'<span class="unknown">{escaped(kind) or "unnamed"} {role}, not drawn here</span>'


def _text_object(value: object, names: Names) -> str:
    text = mapping_in(value)
    content = text_in(text.get("text"))
    return mrkdwn_html(content, names) if text.get("type") == "mrkdwn" else lines(content)


def _section(block: Json, names: Names) -> str:
    body = _text_object(block.get("text"), names)
    fields = "".join(
        f'<div class="field">{_text_object(field, names)}</div>' for field in mappings_in(block.get("fields"))
    )
    block_id = text_in(block.get("block_id"))
    accessory = mapping_in(block.get("accessory"))
    return (
        f'<div class="body">{body}</div>'
        + (f'<div class="fields">{fields}</div>' if fields else "")
        + (f'<div class="accessory">{_element(accessory, block_id)}</div>' if accessory else "")
    )


def _header(block: Json, names: Names) -> str:
    return f"<h3>{_text_object(block.get('text'), names)}</h3>"


def _divider(block: Json, names: Names) -> str:
    return "<hr>"


def _context(block: Json, names: Names) -> str:
    return "".join(
        _image(element, names)
        if element.get("type") == "image"
        else f'<span class="note">{_text_object(element, names)}</span>'
        for element in mappings_in(block.get("elements"))
    )


def _actions(block: Json, names: Names) -> str:
    block_id = text_in(block.get("block_id"))
    return "".join(_element(element, block_id) for element in mappings_in(block.get("elements")))


def _element(element: Json, block_id: str) -> str:
    kind = text_in(element.get("type"))
    if kind == "image":
        return _image(element, {})
    if kind == "button":
        return _button(element, block_id)
    return _control(element, block_id) if kind in KINDS or kind == OVERFLOW else _placeholder(kind, "element")


def _control(element: Json, block_id: str) -> str:
    """Keep the place of an element that the page draws itself, from the raw block."""
    action_id = html.escape(text_in(element.get("action_id")))
    return f'<span class="control" data-block-id="{html.escape(block_id)}" data-action-id="{action_id}"></span>'


def _input(block: Json, names: Names) -> str:
    control = _element(mapping_in(block.get("element")), text_in(block.get("block_id")))
    hint = _text_object(block.get("hint"), names)
    label = f'<div class="label">{_text_object(block.get("label"), names)}</div>'
    return label + control + (f'<div class="hint">{hint}</div>' if hint else "")


def _button(button: Json, block_id: str) -> str:
    style = text_in(button.get("style"))
    address = text_in(button.get("url"))
    attributes = {
        "data-action-id": text_in(button.get("action_id")),
        "data-block-id": block_id,
        "data-value": text_in(button.get("value")),
        "data-url": address if is_safe_link(address) else "",
        "class": style if style in _BUTTON_STYLES else "",
    }
    written = "".join(f' {name}="{html.escape(value)}"' for name, value in attributes.items() if value)
    label = lines(text_in(mapping_in(button.get("text")).get("text")))
    return f'<button type="button"{written}>{label}</button>'


def _image(image: Json, names: Names) -> str:
    described = text_in(image.get("alt_text")) or "image"
    return f'<span class="image">{link(text_in(image.get("image_url")), escaped(described))}</span>'


def _markdown(block: Json, names: Names) -> str:
    return markdown_html(text_in(block.get("text")), names)


def _table(block: Json, names: Names) -> str:
    columns = [_column(mapping_in(setting)) for setting in items_in(block.get("column_settings"))]
    rows = [items_in(row) for row in items_in(block.get("rows"))]
    drawn = "".join(f"<tr>{_row(row, 'td' if index else 'th', columns, names)}</tr>" for index, row in enumerate(rows))
    return f"<table>{drawn}</table>"


def _column(setting: Json) -> str:
    """Return the classes of a column's cells."""
    align = text_in(setting.get("align"))
    known = align if align in _ALIGNMENTS else "left"
    return f"{known} wrapped" if setting.get("is_wrapped") is True else known


def _row(cells: list[object], tag: str, columns: list[str], names: Names) -> str:
    return "".join(
        f'<{tag} class="{column}">{_cell(mapping_in(cell), names)}</{tag}>'
        for cell, column in zip_longest(cells, columns[: len(cells)], fillvalue="left")
    )


def _cell(cell: Json, names: Names) -> str:
    if cell.get("type") == "rich_text":
        return rich_text_html(cell, names)
    return lines(text_in(cell.get("text")))


_BLOCKS: Mapping[str, Callable[[Json, Names], str]] = {
    "actions": _actions,
    "context": _context,
    "divider": _divider,
    "header": _header,
    "image": _image,
    "input": _input,
    "markdown": _markdown,
    "rich_text": rich_text_html,
    "section": _section,
    "table": _table,
}
