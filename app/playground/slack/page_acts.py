"""What the page's person can do, by name: each act reads its JSON and answers some.

The table of fields and answers is in docs/playground.md. Knows no HTTP.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

from app.playground.slack.arguments import Arguments
from app.playground.slack.choices import Entered
from app.playground.slack.controls import BUTTONS, find_control
from app.playground.slack.entries import Surface
from app.playground.slack.hands import Hands
from app.playground.slack.model import Json
from app.playground.slack.people import People
from app.playground.slack.render_json import mapping_in, mappings_in
from app.playground.slack.surfaces import View
from app.playground.slack.workspace import Workspace

Act = Callable[[Arguments], Awaitable[Json]]


class PageActs:
    """One person's acts, told by their page."""

    def __init__(self, workspace: Workspace, people: People, hands: Hands) -> None:
        self._workspace = workspace
        self._people = people
        self._hands = hands
        self._acts: Mapping[str, Act] = {
            "say": self._say,
            "edit": self._edit,
            "delete": self._delete,
            "click": self._click,
            "choose": self._choose,
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

    def named(self, name: str) -> Act | None:
        """Return an act; None if there is none of that name."""
        return self._acts.get(name)

    # --- messages --------------------------------------------------------------------------------

    async def _say(self, args: Arguments) -> Json:
        thread_ts = args.text("thread_ts") or None
        return {"ts": await self._people.says(*_place(args), args.text("text"), thread_ts)}

    async def _edit(self, args: Arguments) -> Json:
        await self._people.edits(*_place(args), args.required("ts"), args.text("text"))
        return {}

    async def _delete(self, args: Arguments) -> Json:
        await self._people.deletes(*_place(args), args.required("ts"))
        return {}

    async def _click(self, args: Arguments) -> Json:
        value = args.text("value") if args.given("value") else None
        await self._people.clicks(*_place(args), args.required("ts"), args.required("action_id"), value)
        return {}

    async def _choose(self, args: Arguments) -> Json:
        where = (*_place(args), args.required("ts"))
        await self._people.chooses(*where, _control(args), _entered(args.values.get("value")))
        return {}

    async def _stop(self, args: Arguments) -> Json:
        await self._people.stops(*_place(args), args.required("thread_ts"))
        return {}

    async def _open_dm(self, args: Arguments) -> Json:
        return {"channel": await self._people.opens_dm(args.required("user"))}

    async def _invite(self, args: Arguments) -> Json:
        await self._people.invites(*_place(args), args.required("who"))
        return {}

    # --- commands and shortcuts ------------------------------------------------------------------

    async def _command(self, args: Arguments) -> Json:
        command, _, text = args.required("text").strip().partition(" ")
        await self._people.commands(*_place(args), command, text.strip(), args.text("thread_ts") or None)
        return {}

    async def _shortcut(self, args: Arguments) -> Json:
        await self._people.uses_shortcut(*_place(args), args.required("ts"), args.required("callback_id"))
        return {}

    async def _global_shortcut(self, args: Arguments) -> Json:
        await self._people.uses_global_shortcut(args.required("user"), args.required("callback_id"))
        return {}

    # --- views -----------------------------------------------------------------------------------

    async def _home(self, args: Arguments) -> Json:
        return {"channel": await self._people.opens_home(args.required("user"))}

    async def _view_action(self, args: Arguments) -> Json:
        view = self._view(args)
        control = find_control(view.blocks, _control(args))
        self._fill(view, args)
        entered = None if control.type in BUTTONS else _entered(args.values.get("value"))
        self._hands.use(view.user, view, control, entered)
        return {}

    async def _view_submit(self, args: Arguments) -> Json:
        self._fill(self._modal(args), args)
        errors = await self._hands.submit(self._modal(args))
        return {"errors": dict(errors)} if errors else {}

    async def _view_close(self, args: Arguments) -> Json:
        self._hands.close(self._modal(args))
        return {}

    async def _suggest(self, args: Arguments) -> Json:
        surface: Surface = self._view(args) if args.given("view_id") else self._message(args)
        control = find_control(surface.blocks or [], _control(args))
        answer = await self._hands.search(args.required("user"), surface, control, args.text("query"))
        groups = [
            {"label": group["label"]["text"], "options": _options(group)}
            for group in mappings_in(answer.get("option_groups"))
        ]
        return {"options": _options(answer), "groups": groups}

    def _message(self, args: Arguments) -> Surface:
        return self._people.seen(*_place(args), args.required("ts"))

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
        values = mapping_in(args.values.get("values"))
        entered = [
            (find_control(view.blocks, f"{block_id}/{action_id}"), _entered(value))
            for block_id, fields in values.items()
            for action_id, value in mapping_in(fields).items()
        ]
        self._hands.fill(view, entered)


def _control(args: Arguments) -> str:
    action_id, block_id = args.required("action_id"), args.text("block_id")
    return f"{block_id}/{action_id}" if block_id else action_id


def _entered(value: Any) -> Entered:
    if isinstance(value, list):
        return [str(item) for item in cast(list[object], value)]
    return None if value in (None, "") else str(value)


def _options(group: Json) -> list[Json]:
    return [{"text": option["text"]["text"], "value": option["value"]} for option in mappings_in(group.get("options"))]


def _place(args: Arguments) -> tuple[str, str]:
    return args.required("user"), args.required("channel")
