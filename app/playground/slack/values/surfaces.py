"""An app's surfaces beside its messages: slash commands, shortcuts, modals and the Home tab.

Immutable values, like all of `model`; a changed view is a new view.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Json = dict[str, Any]
Values = Mapping[tuple[str, str], Json]
"""A person's input in Slack's `state` form, by block_id and action_id."""


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command as the composer offers it."""

    description: str
    usage_hint: str = ""


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A shortcut as its menu offers it: on a message, or anywhere."""

    type: Literal["message", "global"]
    name: str


@dataclass(frozen=True, slots=True)
class View:
    """A modal or a Home tab of one person, at one moment."""

    id: str
    user: str
    given: Json
    """The app's view, checked, with an id for each block and element."""
    hash: str
    root_id: str
    previous_id: str | None = None
    values: Values = field(default_factory=dict[tuple[str, str], Json])
    """Only the elements that the person touched; the others have their initial value."""
    errors: Mapping[str, str] = field(default_factory=dict[str, str])
    """Words under a field, by block_id."""
    trouble: str = ""
    """A line for the whole view, if the app could not be reached."""

    @property
    def type(self) -> str:
        """Return the type of view: "modal" or "home"."""
        return self.given["type"]

    @property
    def blocks(self) -> list[Json]:
        return self.given["blocks"]

    @property
    def callback_id(self) -> str:
        """Return the app's name for this type of view."""
        return self.given.get("callback_id", "")

    @property
    def private_metadata(self) -> str:
        """Return the data that the app gets back with it."""
        return self.given.get("private_metadata", "")

    def label(self, name: Literal["title", "submit", "close"]) -> str:
        """Return one of the plain texts around the blocks, empty if the app gave none."""
        return (self.given.get(name) or {"text": ""})["text"]
