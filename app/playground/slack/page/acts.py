"""Actions of the page's person, by name: each reads its JSON and returns an answer.

The table of fields and answers is in docs/playground.md. Knows no HTTP.
"""

import base64
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, cast

from app.playground.slack.people.actions import UserActions
from app.playground.slack.people.choices import Entered
from app.playground.slack.people.people import People
from app.playground.slack.values.arguments import Arguments
from app.playground.slack.values.block_fields import read_mapping, read_mappings
from app.playground.slack.values.controls import BUTTONS, Control, find_controls
from app.playground.slack.values.model import File
from app.playground.slack.values.surfaces import Json, View
from app.playground.slack.workspace.entries import Surface
from app.playground.slack.workspace.workspace import Workspace

CHANGED = "This has changed just now. Please look again."

Act = Callable[[Arguments], Awaitable[Json | None]]
"""It answers with nothing unless the page needs to know more."""


class PageActs:
    """One person's actions, sent by their page."""

    def __init__(self, workspace: Workspace, people: People, hands: UserActions) -> None:
        self._workspace = workspace
        self._people = people
        self._hands = hands
        self.by_name: Mapping[str, Act] = {
            "say": self._say,
            "edit": self._edit,
            "delete": self._delete,
            "click": self._use_in_message,
            "choose": self._use_in_message,
            "command": self._command,
            "shortcut": self._shortcut,
            "global_shortcut": self._global_shortcut,
            "home": self._home,
            "messages_tab": self._open_dm,
            "view_action": self._view_action,
            "view_submit": self._view_submit,
            "view_close": self._view_close,
            "suggest": self._suggest,
            "stop": self._stop,
            "open_dm": self._open_dm,
            "invite": self._invite,
        }

    # --- messages --------------------------------------------------------------------------------

    async def _say(self, args: Arguments) -> Json:
        thread_ts = args.text("thread_ts") or None
        files = [self._bring(args.required("user"), each) for each in read_mappings(args.values.get("files"))]
        return {"ts": await self._people.says(*_read_place(args), args.text("text"), thread_ts, files)}

    def _bring(self, user: str, sent: Mapping[str, Any]) -> File:
        """Return a file that the page sent, its content as base64. Raises `ValueError`."""
        name, content = Path(str(sent.get("name", ""))).name, str(sent.get("content", ""))
        if not name:
            raise ValueError("A file needs a name.")
        return self._people.brings(user, name, base64.b64decode(content, validate=True))

    async def _edit(self, args: Arguments) -> None:
        await self._people.edits(*_read_place(args), args.required("ts"), args.text("text"))

    async def _delete(self, args: Arguments) -> None:
        await self._people.deletes(*_read_place(args), args.required("ts"))

    async def _use_in_message(self, args: Arguments) -> None:
        self._use(self._message(args), args)

    async def _stop(self, args: Arguments) -> None:
        await self._people.stops(*_read_place(args), args.required("thread_ts"))

    async def _open_dm(self, args: Arguments) -> Json:
        return {"channel": await self._people.opens_dm(args.required("user"))}

    async def _invite(self, args: Arguments) -> None:
        await self._people.invites(*_read_place(args), args.required("who"))

    # --- commands and shortcuts ------------------------------------------------------------------

    async def _command(self, args: Arguments) -> None:
        command, _, text = args.required("text").strip().partition(" ")
        await self._people.commands(*_read_place(args), command, text.strip(), args.text("thread_ts") or None)

    async def _shortcut(self, args: Arguments) -> None:
        await self._people.uses_shortcut(*_read_place(args), args.required("ts"), args.required("callback_id"))

    async def _global_shortcut(self, args: Arguments) -> None:
        await self._people.uses_global_shortcut(args.required("user"), args.required("callback_id"))

    # --- views -----------------------------------------------------------------------------------

    async def _home(self, args: Arguments) -> Json:
        return {"channel": await self._people.opens_home(args.required("user"))}

    async def _view_action(self, args: Arguments) -> None:
        view = self._view(args)
        self._fill(view, args)
        self._use(view, args)

    async def _view_submit(self, args: Arguments) -> Json:
        self._fill(self._modal(args), args)
        errors = await self._hands.submit(self._modal(args))
        return {"errors": dict(errors)} if errors else {}

    async def _view_close(self, args: Arguments) -> None:
        self._hands.close(self._modal(args))

    async def _suggest(self, args: Arguments) -> Json:
        surface: Surface = self._view(args) if args.given("view_id") else self._message(args)
        control = _find_shown(surface, args)
        answer = await self._hands.search(args.required("user"), surface, control, args.text("query"))
        groups = [
            {"label": group["label"]["text"], "options": _read_options(group)}
            for group in read_mappings(answer.get("option_groups"))
        ]
        return {"options": _read_options(answer), "groups": groups}

    def _use(self, surface: Surface, args: Arguments) -> None:
        control = _find_shown(surface, args)
        entered = None if control.type in BUTTONS else _read_entered(args.values.get("value"))
        self._hands.use(args.required("user"), surface, control, entered)

    def _message(self, args: Arguments) -> Surface:
        return self._people.seen(*_read_place(args), args.required("ts"))

    def _view(self, args: Arguments) -> View:
        view = self._workspace.views.find(args.required("view_id"))
        if view is None or view.user != args.required("user"):
            raise LookupError("This is no longer open.")
        return view

    def _modal(self, args: Arguments) -> View:
        view = self._view(args)
        if view.type != "modal":
            raise LookupError("Only a modal can be submitted or closed.")
        return view

    def _fill(self, view: View, args: Arguments) -> None:
        shown = {control.key: control for control in find_controls(view.blocks)}
        entered = {
            (block_id, action_id): _read_entered(value)
            for block_id, fields in read_mapping(args.values.get("values")).items()
            for action_id, value in read_mapping(fields).items()
        }
        if entered.keys() - shown.keys():
            raise LookupError(CHANGED)
        self._hands.fill(view, [(shown[key], value) for key, value in entered.items()])


def _find_shown(surface: Surface, args: Arguments) -> Control:
    """Return the control that was used, as the page showed it: a page is always a little late.

    Blocks that the app did not name get other ids each time. So a missing one is looked up by its action and its value.
    A button with another value is another button.
    """
    block_id = args.text("block_id")
    named = [each for each in find_controls(surface.blocks or []) if each.action_id == args.required("action_id")]
    usable = [each for each in named if each.type not in BUTTONS or _fits(each, args)]
    here = [each for each in usable if block_id in ("", each.block_id)]
    again = [each for each in usable if _fits(each, args)]
    if found := next(iter(here or again), None):
        return found
    raise LookupError(CHANGED)


def _fits(control: Control, args: Arguments) -> bool:
    if not args.given("value"):
        return True
    value = _read_entered(args.values["value"])
    if control.type in BUTTONS:
        return control.element.get("value") == value
    several = [value] if isinstance(value, str) else list(value or ())
    return not control.options or {*several} <= {option["value"] for option in control.options}


def _read_entered(value: Any) -> Entered:
    if isinstance(value, list):
        return [str(item) for item in cast(list[object], value)]
    return None if value in (None, "") else str(value)


def _read_options(group: Json) -> list[Json]:
    return [
        {"text": option["text"]["text"], "value": option["value"]} for option in read_mappings(group.get("options"))
    ]


def _read_place(args: Arguments) -> tuple[str, str]:
    return args.required("user"), args.required("channel")
