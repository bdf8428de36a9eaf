"""Whether somebody listens to everything that can be pressed, chosen, searched or sent in what people were shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from slack_bolt.async_app import AsyncBoltRequest
from slack_bolt.response import BoltResponse

from app.playground.slack.values.controls import find_controls
from tests.unit.handlers.front import Front, command, interaction, shortcut

Json = dict[str, Any]


@cache
def _listeners() -> list[Any]:
    """Those of the program. Nothing is done: they are only asked whether something is for them."""
    app: Any = Front().app
    return app._async_listeners  # Bolt tells nobody what it would do


_heard: dict[tuple[str, str], bool] = {}
"""What was asked already: the program's listeners stay the same."""


async def is_heard(kind: str, name: str) -> bool:
    """True if somebody listens to this kind of interaction with what has that name."""
    request = AsyncBoltRequest(mode="socket_mode", body=_body(kind, name))
    answers = [await each.async_matches(req=request, resp=BoltResponse(status=200)) for each in _listeners()]
    return any(answers)


async def unheard(calls: Iterable[Json]) -> set[tuple[str, str]]:
    """What can be done with the messages and views that these calls have shown, and nobody would hear of."""
    said: list[Json] = [call["args"] for call in calls]
    shown: list[Json] = [args if "blocks" in args else args.get("view", {}) for args in said]
    found = {each for surface in shown for each in offered(surface)}
    for each in found - _heard.keys():
        _heard[each] = await is_heard(*each)
    return {each for each in found if not _heard[each]}


def offered(shown: Json) -> Iterator[tuple[str, str]]:
    """What can be done with a message or a view: the kind of interaction, and the id that comes back."""
    for control in find_controls(shown.get("blocks") or ()):
        if not control.is_silent:
            yield "block_actions", control.action_id
        if control.type.endswith("external_select"):
            yield "block_suggestion", control.action_id
    if shown.get("submit"):
        yield "view_submission", shown["callback_id"]
    if shown.get("notify_on_close"):
        yield "view_closed", shown["callback_id"]


def _body(kind: str, name: str) -> Json:
    if kind == "block_actions":
        return interaction(kind, actions=[{"type": "button", "action_id": name, "block_id": "b"}])
    if kind == "block_suggestion":
        return interaction(kind, action_id=name, block_id="b", value="")
    if kind in ("shortcut", "message_action"):
        return shortcut(name, {"ts": "1770000100.000100"} if kind == "message_action" else None)
    if kind == "command":
        return command(name)
    return interaction(kind, view={"type": "modal", "callback_id": name})
