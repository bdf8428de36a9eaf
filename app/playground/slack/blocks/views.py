"""Check of views, and of the input in their fields, by Slack's rules."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from app.playground.slack.blocks.blocks import add_ids
from app.playground.slack.blocks.problems import find_block_problems, find_broken_rules, format_problem
from app.playground.slack.values.block_fields import read_mappings
from app.playground.slack.values.controls import KINDS, Control, find_controls
from app.playground.slack.values.refusal import Refusal, build_refusal
from app.playground.slack.values.surfaces import Json, View

REQUIRED = "Please complete this required field."
_EMAIL = re.compile(r"^[^@\s]+@[^@\s]+\.[^@\s]+$")
_WEB_ADDRESS = re.compile(r"^https?://\S+$")


def find_field_errors(view: View) -> dict[str, str]:
    """Return the errors by block_id; empty if the view may be submitted."""
    inputs = [control for control in find_controls(view.blocks) if control.block["type"] == "input"]
    found = {control.block_id: _find_error(control, view) for control in inputs}
    return {block_id: words for block_id, words in found.items() if words}


def _find_error(control: Control, view: View) -> str:
    stands = control.state(view.values)[KINDS[control.type].state]
    if stands in (None, "", []):
        return "" if control.block.get("optional") else REQUIRED
    check = _CHECKS.get(control.type)
    return check(control.element, stands) if check else ""


def _check_length(element: Json, text: str) -> str:
    if len(text) < element.get("min_length", 0):
        return f"This needs at least {element['min_length']} characters."
    if len(text) > element.get("max_length", 3000):
        return f"This takes at most {element.get('max_length', 3000)} characters."
    return ""


def _check_number(element: Json, text: str) -> str:
    pattern = r"-?\d+(\.\d+)?" if element["is_decimal_allowed"] else r"-?\d+"
    if not re.fullmatch(pattern, text):
        return "Please enter a number." if element["is_decimal_allowed"] else "Please enter a whole number."
    if float(text) < float(element.get("min_value", "-inf")):
        return f"This must be at least {element['min_value']}."
    if float(text) > float(element.get("max_value", "inf")):
        return f"This must be at most {element['max_value']}."
    return ""


def _check_most_chosen(element: Json, chosen: list[object]) -> str:
    most = element.get("max_selected_items")
    return f"Please choose at most {most}." if most and len(chosen) > most else ""


_CHECKS: Mapping[str, Callable[[Json, str], str] | Callable[[Json, list[object]], str]] = {
    "plain_text_input": _check_length,
    "number_input": _check_number,
    "email_text_input": lambda _, text: "" if _EMAIL.match(text) else "Please enter an email address.",
    "url_text_input": lambda _, text: "" if _WEB_ADDRESS.match(text) else "Please enter a web address.",
    "multi_static_select": _check_most_chosen,
    "multi_external_select": _check_most_chosen,
    "multi_users_select": _check_most_chosen,
    "multi_conversations_select": _check_most_chosen,
    "multi_channels_select": _check_most_chosen,
}

MOST_BYTES = 250_000  # Slack: then view_too_large

_COMMON = frozenset({"type", "blocks", "private_metadata", "callback_id", "external_id"})
#: Type of a view → the fields it may have.
_FIELDS: Mapping[str, frozenset[str]] = {
    "modal": _COMMON | {"title", "submit", "close", "clear_on_close", "notify_on_close"},
    "home": _COMMON,
}
#: Blocks that views show; tables, markdown and streaming blocks are for messages only.
_BLOCKS = frozenset({"actions", "context", "divider", "header", "image", "input", "rich_text", "section", "video"})


def check_view(view: Any, kind: str, name: Callable[[], str]) -> Json:
    """Return a view as Slack stores it, if it may be shown as a "modal" or "home"; else raise Slack's refusal."""
    if not isinstance(view, dict):
        raise build_refusal("invalid_arguments", [format_problem("/view", "must provide an object")])
    given = cast(Json, view)
    if problems := list(dict.fromkeys(_find_problems(given, kind))):
        raise build_refusal(
            "invalid_arguments", [format_problem("/view", "failed to match all allowed schemas"), *problems]
        )
    if len(json.dumps(given).encode()) > MOST_BYTES:
        raise Refusal("view_too_large")
    return given | {"blocks": add_ids(given["blocks"], name)}


def _find_problems(view: Json, kind: str) -> Iterator[str]:
    if view.get("type") != kind:
        yield format_problem("/view/type", "must be a valid enum value")
        return
    for field in sorted(view.keys() - _FIELDS[kind]):
        yield format_problem("/view", f"invalid additional property: {field}")
    for field in ("title", "blocks") if kind == "modal" else ("blocks",):
        if field not in view:
            yield format_problem("/view", f"missing required field: {field}")
    yield from find_broken_rules({**view, "type": "view"}, "/view")
    yield from _find_block_problems(view)


def _find_block_problems(view: Json) -> Iterator[str]:
    blocks = read_mappings(view.get("blocks"))
    for index, block in enumerate(blocks):
        if block.get("type") not in _BLOCKS:
            yield format_problem(f"/view/blocks/{index}/type", f"unsupported type: {block.get('type')}")
        elif block["type"] == "input" and view["type"] == "modal" and "submit" not in view:
            yield format_problem(f"/view/blocks/{index}/input", "must define `submit` to use `input` block")
    yield from find_block_problems(blocks, "/view/blocks")
