"""People's input in messages and views, and the options that their searches returned.

A view has its own entries. Entries in a message are private to the person, and no other page shows them.
"""

from collections import defaultdict
from dataclasses import replace

from app.playground.slack.values.controls import Control
from app.playground.slack.values.model import Message
from app.playground.slack.values.surfaces import Json, Values, View
from app.playground.slack.workspace.views import Views

Surface = Message | View


class Entries:
    """Entries and offers, by person and surface."""

    def __init__(self, views: Views) -> None:
        self._views = views
        self._in_messages: defaultdict[tuple[str, str, str], dict[tuple[str, str], Json]] = defaultdict(dict)
        self._offers: dict[tuple[str, str, tuple[str, str]], list[Json]] = {}

    def values(self, user: str, surface: Surface) -> Values:
        """Return a person's input, without the elements that they never touched."""
        if isinstance(surface, Message):
            return self._in_messages[user, surface.channel, surface.ts]
        return (self._views.find(surface.id) or surface).values

    def enter(self, user: str, surface: Surface, states: Values) -> None:
        """Store a person's input, by control."""
        if isinstance(surface, Message):
            self._in_messages[user, surface.channel, surface.ts].update(states)
        elif states and (current := self._views.find(surface.id)):
            self._views.hold(replace(current, values={**current.values, **states}))

    def offers(self, user: str, surface: Surface, control: Control) -> list[Json]:
        """Return every option the app has offered this person for this control."""
        return self._offers.get((user, _name_surface(surface), control.key), [])

    def offer(self, user: str, surface: Surface, control: Control, options: list[Json]) -> None:
        """Store the options that a search returned."""
        before = self.offers(user, surface, control)
        self._offers[user, _name_surface(surface), control.key] = [*options, *before]


def _name_surface(surface: Surface) -> str:
    return f"{surface.channel}:{surface.ts}" if isinstance(surface, Message) else surface.id
