"""Whoever counts what happens to the conversations that are held here."""

from __future__ import annotations

from typing import Protocol

from app.core.model import Conversation, Step


class Watch(Protocol):
    """Hears of each conversation that this process holds. Every call returns at once and raises nothing."""

    def taken(self, conversation: Conversation) -> None:
        """It is held from now on."""
        ...

    def saved(self, made: Step) -> None:
        """A step of it was saved: what its audit tells is a fact now."""
        ...

    def lost(self) -> None:
        """Somebody else has it, or it was erased elsewhere."""
        ...

    def let_go(self, conversation: Conversation) -> None:
        """It is not held any more, for whatever reason."""
        ...


class Unwatched:
    """Implements `Watch` where nobody counts."""

    def taken(self, conversation: Conversation) -> None:
        """See `Watch.taken`."""

    def saved(self, made: Step) -> None:
        """See `Watch.saved`."""

    def lost(self) -> None:
        """See `Watch.lost`."""

    def let_go(self, conversation: Conversation) -> None:
        """See `Watch.let_go`."""
