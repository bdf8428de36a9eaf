"""People's actions on the app's controls: buttons, selects, commands, shortcuts, modals, the Home tab.

Buttons and choices are delivered to the app without waiting; searches and submissions return with its answer. A control
is named by its action_id, by "block_id/action_id", or an input by its block_id.
"""

from collections.abc import Mapping

from app.playground.slack.people.actions import UserActions
from app.playground.slack.people.choices import Entered
from app.playground.slack.people.interactions import find_button
from app.playground.slack.people.presence import Locations
from app.playground.slack.values.block_fields import read_mappings
from app.playground.slack.values.controls import BUTTONS, Control, find_control
from app.playground.slack.values.surfaces import Json, View
from app.playground.slack.workspace.entries import Surface
from app.playground.slack.workspace.workspace import Workspace


class Interacting(Locations):
    """One half of `People`."""

    def __init__(self, workspace: Workspace, hands: UserActions) -> None:
        super().__init__(workspace)
        self._hands = hands

    # --- messages --------------------------------------------------------------------------------

    async def clicks(self, user: str, channel: str, ts: str, action_id: str, value: str | None = None) -> None:
        """Press a button on a message that this person sees.

        The app gets it once; if it does not answer, everyone is told.
        """
        message = self.seen(user, channel, ts)
        self._hands.use(self._who(user).id, message, find_button(message, action_id, value), None)

    async def uses_as_drawn(self, user: str, drawn: Surface, control: Control, value: Entered = None) -> None:
        """Press or choose in what this person's client drew as it stood then, whatever has become of it."""
        self._hands.use(self._who(user).id, drawn, control, value)

    async def chooses(self, user: str, channel: str, ts: str, action_id: str, value: Entered) -> None:
        """Choose in a select, overflow menu, date picker or the like of a message: by value or by its text."""
        message = self.seen(user, channel, ts)
        control = find_control(message.blocks or [], action_id)
        if control.type in BUTTONS:
            raise LookupError(f"{action_id} is a button: it is clicked.")
        self._hands.use(self._who(user).id, message, control, value)

    # --- commands and shortcuts ------------------------------------------------------------------

    async def commands(
        self, user: str, channel: str, command: str, text: str = "", thread_ts: str | None = None
    ) -> None:
        """Type a slash command. The app's answer, or the lack of one, is shown to this person in the channel."""
        person, place = self._who_where(user, channel)
        registered = self._workspace.app.commands
        if registered is not None and command not in registered:
            raise LookupError(f"{command} is not a valid command; there is: {', '.join(registered) or 'none'}")
        if thread_ts:
            raise PermissionError(f"{command} is not supported in threads. Sorry!")
        self._hands.run(person.id, place, command, text)

    async def uses_shortcut(self, user: str, channel: str, ts: str, callback_id: str) -> None:
        """Choose a message shortcut from the menu of a message everyone in the channel sees."""
        message = self.seen(user, channel, ts)
        if message.seen_by:
            raise LookupError("Slack offers no shortcuts on a message that only one person sees.")
        self._check_shortcut(callback_id, "message")
        self._hands.shortcut(self._who(user).id, callback_id, message)

    async def uses_global_shortcut(self, user: str, callback_id: str) -> None:
        """Choose a global shortcut."""
        self._check_shortcut(callback_id, "global")
        self._hands.shortcut(self._who(user).id, callback_id, None)

    def _check_shortcut(self, callback_id: str, kind: str) -> None:
        registered = self._workspace.app.shortcuts
        offered = [name for name, shortcut in registered.items() if shortcut.type == kind]
        if callback_id not in offered:
            raise LookupError(f"There is no {kind} shortcut {callback_id!r}; there is: {', '.join(offered) or 'none'}")

    # --- modals ----------------------------------------------------------------------------------

    def modal(self, user: str) -> View | None:
        """Return the modal on top of this person's stack."""
        return next(reversed(self._workspace.views.stack(self._who(user).id)), None)

    async def fills(self, user: str, /, **values: Entered) -> None:
        """Enter values in the modal on top, each under the name of its control; None empties.

        An input that dispatches is told to the app.
        """
        view = self._top(user)
        controls = {name: find_control(view.blocks, name) for name in values}
        for name, control in controls.items():
            self._hands.use(view.user, view, control, values[name])

    async def submits(self, user: str) -> Mapping[str, str]:
        """Press the submit button of the modal on top; return the words under its fields, none on success."""
        view = self._top(user)
        if not view.label("submit"):
            raise LookupError(f"{view.label('title')!r} has no submit button.")
        return await self._hands.submit(view)

    async def closes(self, user: str) -> None:
        """Press the close button of the modal on top."""
        self._hands.close(self._top(user))

    async def clicks_in_modal(self, user: str, action_id: str, value: Entered = None) -> None:
        """Press a button of the modal on top (of several with one action that of `value`), or choose in an element."""
        self._use(self._top(user), action_id, value)

    # --- the Home tab ----------------------------------------------------------------------------

    def home(self, user: str) -> View | None:
        """Return the view that the app published on this person's Home tab."""
        return self._workspace.views.home(self._who(user).id)

    async def opens_home(self, user: str) -> str:
        """Look at the app's Home tab; return the id of the direct messages beside it."""
        return self._workspace.open_home(self._who(user).id).id

    async def opens_dm(self, user: str) -> str:
        """Look at one's direct messages with the bot; return the channel's id."""
        return self._workspace.open_dm(self._who(user).id).id

    async def clicks_in_home(self, user: str, action_id: str, value: Entered = None) -> None:
        """Press a button, or choose in another element, of the Home tab."""
        view = self.home(user)
        if view is None:
            raise LookupError("The app has published no Home tab for this person.")
        self._use(view, action_id, value)

    def _use(self, view: View, action_id: str, value: Entered) -> None:
        control = find_control(view.blocks, action_id)
        if control.type in BUTTONS and isinstance(value, str):
            control = find_button(view, control.action_id, value)
        self._hands.use(view.user, view, control, value)

    # --- searching -------------------------------------------------------------------------------

    async def types_search(
        self, user: str, action_id: str, query: str, *, channel: str = "", ts: str = ""
    ) -> list[Json]:
        """Type in a select that asks the app, of the modal on top or of a message; return the options it offers."""
        surface: Surface = self.seen(user, channel, ts) if channel else self._top(user)
        answer = await self._hands.search(
            self._who(user).id, surface, find_control(surface.blocks or [], action_id), query
        )
        groups = read_mappings(answer.get("option_groups"))
        return [option for group in (answer, *groups) for option in read_mappings(group.get("options"))]

    def _top(self, user: str) -> View:
        view = self.modal(user)
        if view is None:
            raise LookupError(f"{self._who(user).name} has no modal open.")
        return view
