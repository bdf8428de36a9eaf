"""A message in the page: its blocks, or else its text, as sanitized HTML.

The output is safe for any input: fixed tags and attributes, everything else escaped. Knows no channel and no thread; a
block it cannot draw becomes a labelled placeholder.
"""

import html
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any

from app.playground.slack.page.inline import Names, escape, is_safe_link, render_lines, render_link
from app.playground.slack.page.markup import render_markdown, render_mrkdwn, render_rich_text
from app.playground.slack.values.block_fields import Json, read_items, read_mapping, read_mappings, read_text
from app.playground.slack.values.controls import KINDS, OVERFLOW

_BUTTON_STYLES = frozenset({"primary", "danger"})
_ALIGNMENTS = frozenset({"left", "center", "right"})


def render_message(text: str, blocks: list[dict[str, Any]] | None, names: Names) -> str:
    """Render a message; `names` has the names of people and channels by id.

    Text beside blocks is their fallback for notifications and is not shown, as in Slack.
    """
    if not blocks:
        return render_mrkdwn(text, names)
    return "".join(_render_block(block, names) for block in read_mappings(blocks))


def _render_block(block: Json, names: Names) -> str:
    kind = read_text(block.get("type"))
    draw = _BLOCKS.get(kind)
    return f'<div class="block {kind}">{draw(block, names)}</div>' if draw else _render_placeholder(kind, "block")


def _render_placeholder(kind: str, role: str) -> str:
    return f'<span class="unknown">{escape(kind) or "unnamed"} {role}, not drawn here</span>'


def _render_text_object(value: object, names: Names) -> str:
    text = read_mapping(value)
    content = read_text(text.get("text"))
    return render_mrkdwn(content, names) if text.get("type") == "mrkdwn" else render_lines(content)


def _render_section(block: Json, names: Names) -> str:
    body = _render_text_object(block.get("text"), names)
    fields = "".join(
        f'<div class="field">{_render_text_object(field, names)}</div>' for field in read_mappings(block.get("fields"))
    )
    block_id = read_text(block.get("block_id"))
    accessory = read_mapping(block.get("accessory"))
    return (
        f'<div class="body">{body}</div>'
        + (f'<div class="fields">{fields}</div>' if fields else "")
        + (f'<div class="accessory">{_render_element(accessory, block_id)}</div>' if accessory else "")
    )


def _render_context(block: Json, names: Names) -> str:
    return "".join(
        _render_image(element, names)
        if element.get("type") == "image"
        else f'<span class="note">{_render_text_object(element, names)}</span>'
        for element in read_mappings(block.get("elements"))
    )


def _render_actions(block: Json, names: Names) -> str:
    block_id = read_text(block.get("block_id"))
    return "".join(_render_element(element, block_id) for element in read_mappings(block.get("elements")))


def _render_element(element: Json, block_id: str) -> str:
    kind = read_text(element.get("type"))
    if kind == "image":
        return _render_image(element, {})
    if kind == "button":
        return _render_button(element, block_id)
    return (
        _render_control(element, block_id)
        if kind in KINDS or kind == OVERFLOW
        else _render_placeholder(kind, "element")
    )


def _render_control(element: Json, block_id: str) -> str:
    """Keep the place of an element that the page draws itself, from the raw block."""
    action_id = html.escape(read_text(element.get("action_id")))
    return f'<span class="control" data-block-id="{html.escape(block_id)}" data-action-id="{action_id}"></span>'


def _render_input(block: Json, names: Names) -> str:
    control = _render_element(read_mapping(block.get("element")), read_text(block.get("block_id")))
    hint = _render_text_object(block.get("hint"), names)
    label = f'<div class="label">{_render_text_object(block.get("label"), names)}</div>'
    return label + control + (f'<div class="hint">{hint}</div>' if hint else "")


def _render_button(button: Json, block_id: str) -> str:
    style = read_text(button.get("style"))
    address = read_text(button.get("url"))
    attributes = {
        "data-action-id": read_text(button.get("action_id")),
        "data-block-id": block_id,
        "data-value": read_text(button.get("value")),
        "data-url": address if is_safe_link(address) else "",
        "class": style if style in _BUTTON_STYLES else "",
    }
    written = "".join(f' {name}="{html.escape(value)}"' for name, value in attributes.items() if value)
    label = render_lines(read_text(read_mapping(button.get("text")).get("text")))
    return f'<button type="button"{written}>{label}</button>'


def _render_image(image: Json, names: Names) -> str:
    described = read_text(image.get("alt_text")) or "image"
    return f'<span class="image">{render_link(read_text(image.get("image_url")), escape(described))}</span>'


def _render_table(block: Json, names: Names) -> str:
    columns = [_build_column_class(read_mapping(setting)) for setting in read_items(block.get("column_settings"))]
    rows = [read_items(row) for row in read_items(block.get("rows"))]
    drawn = "".join(
        f"<tr>{_render_row(row, 'td' if index else 'th', columns, names)}</tr>" for index, row in enumerate(rows)
    )
    return f"<table>{drawn}</table>"


def _build_column_class(setting: Json) -> str:
    """Return the classes of a column's cells."""
    align = read_text(setting.get("align"))
    known = align if align in _ALIGNMENTS else "left"
    return f"{known} wrapped" if setting.get("is_wrapped") is True else known


def _render_row(cells: list[object], tag: str, columns: list[str], names: Names) -> str:
    return "".join(
        f'<{tag} class="{column}">{_render_cell(read_mapping(cell), names)}</{tag}>'
        for cell, column in zip_longest(cells, columns[: len(cells)], fillvalue="left")
    )


def _render_cell(cell: Json, names: Names) -> str:
    if cell.get("type") == "rich_text":
        return render_rich_text(cell, names)
    return render_lines(read_text(cell.get("text")))


_BLOCKS: Mapping[str, Callable[[Json, Names], str]] = {
    "actions": _render_actions,
    "context": _render_context,
    "divider": lambda _, __: "<hr>",
    "header": lambda block, names: f"<h3>{_render_text_object(block.get('text'), names)}</h3>",
    "image": _render_image,
    "input": _render_input,
    "markdown": lambda block, names: render_markdown(read_text(block.get("text")), names),
    "rich_text": render_rich_text,
    "section": _render_section,
    "table": _render_table,
}
