"""A modal or Home tab as the page shows it: the app's blocks, and HTML of those without controls."""

from typing import Any

from app.playground.slack.controls import controls, plain_value
from app.playground.slack.render import message_html
from app.playground.slack.render_inline import Names
from app.playground.slack.render_json import mapping_in
from app.playground.slack.surfaces import Json, View

_DRAWN_BY_THE_PAGE = ("actions", "input")


def view_page(view: View, names: Names) -> Json:
    """Return one view; `names` has the names of people and channels by id."""
    return {
        "id": view.id,
        "hash": view.hash,
        "callback_id": view.callback_id,
        "type": view.type,
        "title": view.label("title"),
        "submit": view.label("submit"),
        "close": view.label("close"),
        "blocks": view.blocks,
        "html": {
            str(index): message_html("", [_looked_at(block)], names)
            for index, block in enumerate(view.blocks)
            if block["type"] not in _DRAWN_BY_THE_PAGE
        },
        "values": _values(view),
        "errors": dict(view.errors),
        "error": view.trouble,
    }


def _looked_at(block: Json) -> Json:
    pressed = mapping_in(block.get("accessory")).get("type") not in (None, "image")
    return {name: value for name, value in block.items() if name != "accessory" or not pressed}


def _values(view: View) -> Json:
    values: dict[str, dict[str, Any]] = {}
    for control in controls(view.blocks):
        if control.kind:
            values.setdefault(control.block_id, {})[control.action_id] = plain_value(control, view.values)
    return values
