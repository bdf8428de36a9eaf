"""Conversion of a person's input in an element into Slack's state for it.

Rule: nothing is accepted that Slack's client would not let a person enter. The LookupError names the valid choices.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any, cast

from app.playground.slack.values.block_fields import read_mappings
from app.playground.slack.values.controls import KINDS, Control, Kind
from app.playground.slack.values.model import Channel
from app.playground.slack.values.surfaces import Json
from app.playground.slack.workspace.workspace import Workspace

Entered = str | Sequence[str] | None
"""A text, number, date, name or option; several for elements that take several; None for nothing."""

_TIME = re.compile(r"^([01]\d|2[0-3]):[0-5]\d$")


def build_state(workspace: Workspace, control: Control, entered: Entered, offers: Sequence[Json]) -> Json:
    """Return the state after a choice; `offers` are the options an app's search has answered for this element."""
    kind = KINDS[control.type]
    several = [entered] if isinstance(entered, str) else list(entered or ())
    if len(several) > 1 and not kind.is_many:
        raise LookupError(f"{control.action_id} takes one thing, not {len(several)}.")
    taken = [_choose_value(workspace, control, item, offers) for item in several]
    return {"type": control.type, kind.state: taken if kind.is_many else next(iter(taken), None)}


def find_option(control: Control, entered: str, offers: Sequence[Json] = ()) -> Json:
    """Return the option with this value, or else with this text."""
    options = [*control.options, *offers]
    by_value = [option for option in options if option["value"] == entered]
    if meant := by_value or [option for option in options if option["text"]["text"] == entered]:
        return meant[0]
    offered = ", ".join(f"{option['value']} ({option['text']['text']})" for option in options) or "none"
    raise LookupError(f"{control.action_id} has no option {entered!r}; its options are: {offered}")


def _choose_value(workspace: Workspace, control: Control, entered: str, offers: Sequence[Json]) -> object:
    kind = KINDS[control.type]
    if kind.is_option:
        return find_option(control, entered, [*_list_initial(control, kind), *offers])
    if kind.state.startswith("selected_user"):
        return _find_person(workspace, entered)
    if kind.state.startswith(("selected_conversation", "selected_channel")):
        return _find_channel(workspace, entered).id
    return _parse_moment(kind, entered) if kind.state.startswith("selected_") else entered


def _list_initial(control: Control, kind: Kind) -> list[Json]:
    given: Any = control.element.get(kind.initial)
    return [cast(Json, given)] if isinstance(given, dict) else read_mappings(given)


def _find_person(workspace: Workspace, entered: str) -> str:
    member = workspace.member(entered)
    if member is None:
        raise LookupError(f"There is nobody called {entered!r} in {workspace.team.name}.")
    return member.id


def _find_channel(workspace: Workspace, entered: str) -> Channel:
    place = workspace.channels.get(entered) or workspace.channel_named(entered)
    if place is None:
        raise LookupError(f"There is no channel {entered!r}.")
    return place


def _parse_moment(kind: Kind, entered: str) -> str | int:
    if kind.state == "selected_date_time":
        return int(entered)
    if kind.state == "selected_date":
        return date.fromisoformat(entered).isoformat()
    if not _TIME.match(entered):
        raise ValueError(f"{entered!r} is no time of day such as 14:30.")
    return entered
