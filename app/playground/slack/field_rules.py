"""Checks of a modal's fields in Slack's client, before the app is asked: required, length, number, address.

Pure. The words are the playground's; only the one for a missing answer is Slack's own.
"""

import re
from collections.abc import Callable, Mapping

from app.playground.slack.controls import KINDS, Control, controls
from app.playground.slack.surfaces import Json, View

REQUIRED = "Please complete this required field."
_EMAIL = re.compile(r"^[^@\s]+@[^@\s]+\.[^@\s]+$")
_WEB_ADDRESS = re.compile(r"^https?://\S+$")


def field_errors(view: View) -> dict[str, str]:
    """Return the errors by block_id; empty if the view may be submitted."""
    inputs = [control for control in controls(view.blocks) if control.block["type"] == "input"]
    found = {control.block_id: _wrong(control, view) for control in inputs}
    return {block_id: words for block_id, words in found.items() if words}


def _wrong(control: Control, view: View) -> str:
    stands = control.state(view.values)[KINDS[control.type].state]
    if stands in (None, "", []):
        return "" if control.block.get("optional") else REQUIRED
    check = _CHECKS.get(control.type)
    return check(control.element, stands) if check else ""


def _length(element: Json, text: str) -> str:
    if len(text) < element.get("min_length", 0):
        return f"This needs at least {element['min_length']} characters."
    if len(text) > element.get("max_length", 3000):
        return f"This takes at most {element.get('max_length', 3000)} characters."
    return ""


def _number(element: Json, text: str) -> str:
    pattern = r"-?\d+(\.\d+)?" if element["is_decimal_allowed"] else r"-?\d+"
    if not re.fullmatch(pattern, text):
        return "Please enter a number." if element["is_decimal_allowed"] else "Please enter a whole number."
    if float(text) < float(element.get("min_value", "-inf")):
        return f"This must be at least {element['min_value']}."
    if float(text) > float(element.get("max_value", "inf")):
        return f"This must be at most {element['max_value']}."
    return ""


def _email(element: Json, text: str) -> str:
    return "" if _EMAIL.match(text) else "Please enter an email address."


def _address(element: Json, text: str) -> str:
    return "" if _WEB_ADDRESS.match(text) else "Please enter a web address."


def _most_chosen(element: Json, chosen: list[object]) -> str:
    most = element.get("max_selected_items")
    return f"Please choose at most {most}." if most and len(chosen) > most else ""


_CHECKS: Mapping[str, Callable[[Json, str], str] | Callable[[Json, list[object]], str]] = {
    "plain_text_input": _length,
    "number_input": _number,
    "email_text_input": _email,
    "url_text_input": _address,
    "multi_static_select": _most_chosen,
    "multi_external_select": _most_chosen,
    "multi_users_select": _most_chosen,
    "multi_conversations_select": _most_chosen,
    "multi_channels_select": _most_chosen,
}
