"""Windows of a draft as people see them: Slack's own rules for views, what stands in a form, and drafts to edit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from itertools import count
from typing import Any

from hypothesis import strategies as st

from app.core.thread import ThreadKey
from app.decision.drafts.draft import Accepted, read
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component, find_subschema
from app.decision.schema.paths import Draft, is_list, is_object
from app.playground.slack.blocks.views import check_view
from app.playground.slack.values.controls import find_controls
from app.playground.slack.values.surfaces import Json
from handlers.views.editing import window, window_state
from handlers.views.editing.edits import SENT, Edit
from handlers.views.editing.form import Subject
from handlers.views.editing.window_state import WindowCommand, WindowState
from handlers.views.editing.window_state import read_window_command as order_of
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before, example, minimal
from tests.unit.handlers.payloads import CHANNEL, TEAM

THREAD = ThreadKey(team=TEAM, channel=CHANNEL, root="1770000101.000100")
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=40)


def about(draft: Draft, **more: Any) -> WindowState:
    return WindowState(thread=THREAD, edition=3, digest=window_state.compute_digest(draft), **more)


def subject(key: str, draft: Draft | None = None, so_far: DecisionRecord | None = None, **more: Any) -> Subject:
    """The example's draft, or another one, and where in it a form stands."""
    held = example(key) if draft is None else draft
    return Subject(component=PLAYBOOK[key], draft=held, so_far=so_far or before(key), about=about(held, **more))


def taken(view: Json) -> Json:
    """The view as Slack keeps it; raises what Slack would refuse."""
    names = (f"b{number}" for number in count())
    return check_view(json.loads(json.dumps(view)), "modal", lambda: next(names))


def state(view: Json, **changed: Any) -> Json:
    """What Slack says of the inputs of a view: as they were shown, but for those that somebody changed."""
    values: dict[str, Any] = {}
    for control in find_controls(taken(view)["blocks"]):
        if control.block["type"] == "input":
            values[control.block_id] = {control.action_id: {**control.state({}), **changed.get(control.block_id, {})}}
    return {**view, "state": {"values": values}}


def sent(view: Json, it: Subject, **changed: Any) -> Edit:
    """What a form makes of the draft when it is sent."""
    here = window_state.read_state(view)
    assert here is not None
    return SENT[view["callback_id"]](replace(it, about=here), state(view, **changed))


def written(words: str | None) -> Json:
    return {"value": words}


def chosen(value: str) -> Json:
    return {"selected_option": {"value": value}}


def pages(it: Subject) -> Iterator[Json]:
    """Every page of the list."""
    for number in count():
        view = window.build_list(replace(it, about=about(it.draft, page=number)))
        shown = window_state.read_state(view)
        if shown is None or shown.page != number:
            return
        yield view


def offered(view: Json) -> list[tuple[WindowCommand, str]]:
    """What can be pressed in a view, with what it is about."""
    found: list[tuple[WindowCommand, str] | None] = []
    for control in find_controls(taken(view)["blocks"]):
        element = control.element
        values = [element.get("value"), *(each["value"] for each in element.get("options", ()))]
        found += [order_of(value) for value in values if value]
    return [each for each in found if each]


def said(view: Json) -> str:
    """Every word in the view."""
    return "\n".join(_texts(view["blocks"]))


def _texts(thing: Any) -> Iterator[str]:
    if is_list(thing):
        for each in thing:
            yield from _texts(each)
    elif is_object(thing):
        if isinstance(thing.get("text"), str):
            yield thing["text"]
        for each in thing.values():
            yield from _texts(each)


# Drafts of any shape


def _values(component: Component, steps: list[Any], known: dict[str, list[str]]) -> st.SearchStrategy[Any]:
    """Anything that the schema allows at a place, with references that lead somewhere."""
    node = find_subschema(component.json_schema, steps) or {}
    match node.get("type"):
        case "object":
            needed, names = node.get("required", ()), [*node["properties"]]
            fields = {name: _values(component, [*steps, name], known) for name in names if name != "evidence"}
            optional = {name: fields[name] for name in fields if name not in needed}
            return st.fixed_dictionaries({name: fields[name] for name in needed}, optional=optional)
        case "array":
            inner = _values(component, [*steps, "[]"], known)
            return st.lists(inner, min_size=node.get("minItems", 0), max_size=node.get("minItems", 0) + 4)
        case "string":
            return _strings(node, known)
        case _:
            return _plain(node)


def _plain(node: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """What is no text."""
    if "enum" in node:
        return st.sampled_from(node["enum"])
    if node["type"] == "boolean":
        return st.booleans()
    whole = st.integers(node.get("minimum", -9), node.get("maximum", 9))
    return whole if node["type"] == "integer" else whole | st.floats(0.001, 0.9)


def _strings(node: Mapping[str, Any], known: dict[str, list[str]]) -> st.SearchStrategy[str]:
    """Texts, dates, people and handles."""
    prefix = node.get("pattern", "")[1:].partition("[")[0]
    least = node.get("minLength", 1)
    if node.get("format") == "date":
        return st.dates().map(str)
    if prefix:
        return st.sampled_from(known.get(prefix, ["U0PERSON1"]))
    return (WORDS | st.just("one\nand two")).map(lambda words: words.strip().ljust(least, "x"))


def _numbered(component: Component, draft: Draft) -> Draft:
    """The draft with a handle of its own for each item, and the example's for what can be referred to."""
    made = deepcopy(draft)
    for path, prefix in component.handles.items():
        holder: Any = made
        for step in path.removesuffix("[]").split("."):
            holder = holder.get(step, []) if is_object(holder) else []
        for number, item in enumerate(holder if path.endswith("[]") else [], 1):
            item["handle"] = f"{prefix}{number}"
    return made


@st.composite
def drafts(draw: st.DrawFn) -> tuple[str, Draft]:
    """A draft of a shipped component that people can be shown: an accepted one, made by chance or by hand."""
    key = draw(st.sampled_from(KEYS))
    component, so_far = PLAYBOOK[key], before(key)
    known: dict[str, list[str]] = {}
    for handle in [*so_far.handles, *(f"{prefix}1" for prefix in component.handles.values())]:
        known.setdefault(handle.rstrip("0123456789"), []).append(handle)
    made = _numbered(component, draw(_values(component, [], known)))
    judged = read(component, made, so_far)
    if isinstance(judged, Accepted):
        return key, judged.draft
    accepted = read(component, draw(st.sampled_from([minimal(key), example(key)])), so_far)
    assert isinstance(accepted, Accepted)
    return key, accepted.draft
