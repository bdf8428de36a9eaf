"""Open views, and the triggers that open them."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from app.playground.slack.values.controls import find_controls
from app.playground.slack.values.model import Change, Clock, HomeShown, IdFactory, ModalsChanged
from app.playground.slack.values.refusal import Refusal
from app.playground.slack.values.surfaces import Json, Values, View

TRIGGER_LIFE = 3.0  # Slack's seconds


@dataclass(slots=True)
class Trigger:
    """Person of an interaction, and the modal that it happened in, if any."""

    user: str
    view_id: str | None
    until: float
    exchanged: bool = False


class Triggers:
    """All triggers handed out."""

    def __init__(self, clock: Clock, mint: IdFactory) -> None:
        self._clock = clock
        self._mint = mint
        self._triggers: dict[str, Trigger] = {}

    def hand_out(self, user: str, view_id: str | None = None) -> str:
        """Return a new trigger_id for one interaction."""
        trigger_id = f"{self._mint.digits(13)}.{self._mint.digits(12)}.{self._mint.secret(32)}"
        self._triggers[trigger_id] = Trigger(user, view_id, self._clock.now() + TRIGGER_LIFE)
        return trigger_id

    def exchange(self, trigger_id: str) -> Trigger:
        """Use a trigger up. Refuse one that is unknown, used or too old."""
        trigger = self._triggers.get(trigger_id)
        if trigger is None:
            raise Refusal("invalid_trigger_id")
        if trigger.exchanged:
            raise Refusal("exchanged_trigger_id")
        if self._clock.now() > trigger.until:
            raise Refusal("expired_trigger_id")
        trigger.exchanged = True
        return trigger


MOST_STACKED = 3  # Slack: a modal may push two further views


class Views:
    """An app's views beside its messages, person by person."""

    def __init__(self, mint: IdFactory, tell: Callable[[Change], None]) -> None:
        self._mint = mint
        self._tell = tell
        self._stacks: dict[str, tuple[View, ...]] = {}
        self._homes: dict[str, View] = {}

    # --- reading ---------------------------------------------------------------------------------

    def stack(self, user: str) -> tuple[View, ...]:
        """Return a person's open modals, the last on top."""
        return self._stacks.get(user, ())

    def home(self, user: str) -> View | None:
        """Return the view that the app published for a person."""
        return self._homes.get(user)

    def find(self, view_id: str) -> View | None:
        """Find an open modal or a Home tab by its id."""
        return next((view for view in self._shown() if view.id == view_id), None)

    def find_external(self, external_id: str) -> View | None:
        """Return the view with this id of the app."""
        return next((view for view in self._shown() if view.given.get("external_id") == external_id), None)

    def _shown(self) -> list[View]:
        return [*self._homes.values(), *(view for stack in self._stacks.values() for view in stack)]

    # --- changing --------------------------------------------------------------------------------

    def open(self, user: str, given: Json) -> View:
        """Show a modal, in place of any the person had open."""
        view_id = self._mint.id("V")
        view = View(view_id, user, given, self._hash(), view_id)
        self._put(user, (view,))
        return view

    def push(self, user: str, given: Json) -> View:
        """Put a modal on top of the person's others. Refuse a fourth, and one without another below it."""
        stack = self.stack(user)
        if not stack:
            raise Refusal("not_found")
        if len(stack) == MOST_STACKED:
            raise Refusal("push_limit_reached")
        view = View(self._mint.id("V"), user, given, self._hash(), stack[0].id, stack[-1].id)
        self._put(user, (*stack, view))
        return view

    def publish(self, user: str, given: Json) -> View:
        """Show a Home tab in place of the previous one. The id stays."""
        before = self.home(user)
        if before:
            return self.renew(before, given)
        view_id = self._mint.id("V")
        view = self._homes[user] = View(view_id, user, given, self._hash(), view_id)
        self._tell(HomeShown(view))
        return view

    def renew(self, view: View, given: Json) -> View:
        """Give a view other content. The person's input stays in elements with the same ids."""
        renewed = replace(
            view, given=given, hash=self._hash(), values=_keep_shown(given, view.values), errors={}, trouble=""
        )
        self.hold(renewed)
        if renewed.type == "home":
            self._tell(HomeShown(renewed))
        return renewed

    def hold(self, view: View) -> None:
        """Replace the view with the same id. No watcher is told of input in a Home tab."""
        if view.type == "home":
            self._homes[view.user] = view
            return
        self._put(view.user, tuple(view if each.id == view.id else each for each in self.stack(view.user)))

    def close(self, view: View) -> None:
        """Take a modal off the stack, with everything on top of it."""
        stack = self.stack(view.user)
        ids = [each.id for each in stack]
        self._put(view.user, stack[: ids.index(view.id)])

    def clear(self, user: str) -> None:
        """Close all of a person's modals."""
        self._put(user, ())

    def _put(self, user: str, stack: tuple[View, ...]) -> None:
        self._stacks[user] = stack
        self._tell(ModalsChanged(user, stack))

    def _hash(self) -> str:
        return f"{int(time.time())}.{self._mint.secret(8)}"


def _keep_shown(given: Json, values: Values) -> Values:
    shown = {control.key for control in find_controls(given["blocks"])}
    return {key: state for key, state in values.items() if key in shown}
