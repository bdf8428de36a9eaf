"""The interactive elements of messages and views: their places, and the form of each type's state.

Pure. Knows no person and no payload. `choices` converts input into a state, and `views` checks it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from app.playground.slack.values.block_fields import read_mapping, read_mappings
from app.playground.slack.values.surfaces import Json, Values


@dataclass(frozen=True, slots=True)
class Kind:
    """The state of one type of element, and the field that names its initial state."""

    state: str
    initial: str

    @property
    def is_many(self) -> bool:
        """Return True if several things may be chosen."""
        return self.state.endswith("s")

    @property
    def is_option(self) -> bool:
        """Return True if the choice is one of the app's options."""
        return self.state.startswith("selected_option")


_WRITTEN = Kind("value", "initial_value")
_OPTION = Kind("selected_option", "initial_option")
_OPTIONS = Kind("selected_options", "initial_options")

#: Every type of element that keeps a state. Field names from Slack's reference of interaction payloads.
KINDS: Mapping[str, Kind] = {
    "plain_text_input": _WRITTEN,
    "email_text_input": _WRITTEN,
    "url_text_input": _WRITTEN,
    "number_input": _WRITTEN,
    "static_select": _OPTION,
    "external_select": _OPTION,
    "radio_buttons": _OPTION,
    "multi_static_select": _OPTIONS,
    "multi_external_select": _OPTIONS,
    "checkboxes": _OPTIONS,
    "users_select": Kind("selected_user", "initial_user"),
    "multi_users_select": Kind("selected_users", "initial_users"),
    "conversations_select": Kind("selected_conversation", "initial_conversation"),
    "multi_conversations_select": Kind("selected_conversations", "initial_conversations"),
    "channels_select": Kind("selected_channel", "initial_channel"),
    "multi_channels_select": Kind("selected_channels", "initial_channels"),
    "datepicker": Kind("selected_date", "initial_date"),
    "timepicker": Kind("selected_time", "initial_time"),
    "datetimepicker": Kind("selected_date_time", "initial_date_time"),
}
BUTTONS = ("button", "icon_button")
OVERFLOW = "overflow"  # offers options like a select, but keeps no choice


@dataclass(frozen=True, slots=True)
class Control:
    """One interactive element in its block."""

    block: Json
    element: Json

    @property
    def block_id(self) -> str:
        """Return the id of its block."""
        return self.block["block_id"]

    @property
    def action_id(self) -> str:
        return self.element["action_id"]

    @property
    def key(self) -> tuple[str, str]:
        """Return the key of its state."""
        return self.block_id, self.action_id

    @property
    def type(self) -> str:
        return self.element["type"]

    @property
    def kind(self) -> Kind | None:
        """Return the kind of its state; None if it has none."""
        return KINDS.get(self.type)

    @property
    def is_silent(self) -> bool:
        """Return True if the app gets its state only with the whole view: an input that does not dispatch."""
        return self.block["type"] == "input" and not self.block.get("dispatch_action")

    @property
    def options(self) -> list[Json]:
        """Return the options that the app gave with the element, including those of groups."""
        grouped = [option for group in read_mappings(self.element.get("option_groups")) for option in group["options"]]
        return read_mappings(self.element.get("options")) + grouped

    def state(self, values: Values) -> Json:
        """Return its current state; only for a control whose type has a state."""
        kind, entered = KINDS[self.type], values.get(self.key)
        if entered and entered["type"] == self.type:
            return entered
        return {"type": self.type, kind.state: self.element.get(kind.initial, [] if kind.is_many else None)}


def find_controls(blocks: Iterable[Json]) -> Iterator[Control]:
    """Yield the interactive elements of checked blocks, in their order."""
    for block in blocks:
        yield from _walk_controls(block, block)


def _walk_controls(thing: Any, block: Json) -> Iterator[Control]:
    if isinstance(thing, list):
        for item in cast(list[Any], thing):
            yield from _walk_controls(item, block)
    elif isinstance(thing, dict):
        node = cast(Json, thing)
        if "action_id" in node and "type" in node:
            yield Control(block, node)
        inner = node if "block_id" in node else block
        for value in node.values():
            yield from _walk_controls(value, inner)


_NAMES: Sequence[Callable[[Control], str]] = (
    lambda control: control.action_id,
    lambda control: f"{control.block_id}/{control.action_id}",
    lambda control: control.block_id if control.block["type"] == "input" else "",
)
"""What a control may be called, in the order in which it is looked for."""


def find_control(blocks: list[Json], name: str) -> Control:
    """Return the control with this action_id or "block_id/action_id", or the input with this block_id.

    The LookupError names the controls there are.
    """
    shown = list(find_controls(blocks))
    for called in _NAMES:
        if found := next((control for control in shown if called(control) == name), None):
            return found
    offered = ", ".join(f"{control.action_id} ({control.type})" for control in shown) or "nothing"
    raise LookupError(f"There is no {name!r} to choose in; there is: {offered}")


def build_state_values(blocks: list[Json], values: Values) -> Json:
    """Return `state.values` as Slack sends it: each element that has a state, by block_id and action_id."""
    states: Json = {}
    for control in find_controls(blocks):
        if control.kind:
            states.setdefault(control.block_id, {})[control.action_id] = control.state(values)
    return states


def read_plain_value(control: Control, values: Values) -> str | list[str] | None:
    """Return the value of a control as a page or a test would enter it."""
    kind = KINDS[control.type]
    chosen = control.state(values)[kind.state]
    if isinstance(chosen, list):
        return [_read_plain(item) for item in cast(list[Any], chosen)]
    return None if chosen is None else _read_plain(chosen)


def _read_plain(chosen: Any) -> str:
    return str(read_mapping(cast(object, chosen)).get("value", chosen))
