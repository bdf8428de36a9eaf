"""Where an app meets people beside its messages: slash commands, shortcuts, modals and the Home tab.

Immutable values, as all of `model`; a change of a view is a new view.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Json = dict[str, Any]
Values = Mapping[tuple[str, str], Json]
"""What a person filled in or chose, as Slack's `state` words it, by block_id and action_id."""


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
    """A modal or a Home tab as one person has it before them, at one moment."""

    id: str
    user: str
    given: Json
    """What the app gave, checked, each block and element with its id."""
    hash: str
    root_id: str
    previous_id: str | None = None
    values: Values = field(default_factory=dict[tuple[str, str], Json])
    """Only what the person touched; the rest is the elements' initial value."""
    errors: Mapping[str, str] = field(default_factory=dict[str, str])
    """Words under a field, by block_id."""
    trouble: str = ""
    """A line for the whole view, when the app could not be asked."""

    @property
    def type(self) -> str:
        """Which kind of view: "modal" or "home"."""
        return self.given["type"]

    @property
    def blocks(self) -> list[Json]:
        """What it shows."""
        return self.given["blocks"]

    @property
    def callback_id(self) -> str:
        """The app's name for this kind of view."""
        return self.given.get("callback_id", "")

    @property
    def private_metadata(self) -> str:
        """What the app wants back with it."""
        return self.given.get("private_metadata", "")

    def label(self, name: Literal["title", "submit", "close"]) -> str:
        """Return one of the plain texts around the blocks, empty if the app gave none."""
        return (self.given.get(name) or {"text": ""})["text"]
