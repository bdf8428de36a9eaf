"""What the rest of the program gets of this package: the ports, and a way to close them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.ports import Conversations, Inbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A store that is open. After `close` it must not be used."""

    inbox: Inbox
    conversations: Conversations
    close: Callable[[], None]
