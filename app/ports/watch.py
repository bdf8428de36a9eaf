"""The port for counting what happens to the conversations that this process holds."""

from __future__ import annotations

from typing import Protocol

from app.core.conversation.conversation import Conversation, Transition


class Watch(Protocol):
    """Observer of each conversation that this process holds. Every call returns at once and raises nothing."""

    def note_taken(self, conversation: Conversation) -> None:
        """Note that the conversation is held from now on."""

    def note_saved(self, made: Transition) -> None:
        """Note that a transition was saved, so that its audit events are facts."""

    def note_denied(self, tool: str) -> None:
        """Note that a rule of the owner or of the workspace has denied a use of this tool."""

    def lost(self) -> None:
        """Note that the conversation was claimed or erased by another process."""

    def let_go(self, conversation: Conversation) -> None:
        """Note that the conversation is no longer held, for whatever reason."""


class Unwatched(Watch):
    """Implementation of `Watch` that counts nothing."""


UNWATCHED = Unwatched()
